/* library_member.h — a row of the table `members` of a library: the columns, and their values from
 * the result of a member. */
#pragma once

#include "ensemble.h"

struct sqlite3_stmt;

/* SQL, malloc'ed; NULL: out of memory. That makes the table, adds a row (in which the last two values,
 * LIBRARY_RESULT and LIBRARY_GEOM from behind, are not of library_bind()), counts rows with all values. */
char *library_sql_create(const struct ensemble_source *source);
char *library_sql_insert(const struct ensemble_source *source);
char *library_sql_check(const struct ensemble_source *source);

/* Of the statements of either; returns the number of values, or -1: out of memory. */
int library_bind(struct sqlite3_stmt *to, const struct ensemble_source *source, int64_t number,
                 const struct member_result *r);
