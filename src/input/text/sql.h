/* sql.h — one expression of SQL on the columns of a table: SQLite lets it do nothing else, and takes a limited number
 * of steps for each row. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

/* What an expression may use, and what it did use. It has to outlive sql_unguard(). */
struct sql_guard {
    const char *table;
    const char *const *functions; /* besides those of sql.c, NULL behind the last; or NULL */
    unsigned called; /* which of these it calls, a bit each: sqlite3_prepare_v2() sets them */
    int selects;     /* number of SELECTs in the statement so far */
};

/* Allows what is prepared from then on to be one SELECT with these functions, and nothing else. */
void sql_guard(sqlite3 *db, struct sql_guard *g);
void sql_unguard(sqlite3 *db);

/* Whether its brackets close what they open, and nothing is a comment or ends the statement: else it would take in what
 * stands around it. */
bool sql_is_closed(const char *expression);

/* Is called before each row, since the limit of steps is for one row. */
void sql_again(sqlite3_stmt *from);
