/* draft.h — a plan of a case, as text to be edited. */
#pragma once

#include "plan/plan.h"

#include <stdio.h>

enum { DRAFT_MEMBERS = 200 }; /* as many as a first forecast needs */

/* Writes a plan of that many members of the case in a file, which may have observations: its text, with the lines that end a
 * member and have its step, and what makes it a plan. Refuses a file that is a plan already. */
int draft_of_case(FILE *out, const char *path, int64_t members, struct error *e);
/* What makes it a plan alone, of the case that *p was read from. */
void draft_plan(FILE *out, const struct plan *p, int64_t members);
