/* The library's threads: how many there are, what signals they see, what happens where the system
 * gives none, and in a process that was forked off. Each test has a process of its own, for threads
 * that OpenMP has begun stay. */
#define _GNU_SOURCE /* RTLD_NEXT */
/* tests: library */
/* run: plain, sanitized */
#include "sciara.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library_case.h"
#include "unit.h"

enum { WIDE = 600, MANY = 4, PATIENCE_S = 60 };

/* Names of /proc/self/task, one a thread. */
static int threads_now(int tid[], int room)
{
    DIR *d = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (*entry->d_name != '.' && count < room) tid[count++] = atoi(entry->d_name);
    if (d) closedir(d);
    return count;
}

/* ---- a system that gives no more threads ----------------------------------------------------- */

#if !defined(__SANITIZE_ADDRESS__) /* which has a pthread_create() of its own */
#define REFUSES

static int allowed = 1000; /* at once, beside the main one */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int tid[64];
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return threads_now(tid, 64) > allowed ? EAGAIN : real(thread, attributes, function, argument);
}
#endif

/* ---- a case that is large enough for loops with several threads ------------------------------ */

static sciara_case *wide(void)
{
    static double elevation_m[WIDE * WIDE];
    static const struct sciara_vent vent = {1, 300, 300};
    static const struct sciara_rate rate = {1, 0, 36000, 5};
    struct sciara_case_input in;
    sciara_case *c;
    for (int i = 0; i < WIDE * WIDE; i++) elevation_m[i] = 1000 - 2.0 * (i % WIDE);
    sciara_case_input_init(&in, sizeof in);
    in.rows = in.cols = WIDE;
    in.cell_m = 10;
    sciara_parameters_etna2006(&in.parameters);
    in.elevation_m = elevation_m;
    in.vents = &vent;
    in.vent_count = 1;
    in.rates = &rate;
    in.rate_count = 1;
    return sciara_case_create(&c, &in, NULL) ? NULL : c;
}

static sciara_simulation *begun(int threads)
{
    const struct sciara_options o = with(threads);
    sciara_simulation *s = NULL;
    sciara_case *c = wide();
    if (!c || sciara_create(&s, c, &o, NULL) || sciara_advance(s, 50, NULL)) return NULL;
    sciara_case_free(c);
    return s;
}

/* Everything that goes through all cells; the digest, 0 where something failed. */
static uint64_t look_at(sciara_simulation *s)
{
    static float value[WIDE * WIDE];
    static int64_t exact[WIDE * WIDE];
    sciara_snapshot *a, *b;
    if (sciara_snapshot_take(&a, s, NULL) || sciara_snapshot_take(&b, s, NULL)) return 0;
    uint64_t digest = sciara_snapshot_digest(a);
    if (sciara_snapshot_read(a, SCIARA_TOTAL_THICKNESS, value, WIDE * WIDE, NULL) ||
        sciara_snapshot_read_exact(a, SCIARA_THICKNESS, exact, WIDE * WIDE, NULL) ||
        sciara_snapshot_differ(a, b, NULL) != 0 || !(exact[300 * WIDE + 300] > 0))
        digest = 0;
    sciara_snapshot_free(a);
    sciara_snapshot_free(b);
    return digest;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* What work() returns in a process of its own, 0 to 99; -1 if it crashes, exits or hangs. */
static int apart(int (*work)(int), int argument)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        omp_set_num_threads(MANY); /* whatever this machine has */
        alarm(PATIENCE_S);
        _exit(100 + work(argument));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) >= 100 ? WEXITSTATUS(status) - 100 : -1;
}

static int count_threads(int threads)
{
    int tid[64];
    sciara_simulation *s = begun(threads);
    if (!s || !look_at(s)) return 99;
    const int count = threads_now(tid, 64);
    sciara_free(s);
    return count;
}

static void a_snapshot_takes_no_more_threads_than_asked_for(void **state)
{
    assert_int_equal(apart(count_threads, 1), 1);
    assert_int_equal(apart(count_threads, 2), 1 + 1 + 1); /* the team's, and OpenMP's */
}

/* Threads but the first that a SIGTERM could be given to. */
static int count_listeners(int threads)
{
    int tid[64];
    char path[64], line[256];
    sciara_simulation *s = begun(threads);
    if (!s || !look_at(s)) return 99;
    const int count = threads_now(tid, 64);
    int listeners = 0;
    for (int i = 0; i < count; i++) {
        unsigned long long blocked = 0;
        snprintf(path, sizeof path, "/proc/self/task/%d/status", tid[i]);
        FILE *f = fopen(path, "r");
        while (f && fgets(line, sizeof line, f)) sscanf(line, "SigBlk: %llx", &blocked);
        if (f) fclose(f);
        listeners += !(blocked >> (SIGTERM - 1) & 1);
    }
    sciara_free(s);
    return count < 3 ? 98 : listeners;
}

static void signals_are_for_the_callers_thread(void **state)
{
    assert_int_equal(apart(count_listeners, 3), 1);
}

/* ---- forks ----------------------------------------------------------------------------------- */

/* In the process that owns the simulation, and in one that is forked off. */
static int fork_and_use(int computes)
{
    sciara_simulation *s = begun(MANY);
    if (!s || !look_at(s)) return 99;
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        alarm(PATIENCE_S / 2);
        const bool good = !computes || (!sciara_advance(s, 20, NULL) && look_at(s));
        const uint64_t digest = computes ? look_at(s) : 0;
        sciara_free(s);
        s = computes ? begun(1) : NULL;
        _exit(good && (!s || (!sciara_advance(s, 20, NULL) && look_at(s) == digest)) ? 0 : 1);
    }
    if (waitpid(child, &status, 0) != child) return 97;
    const bool still = !sciara_advance(s, 20, NULL) && look_at(s) != 0;
    sciara_free(s);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && still;
}

static void a_forked_process_can_free_what_it_inherits(void **state)
{
    assert_int_equal(apart(fork_and_use, 0), 1);
}

static void a_forked_process_can_go_on(void **state)
{
    assert_int_equal(apart(fork_and_use, 1), 1);
}

#ifdef REFUSES
/* The digest is that of one thread, whatever the system gives. */
static int run_with(int threads)
{
    allowed = threads;
    sciara_simulation *s = begun(MANY);
    const uint64_t digest = s ? look_at(s) : 0;
    sciara_free(s);
    allowed = 1000;
    s = begun(1);
    const uint64_t alone = s ? look_at(s) : 0;
    sciara_free(s);
    return alone && digest == alone;
}

static void no_threads_are_no_end(void **state)
{
    for (int threads = 0; threads < 6; threads++) assert_int_equal(apart(run_with, threads), 1);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_takes_no_more_threads_than_asked_for),
        cmocka_unit_test(signals_are_for_the_callers_thread),
        cmocka_unit_test(a_forked_process_can_free_what_it_inherits),
        cmocka_unit_test(a_forked_process_can_go_on),
#ifdef REFUSES
        cmocka_unit_test(no_threads_are_no_end),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
