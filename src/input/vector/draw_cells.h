/* draw_cells.h — features as cells of a grid. */
#ifndef SCIARA_VECTOR_DRAW_CELLS_H
#define SCIARA_VECTOR_DRAW_CELLS_H

#include "vectors.h"

/* Bytes of 0 and 1, rows*cols from the north-west. What is drawn is added. */
struct cell_mask {
    unsigned char *cell;
    struct vector_grid grid;
    int row_min, row_max; /* of what was drawn; row_min > row_max: nothing */
};
struct cell_mask cell_mask_on(unsigned char *cell, const struct vector_grid *grid);

/* Cells whose centre lies in a polygon of the feature: even-odd within each, all polygons joined.
 */
void cell_mask_fill(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f);

/* All cells that its points lie in, its lines pass, the edges of its polygons pass. */
void cell_mask_trace(struct cell_mask *m, const struct vectors *v, const struct vector_feature *f);

#endif
