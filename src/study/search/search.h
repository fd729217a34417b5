/* search.h — finds the best point of the unit cube by CMA-ES (cmaes.h). When CMA-ES has converged, it begins again
 * with twice the population (IPOP; A. Auger, N. Hansen: A restart CMA evolution strategy with increasing population
 * size, Proc. CEC 2005, 1769-1776). The search maximises the score.
 *
 * CMA-ES has no bounds. So a point outside the cube is mirrored at its faces, which favours no part of the cube. The
 * first search begins at a given point, later ones begin at random points. The first step is 0.3. */
#pragma once

#include "cmaes.h"

struct search_options {
    int dimensions;
    int population;      /* population of the first search; 0: 4 + 3 ln n, rounded down */
    const double *start; /* n coordinates from 0 to 1 */
    /* A search ends when all steps are below tol_x, as a share of the cube's side, or when recent scores differ by less
     * than tol_score. */
    double tol_x, tol_score;
    uint64_t seed;
};

struct search {
    struct search_options options; /* all options except start */
    double start[CMAES_DIMENSIONS_MAX];
    struct cmaes *now;
    int restart;   /* number of restarts */
    int64_t asked; /* number of points before the present population */
    int64_t generation;
    double *point; /* the present population */
    double *cost;
};

int search_create(struct search *s, const struct search_options *o, struct error *e);
void search_free(struct search *s); /* all-zero is fine */

/* The next population: *count points, valid until search_tell(). */
const double *search_ask(struct search *s, int *count);

/* Takes the score of each point of the population. NaN: the point has no score. */
int search_tell(struct search *s, const double *score, struct error *e);

/* Mirrors an unbounded coordinate into the cube: a zigzag between 0 and 1. */
double search_fold(double x);
