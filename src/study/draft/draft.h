/* draft.h — drafts a plan of a case, as text to be edited. */
#pragma once

#include "plan/plan.h"

#include <stdio.h>

enum { DRAFT_MEMBERS = 200 }; /* as many as a first forecast needs */

/* Writes a plan with `members` members for the case `path`, which may have observations. The plan begins with the lines
 * of the case, but this function may change the end (run_h) and the step (Pclock) of members. The lines of draft_plan()
 * follow. Refuses a file that is a plan already. */
int draft_of_case(FILE *out, const char *path, int64_t members, struct error *e);
/* Writes only the lines that turn the case of *p into a plan. */
void draft_plan(FILE *out, const struct plan *p, int64_t members);
