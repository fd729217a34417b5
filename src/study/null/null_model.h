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

/* Paths, at most: of the members in turn, each time over terrain with another error, in NULL_DRAWS draws of as many;
 * and the standard deviation of the error of each cell where the members have no error of the terrain. */
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
    struct null_model *carried;   /* with the numbers of another eruption; NULL: none are given */
    double spread[VERIFY_SCORES]; /* standard deviation of the scores of a draw; 0: no outline */
};

/* The members are those of *members, which has to outlive it; *n stays where it is. ERROR_INPUT:
 * there is no outline to fit. */
int null_model_open(struct null_model *n, const struct ensemble_source *members,
                    struct null_numbers given, struct error *e);
void null_model_close(struct null_model *n); /* all-zero is fine */

/* The state file of a struct null_model; reading needs one that has no path yet. Another version has other
 * magic, where other paths or numbers would be found. */
extern const struct state_kind null_state;

/* All paths, and then those of n->carried. Numbers are fitted by a grid of 41 x 16. ERROR_INPUT: a member has no vent. */
int null_model_compute(struct null_model *n, struct error *e);

/* Scores of all paths, of *n with an outline; their errors have the spread of the draws in them: it covers what
 * another seed would change. */
int null_model_verify(struct verification *v, const struct null_model *n, struct error *e);

/* Computes n->carried alone, of a model that a library had. */
int null_model_carry(struct null_model *n, struct error *e);

/* Into a library of the members (members/library.h), in place of what it has. */
int null_model_keep(const struct null_model *n, struct library *l, struct error *e);
/* What the library has of *members, which has to outlive it; *n, all zero, stays so where it has none. */
int null_model_kept(struct null_model *n, const struct ensemble_source *members, struct sqlite3 *db,
                    const char *path, struct error *e);

/* Persistence in place of paths: lava comes to the cells where the case of *members has some at the
 * beginning, and to no others. Of a case with initial lava and an outline; else *n is all zero. */
int null_model_persist(struct null_model *n, const struct ensemble_source *members,
                       struct error *e);

/* The null model of a case or a plan of any kind, by itself. `more`: the keys that it may have in
 * addition, and what they fit. Errors as above, and of the plan; to be closed also then. */
struct null_plan {
    struct null_model model;
    struct plan *plan;
    struct plan_supply supply;
};
int null_plan_open(struct null_plan *x, const char *path, struct plan_more more,
                   struct null_numbers given, struct error *e);
void null_plan_close(struct null_plan *x); /* all-zero is fine */
