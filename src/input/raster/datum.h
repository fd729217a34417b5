/* datum.h — finds whether two grids of heights have the same zero and the same unit. The comparison uses medians over
 * the cells, so new lava on less than half of the cells hardly changes its result. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum datum_is { DATUM_SAME, DATUM_NEAR, DATUM_SHIFTED, DATUM_IN_FEET };
struct datum {
    bool known;            /* enough cells have a height in both grids */
    enum datum_is is;      /* NEAR: a small shift; SHIFTED: another vertical datum */
    double shift_m, ratio; /* medians over the cells: other - ground; other / ground */
};

/* Compares two arrays of `cells` heights; NaN: unknown. `ground` NULL: 0 everywhere. If less than a quarter of the
 * cells have both heights, as in a survey that has only lava, `known` becomes false, and `is` is DATUM_SAME. */
int datum_compare(struct datum *d, const double *other, const double *ground, size_t cells,
                  struct error *e);
