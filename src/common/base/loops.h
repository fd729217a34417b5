/* loops.h — the number of threads of OpenMP's loops, and their signal masks.
 *
 * OpenMP's runtime and pango end the process if the system refuses them a thread. So the system is tested first: the
 * same number of threads is started and ended, and no other thread is started here until the library has started its
 * own. Other processes of the user may take them in between; this cannot be prevented. Threads started here block
 * all signals, which are for the threads of the program. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* pthread_create(), with all signals blocked in the new thread. Where `attributes` is NULL, its stack is large
 * enough for any library, whatever the limits are. Returns whether the thread was created. */
bool loops_start_thread(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument);

/* Whether the system grants `threads` more, within half a second. If so, a library may start them until the same
 * thread calls loops_unreserve(). */
bool loops_reserve(int threads);
void loops_unreserve(void);

/* Limits the loops of a thread that the program or the library started to `most` threads (0: as
 * processors_granted()), and to no more than the system grants now. */
void loops_limit(int most);

/* The number of threads that the loops of the calling thread use. */
int loops_threads(void);

/* Between loops_begin() and loops_end() the loops of a caller's thread are limited as by loops_limit(), and to one thread if
 * there are few cells; signals are blocked. */
struct loops {
    int threads;      /* restored at the end */
    sigset_t signals; /* restored at the end */
};
struct loops loops_begin(int most, size_t cells);
void loops_end(const struct loops *before);

/* ---- several pieces of work at once, none of which needs another ----------------------------- */

/* Calls job(of, i) for every i from 0 to count-1 and returns when all have ended. Jobs begin in this order. As many
 * run at once as the loops of the calling thread have threads, at most 16; each job's loops get an equal share of
 * these threads. With one thread, or where the system grants no other, the calling thread does all jobs. The threads
 * have the caller's locale, and block signals. */
void jobs_run(int count, void (*job)(void *of, int i), void *of);
