/* loops.h — how many threads OpenMP's loops take on a thread, and what those begin with.
 *
 * OpenMP's runtime ends the process where the system refuses it a thread, so the system is asked
 * first: as many threads are begun, and ended again. In between others may take them; who comes too
 * late then cannot be helped. All signals are blocked in what is begun here: they are for the
 * threads of the program. */
#ifndef SCIARA_LOOPS_H
#define SCIARA_LOOPS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* pthread_create(), with all signals blocked in the new thread. Whether there is one. */
bool loops_start_thread(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument);

/* For a thread that the program or the library began: its loops take at most `most` threads (0: as
 * processors_granted()), and no more than the system gives now. */
void loops_limit(int most);

/* The same on somebody else's thread, from begin to end, and one thread alone where there are few
 * cells. */
struct loops {
    int threads; /* what was to be taken before */
    sigset_t signals;
};
struct loops loops_begin(int most, size_t cells);
void loops_end(const struct loops *before);

#endif
