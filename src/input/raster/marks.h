/* marks.h — finds an undeclared mark of no data: an extreme number of a raster, far from all other numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The least and the greatest stored number of a raster; how often each occurs; the nearest other number to each. */
struct raster_marks {
    struct raster_extreme {
        double value, next;
        size_t cells;
    } least, greatest;
};

#define RASTER_MARKS_NONE                                                                          \
    {                                                                                              \
        {INFINITY, INFINITY, 0},                                                                   \
        {                                                                                          \
            -INFINITY, -INFINITY, 0                                                                \
        }                                                                                          \
    }

/* Adds numbers of a raster; NaN: no data. */
void raster_marks_add(struct raster_marks *m, const double *value, size_t count);

/* Returns the extreme that marks no data, or NULL. A height in metres is a stored number times `ratio`; sides of
 * cells are about cell_m. `any`: any repeated number may be a mark, not only the usual marks of programs. */
const struct raster_extreme *raster_marks_find(const struct raster_marks *m, double ratio,
                                               double cell_m, bool any);
