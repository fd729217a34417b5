#include "draw_cells.h"

#include "measure.h"

#include <limits.h>
#include <math.h>

/* While a polygon is being drawn, bit 2 of a cell marks a change of the row between inside and
 * outside. */
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

struct changes {
    int row_min, row_max, col_min, col_max;
};

/* Marks where the edge crosses the line through the centres of each row: the first cell with its
 * centre on or right of the crossing. Rows with their centre in [y low, y high) count, so that a
 * corner belongs to exactly one of its two edges. */
static void draw_edge(struct cell_mask *m, struct changes *c, const double a[2], const double b[2])
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
        if (row < c->row_min) c->row_min = row;
        if (row > c->row_max) c->row_max = row;
        if (col < c->col_min) c->col_min = col;
        if (col > c->col_max) c->col_max = col;
    }
}

/* Turns the changes into cells inside, and takes them away. */
static void fill_changes(struct cell_mask *m, const struct changes *c)
{
    const int cols = m->grid.cols;
    for (int row = c->row_min; row <= c->row_max; row++) {
        unsigned char *cell = m->cell + (size_t)row * (size_t)cols, in = 0, any = 0;
        for (int col = c->col_min; col < cols && (col <= c->col_max || in); col++) {
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
        struct changes c = {INT_MAX, -1, INT_MAX, -1};
        for (; p < end && p->polygon == polygon; p++)
            for (int i = p->first + 1; i < p->first + p->count; i++)
                draw_edge(m, &c, v->xy[i - 1], v->xy[i]);
        fill_changes(m, &c);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void set_cell(struct cell_mask *m, double row, double col)
{
    if (!(row >= 0 && col >= 0 && row < m->grid.rows && col < m->grid.cols)) return;
    m->cell[(size_t)row * (size_t)m->grid.cols + (size_t)col] = INSIDE;
    note_row(m, (int)row);
}

/* In cells from the north-west corner. */
static void to_grid(const struct vector_grid *g, const double xy[2], double at[2])
{
    at[0] = (g->geo->south_m + g->rows * g->geo->cell_m - xy[1]) / g->geo->cell_m;
    at[1] = (xy[0] - g->geo->west_m) / g->geo->cell_m;
}

/* All cells that a line passes: between two crossings of lines of the grid it is in one cell, that
 * of their middle. */
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
        if (!(next > now)) next = nextafter(now, 2); /* by rounding: the crossing it has just had */
        const double middle = (now + next) / 2;
        set_cell(m, floor(a[0] + middle * rows), floor(a[1] + middle * cols));
        now = next;
    }
}

/* On an edge between two cells it is in the eastern or northern one, as vents are. */
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
