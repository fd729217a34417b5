/* isochrones.c — makes polygons and lines from arrivals. */
#include "isochrones.h"

#include "base/order.h"
#include "sim/window.h"
#include "text/grow.h"
#include "text/words.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_NONE = 255 };

struct bands {
    int rows, cols; /* size of the grid of bands, with its margin */
    /* row and column of the first cell in the input; -1: this cell is in the margin */
    int row0, col0;
    uint8_t *band;
    int input_rows, input_cols;
};

/* A point of the lines between bands. At a node (AXIS_NODE) three or more bands meet. All other points are between
 * two bands, and have two links. `side` has both bands, first the band of the western or northern cell; link[0] leads
 * to the north or west. A point with AXIS_X or AXIS_Y slides between the centres of two neighbour cells. x is a column
 * and y a row of the grid of bands; the centres of cells have whole numbers. */
enum bands_axis { AXIS_NODE, AXIS_X, AXIS_Y, AXIS_FIXED };
struct bands_point {
    double x, y;
    int32_t link[4];
    int8_t links;
    /* axis along which the point slides; AXIS_FIXED: a point between two bands that does not slide */
    uint8_t axis;
    bool held; /* whether smoothing leaves the point in place, as at the border of the input */
    uint8_t side[2];
};

struct bands_graph {
    int count;
    struct bands_point *point;
};

enum bands_kind { BANDS_REACHED, BANDS_BAND };

/* Whether a line through this point bounds the band of a level or, for BANDS_REACHED, the area that lava had reached by
 * this level. */
static inline bool bands_divides(const struct bands_point *p, int level, enum bands_kind kind)
{
    if (p->axis == AXIS_NODE) return false;
    if (kind == BANDS_BAND) return (p->side[0] == level) != (p->side[1] == level);
    return (p->side[0] <= level) != (p->side[1] <= level);
}

/* ---- bands ----------------------------------------------------------------------------------- */

/* Finds the band of an arrival. Levels are compared as floats, because layers have floats. */
static uint8_t band_of(float arrival_h, const double *level_h, int levels)
{
    int band = 0;
    if (isnan(arrival_h)) return BAND_NONE;
    while (band < levels && arrival_h > (float)level_h[band]) band++;
    return (uint8_t)band;
}

static int bands_create(struct bands *b, const struct isochrones_input *in, const double *level_h,
                        int levels, struct error *e)
{
    struct window w = {0};
    for (int row = 0; row < in->rows; row++)
        for (int col = 0; col < in->cols; col++)
            if (!isnan(in->arrival_h[(size_t)row * (size_t)in->cols + (size_t)col]))
                window_add(&w, row, col);
    if (!w.rows) return 0;
    *b = (struct bands){.row0 = w.row0 - 1,
                        .col0 = w.col0 - 1,
                        .rows = w.rows + 2,
                        .cols = w.cols + 2,
                        .input_rows = in->rows,
                        .input_cols = in->cols};
    if ((double)b->rows * b->cols > INT32_MAX)
        return error_failed(e, "lava on more than %d cells: isochrones cannot be computed",
                            INT32_MAX);
    const size_t cols = (size_t)b->cols;
    b->band = malloc((size_t)b->rows * cols);
    if (!b->band) return error_memory(e);
    memset(b->band, BAND_NONE, (size_t)b->rows * cols);
    for (int row = 1; row < b->rows - 1; row++) {
        const float *from = in->arrival_h + (size_t)(b->row0 + row) * (size_t)in->cols + b->col0;
        for (int col = 1; col < b->cols - 1; col++)
            b->band[(size_t)row * cols + (size_t)col] = band_of(from[col], level_h, levels);
    }
    return 0;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

struct piece {
    /* the piece has `cells` entries of pieces.cell, from pieces.cell[first] on */
    int32_t first, cells;
    uint8_t band, becomes;
    bool small;
};

struct pieces {
    int count;
    struct piece *piece;
    /* cell[]: all cells of piece 0, then all cells of piece 1, ...; listed: their number */
    int32_t listed, *cell;
    int32_t *of; /* the piece of each cell; -1: none */
};

static void neighbours(int32_t to[4], int32_t i, int cols)
{
    to[0] = i - cols;
    to[1] = i - 1;
    to[2] = i + 1;
    to[3] = i + cols;
}

static void add_cell(struct pieces *p, int32_t i)
{
    p->cell[p->listed++] = i;
    p->of[i] = p->count;
}

/* Lists the cells of the piece that has the cell `start`. The margin has no lava, so each cell of a piece has four
 * neighbours. */
static void flood(struct pieces *p, const struct bands *b, int32_t start)
{
    struct piece *piece = &p->piece[p->count];
    const uint8_t band = b->band[start];
    *piece = (struct piece){.first = p->listed, .band = band, .becomes = band};
    add_cell(p, start);
    for (int32_t i = piece->first; i < p->listed; i++) {
        int32_t to[4];
        neighbours(to, p->cell[i], b->cols);
        for (int k = 0; k < 4; k++)
            if (p->of[to[k]] < 0 && b->band[to[k]] == band) add_cell(p, to[k]);
    }
    piece->cells = p->listed - piece->first;
    p->count++;
}

static void pieces_free(struct pieces *p)
{
    FREE_ALL(p->piece, p->of, p->cell);
}

static int pieces_create(struct pieces *p, const struct bands *b, struct error *e)
{
    const int32_t cells = (int32_t)(b->rows * b->cols);
    *p = (struct pieces){.of = malloc((size_t)cells * sizeof *p->of),
                         .cell = malloc((size_t)cells * sizeof *p->cell)};
    if (!p->of || !p->cell) return error_memory(e);
    for (int32_t i = 0; i < cells; i++) p->of[i] = -1;
    for (int32_t i = 0; i < cells; i++) {
        if (b->band[i] == BAND_NONE || p->of[i] >= 0) continue;
        if (!GROW(p->piece, p->count)) return error_memory(e);
        flood(p, b, i);
    }
    return 0;
}

/* Marks the small pieces, except the largest piece of each band. */
static void find_small(struct pieces *p, int small_cells)
{
    int32_t largest[ISOCHRONES_LEVELS];
    for (int k = 0; k < ISOCHRONES_LEVELS; k++) largest[k] = -1;
    for (int32_t k = 0; k < p->count; k++) {
        int32_t *best = &largest[p->piece[k].band];
        if (*best < 0 || p->piece[k].cells > p->piece[*best].cells) *best = k;
        p->piece[k].small = p->piece[k].cells < small_cells;
    }
    for (int k = 0; k < ISOCHRONES_LEVELS; k++)
        if (largest[k] >= 0) p->piece[largest[k]].small = false;
}

/* Whether the piece `mine` may join the piece `other`. Of two small pieces only the smaller may join, else they would
 * exchange their bands. */
static bool may_join(const struct pieces *p, int32_t mine, int32_t other)
{
    if (other < 0 || other == mine) return false;
    const int32_t theirs = p->piece[other].cells, ours = p->piece[mine].cells;
    return !p->piece[other].small || theirs > ours || (theirs == ours && other < mine);
}

/* Finds the band with which a piece shares most edges; of several such bands, the earliest. Small
 * neighbours count, too, so two slivers side by side become one piece. */
static void elect(struct pieces *p, const struct bands *b, int32_t mine)
{
    struct piece *piece = &p->piece[mine];
    int edges[ISOCHRONES_LEVELS] = {0}, most = 0;
    for (int32_t i = 0; i < piece->cells; i++) {
        int32_t to[4];
        neighbours(to, p->cell[piece->first + i], b->cols);
        for (int k = 0; k < 4; k++)
            if (may_join(p, mine, p->of[to[k]])) edges[p->piece[p->of[to[k]]].band]++;
    }
    for (int k = 0; k < ISOCHRONES_LEVELS; k++)
        if (edges[k] > most) {
            most = edges[k];
            piece->becomes = (uint8_t)k;
        }
}

static int join_once(struct bands *b, int small_cells, bool *changed, struct error *e)
{
    FREED_BY(pieces_free) struct pieces p;
    const int status = pieces_create(&p, b, e);
    if (status) return status;
    find_small(&p, small_cells);
    for (int32_t k = 0; k < p.count; k++)
        if (p.piece[k].small) elect(&p, b, k);
    for (int32_t i = 0; i < p.listed; i++) {
        const struct piece *piece = &p.piece[p.of[p.cell[i]]];
        b->band[p.cell[i]] = piece->becomes;
        *changed = *changed || piece->becomes != piece->band;
    }
    return 0;
}

static int bands_join(struct bands *b, int small_cells, struct error *e)
{
    enum { ROUNDS = 8 }; /* small pieces that remain after these rounds stay */
    bool changed = true;
    int status = 0;
    for (int i = 0; i < ROUNDS && changed && !status; i++) {
        changed = false;
        status = join_once(b, small_cells, &changed, e);
    }
    return status;
}

/* ---- the lines between bands, joined from cells and then smoothed -------------------------------
 *
 * A square has the centres of four cells as its corners. If two neighbour cells have different bands, a line passes
 * between them. Within a square these lines are joined:
 *
 *     A . A     A   B     A   B     A . B     A . C
 *     .-----    . \ .     . \ .     .-+-.     . +-.
 *     B . B     B   A     C   A     A . C     .-+ .
 *                                             D . B
 *
 * The earliest band connects its two corners, as A does in the second square. If two opposite corners have earlier
 * bands than both other corners, their bands touch, as A and B do in the last square. Within a square lines do not
 * cross: either two lines each cut off a corner, or all lines meet in nodes. This remains so if points slide between
 * their two centres. A band has at most one sector of a square, so its ring passes a node once. */

struct joining {
    struct bands_graph *g;
    const struct bands *b;
    /* the points between neighbours in the row of cells above the current squares, and in the row below */
    int32_t *above, *below;
    struct error *e;
    int status;
};

static int32_t add_point(struct joining *m, struct bands_point point)
{
    struct bands_graph *g = m->g;
    if (m->status) return 0;
    if (g->count <= INT32_MAX / 2 && APPEND(g->point, g->count, point)) return g->count - 1;
    m->status = error_memory(m->e);
    return 0;
}

/* Whether a cell is outside the input. A point next to such a cell does not slide. */
static bool outside(const struct bands *b, int row, int col)
{
    row += b->row0;
    col += b->col0;
    return row < 0 || col < 0 || row >= b->input_rows || col >= b->input_cols;
}

/* Adds the point between a cell and its eastern (AXIS_X) or southern (AXIS_Y) neighbour; -1: both cells have the same
 * band. */
static int32_t between(struct joining *m, int row, int col, enum bands_axis axis)
{
    const struct bands *b = m->b;
    const int row2 = row + (axis == AXIS_Y), col2 = col + (axis == AXIS_X);
    const uint8_t first = b->band[row * b->cols + col], second = b->band[row2 * b->cols + col2];
    if (first == second) return -1;
    return add_point(m, (struct bands_point){.x = 0.5 * (col + col2),
                                             .y = 0.5 * (row + row2),
                                             .axis = (uint8_t)axis,
                                             .links = 2,
                                             .link = {-1, -1, -1, -1},
                                             .held = outside(b, row, col) || outside(b, row2, col2),
                                             .side = {first, second}});
}

/* Links the point `from` to the point `to` in a square. slot: 1 if the square is south or east of `from`, else 0. */
static void attach(struct joining *m, int32_t from, int slot, int32_t to)
{
    struct bands_point *p = &m->g->point[from];
    if (m->status) return;
    if (p->axis == AXIS_NODE) p->link[p->links++] = to;
    else p->link[slot] = to;
}

/* For the points on the sides of a square (north, east, south, west): the slot of the link that leads into the
 * square. */
static const int slot_of[4] = {1, 0, 0, 1};

static void join_sides(struct joining *m, const int32_t side[4], int i, int j)
{
    attach(m, side[i], slot_of[i], side[j]);
    attach(m, side[j], slot_of[j], side[i]);
}

static int32_t add_node(struct joining *m, double x, double y)
{
    return add_point(m, (struct bands_point){.x = x, .y = y, .axis = AXIS_NODE});
}

static void join_node(struct joining *m, const int32_t side[4], int i, int32_t node)
{
    attach(m, side[i], slot_of[i], node);
    attach(m, node, 0, side[i]);
}

/* Joins the points of a square in which two opposite corners have earlier bands than the other two corners. falling:
 * the earlier corners are NW and SE, else NE and SW. Each later corner gets a node. A line through one more point
 * joins the two nodes. */
static void join_first_two(struct joining *m, const int32_t side[4], const uint8_t corner[4],
                           bool falling, double x, double y)
{
    enum { NORTH, EAST, SOUTH, WEST };
    const double east = falling ? 0.125 : -0.125, south = 0.125;
    const int32_t a = add_node(m, x + east, y - south), b = add_node(m, x - east, y + south);
    const int32_t middle = add_point(
        m, (struct bands_point){.x = x,
                                .y = y,
                                .axis = AXIS_FIXED,
                                .links = 2,
                                .link = {a, b, -1, -1},
                                .side = {corner[falling ? 0 : 1], corner[falling ? 2 : 3]}});
    if (m->status) return;
    join_node(m, side, NORTH, a);
    join_node(m, side, falling ? EAST : WEST, a);
    attach(m, a, 0, middle);
    join_node(m, side, SOUTH, b);
    join_node(m, side, falling ? WEST : EAST, b);
    attach(m, b, 0, middle);
}

/* Joins the points of a square with a point on each of its four sides. `corner` has the bands of the corners NW, NE, SE,
 * SW. */
static void join_four(struct joining *m, const int32_t side[4], const uint8_t corner[4], double x,
                      double y)
{
    enum { NORTH, EAST, SOUTH, WEST };
    const bool falling_same = corner[0] == corner[2], rising_same = corner[1] == corner[3];
    const bool falling_first = int_most(corner[0], corner[2]) < int_least(corner[1], corner[3]),
               rising_first = int_most(corner[1], corner[3]) < int_least(corner[0], corner[2]);
    if (falling_same && !rising_first && (!rising_same || corner[0] < corner[1])) {
        join_sides(m, side, NORTH, EAST);
        join_sides(m, side, SOUTH, WEST);
    } else if (rising_same && !falling_first) {
        join_sides(m, side, NORTH, WEST);
        join_sides(m, side, SOUTH, EAST);
    } else if (falling_first || rising_first) {
        join_first_two(m, side, corner, falling_first, x, y);
    } else {
        const int32_t node = add_node(m, x, y);
        for (int i = 0; i < 4; i++) join_node(m, side, i, node);
    }
}

static void join_square(struct joining *m, const int32_t side[4], const uint8_t corner[4], double x,
                        double y)
{
    int there[4], count = 0;
    for (int i = 0; i < 4; i++)
        if (side[i] >= 0) there[count++] = i;
    if (count == 2) join_sides(m, side, there[0], there[1]);
    if (count == 4) join_four(m, side, corner, x, y);
    if (count != 3) return;
    const int32_t node = add_node(m, x, y);
    for (int i = 0; i < 3; i++) join_node(m, side, there[i], node);
}

static int bands_graph_create(struct bands_graph *g, const struct bands *b, struct error *e)
{
    if (!b->band) return 0;
    FREED int32_t *line = malloc(2 * (size_t)b->cols * sizeof *line);
    if (!line) return error_memory(e);
    struct joining m = {.g = g, .b = b, .above = line, .below = line + b->cols, .e = e};
    for (int col = 0; col < b->cols - 1; col++) m.above[col] = -1; /* no points in the margin */
    for (int row = 0; row < b->rows - 1 && !m.status; row++) {
        const uint8_t *north = b->band + row * b->cols, *south = north + b->cols;
        int32_t west = -1;
        /* tracing needs the points in the order of rows */
        for (int col = 0; col < b->cols - 1; col++)
            m.below[col] = between(&m, row + 1, col, AXIS_X);
        for (int col = 0; col < b->cols - 1 && !m.status; col++) {
            const int32_t east = between(&m, row, col + 1, AXIS_Y);
            const int32_t side[4] = {m.above[col], east, m.below[col], west};
            const uint8_t corner[4] = {north[col], north[col + 1], south[col + 1], south[col]};
            if (!m.status) join_square(&m, side, corner, col + 0.5, row + 0.5);
            west = east;
        }
        int32_t *swap = m.above;
        m.above = m.below;
        m.below = swap;
    }
    return m.status;
}

/* ---- smoothing --------------------------------------------------------------------------------
 * The points of lines slide between the centres of their two cells, by Taubin's filter (1995). In one round each point
 * moves towards the middle of its neighbours, in the next round a little farther back. This flattens the stairs of
 * cells. It keeps large shapes, which the first movement alone would shrink. A point moves at most SLIDE cells from the
 * middle of its two centres. */

#define TO         0.5
#define BACK       -0.525
#define SLIDE      0.4
#define SLIDE_NODE 0.3
enum { ROUNDS = 24, SMALL_RING = 12 };

/* The middle of the neighbours of a point. At a node on the outline only the neighbours on the outline count, so that the
 * outline stays smooth. */
static void middle_of(double to[2], const struct bands_graph *g, const struct bands_point *p)
{
    double all[2] = {0, 0}, outline[2] = {0, 0};
    int outlines = 0;
    for (int k = 0; k < p->links; k++) {
        const struct bands_point *q = &g->point[p->link[k]];
        const bool on = p->axis == AXIS_NODE && q->axis != AXIS_NODE &&
                        (q->side[0] == BAND_NONE || q->side[1] == BAND_NONE);
        all[0] += q->x;
        all[1] += q->y;
        outline[0] += on ? q->x : 0;
        outline[1] += on ? q->y : 0;
        outlines += on;
    }
    to[0] = outlines == 2 ? outline[0] / 2 : all[0] / p->links;
    to[1] = outlines == 2 ? outline[1] / 2 : all[1] / p->links;
}

static double clamp_coordinate(double x, double centre, double most)
{
    return fmin(fmax(x, centre - most), centre + most);
}

/* The middle around which a point slides along an axis: half way between the centres of two cells. */
static double half_of(double x)
{
    return floor(x) + 0.5;
}

static void move_points(struct bands_graph *g, const double (*to)[2], double share)
{
    for (int i = 0; i < g->count; i++) {
        struct bands_point *p = &g->point[i];
        const double most = p->axis == AXIS_NODE ? SLIDE_NODE : SLIDE;
        if (p->held || p->axis == AXIS_FIXED) continue;
        if (p->axis != AXIS_Y)
            p->x = clamp_coordinate(p->x + share * (to[i][0] - p->x), half_of(p->x), most);
        if (p->axis != AXIS_X)
            p->y = clamp_coordinate(p->y + share * (to[i][1] - p->y), half_of(p->y), most);
    }
}

/* Whether the line through a point closes after a few points, without a node. Smoothing would shrink such a ring to a
 * speck. */
static bool is_small_ring(const struct bands_graph *g, int start)
{
    int before = start, at = g->point[start].link[0];
    for (int i = 0; i < SMALL_RING; i++) {
        const struct bands_point *p = &g->point[at];
        if (at == start) return true;
        if (p->axis == AXIS_NODE) return false;
        const int next = p->link[0] == before ? p->link[1] : p->link[0];
        before = at;
        at = next;
    }
    return false;
}

/* Sets `held` for small rings, for nodes at the border, and for both nodes of a square with a fixed point between
 * them. */
static void hold(struct bands_graph *g)
{
    for (int i = 0; i < g->count; i++) {
        struct bands_point *p = &g->point[i];
        if (p->axis != AXIS_NODE) p->held = p->held || is_small_ring(g, i);
        for (int k = 0; k < p->links && p->axis == AXIS_NODE; k++) {
            const struct bands_point *q = &g->point[p->link[k]];
            if (q->axis == AXIS_FIXED || q->held) p->held = true;
        }
    }
}

static int bands_graph_smooth(struct bands_graph *g, struct error *e)
{
    FREED double(*to)[2] = malloc(((size_t)g->count + 1) * sizeof *to);
    if (!to) return error_memory(e);
    hold(g);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < g->count; i++) middle_of(to[i], g, &g->point[i]);
        move_points(g, to, round % 2 ? BACK : TO);
    }
    return 0;
}

/* ---- the polygons of what lava had reached, and the fronts at a level ---------------------------
 *
 * A line through the centres of a row of cells crosses rings only at the points between eastern and western
 * neighbours of this row. So the polygon of a hole is known at the first point of the hole, in the order of rows:
 * the next point to the west, in the same row, is on a ring of this polygon (Suzuki and Abe 1985). */

struct tracing {
    const struct bands_graph *g;
    int level;
    enum bands_kind kind;
    bool outline;     /* whether paths follow the outline of the flow, too */
    int32_t *path_of; /* number of the line or polygon of each point; -1: none yet */
};

static struct tracing begin_tracing(const struct bands_graph *g, int level, enum bands_kind kind,
                                    bool outline, int32_t *path_of)
{
    for (int32_t i = 0; i < g->count; i++) path_of[i] = -1;
    return (struct tracing){g, level, kind, outline, path_of};
}

static bool is_part(const struct tracing *t, int32_t i)
{
    const struct bands_point *p = &t->g->point[i];
    return bands_divides(p, t->level, t->kind) &&
           (t->outline || (p->side[0] != BAND_NONE && p->side[1] != BAND_NONE));
}

/* The point after `at` on the line that comes from `before`; -1: the line ends. A band has only one sector at a node,
 * so only two of its lines meet there: the line from `before`, and the line to the next point. */
static int32_t next_of(const struct tracing *t, int32_t at, int32_t before)
{
    const struct bands_point *p = &t->g->point[at];
    for (int k = 0; k < p->links; k++) {
        const int32_t to = p->link[k];
        if (to != before && (t->g->point[to].axis == AXIS_NODE || is_part(t, to))) return to;
    }
    return -1;
}

static int add_to_path(struct tracing *t, struct isochrone_path *path, int32_t at, int number,
                       struct error *e)
{
    if (!grow_position(&path->xy, &path->count, t->g->point[at].x, t->g->point[at].y))
        return error_memory(e);
    t->path_of[at] = number;
    return 0;
}

/* Follows a line from the point `start` through its neighbour `first`, until the line closes or ends. */
static int walk(struct tracing *t, struct isochrone_path *path, int32_t start, int32_t first,
                int number, struct error *e)
{
    int32_t before = start, at = first;
    int status = add_to_path(t, path, start, number, e);
    while (at >= 0 && at != start && !status) {
        const int32_t next = next_of(t, at, before);
        status = add_to_path(t, path, at, number, e);
        before = at;
        at = next;
    }
    path->closed = at == start && t->g->point[start].axis != AXIS_NODE;
    return status;
}

/* Adds the ring through the point `start`; walk() keeps the inside of the ring on its left. hole: the ring is a hole
 * of the polygon with the index `left`; otherwise it begins a new polygon. */
static int add_ring(struct isochrone_area *out, struct tracing *t, int32_t start, bool hole,
                    int left, struct error *e)
{
    const struct isochrone_polygon no_ring = {0};
    const struct isochrone_path no_point = {0};
    if (!hole && !APPEND(out->polygon, out->count, no_ring)) return error_memory(e);
    const int number = hole ? left : out->count - 1;
    struct isochrone_polygon *p = &out->polygon[number];
    if (!APPEND(p->ring, p->count, no_point)) return error_memory(e);
    return walk(t, &p->ring[p->count - 1], start, t->g->point[start].link[hole ? 0 : 1], number, e);
}

/* Finds all rings in the order of rows, so a hole comes after the ring around it. */
static int bands_trace_area(struct isochrone_area *out, const struct bands_graph *g, int level,
                            enum bands_kind kind, int32_t *path_of, struct error *e)
{
    struct tracing t = begin_tracing(g, level, kind, true, path_of);
    int status = 0, left = -1;
    double row = -1;
    for (int32_t i = 0; i < g->count && !status; i++) {
        const struct bands_point *p = &g->point[i];
        if (p->axis != AXIS_X || !is_part(&t, i)) continue;
        if (p->y != row) left = -1;
        row = p->y;
        const bool inside_west = kind == BANDS_BAND ? p->side[0] == level : p->side[0] <= level;
        if (path_of[i] < 0) status = add_ring(out, &t, i, inside_west, left, e);
        left = path_of[i];
    }
    return status;
}

/* ---- fronts: from the outline of the flow to the outline, or closed -------------------------- */

static int add_line(struct isochrone *out, struct tracing *t, int32_t start, int32_t first,
                    struct error *e)
{
    if (!GROW(out->line, out->line_count)) return error_memory(e);
    out->line[out->line_count] = (struct isochrone_path){0};
    const int number = out->line_count++;
    return walk(t, &out->line[number], start, first, number, e);
}

/* A line of the level ends at a node if only one neighbour of the node is on a line of the level. Returns this
 * neighbour; -1: no line ends at the node. */
static int32_t only_part(const struct tracing *t, const struct bands_point *p)
{
    int32_t found = -1;
    for (int k = 0; k < p->links; k++) {
        if (!is_part(t, p->link[k])) continue;
        if (found >= 0) return -1;
        found = p->link[k];
    }
    return found;
}

static int bands_trace_lines(struct isochrone *out, const struct bands_graph *g, int level,
                             bool last, int32_t *path_of, struct error *e)
{
    struct tracing t = begin_tracing(g, level, BANDS_REACHED, last, path_of);
    int status = 0;
    for (int32_t i = 0; i < g->count && !status; i++) {
        const int32_t first = g->point[i].axis == AXIS_NODE ? only_part(&t, &g->point[i]) : -1;
        if (first >= 0 && path_of[first] < 0) status = add_line(out, &t, i, first, e);
    }
    for (int32_t i = 0; i < g->count && !status; i++)
        if (is_part(&t, i) && path_of[i] < 0) status = add_line(out, &t, i, g->point[i].link[1], e);
    return status;
}

/* ---- from arrivals to polygons and lines ----------------------------------------------------- */

struct making {
    const struct isochrones_input *in;
    double level_h[ISOCHRONES_LEVELS];
    int levels;            /* number of levels before the last level, which is the latest arrival */
    struct bands as_it_is; /* the bands before pieces were joined */
    struct bands bands;
    struct bands_graph graph;
};

static float find_latest(const float *arrival_h, size_t cells)
{
    float latest = -INFINITY;
    for (size_t i = 0; i < cells; i++)
        if (arrival_h[i] > latest) latest = arrival_h[i];
    return latest;
}

/* Finds the used levels. A level is used if lava came to a cell after the previous level and by this level. */
static void find_used(bool used[ISOCHRONES_LEVELS], const struct isochrones_input *in,
                      const double *level_h, int count)
{
    for (int k = 0; k < count; k++) used[k] = false;
    for (size_t i = 0; i < (size_t)in->rows * (size_t)in->cols; i++) {
        const uint8_t band = band_of(in->arrival_h[i], level_h, count);
        if (band < count) used[band] = true;
    }
}

/* time_h is a multiple of step_h, rounded to a float. Returns the multiple before rounding, because a date from time_h
 * may be a second too early. Returns time_h if no multiple is rounded to it. */
static double exact_h(float time_h, double step_h)
{
    const double steps = step_h > 0 ? round((double)time_h / step_h) * step_h : 0;
    return (float)steps == time_h ? steps : (double)time_h;
}

/* Omits the unused levels. The line of an unused level would be the same as the line of the previous level. */
static void find_levels(struct making *m)
{
    const struct isochrones_input *in = m->in;
    const size_t cells = (size_t)in->rows * (size_t)in->cols;
    double given[ISOCHRONES_LEVELS];
    bool used[ISOCHRONES_LEVELS];
    int count = in->level_count;
    if (in->level_h) memcpy(given, in->level_h, (size_t)count * sizeof *given);
    else count = isochrones_levels(given, in->arrival_h, cells);
    const float latest = find_latest(in->arrival_h, cells);
    find_used(used, in, given, count);
    for (int i = 0; i < count; i++)
        if (used[i] && (float)given[i] < latest) m->level_h[m->levels++] = given[i];
    m->level_h[m->levels] = exact_h(latest, in->step_h);
}

/* Counts the cells of each band. */
static void count_bands(const struct bands *b, size_t cells[ISOCHRONES_LEVELS])
{
    memset(cells, 0, ISOCHRONES_LEVELS * sizeof *cells);
    for (size_t i = 0; i < (size_t)b->rows * (size_t)b->cols; i++)
        if (b->band[i] != BAND_NONE) cells[b->band[i]]++;
}

static bool within_share(const struct making *m)
{
    size_t before[ISOCHRONES_LEVELS], after[ISOCHRONES_LEVELS], was = 0, is = 0;
    count_bands(&m->as_it_is, before);
    count_bands(&m->bands, after);
    for (int i = 0; i < m->levels; i++) {
        was += before[i];
        is += after[i];
        if (fabs((double)is - (double)was) > ISOCHRONES_SHARE * (double)was) return false;
    }
    return true;
}

static int make_bands(struct making *m, struct isochrones *out, struct error *e)
{
    int small = m->in->small_cells > 0 ? m->in->small_cells : ISOCHRONES_SMALL;
    int status = bands_create(&m->as_it_is, m->in, m->level_h, m->levels, e);
    if (status || !m->as_it_is.band) return status;
    const size_t cells = (size_t)m->as_it_is.rows * (size_t)m->as_it_is.cols;
    m->bands = m->as_it_is;
    m->bands.band = malloc(cells);
    if (!m->bands.band) return error_memory(e);
    for (;; small /= 2) {
        memcpy(m->bands.band, m->as_it_is.band, cells);
        if (small > 1) status = bands_join(&m->bands, small, e);
        if (status || small <= 1 || within_share(m)) break;
    }
    out->small_cells = small > 1 ? small : 0;
    for (size_t i = 0; i < cells; i++) out->moved_cells += m->bands.band[i] != m->as_it_is.band[i];
    return status;
}

/* Converts a path to coordinates of the terrain. Their y axis points to the north. */
static void place_path(struct isochrone_path *p, const struct making *m)
{
    const struct georef *geo = &m->in->geo;
    for (int i = 0; i < p->count; i++) {
        p->xy[i][0] = geo->west_m + (m->bands.col0 + p->xy[i][0] + 0.5) * geo->cell_m;
        p->xy[i][1] =
            geo->south_m + (m->in->rows - (m->bands.row0 + p->xy[i][1]) - 0.5) * geo->cell_m;
    }
}

static void place_area(struct isochrone_area *a, const struct making *m)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->polygon[i].count; k++) place_path(&a->polygon[i].ring[k], m);
}

static int make_level(struct isochrone *out, const struct making *m, int level, int32_t *path_of,
                      struct error *e)
{
    int status = bands_trace_area(&out->reached, &m->graph, level, BANDS_REACHED, path_of, e);
    if (!status) status = bands_trace_area(&out->band, &m->graph, level, BANDS_BAND, path_of, e);
    if (!status) status = bands_trace_lines(out, &m->graph, level, level == m->levels, path_of, e);
    place_area(&out->reached, m);
    place_area(&out->band, m);
    for (int i = 0; i < out->line_count; i++) place_path(&out->line[i], m);
    return status;
}

static int make_levels(struct isochrones *out, const struct making *m, struct error *e)
{
    size_t raster[ISOCHRONES_LEVELS], joined[ISOCHRONES_LEVELS], sum = 0, raster_sum = 0;
    FREED int32_t *path_of = malloc(((size_t)m->graph.count + 1) * sizeof *path_of);
    int status = 0;
    out->at = calloc((size_t)m->levels + 1, sizeof *out->at);
    if (!out->at || !path_of) status = error_memory(e);
    else out->count = m->levels + 1;
    count_bands(&m->as_it_is, raster);
    count_bands(&m->bands, joined);
    for (int i = 0; i < out->count && !status; i++) {
        struct isochrone *at = &out->at[i];
        at->time_h = m->level_h[i];
        at->from_h = i ? m->level_h[i - 1] : 0;
        at->raster_cells = raster_sum += raster[i];
        at->band.cells = joined[i];
        at->reached.cells = sum += joined[i];
        status = make_level(at, m, i, path_of, e);
    }
    return status;
}

int isochrones_create(struct isochrones *out, const struct isochrones_input *in, struct error *e)
{
    struct making m = {.in = in};
    int status;
    *out = (struct isochrones){0};
    find_levels(&m);
    status = make_bands(&m, out, e);
    if (!status) status = bands_graph_create(&m.graph, &m.bands, e);
    if (!status) status = bands_graph_smooth(&m.graph, e);
    if (!status && m.bands.band) status = make_levels(out, &m, e);
    FREE_ALL(m.graph.point, m.bands.band, m.as_it_is.band);
    if (status) isochrones_free(out);
    return status;
}

static void free_area(struct isochrone_area *a)
{
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < a->polygon[i].count; k++) free(a->polygon[i].ring[k].xy);
        free(a->polygon[i].ring);
    }
    free(a->polygon);
}

int isochrones_of_mask(struct isochrones *out, const unsigned char *inside, int rows, int cols,
                       const struct georef *geo, struct error *e)
{
    const size_t cells = (size_t)rows * (size_t)cols;
    FREED float *arrival_h = malloc(cells * sizeof *arrival_h);
    *out = (struct isochrones){0};
    if (!arrival_h) return error_memory(e);
    for (size_t i = 0; i < cells; i++) arrival_h[i] = inside[i] ? 1 : NAN;
    const struct isochrones_input in = {
        .arrival_h = arrival_h, .rows = rows, .cols = cols, .geo = *geo};
    return isochrones_create(out, &in, e);
}

void isochrones_free(struct isochrones *i)
{
    for (int k = 0; k < i->count; k++) {
        struct isochrone *at = &i->at[k];
        free_area(&at->reached);
        free_area(&at->band);
        for (int j = 0; j < at->line_count; j++) free(at->line[j].xy);
        free(at->line);
    }
    RELEASE(i, i->at);
}

/* ---- levels ---------------------------------------------------------------------------------- */

enum { LEVELS_LEAST = 4, LEVELS_MOST = 7, SAMPLE = 1 << 16 };
#define MINUTES(n) ((n) / 60.0)
#define DAYS(n)    ((n)*24.0)

static const double equal_h[] = {
    1 / 3600.0,  1 / 720.0,   1 / 360.0, 1 / 120.0, MINUTES(1), MINUTES(2), MINUTES(5), MINUTES(10),
    MINUTES(15), MINUTES(30), 1,         2,         3,          4,          6,          12,
    DAYS(1),     DAYS(2),     DAYS(5),   DAYS(10),  DAYS(20),   DAYS(50),   DAYS(100),  DAYS(200),
    DAYS(500),   DAYS(1e3),   DAYS(2e3), DAYS(5e3), DAYS(1e4),  DAYS(1e5),  DAYS(1e6),
};
static const double doubled_h[] = {
    MINUTES(15), MINUTES(30), 1, 3, 6, 12, DAYS(1), DAYS(5), DAYS(10), DAYS(100), DAYS(1000),
};
/* Each time is about twice the previous time. If it were exactly twice, times such as 80 min or 32 h would not be
 * round. */
static const double round_h[] = {
    MINUTES(1), MINUTES(2), MINUTES(5), MINUTES(10), MINUTES(20), MINUTES(40), 1,
    2,          4,          8,          16,          DAYS(1),     DAYS(2),     DAYS(4),
};

/* Whether a time from 1 h on is a whole number of hours, and from 1 d on a whole number of days. */
static bool is_round(double time_h)
{
    return time_h < 1 || fmod(time_h, time_h < 24 ? 1 : 24) == 0;
}

static int by_size(const void *a, const void *b)
{
    return ORDER(*(const float *)a, *(const float *)b);
}

/* The number of sorted times that are at most `until`. */
static size_t count_until(const float *time, size_t count, double until)
{
    size_t low = 0, high = count;
    ORDER_HALVE(at, low, high, time[at] <= (float)until);
    return low;
}

struct best {
    double score;
    int count;
    double *level_h;
};

/* Scores levels by how equal their bands are, and keeps the best levels. n bands of equal size have the score n. If one
 * band has all cells, the score is 1. */
static void consider(struct best *best, const double *level_h, int count, const float *time,
                     size_t cells)
{
    double sum = 0;
    size_t before = 0;
    for (int i = 0; i <= count; i++) {
        const size_t until = i < count ? count_until(time, cells, level_h[i]) : cells;
        const double share = (double)(until - before) / (double)cells;
        sum += share * share;
        before = until;
    }
    if (!(1 / sum > best->score)) return;
    best->score = 1 / sum;
    best->count = count;
    for (int i = 0; i < count; i++) best->level_h[i] = level_h[i];
}

static void choose_levels(struct best *best, const float *time, size_t cells)
{
    const double latest = (double)time[cells - 1];
    double level_h[LEVELS_MOST];
    for (size_t k = 0; k < sizeof equal_h / sizeof *equal_h; k++) {
        const double count = ceil(latest / equal_h[k]) - 1;
        if (!(count >= LEVELS_LEAST && count <= LEVELS_MOST)) continue;
        if (equal_h[k] < 0.5 && count * equal_h[k] > 1) continue; /* no levels such as 1 h 15 min */
        for (int i = 0; i < (int)count; i++) level_h[i] = (i + 1) * equal_h[k];
        consider(best, level_h, (int)count, time, cells);
    }
    for (size_t k = 0; k < sizeof doubled_h / sizeof *doubled_h; k++) {
        int count = 0;
        for (double t = doubled_h[k];
             count < LEVELS_MOST && (float)t < time[cells - 1] && is_round(t); t *= 2)
            level_h[count++] = t;
        if (count >= LEVELS_LEAST) consider(best, level_h, count, time, cells);
    }
    for (size_t k = 0; k < sizeof round_h / sizeof *round_h; k++) {
        size_t count = 0;
        while (count < LEVELS_MOST && k + count < sizeof round_h / sizeof *round_h &&
               (float)round_h[k + count] < time[cells - 1])
            count++;
        if (count >= LEVELS_LEAST) consider(best, round_h + k, (int)count, time, cells);
    }
}

int isochrones_levels(double level_h[ISOCHRONES_LEVELS], const float *arrival_h, size_t cells)
{
    struct best best = {.level_h = level_h};
    size_t lava = 0, count = 0, seen = 0;
    const float latest = find_latest(arrival_h, cells);
    for (size_t i = 0; i < cells; i++) lava += !isnan(arrival_h[i]);
    const size_t every = lava / SAMPLE + 1;
    FREED float *time = malloc((lava / every + 2) * sizeof *time);
    if (!time || !lava) return 0;
    for (size_t i = 0; i < cells; i++)
        if (!isnan(arrival_h[i]) && seen++ % every == 0) time[count++] = arrival_h[i];
    time[count++] = latest;
    qsort(time, count, sizeof *time, by_size);
    if (time[0] < latest) choose_levels(&best, time, count);
    return best.count;
}

char *isochrones_time_pack(char out[ISOCHRONES_TEXT], double time_h)
{
    static const char *const rows[] = {NULL,   "{} min",      "{} h",      "{} h {} min",
                                       "{} d", "{} d {} min", "{} d {} h", "{} d {} h {} min"};
    const double minutes = round(time_h * 60);
    const double part[] = {floor(minutes / 1440), floor(fmod(minutes, 1440) / 60),
                           fmod(minutes, 60)};
    const int row = 4 * (part[0] >= 1) + 2 * (part[1] >= 1) + (part[2] >= 1);
    if (!(minutes >= 1 && minutes < 1e15))
        return words_pack(out, ISOCHRONES_TEXT, "%.3g h", time_h);
    int n = snprintf(out, ISOCHRONES_TEXT, "%s", rows[row]);
    for (int i = 0; i < 3; i++)
        if (part[i] >= 1)
            n += snprintf(out + n, ISOCHRONES_TEXT - (size_t)n, WORDS_NEXT "%.0f", part[i]);
    return out;
}

char *isochrones_time_text(char out[32], double time_h)
{
    char packed[ISOCHRONES_TEXT];
    return words_fill(out, 32, isochrones_time_pack(packed, time_h), NULL);
}
