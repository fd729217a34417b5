#include "jobs.h"

#include "loops.h"

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS_MOST = 16 };

struct jobs {
    int count;
    void (*job)(void *of, int i);
    void *of;
    locale_t locale;
    int threads; /* of the loops of a job */
    atomic_int next;
};

static void do_some(struct jobs *all)
{
    for (int i; (i = atomic_fetch_add(&all->next, 1)) < all->count;) all->job(all->of, i);
}

static void *work(void *jobs)
{
    struct jobs *all = jobs;
    uselocale(all->locale);
    loops_limit(all->threads);
    do_some(all);
    return NULL;
}

/* Not threads of OpenMP: theirs have stacks of any size (OMP_STACKSIZE), and text needs some. */
void jobs_run(int count, void (*job)(void *of, int i), void *of)
{
    pthread_t thread[THREADS_MOST];
    const int threads = loops_threads();
    int most = count < THREADS_MOST ? count : THREADS_MOST, started = 0;
    if (most > threads) most = threads;
    struct jobs all = {count, job, of, uselocale((locale_t)0), most > 1 ? threads / most : 1, 0};
    while (most > 1 && started < most && loops_start_thread(&thread[started], NULL, work, &all))
        started++;
    if (!started) do_some(&all);
    while (started) pthread_join(thread[--started], NULL);
}
