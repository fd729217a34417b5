/* calibration_mean.h — the mean of a score over runs that differ in their noise. */
#ifndef SCIARA_CALIBRATION_MEAN_H
#define SCIARA_CALIBRATION_MEAN_H

#include "calibration.h"

#include <math.h>

struct mean {
    double mean, error, least, most; /* error: of the mean; NaN of one alone */
};

/* Whose mean: of runs of an eruption what agreement_value() says, or of all eruptions together, of
 * which that with number k has its runs k * stride behind. */
enum { MEAN_SCORE = -1, MEAN_ERRORS = OBSERVATIONS_MAX };
struct mean_choice {
    const struct calibration *all; /* NULL: one eruption */
    int64_t stride;
    int of; /* an observation, or MEAN_ERRORS + observation, or MEAN_SCORE, all together */
    int part;
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
        m.mean += x;
        m.least = fmin(m.least, x);
        m.most = fmax(m.most, x);
    }
    m.mean /= (double)count;
    for (int64_t i = 0; i < count && count > 1; i++) {
        const double x = mean_value(a + i, w);
        squares += (x - m.mean) * (x - m.mean);
    }
    if (count > 1) m.error = sqrt(squares / (double)(count - 1) / (double)count);
    return m;
}

#endif
