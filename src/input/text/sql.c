#include "sql.h"

#include <string.h>

static const char *const plain[] = {"abs",  "coalesce", "ifnull", "iif", "instr",  "length",
                                    "like", "lower",    "max",    "min", "nullif", "round",
                                    "sqrt", "substr",   "upper",  NULL};

/* Returns the index of a name in a list; -1: the list lacks the name. */
static int find_function(const char *const *list, const char *name)
{
    for (int i = 0; list && list[i]; i++)
        if (!sqlite3_stricmp(list[i], name)) return i;
    return -1;
}

static int authorize(void *of, int action, const char *a, const char *b, const char *c,
                     const char *d)
{
    struct sql_guard *g = of;
    if (action == SQLITE_SELECT) return g->selects++ ? SQLITE_DENY : SQLITE_OK;
    if (action == SQLITE_READ) return !strcmp(a, g->table) ? SQLITE_OK : SQLITE_DENY;
    if (action != SQLITE_FUNCTION || !b) return SQLITE_DENY;
    const int own = find_function(g->functions, b);
    if (own >= 0) g->called |= 1u << own;
    return own >= 0 || find_function(plain, b) >= 0 ? SQLITE_OK : SQLITE_DENY;
}

static int too_long(void *of)
{
    return 1;
}

void sql_guard(sqlite3 *db, struct sql_guard *g)
{
    enum { STEPS_MOST = 1000000, TEXT_MOST = 10000, DEEP = 100 };
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, TEXT_MOST);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, DEEP);
    sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, DEEP);
    sqlite3_progress_handler(db, STEPS_MOST, too_long, NULL);
    sqlite3_set_authorizer(db, authorize, g);
}

void sql_unguard(sqlite3 *db)
{
    sqlite3_set_authorizer(db, NULL, NULL);
    sqlite3_progress_handler(db, 0, NULL, NULL);
}

/* Two quotes within a text mean one quote. Here they end one text and begin another, with the same result. */
bool sql_is_closed(const char *s)
{
    int open = 0;
    for (; *s && open >= 0; s++) {
        const char ends = *s == '[' ? ']' : strchr("'\"`", *s) ? *s : '\0';
        if (ends && !(s = strchr(s + 1, ends))) return false;
        if (*s == ';' || !strncmp(s, "--", 2) || !strncmp(s, "/*", 2)) return false;
        open += (*s == '(') - (*s == ')');
    }
    return open == 0;
}

void sql_again(sqlite3_stmt *from)
{
    sqlite3_reset(from);
    sqlite3_stmt_status(from, SQLITE_STMTSTATUS_VM_STEP, 1);
}
