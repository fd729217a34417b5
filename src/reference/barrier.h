/* barrier.h — where the threads of the CPU variant wait for each other, twice a step.
 *
 * OpenMP's own barrier spins for long, which on a machine with other work costs ten times the
 * computation. This one spins for about a microsecond and then gives the processor away. The last
 * to arrive may do something before the others go on. */
#ifndef SCIARA_BARRIER_H
#define SCIARA_BARRIER_H

#include <sched.h>
#include <stdatomic.h>

struct barrier {
    atomic_int waiting;
    atomic_uint round;
};

static inline void barrier_wait(struct barrier *b, int threads, void (*last)(void *), void *context)
{
    unsigned round = atomic_load_explicit(&b->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&b->waiting, 1, memory_order_acq_rel) == threads - 1) {
        if (last) last(context);
        atomic_store_explicit(&b->waiting, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(&b->round, 1, memory_order_release);
        return;
    }
    for (int spins = 0; atomic_load_explicit(&b->round, memory_order_acquire) == round; spins++) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
        if (spins > 200) sched_yield();
    }
}

#endif
