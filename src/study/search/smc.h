/* smc.h — approximate Bayesian computation by sequential Monte Carlo (docs/model.md, section 6.1). The result is a
 * weighted sample of points in the unit cube. Their simulations come near to the observation. The prior is uniform in
 * the cube. The caller asks for a population, simulates all of its points, and reports the distance of each.
 *
 * After each population, the nearest of the old and new points remain. The largest distance among these is the
 * tolerance. The weight of a point is 1 / the density of all points drawn so far (J.-M. Cornuet and others,
 * Scandinavian Journal of Statistics 39, 2012, 798-812). With the density of one population alone, a few old points
 * could outweigh all others.
 *
 * All draws are functions of the seed and a running number (Philox). */
#pragma once

#include "base/error.h"

#include <stdint.h>

enum { SMC_DIMENSIONS_MAX = 64, SMC_MEMBERS_LEAST = 10, SMC_MEMBERS_MAX = 100000 };

struct smc_options {
    int dimensions;   /* 1 to SMC_DIMENSIONS_MAX */
    int members;      /* the least number of points that remain; at least SMC_MEMBERS_LEAST */
    double tolerance; /* the search ends when all remaining points are within it; 0: never */
    /* The search ends when less than this share of a population is within the previous tolerance. */
    double acceptance;
    uint64_t seed;
};

enum smc_stop {
    SMC_CONTINUES,
    SMC_TOLERANCE,
    SMC_ACCEPTANCE,
    SMC_COLLAPSED /* in some direction the remaining points hardly differ; no step can be drawn */
};

/* A point that remains. All points within the tolerance remain. */
struct smc_member {
    int64_t number;          /* running number of the point */
    double distance, weight; /* weight > 0; weights do not sum up to 1 */
    double drawn;            /* density, at the place of this point, of all points drawn so far */
    double unit[SMC_DIMENSIONS_MAX];
};

/* Facts about a population. */
struct smc_generation {
    /* accepted: points within the previous tolerance; in the first population, all points that remain. */
    int asked, accepted;
    int members;
    double least, tolerance; /* distances of the nearest and the farthest remaining point */
    double effective;        /* (sum of weights)^2 / sum of squared weights */
};

struct smc;

int smc_create(struct smc **s, const struct smc_options *o, struct error *e);
void smc_destroy(struct smc *s); /* NULL is fine */

/* The number of points in the next population. smc_ask() returns their coordinates, `dimensions` for each point,
 * valid until smc_tell(). Repeated calls return the same points. */
int smc_population(const struct smc *s);
const double *smc_ask(struct smc *s);

/* Takes the distance of each point of the population; NaN: the point cannot be simulated. ERROR_INPUT: none of the
 * points so far can be simulated. */
int smc_tell(struct smc *s, const double *distance, struct error *e);

enum smc_stop smc_stop(const struct smc *s);

/* smc_members() returns the members, the nearest first. smc_generations() returns all populations so far. Both arrays
 * are valid until smc_tell(). */
const struct smc_member *smc_members(const struct smc *s, int *count);
const struct smc_generation *smc_generations(const struct smc *s, int *count);
