/* extent.h — the part of the domain that layers, maps and exports show: the cells that lava came
 * to, vents and the observed outline, with a margin. Its edges lie on multiples of EXTENT_BLOCK
 * cells of the domain or on its edge, so that it grows in few steps and files of different extents
 * have the same cells. */
#pragma once

#include "sim/fields.h"

enum output_extent {
    OUTPUT_EXTENT_BY_SIZE, /* that of the flow in a domain of more than EXTENT_FULL_MOST cells */
    OUTPUT_EXTENT_FLOW,
    OUTPUT_EXTENT_FULL, /* the whole domain */
    OUTPUT_EXTENTS
};

enum { EXTENT_FULL_MOST = 1 << 20, EXTENT_BLOCK = 64, EXTENT_MARGIN = 16 };

/* A reach is the smallest window with all cells so far; rows 0: there is no cell yet. */
void reach_add(struct window *reach, int row, int col);
/* Cells with lava now or before, and vents. */
void reach_add_fields(struct window *reach, const struct fields *f);
void reach_add_vents(struct window *reach, const struct problem *p);

/* The extent by that rule; without a reach, that of the middle of the domain. */
bool extent_is_full(enum output_extent rule, const struct problem *p);
struct window extent_around(struct window reach, enum output_extent rule, const struct problem *p);
