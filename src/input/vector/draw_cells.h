/* draw_cells.h — features as cells of a grid. */
#pragma once

#include "vectors.h"

/* Bytes of 0 and 1, rows*cols from the north-west. Drawing adds cells. */
struct cell_mask {
    unsigned char *cell;
    struct vector_grid grid;
    int row_min, row_max; /* of what was drawn; row_min > row_max: nothing */
};
struct cell_mask cell_mask_on(unsigned char *cell, const struct vector_grid *grid);

/* Cells with their centre in a polygon of the feature: even-odd within each, all polygons joined. */
void cell_mask_fill(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f);

/* Draws all cells that points, lines and edges of polygons of the feature touch. */
void cell_mask_trace(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f);

/* ---- bands, tight: no diagonal step leads through one ---------------------------------------- */

/* Positions are first rounded to whole 4096ths of a cell, and only integers, or one function of them, decide about a
 * cell. So lines that are mirrored or turned with their grid have the mirrored or turned cells. */

/* Along lines and the edges of polygons: all cells that touch them, with their edges and corners, so that each cell
 * shares an edge with the next; and all cells with their centre at most width_m / 2 from them. */
void cell_mask_band(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f,
                    double width_m);

/* Where two cells touch at a corner alone, adds the two cells next to both, until no such corner is left. */
void cell_mask_tighten(struct cell_mask *m);

/* ---- how long and how large features are, and how much of them lies on the terrain ----------- */

/* Adds the area of all polygons, as cell_mask_fill() draws them, and of their part between low and high (x, y);
 * touches[feature] becomes true if a polygon of the feature has a part there. False: out of memory. */
bool areas_add(const struct vectors *v, const double low[2], const double high[2], double *all,
               double *inside, bool *touches);

/* Fills in counts, sizes, and (grid not NULL) what is inside. */
int measure(struct vectors *v, const struct vector_grid *grid, struct error *e);

/* The part of the straight line from a to b, as t[0] to t[1] in 0 to 1, in the rectangle from 0 to
 * `end`. False: nothing. */
bool measure_cut(const double a[2], const double b[2], const double end[2], double t[2]);
