/* calibration_mean.h — the mean of a score over runs that differ in their noise, or over the members
 * of a posterior. */
#ifndef SCIARA_CALIBRATION_MEAN_H
#define SCIARA_CALIBRATION_MEAN_H

#include "calibration.h"

#include <math.h>

/* Of what: a score or error of the runs of one eruption, or the score of all eruptions together; the
 * runs of eruption k begin at k * stride. */
enum { MEAN_SCORE = -1, MEAN_ERRORS = OBSERVATIONS_MAX };
struct mean_choice {
    const struct calibration *all; /* NULL: one eruption */
    int64_t stride;
    int of; /* an observation, or MEAN_ERRORS + observation, or MEAN_SCORE, all together */
    int part;
    const struct posterior_member *weights; /* of each run; NULL: equal */
};

static inline double agreement_value(const struct agreement *a, int of, int part)
{
    return of == MEAN_SCORE    ? a->all[part]
           : of >= MEAN_ERRORS ? a->error[of - MEAN_ERRORS][part]
                               : a->of[of][part];
}

/* By the weights of the eruptions of which anything counts. */
static inline double mean_value(const struct agreement *a, const struct mean_choice *w)
{
    double sum = 0, weight = 0;
    if (!w->all) return agreement_value(a, w->of, w->part);
    for (int k = 0; k < w->all->eruptions; k++) {
        const struct eruption *x = &w->all->eruption[k];
        if (!x->observed.any[w->part]) continue;
        sum += x->weight * a[k * w->stride].all[w->part];
        weight += x->weight;
    }
    return weight > 0 ? sum / weight : (double)NAN;
}

/* Of `count` runs, in their order. */
static inline struct mean mean_of(const struct agreement *a, int64_t count,
                                  const struct mean_choice *w)
{
    struct mean m = {0, NAN, INFINITY, -INFINITY};
    double squares = 0;
    for (int64_t i = 0; i < count; i++) {
        const double x = mean_value(a + i, w);
        m.mean += w->weights ? posterior_share(&w->weights[i]) * x : x;
        m.least = fmin(m.least, x);
        m.most = fmax(m.most, x);
    }
    if (!w->weights) m.mean /= (double)count;
    for (int64_t i = 0; i < count; i++) {
        const double far = mean_value(a + i, w) - m.mean,
                     part = w->weights ? posterior_share(&w->weights[i]) * far : far;
        squares += part * part;
    }
    if (w->weights) m.error = sqrt(squares);
    else if (count > 1) m.error = sqrt(squares / (double)(count - 1) / (double)count);
    return m;
}

/* Over `count` runs of an eruption: of its score, and of the score and error of each observation. */
struct eruption_means {
    struct mean all;
    double of[OBSERVATIONS_MAX], error[OBSERVATIONS_MAX];
};
static inline struct eruption_means means_of(const struct eruption *x, const struct agreement *a,
                                             int64_t count, int part,
                                             const struct posterior_member *weights)
{
    struct mean_choice w = {.of = MEAN_SCORE, .part = part, .weights = weights};
    struct eruption_means m = {.all = mean_of(a, count, &w)};
    for (int i = 0; i < x->observed.count; i++) {
        w.of = i;
        m.of[i] = mean_of(a, count, &w).mean;
        w.of = MEAN_ERRORS + i;
        m.error[i] = mean_of(a, count, &w).mean;
    }
    return m;
}

#endif
