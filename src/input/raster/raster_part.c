/* raster_part.c — rasters of parts of one grid: where they lie in it, and onto another part. */
#include "raster.h"

#include "sim/window.h"

#include <math.h>
#include <stdlib.h>

static double north_of(const struct raster *r)
{
    return r->geo.south_m + r->rows * r->geo.cell_m;
}

bool raster_offset(const struct raster *a, const struct raster *b, int *row0, int *col0)
{
    const double cell = a->geo.cell_m, side = fmax(fmax(a->rows, a->cols), fmax(b->rows, b->cols));
    const double down = (north_of(a) - north_of(b)) / cell,
                 across = (b->geo.west_m - a->geo.west_m) / cell, row = floor(down + 0.5),
                 col = floor(across + 0.5);
    if (!(fabs(cell - b->geo.cell_m) * side <= 1e-3 * cell && fabs(down - row) <= 1e-3 &&
          fabs(across - col) <= 1e-3 && fabs(row) < 1e9 && fabs(col) < 1e9))
        return false;
    *row0 = (int)row;
    *col0 = (int)col;
    return true;
}

struct raster raster_join(const struct raster *a, const struct raster *b, bool common)
{
    int row0 = 0, col0 = 0;
    struct raster all = {.geo = a->geo};
    raster_offset(a, b, &row0, &col0);
    const struct window of_a = {0, 0, a->rows, a->cols}, of_b = {row0, col0, b->rows, b->cols},
                        w = common ? window_common(of_a, of_b) : window_of_both(of_a, of_b);
    all.rows = w.rows;
    all.cols = w.cols;
    all.geo.west_m += w.col0 * all.geo.cell_m;
    all.geo.south_m -= (w.row0 + w.rows - a->rows) * all.geo.cell_m;
    return all;
}

int raster_move(struct raster *r, const char *path, const struct raster *grid, const char *name,
                struct error *e)
{
    const size_t cells = (size_t)grid->rows * (size_t)grid->cols;
    int row0, col0;
    if (!raster_offset(grid, r, &row0, &col0)) return raster_same_grid(grid, name, r, path, e);
    if (!row0 && !col0 && r->rows == grid->rows && r->cols == grid->cols) return 0;
    double *value = malloc((cells + 1) * sizeof *value);
    if (!value) return error_memory(e);
    r->missing = 0;
    for (size_t i = 0; i < cells; i++) {
        const int row = (int)(i / (size_t)grid->cols) - row0,
                  col = (int)(i % (size_t)grid->cols) - col0;
        const bool there = row >= 0 && row < r->rows && col >= 0 && col < r->cols;
        value[i] = there ? r->value[(size_t)row * (size_t)r->cols + (size_t)col] : (double)NAN;
        r->missing += isnan(value[i]) != 0;
    }
    free(r->value);
    r->value = value;
    r->rows = grid->rows;
    r->cols = grid->cols;
    r->geo.west_m = grid->geo.west_m;
    r->geo.south_m = grid->geo.south_m;
    return 0;
}
