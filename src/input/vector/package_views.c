/* package_views.c — whether the views of a GeoPackage end. A view is a query that the file brings
 * along: a recursive one may never end, and GDAL would count and read its rows for ever. So SQLite
 * steps through each view first, and stops after a number of its instructions. */
#include "build.h"

#include "base/loaded.h"
#include "text/scan.h"

typedef void *sqlite;           /* sqlite3 * */
typedef void *sqlite_statement; /* sqlite3_stmt * */

/* The functions that are called, with the types of every SQLite 3 */
struct sqlite_calls {
    int (*sqlite3_open_v2)(const char *file, sqlite *db, int flags, const char *vfs);
    int (*sqlite3_close)(sqlite db);
    int (*sqlite3_prepare_v2)(sqlite db, const char *sql, int bytes, sqlite_statement *made,
                              const char **tail);
    int (*sqlite3_step)(sqlite_statement s);
    const unsigned char *(*sqlite3_column_text)(sqlite_statement s, int column);
    int (*sqlite3_finalize)(sqlite_statement s);
    void (*sqlite3_progress_handler)(sqlite db, int every, int (*call)(void *), void *data);
};
enum { SQLITE_OK = 0, SQLITE_ROW = 100, SQLITE_DONE = 101, SQLITE_OPEN_READONLY = 1 };

/* Some seconds; a view of a million rows takes a fifth of them. */
enum { INSTRUCTIONS_AT_ONCE = 100000, CALLS_MAX = 1000 };

static bool load(struct sqlite_calls *s)
{
    char name[32];
    void *library = loaded_newest("libsqlite3", 0, 0, name);
    bool all = library != NULL;
#define FIND(call) all = all && loaded_find(library, #call, &s->call)
    FIND(sqlite3_open_v2);
    FIND(sqlite3_close);
    FIND(sqlite3_prepare_v2);
    FIND(sqlite3_step);
    FIND(sqlite3_column_text);
    FIND(sqlite3_finalize);
    FIND(sqlite3_progress_handler);
#undef FIND
    return all;
}

static int count_down(void *calls_left)
{
    int *left = calls_left;
    return --*left < 0;
}

/* Whether a query ends; each row of the list of views is one that has to. */
static bool ends(const struct sqlite_calls *s, sqlite db, const char *sql)
{
    sqlite_statement rows = NULL;
    int result = s->sqlite3_prepare_v2(db, sql, -1, &rows, NULL);
    if (result == SQLITE_OK) do
            result = s->sqlite3_step(rows);
        while (result == SQLITE_ROW);
    s->sqlite3_finalize(rows);
    return result == SQLITE_DONE;
}

static bool all_end(const struct sqlite_calls *s, sqlite db, char name[64])
{
    static const char views[] = "SELECT 'SELECT * FROM \"' || replace(name, '\"', '\"\"') || '\"', "
                                "name FROM sqlite_master WHERE type = 'view'";
    sqlite_statement list = NULL;
    bool good = true;
    if (s->sqlite3_prepare_v2(db, views, -1, &list, NULL) == SQLITE_OK)
        while (good && s->sqlite3_step(list) == SQLITE_ROW) {
            const char *sql = (const char *)s->sqlite3_column_text(list, 0);
            good = sql && ends(s, db, sql);
            if (!good) snprintf(name, 64, "%.50s", (const char *)s->sqlite3_column_text(list, 1));
        }
    s->sqlite3_finalize(list);
    return good;
}

int package_check_views(const struct build *b)
{
    struct sqlite_calls s;
    sqlite db = NULL;
    int calls_left = CALLS_MAX;
    char view[64] = "";
    bool good = true;
    if (!load(&s)) return 0; /* then GDAL has no SQLite either, or one of its own */
    if (s.sqlite3_open_v2(b->file, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK) {
        s.sqlite3_progress_handler(db, INSTRUCTIONS_AT_ONCE, count_down, &calls_left);
        good = all_end(&s, db, view);
    }
    s.sqlite3_close(db);
    if (good) return 0;
    scan_make_printable(view);
    return error_input(b->e,
                       "%s: its view '%s' does not end, or is not plain SQL; copy the layer "
                       "without views: ogr2ogr -f GPKG out.gpkg %s LAYER",
                       b->path, view, b->file);
}
