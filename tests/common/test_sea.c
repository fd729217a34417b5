/* The sea, in every variant (their kernels on the emulator): lava does what it does beside cells
 * without data, to the bit, and what leaves on the shore is counted apart from what leaves on other
 * borders, so that the two add up; also in a run that goes on from a state, and where a device
 * computes many members. And where and when lava came to it first. */
/* tests: common/sim */
/* run: plain, sanitized */
/* build: emulator */
#include "compare/lava_extent.h"
#include "effort.h"
#include "every_variant.h"
#include "random_case.h"
#include "sim/grid.h"

/* A random case whose cells without data are sea in part: those below a diagonal. */
struct coast {
    struct random_case r;
    uint8_t *sea;
    size_t cells;
};

static void coast_create(struct coast *c, int rows, int cols, double holes, uint64_t seed)
{
    random_case_create(&c->r, rows, cols, holes, seed);
    const size_t n = (size_t)rows * (size_t)cols;
    c->sea = calloc(n, 1);
    c->cells = 0;
    for (size_t i = 0; i < n; i++)
        if (isnan(c->r.elevation_m[i]) && i / (size_t)cols + i % (size_t)cols > (size_t)rows)
            c->cells += c->sea[i] = 1;
}

static void coast_free(struct coast *c)
{
    free(c->sea);
    random_case_free(&c->r);
}

/* Against the same coast without a name, whole and from a state half-way. */
static void as_without_data(void **state)
{
    const struct variant *v = all[(int)(size_t)*state], *other = all[((size_t)*state + 1) % ALL];
    static const int size[][2] = {{24, 24}, {40, 33}};
    for (uint64_t seed = 0; seed < SANITIZED(1, 2); seed++) {
        struct coast c;
        struct ledger plain, sea, half;
        coast_create(&c, size[seed][0], size[seed][1], 0.03, 200 + seed);
        c.r.problem.full_domain = seed == 1;
        emulator_seed = seed;
        struct fields a = run_until(&variant_reference, c.r.problem, NULL, 130, &plain);
        c.r.problem.sea = c.sea;
        struct fields b = run_until(v, c.r.problem, NULL, 130, &sea);
        struct fields d = run_until(v, c.r.problem, NULL, 60, &half);
        struct fields g = run_until(other, c.r.problem, &d, 130, &half);
        assert_true(c.cells > 5 && plain.entered_sea == 0);
        assert_true(d.entered_sea > 0 && b.entered_sea > d.entered_sea && b.left_domain > 0);
        assert_true(fields_differ(&a, &b, NULL) == 0);
        assert_true(a.left_domain == b.left_domain + b.entered_sea);
        assert_true(a.heat.left_domain == b.heat.left_domain && a.heat.cooled == b.heat.cooled);
        assert_true(sea.left_domain == b.left_domain && sea.entered_sea == b.entered_sea);
        same(&b, &g);
        assert_int_equal(fields_same_sums(&a, &b), 0);
        fields_free(&a);
        fields_free(&b);
        fields_free(&d);
        fields_free(&g);
        coast_free(&c);
    }
}

/* A sea all around takes everything, and one that no cell is next to takes nothing. */
static void all_or_nothing(void **state)
{
    enum { N = 20 };
    struct coast c;
    struct ledger ledger;
    coast_create(&c, N, N, 0.0, 6);
    c.r.problem.sea = c.sea;
    assert_int_equal(c.cells, 0);
    struct fields f = run_until(&variant_reference, c.r.problem, NULL, 130, &ledger);
    assert_true(f.left_domain > 0 && f.entered_sea == 0);
    assert_true(lava_sea(&f, &c.r.problem).step == -1);
    fields_free(&f);
    for (int i = 0; i < N * N; i++)
        if (i / N == 0 || i / N == N - 1 || i % N == 0 || i % N == N - 1) {
            c.r.elevation_m[i] = NAN;
            c.r.thickness_m[i] = c.r.temp_K[i] = 0;
            c.sea[i] = 1;
        }
    for (int v = 0; v < 4; v++) c.r.vents[v].row = 8 + v, c.r.vents[v].col = 10;
    f = run_until(&variant_reference, c.r.problem, NULL, 130, &ledger);
    assert_true(f.left_domain == 0 && f.entered_sea > 0);
    assert_true(lava_left(&f, &c.r.problem).volume_m3 == 0);
    fields_free(&f);
    coast_free(&c);
}

/* Step by step: nothing is in the sea before the step in which lava first comes to it, and
 * something after. */
static void first_time(void **state)
{
    struct coast c;
    struct ledger ledger;
    coast_create(&c, 24, 24, 0.02, 210);
    memset(c.r.thickness_m, 0, sizeof(double) * 24 * 24);
    c.r.problem.sea = c.sea;
    struct fields end = run_until(&variant_reference, c.r.problem, NULL, 130, &ledger);
    const struct lava_sea sea = lava_sea(&end, &c.r.problem);
    assert_true(sea.step > 2 && sea.step < 130 && sea.volume_m3 > 0 && sea.share > 0);
    assert_true(grid_border_flag(&c.r.problem, sea.row, sea.col) == (CELL_BORDER | CELL_SHORE));
    assert_true(end.arrival[sea.row * 24 + sea.col] == sea.step);
    struct fields before = run_until(&variant_reference, c.r.problem, NULL, sea.step - 1, &ledger),
                  then = run_until(&variant_reference, c.r.problem, NULL, sea.step, &ledger);
    assert_true(before.entered_sea == 0 && lava_sea(&before, &c.r.problem).step == -1);
    assert_true(then.entered_sea > 0);
    const struct lava_sea now = lava_sea(&then, &c.r.problem);
    assert_true(now.step == sea.step && now.row == sea.row && now.col == sea.col);
    fields_free(&end);
    fields_free(&before);
    fields_free(&then);
    coast_free(&c);
}

int main(void)
{
    struct CMUnitTest tests[ALL + 2] = {cmocka_unit_test(all_or_nothing),
                                        cmocka_unit_test(first_time)};
    for (size_t i = 0; i < ALL; i++)
        tests[2 + i] = (struct CMUnitTest){all[i]->name, as_without_data, NULL, NULL, (void *)i};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
