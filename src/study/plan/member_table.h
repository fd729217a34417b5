/* member_table.h — tables of a plan: classes of eruptions, and members one by one. */
#pragma once

#include "random/choice.h"
#include "rate_series.h"
#include "random/variables.h"

/* Kinds of eruptions: a CSV with the columns class, weight or probability, volume_m3,
 * duration_h and shape (rate_series.h), and peak or decay of the shape. */
enum { CLASS_NAME = 40 };

struct eruption_class {
    char name[CLASS_NAME];
    double volume_m3, duration_s;
    struct rate_series series; /* the shape, with volume 1 and duration 1 */
};

struct classes {
    struct choice choice; /* choice.count is the number of classes; 0: none */
    struct eruption_class *item;
    char doubt[160]; /* a sentence on a column that is probably a mistake, "": none */
};

/* On an error *classes is all zero. */
int classes_read(struct classes *classes, const char *path, struct error *e);
int classes_find(const struct classes *classes, const char *name); /* -1: none */
void classes_free(struct classes *classes);                        /* all-zero is fine */

/* Members one by one: a CSV with a row for each and any of the columns
 *
 *     weight                     a whole number above 0 (1)
 *     names of variables         variables.h
 *     vent, or x and y           a vent of the plan's list or the case's; a point
 *     class, or rates            of the plan's classes; a rates CSV
 *     terrain_seed               the number of its terrain error
 *     max_steps, stop_when_mobile_below_m
 *
 * Without a column a value is drawn, or is as in the case. */
struct table_row {
    int line;
    uint64_t weight;
    double value[VARIABLES]; /* NaN: not given; the members below likewise */
    int vent;                /* number of the vent; 0: not given */
    double x, y;             /* NaN */
    int class, rates;        /* -1 */
    int64_t terrain_seed;    /* -1 */
    int64_t max_steps;       /* -1 */
    double stop_mobile_m;    /* NaN */
};

struct member_table {
    char *path;
    int count; /* 0: the plan has none */
    struct table_row *row;
    bool has[VARIABLES]; /* which variables have a column */
    bool has_vent, has_place, has_class, has_rates, has_terrain_seed, has_max_steps;
    uint64_t weight_sum;
    int rates_count;
    char **rates_name; /* names of the files of rates as the table has them */
    struct rate_series *rates;
};

/* Reads the table; columns that are not among these are refused. On an error *t is all zero. */
int member_table_read(struct member_table *t, const char *path, const struct classes *classes,
                      const char *start_time, struct error *e);
void member_table_free(struct member_table *t); /* all-zero is fine */
