/* The extent of layers, and a case and a state that are cut to it. */
/* tests: output/products */
#include "case/case_cut.h"
#include "case/changes.h"
#include "products/files.h"
#include "run/output.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

static const struct problem large = {.rows = 40000, .cols = 30000};

static void expect_window(struct window w, int row0, int col0, int rows, int cols)
{
    if (w.row0 != row0 || w.col0 != col0 || w.rows != rows || w.cols != cols)
        fail_msg("%d, %d: %d x %d", w.row0, w.col0, w.rows, w.cols);
}

static void test_rule(void **state)
{
    const struct problem small = {.rows = 1024, .cols = 1024}, more = {.rows = 1024, .cols = 1025};
    const struct window cell = {640, 640, 1, 1}, flow = {1000, 2000, 1000, 300};
    assert_true(extent_is_full(OUTPUT_EXTENT_BY_SIZE, &small));
    assert_false(extent_is_full(OUTPUT_EXTENT_BY_SIZE, &more));
    expect_window(extent_around(cell, OUTPUT_EXTENT_BY_SIZE, &small), 0, 0, 1024, 1024);
    expect_window(extent_around(cell, OUTPUT_EXTENT_FULL, &large), 0, 0, 40000, 30000);
    expect_window(extent_around(cell, OUTPUT_EXTENT_FLOW, &small), 576, 576, 128, 128);
    /* a margin of 100 cells, then to multiples of 64 */
    expect_window(extent_around(flow, OUTPUT_EXTENT_BY_SIZE, &large), 896, 1856, 1216, 576);
    expect_window(extent_around((struct window){39990, 0, 10, 10}, OUTPUT_EXTENT_FLOW, &large),
                  39936, 0, 64, 64);
    expect_window(extent_around((struct window){0}, OUTPUT_EXTENT_FLOW, &large), 19968, 14976, 64,
                  64);
}

/* Each cell of the reach is in its extent, which is in the domain; a larger reach has no smaller one. */
static void test_random_reach(void **state)
{
    unsigned long seed = 3;
    for (int round = 0; round < 2000; round++) {
        struct window reach = {0}, before = {0};
        for (int i = 0; i < 6; i++) {
            seed = seed * 6364136223846793005UL + 1442695040888963407UL;
            const int row = (int)(seed >> 33) % large.rows, col = (int)(seed >> 35) % large.cols;
            window_add(&reach, row, col);
            const struct window x = extent_around(reach, OUTPUT_EXTENT_FLOW, &large);
            assert_true(x.row0 >= 0 && x.col0 >= 0 && x.row0 + x.rows <= large.rows &&
                        x.col0 + x.cols <= large.cols);
            assert_true(x.row0 % EXTENT_BLOCK == 0 && x.col0 % EXTENT_BLOCK == 0);
            assert_true(row >= x.row0 && row < x.row0 + x.rows && col >= x.col0 &&
                        col < x.col0 + x.cols);
            assert_true(!i || (x.row0 <= before.row0 && x.col0 <= before.col0 &&
                               x.row0 + x.rows >= before.row0 + before.rows &&
                               x.col0 + x.cols >= before.col0 + before.cols));
            before = x;
        }
    }
}

/* ---- a case of 9 x 7 cells with a hole, sea, initial lava and two vents ---------------------------- */

enum { ROWS = 9, COLS = 7, CELLS = ROWS * COLS };

struct world {
    struct sim_case c;
    struct vent vents[2];
    double z[CELLS], h[CELLS];
    uint8_t sea[CELLS];
    struct fields f; /* of the rows 2 to 6, columns 1 to 4 */
};

static int create_world(void **state)
{
    struct world *w = *state = calloc(1, sizeof *w);
    struct error e;
    for (int i = 0; i < CELLS; i++) w->z[i] = i == 24 ? (double)NAN : 100 + i;
    w->h[31] = 2;
    w->sea[24] = 1;
    w->vents[0] = (struct vent){.row = 3, .col = 2, .id = 1};
    w->vents[1] = (struct vent){.row = 8, .col = 6, .id = 2};
    w->c.geo = (struct georef){.west_m = 1000, .south_m = 2000, .cell_m = 10};
    w->c.problem = (struct problem){.rows = ROWS, .cols = COLS, .vent_count = 2};
    w->c.elevation_m = w->z;
    w->c.thickness_m = w->h;
    w->c.sea = w->sea;
    w->c.vents = w->vents;
    case_point(&w->c);
    if (fields_create(&w->f, (struct window){2, 1, 5, 4}, &e)) return -1;
    for (int i = 0; i < 20; i++) {
        w->f.elevation_m[i] = 1000 + i;
        w->f.thickness_m[i] = i;
        w->f.max_temp_K[i] = 500 + i;
        w->f.arrival[i] = 10 * i;
    }
    w->f.step = 77;
    w->f.emitted = 99;
    return 0;
}

static int remove_world(void **state)
{
    struct world *w = *state;
    fields_free(&w->f);
    free(w);
    return 0;
}

static void test_case(void **state)
{
    struct world *w = *state;
    struct case_cut k;
    struct error e;
    assert_int_equal(case_cut(&k, &w->c, (struct window){3, 2, 4, 3}, &e), 0);
    const struct problem *p = &k.c.problem;
    assert_true(p->rows == 4 && p->cols == 3 && !k.whole && k.from == &w->c);
    expect_window(p->window, 0, 0, 4, 3);
    assert_true(k.c.geo.west_m == 1020 && k.c.geo.south_m == 2020 && k.c.geo.cell_m == 10);
    for (int i = 0; i < 12; i++) {
        const int from = (3 + i / 3) * COLS + 2 + i % 3;
        assert_true(p->elevation_m[i] == w->z[from] || (from == 24 && isnan(p->elevation_m[i])));
        assert_true(p->thickness_m[i] == w->h[from] && p->sea[i] == w->sea[from]);
    }
    assert_true(p->vent_count == 1 && p->vents[0].row == 0 && p->vents[0].col == 0);
    case_cut_free(&k);
    w->c.vent_spread = (bool[]){false, true};
    assert_int_equal(case_cut(&k, &w->c, (struct window){7, 5, 2, 2}, &e), 0);
    assert_true(p->vent_count == 1 && p->vents[0].id == 2 && k.c.vent_spread[0]);
    case_cut_free(&k);
    assert_int_equal(case_cut(&k, &w->c, (struct window){0, 0, ROWS, COLS}, &e), 0);
    assert_true(k.whole && k.c.elevation_m == w->z && k.c.problem.vent_count == 2);
    case_cut_free(&k);
    assert_true(w->c.elevation_m == w->z && w->c.problem.rows == ROWS);
}

/* Each part of the domain has its cells, and the vents in it with their marks; none has changes of the terrain, but the whole. */
static void every_part(void **state)
{
    struct world *w = *state;
    struct change later = {.time_s = 60};
    bool spread[] = {false, true};
    int wholes = 0, both = 0;
    w->c.change = &later;
    w->c.change_count = 1;
    w->c.vent_spread = spread;
    for (int n = 0; n < ROWS * COLS * ROWS * COLS; n++) {
        const struct window x = {n % ROWS, n / ROWS % COLS, 1 + n / CELLS % ROWS,
                                 1 + n / CELLS / ROWS};
        struct case_cut k;
        struct error e;
        int vents = 0;
        if (x.row0 + x.rows > ROWS || x.col0 + x.cols > COLS) continue;
        must(case_cut(&k, &w->c, x, &e), &e);
        const bool whole = x.rows == ROWS && x.cols == COLS;
        assert_true(k.whole == whole && k.c.change_count == whole);
        assert_true(k.c.problem.rows == x.rows && k.c.problem.cols == x.cols);
        assert_true(k.c.geo.west_m == 1000 + 10 * x.col0 &&
                    k.c.geo.south_m == 2000 + 10 * (ROWS - x.row0 - x.rows));
        for (int i = 0; i < x.rows * x.cols; i++) {
            const int from = (x.row0 + i / x.cols) * COLS + x.col0 + i % x.cols;
            assert_true(from == 24 ? isnan(k.c.elevation_m[i]) : k.c.elevation_m[i] == w->z[from]);
            assert_true(k.c.thickness_m[i] == w->h[from] && k.c.sea[i] == w->sea[from]);
        }
        for (int v = 0; v < 2; v++) {
            const int row = w->vents[v].row - x.row0, col = w->vents[v].col - x.col0;
            if (row < 0 || row >= x.rows || col < 0 || col >= x.cols) continue;
            const struct vent *u = &k.c.problem.vents[vents];
            assert_true(u->id == w->vents[v].id && u->row == row && u->col == col);
            assert_true(k.c.vent_spread[vents++] == spread[v]);
        }
        assert_int_equal(k.c.problem.vent_count, vents);
        wholes += whole, both += vents == 2;
        case_cut_free(&k);
    }
    assert_true(wholes == 1 && both > 9);
    w->c.change = NULL;
    w->c.change_count = 0;
    w->c.vent_spread = NULL;
}

static void expect_initial(const struct world *w, const struct output_cell *k, int row, int col)
{
    const double z = w->z[row * COLS + col], h = w->h[row * COLS + col];
    assert_true(k->elevation_m == z || (isnan(z) && isnan(k->elevation_m)));
    assert_true(k->thickness_m == h && k->max_thickness_m == h && k->solid_m == 0);
    assert_true(k->temp_K == 0 && k->max_temp_K == 0 && k->arrival == (h > 0 ? 0 : ARRIVAL_NEVER));
}

/* Cells that the state lacks are as at the beginning: all of them where no block is there. */
static void test_state(void **state)
{
    struct world *w = *state;
    unsigned char none = 0;
    static const struct window windows[] = {{3, 2, 2, 2}, {0, 0, ROWS, COLS}, {0, 0, 4, 7},
                                            {5, 3, 4, 4}, {7, 0, 2, 7},       {0, 5, 9, 2}};
    int held = 0, outside = 0;
    for (size_t n = 0; n < sizeof windows / sizeof *windows; n++) {
        const struct window at = windows[n];
        struct fields lacking = w->f;
        lacking.there = &none;
        const struct output_cut x = {.window = at, .f = &w->f, .problem = &w->c.problem},
                                y = {.window = at, .f = &lacking, .problem = &w->c.problem};
        float total[ROWS * COLS];
        output_layer_values(OUTPUT_TOTAL, &x, 1, total);
        for (int i = 0; i < at.rows * at.cols; i++) {
            const int row = at.row0 + i / at.cols, col = at.col0 + i % at.cols;
            const bool in = row >= 2 && row < 7 && col >= 1 && col < 5;
            const int from = (row - 2) * 4 + col - 1;
            const struct output_cell k = output_cell(&x, i / at.cols, i % at.cols);
            const double z = in ? w->f.elevation_m[from] : w->z[row * COLS + col];
            if (in) {
                assert_true(k.elevation_m == z && k.thickness_m == from && k.solid_m == 0);
                assert_true(k.max_temp_K == 500 + from && k.arrival == 10 * from);
                assert_true(from ? total[i] == (float)from : isnan(total[i]));
            } else {
                expect_initial(w, &k, row, col);
            }
            const struct output_cell there = output_cell(&y, i / at.cols, i % at.cols);
            expect_initial(w, &there, row, col);
            held += in;
            outside += !in;
        }
    }
    assert_true(held > 20 && outside > 20);
}

static void test_reach(void **state)
{
    struct world *w = *state;
    struct window reach = {0};
    for (int i = 0; i < 20; i++)
        if (i != 6 && i != 13) {
            w->f.arrival[i] = ARRIVAL_NEVER;
            w->f.thickness_m[i] = 0;
        }
    w->f.arrival[13] = ARRIVAL_NEVER;
    w->f.thickness_m[13] = 0;
    w->f.solid_m[13] = 1; /* lava of the beginning */
    reach_add_fields(&reach, &w->f);
    expect_window(reach, 3, 2, 3, 2); /* cells 6 and 13: (3, 3) and (5, 2) */
    reach_add_vents(&reach, &w->c.problem);
    expect_window(reach, 3, 2, 6, 5);
}

/* The small map of a large domain has every third cell of it; a mesh has lava if any of its cells has. */
static void test_around(void **state)
{
    enum { HIGH = 1100, WIDE = 700, EVERY = 3 };
    static double z[HIGH * WIDE];
    static uint8_t water[HIGH * WIDE];
    static unsigned char reached[64 * 128];
    const struct window part = {320, 448, 64, 128};
    struct sim_case c = {.elevation_m = z,
                         .sea = water,
                         .problem = {.rows = HIGH, .cols = WIDE, .elevation_m = z, .sea = water}};
    const struct case_cut cut = {.from = &c, .window = part};
    struct map_around a;
    struct error e;
    int wet = 0, shore = 0;
    for (int i = 0; i < HIGH * WIDE; i++) z[i] = i, water[i] = i % WIDE > 500 && i % 7 < 3;
    for (int i = 0; i < part.rows * part.cols; i++) reached[i] = i % 128 > i / 128 && i % 131 == 5;
    must(output_around(&a, &cut, reached, &e), &e);
    assert_true(a.domain_rows == HIGH && a.domain_cols == WIDE && a.row0 == 320 && a.col0 == 448);
    assert_true(a.every == EVERY && a.rows == 367 && a.cols == 234);
    for (int i = 0; i < a.rows * a.cols; i++) {
        const int row = i / a.cols * EVERY, col = i % a.cols * EVERY;
        bool lava = false;
        for (int k = 0; k < EVERY * EVERY; k++) {
            const int r = row + k / EVERY - part.row0, q = col + k % EVERY - part.col0;
            lava = lava || (r >= 0 && r < part.rows && q >= 0 && q < part.cols &&
                            reached[r * part.cols + q]);
        }
        assert_true(a.elevation_m[i] == row * WIDE + col);
        assert_true(!a.sea[i] == !water[row * WIDE + col] && isnan(a.value[i]) == !lava);
        wet += lava;
        shore += a.sea[i];
    }
    assert_true(wet > 20 && shore > 1000);
    output_around_free(&a);
}

int main(void)
{
    return UNIT_RUN_IN(create_world, remove_world, NULL, NULL, test_rule, test_random_reach,
                       test_case, every_part, test_state, test_reach, test_around);
}
