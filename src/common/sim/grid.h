/* grid.h — the layout of a window in memory: structure of arrays, padded rows, a ghost ring.
 *
 * Row r, column c of the window is element (r + 1) * stride + c + GRID_LEFT. Rows are padded so
 * that column 0 of each lies on a 128-byte boundary, and to whole tiles of the variant, so that a
 * tile never has to test whether a cell exists: a cell that does not exist is a wall (physics.h).
 * The ring of one cell around the window belongs to the padding; if the domain continues beyond the
 * window, the ring has real terrain. */
#ifndef SCIARA_GRID_H
#define SCIARA_GRID_H

#include "fields.h"

#include <stddef.h>
#include <stdint.h>

enum { GRID_LEFT = 16 };

enum cell_flag {
    CELL_BORDER = 1, /* on the edge of the domain or next to a cell without data */
    CELL_VENT = 2,
    CELL_VOID = 4, /* not a cell of the window, or without data */
    CELL_SHORE = 8 /* of the border: what leaves it goes into the sea, which is next to it */
};

struct grid {
    int rows, cols;
    int tiles_down, tiles_across;
    int stride; /* elements from one row to the next; a multiple of GRID_LEFT */
    int size;   /* elements of one array */
};

/* A window of rows x cols cells, in tiles of tile_rows x tile_cols. */
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

/* All elements of an array but the last GRID_LEFT, which are filled with the last row. */
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

/* Fill a part of a padded array (g.size elements, made by the caller) with the state in which the
 * steps of a problem begin: p->from where it has cells, elsewhere the initial state. The part is in
 * rows and columns of the window, and may reach into the padding: grid_all() is all of the array. */
typedef void grid_fill(const struct grid *g, const struct problem *p, struct window part,
                       double *out);
grid_fill grid_fill_elevation, grid_fill_thickness, grid_fill_temp, grid_fill_solid,
    grid_fill_max_thickness, grid_fill_max_temp;
/* The elevation that lava reached at its thickest, z + h; that of the ground where it never was. */
grid_fill grid_fill_highest;
void grid_fill_arrival(const struct grid *g, const struct problem *p, struct window part,
                       int32_t *out);
void grid_fill_flag(const struct grid *g, const struct problem *p, struct window part,
                    uint8_t *flag);

/* CELL_BORDER, and CELL_SHORE with it, of a cell of the domain that has data. */
uint8_t grid_border_flag(const struct problem *p, int row, int col);

/* Fill all of it with an array over the domain; NULL: with 0. */
void grid_fill_value(const struct grid *g, const struct problem *p, const double *value,
                     double *out);

/* Copy a part of the window from a padded array, 8 or 4 bytes an element, into a row-major one. */
void grid_unpad(const struct grid *g, struct window part, const void *padded, size_t element,
                void *out);

/* *out becomes the state *f of the problem in another window of its domain, whose terrain is read: cells
 * outside the window of *f are as at the beginning. On an error *out is all zero. */
int fields_in(struct fields *out, const struct fields *f, const struct problem *p, struct window w,
              struct error *e);

/* Completes a state of all of the window that has elevations, of walls too, and in max_thickness_m those of
 * grid_fill_highest(): both differ from the ground at the beginning by lava, exactly. */
void grid_lava_on_ground(const struct grid *g, const struct problem *p, struct fields *f);

/* In a part of an unpadded row-major array of elevations: walls become NaN. */
void grid_walls_to_nan(const struct grid *g, struct window part, double *elevation_m);

#ifdef __cplusplus
}
#endif

#endif
