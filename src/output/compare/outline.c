#include "outline.h"

#include "raster/raster.h"
#include "text/textfile.h"
#include "vector/draw_cells.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct box {
    double west, south, east, north;
};

/* ---- polygons -------------------------------------------------------------------------------- */

/* A grid around all polygons and the cells of the given one, of the same cells where that is not
 * too many. */
static struct georef frame_of(const struct vectors_about *r, const struct georef *geo, int *rows,
                              int *cols)
{
    enum { CELLS_ACROSS = 2000 };
    const double cell = geo->cell_m;
    const double across = r->east - r->west, up = r->north - r->south;
    const double coarse = ceil(fmax(1, fmax(across, up) / cell / CELLS_ACROSS)) * cell;
    struct georef frame = *geo;
    frame.cell_m = coarse;
    frame.west_m += floor((r->west - geo->west_m) / coarse) * coarse;
    frame.south_m += floor((r->south - geo->south_m) / coarse) * coarse;
    *cols = (int)ceil((r->east - frame.west_m) / coarse) + 1;
    *rows = (int)ceil((r->north - frame.south_m) / coarse) + 1;
    return frame;
}

static bool is_on_grid(const struct georef *geo, int rows, int cols, double x, double y)
{
    return x >= geo->west_m && x < geo->west_m + cols * geo->cell_m && y >= geo->south_m &&
           y < geo->south_m + rows * geo->cell_m;
}

static void fill(unsigned char *inside, const struct vectors *v, const struct vector_grid *grid)
{
    struct cell_mask mask = cell_mask_on(inside, grid);
    for (int i = 0; i < v->features; i++) cell_mask_fill(&mask, v, &v->feature[i]);
}

static int measure_beyond(double *beyond_m2, const struct vectors *v, int rows, int cols,
                          const struct georef *geo, struct error *e)
{
    int wide, high;
    *beyond_m2 = 0;
    const struct georef frame = frame_of(&v->about, geo, &high, &wide);
    unsigned char *inside = calloc((size_t)high * (size_t)wide, 1);
    if (!inside) return error_memory(e);
    fill(inside, v, &(struct vector_grid){high, wide, &frame});
    for (int row = 0; row < high; row++)
        for (int col = 0; col < wide; col++) {
            const double x = frame.west_m + (col + 0.5) * frame.cell_m;
            const double y = frame.south_m + (high - row - 0.5) * frame.cell_m;
            if (inside[(size_t)row * (size_t)wide + (size_t)col] &&
                !is_on_grid(geo, rows, cols, x, y))
                *beyond_m2 += frame.cell_m * frame.cell_m;
        }
    free(inside);
    return 0;
}

static int fill_from_vectors(unsigned char *inside, double *beyond_m2, const char *path, int rows,
                             int cols, const struct georef *geo, struct error *e)
{
    const struct vector_grid grid = {rows, cols, geo};
    struct vectors v;
    int status = vectors_read(&v, path, &grid, VECTORS_TAKE_AREAS, NULL, e);
    if (status) return status;
    fill(inside, &v, &grid);
    if (beyond_m2) status = measure_beyond(beyond_m2, &v, rows, cols, geo, e);
    vectors_free(&v);
    return status;
}

/* ---- rasters --------------------------------------------------------------------------------- */

/* Each cell has the value of the raster at its centre, so that the grids may differ. */
static void sample(unsigned char *inside, const struct raster *r, int rows, int cols,
                   const struct georef *geo)
{
    const double north = geo->south_m + rows * geo->cell_m;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            if (raster_at(r, geo->west_m + (col + 0.5) * geo->cell_m,
                          north - (row + 0.5) * geo->cell_m) > 0)
                inside[(size_t)row * (size_t)cols + (size_t)col] = 1;
}

static double raster_beyond_m2(const struct raster *r, int rows, int cols, const struct georef *geo)
{
    size_t count = 0;
    for (int row = 0; row < r->rows; row++)
        for (int col = 0; col < r->cols; col++) {
            const double x = r->geo.west_m + (col + 0.5) * r->geo.cell_m;
            const double y = r->geo.south_m + (r->rows - row - 0.5) * r->geo.cell_m;
            count += r->value[(size_t)row * (size_t)r->cols + (size_t)col] > 0 &&
                     !is_on_grid(geo, rows, cols, x, y);
        }
    return (double)count * r->geo.cell_m * r->geo.cell_m;
}

static int fill_from_raster(unsigned char *inside, double *beyond_m2, const char *path, int rows,
                            int cols, const struct georef *geo, struct error *e)
{
    struct raster r;
    int status = raster_read(&r, path, 0, e);
    if (status) return status;
    status = raster_check_crs(&r, path, geo, e);
    if (!status) status = raster_check_values(&r, path, -RASTER_VALUE_MAX, RASTER_VALUE_MAX, e);
    if (!status) sample(inside, &r, rows, cols, geo);
    if (!status && beyond_m2) *beyond_m2 = raster_beyond_m2(&r, rows, cols, geo);
    raster_free(&r);
    return status;
}

/* Of the cells inside. */
static struct box raster_box(const struct raster *r)
{
    const struct georef *g = &r->geo;
    struct box b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int row = 0; row < r->rows; row++)
        for (int col = 0; col < r->cols; col++) {
            if (!(r->value[(size_t)row * (size_t)r->cols + (size_t)col] > 0)) continue;
            const double x = g->west_m + col * g->cell_m,
                         y = g->south_m + (r->rows - row - 1) * g->cell_m;
            b.west = fmin(b.west, x);
            b.south = fmin(b.south, y);
            b.east = fmax(b.east, x + g->cell_m);
            b.north = fmax(b.north, y + g->cell_m);
        }
    return b;
}

/* ---- either ---------------------------------------------------------------------------------- */

int outline_read(unsigned char **inside, const char *path, int rows, int cols,
                 const struct georef *geo, struct error *e)
{
    return outline_read_beyond(inside, NULL, path, rows, cols, geo, e);
}

static int read_box(struct box *b, const char *path, const struct vector_grid *grid,
                    struct error *e)
{
    struct raster r;
    struct vectors v;
    if (vectors_are_in(path)) {
        const int status = vectors_read(&v, path, grid, VECTORS_TAKE_AREAS, NULL, e);
        if (status) return status;
        *b = (struct box){v.about.west, v.about.south, v.about.east, v.about.north};
        vectors_free(&v);
        return 0;
    }
    int status = textfile_check_regular(path, "a raster or a vector file", e);
    if (!status) status = raster_read(&r, path, 0, e);
    if (status) return status;
    *b = raster_box(&r);
    raster_free(&r);
    return 0;
}

/* The cells of a row or column from `low` to `high`, counted from its beginning, and one more. */
static void enclose(int *first, int *count, double low, double high, int cells)
{
    low = fmin(fmax(floor(low) - 1, 0), cells - 1);
    high = fmin(fmax(ceil(high) + 1, low + 1), cells);
    *first = (int)low;
    *count = (int)(high - low);
}

int outline_window(struct window *w, const char *path, int rows, int cols, const struct georef *geo,
                   struct error *e)
{
    const struct vector_grid grid = {rows, cols, geo};
    const double cell = geo->cell_m, north = geo->south_m + rows * cell;
    struct box b;
    const int status = read_box(&b, path, &grid, e);
    if (status) return status;
    enclose(&w->row0, &w->rows, (north - b.north) / cell, (north - b.south) / cell, rows);
    enclose(&w->col0, &w->cols, (b.west - geo->west_m) / cell, (b.east - geo->west_m) / cell, cols);
    return 0;
}

int outline_read_beyond(unsigned char **inside, double *beyond_m2, const char *path, int rows,
                        int cols, const struct georef *geo, struct error *e)
{
    const size_t n = (size_t)rows * (size_t)cols;
    *inside = NULL;
    const bool vectors = vectors_are_in(path);
    int status = vectors ? 0 : textfile_check_regular(path, "a raster or a vector file", e);
    if (status) return status;
    *inside = calloc(n, 1);
    if (!*inside) return error_memory(e);
    status = vectors ? fill_from_vectors(*inside, beyond_m2, path, rows, cols, geo, e)
                     : fill_from_raster(*inside, beyond_m2, path, rows, cols, geo, e);
    if (!status && !memchr(*inside, 1, n))
        status = error_input(e,
                             "%s: no cell of the grid has its centre in the outline; correct "
                             "its coordinates, or name another file",
                             path);
    if (!status) return 0;
    free(*inside);
    *inside = NULL;
    return status;
}
