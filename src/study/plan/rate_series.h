/* rate_series.h — the effusion rate of an eruption as a function of time, in intervals of constant rate. The intervals
 * come from a rates CSV, or from a shape with volume 1 and duration 1 that is scaled to an eruption. */
#pragma once

#include "base/error.h"
#include "eruption/rates.h"

struct rate_series_interval {
    int id; /* number of the vent, or RATES_OF_ALL */
    int line;
    double from_s, to_s, rate_m3_s;
};

struct rate_series {
    char *path; /* for messages; owned */
    int count;
    struct rate_series_interval *interval;
    double volume_m3, end_s; /* volume of all intervals; latest end of an interval */
    bool shape;              /* the series is a shape, with volume 1 and duration 1 */
};

#define RATE_COLUMN "rate_m3_s"

/* Reads a rates CSV (docs/formats/rates.md). `column`: name of the column with the rates. On an error *series is all
 * zero. */
int rate_series_read(struct rate_series *series, const char *column, const char *path,
                     const char *start_time, struct error *e);

/* Reads a table of radiant power (rates_read_power()) as rate_series_read() reads rates. */
int rate_series_read_power(struct rate_series *series, const char *path, const char *start_time,
                           double density_J_m3, struct error *e);

/* rate_series_add() appends an interval. rate_series_sort() sorts all intervals by vent and time, which
 * rate_series_rates() needs. */
int rate_series_add(struct rate_series *series, struct rate_series_interval i, struct error *e);
void rate_series_sort(struct rate_series *series);

/* A form of the rates in an eruption with duration 1:
 *
 *     constant
 *     waxwane      rises from 0 until the time `peak`, and then falls to 0
 *     exponential  falls to e^-decay of the first rate
 *     risefall     rises from 0 until the time `peak`, and then falls as exp(-decay (t - peak)) */
struct rate_form {
    const char *name;
    int pieces;       /* number of pieces of constant rate */
    bool peak, decay; /* whether the form has a peak; whether it has a decay */
    /* The volume emitted until t, in any unit. */
    double (*until)(double t, double peak, double decay);
};
/* The form with this name; NULL: none. */
const struct rate_form *rate_form_find(const char *word);
#define RATE_PEAK        0.25 /* the default */
#define RATE_DECAY       3.0
#define RATE_PEAK_LEAST  0.001
#define RATE_PEAK_MOST   0.999
#define RATE_DECAY_LEAST 0.001
#define RATE_DECAY_MOST  100.0

struct rate_series_shape {
    double peak, decay; /* NaN: the default */
};
/* Makes the shape that `word` names. If `word` is not the name of a shape, reads the file `path`, with columns
 * from,to,rate in any units. `at`: file and line, for messages. */
int rate_series_shape(struct rate_series *series, const char *word, const char *path,
                      const struct rate_series_shape *how, const char *at, struct error *e);

/* Makes lists for case_emission(). Times are multiplied by `stretch`, rates by `factor`. called: path of the lists
 * for messages. It has to outlive *r. Pieces of a shape that are shorter than two steps are joined with the next piece,
 * so that no volume is lost. */
int rate_series_rates(struct rate_lists *r, const struct rate_series *series, double stretch,
                      double factor, double clock_s, const char *called, struct error *e);

void rate_series_free(struct rate_series *series); /* all-zero is fine */
