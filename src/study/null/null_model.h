/* null_model.h — a forecast without physics, which a model should surpass. Paths of steepest descent (steepest.h) run
 * from the vents of the members over their terrain. They are cut at a length and widened by a half width. The
 * probability of a cell is the share of the paths that cover it. Length and half width maximise the log score, by
 * which forecasts are judged. The terrain of a member may have a random error. DOWNFLOW makes its paths in this way, too
 * (M. Favalli, M. T. Pareschi, A. Neri, I. Isola: Forecasting lava flow paths by a stochastic approach. Geophysical
 * Research Letters 32 (2005) L03305). It neither cuts nor widens them. */
#pragma once

#include "members/ensemble_state.h"
#include "plan/plan_supply.h"

struct library;
struct sqlite3;

/* There are at most NULL_PATHS paths, divided into NULL_DRAWS draws of nearly equal size. Paths of the same member have
 * different terrain errors. If the plan has no terrain error, its standard deviation is NULL_ERROR_M. */
enum { NULL_PATHS = 1000, NULL_DRAWS = 5 };
#define NULL_ERROR_M 2.0

/* The widened paths as members of an ensemble. They have cells, run-out and Jaccard index, but neither thickness nor
 * arrival. */
struct null_model {
    const struct ensemble_source *members;
    struct ensemble_source source;
    struct ensemble s;
    bool fitted;
    struct null_numbers at;
    /* The model with length and half width from another eruption; NULL: none are given. */
    struct null_model *carried;
    /* Standard deviation of the scores over the draws; 0: no outline. */
    double spread[VERIFY_SCORES];
};

/* Opens a model of the members of *members. *members has to outlive *n. *n must not move afterwards. ERROR_INPUT: there
 * is no outline to which the numbers can be fitted. */
int null_model_open(struct null_model *n, const struct ensemble_source *members,
                    struct null_numbers given, struct error *e);
void null_model_close(struct null_model *n); /* all-zero is fine */

/* The state file of a struct null_model. It is read into a model that has no paths yet. The magic has to change when
 * paths or fitted numbers change. */
extern const struct state_kind null_state;

/* Computes all paths, fits length and half width if they are not given, and computes n->carried. ERROR_INPUT: a member
 * has no vent. */
int null_model_compute(struct null_model *n, struct error *e);

/* Scores all paths of a model with an outline. Errors of the scores include the spread over the draws, because another
 * seed would change the scores by about this spread. */
int null_model_verify(struct verification *v, const struct null_model *n, struct error *e);

/* Computes n->carried alone, for a model that was read from a library. */
int null_model_carry(struct null_model *n, struct error *e);

/* Writes the model to a library of the members (members/library.h), in place of an earlier one. */
int null_model_keep(const struct null_model *n, struct library *l, struct error *e);
/* Reads the model of *members from their library. *members has to outlive *n. If the library has no model, *n is all
 * zero. */
int null_model_kept(struct null_model *n, const struct ensemble_source *members, struct sqlite3 *db,
                    const char *path, struct error *e);

/* Makes the forecast of persistence: lava comes only to cells in which the case members->base begins with lava.
 * Without initial lava or an outline *n is all zero. */
int null_model_persist(struct null_model *n, const struct ensemble_source *members,
                       struct error *e);

/* The null model of a case or a plan, without runs of members. `more`: further keys that the plan may have. Errors
 * are those of null_model_open() and of the plan. null_plan_close() is needed even after an error. */
struct null_plan {
    struct null_model model;
    struct plan *plan;
    struct plan_supply supply;
};
int null_plan_open(struct null_plan *x, const char *path, struct plan_more more,
                   struct null_numbers given, struct error *e);
void null_plan_close(struct null_plan *x); /* all-zero is fine */
