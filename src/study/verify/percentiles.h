/* percentiles.h — numbers of members as a distribution, and its score where one number was observed. */
#pragma once

#include <stdint.h>

struct weighted {
    double value, weight;
};

/* NaN without members. Percentiles: the lowest value with at least that share of the weight. */
struct percentiles {
    int64_t members;
    double mean, p05, p50, p95;
};

/* Sorts the members by value. Weights are above 0. */
struct percentiles percentiles_of(struct weighted *member, int64_t members);

/* The continuous ranked probability score of the members, sorted by percentiles_of(): the integral of
 * (F(x) - 1[x >= observed])^2, in the unit of the values; of one member the absolute error (H. Hersbach,
 * Wea. Forecasting 15, 2000). */
double percentiles_crps(const struct weighted *member, int64_t members, double observed);

/* The same of members counted in classes, the integral from 0 to the last edge: class k, up to edge[k], has
 * class[k] of the `weight` of all, spread evenly; `below` lies at 0, the rest beyond the last edge. */
double percentiles_crps_of_classes(const double *edge, int edges, const uint64_t *class,
                                   double below, double weight, double observed);
