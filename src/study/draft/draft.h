/* draft.h — a plan of a case, as text to be edited. */
#pragma once

#include "plan/plan.h"

#include <stdio.h>

/* The lines that make a plan of that many members of the case that *p was read from; and the text of that case with the lines
 * that then end a member and have its step. */
void draft_plan(FILE *out, const struct plan *p, int64_t members);
void draft_case(FILE *out, const struct plan *p, const char *text);
