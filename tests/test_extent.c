/* Where the lava is: against a search without shortcuts, and on states known by hand. */
#include "compare/lava_extent.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { ROWS = 23, COLS = 31, VENTS = 5 };

static unsigned long next(unsigned long *state)
{
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return *state >> 33;
}

static double slow_runout(const struct fields *f, const struct problem *p)
{
    double farthest = NAN;
    for (int row = 0; row < p->rows; row++)
        for (int col = 0; col < p->cols; col++) {
            const int i = row * p->cols + col;
            double nearest = INFINITY;
            if (f->thickness_m[i] == 0 && f->solid_m[i] == 0) continue;
            for (int v = 0; v < p->vent_count; v++)
                nearest = fmin(nearest, hypot(row - p->vents[v].row, col - p->vents[v].col));
            farthest = fmax(farthest, nearest * p->params.cell_m);
        }
    return farthest;
}

static void test_random(void **state)
{
    (void)state;
    unsigned long seed = 7;
    for (int round = 0; round < 200; round++) {
        struct vent vents[VENTS] = {{0}};
        struct problem p = {.rows = ROWS,
                            .cols = COLS,
                            .window = {0, 0, ROWS, COLS},
                            .params.cell_m = 10,
                            .vent_count = 1 + (int)(next(&seed) % VENTS),
                            .vents = vents};
        struct fields f;
        struct error e;
        size_t cells = 0;
        double thickest = 0, ever = 0;
        assert_int_equal(fields_create(&f, p.window, &e), 0);
        for (int v = 0; v < p.vent_count; v++)
            vents[v].row = (int)(next(&seed) % ROWS), vents[v].col = (int)(next(&seed) % COLS);
        for (int i = 0; i < ROWS * COLS; i++) {
            const unsigned long dice = next(&seed) % 16;
            if (dice == 0) f.thickness_m[i] = 0.5;
            if (dice == 1) f.solid_m[i] = 0.25;
            f.max_thickness_m[i] = (double)(next(&seed) % 1000);
            cells += dice < 2;
            thickest = fmax(thickest, f.thickness_m[i] + f.solid_m[i]);
            ever = fmax(ever, f.max_thickness_m[i]);
        }
        const struct extent x = extent_of(&f, &p);
        assert_true(cells > 0 && x.cells == cells);
        assert_true(x.runout_m > 0 && fabs(x.runout_m - slow_runout(&f, &p)) < 1e-9);
        assert_true(x.thickest_m == thickest && x.max_thickness_m == ever);
        assert_true(x.left.volume_m3 == 0 && x.left.share == 0);
        fields_free(&f);
    }
}

static void test_known(void **state)
{
    (void)state;
    struct vent vent = {.row = 1, .col = 1};
    struct problem p = {.rows = 5, .cols = 6, .window = {0, 0, 5, 6}, .params.cell_m = 10};
    struct fields f;
    struct error e;
    p.vents = &vent;
    assert_int_equal(fields_create(&f, p.window, &e), 0);
    p.vent_count = 1;
    assert_true(extent_of(&f, &p).cells == 0 && isnan(extent_of(&f, &p).runout_m));
    f.thickness_m[1 * 6 + 1] = 1;
    assert_true(extent_of(&f, &p).cells == 1 && extent_of(&f, &p).runout_m == 0);
    f.solid_m[4 * 6 + 5] = 1; /* 3 rows and 4 columns away */
    assert_true(extent_of(&f, &p).cells == 2 && extent_of(&f, &p).runout_m == 50);
    p.vent_count = 0;
    assert_true(extent_of(&f, &p).cells == 2 && isnan(extent_of(&f, &p).runout_m));
    fields_free(&f);
}

/* Of 12 m, of which 4 lay there already, 3 have left; in a window the lava of the window counts. */
static void test_left(void **state)
{
    (void)state;
    double initial[6 * 6] = {0};
    struct problem p = {.rows = 6, .cols = 6, .window = {1, 1, 5, 5}, .params.cell_m = 10};
    struct fields f;
    struct error e;
    p.thickness_m = initial;
    initial[0] = 100; /* outside the window */
    initial[2 * 6 + 2] = 4;
    assert_int_equal(fields_create(&f, p.window, &e), 0);
    f.emitted = (quanta)8 << 36;
    f.left_domain = (quanta)3 << 36;
    const struct lava_left left = extent_of(&f, &p).left;
    assert_true(left.volume_m3 == 300 && left.share == 0.25);
    fields_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_known),
                                       cmocka_unit_test(test_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
