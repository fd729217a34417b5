/* draw_band.h — the cells of a band along a line, tight: no diagonal step leads through it.
 *
 * Positions are brought to whole 4096ths of a cell first, and all that decides about a cell are
 * integers or the same function of them. So lines that are mirrored or turned with their grid have
 * the mirrored or turned cells. */
#ifndef SCIARA_VECTOR_DRAW_BAND_H
#define SCIARA_VECTOR_DRAW_BAND_H

#include "draw_cells.h"

/* Along lines and the edges of polygons: all cells that touch them, with their edges and corners,
 * so that each cell shares an edge with the next; and all whose centre is at most width_m / 2 from
 * them. */
void cell_mask_band(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f,
                    double width_m);

/* Where two cells touch at a corner alone, adds the two beside it, until there are none. */
void cell_mask_tighten(struct cell_mask *m);

#endif
