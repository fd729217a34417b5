/* sql.h — one SQL expression on the columns of a table: SQLite allows it nothing else, and a limited number of steps
 * for each row. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

/* What an expression may use, and what it has used. It has to live until sql_unguard(). */
struct sql_guard {
    const char *table;
    const char *const *functions; /* in addition to those of sql.c, NULL after the last; or NULL */
    unsigned called; /* a bit for each of these that it calls; sqlite3_prepare_v2() sets them */
    int selects;     /* number of SELECTs in the statement so far */
};

/* From now on a statement can be prepared only if it is one SELECT with these functions. */
void sql_guard(sqlite3 *db, struct sql_guard *g);
void sql_unguard(sqlite3 *db);

/* Whether brackets are balanced, and the expression has no comment and does not end the statement: else it would
 * change the statement around it. */
bool sql_is_closed(const char *expression);

/* Call it before each row, since the limit of steps is for one row. */
void sql_again(sqlite3_stmt *from);
