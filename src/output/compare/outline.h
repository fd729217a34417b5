/* outline.h — the observed outline of a flow, as cells of a grid. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"
#include "sim/problem.h"

#include <stdint.h>

/* Reads a raster (inside: value > 0) or polygons of a vector file (vectors.h); the content decides
 * which it is. A cell is inside if its centre is; holes and what lies in several rings of one
 * polygon count by the even-odd rule. *inside gets rows*cols bytes, 1 inside and 0 outside, from
 * the north-west, malloc'ed. ERROR_INPUT if no cell of the grid is inside. */
int outline_read(unsigned char **inside, const char *path, int rows, int cols,
                 const struct georef *geo, struct error *e);

/* The smallest window of the grid that has all of the outline and a cell around. If the outline
 * lies outside, it is the window of the cell nearest to it. */
int outline_window(struct window *w, const char *path, int rows, int cols, const struct georef *geo,
                   struct error *e);

/* outline_read() that also says how much of the outline lies outside the grid: an area, to a cell's precision along
 * its edge (to a two-thousandth of the outline's size where that is coarser). */
int outline_read_beyond(unsigned char **inside, double *beyond_m2, const char *path, int rows,
                        int cols, const struct georef *geo, struct error *e);

/* ---- how far two outlines are apart, in metres ----------------------------------------------- */

/* A cell is on an outline if it is inside and one of its four neighbours is not. Distances are between the middles of such a
 * cell and of the nearest one on the other outline; their squares, in cells, are whole numbers, and so exact. */

/* What a cell belongs to, or'ed. An UNKNOWN cell, like a cell beyond the grid, counts as no neighbour. */
enum { DISTANCE_A = 1, DISTANCE_B = 2, DISTANCE_UNKNOWN = 4 };

struct outline_distance {
    double mean_m; /* over the cells on both outlines; INFINITY: one of them has no cell */
    double p95_m;  /* at least 95 % of the cells of either outline are at most this far from the
                    * other outline */
};

/* cell has rows * cols bytes. Two outlines without a cell are 0 apart. */
int outline_distance(struct outline_distance *d, const unsigned char *cell, int rows, int cols,
                     double cell_m, struct error *e);

/* The squared distance, in cells, of each cell to the nearest for which `mark` is not 0;
 * DISTANCE_NONE: there is none. In O(rows * cols). */
#define DISTANCE_NONE INT64_MAX
int distance_transform(int64_t *squared, const unsigned char *mark, int rows, int cols,
                       struct error *e);
