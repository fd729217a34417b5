/* areas.h — how large polygons are, as they are drawn: even-odd within each, all polygons joined. */
#pragma once

#include "vectors.h"

/* Adds the area of all polygons, and of what of it lies between low and high (x, y); touches[features] (NULL: not asked
 * for) becomes true where a polygon of the feature lies there in part. False: out of memory. */
bool areas_add(const struct vectors *v, const double low[2], const double high[2], double *all,
               double *inside, bool *touches);
