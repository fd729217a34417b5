/* kept_plan.h — the plan of an eruption that is forecast again and again: a file beside its case, to be edited, with all
 * observations so far. */
#pragma once

#include "plan/plan.h"

#define KEPT_PLAN_END "-forecast.cfg" /* ends the plan's name, after the case's */

struct kept_plan {
    char *path;
    char *was;         /* the plan's text before; NULL: there was none */
    char *text;        /* the plan's text now */
    const char *added; /* the end of it that is new */
    char *differs;     /* in what the case differs now, "run_h 48, now 60"; NULL: in nothing */
    bool drafted, changed;
};

/* Finds the plan of `place`: a plan, a case, or a folder with one of these. If a case has none yet, it is drafted with that
 * many members (0: the usual number). Lines of observations in the case, and those of `seen`, which name files from the
 * current folder, are added if the plan lacks them. ERROR_INPUT also if another command holds the lock of the folder for
 * seconds. */
int kept_plan_open(struct kept_plan *k, const char *place, int64_t members, char *const *seen,
                   int count, struct error *e);
/* Restores a plan that cannot be used as it is; if somebody has changed it meanwhile, only the added lines go. If *e names
 * a line that is then gone, it gets the line's words. */
void kept_plan_undo(struct kept_plan *k, struct error *e);
void kept_plan_free(struct kept_plan *k); /* all-zero is fine */
