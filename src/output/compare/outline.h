/* outline.h — the observed outline of a flow, as cells of a grid. */
#ifndef SCIARA_OUTLINE_H
#define SCIARA_OUTLINE_H

#include "base/error.h"
#include "raster/georef.h"
#include "sim/problem.h"

/* Reads a raster (inside: value > 0) or polygons of a vector file (vectors.h), told from the
 * content. A cell is inside if its centre is; holes and what lies in several rings of one
 * polygon count by the even-odd rule. *inside gets rows*cols bytes, 1 inside and 0 outside, from
 * the north-west, malloc'ed. ERROR_INPUT if no cell of the grid is inside. */
int outline_read(unsigned char **inside, const char *path, int rows, int cols,
                 const struct georef *geo, struct error *e);

/* The smallest window of the grid with all of it, and a cell around; that of the cell nearest to it
 * if it lies outside. */
int outline_window(struct window *w, const char *path, int rows, int cols, const struct georef *geo,
                   struct error *e);

/* The same as outline_read(), and how much of it lies outside the grid: an area, to a cell's precision along its edge
 * (to a two-thousandth of the outline's size where that is coarser). */
int outline_read_beyond(unsigned char **inside, double *beyond_m2, const char *path, int rows,
                        int cols, const struct georef *geo, struct error *e);

#endif
