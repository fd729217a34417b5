/* rate_series.h — how the effusion rate of an eruption goes over time: intervals of constant rate in
 * seconds, from a rates CSV, or a shape of volume 1 and duration 1 that is scaled to an eruption's.
 */
#pragma once

#include "base/error.h"
#include "eruption/rates.h"

struct rate_series_interval {
    int id; /* number of the vent; RATES_OF_ALL */
    int line;
    double from_s, to_s, rate_m3_s;
};

struct rate_series {
    char *path; /* for messages; owned */
    int count;
    struct rate_series_interval *interval;
    double volume_m3, end_s; /* the volume and the end of all intervals together */
    bool shape;              /* it is a shape, with volume 1 and duration 1 */
};

/* The name of the column of rates in a CSV. */
#define RATE_COLUMN "rate_m3_s"

/* Reads a rates CSV (docs/formats/rates.md), or one with `column` in place of rates. On an error *series is all zero. */
int rate_series_read(struct rate_series *series, const char *column, const char *path,
                     const char *start_time, struct error *e);

/* rate_series_read() of a table of radiant power (rates_read_power()). */
int rate_series_read_power(struct rate_series *series, const char *path, const char *start_time,
                           double density_J_m3, struct error *e);

/* rate_series_add() appends an interval; rate_series_sort() sorts all by vent and time, as rate_series_rates() needs
 * them. */
int rate_series_add(struct rate_series *series, struct rate_series_interval i, struct error *e);
void rate_series_sort(struct rate_series *series);

/* How rates go in an eruption of duration 1, as the volume until t, of any total: constant; waxwane, from 0 up to
 * the time `peak` and down to 0; exponential, which falls by e^-decay; risefall, from 0 up to the time `peak`, and then
 * by e^-decay in a duration. The two flags say which numbers the form uses. NULL: there is no such form. */
struct rate_form {
    const char *name;
    int pieces; /* of constant rate */
    bool peak, decay;
    double (*until)(double t, double peak, double decay);
};
const struct rate_form *rate_form_find(const char *word);
#define RATE_PEAK        0.25 /* the usual peak */
#define RATE_DECAY       3.0
#define RATE_PEAK_LEAST  0.001
#define RATE_PEAK_MOST   0.999
#define RATE_DECAY_LEAST 0.001
#define RATE_DECAY_MOST  100.0

struct rate_series_shape {
    double peak, decay; /* NaN: the usual one */
};
/* Makes the shape that `word` names; if it names none, reads the file `path` with columns from,to,rate in any units.
 * `at`: file and line, for messages. */
int rate_series_shape(struct rate_series *series, const char *word, const char *path,
                      const struct rate_series_shape *how, const char *at, struct error *e);

/* Makes lists for case_emission(): times are multiplied by `stretch`, rates by `factor`. called: their path in
 * messages, which the caller keeps. Pieces of a shape that are shorter than a step are joined with the next, so that
 * none is lost. */
int rate_series_rates(struct rate_lists *r, const struct rate_series *series, double stretch,
                      double factor, double clock_s, const char *called, struct error *e);

void rate_series_free(struct rate_series *series); /* all-zero is fine */
