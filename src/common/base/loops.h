/* loops.h — the number of threads of OpenMP's loops, and their signal masks.
 *
 * OpenMP's runtime and pango end the process if the system refuses them a thread. So loops.c first tests the system: it
 * starts as many threads as the runtime or pango will need, and ends these threads. Until the runtime or pango has
 * started its own threads, loops.c starts no others. Other processes of the user may start threads in between; this
 * cannot be prevented. Threads that loops.c starts block all signals. The threads of the program receive signals. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* pthread_create(), with all signals blocked in the new thread. If `attributes` is NULL, the stack is large enough for
 * any library, whatever the limits of the system are. Returns whether the thread was created. */
bool loops_start_thread(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument);

/* Whether the system grants `threads` more threads within half a second. If true, a library may start them until the
 * calling thread calls loops_unreserve(). */
bool loops_reserve(int threads);
void loops_unreserve(void);

/* From now on the loops of the calling thread use at most `most` threads (0: processors_granted()), and at most as many
 * as the system grants now. In a thread of the library's user, call loops_begin() instead. */
void loops_limit(int most);

/* The number of threads that the loops of the calling thread use. */
int loops_threads(void);

/* Between loops_begin() and loops_end() the loops of the calling thread are limited as by loops_limit(), and block
 * signals. Loops over few cells use one thread. */
struct loops {
    int threads;      /* restored at the end */
    sigset_t signals; /* restored at the end */
};
struct loops loops_begin(int most, size_t cells);
void loops_end(const struct loops *before);

/* ---- several pieces of work at once, none of which needs another ----------------------------- */

/* Calls job(of, i) for every i from 0 to count-1 and returns when all jobs have ended. Jobs begin in the order of i. At
 * most 16 jobs run at once, and at most as many as the loops of the calling thread have threads. The loops of each job
 * get an equal share of these threads. If there is only one thread, or the system grants no other thread, the calling
 * thread does all jobs. The threads have the caller's locale, and block signals. */
void jobs_run(int count, void (*job)(void *of, int i), void *of);
