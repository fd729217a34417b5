/* outline_distance.h — how far two outlines of cells are apart, in metres.
 *
 * A cell is on an outline if it is inside, and one of its four neighbours is not. Each cell on
 * either outline has a distance to the nearest one on the other, between their middles: exact, from
 * squares that are whole numbers of cells. */
#ifndef SCIARA_OUTLINE_DISTANCE_H
#define SCIARA_OUTLINE_DISTANCE_H

#include "base/error.h"

#include <stdint.h>

/* What a cell is, added up. UNKNOWN: of no use as a neighbour, as what lies beyond the grid is. */
enum { DISTANCE_A = 1, DISTANCE_B = 2, DISTANCE_UNKNOWN = 4 };

struct outline_distance {
    double mean_m; /* over the cells on both outlines; INFINITY: one of them has no cell */
    double p95_m;  /* that 95 % of an outline's cells keep, for the outline that is farther off */
};

/* cell: rows * cols. Two outlines without a cell are 0 apart. */
int outline_distance(struct outline_distance *d, const unsigned char *cell, int rows, int cols,
                     double cell_m, struct error *e);

/* The squared distance, in cells, of each cell to the nearest for which `mark` is not 0;
 * DISTANCE_NONE: there is none. In O(rows * cols). */
#define DISTANCE_NONE INT64_MAX
int distance_transform(int64_t *squared, const unsigned char *mark, int rows, int cols,
                       struct error *e);

#endif
