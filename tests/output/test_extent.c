/* Where the lava is: against a search without shortcuts, and on states known by hand. */
#include "compare/lava_extent.h"
#include "unit.h"

#include <math.h>

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

/* ---- the speed of a front -------------------------------------------------------------------- */

/* Lava that comes to cell n of a row after steps[0] + ... + steps[n]. */
static struct front_speed along_row(const int *steps, int cells)
{
    struct fields f;
    struct error e;
    int32_t at = 1;
    const struct window w = {0, 0, 3, cells + 2};
    assert_int_equal(fields_create(&f, w, &e), 0);
    for (int i = 0; i < 3 * w.cols; i++) f.arrival[i] = ARRIVAL_NEVER;
    for (int n = 0; n < cells; n++) f.arrival[w.cols + 1 + n] = at += steps[n];
    const struct front_speed s = front_speed(&f, (size_t)(w.cols + cells));
    fields_free(&f);
    return s;
}

static void test_front(void **state)
{
    enum { CELLS = 300 };
    int steps[CELLS];
    for (int every = 1; every <= 8; every++) {
        /* one step a cell, and each `every`-th takes two: 20 cells in 20 + 20 / every steps */
        for (int n = 0; n < CELLS; n++) steps[n] = 1 + (n % every == 0);
        const struct front_speed s = along_row(steps, CELLS);
        assert_int_equal(s.way, CELLS);
        assert_int_equal(s.at_limit, every < 4 ? 0 : CELLS - 1);
    }
    for (int run = 1; run < 60; run++) { /* so many cells at the limit, in the middle */
        for (int n = 0; n < CELLS; n++) steps[n] = n >= 100 && n < 100 + run ? 1 : 9;
        const struct front_speed s = along_row(steps, CELLS);
        assert_int_equal(s.way, CELLS);
        assert_int_equal(s.at_limit, run < FRONT_CELLS ? 0 : run);
    }
    for (int n = 0; n < CELLS; n++) steps[n] = (n >= 50 && n < 75) || n >= 260 ? 1 : 30;
    assert_int_equal(along_row(steps, CELLS).at_limit, 25 + 40);
    assert_int_equal(along_row(steps, 1).way, 1);
    assert_int_equal(along_row(steps, 1).at_limit, 0);
}

/* A wide front runs down at one cell a step, whichever way it looks. */
static void test_front_of_a_plane(void **state)
{
    struct fields f;
    struct error e;
    const struct window w = {7, 3, ROWS, COLS};
    assert_int_equal(fields_create(&f, w, &e), 0);
    for (int i = 0; i < ROWS * COLS; i++) f.arrival[i] = 5 + i % COLS;
    struct front_speed s = front_speed(&f, ROWS * COLS - 1);
    assert_true(s.way == COLS && s.at_limit == COLS - 1);
    for (int i = 0; i < ROWS * COLS; i++) f.arrival[i] = 5 + 2 * (i % COLS);
    s = front_speed(&f, ROWS * COLS - 1);
    assert_true(s.way == COLS && s.at_limit == 0);
    f.arrival[40] = ARRIVAL_NEVER;
    s = front_speed(&f, 40);
    assert_true(s.way == 0 && s.at_limit == 0);
    fields_free(&f);
}

int main(void)
{
    return UNIT_RUN(test_random, test_known, test_left, test_front, test_front_of_a_plane);
}
