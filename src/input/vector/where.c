/* where.c — chooses the features with attributes that fulfil a condition in SQL. SQLite evaluates the condition in the
 * same way for every format, on a table of one row. */
#include "build.h"

#include "text/scan.h"
#include "text/sql.h"
#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 32, NAMES = 300 };

/* An attribute that the condition names; case is ignored. */
struct column {
    char *name;
    sqlite3_stmt *set;
    bool given;     /* the present feature has a value */
    char first[48]; /* first value in the file, for messages; "": none */
};

struct where {
    char *sql;
    sqlite3 *db;
    sqlite3_stmt *ask;
    struct sql_guard guard;
    struct column column[COLUMNS_MOST];
    int columns;
    char names[NAMES]; /* names of all attributes, for messages */
};

int where_open(struct where **w, const char *sql, struct build *b)
{
    static const char *const dates[] = {"date", "datetime", "julianday", "strftime", NULL};
    if (!(*w = calloc(1, sizeof **w))) return error_memory(b->e);
    (*w)->sql = text_format("%s", sql);
    (*w)->guard = (struct sql_guard){.table = "feature", .functions = dates};
    if (!(*w)->sql || sqlite3_open(":memory:", &(*w)->db)) return error_memory(b->e);
    /* text in double quotes is always a name, never a value */
    sqlite3_db_config((*w)->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    return 0;
}

void where_close(struct where *w)
{
    if (!w) return;
    for (int i = 0; i < w->columns; i++) {
        sqlite3_finalize(w->column[i].set);
        free(w->column[i].name);
    }
    sqlite3_finalize(w->ask);
    sqlite3_close(w->db);
    free(w->sql);
    free(w);
}

static int refuse_condition(const struct build *b, const char *why)
{
    char sql[48], names[NAMES];
    snprintf(names, sizeof names, "%s", *b->where->names ? b->where->names : "none");
    scan_cut(names);
    scan_make_printable(names);
    return error_input(b->e,
                       "%s: where %s: %.200s; give a condition in SQL on the attributes of its "
                       "features, which are: %s",
                       b->file, scan_excerpt(sql, b->where->sql), why, names);
}

static struct column *find_column(struct where *w, const char *name)
{
    for (int i = 0; w && i < w->columns; i++)
        if (!sqlite3_stricmp(w->column[i].name, name)) return &w->column[i];
    return NULL;
}

static bool has_word(const char *sql, const char *name)
{
    const int length = (int)strlen(name);
    while (*sql && sqlite3_strnicmp(sql, name, length)) sql++;
    return *sql && length;
}

/* A column of numeric affinity compares numbers as numbers, even if a file has them as texts. */
static int add_column(struct where *w, const char *name)
{
    char *add = sqlite3_mprintf(w->columns ? "ALTER TABLE feature ADD COLUMN \"%w\" NUMERIC"
                                           : "CREATE TABLE feature (\"%w\" NUMERIC)",
                                name),
         *set = sqlite3_mprintf("UPDATE feature SET \"%w\" = ?", name);
    struct column *c = &w->column[w->columns++];
    c->name = text_format("%s", name);
    const bool good = add && set && c->name && !sqlite3_exec(w->db, add, NULL, NULL, NULL) &&
                      !sqlite3_prepare_v2(w->db, set, -1, &c->set, NULL);
    sqlite3_free(add);
    sqlite3_free(set);
    return good ? 0 : -1;
}

int where_column(struct build *b, const char *name)
{
    struct where *w = b->where;
    if (!w || !*name) return 0;
    const size_t used = strlen(w->names);
    FREED char *all = text_format(", %s,", w->names), *this = text_format(", %s,", name);
    if (!all || !this) return error_memory(b->e);
    if (!strstr(all, this) && used < NAMES - 1)
        snprintf(w->names + used, NAMES - used, "%s%s", used ? ", " : "", name);
    if (!has_word(w->sql, name) || find_column(w, name)) return 0;
    if (w->columns == COLUMNS_MOST) return refuse_condition(b, "more than 32 attributes");
    return add_column(w, name) ? refuse_condition(b, sqlite3_errmsg(w->db)) : 0;
}

int where_prepare(struct build *b)
{
    struct where *w = b->where;
    if (!w) return 0;
    if (!w->columns) return refuse_condition(b, "names none of its attributes");
    if (!sql_is_closed(w->sql)) return refuse_condition(b, "not one closed expression");
    FREED char *ask = text_format("SELECT 1 FROM feature WHERE (%s)", w->sql);
    if (!ask) return error_memory(b->e);
    if (sqlite3_exec(w->db, "INSERT INTO feature DEFAULT VALUES; BEGIN", NULL, NULL, NULL))
        return refuse_condition(b, sqlite3_errmsg(w->db));
    sql_guard(w->db, &w->guard);
    const int result = sqlite3_prepare_v2(w->db, ask, -1, &w->ask, NULL);
    sqlite3_set_authorizer(w->db, NULL, NULL);
    if (result) return refuse_condition(b, sqlite3_errmsg(w->db));
    return sqlite3_bind_parameter_count(w->ask) ? refuse_condition(b, "it has a parameter") : 0;
}

static void set_value(struct column *c, const char *text)
{
    c->given = text != NULL;
    if (text) sqlite3_bind_text(c->set, 1, text, -1, SQLITE_STATIC);
    else sqlite3_bind_null(c->set, 1);
    sqlite3_step(c->set);
    sql_again(c->set);
}

bool where_uses(struct where *w, const char *name)
{
    return find_column(w, name) != NULL;
}

void where_value(struct where *w, const char *name, const char *text)
{
    struct column *c = find_column(w, name);
    if (c && !c->given) set_value(c, text);
    if (c && text && !*c->first) scan_excerpt(c->first, text);
}

int where_holds(struct build *b, bool *holds)
{
    struct where *w = b->where;
    *holds = true;
    if (!w) return 0;
    const int result = sqlite3_step(w->ask);
    *holds = result == SQLITE_ROW;
    const int status =
        *holds || result == SQLITE_DONE ? 0 : refuse_condition(b, sqlite3_errmsg(w->db));
    sql_again(w->ask);
    for (int i = 0; i < w->columns; i++)
        if (w->column[i].given) set_value(&w->column[i], NULL);
    return status;
}

int where_refuse_all(struct build *b)
{
    const struct where *w = b->where;
    char said[256] = "";
    for (int i = 0; i < w->columns && !*said; i++)
        if (*w->column[i].first)
            snprintf(said, sizeof said, " (%.60s is '%s', for instance)", w->column[i].name,
                     w->column[i].first);
    scan_cut(said);
    scan_make_printable(said);
    return error_input(
        b->e, "%s: none of its features with a geometry fulfils the condition; correct it%s",
        b->path, said);
}
