/* smc.h — approximate Bayesian computation by sequential Monte Carlo: a sample, with weights, of those points of the unit
 * cube whose simulations come near to what was observed; the prior is uniform in the cube. Ask for a population, simulate
 * all of it at once, tell the distance of each point.
 *
 * The scheme is that of M. Lenormand, F. Jabot, G. Deffuant (Computational Statistics 28, 2013,
 * 2777-2796), in which every population is as large as the one before, and no simulation is thrown
 * away: the first is a Latin hypercube of twice as many points as shall remain. The nearer half
 * remains, its farthest point is the tolerance. Each of the next points is one of those that
 * remain, drawn by their weights, plus a step from a normal distribution with twice their weighted
 * covariance (M. A. Beaumont and others, Biometrika 96, 2009, 983-990; S. Filippi and others,
 * Statistical Applications in Genetics and Molecular Biology 12, 2013, 87-107). The nearest of old
 * and new remain. A weight is the density of the prior divided by the density of all points drawn so far (J.-M. Cornuet
 * and others, Scandinavian Journal of Statistics 39, 2012, 798-812). Divided by the density of its own population alone,
 * a few old points would have as much weight as all others together.
 *
 * Whatever is drawn is a function of the seed and of a running number (Philox); sums are added in a fixed order.
 * Eigenvectors come from GSL. */
#pragma once

#include "base/error.h"

#include <stdint.h>

enum { SMC_DIMENSIONS_MAX = 64, SMC_MEMBERS_LEAST = 10, SMC_MEMBERS_MAX = 100000 };

struct smc_options {
    int dimensions;    /* 1 to SMC_DIMENSIONS_MAX */
    int members;       /* fewest points that remain; at least SMC_MEMBERS_LEAST */
    double tolerance;  /* ends when all that remain are within it; 0: never */
    double acceptance; /* ends when a smaller share of a population is within the last tolerance */
    uint64_t seed;
};

enum smc_stop {
    SMC_CONTINUES,
    SMC_TOLERANCE,
    SMC_ACCEPTANCE,
    SMC_COLLAPSED /* those that remain are in a plane: no step can be drawn */
};

/* A point that remains, as all points within the tolerance do. */
struct smc_member {
    int64_t number;          /* in the order in which points were asked for */
    double distance, weight; /* weight: > 0; they do not sum up to 1 */
    double drawn;            /* density of all points drawn so far, at this one */
    double unit[SMC_DIMENSIONS_MAX];
};

/* What a population has brought. */
struct smc_generation {
    int asked, accepted; /* points; those within the last tolerance (at first: those that remain) */
    int members;
    double least, tolerance; /* distances of the nearest and the farthest that remain */
    double effective;        /* (sum of weights)^2 / sum of their squares */
};

struct smc;

int smc_create(struct smc **s, const struct smc_options *o, struct error *e);
void smc_destroy(struct smc *s); /* NULL is fine */

/* The number of points of the next population; smc_ask() gives their coordinates, `dimensions` each,
 * valid until smc_tell(). Repeated calls return the same points. */
int smc_population(const struct smc *s);
const double *smc_ask(struct smc *s);

/* Takes their distances; NaN: a point cannot be simulated. ERROR_INPUT: none of all points can be. */
int smc_tell(struct smc *s, const double *distance, struct error *e);

enum smc_stop smc_stop(const struct smc *s);

/* The members, the nearest first; what all populations so far have brought. Valid until smc_tell(). */
const struct smc_member *smc_members(const struct smc *s, int *count);
const struct smc_generation *smc_generations(const struct smc *s, int *count);
