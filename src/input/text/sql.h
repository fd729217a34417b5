/* sql.h — evaluates one SQL expression on the columns of a table. SQLite refuses all other SQL, and limits the steps
 * for each row. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

/* The table and the functions that an expression may use, and what the expression does use. The guard has to live until
 * sql_unguard(). */
struct sql_guard {
    const char *table;
    /* functions allowed in addition to the list in sql.c, NULL after the last; or NULL: none */
    const char *const *functions;
    unsigned called; /* bit i: the expression calls functions[i]; sqlite3_prepare_v2() sets it */
    int selects;     /* number of SELECTs in the statement so far */
};

/* From now on a statement can be prepared only if it is one SELECT on g->table with allowed functions. */
void sql_guard(sqlite3 *db, struct sql_guard *g);
void sql_unguard(sqlite3 *db);

/* Whether an expression has balanced brackets, no comment and no semicolon. Any other expression could change the
 * statement that contains it. */
bool sql_is_closed(const char *expression);

/* Resets the statement and its count of steps, since the limit is for one row. Call it before each row. */
void sql_again(sqlite3_stmt *from);
