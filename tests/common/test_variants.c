/* Every CUDA variant's kernels, compiled for the CPU by tests/emulator, against the reference:
 * random cases at sizes that are not multiples of a tile, threads and blocks in shuffled order,
 * lava only and whole domain, in pieces of uneven length: the same bits in every field, and the
 * same outflow layers. */
/* tests: common/gpu, variants */
/* run: plain, sanitized */
/* build: emulator */
#include "against_reference.h"
#include "effort.h"
#include "random_case.h"

#include <stdio.h>

extern size_t emulator_largest;
extern int emulator_processors;
extern long emulator_calls, emulator_allocations, emulator_fails_at;
extern bool emulator_stays_failed;

/* The Makefile's list: each(global) each(tiled) ... */
#define DECLARE(name) extern const struct variant variant_##name;
#define ADDRESS(name) &variant_##name,
SCIARA_VARIANTS(DECLARE)
static const struct variant *const tested[] = {SCIARA_VARIANTS(ADDRESS)};
enum { TESTED = sizeof tested / sizeof *tested };

static void same_bits(void **state)
{
    const struct variant *variant = *state;
    static const int size[][2] = {{16, 16}, {17, 33}, {45, 50}, {70, 31}};
    for (uint64_t seed = 0; seed < SANITIZED(2, 4); seed++) {
        struct random_case c;
        random_case_create(&c, size[seed][0], size[seed][1], seed % 2 ? 0.02 : 0.0, 100 + seed);
        emulator_seed = seed;
        if (seed == 0) c.vents[3].row = c.vents[2].row, c.vents[3].col = c.vents[2].col;
        c.problem.full_domain = seed == 1;
        if (seed == 3) c.problem.first_step = 3;                        /* a run that goes on */
        if (seed == 2) c.problem.thickness_m = c.problem.temp_K = NULL; /* tiles have to wake */
        struct course f = against_reference(variant, &c.problem);
        assert_true(f.left > 0 && f.heat.left_domain > 0);
        random_case_free(&c);
    }
}

/* Lava on a ridge flows down on both sides, all of it, in the first step. A few counts of its heat
 * are left behind where halves are rounded, and are in the ledger as lost. */
static void leaves_a_ridge(void **state)
{
    const struct variant *variant = *state;
    static const int pieces[2][2] = {{1, 1}, {6, 1}}; /* `resident` makes six steps on the chip */
    enum { ROWS = 20, COLS = 40, TOP = 16 };
    struct random_case c;
    long left_behind = 0;
    random_case_create(&c, ROWS, COLS, 0.0, 6);
    for (int i = 0; i < ROWS * COLS; i++) {
        int row = i / COLS, col = i % COLS;
        c.elevation_m[i] = 2000.0 - 30.0 * abs(col - TOP);
        c.thickness_m[i] = col == TOP && row > 1 && row < ROWS - 2 ? 1.0 : 0.0;
        c.temp_K[i] = 1350.0 + i / 7.0;
        if (c.thickness_m[i] > 0.0)
            left_behind += labs((long)(heat_of(1.0, c.temp_K[i]) - 2 * heat_of(0.5, c.temp_K[i])));
    }
    c.problem.vent_count = 0;
    c.problem.last_vent_step = 0;
    c.problem.params.rate_sol = c.problem.params.rate_vent = 1.0;
    c.problem.params.critical_sol_m = c.problem.params.critical_vent_m = 1e-6;
    assert_true(left_behind > 0);
    struct course f = follow(variant, &c.problem, pieces[0], 2);
    assert_int_equal(f.wet[0], 2 * (ROWS - 4)); /* none on the ridge */
    const int processors = emulator_processors;
    emulator_processors = 20; /* all tiles are on the chip */
    follow(variant, &c.problem, pieces[1], 2);
    emulator_processors = processors;
    random_case_free(&c);
}

/* Vents that give a cell more lava than heat has integers for: the ledger says so. */
static void heat_beyond_its_integers(void **state)
{
    const struct variant *variant = *state;
    struct random_case c;
    struct vent vents[20];
    struct error e = {0};
    struct fields f = {0};
    struct ledger ledger;
    void *self;
    if (SANITIZED(true, false)) skip(); /* sums of heat pass 64 bits */
    random_case_create(&c, 20, 20, 0.0, 5);
    c.problem.vents = vents;
    c.problem.vent_count = 20;
    c.first_step[0][1] = c.first_step[0][0] + 1;
    c.amount_m[0][0] = 499.0;
    c.vents[0].fraction = c.vents[0].phase = NULL;
    c.amount_m[0][1] = 0.0;
    c.vents[0].row = c.vents[0].col = 10;
    for (int v = 0; v < 20; v++) vents[v] = c.vents[0];
    must(variant->create(&self, &c.problem, NULL, &e), &e);
    must(fields_create(&f, c.problem.window, &e), &e);
    for (int piece = 0; piece < 2; piece++) { /* `resident` makes the second on the chip */
        must(variant->advance(self, 1 + 5 * piece, NULL, &e), &e);
        must(variant->snapshot(self, &f, &e), &e);
        must(variant->snapshot_wait(self, &e), &e);
        for (int i = 0; i < 20 * 20; i++) assert_true(f.max_thickness_m[i] < THICKNESS_MAX_M);
        assert_int_equal(fields_ledger(&ledger, &f, &c.problem, &e), ERROR_FAILED);
        assert_true(ledger_closes(&ledger) && !heat_ledger_closes(&ledger.heat));
    }
    variant->destroy(self);
    fields_free(&f);
    random_case_free(&c);
}

/* The step at which a run stops, the same as the reference's; *mobile at that step. */
static int64_t stop_of(const struct variant *variant, const struct problem *p, quanta *mobile)
{
    struct error e = {0};
    struct variant_status sa, sb;
    void *self, *reference;
    must(variant->create(&self, p, NULL, &e), &e);
    must(variant_reference.create(&reference, p, NULL, &e), &e);
    must(variant->advance(self, 700, &sa, &e), &e);
    must(variant_reference.advance(reference, 700, &sb, &e), &e);
    assert_true(sb.stopped && sb.step < 700);
    assert_true(sa.stopped && sa.step == sb.step && sa.mobile == sb.mobile);
    must(variant->advance(self, 25, &sa, &e), &e);
    assert_int_equal(sa.step, sb.step);
    variant->destroy(self);
    variant_reference.destroy(reference);
    *mobile = sb.mobile;
    return sb.step;
}

/* The stopping rule is applied at the same step: where little lava is left, or as much as the limit
 * to the last quantum; and not before the vents have ended, however little there is. */
static void stops_alike(void **state)
{
    const struct variant *variant = *state;
    struct random_case c;
    quanta mobile, same;
    random_case_create(&c, 20, 20, 0.0, 7);
    struct problem *p = &c.problem;
    p->params.cooling = 1000;
    p->stop_when_still = true;
    p->stop_mobile_m = 20.0;
    const int64_t step = stop_of(variant, p, &mobile);
    assert_true(step > p->last_vent_step + p->reduce_every && mobile > 0);
    p->stop_mobile_m = quanta_m(mobile);
    assert_true(p->stop_mobile_m < 20.0);
    assert_int_equal(stop_of(variant, p, &same), step);
    assert_true(same == mobile);
    p->stop_mobile_m = 1e6;
    const int64_t early = stop_of(variant, p, &mobile);
    assert_true(early >= p->last_vent_step && early < p->last_vent_step + p->reduce_every);
    assert_true(p->last_vent_step > p->reduce_every);
    random_case_free(&c);
}

/* The sum of a step has the lava that has just come to where none was. */
static void sums_alike(void **state)
{
    const struct variant *variant = *state;
    struct random_case c;
    struct error e = {0};
    struct variant_status sa, sb;
    void *self, *reference;
    random_case_create(&c, 45, 50, 0.0, 9);
    c.problem.stop_when_still = true;
    c.problem.stop_mobile_m = 0;
    c.problem.reduce_every = 1;
    must(variant->create(&self, &c.problem, NULL, &e), &e);
    must(variant_reference.create(&reference, &c.problem, NULL, &e), &e);
    for (int step = 1; step <= SANITIZED(30, 100); step++) {
        must(variant->advance(self, 1, &sa, &e), &e);
        must(variant_reference.advance(reference, 1, &sb, &e), &e);
        assert_true(sb.mobile > 0 && sa.mobile == sb.mobile);
    }
    variant->destroy(self);
    variant_reference.destroy(reference);
    random_case_free(&c);
}

/* The layers of every strategy that keeps them: what they say left a cell is what is missing there.
 */
static void layers_agree(void **state)
{
    struct random_case c;
    struct error e = {0};
    double *first = NULL;
    random_case_create(&c, 37, 41, 0.01, 9);
    size_t n = (size_t)8 * 37 * 41, flowing = 0;
    for (int i = 0; i < TESTED; i++) {
        void *self;
        if (!tested[i]->outflows) continue;
        double *layers = malloc(n * sizeof *layers);
        must(tested[i]->create(&self, &c.problem, NULL, &e), &e);
        must(tested[i]->advance(self, 40, NULL, &e), &e);
        must(tested[i]->outflows(self, layers, &e), &e);
        tested[i]->destroy(self);
        if (!first) first = layers;
        else {
            assert_memory_equal(first, layers, n * sizeof *layers);
            free(layers);
        }
    }
    for (size_t i = 0; i < n; i++) flowing += first[i] > 0.0;
    assert_true(flowing > 50);
    free(first);
    random_case_free(&c);
}

/* Two simulations of each strategy at once in one process do not disturb each other. */
static void side_by_side(void **state)
{
    const struct variant *variant = *state;
    struct random_case c[2];
    void *self[2];
    struct error e = {0};
    struct fields alone = {0}, beside = {0};
    const char *what;
    for (int i = 0; i < 2; i++) {
        random_case_create(&c[i], 24 + 9 * i, 30, 0.0, 50 + (uint64_t)i);
        must(variant->create(&self[i], &c[i].problem, NULL, &e), &e);
    }
    for (int n = 0; n < 4; n++)
        for (int i = 0; i < 2; i++) must(variant->advance(self[i], 10, NULL, &e), &e);
    must(fields_create(&beside, c[0].problem.window, &e), &e);
    must(fields_create(&alone, c[0].problem.window, &e), &e);
    must(variant->snapshot(self[0], &beside, &e), &e);
    must(variant->snapshot_wait(self[0], &e), &e);
    variant->destroy(self[0]);
    must(variant->create(&self[0], &c[0].problem, NULL, &e), &e);
    must(variant->advance(self[0], 40, NULL, &e), &e);
    must(variant->snapshot(self[0], &alone, &e), &e);
    must(variant->snapshot_wait(self[0], &e), &e);
    assert_true(fields_mobile(&alone, NULL) > 0);
    assert_int_equal(fields_differ(&alone, &beside, &what), 0);
    for (int i = 0; i < 2; i++) {
        variant->destroy(self[i]);
        random_case_free(&c[i]);
    }
    fields_free(&alone);
    fields_free(&beside);
}

/* Memory that was free when it was asked for is gone when a snapshot wants it, and comes back. */
static void snapshots_without_memory(void **state)
{
    const struct variant *variant = *state;
    struct random_case c;
    struct error e = {0};
    struct fields with = {0}, without = {0};
    const char *what;
    void *self;
    random_case_create(&c, 40, 30, 0.0, 11);
    must(variant->create(&self, &c.problem, NULL, &e), &e);
    must(fields_create(&with, c.problem.window, &e), &e);
    must(fields_create(&without, c.problem.window, &e), &e);
    must(variant->advance(self, 20, NULL, &e), &e);
    const size_t before = variant->memory(self);
    emulator_largest = 1;
    must(variant->snapshot(self, &without, &e), &e);
    emulator_largest = 0;
    must(variant->snapshot_wait(self, &e), &e);
    assert_int_equal(variant->memory(self), before);
    must(variant->snapshot(self, &with, &e), &e);
    must(variant->snapshot_wait(self, &e), &e);
    assert_true(variant->memory(self) > before);
    assert_true(fields_mobile(&with, NULL) > 0);
    assert_int_equal(fields_differ(&with, &without, &what), 0);
    must(variant->advance(self, 20, NULL, &e), &e);
    variant->destroy(self);
    random_case_free(&c);
    fields_free(&with);
    fields_free(&without);
}

/* From its creation to a snapshot; errors end it. *out is created there. */
static int short_life(const struct variant *variant, const struct problem *p, struct fields *out,
                      struct error *e)
{
    void *self = NULL;
    int status = variant->create(&self, p, NULL, e);
    if (status) return status;
    must(fields_create(out, p->window, e), e);
    status = variant->advance(self, 3, NULL, e);
    if (!status) status = variant->snapshot(self, out, e);
    if (!status) status = variant->snapshot_wait(self, e);
    if (!status) status = variant->advance(self, 9, NULL, e);
    if (!status) status = variant->snapshot(self, out, e);
    if (!status) status = variant->snapshot_wait(self, e);
    else assert_int_equal(variant->advance(self, 1, NULL, e), status); /* it stays failed */
    variant->destroy(self);
    return status;
}

/* Whichever call of the runtime fails, alone or with all that follow: an error or the same bits,
 * and nothing that stays. */
static void fails_at_any_call(void **state)
{
    const struct variant *variant = *state;
    struct random_case c;
    struct error e = {0};
    struct fields whole = {0}, f = {0};
    const char *what;
    long failed = 0, tried = 0;
    random_case_create(&c, 20, 33, 0.0, 8);
    emulator_calls = emulator_allocations = 0;
    must(short_life(variant, &c.problem, &whole, &e), &e);
    const long most[2] = {emulator_allocations, emulator_calls};
    assert_true(most[0] > 5 && most[1] > 2 * most[0] && fields_mobile(&whole, NULL) > 0);
    for (int stays = 0; stays < 2; stays++)
        for (long n = 1; n <= most[stays]; n += SANITIZED(3, 1), tried++) {
            e = (struct error){0};
            emulator_stays_failed = stays;
            emulator_fails_at = n;
            emulator_calls = emulator_allocations = 0;
            const int status = short_life(variant, &c.problem, &f, &e);
            emulator_fails_at = 0;
            assert_true(!status || (status == (int)e.code && *e.text));
            if (!status) assert_int_equal(fields_differ(&f, &whole, &what), 0);
            failed += status != 0;
            fields_free(&f);
        }
    print_message("%s: %ld of %ld failures are errors\n", variant->name, failed, tried);
    assert_true(2 * failed > tried);
    must(short_life(variant, &c.problem, &f, &e), &e);
    assert_int_equal(fields_differ(&f, &whole, &what), 0);
    fields_free(&f);
    fields_free(&whole);
    random_case_free(&c);
}

int main(void)
{
    const CMUnitTestFunction functions[] = {same_bits,
                                            stops_alike,
                                            sums_alike,
                                            side_by_side,
                                            snapshots_without_memory,
                                            heat_beyond_its_integers,
                                            leaves_a_ridge,
                                            fails_at_any_call};
    static const char *const what[] = {"same bits",
                                       "stops alike",
                                       "sums alike",
                                       "side by side",
                                       "snapshots without memory",
                                       "heat beyond its integers",
                                       "leaves a ridge",
                                       "fails at any call"};
    enum { EACH = sizeof what / sizeof *what };
    struct CMUnitTest tests[EACH * TESTED + 1] = {cmocka_unit_test(layers_agree)};
    char names[EACH * TESTED][64];
    for (int i = 0; i < EACH * TESTED; i++) {
        snprintf(names[i], sizeof names[i], "%s: %s", tested[i / EACH]->name, what[i % EACH]);
        tests[1 + i].name = names[i];
        tests[1 + i].test_func = functions[i % EACH];
        tests[1 + i].initial_state = (void *)tested[i / EACH];
    }
    cmocka_set_test_filter(getenv("TEST_FILTER")); /* a pattern of names, for tests of tests */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
