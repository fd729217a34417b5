/* The kernels under the race detector of tests/emulator: no access races with another, nothing is
 * read from shared memory that was not written there, and what is loaded before the kernel before
 * has ended is used only where that is allowed. And the detector itself: it finds each mistake in a
 * pair of small kernels, and nothing in the other. */
/* tests: common/gpu, study/batch, variants */
/* run: plain */
#include "against_reference.h"
#include "effort.h"
#include "ensemble/batch.h"
#include "random_case.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern int emulator_processors;
#define DECLARE(name) extern const struct variant variant_##name;
SCIARA_VARIANTS(DECLARE) /* the Makefile's list: each(global) each(tiled) ... */

const char *racy_run(int which, int good, int only_name);
int racy_rubbish(int waits);

/* Whether it ends by itself, in a process of its own. */
static bool ends_well(int which, int good)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        fclose(stderr);
        racy_run(which, good, 0);
        _exit(0);
    }
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) ? WEXITSTATUS(status) == 0 : WTERMSIG(status) == SIGABRT);
    return WIFEXITED(status);
}

static void finds_mistakes(void **state)
{
    int pairs = 0;
    for (const char *name; (name = racy_run(pairs, 0, 1)); pairs++)
        for (emulator_seed = 0; emulator_seed < 4; emulator_seed++) {
            bool good = ends_well(pairs, 1), bad = ends_well(pairs, 0);
            if (!good || bad) print_message("%s, seed %d\n", name, (int)emulator_seed);
            assert_true(good && !bad);
        }
    assert_true(pairs >= 10);
    assert_true(racy_rubbish(1) == 0);
    assert_true(racy_rubbish(0) > 0);
}

static const int pieces[] = {1, 2, 7, 15, 25};
enum { PIECES = sizeof pieces / sizeof *pieces };

static void no_races(void **state)
{
    const struct variant *variant = *state;
    static const int size[][2] = {{17, 33}, {45, 50}, {37, 31}};
    size_t set = 0;
    emulator_processors = 2;
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct random_case c;
        emulator_seed = seed;
        random_case_create(&c, size[seed][0], size[seed][1], seed % 2 ? 0.02 : 0.0, 800 + seed);
        c.problem.full_domain = seed == 0;
        c.problem.reduce_every = 5 + 6 * (int64_t)seed;
        if (seed == 1) c.problem.thickness_m = c.problem.temp_K = NULL;
        c.vents[3].row = c.vents[2].row; /* two in a cell */
        c.vents[3].col = c.vents[2].col;
        struct course f = follow(variant, &c.problem, pieces, PIECES);
        assert_true(f.wet[PIECES - 1] > 4);
        set += f.set[PIECES - 1];
        random_case_free(&c);
    }
    assert_true(set > 20);
}

/* No tile at all: kernels that have nothing to do wait for each other, too. */
static void nothing_to_do(void **state)
{
    const struct variant *variant = *state;
    struct random_case c;
    emulator_seed = 3;
    random_case_create(&c, 20, 20, 0.0, 9);
    c.problem.thickness_m = c.problem.temp_K = NULL;
    c.problem.vent_count = 0;
    c.problem.reduce_every = 4;
    struct course f = follow(variant, &c.problem, pieces, 3);
    assert_true(f.wet[2] == 0);
    random_case_free(&c);
}

/* `resident` with all its tiles on the chip, some blocks without one, and epochs of all lengths. */
static void on_the_chip(void **state)
{
    emulator_processors = 9;
    for (uint64_t seed = 0; seed < (uint64_t)sample(1, 2); seed++) {
        struct random_case c;
        emulator_seed = 20 + seed;
        random_case_create(&c, 40, 37, 0.0, 508 + seed);
        c.problem.reduce_every = seed ? 11 : 5; /* at the end of every other epoch, of each */
        struct course f = follow(&variant_resident, &c.problem, pieces, PIECES);
        assert_true(f.wet[PIECES - 1] > 4);
        random_case_free(&c);
    }
}

/* Thin lava on nearly level ground that goes nowhere: through memory, rows of a panel in which
 * nothing flows. */
static void standing_lava(void **state)
{
    struct random_case c;
    emulator_processors = 1;
    emulator_seed = 40;
    random_case_create(&c, 40, 70, 0.0, 810);
    size_t wet = 0;
    for (int i = 0; i < 40 * 70; i++) {
        c.elevation_m[i] = lattice_round(1000.0 + 1e-3 * (c.elevation_m[i] - 1000.0));
        wet += c.thickness_m[i] > 0.0;
        c.thickness_m[i] = lattice_round(c.thickness_m[i] * 0x1p-4);
    }
    c.problem.vent_count = 0;
    c.problem.last_vent_step = 0;
    c.problem.params.cooling = 0.0;
    struct course f = follow(&variant_resident, &c.problem, pieces, 3);
    assert_true(wet > 30 && f.wet[2] + 4 > wet); /* a few at the edge have left */
    random_case_free(&c);
}

/* Many members at once, by more blocks than there are members at the end: windows that grow, bits
 * in shared memory and in the share, the stopping rule, terrain of their own. That their bits are
 * right is for test_batch. */
static void members_of_a_batch(void **state)
{
    enum { MEMBERS = 5 };
    struct error e = {0};
    struct axis thickness_m = {0}, arrival_s = {0};
    size_t seen = 0, grown = 0;
    must(axis_create(&thickness_m, 0, 0.5, 20, NULL, 0, &e), &e);
    must(axis_create(&arrival_s, 0, 600, 20, NULL, 0, &e), &e);
    emulator_processors = 3;
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct random_case c;
        struct batch *b;
        struct batch_outcome out[MEMBERS];
        struct batch_job job[MEMBERS];
        emulator_seed = 60 + seed;
        random_case_create(&c, 60, 140, seed ? 0.003 : 0.0, 901 + seed);
        if (!seed) c.problem.thickness_m = c.problem.temp_K = NULL;
        c.problem.vent_count = seed ? 4 : 1;
        c.problem.params.cooling = 5;
        c.problem.stop_when_still = true;
        c.problem.stop_mobile_m = 1;
        c.problem.last_vent_step = 40;
        c.problem.reduce_every = 7;
        const struct batch_setup setup = {.base = &c.problem,
                                          .thickness_m = &thickness_m,
                                          .arrival_s = &arrival_s,
                                          .members = MEMBERS};
        must(batch_create(&b, &setup, &e), &e);
        for (int i = 0; i < MEMBERS; i++)
            job[i] = (struct batch_job){&c.problem, {3, (uint64_t)i, i % 2 * 0.5, 0.2}, 60 + 8 * i};
        must(batch_begin(b, 0, job, MEMBERS, 0, &e), &e);
        must(batch_end(b, 0, out, &e), &e);
        for (int i = 0; i < MEMBERS; i++) {
            assert_int_equal(out[i].fate, BATCH_COMPUTED);
            seen += out[i].cell_count;
            grown += (size_t)out[i].grown;
            free(out[i].cell);
        }
        batch_destroy(b);
        random_case_free(&c);
    }
    print_message("%zu cells seen, %zu times grown\n", seen, grown);
    assert_true(seen > 500 && grown > 2);
    axis_free(&thickness_m);
    axis_free(&arrival_s);
}

#define FOR_VARIANT(name)                                                                          \
    {"no races: " #name, no_races, NULL, NULL, (void *)&variant_##name},                           \
        {"nothing to do: " #name, nothing_to_do, NULL, NULL, (void *)&variant_##name},

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_mistakes),
                                       SCIARA_VARIANTS(FOR_VARIANT) cmocka_unit_test(on_the_chip),
                                       cmocka_unit_test(standing_lava),
                                       cmocka_unit_test(members_of_a_batch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
