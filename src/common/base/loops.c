#include "loops.h"

#include "processors.h"

#include <stdlib.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

enum {
    CELLS_PER_THREAD = 1 << 16, /* fewer cells are done before a thread wakes up */
    STACK_BYTES = 4 << 20
};

static void block_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

bool loops_start_thread(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument)
{
    sigset_t before;
    pthread_attr_t usual;
    if (pthread_attr_init(&usual)) return false;
    block_signals(&before);
    const bool started =
        !pthread_attr_setstacksize(&usual, STACK_BYTES) &&
        pthread_create(thread, attributes ? attributes : &usual, function, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&usual);
    return started;
}

#if defined(_OPENMP)

/* Started threads wait here for each other, so that all exist at once. */
static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* The number of threads, including this one, that the system grants now; at most `most`. */
static int given(int most)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *thread = most > 1 ? malloc((size_t)most * sizeof *thread) : NULL;
    int count = 0;
    pthread_mutex_lock(&gate);
    while (thread && count < most - 1 && loops_start_thread(&thread[count], NULL, wait_at, &gate))
        count++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < count; i++) pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&gate);
    free(thread);
    return 1 + count;
}

static int limit(int most)
{
    const int granted = processors_granted();
    return most > 0 && most < granted ? most : granted;
}

void loops_limit(int most)
{
    omp_set_num_threads(given(limit(most)));
}

int loops_threads(void)
{
    return omp_get_max_threads();
}

struct loops loops_begin(int most, size_t cells)
{
    struct loops before = {.threads = omp_get_max_threads()};
    const size_t enough = 1 + cells / CELLS_PER_THREAD;
    const int wanted = enough > 1 ? limit(most) : 1;
    omp_set_num_threads(given(enough < (size_t)wanted ? (int)enough : wanted));
    block_signals(&before.signals); /* OpenMP's threads inherit that */
    return before;
}

void loops_end(const struct loops *before)
{
    pthread_sigmask(SIG_SETMASK, &before->signals, NULL);
    omp_set_num_threads(before->threads);
}

#else

void loops_limit(int most)
{
    (void)most;
}

int loops_threads(void)
{
    return 1;
}

struct loops loops_begin(int most, size_t cells)
{
    struct loops before = {.threads = 1};
    (void)most, (void)cells;
    block_signals(&before.signals);
    return before;
}

void loops_end(const struct loops *before)
{
    pthread_sigmask(SIG_SETMASK, &before->signals, NULL);
}

#endif
