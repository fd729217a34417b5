#include "draw_cells.h"

#include "sim/window.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* INSIDE: the cell belongs to the set. CHANGE, only while a polygon is drawn: going east along the row, one enters or
 * leaves the polygon at this cell. */
enum { INSIDE = 1, CHANGE = 2 };

struct cell_mask cell_mask_on(unsigned char *cell, const struct vector_grid *grid)
{
    return (struct cell_mask){cell, *grid, grid->rows, -1};
}

static void note_row(struct cell_mask *m, int row)
{
    if (row < m->row_min) m->row_min = row;
    if (row > m->row_max) m->row_max = row;
}

/* ---- polygons -------------------------------------------------------------------------------- */

/* Marks the crossings of an edge with the lines through the centres of rows. The marked cell is the first one with its
 * centre on or east of the crossing. Only rows with their centre in [y low, y high) count, so that a corner belongs to
 * exactly one of its two edges. */
static void draw_edge(struct cell_mask *m, struct window *changes, const double a[2],
                      const double b[2])
{
    const int rows = m->grid.rows, cols = m->grid.cols;
    const struct georef *geo = m->grid.geo;
    if (a[1] == b[1]) return;
    const double *low = a[1] < b[1] ? a : b, *high = a[1] < b[1] ? b : a;
    const double cell = geo->cell_m, north = geo->south_m + rows * cell;
    const double first = floor((north - high[1]) / cell - 0.5),
                 last = (north - low[1]) / cell + 0.5;
    for (int row = first > 0 ? (int)fmin(first, rows) : 0; row < rows && row <= last; row++) {
        const double y = north - (row + 0.5) * cell;
        if (!(low[1] <= y && y < high[1])) continue;
        const double x = low[0] + (y - low[1]) * ((high[0] - low[0]) / (high[1] - low[1]));
        const double at = ceil((x - geo->west_m) / cell - 0.5);
        if (!(at < cols)) continue;
        const int col = at > 0 ? (int)at : 0;
        m->cell[(size_t)row * (size_t)cols + (size_t)col] ^= CHANGE;
        window_add(changes, row, col);
    }
}

/* Turns the marks of changes into cells inside, and removes the marks. */
static void fill_changes(struct cell_mask *m, struct window w)
{
    const int cols = m->grid.cols;
    for (int row = w.row0; row < w.row0 + w.rows; row++) {
        unsigned char *cell = m->cell + (size_t)row * (size_t)cols, in = 0, any = 0;
        for (int col = w.col0; col < cols && (col < w.col0 + w.cols || in); col++) {
            in ^= (cell[col] & CHANGE) != 0;
            any |= in;
            cell[col] = (unsigned char)((cell[col] & INSIDE) | in);
        }
        if (any) note_row(m, row);
    }
}

void cell_mask_fill(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f)
{
    const struct vector_part *p = v->part + f->first, *end = p + f->count;
    while (p < end) {
        const int polygon = p->polygon;
        struct window changes = {0};
        for (; p < end && p->polygon == polygon; p++)
            for (int i = p->first + 1; i < p->first + p->count; i++)
                draw_edge(m, &changes, v->xy[i - 1], v->xy[i]);
        fill_changes(m, changes);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void set_cell(struct cell_mask *m, double row, double col)
{
    if (!(row >= 0 && col >= 0 && row < m->grid.rows && col < m->grid.cols)) return;
    m->cell[(size_t)row * (size_t)m->grid.cols + (size_t)col] = INSIDE;
    note_row(m, (int)row);
}

/* Converts a position to cells (row, column) from the north-west corner. */
static void to_grid(const struct vector_grid *g, const double xy[2], double at[2])
{
    at[0] = (g->geo->south_m + g->rows * g->geo->cell_m - xy[1]) / g->geo->cell_m;
    at[1] = (xy[0] - g->geo->west_m) / g->geo->cell_m;
}

/* Sets all cells that a line passes. Between two crossings with grid lines the line is in one cell, which contains the
 * middle of the two crossings. */
static void draw_segment(struct cell_mask *m, const double from[2], const double to[2])
{
    const double end[2] = {m->grid.rows, m->grid.cols};
    double a[2], b[2], t[2];
    to_grid(&m->grid, from, a);
    to_grid(&m->grid, to, b);
    if (!measure_cut(a, b, end, t)) return;
    const double rows = b[0] - a[0], cols = b[1] - a[1];
    double now = t[0];
    set_cell(m, floor(a[0] + now * rows), floor(a[1] + now * cols));
    while (now < t[1]) {
        const double row = a[0] + now * rows, col = a[1] + now * cols;
        double next = t[1];
        if (rows != 0)
            next = fmin(next, ((rows > 0 ? floor(row) + 1 : ceil(row) - 1) - a[0]) / rows);
        if (cols != 0)
            next = fmin(next, ((cols > 0 ? floor(col) + 1 : ceil(col) - 1) - a[1]) / cols);
        if (!(next > now)) next = nextafter(now, 2); /* rounding gave the same crossing again */
        const double middle = (now + next) / 2;
        set_cell(m, floor(a[0] + middle * rows), floor(a[1] + middle * cols));
        now = next;
    }
}

/* Sets the cell of a point. A point on an edge is in the eastern or northern cell, as vents are. */
static void set_point(struct cell_mask *m, const double xy[2])
{
    const struct georef *geo = m->grid.geo;
    set_cell(m, m->grid.rows - 1 - floor((xy[1] - geo->south_m) / geo->cell_m),
             floor((xy[0] - geo->west_m) / geo->cell_m));
}

void cell_mask_trace(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f)
{
    for (int i = f->first; i < f->first + f->count; i++) {
        const struct vector_part *p = &v->part[i];
        double(*xy)[2] = v->xy + p->first;
        if (p->count == 1) set_point(m, xy[0]);
        for (int k = 1; k < p->count; k++) draw_segment(m, xy[k - 1], xy[k]);
    }
}

/* ---- bands ----------------------------------------------------------------------------------- */

__extension__ typedef __int128 wide;

enum { UNIT = 4096 }; /* parts of a cell's side */

/* A position, in 1/UNIT of a cell, east and south of the north-west corner. */
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

/* Whether the centre of a cell is at most `reach` from a line. On a mirrored grid only the sign of
 * `away` differs. A double is rounded in the same way for both signs, so the result is the same. */
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

/* Finds the first and the last column in which the row can have cells of the band around the line from a to b. */
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

static void draw_line(struct cell_mask *m, struct spot a, struct spot b, int64_t reach)
{
    const double room = (double)reach + UNIT;
    const int first = cell_at((double)least(a.y, b.y) - room, m->grid.rows),
              last = cell_at((double)most(a.y, b.y) + room, m->grid.rows);
    for (int row = first; row <= last; row++) {
        int range[2];
        columns_of(a, b, row, reach, m->grid.cols, range);
        for (int col = range[0]; col <= range[1]; col++) {
            if (touches(a, b, row, col) || is_near(a, b, row, col, reach)) set_cell(m, row, col);
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
            draw_line(m, spot_of(&m->grid, xy[k ? k - 1 : 0]), spot_of(&m->grid, xy[k]), reach);
    }
}

/* Adds cells at all corners at which two present cells touch diagonally; returns whether there was such a corner. */
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

struct box {
    double low[2], high[2];
};

static bool cut_axis(double a, double b, double end, double t[2])
{
    if (a == b) return a >= 0 && a <= end;
    const double first = (0 - a) / (b - a), second = (end - a) / (b - a);
    t[0] = fmax(t[0], fmin(first, second));
    t[1] = fmin(t[1], fmax(first, second));
    return t[0] <= t[1];
}

bool measure_cut(const double a[2], const double b[2], const double end[2], double t[2])
{
    t[0] = 0;
    t[1] = 1;
    return cut_axis(a[0], b[0], end[0], t) && cut_axis(a[1], b[1], end[1], t);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static double length_inside(const double a[2], const double b[2], const struct box *box,
                            double length)
{
    double t[2], from[2], to[2], end[2];
    for (int k = 0; k < 2; k++) {
        from[k] = a[k] - box->low[k];
        to[k] = b[k] - box->low[k];
        end[k] = box->high[k] - box->low[k];
    }
    return measure_cut(from, to, end, t) ? length * (t[1] - t[0]) : 0;
}

/* ---- all features ---------------------------------------------------------------------------- */

static bool is_inside(const double xy[2], const struct box *box)
{
    return xy[0] >= box->low[0] && xy[0] < box->high[0] && xy[1] >= box->low[1] &&
           xy[1] < box->high[1];
}

static void measure_line(struct vectors_about *a, double (*xy)[2], int count, const struct box *box)
{
    a->count[VECTOR_LINE]++;
    for (int i = 1; i < count; i++) {
        const double length = hypot(xy[i][0] - xy[i - 1][0], xy[i][1] - xy[i - 1][1]);
        a->size[VECTOR_LINE] += length;
        if (box) a->inside[VECTOR_LINE] += length_inside(xy[i - 1], xy[i], box, length);
    }
}

/* Measures points and lines of a feature; returns whether a part of the feature is in the box. */
static bool measure_feature(struct vectors *v, const struct vector_feature *f,
                            const struct box *box)
{
    struct vectors_about *a = &v->about;
    const double before = a->inside[f->kind];
    int polygon = -1;
    for (int i = f->first; i < f->first + f->count; i++) {
        const struct vector_part *p = &v->part[i];
        if (f->kind == VECTOR_AREA) {
            a->count[VECTOR_AREA] += i == f->first || p->polygon != polygon;
            polygon = p->polygon;
        } else if (f->kind == VECTOR_LINE) {
            measure_line(a, v->xy + p->first, p->count, box);
        } else {
            a->count[VECTOR_POINT]++;
            a->size[VECTOR_POINT]++;
            if (box) a->inside[VECTOR_POINT] += is_inside(v->xy[p->first], box);
        }
    }
    return a->inside[f->kind] > before;
}

int measure(struct vectors *v, const struct vector_grid *g, struct error *e)
{
    struct vectors_about *a = &v->about;
    struct box box = {{0}, {0}};
    FREED bool *touches = calloc((size_t)v->features + 1, sizeof *touches);
    if (!touches) return error_memory(e);
    if (g)
        box = (struct box){{g->geo->west_m, g->geo->south_m},
                           {g->geo->west_m + g->cols * g->geo->cell_m,
                            g->geo->south_m + g->rows * g->geo->cell_m}};
    a->features = v->features;
    a->placed = g != NULL;
    a->west = a->south = INFINITY;
    a->east = a->north = -INFINITY;
    for (int i = 0; i < v->positions; i++) {
        a->west = fmin(a->west, v->xy[i][0]);
        a->east = fmax(a->east, v->xy[i][0]);
        a->south = fmin(a->south, v->xy[i][1]);
        a->north = fmax(a->north, v->xy[i][1]);
    }
    if (!areas_add(v, box.low, box.high, &a->size[VECTOR_AREA], &a->inside[VECTOR_AREA], touches))
        return error_memory(e);
    for (int i = 0; i < v->features; i++) {
        const bool there = measure_feature(v, &v->feature[i], g ? &box : NULL) || touches[i];
        a->outside += g && !there;
    }
    return 0;
}
