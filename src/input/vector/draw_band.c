/* draw_band.c — the cells of a band along a line. */
#include "draw_cells.h"

#include <math.h>
#include <stdint.h>

__extension__ typedef __int128 wide;

enum { UNIT = 4096 }; /* of a cell */

/* East and south, from the north-west corner. */
struct spot {
    int64_t x, y;
};

static struct spot spot_of(const struct vector_grid *g, const double xy[2])
{
    const double cell = g->geo->cell_m, north = g->geo->south_m + g->rows * cell;
    return (struct spot){llrint((xy[0] - g->geo->west_m) / cell * UNIT),
                         llrint((north - xy[1]) / cell * UNIT)};
}

static struct spot minus(struct spot a, struct spot b)
{
    return (struct spot){a.x - b.x, a.y - b.y};
}

static wide dot(struct spot a, struct spot b)
{
    return (wide)a.x * b.x + (wide)a.y * b.y;
}

static wide cross(struct spot a, struct spot b)
{
    return (wide)a.x * b.y - (wide)a.y * b.x;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool touches(struct spot a, struct spot b, int row, int col)
{
    const int64_t west = (int64_t)col * UNIT, north = (int64_t)row * UNIT;
    int left = 0, right = 0;
    if (least(a.x, b.x) > west + UNIT || most(a.x, b.x) < west || least(a.y, b.y) > north + UNIT ||
        most(a.y, b.y) < north)
        return false;
    for (int k = 0; k < 4; k++) {
        const struct spot corner = {west + k % 2 * UNIT, north + k / 2 * UNIT};
        const wide side = cross(minus(b, a), minus(corner, a));
        left += side > 0;
        right += side < 0;
    }
    return left < 4 && right < 4;
}

/* The last comparison is of doubles, each of which is nearest to an integer that no mirror changes
 * but in its sign. */
static bool is_near(struct spot a, struct spot b, int row, int col, int64_t reach)
{
    const struct spot centre = {(int64_t)col * UNIT + UNIT / 2, (int64_t)row * UNIT + UNIT / 2};
    const struct spot along = minus(b, a), from = minus(centre, a), to = minus(centre, b);
    const wide length2 = dot(along, along), at = dot(from, along), reach2 = (wide)reach * reach;
    if (at <= 0) return dot(from, from) <= reach2;
    if (at >= length2) return dot(to, to) <= reach2;
    const double away = (double)cross(along, from);
    return away * away <= (double)reach2 * (double)length2;
}

static int cell_at(double units, int cells)
{
    return (int)fmax(0, fmin(cells - 1, floor(units / UNIT)));
}

/* Columns of a row in which the band can have cells. */
static void columns_of(struct spot a, struct spot b, int row, int64_t reach, int cols, int range[2])
{
    const double up = (double)row * UNIT - (double)reach - UNIT, down = up + 2.0 * reach + 3 * UNIT;
    double t[2] = {0, 1};
    if (a.y != b.y) {
        const double first = (up - (double)a.y) / (double)(b.y - a.y),
                     second = (down - (double)a.y) / (double)(b.y - a.y);
        t[0] = fmax(0, fmin(1, fmin(first, second)));
        t[1] = fmax(0, fmin(1, fmax(first, second)));
    }
    const double x0 = (double)a.x + t[0] * (double)(b.x - a.x),
                 x1 = (double)a.x + t[1] * (double)(b.x - a.x), room = (double)reach + 2 * UNIT;
    range[0] = cell_at(fmin(x0, x1) - room, cols);
    range[1] = cell_at(fmax(x0, x1) + room, cols);
}

static void draw(struct cell_mask *m, struct spot a, struct spot b, int64_t reach)
{
    const double room = (double)reach + UNIT;
    const int first = cell_at((double)least(a.y, b.y) - room, m->grid.rows),
              last = cell_at((double)most(a.y, b.y) + room, m->grid.rows);
    for (int row = first; row <= last; row++) {
        int range[2];
        columns_of(a, b, row, reach, m->grid.cols, range);
        for (int col = range[0]; col <= range[1]; col++) {
            if (!touches(a, b, row, col) && !is_near(a, b, row, col, reach)) continue;
            m->cell[(size_t)row * (size_t)m->grid.cols + (size_t)col] = 1;
            if (row < m->row_min) m->row_min = row;
            if (row > m->row_max) m->row_max = row;
        }
    }
}

void cell_mask_band(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f,
                    double width_m)
{
    const int64_t reach = llrint(width_m / 2 / m->grid.geo->cell_m * UNIT);
    for (int i = f->first; i < f->first + f->count; i++) {
        const struct vector_part *p = &v->part[i];
        double(*xy)[2] = v->xy + p->first;
        for (int k = 0; k < p->count; k++)
            draw(m, spot_of(&m->grid, xy[k ? k - 1 : 0]), spot_of(&m->grid, xy[k]), reach);
    }
}

/* One pass over all corners of the cells that it began with. */
static bool tighten_once(struct cell_mask *m)
{
    enum { SET = 1, NEW = 2 };
    const size_t cols = (size_t)m->grid.cols;
    bool any = false;
    for (int row = m->row_min; row < m->row_max; row++)
        for (size_t col = 0; col + 1 < cols; col++) {
            unsigned char *nw = m->cell + (size_t)row * cols + col, *ne = nw + 1, *sw = nw + cols,
                          *se = sw + 1;
            const bool down = (*nw & *se & SET) && !((*ne | *sw) & SET),
                       up = (*ne & *sw & SET) && !((*nw | *se) & SET);
            if (down) *ne |= NEW, *sw |= NEW;
            if (up) *nw |= NEW, *se |= NEW;
            any = any || down || up;
        }
    for (size_t i = (size_t)m->row_min * cols; any && i < ((size_t)m->row_max + 1) * cols; i++)
        m->cell[i] = m->cell[i] != 0;
    return any;
}

void cell_mask_tighten(struct cell_mask *m)
{
    while (tighten_once(m)) continue;
}
