/* rate_series.h — how the effusion rate of an eruption goes over time: intervals of constant rate in
 * seconds, from a rates CSV, or a shape of volume 1 and duration 1 that is scaled to an eruption's.
 */
#pragma once

#include "base/error.h"
#include "case/rates.h"

struct rate_series_interval {
    int id; /* of the vent; RATES_OF_ALL */
    int line;
    double from_s, to_s, rate_m3_s;
};

struct rate_series {
    char *path; /* for messages; owned */
    int count;
    struct rate_series_interval *interval;
    double volume_m3, end_s; /* in all */
    bool shape;              /* of volume 1 and duration 1 */
};

/* Reads a rates CSV (docs/formats.md). On an error *series is all zero. */
int rate_series_read(struct rate_series *series, const char *path, const char *start_time,
                     struct error *e);

/* A shape of volume 1 and duration 1: constant; waxwane, from 0 up to its peak at `peak` and down
 * to 0; exponential, that falls by e^-decay; or, where the word is another, the file `path`
 * with columns from,to,rate in any units. `at`: file and line, for messages. */
struct rate_series_shape {
    double peak, decay; /* NaN: the usual ones */
};
int rate_series_shape(struct rate_series *series, const char *word, const char *path,
                      const struct rate_series_shape *how, const char *at, struct error *e);

/* Its rates with times times `stretch` and rates times `factor`, as lists for case_emission().
 * `called` is their path in messages, which the caller keeps. Intervals shorter than a step of a
 * shape are joined with the next, so that none is lost. */
int rate_series_rates(struct rate_lists *r, const struct rate_series *series, double stretch,
                      double factor, double clock_s, const char *called, struct error *e);

void rate_series_free(struct rate_series *series); /* all-zero is fine */
