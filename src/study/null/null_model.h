/* null_model.h — a forecast without physics, which a model has to surpass: paths of steepest descent
 * (steepest.h) from the vents of the members over their terrain, cut at a length and widened by a
 * half width. The share of the paths that cover a cell is its probability. Length and half width are those with
 * the best log score, by which the forecast is judged. Paths over terrain with errors are those of DOWNFLOW (M. Favalli, M. T.
 * Pareschi, A. Neri, I. Isola: Forecasting lava flow paths by a stochastic approach. Geophysical
 * Research Letters 32 (2005) L03305), which neither cuts nor widens them. */
#pragma once

#include "members/ensemble_state.h"
#include "plan/plan_supply.h"

struct library;
struct sqlite3;

/* There are at most NULL_PATHS paths, in NULL_DRAWS draws of equal size. Members take turns, each time over terrain with
 * another error. If members have none, its standard deviation is NULL_ERROR_M. */
enum { NULL_PATHS = 1000, NULL_DRAWS = 5 };
#define NULL_ERROR_M 2.0

/* The paths, widened, as members of an ensemble: they have cells, run-out and J, but neither
 * thickness nor arrival. */
struct null_model {
    const struct ensemble_source *members;
    struct ensemble_source source;
    struct ensemble s;
    bool fitted;
    struct null_numbers at;
    struct null_model *carried;   /* with another eruption's numbers; NULL: none are given */
    double spread[VERIFY_SCORES]; /* standard deviation of the scores of draws; 0: no outline */
};

/* Opens a model with the members of *members, which has to outlive it; *n must not move afterwards.
 * ERROR_INPUT: there is no outline to fit numbers to. */
int null_model_open(struct null_model *n, const struct ensemble_source *members,
                    struct null_numbers given, struct error *e);
void null_model_close(struct null_model *n); /* all-zero is fine */

/* The state file of a struct null_model; reading needs one without paths. A version that finds other paths or numbers has
 * another magic. */
extern const struct state_kind null_state;

/* Computes all paths, then those of n->carried; fits numbers on a grid of 41 x 16. ERROR_INPUT: a member has no vent. */
int null_model_compute(struct null_model *n, struct error *e);

/* Scores all paths of a model with an outline. Errors of the scores include the spread of the draws: another seed would
 * change the scores by that much. */
int null_model_verify(struct verification *v, const struct null_model *n, struct error *e);

/* Computes n->carried alone, for a model from a library. */
int null_model_carry(struct null_model *n, struct error *e);

/* Writes the model into a library of the members (members/library.h), in place of the one there. */
int null_model_keep(const struct null_model *n, struct library *l, struct error *e);
/* Reads the library's model of *members, which has to outlive *n; *n stays all zero if there is none. */
int null_model_kept(struct null_model *n, const struct ensemble_source *members, struct sqlite3 *db,
                    const char *path, struct error *e);

/* Makes the forecast of persistence in place of paths: lava comes to the cells that have some at the beginning in the
 * case of *members, and to no others. Without initial lava or an outline *n is all zero. */
int null_model_persist(struct null_model *n, const struct ensemble_source *members,
                       struct error *e);

/* The null model of a case or a plan of any kind, by itself. `more`: what the plan may have in addition. Errors: those of
 * null_model_open() and of the plan; close it then, too. */
struct null_plan {
    struct null_model model;
    struct plan *plan;
    struct plan_supply supply;
};
int null_plan_open(struct null_plan *x, const char *path, struct plan_more more,
                   struct null_numbers given, struct error *e);
void null_plan_close(struct null_plan *x); /* all-zero is fine */
