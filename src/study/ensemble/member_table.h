/* member_table.h — members one by one: a CSV with a row for each and any of the columns
 *
 *     weight                     a whole number above 0 (1)
 *     names of variables         variables.h
 *     vent, or x and y           a vent of the plan's list or the case's; a point
 *     class, or rates            of the plan's classes; a rates CSV
 *     terrain_seed               the number of its terrain error
 *     max_steps, stop_when_mobile_below_m
 *
 * Without a column a value is drawn, or is as in the case. */
#pragma once

#include "classes.h"
#include "variables.h"

struct table_row {
    int line;
    uint64_t weight;
    double value[VARIABLES]; /* NaN: not given; and so on */
    int vent;                /* its number, 0 */
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
    bool has[VARIABLES]; /* a column */
    bool has_vent, has_place, has_class, has_rates, has_terrain_seed, has_max_steps;
    uint64_t weight_sum;
    int rates_count;
    char **rates_name; /* as it is written */
    struct rate_series *rates;
};

/* Columns that it does not know are refused. On an error *t is all zero. */
int member_table_read(struct member_table *t, const char *path, const struct classes *classes,
                      const char *start_time, struct error *e);
void member_table_free(struct member_table *t); /* all-zero is fine */
