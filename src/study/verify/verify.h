/* verify.h — compares a forecast of lava with the observed flow (docs/model.md, section 5.7). p is the forecast
 * probability of a cell; o is 1 where lava was observed, else 0.
 *
 *     Brier score  mean of (p - o)^2 = reliability - resolution + uncertainty
 *     skill        1 - Brier score / uncertainty; it is 0 if p is the observed share in every cell
 *     log score    mean of -ln q; q is the probability of what happened, kept from VERIFY_FLOOR to 1 - VERIFY_FLOOR
 *     ROC          hit rate against false alarm rate, and the area below this curve
 *
 * Scores are sums over the cells of a domain (domain.h), in the order of the cells. Errors and intervals come from
 * a block bootstrap. They show how much the scores of similarly correlated flows would differ. */
#pragma once

#include "sciara.h"

#include "domain.h"

enum { VERIFY_BINS = 13, VERIFY_LEVELS = 101 };
#define VERIFY_FLOOR 0.0025

/* Bin 0 has probability 0. Bin k has probabilities above verify_percent[k - 1], up to verify_percent[k]. */
extern const int verify_percent[VERIFY_BINS];

enum verify_score { VERIFY_BRIER, VERIFY_SKILL, VERIFY_LOG, VERIFY_ROC, VERIFY_SCORES };
extern const char *const verify_score_names[VERIFY_SCORES]; /* "brier", "brier_skill", ... */

struct forecast {
    const struct domain *domain;
    /* The weight of the members with lava in a cell of the grid. */
    uint64_t (*count)(const void *of, size_t cell);
    const void *of;
    uint64_t weight; /* weight of all members, below 2^53 */
    double members;  /* effective number of members */
};

struct verify_bin {
    uint64_t cells, observed;
    double forecast; /* mean probability; NaN: the bin has no cells */
    double share;    /* observed / cells */
    /* 95 % interval of the share; NaN: the effective number of blocks with cells of the bin is below 2 */
    double low, high;
};

struct verification {
    /* number of cells of the domain; number of these with observed lava */
    uint64_t cells, observed;
    struct sciara_estimate score[VERIFY_SCORES];
    double reliability, resolution, uncertainty;
    double log_reference; /* log score without floor if p is the observed share in every cell */
    struct verify_bin bin[VERIFY_BINS];
    /* Hit rate and false alarm rate of cells with a probability of at least k per cent; k = 0: above 0. */
    double hit_rate[VERIFY_LEVELS], false_alarm_rate[VERIFY_LEVELS];
    int blocks;
    double block_m, correlation_m; /* length of a block, and correlation length, along the flow */
    /* The region of level k has all cells of the grid with a probability of at least k per cent. both[]: number of
     * cells in the region and the outline. either[]: number of cells in the region or the outline. */
    uint64_t both[VERIFY_LEVELS], either[VERIFY_LEVELS];
    int best; /* level with the largest J = both / either; the lowest of equals */
};

int verify(struct verification *v, const struct forecast *f, struct error *e);

/* What a cell adds to the log score, if the forecast had probability p for what happened there. */
double verify_log_of(double p);
/* The log score alone, without its error. */
double verify_log_score(const struct forecast *f);

double verify_jaccard(const struct verification *v, int level);

/* Scores of two forecasts of the same flow, on the union of their domains. */
struct verify_difference {
    uint64_t cells, observed;
    double score[2][VERIFY_SCORES];
    struct sciara_estimate difference[VERIFY_SCORES]; /* first forecast minus second */
};
int verify_compare(struct verify_difference *x, const struct forecast *a, const struct forecast *b,
                   struct error *e);

/* Adds the scores to a JSON object; NaN becomes null. */
struct cJSON;
void verify_add(struct cJSON *o, const struct verification *v, const struct domain *d);

/* ---- members that are numbers ---------------------------------------------------------------- */

/* One value of a member, such as a volume, and the member's weight. percentiles_crps() compares the distribution of the
 * values with an observed value. */
struct weighted {
    double value, weight;
};

/* Mean and percentiles; NaN: there are no members. p05 is the lowest value with a cumulative weight of at least 5 % of
 * all weights. */
struct percentiles {
    int64_t members;
    double mean, p05, p50, p95;
};

/* Sorts the members by value. Weights are above 0. */
struct percentiles percentiles_of(struct weighted *member, int64_t members);

/* The continuous ranked probability score of members that percentiles_of() has sorted: the integral of (F(x) - 1[x >=
 * observed])^2, in the unit of the values. For a single member it is the absolute error (H. Hersbach, Wea.
 * Forecasting 15, 2000). */
double percentiles_crps(const struct weighted *member, int64_t members, double observed);

/* percentiles_crps() of members that are counted in classes, integrated from 0 to the last edge. `weight` is the
 * weight of all members. Class k ends at edge[k] and has the weight class[k], spread evenly. The weight `below` is at
 * 0, the remainder above the last edge. */
double percentiles_crps_of_classes(const double *edge, int edges, const uint64_t *class,
                                   double below, double weight, double observed);
