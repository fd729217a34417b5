/* kept_plan.h — the plan of an eruption that is forecast again and again: beside its case, as a file to be edited, with all
 * observations so far. */
#pragma once

#include "plan/plan.h"

#define KEPT_PLAN_END "-forecast.cfg" /* of its name; before it that of the case */

struct kept_plan {
    char *path;
    char *was; /* its text before; NULL: there was none */
    bool drafted, changed;
};

/* Finds the plan of `place`: a plan, a case or a folder with one of these, where it is drafted if there is none yet, with that
 * many members (0: the usual number). Lines of observations in the case, and those of `seen`, which name files as the current
 * folder does, are added if it lacks them. */
int kept_plan_open(struct kept_plan *k, const char *place, int64_t members, char *const *seen,
                   int count, struct error *e);
/* The plan cannot be used: it is again what it was. What *e says of a line that it has no longer names the line's words. */
void kept_plan_undo(struct kept_plan *k, struct error *e);
void kept_plan_free(struct kept_plan *k); /* all-zero is fine */
