/* search.h — finds the best point of the unit cube by CMA-ES (cmaes.h), which begins again when it has
 * converged, each time with twice the population (IPOP; A. Auger, N. Hansen: A restart CMA
 * evolution strategy with increasing population size, Proc. CEC 2005, 1769-1776). It maximises.
 *
 * CMA-ES has no bounds: points beyond a face of the cube are mirrored into it, which prefers none.
 * The first search begins at a given point, later ones at random points, all with steps of 0.3. */
#pragma once

#include "cmaes.h"

struct search_options {
    int dimensions;
    int population;          /* of the first search; 0: 4 + 3 ln n */
    const double *start;     /* n coordinates from 0 to 1 */
    double tol_x, tol_score; /* as in cmaes.h: in sides of the cube; in units of the score */
    uint64_t seed;
};

struct search {
    struct search_options options; /* all but start */
    double start[CMAES_DIMENSIONS_MAX];
    struct cmaes *now;
    int restart;   /* how often it has begun again */
    int64_t asked; /* points asked for before the present population */
    int64_t generation;
    double *point; /* the present population */
    double *cost;
};

int search_create(struct search *s, const struct search_options *o, struct error *e);
void search_free(struct search *s); /* all-zero is fine */

/* The next population, *count points; valid until search_tell(). */
const double *search_ask(struct search *s, int *count);

/* Takes the scores of the population; NaN: a point has none. */
int search_tell(struct search *s, const double *score, struct error *e);

/* Maps an unbounded coordinate into the cube: a zigzag between 0 and 1. */
double search_fold(double x);
