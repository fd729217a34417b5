/* Isochrones: bands of arrival as polygons and the lines between them, of fields known by hand and
 * of random ones. */
/* tests: output/isochrones */
/* run: plain, sanitized */
#include "isochrones/isochrones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "effort.h"
#include "unit.h"

enum { SIDE_MAX = 200 };
#define WEST  500000.0
#define SOUTH 4170000.0
#define CELL  10.0

struct grid {
    int rows, cols;
    float h[SIDE_MAX * SIDE_MAX];
};

static unsigned long next(unsigned long *state)
{
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return *state >> 33;
}

static struct isochrones make(const struct grid *g, const double *level_h, int levels, int small)
{
    const struct isochrones_input in = {.arrival_h = g->h,
                                        .rows = g->rows,
                                        .cols = g->cols,
                                        .geo = {.west_m = WEST, .south_m = SOUTH, .cell_m = CELL},
                                        .level_h = level_h,
                                        .level_count = levels,
                                        .small_cells = small};
    struct isochrones made;
    struct error e;
    assert_int_equal(isochrones_create(&made, &in, &e), 0);
    return made;
}

static double ring_area(const struct isochrone_path *p)
{
    double sum = 0;
    for (int i = 0; i < p->count; i++) {
        const double *a = p->xy[i], *b = p->xy[(i + 1) % p->count];
        sum += (a[0] - WEST) * (b[1] - SOUTH) - (b[0] - WEST) * (a[1] - SOUTH);
    }
    return sum / 2;
}

static double area_of(const struct isochrone_area *a)
{
    double sum = 0;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->polygon[i].count; k++) sum += ring_area(&a->polygon[i].ring[k]);
    return sum;
}

static bool ring_has(const struct isochrone_path *p, double x, double y)
{
    bool in = false;
    for (int i = 0, j = p->count - 1; i < p->count; j = i++) {
        const double *a = p->xy[i], *b = p->xy[j];
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
            in = !in;
    }
    return in;
}

/* In how many polygons of it a position is. */
static int times_in(const struct isochrone_area *a, double x, double y)
{
    int count = 0;
    for (int i = 0; i < a->count; i++) {
        bool in = ring_has(&a->polygon[i].ring[0], x, y);
        for (int k = 1; k < a->polygon[i].count; k++)
            if (ring_has(&a->polygon[i].ring[k], x, y)) {
                assert_true(ring_has(&a->polygon[i].ring[0], x, y)); /* a hole is in its polygon */
                in = false;
            }
        count += in;
    }
    return count;
}

static double side_of(const double *a, const double *b, const double *p)
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/* Whether two pieces of lines meet anywhere; ends count. */
static bool meet(const double *a, const double *b, const double *c, const double *d)
{
    const double s = side_of(a, b, c), t = side_of(a, b, d), u = side_of(c, d, a),
                 v = side_of(c, d, b);
    if (fmax(a[0], b[0]) < fmin(c[0], d[0]) || fmax(c[0], d[0]) < fmin(a[0], b[0]) ||
        fmax(a[1], b[1]) < fmin(c[1], d[1]) || fmax(c[1], d[1]) < fmin(a[1], b[1]))
        return false;
    return !(s > 0 && t > 0) && !(s < 0 && t < 0) && !(u > 0 && v > 0) && !(u < 0 && v < 0);
}

static bool same(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

/* No two pieces of the rings of an area meet but where one ends and the next begins. */
static void check_simple(const struct isochrone_area *area)
{
    double(*line)[2][2] = NULL;
    int count = 0;
    for (int i = 0; i < area->count; i++)
        for (int k = 0; k < area->polygon[i].count; k++) {
            const struct isochrone_path *p = &area->polygon[i].ring[k];
            assert_true(p->count >= 3 && p->closed);
            line = realloc(line, (size_t)(count + p->count) * sizeof *line);
            for (int j = 0; j < p->count; j++) {
                memcpy(line[count][0], p->xy[j], sizeof *p->xy);
                memcpy(line[count][1], p->xy[(j + 1) % p->count], sizeof *p->xy);
                count++;
            }
        }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            const bool follow = same(line[i][0], line[j][1]) || same(line[j][0], line[i][1]);
            assert_false(same(line[i][0], line[j][0]));
            if (!follow) assert_false(meet(line[i][0], line[i][1], line[j][0], line[j][1]));
        }
    free(line);
}

static void check_orientation(const struct isochrone_area *a)
{
    for (int i = 0; i < a->count; i++) {
        assert_true(ring_area(&a->polygon[i].ring[0]) > 0);
        for (int k = 1; k < a->polygon[i].count; k++)
            assert_true(ring_area(&a->polygon[i].ring[k]) < 0);
    }
}

/* How far a position is from the nearest edge between cells of another number. */
static double from_edges(const struct grid *g, const int *band, double x, double y)
{
    double nearest = INFINITY;
    const int row = (int)floor(y), col = (int)floor(x);
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = col - 1; c <= col + 1; c++)
            for (int k = 0; k < 2; k++) { /* its eastern and its southern edge */
                const int r2 = r + k, c2 = c + !k;
                const int a =
                    r < 0 || c < 0 || r >= g->rows || c >= g->cols ? -1 : band[r * g->cols + c];
                const int b = r2 >= g->rows || c2 >= g->cols || r2 < 0 || c2 < 0
                                  ? -1
                                  : band[r2 * g->cols + c2];
                if (a == b) continue;
                const double dx = k ? fmax(fmax(c - x, x - c - 1), 0) : fabs(x - c2),
                             dy = k ? fabs(y - r2) : fmax(fmax(r - y, y - r - 1), 0);
                nearest = fmin(nearest, hypot(dx, dy));
            }
    return nearest;
}

/* All that isochrones.h promises of any field. small_cells is 1: bands are those of the raster. */
static void check_all(const struct grid *g, const struct isochrones *made)
{
    int *band = malloc((size_t)(g->rows * g->cols) * sizeof *band);
    for (int i = 0; i < g->rows * g->cols; i++) {
        band[i] = -1;
        for (int k = 0; k < made->count && !isnan(g->h[i]); k++)
            if (band[i] < 0 && g->h[i] <= (float)made->at[k].time_h) band[i] = k;
        assert_true(isnan(g->h[i]) || band[i] >= 0);
    }
    size_t cells = 0;
    for (int k = 0; k < made->count; k++) {
        const struct isochrone *at = &made->at[k];
        size_t here = 0;
        for (int i = 0; i < g->rows * g->cols; i++) {
            const double x = WEST + (i % g->cols + 0.5) * CELL,
                         y = SOUTH + (g->rows - i / g->cols - 0.5) * CELL;
            here += band[i] == k;
            assert_int_equal(times_in(&at->band, x, y), band[i] == k);
            assert_int_equal(times_in(&at->reached, x, y), band[i] >= 0 && band[i] <= k);
        }
        cells += here;
        assert_int_equal(at->band.cells, here);
        assert_int_equal(at->reached.cells, cells);
        assert_int_equal(at->raster_cells, cells);
        check_simple(&at->band);
        check_simple(&at->reached);
        check_orientation(&at->band);
        check_orientation(&at->reached);
        for (int j = 0; j < at->line_count; j++)
            for (int i = 0; i < at->line[j].count; i++) {
                const double x = (at->line[j].xy[i][0] - WEST) / CELL,
                             y = g->rows - (at->line[j].xy[i][1] - SOUTH) / CELL;
                assert_true(from_edges(g, band, x, y) <= 0.5);
                assert_true(x >= 0 && x <= g->cols && y >= 0 && y <= g->rows);
            }
    }
    /* Bands leave no gap, and what they cover is what was reached. */
    double sum = 0;
    for (int k = 0; k < made->count; k++) {
        sum += area_of(&made->at[k].band);
        assert_true(fabs(sum - area_of(&made->at[k].reached)) < 1e-6 * CELL * CELL);
    }
    free(band);
}

static void test_random(void **state)
{
    static struct grid g;
    unsigned long seed = 11;
    int pieces = 0, holes = 0;
    for (int round = 0; round < SANITIZED(150, 600); round++) {
        const int kinds = 2 + (int)(next(&seed) % 4), lava = 2 + (int)(next(&seed) % 8);
        const double level_h[] = {1, 2, 3, 4, 5};
        g.rows = 1 + (int)(next(&seed) % 9);
        g.cols = 1 + (int)(next(&seed) % 9);
        for (int i = 0; i < g.rows * g.cols; i++)
            g.h[i] =
                (int)(next(&seed) % 10) < lava ? (float)(1 + next(&seed) % (unsigned)kinds) : NAN;
        struct isochrones made = make(&g, level_h, 5, 1);
        check_all(&g, &made);
        for (int k = 0; k < made.count; k++) {
            pieces += made.at[k].band.count;
            for (int i = 0; i < made.at[k].band.count; i++)
                holes += made.at[k].band.polygon[i].count - 1;
        }
        isochrones_free(&made);
    }
    assert_true(pieces > SANITIZED(200, 2000) && holes > SANITIZED(2, 20));
}

/* A front that goes out in a circle at 20 m/h. */
static void fill_cone(struct grid *g, int side)
{
    g->rows = g->cols = side;
    for (int row = 0; row < side; row++)
        for (int col = 0; col < side; col++) {
            const double r_m = CELL * hypot(row - side / 2, col - side / 2);
            g->h[row * side + col] = r_m / 20 <= 44 ? (float)(r_m / 20) : NAN;
        }
}

static void test_circles(void **state)
{
    static struct grid g;
    const double level_h[] = {10, 20, 30, 40};
    fill_cone(&g, 181);
    struct isochrones made = make(&g, level_h, 4, 0);
    const double x = WEST + 90.5 * CELL, y = SOUTH + 90.5 * CELL;
    assert_int_equal(made.count, 5);
    for (int k = 0; k < 5; k++) {
        const struct isochrone *at = &made.at[k];
        const double r_m = 20 * at->time_h;
        assert_int_equal(at->reached.count, 1);
        assert_int_equal(at->reached.polygon[0].count, 1);
        assert_int_equal(at->band.count, 1);
        assert_int_equal(at->band.polygon[0].count, k ? 2 : 1);
        assert_int_equal(at->line_count, 1);
        assert_true(at->line[0].closed);
        assert_true(fabs(area_of(&at->reached) / (acos(-1) * r_m * r_m) - 1) < 0.02);
        assert_true(fabs(area_of(&at->reached) / ((double)at->raster_cells * CELL * CELL) - 1) <
                    0.005);
        for (int i = 0; i < at->line[0].count; i++) /* (stairs of cells are off by 0.7 of a cell) */
            assert_true(fabs(hypot(at->line[0].xy[i][0] - x, at->line[0].xy[i][1] - y) - r_m) <
                        0.6 * CELL);
    }
    assert_true(made.at[4].time_h > 40 && made.at[4].from_h == 40);
    isochrones_free(&made);
}

/* Discs of all sizes, off the middle of a cell: smoothed they keep the area of their cells, to a cell and a half, and
 * lose their stairs, which make a circle longer by 4 / pi. */
static void test_discs(void **state)
{
    static struct grid g;
    for (double r = 4; r < 60; r *= 1.4) {
        const double level_h[] = {1};
        g.rows = g.cols = 2 * (int)r + 9;
        for (int i = 0; i < g.rows * g.cols; i++) {
            const double y = i / g.cols - g.rows / 2 - 0.31, x = i % g.cols - g.cols / 2 + 0.17;
            g.h[i] = hypot(x, y) <= r ? 1 : NAN;
        }
        struct isochrones made = make(&g, level_h, 1, 1);
        const struct isochrone *at = &made.at[0];
        const double cells = (double)at->raster_cells;
        assert_true(fabs(area_of(&at->reached) / (CELL * CELL) - cells) < 1.5);
        double length = 0;
        for (int i = 0; i < at->line[0].count; i++) {
            const double *a = at->line[0].xy[i], *b = at->line[0].xy[(i + 1) % at->line[0].count];
            length += hypot(a[0] - b[0], a[1] - b[1]) / CELL;
        }
        assert_true(fabs(length / sqrt(4 * acos(-1) * cells) - 1) < 0.02);
        isochrones_free(&made);
    }
}

/* A channel of 9 cells that turns: the fronts go across it, from bank to bank. */
static void test_turn(void **state)
{
    static struct grid g = {.rows = 60, .cols = 60};
    const double level_h[] = {10, 20, 60, 70};
    for (int row = 0; row < 60; row++)
        for (int col = 0; col < 60; col++) {
            const bool down = col >= 5 && col < 14 && row >= 3 && row < 50,
                       across = row >= 41 && row < 50 && col >= 5 && col < 57;
            g.h[row * 60 + col] = down && row < 41 ? (float)(row - 2)
                                  : across         ? (float)(38 + col - 4)
                                                   : NAN;
        }
    struct isochrones made = make(&g, level_h, 4, 0);
    assert_int_equal(made.count, 5);
    for (int k = 0; k < 4; k++) {
        const struct isochrone *at = &made.at[k];
        assert_int_equal(at->line_count, 1);
        assert_false(at->line[0].closed);
        const double *from = at->line[0].xy[0], *to = at->line[0].xy[at->line[0].count - 1];
        assert_true(fabs(hypot(from[0] - to[0], from[1] - to[1]) - 9 * CELL) < 0.5 * CELL);
        assert_int_equal(at->band.count, 1);
    }
    for (int i = 0; i < made.at[0].line[0].count; i++)
        assert_true(fabs(made.at[0].line[0].xy[i][1] - (SOUTH + 47 * CELL)) < 1e-9);
    assert_int_equal(made.at[4].line_count, 1);
    check_simple(&made.at[4].reached);
    isochrones_free(&made);
}

/* Specks join what is around them; the outline, its hole, and a speck that nothing touches stay. */
static void test_small(void **state)
{
    static struct grid g = {.rows = 40, .cols = 80};
    const double level_h[] = {1, 2};
    for (int row = 0; row < 40; row++)
        for (int col = 0; col < 80; col++)
            g.h[row * 80 + col] = row < 5 || row >= 35 || col < 5 || col >= 70 ? NAN
                                  : col < 40                                   ? 1
                                                                               : 2;
    g.h[20 * 80 + 20] = NAN; /* a hole */
    g.h[10 * 80 + 50] = 1;
    for (int col = 10; col < 20; col++) g.h[5 * 80 + col] = 2; /* along the flank */
    g.h[2 * 80 + 75] = 1;                                      /* alone */
    g.h[30 * 80 + 69] = 3;                                     /* the only one of its band */
    struct isochrones made = make(&g, level_h, 2, 1);
    assert_int_equal(made.at[0].band.count, 3);
    assert_int_equal(made.at[1].band.count, 2);
    isochrones_free(&made);
    made = make(&g, level_h, 2, 0);
    assert_int_equal(made.small_cells, ISOCHRONES_SMALL);
    assert_int_equal(made.moved_cells, 11);
    assert_int_equal(made.at[0].band.count, 2);
    assert_int_equal(made.at[0].band.polygon[0].count + made.at[0].band.polygon[1].count, 3);
    assert_int_equal(made.at[1].band.count, 1);
    assert_int_equal(made.at[2].band.count, 1);
    assert_int_equal(made.at[0].raster_cells, 30 * 35 - 1 - 10 + 2);
    assert_int_equal(made.at[0].reached.cells, 30 * 35 - 1 + 1);
    assert_int_equal(made.at[2].reached.cells, made.at[2].raster_cells);
    isochrones_free(&made);
    /* Where slivers are more than a tenth of what was reached, they stay. */
    for (int row = 5; row < 35; row++)
        for (int col = 5; col < 40; col += 4) g.h[row * 80 + col] = 2;
    made = make(&g, level_h, 2, 0);
    assert_true(made.small_cells < ISOCHRONES_SMALL);
    for (int k = 0; k < made.count; k++)
        assert_true(fabs((double)made.at[k].reached.cells - (double)made.at[k].raster_cells) <=
                    ISOCHRONES_SHARE * (double)made.at[k].raster_cells);
    isochrones_free(&made);
}

/* Two slivers of as many cells, side by side, with nothing else around them, become one: that which comes second
 * in the order of the rows joins the other, whichever band has it. Of unequal ones the smaller moves. */
static void test_slivers(void **state)
{
    static struct grid g = {.rows = 60, .cols = 40};
    const double level_h[] = {1};
    for (int turned = 0; turned < 2; turned++)
        for (int later = 0; later < 2; later++)
            for (int more = -1; more <= 1; more++) {
                const int cells[] = {6 + (more < 0), 6 + (more > 0)}, stays = more > 0;
                for (int i = 0; i < 60 * 40; i++) /* the largest pieces of both bands */
                    g.h[i] = i / 40 < 20 ? NAN : i / 40 < 40 ? 1 : 2;
                for (int k = 0; k < 2; k++)
                    for (int i = 0; i < cells[k]; i++)
                        g.h[turned ? (5 + i) * 40 + 5 + k : (5 + k) * 40 + 5 + i] =
                            k == later ? 1 : 2;
                struct isochrones made = make(&g, level_h, 1, 0);
                assert_int_equal(made.small_cells, ISOCHRONES_SMALL);
                assert_int_equal(made.moved_cells, cells[!stays]);
                const int early = stays == later;
                assert_int_equal(made.at[0].reached.count, 1 + early);
                assert_int_equal(made.at[0].band.cells, 800 + early * (12 + abs(more)));
                assert_int_equal(made.at[1].band.count, 2 - early);
                isochrones_free(&made);
            }
}

/* A sliver with as many edges to one band as to another joins the earlier one. One beside a larger sliver joins that,
 * and then what that has joined. */
static void test_slivers_between(void **state)
{
    static struct grid g = {.rows = 50, .cols = 60};
    const double level_h[] = {1, 2};
    for (int east = 1; east <= 2; east++) { /* of 1 and 3, in the west and the east */
        for (int i = 0; i < 50 * 60; i++)
            g.h[i] = i / 60 < 20 ? 2 : (i % 60 < 30) == (east == 2) ? 1 : 3;
        for (int row = 0; row < 20; row++) /* nothing above but the largest piece of 2 */
            for (int col = 0; col < 60; col++)
                if (row == 19 || col < 30) g.h[row * 60 + col] = NAN;
        for (int row = 25; row < 35; row++) g.h[row * 60 + 29] = g.h[row * 60 + 30] = 2;
        struct isochrones made = make(&g, level_h, 2, 0);
        assert_int_equal(made.moved_cells, 20);
        assert_int_equal(made.at[0].band.cells, 30 * 30 + 10);
        isochrones_free(&made);
    }
    for (int i = 0; i < 50 * 60; i++) g.h[i] = i / 60 < 20 ? 1 : i / 60 < 25 ? NAN : 3;
    for (int row = 0; row < 20; row++) g.h[row * 60 + 30] = NAN;
    for (int i = 0; i < 20 * 60; i++)
        if (i % 60 > 30) g.h[i] = 2;
    for (int col = 20; col < 32; col++)
        g.h[24 * 60 + col] = 2; /* a sliver of 12 along the largest of 3 */
    for (int col = 22; col < 30; col++) g.h[23 * 60 + col] = 1; /* one of 8 along that */
    struct isochrones made = make(&g, level_h, 2, 0);
    assert_int_equal(made.moved_cells, 20);
    assert_int_equal(made.at[2].band.cells, 25 * 60 + 20);
    assert_int_equal(made.at[2].band.count, 1);
    isochrones_free(&made);
}

/* A speck keeps half of its cell, and a few cells all but that. */
static void test_specks(void **state)
{
    static struct grid g = {.rows = 9, .cols = 9};
    const double level_h[] = {1};
    for (int i = 0; i < 81; i++) g.h[i] = NAN;
    g.h[2 * 9 + 2] = 1;
    g.h[6 * 9 + 5] = g.h[6 * 9 + 6] = 2;
    struct isochrones made = make(&g, level_h, 1, 0);
    assert_int_equal(made.count, 2);
    assert_true(fabs(area_of(&made.at[0].band) - 0.5 * CELL * CELL) < 1e-6);
    assert_true(fabs(area_of(&made.at[1].band) - 1.5 * CELL * CELL) < 1e-6);
    isochrones_free(&made);
}

/* Lines of a mirrored field are mirrored, to the bit where the numbers allow it. */
static void test_mirrored(void **state)
{
    static struct grid g, m;
    const double level_h[] = {10, 20, 30};
    fill_cone(&g, 60);
    for (int i = 0; i < 60 * 60; i++) g.h[i] += (float)(i % 7);
    m = g;
    for (int row = 0; row < 60; row++)
        for (int col = 0; col < 60; col++) m.h[row * 60 + 59 - col] = g.h[row * 60 + col];
    struct isochrones a = make(&g, level_h, 3, 0), b = make(&m, level_h, 3, 0);
    for (int k = 0; k < a.count; k++) {
        assert_int_equal(a.at[k].band.count, b.at[k].band.count);
        assert_true(fabs(area_of(&a.at[k].band) - area_of(&b.at[k].band)) < 1e-3);
    }
    isochrones_free(&a);
    isochrones_free(&b);
}

/* How many bands of one size would be divided as evenly. */
static double evenness(const float *h, int cells, const double *level_h, int count)
{
    double squares = 0;
    int before = 0;
    for (int k = 0; k <= count; k++) {
        int until = 0;
        while (until < cells && (k == count || h[until] <= (float)level_h[k])) until++;
        squares += pow((double)(until - before) / cells, 2);
        before = until;
    }
    return 1 / squares;
}

/* Neither four to seven equal steps, nor as many times each twice the one before, divide the increasing h more
 * evenly. Equal steps of minutes end at 1 h. */
static void most_even(const float *h, int cells, const double *level_h, int count)
{
    static const double steps_h[] = {1 / 30.0, 1 / 12.0, 1 / 6.0, 0.25, 0.5, 1, 2,
                                     3,        4,        6,       12,   24,  48};
    const double chosen = evenness(h, cells, level_h, count), latest = (double)h[cells - 1];
    for (size_t n = 0; n < sizeof steps_h / sizeof *steps_h; n++)
        for (int doubled = 0; doubled < 2; doubled++) {
            double other_h[8];
            int others = 0;
            for (double t = steps_h[n]; others < 8 && t < latest * (1 - 1e-6);
                 t += doubled ? t : steps_h[n])
                other_h[others++] = t;
            if (others < 4 || others > 7 ||
                (doubled && fmod(other_h[others - 1], 24) != 0 && other_h[others - 1] > 24))
                continue;
            if (!doubled && steps_h[n] < 0.5 && other_h[others - 1] > 1 + 1e-9) continue;
            if (doubled && steps_h[n] != 1 && steps_h[n] != 3 && steps_h[n] != 6) continue;
            assert_true(evenness(h, cells, other_h, others) < chosen * (1 + 1e-9));
        }
}

/* Of flows that become slower and slower, for minutes or for months: equal steps, or times with one unit. */
static void levels_are_round(void **state)
{
    enum { CELLS = 2000 };
    static float h[CELLS];
    double level_h[ISOCHRONES_LEVELS];
    int grown = 0;
    for (double latest = 0.3; latest < 5000; latest *= 1.037)
        for (int bend = 1; bend <= 8; bend++) {
            for (int i = 0; i < CELLS; i++) h[i] = (float)(latest * pow((i + 1.0) / CELLS, bend));
            const int count = isochrones_levels(level_h, h, CELLS);
            assert_true(count >= 4 && level_h[count - 1] < latest);
            most_even(h, CELLS, level_h, count);
            bool equal = true;
            for (int i = 1; i < count; i++)
                if (fabs(level_h[i] - (i + 1) * level_h[0]) > 1e-9) equal = false;
            for (int i = 0; i < count; i++) /* no quarters of an hour after the first */
                assert_true(level_h[i] <= 1 || fmod(level_h[i], 0.5) == 0);
            for (int i = 0; i < count && !equal; i++) {
                char text[32];
                isochrones_time_text(text, level_h[i]);
                if (strchr(text, ' ') != strrchr(text, ' '))
                    print_message("%g h, bend %d: %s\n", latest, bend, text);
                assert_true(strchr(text, ' ') == strrchr(text, ' '));
                grown++;
            }
        }
    assert_true(grown > 1000);
}

static void test_levels(void **state)
{
    static struct grid g;
    double level_h[ISOCHRONES_LEVELS];
    fill_cone(&g, 181); /* area grows as the square of time */
    int count = isochrones_levels(level_h, g.h, 181 * 181);
    assert_int_equal(count, 7);
    for (int i = 0; i < count; i++) assert_true(level_h[i] == 6 * (i + 1));
    for (int i = 0; i < 181 * 181; i++)
        g.h[i] = g.h[i] < 1 ? NAN : exp2f(g.h[i] / 4); /* slower and slower */
    count = isochrones_levels(level_h, g.h, 181 * 181);
    assert_true(count >= 4);
    for (int i = 1; i < count; i++) assert_true(level_h[i] == 2 * level_h[i - 1]);
    for (int i = 0; i < 181 * 181; i++) g.h[i] = NAN;
    assert_int_equal(isochrones_levels(level_h, g.h, 181 * 181), 0);
    struct isochrones made = make(&g, NULL, 0, 0);
    assert_int_equal(made.count, 0);
    g.h[7] = 3;
    made = make(&g, NULL, 0, 0);
    assert_int_equal(made.count, 1);
    assert_true(made.at[0].time_h == 3);
    isochrones_free(&made);
    /* 295 steps of two minutes are no float, yet the latest arrival is these */
    struct error e;
    const float late = (float)(295 * (120 / 3600.0));
    const struct isochrones_input one = {
        .arrival_h = &late, .rows = 1, .cols = 1, .geo.cell_m = CELL, .step_h = 120 / 3600.0};
    assert_int_equal(isochrones_create(&made, &one, &e), 0);
    assert_true((double)late != 295 * (120 / 3600.0) && made.count == 1);
    assert_true(made.at[0].time_h == 295 * (120 / 3600.0));
    isochrones_free(&made);
    /* Of given ones, those without lava before and after them do not appear. */
    const double given[] = {1, 2, 3.5, 8, 9};
    g.h[8] = 8;
    made = make(&g, given, 5, 0);
    assert_int_equal(made.count, 2);
    assert_true(made.at[0].time_h == 3.5 && made.at[1].time_h == 8);
    isochrones_free(&made);
}

/* An hour a step, three of them, then a pause: of the round times, every half hour, each line is
 * there once. */
static void test_coarse_steps(void **state)
{
    static const double expected[] = {1, 2, 3};
    static struct grid g;
    double level_h[ISOCHRONES_LEVELS];
    g.rows = g.cols = 40;
    for (int i = 0; i < 40 * 40; i++) g.h[i] = 1 + (float)(i / 40 / 10); /* 1, 2, 3, 4 h */
    const int count = isochrones_levels(level_h, g.h, 40 * 40);
    assert_true(count > 3 && level_h[1] - level_h[0] < 1); /* finer than a step */
    struct isochrones made = make(&g, NULL, 0, 0);
    assert_int_equal(made.count, 4);
    for (int k = 0; k < 3; k++) assert_true(made.at[k].time_h == expected[k]);
    for (int k = 0; k < 4; k++) assert_int_equal(made.at[k].band.cells, 400);
    isochrones_free(&made);
    const double given[] = {1, 1.25, 1.5, 2.5, 2.75, 3.5};
    made = make(&g, given, 6, 0);
    assert_int_equal(made.count, 4);
    assert_true(made.at[0].time_h == 1 && made.at[1].time_h == 2.5 && made.at[2].time_h == 3.5);
    assert_true(made.at[1].from_h == 1 && made.at[1].raster_cells == 800);
    isochrones_free(&made);
}

static void test_text(void **state)
{
    char text[32];
    assert_string_equal(isochrones_time_text(text, 2), "2 h");
    assert_string_equal(isochrones_time_text(text, 36), "1 d 12 h");
    assert_string_equal(isochrones_time_text(text, 0.75), "45 min");
    assert_string_equal(isochrones_time_text(text, 48), "2 d");
    assert_string_equal(isochrones_time_text(text, 25.5), "1 d 1 h 30 min");
    assert_string_equal(isochrones_time_text(text, 0.01), "1 min");
    assert_string_equal(isochrones_time_text(text, 0.005), "0.005 h");
}

int main(void)
{
    return UNIT_RUN(test_random, test_circles, test_discs, test_turn, test_small, test_slivers,
                    test_slivers_between, test_mirrored, levels_are_round, test_levels, test_text,
                    test_specks, test_coarse_steps);
}
