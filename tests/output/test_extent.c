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

enum {
    TOP = 2,
    LEFT = 3,
    DOWN = ROWS + 2 * TOP,
    ACROSS = COLS + 2 * LEFT
}; /* a window in a larger domain */

/* The row and column of cell i of the window, in the domain. */
static struct vent cell_of(int i)
{
    return (struct vent){.row = TOP + i / COLS, .col = LEFT + i % COLS};
}

static int squared_to_vent(const struct problem *p, int i)
{
    int nearest = INT32_MAX;
    for (int v = 0; v < p->vent_count; v++) {
        const int rows = cell_of(i).row - p->vents[v].row, cols = cell_of(i).col - p->vents[v].col;
        if (rows * rows + cols * cols < nearest) nearest = rows * rows + cols * cols;
    }
    return nearest;
}

/* Lava walks in all directions, and each cell of its way is beside no earlier one but the last. Returns the number of
 * cells, and `at` has the index of each. */
static int walk(int at[ROWS * COLS], struct fields *f, unsigned long *seed)
{
    int cells = 1;
    int32_t arrival = 1 + (int32_t)(next(seed) % 5);
    at[0] = (int)(next(seed) % (ROWS * COLS));
    for (int i = 0; i < ROWS * COLS; i++) f->arrival[i] = ARRIVAL_NEVER;
    f->arrival[at[0]] = arrival;
    for (int tries = 0; tries < 40; tries++) {
        const int last = at[cells - 1], row = last / COLS + (int)(next(seed) % 3) - 1,
                  col = last % COLS + (int)(next(seed) % 3) - 1;
        bool free = row >= 0 && col >= 0 && row < ROWS && col < COLS;
        for (int k = 0; k < cells && free; k++) {
            const int rows = abs(at[k] / COLS - row), cols = abs(at[k] % COLS - col);
            free = k < cells - 1 ? rows > 1 || cols > 1 : rows || cols;
        }
        if (!free) continue;
        arrival += next(seed) % 16 == 0 ? 9 : 1 + (next(seed) % 6 == 0);
        f->arrival[at[cells++] = row * COLS + col] = arrival;
        tries = 0;
    }
    return cells;
}

/* How many of the first cells of the walk were crossed in a run of FRONT_CELLS that took FRONT_STEPS or fewer. */
static size_t slow_limit(const struct fields *f, const int *at, int cells)
{
    bool limit[ROWS * COLS] = {false};
    size_t sum = 0;
    for (int k = FRONT_CELLS; k < cells; k++)
        for (int n = 1; n <= FRONT_CELLS; n++)
            if (f->arrival[at[k]] - f->arrival[at[k - FRONT_CELLS]] <= FRONT_STEPS)
                limit[k - n] = true;
    for (int k = 0; k < cells; k++) sum += limit[k];
    return sum;
}

/* Some cells of a walk have lava: everything about them, against loops over the domain. */
static void test_random(void **state)
{
    unsigned long seed = 7;
    int limited = 0, partly = 0;
    for (int round = 0; round < 200; round++) {
        double initial[DOWN * ACROSS], sum = 0, thickest = 0, ever = 0;
        int at[ROWS * COLS], farthest = -1, end = 0;
        struct vent vents[VENTS] = {{0}};
        struct problem p = {.rows = DOWN,
                            .cols = ACROSS,
                            .window = {TOP, LEFT, ROWS, COLS},
                            .params.cell_m = 5 + round % 3,
                            .thickness_m = round % 4 ? initial : NULL,
                            .vent_count = 1 + (int)(next(&seed) % VENTS),
                            .vents = vents};
        struct fields f;
        struct error e;
        size_t cells = 0;
        assert_int_equal(fields_create(&f, p.window, &e), 0);
        for (int v = 0; v < p.vent_count; v++)
            vents[v].row = (int)(next(&seed) % DOWN), vents[v].col = (int)(next(&seed) % ACROSS);
        for (int i = 0; i < DOWN * ACROSS; i++) {
            const int row = i / ACROSS - TOP, col = i % ACROSS - LEFT;
            initial[i] = (double)(next(&seed) % 8);
            if (p.thickness_m && row >= 0 && row < ROWS && col >= 0 && col < COLS)
                sum += initial[i];
        }
        const int way = walk(at, &f, &seed);
        for (int k = 0; k < way; k++) {
            if (next(&seed) % 4 == 0) f.thickness_m[at[k]] = 0.5 * (double)(1 + next(&seed) % 5);
            if (next(&seed) % 4 == 0) f.solid_m[at[k]] = 0.25 * (double)(1 + next(&seed) % 5);
        }
        for (int i = 0; i < ROWS * COLS; i++) {
            f.max_thickness_m[i] = (double)(next(&seed) % 1000);
            ever = fmax(ever, f.max_thickness_m[i]);
            thickest = fmax(thickest, f.thickness_m[i] + f.solid_m[i]);
            if (f.thickness_m[i] == 0 && f.solid_m[i] == 0) continue;
            cells++;
            if (squared_to_vent(&p, i) > farthest) farthest = squared_to_vent(&p, i), end = i;
        }
        f.emitted = (quanta)(1000 + round) << 36;
        f.left_domain = (quanta)(round % 3) << 36;
        f.entered_sea = (quanta)(round % 5) << 36;
        const struct extent x = extent_of(&f, &p);
        const double cell2 = p.params.cell_m * p.params.cell_m;
        assert_true(x.cells == cells && x.thickest_m == thickest && x.max_thickness_m == ever);
        assert_true(x.left.volume_m3 == round % 3 * cell2 && x.sea.volume_m3 == round % 5 * cell2);
        assert_true(x.left.share == round % 3 / (1000 + round + sum));
        assert_true(x.sea.share == round % 5 / (1000 + round + sum) && x.sea.step == -1);
        if (cells) {
            int until = 0;
            while (at[until] != end) until++;
            assert_true(x.front.way == (size_t)until + 1);
            assert_true(x.front.at_limit == slow_limit(&f, at, until + 1));
            limited += x.front.at_limit > 0;
            partly += x.front.at_limit > FRONT_CELLS && x.front.at_limit < (size_t)until;
            assert_true(x.runout_m == sqrt(farthest) * p.params.cell_m);
        } else assert_true(isnan(x.runout_m) && x.front.way == 0);
        fields_free(&f);
    }
    assert_true(limited > 25 && partly > 10);
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

enum { TALL = 3 * FIELDS_BLOCK_ROWS, WIDE = 40 }; /* three blocks */

/* The number of cells from a cell back to the vent, each time to the neighbour that lava reached first. */
static size_t slow_way(const struct fields *f, int i)
{
    size_t way = 0;
    for (int last = -1; i != last; way++) {
        last = i;
        for (int k = 0; k < 9; k++) {
            const int row = last / WIDE + k / 3 - 1, col = last % WIDE + k % 3 - 1,
                      there = row * WIDE + col;
            if (row < 0 || col < 0 || row >= TALL || col >= WIDE) continue;
            if (f->arrival[there] < f->arrival[i]) i = there;
        }
    }
    return way;
}

/* A state without some blocks, whose arrays are 0 there, against a whole one without lava there. */
static void test_blocks(void **state)
{
    static double elevation[TALL * WIDE];
    unsigned long seed = 11;
    struct vent vents[] = {{.row = 40, .col = 12}};
    const int64_t steps[] = {40 * WIDE + 12, 200000, 2000000, 20000000};
    for (int i = 0; i < TALL * WIDE; i++) elevation[i] = next(&seed) % 60 ? 100 : NAN;
    for (int lacking = 0; lacking < 8; lacking++) {
        const struct problem p = {.rows = TALL,
                                  .cols = WIDE,
                                  .window = {0, 0, TALL, WIDE},
                                  .params.cell_m = 10,
                                  .elevation_m = elevation,
                                  .vent_count = 1,
                                  .vents = vents};
        struct fields f[2];
        struct error e;
        struct extent x[2];
        struct spread at[2][4];
        struct lava_exit exit[2];
        assert_int_equal(fields_create(&f[0], p.window, &e), 0);
        assert_int_equal(fields_create_empty(&f[1], p.window, &e), 0);
        for (int i = 0; i < TALL * WIDE; i++) {
            const int rows = i / WIDE - vents[0].row, cols = i % WIDE - vents[0].col;
            if (lacking >> i / WIDE / FIELDS_BLOCK_ROWS & 1) continue;
            f[1].there[i / WIDE / FIELDS_BLOCK_ROWS] = 1;
            f[0].thickness_m[i] = f[1].thickness_m[i] = (double)(next(&seed) % 2);
            f[0].arrival[i] = f[1].arrival[i] = (rows * rows + cols * cols) * TALL * WIDE + i;
        }
        for (int i = 0; i < TALL * WIDE; i += 97)
            for (int k = 0; k < 2 && fields_has(&f[1], i / WIDE, 0); k++)
                assert_int_equal(front_speed(&f[k], (size_t)i).way, slow_way(&f[0], i));
        for (int k = 0; k < 2; k++) {
            x[k] = extent_of(&f[k], &p);
            lava_spread(at[k], steps, 4, &f[k], &p);
            assert_int_equal(lava_exit(&exit[k], &f[k], &p, &e), 0);
            fields_free(&f[k]);
        }
        assert_true(x[0].cells == x[1].cells && (lacking == 7) == (x[0].cells == 0));
        assert_true(exit[0].edge == exit[1].edge && exit[0].hole == exit[1].hole);
        assert_true(exit[0].row == exit[1].row && exit[0].col == exit[1].col);
        assert_true(x[0].front.way == x[1].front.way);
        if (!(lacking & 2)) assert_true(at[0][0].cells == 1 && at[0][0].runout_m == 0);
        assert_true(x[0].runout_m == x[1].runout_m || lacking == 7);
        for (int k = 0; k < 4; k++) {
            assert_true(at[0][k].cells == at[1][k].cells);
            assert_true(at[0][k].runout_m == at[1][k].runout_m || !at[0][k].cells);
        }
    }
}

/* ---- where lava leaves ----------------------------------------------------------------------- */

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

/* A source of the terrain of a window. */
struct source {
    double *to;
    const double *from;
};

static int read_source(void *self, struct window w, struct error *e)
{
    const struct source *s = self;
    if (!s->from) return error_input(e, "no terrain");
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        memcpy(s->to + row * ACROSS + w.col0, s->from + row * ACROSS + w.col0,
               (size_t)w.cols * sizeof(double));
    return 0;
}

/* Holes and sea of any shape: where reached cells are next to what, the first of them in the order of the grid
 * and, of shores, the earliest. */
static void test_exits(void **state)
{
    static double elevation[DOWN * ACROSS], later[DOWN * ACROSS], z[ROWS * COLS];
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
        struct source from = {later, elevation};
        const struct terrain_source source = {.self = &from, .read = read_source};
        bool outside[ROWS * COLS] = {false};
        struct lava_exit x, expected = {.row = -1, .col = -1};
        struct lava_sea shore = {.step = -1, .row = -1, .col = -1};
        for (int i = 0; i < DOWN * ACROSS; i++) {
            elevation[i] = next(&seed) % (5 + 11 * ((unsigned)round % 45)) ? 100 : NAN;
            sea[i] = isnan(elevation[i]) && next(&seed) % 2;
            later[i] = 100;
        }
        for (int i = 0; i < ROWS * COLS; i++) {
            const bool inner = i / COLS > 1 && i / COLS < ROWS - 2 && i % COLS > 1 &&
                               i % COLS < COLS - 2; /* (of some rounds all are) */
            z[i] = elevation[(TOP + i / COLS) * ACROSS + LEFT + i % COLS];
            f.arrival[i] = ARRIVAL_NEVER;
            const bool lava = isnan(z[i]) ? !p.sea : (inner || round % 2) && round % 9;
            if (lava && next(&seed) % 8 == 0) f.arrival[i] = (int32_t)(next(&seed) % 9);
        }
        find_outside(outside, z);
        for (int i = 0; i < ROWS * COLS; i++)
            for (int k = 0; k < 9 && f.arrival[i] != ARRIVAL_NEVER && !isnan(z[i]); k++) {
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
        if (round % 4 == 0) p.elevation_m = later, p.terrain = &source;
        assert_int_equal(lava_exit(&x, &f, &p, &e), 0);
        assert_true(x.edge == expected.edge && x.hole == expected.hole);
        assert_true(x.row == expected.row && x.col == expected.col);
        const struct lava_sea s = lava_sea(&f, &p);
        assert_true(s.volume_m3 == 100 && s.share == 0.125 && s.step == shore.step);
        assert_true(s.row == shore.row && s.col == shore.col);
        edges += x.edge && !x.hole;
        holes += x.hole && !x.edge;
        shores += s.step > 0;
        from.from = NULL;
        assert_int_equal(lava_exit(&x, &f, &p, &e), p.terrain ? ERROR_INPUT : 0);
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
    return UNIT_RUN(test_random, test_known, test_blocks, test_exits, test_front,
                    test_front_of_a_plane);
}
