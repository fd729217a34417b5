/* rounds.h — draws members again, around the members that agree with the observations: population Monte Carlo (O.
 * Cappé, A. Guillin, J.-M. Marin, C. P. Robert: Population Monte Carlo. J. Comput. Graph. Stat. 13, 2004).
 *
 * A plan draws its quantities as functions of normal numbers z. In a new round, one member in five
 * draws new numbers from the plan. Each of the others has an ancestor: a member of the previous
 * round, chosen by tempered weight. The member draws numbers around those of its ancestor, with the
 * standard deviation h sd of a kernel density (B. W. Silverman: Density Estimation. 1986, section
 * 4.3.2): h = (4 / ((D + 2) n))^(1 / (D + 4)). D is the number of dimensions, n the effective
 * number of members, sd the weighted standard deviation. The weight of a new member is the density
 * of the plan divided by the density of all draws of the round:
 *
 *     w = 1 / (1/5 + sum over ancestors of N(z; z_k, h sd) / N(z; 0, 1) / count)
 *
 * Errors of the terrain and of future rates are drawn anew in each round, without regard to observations. */
#pragma once

#include "nowcast.h"

enum { ROUNDS_OWN = 5, ROUNDS_MOST = 20 };

/* The members from which a round is drawn: z[count * dimensions] and weight[count] of the previous round. `round` is
 * the number of the new round. */
struct rounds_from {
    int64_t count;
    int dimensions;
    const double *z;
    const uint64_t *weight;
    uint64_t seed;
    int round;
};

/* Draws the numbers z[count * dimensions] of the members of the next round, and finds their weights w[count]. */
int rounds_draw(double *z, double *w, const struct rounds_from *from, struct error *e);

/* Draws the next round for a plan, by the observations of `o`, from the members of the plan's library. The caller
 * frees *next by draws_free(). *effective: the effective number of the library's members without tempering. */
int rounds_next(struct plan_draws *next, double *effective, const char *plan,
                const struct nowcast_options *o, int threads, struct error *e);
