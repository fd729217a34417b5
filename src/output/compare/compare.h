/* compare.h — how two grids of the same size differ. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct difference {
    size_t cells;  /* compared */
    size_t differ; /* cells whose bits differ; data in one only counts, all NaN are alike */
    size_t missing_a, missing_b; /* cells with data in the other one only */
    double largest;              /* |a - b| */
    size_t largest_at;           /* first cell of it */
    double l1;                   /* sum of |a - b| */
    double l1_relative;          /* l1 / sum of |a|; NaN if that is 0 */
    size_t both, either;         /* cells > 0 in both, in either: the footprints */
    double overlap;              /* both / either; NaN if there are none */
    bool empty;                  /* neither has a cell that is not 0: equal, but meaningless */
};

/* absent_is_zero: a cell without data counts as 0 for the numbers (as for a thickness, where no
 * lava is 0 m); otherwise numbers are only about cells with data in both. */
void compare_values(struct difference *d, const double *a, const double *b, size_t n,
                    bool absent_is_zero);

/* Whether no data means 0 in a raster of this file name: thicknesses. */
bool compare_absent_is_zero(const char *path);
