/* points.h — turns points between the bounds of a plan into members of an ensemble: the plan's member table gets a row
 * for each point and each terrain error. */
#pragma once

#include "plan/member.h"
#include "plan/plan.h"
#include "keys.h"

enum { ALL_ERUPTIONS = -1, FIT_NAME = 96 };
struct fit {
    int variable, of; /* of: the only eruption with this parameter, or ALL_ERUPTIONS */
    double low, high;
    bool log;
    char name[FIT_NAME]; /* name of the variable, then of the eruption unless it is the first */
};

/* Lists the fitted parameters of an eruption, in the order of the variables; returns their number. Parameters that all
 * eruptions share are listed only for eruption 0. */
int fits_list(struct fit *fit, const struct calibration_keys *k, int eruption);

/* fit_value(): the value at a coordinate from 0 to 1, rounded to seven digits, within the bounds. fit_unit(): the
 * coordinate of a value. */
double fit_value(const struct fit *f, double unit);
double fit_unit(const struct fit *f, double value);

/* Gives the plan a table of `count` rows, one for each of its members. */
int points_make_room(struct plan *p, int64_t count, struct error *e);

/* The row of a point with `fits` values; value NULL: the case as it stands. Values of other eruptions are ignored. */
struct table_row point_row(const struct fit *f, int fits, int eruption, const double *value,
                           int64_t noise);
bool fit_is_of(const struct fit *f, int eruption);

/* Makes the case as it stands. An error states why it cannot be run. The caller frees *m. */
int points_base(struct plan *p, struct member *m, struct error *e);
