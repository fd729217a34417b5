/* fit.h — how well a simulated flow covers an observed one. */
#pragma once

#include "sciara.h"

#include "sim/problem.h"

#include <stdbool.h>
#include <stddef.h>

struct fit_cell {
    int row, col;
};

struct fit_input {
    int rows, cols;
    double cell_m;
    const double *thickness_m;     /* rows*cols; above 0 where there is lava */
    const unsigned char *observed; /* rows*cols, nonzero inside the outline */
    const double *elevation_m;     /* rows*cols, NaN: no data; NULL: unknown */
    /* the part of the grid with known elevations; known.rows 0: the whole grid */
    struct window known;
    double beyond_m2; /* area of the outline outside the grid */
    /* volume that left the grid; NaN: not known, so the flow counts as cut off by the grid if lava is near the edge */
    double left_m3;
    int vent_count; /* 0: unknown, so distances are measured from the highest observed cell */
    const struct fit_cell *vents;
};

void fit_compute(struct sciara_overlap *fit, const struct fit_input *in);

/* ---- how two grids of the same size differ --------------------------------------------------- */

/* absent_is_zero: a cell without data counts as 0, because a raster of thicknesses has no data where there is no lava.
 * Without absent_is_zero only cells with data in both grids are compared. */
void compare_values(struct sciara_difference *d, const double *a, const double *b, size_t n,
                    bool absent_is_zero);

/* Whether the file name is that of a raster of thicknesses, in which no data means 0. */
bool compare_absent_is_zero(const char *path);
