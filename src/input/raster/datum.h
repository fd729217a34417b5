/* datum.h — whether two grids of heights count from the same zero, in the same unit. It compares medians, which lava
 * does not change as long as it covers less than half of the cells. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum datum_is { DATUM_SAME, DATUM_NEAR, DATUM_SHIFTED, DATUM_IN_FEET };
struct datum {
    bool known;            /* enough cells have both */
    enum datum_is is;      /* NEAR: a shift to be noted; SHIFTED: one of a datum */
    double shift_m, ratio; /* medians of other - ground and other / ground */
};

/* Compares two arrays of `cells`, NaN where a height is not known. `ground` NULL: 0 everywhere. If both are known in
 * less than a quarter of the cells, as in a survey of lava alone, `known` is false and they count as the same. */
int datum_compare(struct datum *d, const double *other, const double *ground, size_t cells,
                  struct error *e);
