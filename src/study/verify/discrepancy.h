/* discrepancy.h — the error of the model as a distance: how far lava may come from where members have it. The probability of a
 * cell becomes the mean over the cells within that distance, with 0 outside the grid (S. E. Theis, A. Hense, U. Damrath:
 * Probabilistic precipitation forecasts from a deterministic model. Meteorol. Appl. 12, 2005). Of a list of distances, the
 * best is the one with the best mean log score, a proper score, over observed eruptions; each eruption counts equally. */
#pragma once

#include "verify.h"

/* The distances to choose from, increasing; the first, 0, leaves what the members have. */
enum { DISCREPANCY_DISTANCES = 15 };
extern const double discrepancy_list_m[DISCREPANCY_DISTANCES];
#define DISCREPANCY_MOST_M 10000.0 /* the largest that a plan may give */

/* A forecast as sums of probabilities along the rows of the box around its cells above 0. */
struct vicinity {
    int rows, cols; /* of the grid */
    double cell_m;
    struct window box;
    uint64_t *sum;  /* box.rows * (box.cols + 1), in units of 2^-32 */
    int reach;      /* radius of the disc, in cells */
    int *half;      /* reach + 1: half the length of the disc's rows */
    uint64_t cells; /* cells of the disc */
};

/* *f counts on a grid of rows * cols; its domain may be NULL. The distance is 0 until it is set. */
int vicinity_open(struct vicinity *s, const struct forecast *f, int rows, int cols, double cell_m,
                  struct error *e);
int vicinity_set(struct vicinity *s, double distance_m, struct error *e);
void vicinity_free(struct vicinity *s); /* all-zero is fine */

/* The mean probability within the distance, in units of 2^-32; of: a struct vicinity. */
uint64_t vicinity_count(const void *of, size_t cell);
#define VICINITY_WEIGHT (UINT64_C(1) << 32)

/* The forecast made of *f, on the same domain and with the same number of members. */
struct forecast vicinity_forecast(const struct vicinity *s, const struct forecast *f);

struct discrepancy {
    int eruptions;
    double log_score[DISCREPANCY_DISTANCES]; /* sums over the eruptions, by distance */
};

/* Adds the forecast of an eruption, on the cells where it is verified. */
int discrepancy_add(struct discrepancy *x, const struct forecast *f, struct error *e);

/* The number of the best distance, of equal ones the least. */
int discrepancy_best(const struct discrepancy *x);
