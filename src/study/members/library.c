/* library.c — writes a library: its tables and its members. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "library_inside.h"
#include "plan/plan.h"
#include "products/made_by.h"

#include "base/order.h"
#include "isochrones/wkb.h"
#include "raster/projection.h"
#include "record/picture_mark.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int library_failed(const char *path, sqlite3 *db, struct error *e)
{
    return error_failed(e, "%s: cannot be written: %s; free space there, and resume", path,
                        sqlite3_errmsg(db));
}

int library_sql(const struct library *l, const char *sql, struct error *e)
{
    return sqlite3_exec(l->db, sql, NULL, NULL, NULL) ? library_failed(l->path, l->db, e) : 0;
}

/* ---- an empty library ------------------------------------------------------------------------ */

enum { SRS_OWN = 100000, SRS_NONE = -1 };

/* DATE is constant, so equal libraries have equal bytes. */
#define DATE "2000-01-01T00:00:00.000Z"
static const char tables[] =
    "PRAGMA page_size = 16384; PRAGMA application_id = 0x47504B47; PRAGMA user_version = 10300;"
    "CREATE TABLE gpkg_spatial_ref_sys(srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY,"
    " organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL,"
    " definition TEXT NOT NULL, description TEXT);"
    "CREATE TABLE gpkg_contents(table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL,"
    " identifier TEXT UNIQUE, description TEXT DEFAULT '', last_change DATETIME NOT NULL,"
    " min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER);"
    "CREATE TABLE gpkg_geometry_columns(table_name TEXT NOT NULL, column_name TEXT NOT NULL,"
    " geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL,"
    " m TINYINT NOT NULL, PRIMARY KEY(table_name, column_name));"
    "CREATE TABLE sciara(key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL);"
    "CREATE TABLE cells(tile_member INTEGER PRIMARY KEY NOT NULL, blob BLOB NOT NULL);"
    "INSERT INTO gpkg_spatial_ref_sys VALUES('undefined', -1, 'NONE', -1, 'undefined', NULL),"
    " ('undefined', 0, 'NONE', 0, 'undefined', NULL), ('WGS 84', 4326, 'EPSG', 4326, "
    "'GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
    "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]', NULL);";

static int srs_of(const struct sim_case *c)
{
    const struct crs *crs = &c->geo.crs;
    return crs->epsg ? crs->epsg : crs_known(crs) ? SRS_OWN : SRS_NONE;
}

/* Binds one parameter to the next two arguments: a pointer to bytes, and their number. */
static void bind_blob(sqlite3_stmt *to, int at, va_list *value)
{
    const void *bytes = va_arg(*value, const void *);
    sqlite3_bind_blob64(to, at, bytes, va_arg(*value, size_t), NULL);
}

int library_put(sqlite3 *db, const char *sql, const char *types, ...)
{
    FREED_BY(library_finish) sqlite3_stmt *to = NULL;
    va_list value;
    if (sqlite3_prepare_v2(db, sql, -1, &to, NULL)) return 1;
    va_start(value, types);
    for (int i = 0; types[i]; i++)
        if (types[i] == 't') sqlite3_bind_text(to, i + 1, va_arg(value, const char *), -1, NULL);
        else if (types[i] == 'i') sqlite3_bind_int(to, i + 1, va_arg(value, int));
        else if (types[i] == 'b') bind_blob(to, i + 1, &value);
        else sqlite3_bind_double(to, i + 1, va_arg(value, double));
    va_end(value);
    return sqlite3_step(to) != SQLITE_DONE;
}

static int put_layer(sqlite3 *db, const struct sim_case *c, const char *version)
{
    const struct georef *g = &c->geo;
    const int srs = srs_of(c);
    FREED char *wkt = srs > 0 ? projection_wkt(&g->crs, PROJECTION_WKT1) : NULL,
               *about = text_format("outlines of eruptions. " MADE_BY_SCIARA " %s", version);
    return !about ||
           (srs > 0 && srs != 4326 &&
            library_put(db, "INSERT INTO gpkg_spatial_ref_sys VALUES(?, ?, ?, ?, ?, NULL)", "titit",
                        *g->crs.name ? g->crs.name : "the terrain's", srs,
                        g->crs.epsg ? "EPSG" : "NONE", srs, wkt ? wkt : "undefined")) ||
           library_put(
               db,
               "INSERT INTO gpkg_contents VALUES('members', 'features', 'members', ?, '" DATE
               "', ?, ?, ?, ?, ?)",
               "tddddi", about, g->west_m, g->south_m, g->west_m + c->problem.cols * g->cell_m,
               g->south_m + c->problem.rows * g->cell_m, srs) ||
           library_put(db,
                       "INSERT INTO gpkg_geometry_columns VALUES('members', 'geom', "
                       "'MULTIPOLYGON', ?, 0, 0)",
                       "i", srs);
}

char *library_edges(const struct axis *axis)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; f && i < axis->edges; i++) fprintf(f, i ? " %.17g" : "%.17g", axis->edge[i]);
    return text_of_stream(f, &text);
}

static int put_key(sqlite3 *db, const char *key, char *value)
{
    const int bad = !value || library_put(db, "INSERT INTO sciara VALUES(?, ?)", "tt", key, value);
    free(value);
    return bad;
}

/* Writes the estimates that were made before the first member was computed. Later questions read them and need not draw
 * all members again. */
static int put_outlook(sqlite3 *db, const struct plan_outlook *o)
{
    int bad = put_key(db, "end_s", text_format("%.17g", o->end_s));
    bad = put_key(db, "vents", text_format("%" PRId64, o->points)) || bad;
    for (int k = 0; k < WARNING_KINDS; k++) {
        const struct plan_warned *w = &o->warned[k];
        FREED char *key = text_format("warned_%s", warning_kinds[k]);
        bad = !key || put_key(db, key, text_format("%" PRId64 " %" PRId64, w->members, w->first)) ||
              bad;
    }
    return bad;
}

static int put_keys(sqlite3 *db, const struct ensemble *s, uint64_t ground,
                    const struct made_by *by, const char *version)
{
    const struct ensemble_source *source = s->source;
    const struct sim_case *c = source->base;
    char *plan = NULL;
    size_t size;
    textfile_load(&plan, &size, source->path, NULL);
    const struct {
        const char *key;
        char *value;
    } keys[] = {{"format", text_format("%d", LIBRARY_FORMAT)},
                {"software", text_format("sciara %s", version)},
                {"plan", text_format("%s", source->path)},
                {"plan_text", plan ? plan : text_format("%s", "")},
                {"plan_files", text_format("%s", by->files)},
                {"plan_digest", text_format("%016" PRIx64, source->digest)},
                {"ground_digest", text_format("%016" PRIx64, ground)},
                {"members", text_format("%" PRId64, source->count)},
                {"rows", text_format("%d", c->problem.rows)},
                {"cols", text_format("%d", c->problem.cols)},
                {"cell_m", text_format("%.17g", c->geo.cell_m)},
                {"west_m", text_format("%.17g", c->geo.west_m)},
                {"south_m", text_format("%.17g", c->geo.south_m)},
                {"arrival_edges_s", library_edges(&s->arrival_s)},
                {"thickness_edges_m", library_edges(&s->thickness_m)}};
    int bad = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        bad = put_key(db, keys[i].key, keys[i].value) || bad;
    return source->outlook ? put_outlook(db, source->outlook) || bad : bad;
}

/* Makes the library in memory and writes the file with all its tables at once. Removes the journal of a killed process
 * first, because SQLite would apply that journal to the new file. */
static int make_library(const struct library *l, const char *version, struct error *e)
{
    sqlite3 *db = NULL;
    FREED_BY(atomic_file_abandon) struct atomic_file w = {0};
    FREED_BY(made_by_free) struct made_by by = {0};
    uint64_t ground;
    FREED char *journal = text_format("%s-journal", l->path),
               *members = library_sql_create(l->s->source);
    if (!journal || !members) return error_memory(e);
    unlink(journal);
    int status = library_ground(&ground, l->s, e);
    if (!status) status = made_by_read(&by, l->s->source->path, e);
    if (!status) status = atomic_file_open(&w, l->path, e);
    if (status) return status;
    if (sqlite3_open(":memory:", &db) || sqlite3_exec(db, tables, NULL, NULL, NULL) ||
        sqlite3_exec(db, members, NULL, NULL, NULL) || put_layer(db, l->s->source->base, version) ||
        put_keys(db, l->s, ground, &by, version) || library_put(db, "VACUUM INTO ?", "t", w.temp))
        status = library_failed(l->path, db, e);
    sqlite3_close(db);
    return status ? status : atomic_file_finish_on_disk(&w, e);
}

/* ---- opening --------------------------------------------------------------------------------- */

int library_prepare(const struct library *l, sqlite3_stmt **to, char *sql, struct error *e)
{
    const int bad = !sql || sqlite3_prepare_v2(l->db, sql, -1, to, NULL);
    free(sql);
    return bad ? library_failed(l->path, l->db, e) : 0;
}

int library_run(const struct library *l, sqlite3_stmt *s, struct error *e)
{
    return sqlite3_step(s) != SQLITE_DONE || sqlite3_reset(s) ? library_failed(l->path, l->db, e)
                                                              : 0;
}

/* Checks that the file is a library of the plan. */
static int check_file(const struct ensemble *s, const char *path, struct error *e)
{
    FREED_BY(library_shut) sqlite3 *db = NULL;
    const int status = library_open(&db, NULL, path, e);
    return status ? status : library_check_plan(db, s->source, path, e);
}

/* Checks the length of a path. SQLite opens the absolute path, and appends a word to this path for the journal. */
static int check_length(const char *path, struct error *e)
{
    FREED char *folder = path_beside(path, ".");
    FREED char *whole = folder ? realpath(folder, NULL) : NULL;
    const size_t length = (whole ? strlen(whole) : 0) + sizeof "/.sciara-0123456789abcdef-journal";
    const sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    if (!vfs || length <= (size_t)vfs->mxPathname) return 0;
    return error_input(
        e,
        "%s: its folder has a path of %zu bytes, and SQLite opens files with up to %d; "
        "give a folder with a shorter path",
        path, whole ? strlen(whole) : 0, vfs->mxPathname);
}

int library_create(struct library **out, const struct ensemble *s, const char *path,
                   const char *version, struct error *e)
{
    struct library *l = *out = calloc(1, sizeof *l);
    if (!l || !(l->path = text_format("%s", path))) return error_memory(e);
    l->s = s;
    l->srs = srs_of(s->source->base);
    const bool there = access(path, F_OK) == 0;
    int status = check_length(path, e);
    if (!status) status = there ? check_file(s, path, e) : make_library(l, version, e);
    if (status) return status;
    if (sqlite3_open_v2(path, &l->db, SQLITE_OPEN_READWRITE, NULL) ||
        sqlite3_exec(l->db, "PRAGMA trusted_schema = OFF; BEGIN IMMEDIATE", NULL, NULL, NULL))
        return library_failed(path, l->db, e);
    status = library_prepare(l, &l->member, library_sql_insert(s->source), e);
    if (!status)
        status = library_prepare(l, &l->cells,
                                 text_format("INSERT OR REPLACE INTO cells VALUES(?, ?)"), e);
    return status ? status : library_drop_sums(l, e);
}

void library_abandon(struct library *l)
{
    if (!l) return;
    sqlite3_finalize(l->member);
    sqlite3_finalize(l->cells);
    sqlite3_close(l->db);
    FREE_ALL(l->path, l);
}

int library_commit(struct library *l, struct error *e)
{
    return library_sql(l, "COMMIT; BEGIN IMMEDIATE", e);
}

int library_close(struct library *l, int status, struct error *e)
{
    if (l && !status) status = library_sql(l, "COMMIT", e);
    library_abandon(l);
    return status;
}

/* ---- a member -------------------------------------------------------------------------------- */

struct packed_tile {
    uint32_t tile;
    size_t at, size; /* position and size in packed_member.blob */
};

struct packed_member {
    char *geom, *result;
    size_t geom_size, result_size;
    unsigned char *blob;
    struct packed_tile *tile;
    int tiles;
};

static bool pack_result(struct packed_member *p, const struct library *l,
                        const struct contribution *one)
{
    struct library_result r = {.result = one->result, .reached = one->cells};
    return !library_identity(&r.identity, l->s->source, one->number, NULL) &&
           library_pack_result(&p->result, &p->result_size, &r);
}

uint32_t library_tile(const struct ensemble *s, size_t place)
{
    const size_t cols = (size_t)s->source->base->problem.cols,
                 across = (cols + BLOCK_SIDE - 1) / BLOCK_SIDE;
    return (uint32_t)(place / cols / BLOCK_SIDE * across + place % cols / BLOCK_SIDE);
}

/* Sorts the cells of a member by tile and by position in the tile. In each word, the upper 32 bits are tile and
 * position, the lower 32 bits the index in one->cell. */
static uint64_t *order_of(const struct ensemble *s, const struct contribution *one)
{
    const size_t cols = (size_t)s->source->base->problem.cols;
    uint64_t *order = malloc((one->cells + 1) * sizeof *order);
    for (size_t i = 0; order && i < one->cells; i++) {
        const size_t place = one->cell[i].place,
                     at = place / cols % BLOCK_SIDE * BLOCK_SIDE + place % cols % BLOCK_SIDE;
        order[i] = ((uint64_t)library_tile(s, place) * BLOCK_CELLS + at) << 32 | i;
    }
    if (order) qsort(order, one->cells, sizeof *order, order_words);
    return order;
}

static void values_of(uint32_t value[BLOCK_COLUMNS], const struct ensemble *s,
                      const struct reached *x)
{
    value[BLOCK_ARRIVAL] = x->arrival_class;
    value[BLOCK_THICKNESS] = x->thickness_class;
    value[BLOCK_MORE] = x->thickness_q - block_floor(&s->thickness_m, x->thickness_class);
    value[BLOCK_END] = (uint32_t)axis_of(&s->thickness_m, (double)x->end_q / STATISTICS_MM);
}

int64_t library_cells_key(uint32_t tile, int64_t member)
{
    return (int64_t)tile << LIBRARY_BITS | member;
}

static bool pack_tile(struct packed_member *p, size_t *used, const struct ensemble *s,
                      const struct contribution *one, const uint64_t *order, int count)
{
    uint16_t at[BLOCK_CELLS];
    uint32_t value[BLOCK_CELLS][BLOCK_COLUMNS];
    unsigned char packed[BLOCK_BYTES_MAX];
    for (int i = 0; i < count; i++) {
        at[i] = (uint16_t)(order[i] >> 32 & (BLOCK_CELLS - 1));
        values_of(value[i], s, &one->cell[order[i] & UINT32_MAX]);
    }
    const uint32_t tile = (uint32_t)((order[0] >> 32) / BLOCK_CELLS);
    const size_t size = block_pack(packed, library_cells_key(tile, one->number), at,
                                   (const uint32_t(*)[BLOCK_COLUMNS])value, count);
    unsigned char *more = realloc(p->blob, *used + size);
    if (!more) return false;
    p->blob = more;
    memcpy(more + *used, packed, size);
    p->tile[p->tiles++] = (struct packed_tile){tile, *used, size};
    *used += size;
    return true;
}

static bool pack_cells(struct packed_member *p, const struct ensemble *s,
                       const struct contribution *one)
{
    FREED uint64_t *order = order_of(s, one);
    size_t used = 0, tiles = 0;
    const uint64_t tile = UINT64_C(32) + 10; /* shift that leaves the number of the tile */
    for (size_t i = 0; order && i < one->cells; i++)
        tiles += !i || order[i] >> tile != order[i - 1] >> tile;
    bool good = order && (p->tile = malloc((tiles + 1) * sizeof *p->tile));
    for (size_t i = 0, end; good && i < one->cells; i = end) {
        for (end = i + 1; end < one->cells && order[end] >> tile == order[i] >> tile;) end++;
        good = pack_tile(p, &used, s, one, order + i, (int)(end - i));
    }
    return good;
}

/* Packs the outline of all cells that lava reached. A geometry in a GeoPackage begins with a header and a box. */
static bool pack_outline(struct packed_member *p, const struct ensemble *s, int srs,
                         const struct contribution *one)
{
    const struct georef *g = &s->source->base->geo;
    const int rows = s->source->base->problem.rows, cols = s->source->base->problem.cols;
    const struct window b = contribution_box(one, cols);
    if (!b.rows) return true;
    FREED float *arrival_h = malloc(window_cells(b) * sizeof *arrival_h);
    if (!arrival_h) return false;
    for (size_t i = 0; i < window_cells(b); i++) arrival_h[i] = NAN;
    for (size_t i = 0; i < one->cells; i++) arrival_h[window_at(b, one->cell[i].place, cols)] = 1;
    struct isochrones_input in = {.arrival_h = arrival_h,
                                  .rows = b.rows,
                                  .cols = b.cols,
                                  .geo = *g,
                                  .level_h = (const double[]){1},
                                  .small_cells = 1};
    in.geo.west_m += b.col0 * g->cell_m;
    in.geo.south_m += (rows - b.row0 - b.rows) * g->cell_m;
    FREED_BY(isochrones_free) struct isochrones lines = {.count = 0};
    if (isochrones_create(&lines, &in, NULL)) return false;
    const unsigned char head[] = {'G', 'P', 0, library_geom_flags()};
    const int32_t number = srs;
    const double box[] = {in.geo.west_m, in.geo.west_m + b.cols * g->cell_m, in.geo.south_m,
                          in.geo.south_m + b.rows * g->cell_m};
    FILE *f = open_memstream(&p->geom, &p->geom_size);
    if (!f) return false;
    fwrite(head, sizeof head, 1, f);
    fwrite(&number, sizeof number, 1, f);
    fwrite(box, sizeof box, 1, f);
    wkb_put_area(f, &lines.at[lines.count - 1].reached);
    return !fclose(f);
}

static int write_packed(struct library *l, const struct packed_member *p,
                        const struct contribution *one, struct error *e)
{
    const int values = library_bind(l->member, l->s->source, one->number, &one->result);
    if (values < 0) return error_memory(e);
    sqlite3_bind_blob64(l->member, values + 1, p->result, p->result_size, NULL);
    sqlite3_bind_null(l->member, values + 2);
    if (p->geom) sqlite3_bind_blob64(l->member, values + 2, p->geom, p->geom_size, NULL);
    int status = library_run(l, l->member, e);
    for (int i = 0; !status && i < p->tiles; i++) {
        const struct packed_tile *t = &p->tile[i];
        sqlite3_bind_int64(l->cells, 1, library_cells_key(t->tile, one->number));
        sqlite3_bind_blob64(l->cells, 2, p->blob + t->at, t->size, NULL);
        status = library_run(l, l->cells, e);
    }
    return status;
}

int library_add(struct library *l, const struct contribution *one, int count, struct error *e)
{
    FREED struct packed_member *packed = calloc((size_t)count, sizeof *packed);
    int bad = count;
    if (!packed) return error_memory(e);
#pragma omp parallel for schedule(dynamic) reduction(min : bad) if (count > 1)
    for (int i = 0; i < count; i++) {
        struct packed_member *p = &packed[i];
        const bool good = pack_result(p, l, &one[i]) && pack_cells(p, l->s, &one[i]) &&
                          pack_outline(p, l->s, l->srs, &one[i]);
        if (!good && i < bad) bad = i;
    }
    int status = bad < count ? library_refuse_member(l->s->source, one[bad].number, e) : 0;
    for (int i = 0; i < count; i++) {
        struct packed_member *p = &packed[i];
        if (!status) status = write_packed(l, p, &one[i], e);
        FREE_ALL(p->geom, p->result, p->blob, p->tile);
    }
    return status;
}
