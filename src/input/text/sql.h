/* sql.h — one expression of SQL on the columns of a table: SQLite lets it do nothing else, and takes a limited number of
 * steps for each row. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

/* What an expression may use, and did. It has to outlive sql_unguard(). */
struct sql_guard {
    const char *table;
    const char *const *functions; /* besides those of sql.c, NULL behind the last; or NULL */
    unsigned called;              /* of these, a bit each; set by sqlite3_prepare_v2() */
    int selects;                  /* in the statement, so far */
};

/* All that is prepared from then on may be one SELECT of these. */
void sql_guard(sqlite3 *db, struct sql_guard *g);
void sql_unguard(sqlite3 *db);

/* Whether its brackets close what they open, and nothing is a comment or ends the statement: else it would take in what
 * stands around it. */
bool sql_is_closed(const char *expression);

/* Before the next row: the limit is of each. */
void sql_again(sqlite3_stmt *from);
