/* draw_cells.h — draws features as cells of a grid. */
#pragma once

#include "vectors.h"

/* Bytes of 0 and 1, rows*cols from the north-west. Drawing adds cells. */
struct cell_mask {
    unsigned char *cell;
    struct vector_grid grid;
    int row_min, row_max; /* rows that have cells; row_min > row_max: none */
};
struct cell_mask cell_mask_on(unsigned char *cell, const struct vector_grid *grid);

/* Cells with their centre in a polygon of the feature: even-odd within each, all polygons joined. */
void cell_mask_fill(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f);

/* Draws all cells that points, lines and edges of polygons of the feature touch. */
void cell_mask_trace(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f);

/* ---- bands, tight: no diagonal step leads through one ---------------------------------------- */

/* Positions are first rounded to whole 4096ths of a cell, and cells are chosen by integers, or by one function of
 * these. So a line that is mirrored or turned with its grid has the mirrored or turned cells. */

/* Draws bands along lines and the edges of polygons: all cells that touch them, even with a corner, so that each
 * cell shares an edge with the next, and all cells with their centre at most width_m / 2 away. */
void cell_mask_band(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f,
                    double width_m);

/* Wherever two cells touch only at a corner, adds the two cells next to both, until there is no such corner. */
void cell_mask_tighten(struct cell_mask *m);

/* ---- how long and how large features are, and how much of them lies on the terrain ----------- */

/* Adds the area of all polygons, joined as by cell_mask_fill(), to *all, and of their part between `low` and `high`
 * (x, y) to *inside. touches[feature] becomes true if a polygon of the feature has a part there. False: out of memory. */
bool areas_add(const struct vectors *v, const double low[2], const double high[2], double *all,
               double *inside, bool *touches);

/* Fills in counts, sizes and, unless `grid` is NULL, the parts on the grid. */
int measure(struct vectors *v, const struct vector_grid *grid, struct error *e);

/* Finds the part of the straight line from a to b in the rectangle from 0 to `end`: from t[0] to t[1], shares of the
 * line. False: there is none. */
bool measure_cut(const double a[2], const double b[2], const double end[2], double t[2]);
