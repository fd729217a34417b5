/* grid.h — the layout of a window in memory: structure of arrays, padded rows, a ghost ring.
 *
 * Row r, column c of the window is element (r + 1) * stride + c + GRID_LEFT. Padding before each
 * row puts its column 0 on a 128-byte boundary. Padding after the rows and columns completes the
 * tiles of the variant. Padding cells are walls (physics.h), so that a tile never has to test
 * whether a cell exists. The ring of one cell around the window is part of the padding. Where the
 * domain continues outside the window, the ring has real terrain. */
#ifndef SCIARA_GRID_H
#define SCIARA_GRID_H

#include "fields.h"

#include <stddef.h>
#include <stdint.h>

enum { GRID_LEFT = 16 };

enum cell_flag {
    CELL_BORDER = 1, /* on the edge of the domain or next to a cell without data */
    CELL_VENT = 2,
    CELL_VOID = 4, /* outside the window, or without data */
    CELL_SHORE = 8 /* a border cell next to the sea: lava that leaves it enters the sea */
};

struct grid {
    int rows, cols;
    int tiles_down, tiles_across;
    int stride; /* elements from one row to the next; a multiple of GRID_LEFT */
    int size;   /* elements of one array */
};

/* Lays out a window of rows x cols cells in tiles of tile_rows x tile_cols cells. */
static inline struct grid grid_create(int rows, int cols, int tile_rows, int tile_cols)
{
    struct grid g;
    g.rows = rows;
    g.cols = cols;
    g.tiles_down = (rows + tile_rows - 1) / tile_rows;
    g.tiles_across = (cols + tile_cols - 1) / tile_cols;
    int width = g.tiles_across * tile_cols;
    if (width == cols) width++; /* room for the ghost column in the east */
    g.stride = GRID_LEFT + (width + GRID_LEFT - 1) / GRID_LEFT * GRID_LEFT;
    g.size = (g.tiles_down * tile_rows + 2) * g.stride + GRID_LEFT;
    return g;
}

/* All elements of an array except the last GRID_LEFT elements. A function that fills the last row also fills these
 * elements. */
static inline struct window grid_all(const struct grid *g)
{
    struct window w = {-1, -GRID_LEFT, (g->size - GRID_LEFT) / g->stride, g->stride};
    return w;
}

static inline struct window grid_cells(const struct grid *g)
{
    struct window w = {0, 0, g->rows, g->cols};
    return w;
}

#if defined(__CUDACC__)
__host__ __device__
#endif
    static inline int
    grid_at(int stride, int row, int col)
{
    return (row + 1) * stride + col + GRID_LEFT;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Each function fills a part of a padded array with one field of the state before the first step of a problem. Cells
 * in the window of p->from have the state p->from, and all other cells the initial state. The caller allocates g->size
 * elements. The part is in rows and columns of the window and may include padding. The largest part is grid_all(). */
typedef void grid_fill(const struct grid *g, const struct problem *p, struct window part,
                       double *out);
grid_fill grid_fill_elevation, grid_fill_thickness, grid_fill_temp, grid_fill_solid,
    grid_fill_max_thickness, grid_fill_max_temp;
/* The largest z + h of lava in a cell; where lava never was, the elevation of the ground. */
grid_fill grid_fill_highest;
void grid_fill_arrival(const struct grid *g, const struct problem *p, struct window part,
                       int32_t *out);
void grid_fill_flag(const struct grid *g, const struct problem *p, struct window part,
                    uint8_t *flag);

/* The flags CELL_BORDER and CELL_SHORE of a cell of the domain that has data. */
uint8_t grid_border_flag(const struct problem *p, int row, int col);

/* Fills a whole padded array with the values of an array of the domain; NULL: with 0. */
void grid_fill_value(const struct grid *g, const struct problem *p, const double *value,
                     double *out);

/* Copies a part of the window from a padded array into an unpadded row-major array. element: bytes of an element, 8 or
 * 4. */
void grid_unpad(const struct grid *g, struct window part, const void *padded, size_t element,
                void *out);

/* Sets *out to the state *f of the problem, in another window w of the domain. Reads the terrain of w, as far as it was
 * not read before. Cells outside the window of *f get the initial state. On an error *out is all zero. */
int fields_in(struct fields *out, const struct fields *f, const struct problem *p, struct window w,
              struct error *e);

/* Computes solid_m and max_thickness_m of a whole window, as exact differences from the ground at the beginning.
 * Before the call, elevation_m has elevations, walls included, and max_thickness_m has the elevations of
 * grid_fill_highest(). */
void grid_lava_on_ground(const struct grid *g, const struct problem *p, struct fields *f);

/* Replaces walls by NaN in a part of an unpadded row-major array of elevations. */
void grid_walls_to_nan(const struct grid *g, struct window part, double *elevation_m);

#ifdef __cplusplus
}
#endif

#endif
