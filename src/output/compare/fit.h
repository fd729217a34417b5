/* fit.h — how well a simulated flow covers an observed one. */
#pragma once

#include "sim/problem.h"

#include <stdbool.h>
#include <stddef.h>

struct fit_cell {
    int row, col;
};

struct fit_input {
    int rows, cols;
    double cell_m;
    const double *thickness_m;     /* rows*cols; lava where > 0 (NaN: none) */
    const unsigned char *observed; /* rows*cols, nonzero inside */
    const double *elevation_m;     /* rows*cols, NaN: no data; NULL: unknown */
    struct window known;           /* where it is known; rows 0: everywhere */
    double beyond_m2;              /* area of the outline that lies outside the grid */
    double
        left_m3; /* volume that has left the grid; NaN: unknown, then lava at its edge may have */
    int vent_count; /* 0: unknown; then distances count from the highest observed cell */
    const struct fit_cell *vents;
};

/* S: cells with simulated lava, R: cells observed. Ratios with nothing below them are NaN. */
struct fit {
    size_t both, only_simulated, only_observed; /* S and R, S without R, R without S */
    size_t simulated, observed, either;         /* S, R, S or R */
    double jaccard;                             /* |S and R| / |S or R|: e1 of the SCIARA papers */
    double jaccard_root;
    double precision;         /* |S and R| / |S| */
    double recall;            /* |S and R| / |R| */
    double f1;                /* 2 |S and R| / (|S| + |R|) */
    double over_m2, under_m2; /* areas of S without R and of R without S */
    double volume_m3;         /* of the simulated lava */
    double outside_m2;        /* area observed outside the grid, or where it has no terrain */
    double outside_share;     /* of all that was observed */
    bool runout_known;
    struct fit_cell
        source; /* where distances count from, if vents are unknown: of equally high cells
                             * the northernmost, then westernmost */
    double runout_simulated_m,
        runout_observed_m; /* farthest cell from its nearest source, straight-line distance */
    /* Both exclude everything outside the terrain: then a run-out is a lower bound, and the
     * difference is unknown. */
    bool simulated_cut, observed_cut;
    double runout_difference_m; /* simulated - observed; NaN where either is cut off */
};

void fit_compute(struct fit *fit, const struct fit_input *in);

/* ---- how two grids of the same size differ --------------------------------------------------- */

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
