/* lock.h — locks that are held to the end of a scope, and conditions with a time limit. Setting the system's clock does
 * not change the time limit. */
#pragma once

#include "clock.h"
#include "error.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>

static inline pthread_mutex_t *lock_take(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    return lock;
}

static inline void lock_release(pthread_mutex_t *const *lock)
{
    pthread_mutex_unlock(*lock);
}

/* Declares a variable that holds the lock until the end of its scope. */
#define LOCKED(lock) FREED_BY(lock_release) pthread_mutex_t *const locked = lock_take(lock)

static inline void condition_init(pthread_cond_t *changed)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* Waits for `changed`, at most `seconds`; false: the time has passed. The caller holds the lock. */
static inline bool condition_wait(pthread_cond_t *changed, pthread_mutex_t *lock, double seconds)
{
    const double end_s = clock_now_s() + seconds;
    const struct timespec end = {(time_t)end_s, (long)((end_s - floor(end_s)) * 1e9)};
    return pthread_cond_timedwait(changed, lock, &end) != ETIMEDOUT;
}
