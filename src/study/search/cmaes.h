/* cmaes.h — CMA-ES, the evolution strategy with covariance matrix adaptation. The caller asks for a population,
 * evaluates all of its points, and reports their costs. The search minimises the cost.
 *
 * The iteration follows N. Hansen, The CMA Evolution Strategy: A Tutorial (arXiv:1604.00772, appendix A), with
 * negative weights for the worse half of a population. Packaged C libraries call a function for each point, or have
 * their own loop. A study computes a population as one batch of simulations, so it needs this iteration. Eigenvectors
 * come from GSL. Normal deviates are a function of seed, number of the point and coordinate (Philox,
 * normal_quantile). All other operations are + - * / and square roots. So machines on which GSL gives the same bits
 * run the same search. */
#pragma once

#include "base/error.h"

#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>

enum { CMAES_DIMENSIONS_MAX = 64, CMAES_POPULATION_MAX = 65536 };

struct cmaes_options {
    int dimensions;      /* n, 1 to CMAES_DIMENSIONS_MAX */
    int population;      /* lambda, at least 4; 0: 4 + 3 ln n */
    const double *start; /* n coordinates of the first mean */
    double step;         /* the first sigma, > 0 */
    double tol_x;        /* the search ends when all steps are below tol_x * step */
    double tol_cost;     /* the search ends when recent costs differ by less than this */
    uint64_t seed;
    int64_t first; /* number of the first point; other numbers give other deviates */
};

enum cmaes_stop {
    CMAES_CONTINUES,
    CMAES_TOL_X,
    CMAES_TOL_COST,
    CMAES_FLAT,       /* the best costs of many successive populations are equal */
    CMAES_CONDITION,  /* the covariance matrix is nearly singular */
    CMAES_NO_EFFECT,  /* steps are lost to rounding */
    CMAES_STAGNATION, /* no improvement over many populations: noisy costs */
    CMAES_DIVERGED    /* a step has grown 10^4-fold, so the first step was too small */
};

struct cmaes;

int cmaes_create(struct cmaes **cma, const struct cmaes_options *o, struct error *e);
void cmaes_destroy(struct cmaes *cma); /* NULL is fine */

int cmaes_population(const struct cmaes *cma);
int cmaes_default_population(int dimensions);

/* The next population: lambda points with n coordinates each, valid until cmaes_tell(). */
const double *cmaes_ask(struct cmaes *cma);

/* Takes the cost of each point of the population. NaN is worse than any number; points of equal cost keep their order.
 * ERROR_FAILED: the covariance matrix has no eigenvectors, because costs were infinite. */
int cmaes_tell(struct cmaes *cma, const double *cost, struct error *e);

enum cmaes_stop cmaes_stop(const struct cmaes *cma);

/* ---- stagnation ------------------------------------------------------------------------------
 * Whether a search with noisy costs still improves: the criterion "Stagnation" of N. Hansen, The CMA
 * Evolution Strategy: A Tutorial (arXiv:1604.00772, B.3). */

/* One entry for each population; all-zero is an empty history. */
struct stagnation {
    size_t count;
    struct stagnation_costs {
        double best, median;
    } * of; /* owned */
};

/* Adds the costs of a population; NaN is worse than any number. ERROR_FAILED: out of memory. */
int stagnation_note(struct stagnation *s, double best, double median, struct error *e);

/* Looks at the last fifth of all populations, but at no fewer than `least` (>= 4) and no more than 20,000. Compares
 * the last 30 % of these populations with the first 30 %. True: neither the median of the best costs nor the median of
 * the median costs is lower in the last 30 %. False if there are fewer than `least` populations. */
bool stagnation_seen(const struct stagnation *s, size_t least);

void stagnation_free(struct stagnation *s);
