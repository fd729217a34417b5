/* design.h — where a sensitivity analysis looks: points of the unit cube, in groups that an
 * estimator takes together (docs/model.md, section 7).
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
    enum sensitivity_method method; /* not both */
    int dimensions;                 /* k */
    int64_t groups;
    int points;        /* of a group */
    bool second_order; /* of Sobol */
    int levels;        /* of Morris, even */
    uint64_t seed;
    struct sampling sampling;
    int stream[SOBOL_DIMENSIONS];
};

/* All but points, sampling and stream are there. *d stays where it is. */
int design_prepare(struct design *d, struct error *e);

/* Point p of group g: k coordinates from 0 to 1. */
void design_point(const struct design *d, int64_t g, int p, double *x);

/* Morris: the coordinate of step s of trajectory g, and whether it rises (1) or falls (-1). */
int design_step(const struct design *d, int64_t g, int s, int *sign);

/* Morris: length of a step. */
double design_delta(const struct design *d);

/* Number of a Sobol group's point: A, A with coordinate i of B, B with coordinate i of A, B. */
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
