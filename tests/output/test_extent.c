/* Where the lava is: against a search without shortcuts, and on states known by hand. */
/* tests: output/compare */
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

/* ---- where lava leaves ----------------------------------------------------------------------- */

enum { TOP = 2, LEFT = 3 }; /* of a window in a larger domain */

/* Whether a path over cells without data leads from there to the edge of the window. */
static void find_outside(bool outside[ROWS * COLS], const double *z)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < ROWS * COLS; i++) {
            const int row = i / COLS, col = i % COLS;
            const bool edge = row == 0 || col == 0 || row == ROWS - 1 || col == COLS - 1;
            bool near = edge;
            for (int k = 0; k < 9 && !edge; k++)
                near = near || outside[i + (k / 3 - 1) * COLS + k % 3 - 1];
            if (isnan(z[i]) && near && !outside[i]) changed = outside[i] = true;
        }
    }
}

/* Holes and sea of any shape: where reached cells are next to what, the first of them in the order of the grid
 * and, of shores, the earliest. */
static void test_exits(void **state)
{
    enum { DOWN = ROWS + 2 * TOP, ACROSS = COLS + 2 * LEFT };
    static double elevation[DOWN * ACROSS], z[ROWS * COLS];
    static unsigned char sea[DOWN * ACROSS];
    unsigned long seed = 21;
    int edges = 0, holes = 0, shores = 0;
    struct fields f;
    struct error e;
    assert_int_equal(fields_create(&f, (struct window){TOP, LEFT, ROWS, COLS}, &e), 0);
    f.entered_sea = (quanta)1 << 36;
    f.emitted = (quanta)8 << 36;
    for (int round = 0; round < 90; round++) {
        struct problem p = {.rows = DOWN,
                            .cols = ACROSS,
                            .window = {TOP, LEFT, ROWS, COLS},
                            .params.cell_m = 10,
                            .elevation_m = elevation,
                            .sea = round % 3 ? sea : NULL};
        bool outside[ROWS * COLS] = {false};
        struct lava_exit x, expected = {.row = -1, .col = -1};
        struct lava_sea shore = {.step = -1, .row = -1, .col = -1};
        for (int i = 0; i < DOWN * ACROSS; i++) {
            elevation[i] = next(&seed) % (5 + 11 * ((unsigned)round % 45)) ? 100 : NAN;
            sea[i] = isnan(elevation[i]) && next(&seed) % 2;
        }
        for (int i = 0; i < ROWS * COLS; i++) {
            const bool inner = i / COLS > 1 && i / COLS < ROWS - 2 && i % COLS > 1 &&
                               i % COLS < COLS - 2; /* (of some rounds all are) */
            z[i] = elevation[(TOP + i / COLS) * ACROSS + LEFT + i % COLS];
            f.arrival[i] = ARRIVAL_NEVER;
            if (next(&seed) % 8 == 0 && !isnan(z[i]) && (inner || round % 2))
                f.arrival[i] = (int32_t)(next(&seed) % 9);
        }
        find_outside(outside, z);
        for (int i = 0; i < ROWS * COLS; i++)
            for (int k = 0; k < 9 && f.arrival[i] != ARRIVAL_NEVER; k++) {
                const int row = i / COLS + k / 3 - 1, col = i % COLS + k % 3 - 1;
                const bool in = row >= 0 && col >= 0 && row < ROWS && col < COLS;
                const int there = (TOP + row) * ACROSS + LEFT + col, here = row * COLS + col;
                const bool wet = p.sea && sea[there];
                if (!in || outside[here]) expected.edge = true;
                else if (isnan(z[here]) && !wet && !expected.hole) {
                    expected.hole = true;
                    expected.row = TOP + i / COLS;
                    expected.col = LEFT + i % COLS;
                }
                if (wet && (shore.step < 0 || f.arrival[i] < shore.step))
                    shore = (struct lava_sea){0, 0, f.arrival[i], TOP + i / COLS, LEFT + i % COLS};
            }
        assert_int_equal(lava_exit(&x, &f, &p, &e), 0);
        assert_true(x.edge == expected.edge && x.hole == expected.hole);
        assert_true(x.row == expected.row && x.col == expected.col);
        const struct lava_sea s = lava_sea(&f, &p);
        assert_true(s.volume_m3 == 100 && s.share == 0.125 && s.step == shore.step);
        assert_true(s.row == shore.row && s.col == shore.col);
        edges += x.edge && !x.hole;
        holes += x.hole && !x.edge;
        shores += s.step > 0;
    }
    fields_free(&f);
    assert_true(edges > 10 && holes > 10 && shores > 10);
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
    return UNIT_RUN(test_random, test_known, test_left, test_exits, test_front,
                    test_front_of_a_plane);
}
