/* design.h — where a sensitivity analysis looks: points of the unit cube, in groups that an
 * estimator takes together (docs/model.md, section 7); and the indices from the values there.
 *
 *     Morris    a group is a trajectory: k + 1 points, each a step along one coordinate from the
 *               one before (M. D. Morris, Technometrics 33 (1991) 161-174)
 *     Sobol     a group is A, then A with one coordinate of B for each coordinate, then (for second
 *               order) B with one of A for each, then B; (A, B) is a point of a Sobol' sequence in
 *               2k dimensions (A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259-270)
 *
 * In that order SALib has them, too. A group is a function of the seed and its number, so that more
 * groups begin with the same ones. */
#pragma once

#include "calibration/keys.h"
#include "random/sampling.h"

enum { DESIGN_DIMENSIONS_MAX = SOBOL_DIMENSIONS / 2 };

struct design {
    enum sensitivity_method method; /* one of the two */
    int dimensions;                 /* k */
    int64_t groups;
    int points;        /* points of a group */
    bool second_order; /* Sobol: also S2 */
    int levels;        /* Morris: an even number */
    uint64_t seed;
    struct sampling sampling;
    int stream[SOBOL_DIMENSIONS];
};

/* Prepares a design with all but points, sampling and stream; *d must not move afterwards. */
int design_prepare(struct design *d, struct error *e);

/* Sets x to point p of group g: k coordinates from 0 to 1. */
void design_point(const struct design *d, int64_t g, int p, double *x);

/* Morris: the coordinate of step s of trajectory g, and whether it rises (1) or falls (-1). */
int design_step(const struct design *d, int64_t g, int s, int *sign);

/* Morris: length of a step. */
double design_delta(const struct design *d);

/* Numbers of a Sobol group's points: for A with coordinate i of B, for B with that of A, for B; A has 0. */
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

/* What the values at the points of a design say of each coordinate, as SALib computes it and under its
 * names (docs/model.md, section 7).
 *
 *     Morris    effects EE = change of y / length of the step, of each trajectory: their mean mu,
 *               the mean mu_star of |EE|, their standard deviation sigma
 *     Sobol     with a, b, ab_i, ba_i less the mean of all, V the variance of a and b together:
 *               S1_i = mean b (ab_i - a) / V        (Saltelli et al. 2010)
 *               ST_i = mean (a - ab_i)^2 / 2 / V    (Jansen 1999)
 *               S2_ij = mean (ba_i ab_j - a b) / V - S1_i - S1_j
 *
 * _conf is half the width of a confidence interval: the standard deviation of the index among resamples
 * of the groups, times a normal quantile. A coordinate that changes nothing has indices that are 0 to the bit. */
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
    int64_t count;     /* >= 2; a _conf is NaN if an index has a value in fewer than 2 of them */
    double confidence; /* such as 0.95 */
};

/* Computes the indices; y: groups * points values, group by group, all finite; at least two groups. */
int indices_compute(struct indices *x, const struct design *d, const double *y,
                    const struct resampling *r, struct error *e);
