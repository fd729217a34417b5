/* kept_plan.h — the plan of an eruption that is forecast again and again. It is a file next to the case, with all
 * observations so far. The user can edit it. */
#pragma once

#include "plan/plan.h"

#define KEPT_PLAN_END "-forecast.cfg" /* follows the name of the case */

struct kept_plan {
    char *path;
    char *was;         /* the plan's text before; NULL: there was no plan */
    char *text;        /* the plan's text now */
    const char *added; /* the new lines, at the end of `text` */
    char *differs;     /* how the case has changed, "run_h 48, now 60"; NULL: not at all */
    bool drafted, changed;
};

/* Finds the plan of `place`: a plan, a case, or a folder with one of these. If a case has no plan yet, drafts a plan
 * with `members` members; 0: the usual number. Adds the observations of the case and of `seen` that the plan lacks.
 * Names of files in `seen` are relative to the current folder. ERROR_INPUT also if another command holds the lock of
 * the folder for five seconds. */
int kept_plan_open(struct kept_plan *k, const char *place, int64_t members, char *const *seen,
                   int count, struct error *e);
/* Undoes kept_plan_open() if the plan turns out to be unusable: the file gets its old text, or is removed if it is new.
 * If another program has changed the file meanwhile, only the added lines are removed. If *e names the number of a
 * removed line, the words of the line replace the number. */
void kept_plan_undo(struct kept_plan *k, struct error *e);
void kept_plan_free(struct kept_plan *k); /* all-zero is fine */
