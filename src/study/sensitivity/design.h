/* design.h — the points of a sensitivity analysis in the unit cube, and the indices of sensitivity from the values at
 * these points (docs/model.md, section 7). An estimator uses the points of a group together:
 *
 *     Morris    a group is a trajectory of k + 1 points. Each point is a step along one coordinate from
 *               the point before (M. D. Morris, Technometrics 33 (1991) 161-174)
 *     Sobol     a group is A; then AB_i for each coordinate i, which is A with coordinate i of B; then, for
 *               second order, BA_i, which is B with coordinate i of A; then B. (A, B) is a point of a Sobol'
 *               sequence in 2k dimensions (A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259-270)
 *
 * The order of points is that of SALib. A group is a function of the seed and its number, so a larger design begins
 * with the groups of a smaller one. */
#pragma once

#include "calibration/keys.h"
#include "random/sampling.h"

enum { DESIGN_DIMENSIONS_MAX = SOBOL_DIMENSIONS / 2 };

struct design {
    enum sensitivity_method method; /* METHOD_MORRIS or METHOD_SOBOL */
    int dimensions;                 /* k */
    int64_t groups;
    int points;        /* points of a group */
    bool second_order; /* Sobol: compute S2 as well */
    int levels;        /* Morris: number of levels, even */
    uint64_t seed;
    struct sampling sampling;
    int stream[SOBOL_DIMENSIONS];
};

/* Prepares a design. The caller has set all fields except points, sampling and stream. *d must not move afterwards. */
int design_prepare(struct design *d, struct error *e);

/* Sets x to point p of group g: k coordinates from 0 to 1. */
void design_point(const struct design *d, int64_t g, int p, double *x);

/* Morris: the coordinate of step s of trajectory g. *sign: 1 if the coordinate rises, -1 if it falls. */
int design_step(const struct design *d, int64_t g, int s, int *sign);

/* Morris: length of a step. */
double design_delta(const struct design *d);

/* Numbers of the points of a Sobol group; A has number 0. design_ab(): A with coordinate i of B. design_ba(): B with
 * coordinate i of A. design_b(): B. */
static inline int design_ab(int i)
{
    return 1 + i;
}
static inline int design_ba(const struct design *d, int i)
{
    return 1 + d->dimensions + i;
}
static inline int design_b(const struct design *d)
{
    return d->points - 1;
}

/* ---- indices --------------------------------------------------------------------------------- */

/* The effects of each coordinate on the values at the points of a design. Formulas and names are those of SALib
 * (docs/model.md, section 7).
 *
 *     Morris    effects EE = change of y / length of the step, for each trajectory; their mean mu,
 *               the mean mu_star of |EE|, their standard deviation sigma
 *     Sobol     a, b, ab_i, ba_i: the values at A, B, AB_i, BA_i minus their mean; V: variance of a and b:
 *               S1_i = mean b (ab_i - a) / V        (Saltelli et al. 2010)
 *               ST_i = mean (a - ab_i)^2 / 2 / V    (Jansen 1999)
 *               S2_ij = mean (ba_i ab_j - a b) / V - S1_i - S1_j
 *
 * _conf is half the width of a confidence interval: the standard deviation of the index among resamples of the
 * groups, times a normal quantile. A coordinate without effect has indices of exactly 0. */
enum { INDEX_COLUMNS = 4 };
enum { MORRIS_MU, MORRIS_MU_STAR, MORRIS_SIGMA, MORRIS_MU_STAR_CONF };
enum { SOBOL_S1, SOBOL_S1_CONF, SOBOL_ST, SOBOL_ST_CONF };
extern const char *const morris_columns[INDEX_COLUMNS], *const sobol_columns[INDEX_COLUMNS];

struct indices {
    double mean, variance; /* mean and variance of all values; Sobol: of the values at A and B */
    bool varies;           /* false: all values are equal, and Sobol indices are NaN */
    double of[INDEX_COLUMNS][DESIGN_DIMENSIONS_MAX];
    /* S2[i][j] is set for i < j. NaN: second_order is false. */
    double S2[DESIGN_DIMENSIONS_MAX][DESIGN_DIMENSIONS_MAX];
    double S2_conf[DESIGN_DIMENSIONS_MAX][DESIGN_DIMENSIONS_MAX];
};

struct resampling {
    int64_t count;     /* >= 2; a _conf is NaN if fewer than 2 resamples have the index */
    double confidence; /* probability of the intervals, such as 0.95 */
};

/* Computes the indices. y: groups * points finite values, group by group. There are at least two groups. */
int indices_compute(struct indices *x, const struct design *d, const double *y,
                    const struct resampling *r, struct error *e);
