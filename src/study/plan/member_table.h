/* member_table.h — two tables of a plan: classes of eruptions, and a list of members. */
#pragma once

#include "random/choice.h"
#include "rate_series.h"
#include "random/variables.h"

/* Classes of eruptions: a CSV with the columns class, weight or probability, volume_m3, duration_h and shape
 * (rate_series.h). Some shapes have parameters, in the columns peak and decay. */
enum { CLASS_NAME = 40 };

struct eruption_class {
    char name[CLASS_NAME];
    double volume_m3, duration_s;
    struct rate_series series; /* the shape, with volume 1 and duration 1 */
};

struct classes {
    struct choice choice; /* choice.count: number of classes; 0: none */
    struct eruption_class *item;
    char doubt[160]; /* a sentence about a column that is probably a mistake; "": none */
};

/* Reads a table of classes. On an error *classes is all zero. */
int classes_read(struct classes *classes, const char *path, struct error *e);
/* The index of the class with this name; -1: none. */
int classes_find(const struct classes *classes, const char *name);
void classes_free(struct classes *classes); /* all-zero is fine */

/* A list of members: a CSV with a row for each member, and any of these columns:
 *
 *     weight                     a whole number above 0; 1 without this column
 *     names of variables         variables.h
 *     vent, or x and y           number of a vent of the plan's list or of the case; or map coordinates
 *     class, or rates            name of a class of the plan; or a rates CSV
 *     terrain_seed               the number that decides the member's terrain error
 *     max_steps, stop_when_mobile_below_m
 *
 * The value of a missing column is drawn or taken from the case. */
struct table_row {
    int line;
    uint64_t weight;
    double value[VARIABLES]; /* NaN: not given */
    int vent;                /* number of the vent; 0: not given */
    double x, y;             /* NaN: not given */
    int class, rates;        /* indices in classes.item and member_table.rates; -1: not given */
    int64_t terrain_seed;    /* -1: not given */
    int64_t max_steps;       /* -1: not given */
    double stop_mobile_m;    /* NaN: not given */
};

struct member_table {
    char *path;
    int count; /* number of rows; 0: the plan has no such table */
    struct table_row *row;
    bool has[VARIABLES]; /* whether a variable has a column */
    bool has_vent, has_place, has_class, has_rates, has_terrain_seed, has_max_steps;
    uint64_t weight_sum;
    int rates_count;
    char **rates_name; /* names of the rates files, as written in the table */
    struct rate_series *rates;
};

/* Reads a list of members. Refuses columns that struct table_row does not have. On an error *t is all zero. */
int member_table_read(struct member_table *t, const char *path, const struct classes *classes,
                      const char *start_time, struct error *e);
void member_table_free(struct member_table *t); /* all-zero is fine */
