/* rounds.h — members drawn anew around those that agree with what was seen: population Monte Carlo (O. Cappé,
 * A. Guillin, J.-M. Marin, C. P. Robert: Population Monte Carlo. J. Comput. Graph. Stat. 13, 2004).
 *
 * All that a plan draws is a function of independent normal numbers z. A member in five draws its own. Each of
 * the others chooses a member of the round before, by its tempered weight after all that was seen, and draws around
 * it, each number with the standard deviation
 *
 *     h sd,  h = (4 / ((D + 2) n))^(1 / (D + 4))
 *
 * of a density in D dimensions by n members (B. W. Silverman: Density Estimation. 1986, section 4.3.2), n the
 * effective number of the weights and sd the standard deviation by them. The weight of a member is the density of
 * the plan divided by that of all these draws together,
 *
 *     w = 1 / (1/5 + sum over chosen members of N(z; z_k, h sd) / N(z; 0, 1) / count)
 *
 * so that weighted members stand for the plan's distributions, and none weighs more than 5 times its share. The
 * error of the terrain has as many numbers as cells, and the weather of the rates to come cannot have been seen:
 * every member draws its own.
 *
 * Sums are over members in their order, and functions exact (random/quantile.h): the same bits on every machine. */
#pragma once

#include "nowcast.h"

enum { ROUNDS_OWN = 5, ROUNDS_MOST = 20 };

/* What a round is drawn from: the round before, with its numbers z[count * dimensions] and its
 * weight[count]; and the number of the new round. */
struct rounds_from {
    int64_t count;
    int dimensions;
    const double *z;
    const uint64_t *weight;
    uint64_t seed;
    int round;
};

/* Draws z[count * dimensions] of the members of the next round, and finds their w[count]. */
int rounds_draw(double *z, double *w, const struct rounds_from *from, struct error *e);

/* rounds_draw() for a plan: makes *next, whose arrays the caller frees (draws_free), from what `o` has seen and
 * the members of its library. *effective: their effective number before, untempered. */
int rounds_next(struct plan_draws *next, double *effective, const char *plan,
                const struct nowcast_options *o, int threads, struct error *e);
