#define _GNU_SOURCE /* syscall */
#include "loops.h"
#include "error.h"
#include "memory.h"
#include "processors.h"

#include <locale.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(_OPENMP)
#include <omp.h>
#else /* for libFuzzer: one thread */
static int omp_get_max_threads(void)
{
    return 1;
}
static int omp_get_thread_num(void)
{
    return 0;
}
static void omp_set_num_threads(int count) {}
#endif

enum {
    CELLS_PER_THREAD = 1 << 16, /* a thread is used only for at least this number of cells */
    STACK_BYTES = 4 << 20,
    ATTEMPTS = 25 /* most attempts to reserve threads, one every 20 ms */
};

/* Held while threads are tested and started. */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

static void block_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

static bool start_with(pthread_t *thread, const pthread_attr_t *attributes,
                       void *(*function)(void *), void *argument)
{
    sigset_t before;
    block_signals(&before);
    const bool started = pthread_create(thread, attributes, function, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static bool start_thread(pthread_t *thread, const pthread_attr_t *attributes,
                         void *(*function)(void *), void *argument)
{
    pthread_attr_t usual;
    if (pthread_attr_init(&usual)) return false;
    const bool started = !pthread_attr_setstacksize(&usual, STACK_BYTES) &&
                         start_with(thread, attributes ? attributes : &usual, function, argument);
    pthread_attr_destroy(&usual);
    return started;
}

bool loops_start_thread(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument)
{
    memory_share(); /* else each thread would try to reserve 64 MiB at every allocation, and fail */
    const bool limited = memory_enter();
    pthread_mutex_lock(&starting);
    const bool started = start_thread(thread, attributes, function, argument);
    pthread_mutex_unlock(&starting);
    memory_leave(limited);
    return started;
}

/* ---- how many threads the system grants ------------------------------------------------------ */

struct trial {
    pthread_t thread;
    pthread_mutex_t *gate;
    long id;
};

/* Started threads wait here for each other, so that all exist at once. */
static void *wait_at_gate(void *self)
{
    struct trial *t = self;
    t->id = syscall(SYS_gettid);
    pthread_mutex_lock(t->gate);
    pthread_mutex_unlock(t->gate);
    return NULL;
}

/* Waits until the kernel has removed the thread, which can be later than pthread_join(). Until then the thread counts
 * towards the system's limit on threads. */
static void await_end(const struct trial *t)
{
    enum { YIELDS_MOST = 1 << 20 };
    pthread_join(t->thread, NULL);
    for (int i = 0; i < YIELDS_MOST && !syscall(SYS_tgkill, getpid(), t->id, 0); i++) sched_yield();
}

/* Starts a thread for the trial. The thread's stack has the default size, as threads of a library may have, but at
 * least STACK_BYTES. */
static bool start_trial(struct trial *t)
{
    size_t bytes;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes)) return false;
    if (!pthread_attr_getstacksize(&attributes, &bytes) && bytes < STACK_BYTES)
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const bool started = start_with(&t->thread, &attributes, wait_at_gate, t);
    pthread_attr_destroy(&attributes);
    return started;
}

/* The number of threads that the system grants now in addition to the calling thread; at most
 * `most`. */
static int granted(int most)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    FREED struct trial *trial = most > 0 ? malloc((size_t)most * sizeof *trial) : NULL;
    int count = 0;
    pthread_mutex_lock(&gate);
    for (; trial && count < most; count++) {
        trial[count].gate = &gate;
        if (!start_trial(&trial[count])) break;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < count; i++) await_end(&trial[i]);
    pthread_mutex_destroy(&gate);
    return count;
}

bool loops_reserve(int threads)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&starting);
        if (granted(threads) == threads) return true;
        pthread_mutex_unlock(&starting);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return false;
}

void loops_unreserve(void)
{
    pthread_mutex_unlock(&starting);
}

static int limit(int most)
{
    const int processors = processors_granted();
    return most > 0 && most < processors ? most : processors;
}

/* Sets the number of threads of OpenMP's loops, and starts these threads in an empty loop. OpenMP keeps them for later
 * loops. The calling thread is one of them. So OpenMP starts one thread fewer than the system grants, and one is left
 * for the writer of files. */
static void set_threads(int most)
{
    sigset_t before;
    block_signals(&before); /* OpenMP's threads inherit the mask */
    const bool limited = memory_enter();
    pthread_mutex_lock(&starting);
    const int count = most > 1 ? granted(most) : 1;
    omp_set_num_threads(count > 1 ? count : 1);
#pragma omp parallel
    (void)omp_get_thread_num();
    pthread_mutex_unlock(&starting);
    memory_leave(limited);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void loops_limit(int most)
{
    set_threads(limit(most));
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
    block_signals(&before.signals);
    set_threads(enough < (size_t)wanted ? (int)enough : wanted);
    return before;
}

void loops_end(const struct loops *before)
{
    pthread_sigmask(SIG_SETMASK, &before->signals, NULL);
    omp_set_num_threads(before->threads);
}

enum { THREADS_MOST = 16 };

struct jobs {
    int count;
    void (*job)(void *of, int i);
    void *of;
    locale_t locale;
    int threads; /* for the loops of a job */
    atomic_int next;
};

static void do_some(struct jobs *all)
{
    for (int i; (i = atomic_fetch_add(&all->next, 1)) < all->count;) all->job(all->of, i);
}

static void *work_on_jobs(void *jobs)
{
    struct jobs *all = jobs;
    uselocale(all->locale);
    loops_limit(all->threads);
    do_some(all);
    return NULL;
}

/* Does not use OpenMP's threads, because OMP_STACKSIZE may give them a stack that is too small for drawing text. */
void jobs_run(int count, void (*job)(void *of, int i), void *of)
{
    pthread_t thread[THREADS_MOST];
    const int threads = loops_threads();
    int most = count < THREADS_MOST ? count : THREADS_MOST, started = 0;
    if (most > threads) most = threads;
    struct jobs all = {count, job, of, uselocale((locale_t)0), most > 1 ? threads / most : 1, 0};
    while (most > 1 && started < most &&
           loops_start_thread(&thread[started], NULL, work_on_jobs, &all))
        started++;
    if (!started) do_some(&all);
    while (started) pthread_join(thread[--started], NULL);
}
