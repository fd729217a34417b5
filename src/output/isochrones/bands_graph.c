/* bands_graph.c — the lines between bands, joined from cells and then smoothed.
 *
 * A square has the centres of four cells as its corners. Where two neighbours are of different
 * bands, a line passes between them, and within a square such lines are joined:
 *
 *     A . A     A   B     A   B     A . B     A . C
 *     .-----    . \ .     . \ .     .-+-.     . +-.
 *     B . B     B   A     C   A     A . C     .-+ .
 *                                             D . B
 *
 * The band that comes first joins its corners (the second square), and so do two that come before
 * both others (the last one, where A and B come before C and D). Each line is within its square,
 * where lines do not cross: two of them each cut off a corner, or all meet in a node. So whatever
 * happens to the points between two centres, nothing crosses anything. And each band has one sector
 * of a square at most, so that its ring passes a node once. */
#include "bands.h"

#include <math.h>
#include <stdlib.h>

struct making {
    struct bands_graph *g;
    const struct bands *b;
    /* Points between neighbours of the upper row of the squares, and of the lower one. */
    int32_t *above, *below;
    struct error *e;
    int status;
};

static int32_t add_point(struct making *m, struct bands_point point)
{
    struct bands_graph *g = m->g;
    if (m->status) return 0;
    if (g->count == g->room) {
        const int room = g->room ? 2 * g->room : 1024;
        struct bands_point *more =
            g->room < INT32_MAX / 2 ? realloc(g->point, (size_t)room * sizeof *more) : NULL;
        if (!more) {
            m->status = error_memory(m->e);
            return 0;
        }
        g->point = more;
        g->room = room;
    }
    g->point[g->count] = point;
    return g->count++;
}

/* Which cells are those of the input decides whether a point may slide. */
static bool outside(const struct bands *b, int row, int col)
{
    row += b->row0;
    col += b->col0;
    return row < 0 || col < 0 || row >= b->input_rows || col >= b->input_cols;
}

/* Between a cell and its eastern (AXIS_X) or southern neighbour; -1: both are of one band. */
static int32_t between(struct making *m, int row, int col, enum bands_axis axis)
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

/* `slot`: the side of a point on which a square is, 1 to its south or east. */
static void attach(struct making *m, int32_t from, int slot, int32_t to)
{
    struct bands_point *p = &m->g->point[from];
    if (m->status) return;
    if (p->axis == AXIS_NODE) p->link[p->links++] = to;
    else p->link[slot] = to;
}

/* The four sides of a square: north, east, south, west. Seen from its point, a square is in this
 * slot: */
static const int slot_of[4] = {1, 0, 0, 1};

static void join(struct making *m, const int32_t side[4], int i, int j)
{
    attach(m, side[i], slot_of[i], side[j]);
    attach(m, side[j], slot_of[j], side[i]);
}

static int32_t add_node(struct making *m, double x, double y)
{
    return add_point(m, (struct bands_point){.x = x, .y = y, .axis = AXIS_NODE});
}

static void join_node(struct making *m, const int32_t side[4], int i, int32_t node)
{
    attach(m, side[i], slot_of[i], node);
    attach(m, node, 0, side[i]);
}

/* Two corners, NW and SE (`falling`) or NE and SW, come before both others. The line between these
 * two goes from a node before one of the others to a node before the other, by a point of its own.
 */
static void join_first_two(struct making *m, const int32_t side[4], const uint8_t corner[4],
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

static uint8_t larger(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static uint8_t smaller(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* All four sides have a point. corner: NW, NE, SE, SW */
static void join_four(struct making *m, const int32_t side[4], const uint8_t corner[4], double x,
                      double y)
{
    enum { NORTH, EAST, SOUTH, WEST };
    const bool falling_same = corner[0] == corner[2], rising_same = corner[1] == corner[3];
    const bool falling_first = larger(corner[0], corner[2]) < smaller(corner[1], corner[3]),
               rising_first = larger(corner[1], corner[3]) < smaller(corner[0], corner[2]);
    if (falling_same && !rising_first && (!rising_same || corner[0] < corner[1])) {
        join(m, side, NORTH, EAST);
        join(m, side, SOUTH, WEST);
    } else if (rising_same && !falling_first) {
        join(m, side, NORTH, WEST);
        join(m, side, SOUTH, EAST);
    } else if (falling_first || rising_first) {
        join_first_two(m, side, corner, falling_first, x, y);
    } else {
        const int32_t node = add_node(m, x, y);
        for (int i = 0; i < 4; i++) join_node(m, side, i, node);
    }
}

static void join_square(struct making *m, const int32_t side[4], const uint8_t corner[4], double x,
                        double y)
{
    int there[4], count = 0;
    for (int i = 0; i < 4; i++)
        if (side[i] >= 0) there[count++] = i;
    if (count == 2) join(m, side, there[0], there[1]);
    if (count == 4) join_four(m, side, corner, x, y);
    if (count != 3) return;
    const int32_t node = add_node(m, x, y);
    for (int i = 0; i < 3; i++) join_node(m, side, there[i], node);
}

int bands_graph_create(struct bands_graph *g, const struct bands *b, struct error *e)
{
    struct making m = {.g = g, .b = b, .e = e};
    const size_t line = (size_t)b->cols * sizeof *m.above;
    *g = (struct bands_graph){0};
    if (!b->band) return 0;
    m.above = malloc(line);
    m.below = malloc(line);
    if (!m.above || !m.below) m.status = error_memory(e);
    for (int col = 0; col < b->cols - 1 && !m.status; col++) m.above[col] = -1; /* of the margin */
    for (int row = 0; row < b->rows - 1 && !m.status; row++) {
        const uint8_t *north = b->band + row * b->cols, *south = north + b->cols;
        int32_t west = -1;
        /* (in the order of the rows: rings are found by it) */
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
    free(m.above);
    free(m.below);
    if (m.status) bands_graph_free(g);
    return m.status;
}

void bands_graph_free(struct bands_graph *g)
{
    free(g->point);
    *g = (struct bands_graph){0};
}

/* ---- smoothing --------------------------------------------------------------------------------
 * The points of lines slide between the centres of their two cells. Taubin's filter (1995): each
 * point moves towards the middle of its neighbours, and in every second round a little farther
 * back. That flattens the stairs of cells and keeps large shapes, which the first alone would
 * shrink. A point stays SLIDE cells from the middle at most. */

#define TO         0.5
#define BACK       -0.525
#define SLIDE      0.4
#define SLIDE_NODE 0.3
enum { ROUNDS = 24, SMALL_RING = 12 };

/* Where neighbours meet: of a node, those along the outline count alone, which stays smooth there.
 */
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

static double within(double x, double centre, double most)
{
    return fmin(fmax(x, centre - most), centre + most);
}

/* Of a point between centres, the middle has a half in its direction; of a node, both are. */
static double half_of(double x)
{
    return floor(x) + 0.5;
}

static void move(struct bands_graph *g, const double (*to)[2], double share)
{
    for (int i = 0; i < g->count; i++) {
        struct bands_point *p = &g->point[i];
        const double most = p->axis == AXIS_NODE ? SLIDE_NODE : SLIDE;
        if (p->held || p->axis == AXIS_FIXED) continue;
        if (p->axis != AXIS_Y) p->x = within(p->x + share * (to[i][0] - p->x), half_of(p->x), most);
        if (p->axis != AXIS_X) p->y = within(p->y + share * (to[i][1] - p->y), half_of(p->y), most);
    }
}

/* Whether the line through a point closes after a few points, without a node. Smoothing would make
 * a speck of such a ring. */
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

/* What stays as it is: small rings; nodes next to the point that two of them share a square with,
 * and those at the border. */
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

int bands_graph_smooth(struct bands_graph *g, struct error *e)
{
    double(*to)[2] = malloc(((size_t)g->count + 1) * sizeof *to);
    if (!to) return error_memory(e);
    hold(g);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < g->count; i++) middle_of(to[i], g, &g->point[i]);
        move(g, to, round % 2 ? BACK : TO);
    }
    free(to);
    return 0;
}
