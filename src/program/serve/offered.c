/* offered.c — decides which files of a folder the page lists: files that it can open, and files that only a case can name. */
#include "serve.h"

#include "members/library.h"
#include "raster/raster.h"
#include "text/textfile.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool ends_with(const char *name, const char *const *endings)
{
    const char *dot = strrchr(name, '.');
    while (dot && *endings && strcasecmp(dot, *endings)) endings++;
    return dot && *endings;
}

/* ---- fronts ------------------------------------------------------------------------------------ */

/* The values of some cells of a raster. In a front all cells with lava have the same value above 0,
 * and other cells have 0 or no value. A terrain has many values. */
struct seen_values {
    double mark; /* the value above 0; 0: none found yet */
    bool zero, other;
};

static void see_values(struct seen_values *v, const double *value, int count)
{
    for (int i = 0; i < count; i++) {
        if (isnan(value[i])) continue;
        if (value[i] == 0) v->zero = true;
        else if (!(value[i] > 0) || (v->mark > 0 && value[i] != v->mark)) v->other = true;
        else v->mark = value[i];
    }
}

/* Whether a raster seems to be a front. Reads only the middle of some rows, so that a list of files is made quickly. */
static bool has_mark(const char *path)
{
    enum { ROWS = 16, COLS = 1024 };
    double value[COLS];
    struct seen_values v = {0};
    struct raster_file *f = NULL;
    struct error ignored = {0};
    if (raster_open(&f, path, RASTER_ANY_SIZE, NULL, &ignored)) return false;
    const struct raster *head = raster_head(f);
    const int cols = head->cols < COLS ? head->cols : COLS;
    for (int k = 0; k < ROWS && !v.other; k++) {
        const int row = (int)((2 * k + 1) * (int64_t)head->rows / (2 * ROWS));
        const struct raster_cells cells = {
            {row, (head->cols - cols) / 2, 1, cols}, value, (size_t)cols};
        if (raster_read_window(f, &cells, NULL, &ignored)) v.other = true;
        else see_values(&v, value, cols);
    }
    raster_close(f);
    return !v.other && v.zero;
}

/* Whether a file is a front: a raster that has 1 where lava was observed. Does not open a large text, which would be
 * read whole, or a VRT, which could open any file. */
static bool is_front(const char *path, int64_t bytes)
{
    enum { TEXT_MOST = 8 << 20 };
    static const char *const texts[] = {".asc", NULL}, *const other[] = {".vrt", NULL};
    return !ends_with(path, other) && (!ends_with(path, texts) || bytes <= TEXT_MOST) &&
           has_mark(path);
}

/* Whether a GeoPackage is not a library. A damaged library counts as a library: opening it gives the reason. */
static bool is_other_package(const char *path)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    const bool other =
        !sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) &&
        sqlite3_prepare_v2(db, "SELECT key FROM sciara LIMIT 0", -1, &q, NULL) == SQLITE_ERROR;
    sqlite3_finalize(q);
    sqlite3_close(db);
    return other;
}

bool file_is_offered(enum serve_kind *kind, const char *path, const struct stat *about)
{
    static const char *const texts[] = {".cfg", ".gpkg", NULL}, *const grids[] = {".tif", ".tiff",
                                                                                  ".asc", ".vrt",
                                                                                  NULL};
    const bool text = ends_with(path, texts);
    if (!text && !ends_with(path, grids)) return false;
    *kind = serve_kind_of(path);
    if (*kind == SERVE_DEM && text) return false;
    if (*kind == SERVE_LIBRARY && is_other_package(path)) *kind = SERVE_FRONT;
    if (*kind == SERVE_DEM && is_front(path, about->st_size)) *kind = SERVE_FRONT;
    return true;
}
