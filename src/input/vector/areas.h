/* areas.h — how large polygons are, as they are drawn: even-odd within each, all polygons joined. */
#pragma once

#include "vectors.h"

/* Adds the area of all polygons, and of their part between low and high (x, y); touches[feature] becomes true if a
 * polygon of the feature has a part there (NULL: not needed). False: out of memory. */
bool areas_add(const struct vectors *v, const double low[2], const double high[2], double *all,
               double *inside, bool *touches);
