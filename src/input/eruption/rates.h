/* rates.h — the effusion rates of each vent over time. emission.h turns them into amounts per step. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct rate {
    double from_s, to_s; /* from_s < to_s */
    /* steps first_step to end_step - 1 end in the interval; if both are equal, no step does */
    int64_t first_step, end_step;
    double rate_m3_s; /* >= 0 */
    int line;         /* line of the file, or index in the array */
};

struct rate_list {
    int id;    /* id of the vent; RATES_OF_ALL: the total of all vents, which share it equally */
    int place; /* position of the list in the file, from 0 */
    int count;
    struct rate *rate; /* rates in order of time, without overlaps */
    double end_s;      /* end of the last rate */
};
enum { RATES_OF_ALL = 0 };

struct rate_lists {
    const char *path; /* borrowed, for messages */
    bool array;       /* the rates are from an array; `path` is its name */
    int count;
    struct rate_list *list; /* lists by increasing id */
    double time_s;          /* duration of each rate of an original case */
};

/* Reads a rates CSV (docs/formats/rates.md); start_time as in times_moment(). On an error *r is all zero. */
int rates_read(struct rate_lists *r, const char *path, double clock_s, const char *start_time,
               struct error *e);
/* Like rates_read(), with another column in place of rate_m3_s. */
int rates_read_as(struct rate_lists *r, const char *column, const char *path, double clock_s,
                  const char *start_time, struct error *e);

/* Reads a table of the radiant power of all vents together (`time,radiant_power_W`, docs/formats/rates.md). Between two
 * times the rate is the mean of the two powers, divided by the radiant density in J/m3 (> 0). */
int rates_read_power(struct rate_lists *r, const char *path, double clock_s, const char *start_time,
                     double density_J_m3, struct error *e);

/* Reads the EmissionRate.txt of an original case. */
int rates_read_original(struct rate_lists *r, const char *path, double clock_s, struct error *e);

void rates_free(struct rate_lists *r); /* all-zero is fine */

/* Returns the first step n >= 1 with n * clock_s / unit_s >= at, computed in doubles. `at` is not negative. The
 * result is about 10^15 at most. */
int64_t rates_first_step(double at, double unit_s, double clock_s);

/* ---- building lists -------------------------------------------------------------------------- */

/* Finds the list of a vent, and adds an empty list if the vent is new. *list is valid until the next call. */
int rate_lists_get(struct rate_list **list, struct rate_lists *r, int id, struct error *e);

int rate_list_add(struct rate_list *list, const struct rate *rate, struct error *e);

/* Appends a rate to the rates of a vent. Refuses numbers out of range, and a rate that begins before the vent's last
 * rate ends. No number may be NaN. `line` as in struct rate. */
int rate_list_add_interval(const struct rate_lists *r, struct rate_list *list, double from_s,
                           double to_s, double rate_m3_s, double clock_s, int line,
                           struct error *e);

/* ERROR_INPUT: no rates, or totals together with rates of single vents. */
int rate_lists_check(const struct rate_lists *r, struct error *e);

/* The place of a rate, for a message: "rates.csv:7", "rates[7]" in an array, or "rates.csv" if the line is 0. For a 0
 * with the precision 0, printf() prints no digit. */
#define RATE_AT "%s%s%.*d%s"
#define RATE_PLACE(r, line)                                                                        \
    (r)->path,                                                                                     \
        (r)->array ? "["                                                                           \
        : (line)   ? ":"                                                                           \
                   : "",                                                                             \
        (r)->array || (line), (line), (r)->array ? "]" : ""
