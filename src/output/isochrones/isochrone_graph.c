/* isochrone_graph.c — the lines between bands, before they are smoothed.
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
#include "isochrone_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* `slot`: on which side of a point a square is, 1 to its south or east. A node takes the next. */
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
