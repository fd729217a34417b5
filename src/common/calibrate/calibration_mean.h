/* calibration_mean.h — the mean of a score over runs that differ in their noise. */
#ifndef SCIARA_CALIBRATION_MEAN_H
#define SCIARA_CALIBRATION_MEAN_H

#include "calibration.h"

#include <math.h>

struct mean {
    double mean, error, least, most; /* error: of the mean; NaN of one alone */
};

/* Of `count` runs, in their order: of one observation, or of all together (-1). */
static inline struct mean mean_of(const struct agreement *a, int64_t count, int observation,
                                  int part)
{
    struct mean m = {0, NAN, INFINITY, -INFINITY};
    double squares = 0;
    for (int64_t i = 0; i < count; i++) {
        const double x = observation < 0 ? a[i].all[part] : a[i].of[observation][part];
        m.mean += x;
        m.least = fmin(m.least, x);
        m.most = fmax(m.most, x);
    }
    m.mean /= (double)count;
    for (int64_t i = 0; i < count && count > 1; i++) {
        const double x = observation < 0 ? a[i].all[part] : a[i].of[observation][part];
        squares += (x - m.mean) * (x - m.mean);
    }
    if (count > 1) m.error = sqrt(squares / (double)(count - 1) / (double)count);
    return m;
}

#endif
