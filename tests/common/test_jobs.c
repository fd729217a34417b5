/* Jobs (loops.h): each is done once, whatever their number; several run at once, in the locale of the
 * caller and with a share of its threads each; with one thread the caller does them in order. A
 * thread under a limit of addresses takes pages for what it needs, not one for each allocation. */
/* tests: common/base */
#include "base/loops.h"
#include "base/memory.h"
#include "unit.h"

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 100 };

struct work {
    int count;
    atomic_int done[MOST], order[MOST], begun, ended;
    pthread_t caller;
    atomic_int elsewhere, other_locale, threads;
    locale_t locale;
};

static void do_one(void *work, int i)
{
    struct work *w = work;
    w->order[atomic_fetch_add(&w->begun, 1)] = i;
    w->elsewhere += !pthread_equal(pthread_self(), w->caller);
    w->other_locale += uselocale((locale_t)0) != w->locale;
    w->threads += loops_threads();
    w->done[i]++;
    w->ended++;
}

static void run(struct work *w, int count)
{
    *w = (struct work){.count = count, .caller = pthread_self(), .locale = uselocale((locale_t)0)};
    jobs_run(count, do_one, w);
    assert_int_equal(w->ended, count);
    for (int i = 0; i < count; i++) assert_int_equal(w->done[i], 1);
}

static void test_each_once(void **state)
{
    static struct work w;
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    (void)state;
    loops_limit(0);
    for (int count = 0; count < 20; count++) {
        run(&w, count);
        assert_int_equal(w.other_locale, 0);
        assert_int_equal(w.elsewhere, loops_threads() > 1 && count > 1 ? count : 0);
    }
    run(&w, MOST);
    uselocale(before);
    freelocale(plain);
}

static void test_in_order_with_one_thread(void **state)
{
    static struct work w;
    (void)state;
    loops_limit(1);
    run(&w, MOST);
    assert_int_equal(w.elsewhere, 0);
    for (int i = 0; i < MOST; i++) assert_int_equal(w.order[i], i);
}

/* A job alone has all threads, and many have one each. */
static void test_share_threads(void **state)
{
    static struct work w;
    (void)state;
    loops_limit(0);
    const int threads = loops_threads();
    run(&w, 1);
    assert_int_equal(w.threads, threads);
    run(&w, MOST);
    assert_int_equal(w.threads, MOST * (threads > 16 ? threads / 16 : 1));
    assert_int_equal(loops_threads(), threads);
}

/* Each of two waits until the other has begun. */
static void meet(void *both, int i)
{
    atomic_int *begun = both;
    (void)i;
    atomic_fetch_add(begun, 1);
    for (int ms = 0; *begun < 2 && ms < 20000; ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_int_equal(*begun, 2);
}

static void test_at_once(void **state)
{
    atomic_int begun = 0;
    (void)state;
    loops_limit(0);
    if (loops_threads() < 2) skip();
    jobs_run(2, meet, &begun);
}

enum { WORDS = 1000, WORD_BYTES = 100 };

static long pages_taken(void)
{
    struct rusage u;
    return getrusage(RUSAGE_SELF, &u) ? 0 : u.ru_minflt;
}

static void *keep_words(void *pages)
{
    static char *word[WORDS];
    const long before = pages_taken();
    for (int i = 0; i < WORDS; i++)
        if ((word[i] = malloc(WORD_BYTES))) word[i][0] = 1;
    *(long *)pages = pages_taken() - before;
    for (int i = 0; i < WORDS; i++) free(word[i]);
    return pages;
}

/* In a process of its own: with how many pages, no more than 255. */
static int pages_of_words(rlim_t room)
{
    long pages = 255;
    pthread_t thread;
    struct rlimit limit = {1ULL << 40, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit)) return 255;
    limit.rlim_cur += room - (rlim_t)memory_room();
    if (setrlimit(RLIMIT_AS, &limit) || !loops_start_thread(&thread, NULL, keep_words, &pages))
        return 255;
    pthread_join(thread, NULL);
    return pages < 255 ? (int)pages : 255;
}

static void test_pages_under_a_limit(void **state)
{
    int status = 0;
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip(); /* it has an allocator of its own, and addresses without end */
#endif
    const pid_t child = fork();
    if (child == 0) _exit(pages_of_words(40 << 20));
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert_in_range(WEXITSTATUS(status), WORDS * WORD_BYTES / 4096 / 2, 100);
}

int main(void)
{
    /* (first: arenas of threads that have ended are there for later ones) */
    return UNIT_RUN(test_pages_under_a_limit, test_each_once, test_share_threads, test_at_once,
                    test_in_order_with_one_thread);
}
