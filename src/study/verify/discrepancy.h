/* discrepancy.h — the error of the model as a distance: how far real lava may be from the lava of members. The
 * probability of a cell becomes the mean over all cells within that distance; cells outside the grid count as 0 (S. E.
 * Theis, A. Hense, U. Damrath: Probabilistic precipitation forecasts from a deterministic model. Meteorol. Appl. 12,
 * 2005). The best distance of a list has the lowest mean log score over observed eruptions. This score is proper. Each
 * eruption counts equally. */
#pragma once

#include "verify.h"

/* The candidate distances, increasing. The first, 0, does not change the forecast. */
enum { DISCREPANCY_DISTANCES = 15 };
extern const double discrepancy_list_m[DISCREPANCY_DISTANCES];
#define DISCREPANCY_MOST_M 10000.0 /* the largest distance that a plan may give */

/* Running sums of the probabilities of a forecast, along each row of `box`. Outside the box all probabilities are 0. */
struct vicinity {
    int rows, cols; /* size of the grid */
    double cell_m;
    struct window box;
    uint64_t *sum;  /* box.rows * (box.cols + 1), in units of 2^-32 */
    int reach;      /* radius of the disc, in cells */
    int *half;      /* reach + 1 numbers: half the length of each row of the disc */
    uint64_t cells; /* number of cells in the disc */
};

/* *f is a forecast on a grid of rows * cols; its domain may be NULL. The distance is 0 until vicinity_set(). */
int vicinity_open(struct vicinity *s, const struct forecast *f, int rows, int cols, double cell_m,
                  struct error *e);
int vicinity_set(struct vicinity *s, double distance_m, struct error *e);
void vicinity_free(struct vicinity *s); /* all-zero is fine */

/* The mean probability within the distance, in units of 2^-32. `of` is a struct vicinity. */
uint64_t vicinity_count(const void *of, size_t cell);
#define VICINITY_WEIGHT (UINT64_C(1) << 32)

/* The forecast *f with the mean probabilities of *s in place of its own. */
struct forecast vicinity_forecast(const struct vicinity *s, const struct forecast *f);

struct discrepancy {
    int eruptions;
    double log_score[DISCREPANCY_DISTANCES]; /* for each distance, a sum over the eruptions */
};

/* Adds the scores of a forecast of one eruption, on its domain. */
int discrepancy_add(struct discrepancy *x, const struct forecast *f, struct error *e);

/* The index in discrepancy_list_m of the best distance; the shortest of equals. */
int discrepancy_best(const struct discrepancy *x);
