/* points.h — points between the bounds of a plan, as members of an ensemble: a row of the plan's
 * member table for each point and each number of noise. */
#pragma once

#include "plan/member.h"
#include "plan/plan.h"
#include "keys.h"

enum { ALL_ERUPTIONS = -1, FIT_NAME = 96 };
struct fit {
    int variable, of; /* of: number of the eruption that has it for itself, or ALL_ERUPTIONS */
    double low, high;
    bool log;
    char name[FIT_NAME]; /* of the variable; then of the eruption, unless it is the first */
};

/* Lists what varies in an eruption, in the order of the variables; returns how many. What all eruptions share is listed
 * for number 0 alone. */
int fits_list(struct fit *fit, const struct calibration_keys *k, int eruption);

/* The value at a coordinate from 0 to 1, rounded to seven digits, within the bounds; and the reverse. */
double fit_value(const struct fit *f, double unit);
double fit_unit(const struct fit *f, double value);

/* Makes room for `count` rows in the table; they become the members. */
int points_make_room(struct plan *p, int64_t count, struct error *e);

/* The row of a point with `fits` values (NULL: the case as it stands); those of other eruptions are ignored. */
struct table_row point_row(const struct fit *f, int fits, int eruption, const double *value,
                           int64_t noise);
bool fit_is_of(const struct fit *f, int eruption);

/* Makes the case as it stands; an error says why it cannot be run. The caller frees *m. */
int points_base(struct plan *p, struct member *m, struct error *e);
