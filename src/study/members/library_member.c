/* library_member.c — a row of the table `members` of a library: its columns, and their values for a member. */
#include "library_inside.h"

#include "text/csv.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_FIRST = 2 }; /* the columns member and weight */

/* ---- columns --------------------------------------------------------------------------------- */

static const struct {
    const char *name, *type;
} outcomes[] = {
    {"steps", "INTEGER"},        {"end_h", "REAL"},      {"stopped", "INTEGER"},
    {"last_advance_h", "REAL"},  {"area_m2", "REAL"},    {"runout_m", "REAL"},
    {"max_thickness_m", "REAL"}, {"emitted_m3", "REAL"}, {"volume_off_terrain_m3", "REAL"},
    {"jaccard", "REAL"},         {"digest", "TEXT"},     {"notice", "TEXT"},
    {"into_sea", "INTEGER"},
};
enum { OUTCOMES = sizeof outcomes / sizeof *outcomes };

static const char *type_of(const char *drawn)
{
    static const char *const whole[] = {"vent", "terrain_seed", "max_steps"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (!strcmp(drawn, whole[i])) return "INTEGER";
    return !strcmp(drawn, "class") || !strcmp(drawn, "rates") ? "TEXT" : "REAL";
}

typedef void put_column(FILE *f, int number, const char *name, const char *type);

static char *for_each_column(const struct ensemble_source *source, const char *begin,
                             put_column *put, const char *end)
{
    FREED char *names = text_format("%s", source->columns);
    char *sql = NULL;
    size_t size;
    FILE *f = names ? open_memstream(&sql, &size) : NULL;
    int number = 1;
    if (!f) return NULL;
    fputs(begin, f);
    put(f, number++, "member", "INTEGER");
    put(f, number++, "weight", "INTEGER");
    for (char *at = *names ? names : NULL, *name; at && csv_take_cell(&at, &name, ',');)
        put(f, number++, name, type_of(name));
    for (int i = 0; i < OUTCOMES; i++) put(f, number++, outcomes[i].name, outcomes[i].type);
    fputs(end, f);
    return text_of_stream(f, &sql);
}

static void put_definition(FILE *f, int number, const char *name, const char *type)
{
    fprintf(f, number == 1 ? "\"%s\" %s PRIMARY KEY NOT NULL, " : "\"%s\" %s, ", name, type);
}

static void put_place(FILE *f, int number, const char *name, const char *type)
{
    fprintf(f, "?%d, ", number);
}

static void put_test(FILE *f, int number, const char *name, const char *type)
{
    fprintf(f, "%s\"%s\" IS ?%d", number == 1 ? "" : " AND ", name, number);
}

char *library_sql_create(const struct ensemble_source *source)
{
    return for_each_column(source, "CREATE TABLE members(", put_definition,
                           "result BLOB, geom MULTIPOLYGON)");
}

char *library_sql_insert(const struct ensemble_source *source)
{
    return for_each_column(source, "INSERT OR REPLACE INTO members VALUES(", put_place, "?, ?)");
}

char *library_sql_check(const struct ensemble_source *source)
{
    return for_each_column(source, "SELECT count(*) FROM members WHERE ", put_test, "");
}

/* ---- values ---------------------------------------------------------------------------------- */

static void bind_text(sqlite3_stmt *to, int at, const char *text)
{
    if (!text || !*text) sqlite3_bind_null(to, at);
    else sqlite3_bind_text(to, at, text, -1, SQLITE_TRANSIENT);
}

/* Binds the text `cell`, as a number if its column has the type REAL or INTEGER. */
static void bind_drawn(sqlite3_stmt *to, int at, const char *name, const char *cell)
{
    double x;
    if (!strcmp(type_of(name), "REAL") && scan_real(cell, &x)) sqlite3_bind_double(to, at, x);
    else if (!strcmp(type_of(name), "INTEGER") && *cell)
        sqlite3_bind_int64(to, at, strtoll(cell, NULL, 10));
    else bind_text(to, at, cell);
}

/* Binds the outcomes of a member. NaN becomes NULL. */
static void bind_outcomes(sqlite3_stmt *to, int at, const struct ensemble_source *source,
                          const struct member_result *r)
{
    const double cell_m = source->base->geo.cell_m;
    char digest[17];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)r->digest);
    sqlite3_bind_int64(to, at++, r->step);
    sqlite3_bind_double(to, at++, r->end_s / 3600);
    sqlite3_bind_int64(to, at++, r->stopped);
    sqlite3_bind_double(to, at++, r->advance_s / 3600);
    sqlite3_bind_double(to, at++, (double)r->cells * cell_m * cell_m);
    sqlite3_bind_double(to, at++, r->runout_m);
    sqlite3_bind_double(to, at++, r->max_thickness_m);
    sqlite3_bind_double(to, at++, r->emitted_m3);
    sqlite3_bind_double(to, at++, r->left_m3);
    sqlite3_bind_double(to, at++, r->jaccard);
    bind_text(to, at++, digest);
    bind_text(to, at++, r->notice);
    sqlite3_bind_int64(to, at, r->into_sea);
}

int library_bind(sqlite3_stmt *to, const struct ensemble_source *source, int64_t number,
                 const struct member_result *r)
{
    FREED char *names = text_format("%s", source->columns),
               *cells = text_format("%s", r->drawn ? r->drawn : "");
    int at = COLUMNS_FIRST + 1;
    if (!names || !cells) return -1;
    char *n = *names ? names : NULL, *c = cells, *name, *cell, none[] = "";
    sqlite3_bind_int64(to, 1, number);
    sqlite3_bind_int64(to, 2, (int64_t)r->weight);
    while (n && csv_take_cell(&n, &name, ',')) {
        if (!c || !csv_take_cell(&c, &cell, ',')) cell = none;
        bind_drawn(to, at++, name, cell);
    }
    bind_outcomes(to, at, source, r);
    return at + OUTCOMES - 1;
}
