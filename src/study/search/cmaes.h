/* cmaes.h — CMA-ES, the evolution strategy with covariance matrix adaptation: ask for a population,
 * evaluate all of it at once, tell the costs. It minimises.
 *
 * The iteration follows N. Hansen, The CMA Evolution Strategy: A Tutorial (arXiv:1604.00772,
 * appendix A), with its negative weights for the worse half of a population. Packaged C libraries
 * call a function point by point, or own the loop; here a population is one batch of simulations,
 * so the project has its own iteration. Eigenvectors come from GSL. Normal deviates are a function of seed, number and
 * coordinate (Philox, normal_quantile), and everything else is made of + - * / and square roots: a
 * search is the same wherever GSL gives the same bits. */
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
    double tol_x;        /* converged where all steps are smaller than this times the first */
    double tol_cost;     /* ... or recent costs differ by less */
    uint64_t seed;
    int64_t first; /* number of its first point: other numbers, other deviates */
};

enum cmaes_stop {
    CMAES_CONTINUES,
    CMAES_TOL_X,
    CMAES_TOL_COST,
    CMAES_FLAT,       /* the best costs of many successive populations are equal */
    CMAES_CONDITION,  /* the covariance matrix is nearly singular */
    CMAES_NO_EFFECT,  /* rounding swallows the steps */
    CMAES_STAGNATION, /* no improvement over many populations: noisy costs */
    CMAES_DIVERGED    /* a step has grown 10^4-fold: the first was too small */
};

struct cmaes;

int cmaes_create(struct cmaes **cma, const struct cmaes_options *o, struct error *e);
void cmaes_destroy(struct cmaes *cma); /* NULL is fine */

int cmaes_population(const struct cmaes *cma);
int cmaes_default_population(int dimensions);

/* The next population: lambda points of n coordinates, valid until cmaes_tell(). */
const double *cmaes_ask(struct cmaes *cma);

/* Takes the costs of the population; NaN is worse than any number, equal costs rank in their order.
 * ERROR_FAILED: the covariance matrix has no eigenvectors (a cost was infinite in a way that broke it). */
int cmaes_tell(struct cmaes *cma, const double *cost, struct error *e);

enum cmaes_stop cmaes_stop(const struct cmaes *cma);

/* ---- stagnation ------------------------------------------------------------------------------
 * Whether a search with noisy costs still improves: the criterion "Stagnation" of N. Hansen, The CMA
 * Evolution Strategy: A Tutorial (arXiv:1604.00772, B.3). */

/* A history of populations; all-zero is an empty one. */
struct stagnation {
    size_t count;
    struct stagnation_costs {
        double best, median;
    } * of; /* one for each population; owned */
};

/* Notes a population; NaN is worse than any number. ERROR_FAILED: out of memory. */
int stagnation_note(struct stagnation *s, double best, double median, struct error *e);

/* Compares the first and the last 30 % of the last fifth of all populations (at least the last `least`, at most 20,000). True:
 * neither the best nor the median costs have a lower median in the last 30 %. False if there are fewer than `least`
 * populations, which is 4 or more. */
bool stagnation_seen(const struct stagnation *s, size_t least);

void stagnation_free(struct stagnation *s);
