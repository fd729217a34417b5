/* outline.h — the observed outline of a flow, as cells of a grid. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"
#include "sim/problem.h"

#include <stdint.h>

/* Reads the outline from a raster, where values above 0 are inside, or from polygons of a vector file (vectors.h). A cell
 * is inside if its centre is inside. Holes and overlaps of rings in a polygon follow the even-odd rule. *inside gets
 * rows*cols bytes, 1 inside and 0 outside, from the north-west, malloc'ed. ERROR_INPUT: no cell of the grid is inside. */
int outline_read(unsigned char **inside, const char *path, int rows, int cols,
                 const struct georef *geo, struct error *e);

/* The smallest window of the grid with the whole outline and one cell around it. If the outline is outside the grid, the
 * window has only the cell nearest to the outline. */
int outline_window(struct window *w, const char *path, int rows, int cols, const struct georef *geo,
                   struct error *e);

/* outline_read() that also finds the area of the outline outside the grid. The area of polygons is a sum over cells as
 * large as those of the grid. If the outline is more than 2,000 of these cells wide or high, larger cells are used. */
int outline_read_beyond(unsigned char **inside, double *beyond_m2, const char *path, int rows,
                        int cols, const struct georef *geo, struct error *e);

/* ---- how far two outlines are apart, in metres ----------------------------------------------- */

/* A cell is on the outline of a flow if it is inside, and at least one of its four neighbours is outside. A distance is
 * measured between the centres of a cell on one outline and of the nearest cell on the other. Squared distances, in
 * cells, are whole numbers, so they are exact. */

/* Bits of a cell: it is inside flow A, inside flow B, or not known. Cells that are not known or outside the grid do not
 * count as neighbours. */
enum { DISTANCE_A = 1, DISTANCE_B = 2, DISTANCE_UNKNOWN = 4 };

struct outline_distance {
    /* mean over all cells of both outlines: distance from the other outline; INFINITY: only one outline has cells */
    double mean_m;
    double p95_m; /* for each outline: at least 95 % of its cells are at most this far from the
                    * other outline */
};

/* cell: rows * cols bytes with the bits DISTANCE_A, DISTANCE_B and DISTANCE_UNKNOWN. If neither outline has cells, the
 * distance is 0. */
int outline_distance(struct outline_distance *d, const unsigned char *cell, int rows, int cols,
                     double cell_m, struct error *e);

/* The squared distance, in cells, from each cell to the nearest cell with a nonzero `mark`; DISTANCE_NONE: there is none.
 * The time is O(rows * cols). */
#define DISTANCE_NONE INT64_MAX
int distance_transform(int64_t *squared, const unsigned char *mark, int rows, int cols,
                       struct error *e);
