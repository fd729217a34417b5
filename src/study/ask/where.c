/* where.c — evaluates an expression on the columns of a member by SQLite. The expression can read the row of the
 * member and call the functions named here. Its number of steps is limited. */
#include "ask.h"

#include "ensemble/report.h"
#include "text/scan.h"
#include "text/sql.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The functions of expressions. The last two compare a member with what was observed. */
static const char *const functions[] = {"arrival_h", "share",   "thickness_m",
                                        "overlap",   "apart_m", NULL};
enum { OF_THE_OBSERVED = 1 << 3 | 1 << 4 };

struct asking {
    struct ask *x;
    int64_t member; /* the member whose row is evaluated */
    struct error error;
};

/* ---- what a member did at a place ------------------------------------------------------------ */

/* Writes a name in quotes, as an expression needs it; returns out. */
static const char *put_quoted(char *out, int size, const char *name)
{
    return sqlite3_snprintf(size, out, "%!.100Q", name);
}

/* Refuses a name. The message suggests a similar place or, if there is none, lists places. */
static void refuse_place(struct asking *q, const char *given)
{
    const struct assets *a = &q->x->of.s.assets;
    struct scan_nearest n = {.given = given};
    char names[400] = "", excerpt[48], meant[400];
    size_t used = 0;
    for (int i = 0; i < a->count; i++) {
        scan_nearest(&n, a->asset[i].name);
        put_quoted(meant, sizeof meant, a->asset[i].name);
        if (used + strlen(meant) + 2 < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     meant);
    }
    scan_excerpt(excerpt, given);
    if (n.name)
        error_input(&q->error, "there is no place '%s'; did you mean %s?", excerpt,
                    put_quoted(meant, sizeof meant, n.name));
    else if (a->count)
        error_input(&q->error, "there is no place '%s'; there are %s", excerpt, names);
    else error_input(&q->error, "there is no place '%s'; give places of interest", excerpt);
}

/* The number of the place named `text`; -1, with an error: no place has this name, or several places have it. */
static int find_place(struct asking *q, const char *text)
{
    const struct assets *a = &q->x->of.s.assets;
    int found = -1;
    for (int i = 0; i < a->count; i++) {
        if (strcmp(a->asset[i].name, text) != 0) continue;
        if (found >= 0) {
            char name[400];
            error_input(&q->error, "places %d and %d are both named %s; give them different names",
                        a->asset[found].feature + 1, a->asset[i].feature + 1,
                        put_quoted(name, sizeof name, text));
            return -1;
        }
        found = i;
    }
    if (found < 0) refuse_place(q, text);
    return found;
}

/* The results of the row's member at a place; NULL: its lava did not reach the place, or there is an error. */
static const struct reached *at_place(sqlite3_context *c, sqlite3_value *name)
{
    struct asking *q = sqlite3_user_data(c);
    const char *text = (const char *)sqlite3_value_text(name);
    const int place = find_place(q, text ? text : "");
    if (place < 0) {
        sqlite3_result_error(c, q->error.text, -1);
        return NULL;
    }
    const struct reached *r = ask_at_place(q->x, q->member, place);
    if (q->x->of.s.assumed) q->x->of.s.assumed[place] = true;
    return r->share_q ? r : NULL;
}

static void sql_arrival_h(sqlite3_context *c, int count, sqlite3_value **value)
{
    const struct asking *q = sqlite3_user_data(c);
    const struct reached *r = at_place(c, value[0]);
    if (r) sqlite3_result_double(c, report_arrival_h(&q->x->of.s, r->arrival_class));
}

static void sql_thickness_m(sqlite3_context *c, int count, sqlite3_value **value)
{
    const struct reached *r = at_place(c, value[0]);
    if (r) sqlite3_result_double(c, (double)r->thickness_q / STATISTICS_MM);
}

static void sql_share(sqlite3_context *c, int count, sqlite3_value **value)
{
    const struct reached *r = at_place(c, value[0]);
    if (r) sqlite3_result_double(c, (double)r->share_q / STATISTICS_SHARE_PARTS);
}

static bool is_given(sqlite3_context *c)
{
    const struct asking *q = sqlite3_user_data(c);
    if (q->x->given.observed) return true;
    sqlite3_result_error(c, "nothing was observed; give an outline", -1);
    return false;
}

static void sql_overlap(sqlite3_context *c, int count, sqlite3_value **value)
{
    const struct asking *q = sqlite3_user_data(c);
    if (is_given(c)) sqlite3_result_double(c, ask_overlap(q->x, q->member));
}

static void sql_apart_m(sqlite3_context *c, int count, sqlite3_value **value)
{
    struct asking *q = sqlite3_user_data(c);
    double apart;
    if (!is_given(c)) return;
    if (ask_apart_m(&apart, q->x, q->member, &q->error)) sqlite3_result_error(c, q->error.text, -1);
    else if (!isnan(apart)) sqlite3_result_double(c, apart);
}

static int define(sqlite3 *db, struct asking *q)
{
    const int as = SQLITE_UTF8 | SQLITE_DIRECTONLY;
    return sqlite3_create_function(db, "arrival_h", 1, as, q, sql_arrival_h, NULL, NULL) ||
           sqlite3_create_function(db, "thickness_m", 1, as, q, sql_thickness_m, NULL, NULL) ||
           sqlite3_create_function(db, "share", 1, as, q, sql_share, NULL, NULL) ||
           sqlite3_create_function(db, "overlap", 0, as, q, sql_overlap, NULL, NULL) ||
           sqlite3_create_function(db, "apart_m", 0, as, q, sql_apart_m, NULL, NULL);
}

/* ---- the expression -------------------------------------------------------------------------- */

static int refuse_expression(const char *expression, const char *why, struct error *e)
{
    return error_input(e,
                       "condition %.300s: %.300s; give one expression on the columns of "
                       "members.csv, such as \"rate_factor > 1.2 and area_m2 < 1e6\"",
                       expression, why);
}

/* Refuses an expression. SQL takes a place in double quotes for a column; the message then explains this. */
static int refuse_sql(const struct ask *x, const char *expression, struct error *e)
{
    static const char unknown[] = "no such column: ";
    const char *why = sqlite3_errmsg(x->db);
    const char *name = strstr(why, unknown) == why ? why + strlen(unknown) : NULL;
    FREED char *quoted = text_format("\"%s\"", name ? name : "");
    struct scan_nearest n = {.given = name ? name : ""};
    char meant[400];
    for (int i = 0; name && i < x->of.s.assets.count; i++)
        scan_nearest(&n, x->of.s.assets.asset[i].name);
    if (!name || (!n.name && !(quoted && strstr(expression, quoted))))
        return refuse_expression(expression, why, e);
    return error_input(e,
                       "condition %.300s: there is no column %.100s; the name of a place stands in "
                       "single quotes, such as arrival_h(%s)",
                       expression, name, put_quoted(meant, sizeof meant, n.name ? n.name : name));
}

/* Prepares the query. Its only parameter is the number of the member. The expression must not have parameters. */
static int prepare_query(sqlite3_stmt **to, const struct ask *x, const char *expression,
                         struct error *e)
{
    FREED char *sql = text_format("SELECT (%s) FROM members WHERE member = ?", expression);
    if (!sql) return error_memory(e);
    if (!sql_is_closed(expression))
        return refuse_expression(expression, "is not one closed expression", e);
    if (sqlite3_prepare_v2(x->db, sql, -1, to, NULL)) return refuse_sql(x, expression, e);
    return *to && sqlite3_column_count(*to) == 1 && sqlite3_bind_parameter_count(*to) == 1
               ? 0
               : refuse_expression(expression, "is not one expression", e);
}

int ask_where(struct ask *x, const char *expression, bool *given, struct error *e)
{
    struct asking q = {.x = x};
    struct sql_guard guard = {.table = "members", .functions = functions};
    sqlite3_stmt *from = NULL;
    if (define(x->db, &q)) return error_memory(e);
    sql_guard(x->db, &guard);
    int status = prepare_query(&from, x, expression, e);
    for (int64_t i = 0; !status && i < x->of.s.source->count; i++) {
        if (!x->weight[i]) continue;
        q.member = i;
        sqlite3_bind_int64(from, 1, i);
        if (sqlite3_step(from) != SQLITE_ROW)
            status = q.error.code
                         ? error_input(e, "condition %.300s: %.500s", expression, q.error.text)
                         : refuse_expression(expression, sqlite3_errmsg(x->db), e);
        else if (!sqlite3_column_int(from, 0) && sqlite3_column_double(from, 0) == 0)
            x->weight[i] = 0;
        sql_again(from);
    }
    *given = guard.called & OF_THE_OBSERVED;
    sqlite3_finalize(from);
    sql_unguard(x->db);
    return status;
}
