/* measure.h — how long and how large features are, and how much of them lies on the terrain. */
#pragma once

#include "vectors.h"

/* Fills counts, sizes, and (grid not NULL) what is inside. Polygons that overlap count twice. */
int measure(struct vectors *v, const struct vector_grid *grid, struct error *e);

/* The part of the straight line from a to b, as t[0] to t[1] in 0 to 1, in the rectangle from 0 to
 * `end`. False: nothing. */
bool measure_cut(const double a[2], const double b[2], const double end[2], double t[2]);
