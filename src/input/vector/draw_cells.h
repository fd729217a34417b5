/* draw_cells.h — draws features as cells of a grid. */
#pragma once

#include "vectors.h"

/* A set of cells. `cell` has rows*cols bytes of 0 or 1, from the north-west, and belongs to the caller. Drawing adds
 * cells. */
struct cell_mask {
    unsigned char *cell;
    struct vector_grid grid;
    int row_min, row_max; /* rows that have cells; row_min > row_max: none */
};
struct cell_mask cell_mask_on(unsigned char *cell, const struct vector_grid *grid);

/* Adds all cells with their centre in a polygon of the feature. The rings of a polygon follow the even-odd rule; the
 * polygons are joined. */
void cell_mask_fill(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f);

/* Draws all cells that points, lines and edges of polygons of the feature touch. */
void cell_mask_trace(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f);

/* ---- bands through which no diagonal step leads ---------------------------------------------- */

/* Positions are first rounded to whole 4096ths of a cell. The comparisons that then choose cells have the same results
 * if line and grid are mirrored or turned together. So the cells are mirrored or turned, too. */

/* Draws bands along lines and the edges of polygons. A band has all cells that touch the line, even those that touch it
 * only at a corner, so each cell shares an edge with the next. It also has all cells with their centre at most half of
 * width_m from the line. */
void cell_mask_band(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f,
                    double width_m);

/* Wherever two cells touch only at a corner, adds the two other cells at this corner. Repeats this until no such corner
 * is left. */
void cell_mask_tighten(struct cell_mask *m);

/* ---- lengths and areas of features, and the parts on the terrain ----------------------------- */

/* Adds the area of all polygons, joined as by cell_mask_fill(), to *all. Adds the area of their part in the rectangle
 * from `low` to `high` (x, y) to *inside. touches[feature] becomes true if a polygon of the feature has a part in the
 * rectangle. False: out of memory. */
bool areas_add(const struct vectors *v, const double low[2], const double high[2], double *all,
               double *inside, bool *touches);

/* Writes counts and sizes to v->about and, unless `grid` is NULL, the sizes of the parts on the grid. */
int measure(struct vectors *v, const struct vector_grid *grid, struct error *e);

/* Finds the part of the straight line from a to b in the rectangle from 0 to `end`. t[0] and t[1]: where the part
 * begins and ends, as shares of the line from a. False: the line has no part in the rectangle. */
bool measure_cut(const double a[2], const double b[2], const double end[2], double t[2]);
