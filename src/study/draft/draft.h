/* draft.h — drafts a plan of a case, as text to be edited. */
#pragma once

#include "plan/plan.h"

#include <stdio.h>

enum { DRAFT_MEMBERS = 200 }; /* as many as a first forecast needs */

/* Writes a plan of that many members for a case, which may have observations: the lines of its file, with the end of
 * members and their step changed, then those of draft_plan(). Refuses a file that is a plan already. */
int draft_of_case(FILE *out, const char *path, int64_t members, struct error *e);
/* Writes only what makes a plan of the case from which *p was read. */
void draft_plan(FILE *out, const struct plan *p, int64_t members);
