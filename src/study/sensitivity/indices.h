/* indices.h — what the values at the points of a design say of each coordinate, as SALib computes
 * it and under its names (docs/model.md, section 7).
 *
 *     Morris    effects EE = change of y / length of the step, of each trajectory: their mean mu,
 *               the mean mu_star of |EE|, their standard deviation sigma
 *     Sobol     with a, b, ab_i, ba_i less the mean of all, V the variance of a and b together:
 *               S1_i = mean b (ab_i - a) / V        (Saltelli et al. 2010)
 *               ST_i = mean (a - ab_i)^2 / 2 / V    (Jansen 1999)
 *               S2_ij = mean (ba_i ab_j - a b) / V - S1_i - S1_j
 *
 * _conf is half the width of a confidence interval: so many standard deviations of the index among
 * resamples of the groups. A coordinate that changes nothing has indices that are 0 to the bit. */
#pragma once

#include "design.h"

enum { INDEX_COLUMNS = 4 };
enum { MORRIS_MU, MORRIS_MU_STAR, MORRIS_SIGMA, MORRIS_MU_STAR_CONF };
enum { SOBOL_S1, SOBOL_S1_CONF, SOBOL_ST, SOBOL_ST_CONF };
extern const char *const morris_columns[INDEX_COLUMNS], *const sobol_columns[INDEX_COLUMNS];

struct indices {
    double mean, variance; /* of all values (Sobol: of a and b) */
    bool varies;           /* false: all values are equal; Sobol indices are NaN then */
    double of[INDEX_COLUMNS][DESIGN_DIMENSIONS_MAX];
    double S2[DESIGN_DIMENSIONS_MAX][DESIGN_DIMENSIONS_MAX]; /* i < j; NaN without second order */
    double S2_conf[DESIGN_DIMENSIONS_MAX][DESIGN_DIMENSIONS_MAX];
};

struct resampling {
    int64_t count;     /* >= 2; a _conf is NaN where fewer can be computed */
    double confidence; /* 0.95 */
};

/* y: groups * points values, group by group, all finite; at least two groups. */
int indices_compute(struct indices *x, const struct design *d, const double *y,
                    const struct resampling *r, struct error *e);
