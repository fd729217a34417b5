/* library_read.c — reading a library. All of its values are checked before they are used: checksums of rows and
 * blobs, classes, positions. */
#include "library_inside.h"

#include "case/resolution.h"
#include "ensemble_state.h"
#include "plan/plan.h"
#include "products/made_by.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int library_damaged(const char *path, const char *what, struct error *e)
{
    char why[201]; /* limits a text from the file */
    snprintf(why, sizeof why, "%s", what);
    scan_make_printable(why);
    return error_input(e,
                       "%s: is not a library of sciara, or damaged (%s); compute the ensemble anew "
                       "and keep its library",
                       path, why);
}

/* ---- the file -------------------------------------------------------------------------------- */

char *library_key(sqlite3 *db, const char *key)
{
    FREED_BY(library_finish) sqlite3_stmt *from = NULL;
    if (sqlite3_prepare_v2(db, "SELECT value FROM sciara WHERE key = ?", -1, &from, NULL))
        return NULL;
    sqlite3_bind_text(from, 1, key, -1, NULL);
    const char *text =
        sqlite3_step(from) == SQLITE_ROW ? (const char *)sqlite3_column_text(from, 0) : NULL;
    return text ? text_format("%s", text) : NULL;
}

bool library_has(sqlite3 *db, const char *key, const char *value)
{
    FREED char *has = library_key(db, key);
    return has && value && !strcmp(has, value);
}

enum { BUSY_MS = 10000 };

static void restrict_to_data(sqlite3 *db)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_exec(db, "PRAGMA query_only = ON", NULL, NULL, NULL);
    sqlite3_busy_timeout(db, BUSY_MS);
}

/* Whether all tables are ordinary tables. A view would execute SQL of the file. */
static bool has_tables_alone(sqlite3 *db)
{
    static const char sql[] =
        "SELECT 1 FROM sqlite_master AS its WHERE lower(name) IN ('members', 'cells', 'sums', "
        "'null_model', 'sciara') AND (type <> 'table' OR ifnull(rootpage, 0) <= 0 OR EXISTS "
        "(SELECT 1 FROM pragma_table_xinfo(its.name) WHERE hidden))";
    FREED_BY(library_finish) sqlite3_stmt *from = NULL;
    return !sqlite3_prepare_v2(db, sql, -1, &from, NULL) && sqlite3_step(from) == SQLITE_DONE;
}

/* Finds the plan. Its path may be relative to the folder in which the ensemble was computed. This may be the present
 * folder, the folder of the library or a folder above the library. malloc'ed; NULL: out of memory. */
static char *find_plan(const char *plan, const char *path)
{
    enum { LEVELS = 4 };
    for (int up = 0; access(plan, F_OK) && up <= LEVELS; up++) {
        FREED char *name = text_format("%.*s%s", 3 * up, "../../../../", plan);
        char *there = name ? path_beside(path, name) : NULL;
        if (there && access(there, F_OK) == 0) return there;
        free(there);
    }
    return text_format("%s", plan);
}

int library_open(sqlite3 **db, char **plan, const char *path, struct error *e)
{
    char format[16];
    *db = NULL;
    if (plan) *plan = NULL;
    const int status = textfile_check_regular(path, "the library.gpkg of an ensemble", e);
    if (status) return status;
    if (text_has_extension(path, ".cfg"))
        return error_input(e, "%s: is a plan, not a library of sciara; name its library.gpkg",
                           path);
    snprintf(format, sizeof format, "%d", LIBRARY_FORMAT);
    /* Opening for writing undoes what a killed process has begun to write. */
    if (sqlite3_open_v2(path, db, SQLITE_OPEN_READWRITE, NULL))
        return error_input(e, "%s: cannot be opened: %s", path, sqlite3_errmsg(*db));
    restrict_to_data(*db);
    if (!has_tables_alone(*db))
        return library_damaged(path, sqlite3_errcode(*db) ? sqlite3_errmsg(*db) : "tables", e);
    FREED char *is = library_key(*db, "format"), *its = library_key(*db, "plan");
    if (!is || !its) return library_damaged(path, sqlite3_errmsg(*db), e);
    if (plan && !(*plan = find_plan(its, path))) return error_memory(e);
    scan_make_printable(is);
    return strcmp(is, format) ? error_input(e,
                                            "%s: has the format %.20s of another version of "
                                            "sciara; make it anew with this one",
                                            path, is)
                              : 0;
}

static bool is_of_plan(sqlite3 *db, uint64_t digest)
{
    char mine[17];
    snprintf(mine, sizeof mine, "%016" PRIx64, digest);
    return library_has(db, "plan_digest", mine);
}

/* Reads the text of the plan and the list of its files. Libraries of earlier versions have no such list. */
static void read_made_by(struct made_by *by, sqlite3 *db)
{
    *by = (struct made_by){.text = library_key(db, "plan_text"),
                           .files = library_key(db, "plan_files")};
}

int library_check_plan(sqlite3 *db, const struct ensemble_source *members, const char *path,
                       struct error *e)
{
    FREED_BY(made_by_free) struct made_by was = {0}, is = {0};
    const struct sim_case *c = members->base;
    if (is_of_plan(db, members->digest)) return 0;
    if (c->unscaled_clock_s > 0 && is_of_plan(db, members->unscaled_digest))
        return error_input(e,
                           "%s: is a library of this plan with another step (Pclock %.12g, now "
                           "%.12g); " RESOLUTION_CLOCK_REMEDY,
                           path, c->unscaled_clock_s, c->problem.params.clock_s,
                           c->unscaled_clock_s);
    read_made_by(&was, db);
    if (made_by_read(&is, members->path, e)) return (int)e->code;
    FREED char *differs = made_by_difference(&was, &is);
    if (!differs) return error_memory(e);
    return error_input(e,
                       "%s: is a library of another plan (%s); name that plan, or join the members "
                       "that both plans have into a library of this plan, with `sciara merge`",
                       path, differs);
}

bool library_work(const char *path, uint64_t *plan_digest, struct made_by *by)
{
    FREED_BY(library_shut) sqlite3 *db = NULL;
    *by = (struct made_by){0};
    if (library_open(&db, NULL, path, NULL)) return false;
    FREED char *digest = library_key(db, "plan_digest");
    if (!digest || sscanf(digest, "%16" SCNx64, plan_digest) != 1) return false;
    read_made_by(by, db);
    return true;
}

static bool has_edges(sqlite3 *db, const char *key, const struct axis *axis)
{
    FREED char *wanted = library_edges(axis);
    return library_has(db, key, wanted);
}

int library_check_classes(sqlite3 *db, const struct ensemble *s, const char *path, struct error *e)
{
    return has_edges(db, "arrival_edges_s", &s->arrival_s) &&
                   has_edges(db, "thickness_edges_m", &s->thickness_m)
               ? 0
               : library_damaged(path, "classes", e);
}

/* Reads the number of members with a warning of a kind, and the number of the first of them. False: the library has no
 * such key. */
static bool get_warned(struct plan_warned *w, sqlite3 *db, const char *kind)
{
    FREED char *key = text_format("warned_%s", kind);
    FREED char *text = key ? library_key(db, key) : NULL;
    return text && sscanf(text, "%" SCNd64 " %" SCNd64, &w->members, &w->first) == 2 &&
           w->members >= 0 && w->first >= 0;
}

bool library_outlook(struct plan_outlook *o, sqlite3 *db)
{
    FREED char *digest = library_key(db, "plan_digest"), *end = library_key(db, "end_s"),
               *vents = library_key(db, "vents");
    *o = (struct plan_outlook){0};
    for (int k = 0; k < WARNING_KINDS; k++)
        if (!get_warned(&o->warned[k], db, warning_kinds[k])) return false;
    return digest && end && vents && sscanf(digest, "%16" SCNx64, &o->digest) == 1 &&
           scan_real(end, &o->end_s) && scan_integer(vents, &o->points) && o->points >= 0;
}

int64_t library_members(sqlite3 *db)
{
    FREED_BY(library_finish) sqlite3_stmt *from = NULL;
    return !sqlite3_prepare_v2(db, "SELECT count(*) FROM members", -1, &from, NULL) &&
                   sqlite3_step(from) == SQLITE_ROW
               ? sqlite3_column_int64(from, 0)
               : -1;
}

int64_t library_count(const char *path, uint64_t plan_digest)
{
    FREED_BY(library_shut) sqlite3 *db = NULL;
    return library_open(&db, NULL, path, NULL) || !is_of_plan(db, plan_digest)
               ? -1
               : library_members(db);
}

char *library_set_aside(const char *folder, uint64_t plan_digest, int64_t members)
{
    const char *dot = strchr(LIBRARY_NAME, '.');
    for (int more = 1;; more++) { /* library-DIGEST.gpkg, library-DIGEST-2.gpkg, ... */
        char number[16] = "";
        if (more > 1) snprintf(number, sizeof number, "-%d", more);
        char *path = text_format("%s/%.*s-%016" PRIx64 "%s%s", folder, (int)(dot - LIBRARY_NAME),
                                 LIBRARY_NAME, plan_digest, number, dot);
        if (!path || library_count(path, plan_digest) == members) return path;
        const bool there = access(path, F_OK) == 0;
        free(path);
        if (!there) return NULL;
    }
}

void library_shut(sqlite3 **db)
{
    sqlite3_close(*db);
}

/* ---- members --------------------------------------------------------------------------------- */

bool library_pack_result(char **bytes, size_t *size, const struct library_result *r)
{
    struct packed_out o;
    FILE *f = open_memstream(bytes, size);
    if (!f) return false;
    const bool begun = !packed_begin(&o, f, "", NULL);
    if (begun) {
        ensemble_put_result(&o, &r->result);
        packed_put(&o, r->reached);
        packed_put(&o, r->identity);
        packed_end(&o);
    }
    return !fclose(f) && begun;
}

bool library_unpack_result(struct library_result *r, const void *bytes, size_t size)
{
    struct packed_in i;
    if (!size || packed_open_bytes(&i, bytes, size, "", NULL)) return false;
    ensemble_get_result(&i, &r->result);
    r->reached = packed_get(&i, UINT32_MAX);
    r->identity = packed_get(&i, UINT64_MAX);
    const bool good = packed_get_sum(&i) && !i.bad && r->result.weight > 0;
    packed_close(&i);
    return good;
}

/* Whether the columns of a member agree with its result. */
static bool agrees(sqlite3_stmt *check, const struct ensemble *s, int64_t number)
{
    sqlite3_reset(check);
    return library_bind(check, s->source, number, &s->result[number]) > 0 &&
           sqlite3_step(check) == SQLITE_ROW && sqlite3_column_int64(check, 0) == 1;
}

int library_results(struct ensemble *s, uint64_t *reached, sqlite3 *db, const char *path,
                    struct error *e)
{
    FREED_BY(library_finish) sqlite3_stmt *from = NULL, *check = NULL;
    FREED char *sql = library_sql_check(s->source);
    wide weight = 0;
    int step = SQLITE_ERROR;
    bool good = sql && !sqlite3_prepare_v2(db, sql, -1, &check, NULL) &&
                !sqlite3_prepare_v2(db, "SELECT member, result FROM members ORDER BY member", -1,
                                    &from, NULL);
    while (good && (step = sqlite3_step(from)) == SQLITE_ROW) {
        const int64_t number = sqlite3_column_int64(from, 0);
        const void *bytes = sqlite3_column_blob(from, 1);
        struct library_result r = {.reached = 0};
        good = number >= 0 && number < s->source->count && !s->result[number].done && bytes &&
               library_unpack_result(&r, bytes, (size_t)sqlite3_column_bytes(from, 1));
        if (!good) {
            member_result_free(&r.result);
            break;
        }
        s->result[number] = r.result;
        reached[number] = r.reached;
        good = agrees(check, s, number);
        if (good) weight += s->result[number].weight;
    }
    if (good && step == SQLITE_DONE && weight <= STATISTICS_WEIGHT_MAX) return 0;
    return library_damaged(path, step < SQLITE_ROW ? sqlite3_errmsg(db) : "a member", e);
}

/* ---- cells ----------------------------------------------------------------------------------- */

struct reading {
    const struct ensemble *s;
    const uint64_t *weight; /* NULL: all members are read */
    const uint32_t *floor;  /* least thickness_q of each class; NULL: only arrivals are read */
    int latest;             /* if only arrivals are read: the last class to read */
    struct block block;
    uint32_t class[BLOCK_CELLS], more[BLOCK_CELLS];
    struct reached reached[BLOCK_CELLS];
};

/* Reads the positions and the arrivals of the cells of a blob. False: the blob is damaged. */
static bool unpack_arrivals(struct reading *r, uint32_t tile)
{
    const struct problem *p = &r->s->source->base->problem;
    const int across = (p->cols + BLOCK_SIDE - 1) / BLOCK_SIDE,
              row0 = (int)(tile / (uint32_t)across) * BLOCK_SIDE,
              col0 = (int)(tile % (uint32_t)across) * BLOCK_SIDE;
    const uint32_t latest = (uint32_t)r->s->arrival_s.edges;
    const struct block *b = &r->block;
    block_values(r->class, b, BLOCK_ARRIVAL);
    for (int i = 0; i < b->count; i++) {
        const int row = row0 + b->at[i] / BLOCK_SIDE, col = col0 + b->at[i] % BLOCK_SIDE;
        const uint32_t arrival = r->class[i];
        if (row >= p->rows || col >= p->cols || arrival > latest) return false;
        r->reached[i] = (struct reached){.place = (uint32_t)row * (uint32_t)p->cols + (uint32_t)col,
                                         .arrival_class = (uint16_t)arrival};
    }
    return true;
}

static bool unpack_thickness(struct reading *r)
{
    const uint32_t thickest = (uint32_t)r->s->thickness_m.edges;
    block_values(r->class, &r->block, BLOCK_THICKNESS);
    block_values(r->more, &r->block, BLOCK_MORE);
    for (int i = 0; i < r->block.count; i++) {
        const uint32_t thickness = r->class[i], more = r->more[i];
        if (thickness > thickest || more >> STATISTICS_THICKNESS_BITS ||
            (r->floor[thickness] + more) >> STATISTICS_THICKNESS_BITS)
            return false;
        r->reached[i].thickness_class = (uint16_t)thickness;
        r->reached[i].thickness_q = r->floor[thickness] + more;
    }
    return true;
}

/* Whether the whole tile is in the domain, and the bounds of the blob's columns exclude invalid values. *place: the
 * first cell of the tile. */
static bool is_whole(const struct reading *r, uint32_t tile, uint32_t *place)
{
    const struct problem *p = &r->s->source->base->problem;
    const struct block *b = &r->block;
    const size_t across = ((size_t)p->cols + BLOCK_SIDE - 1) / BLOCK_SIDE,
                 row = tile / across * BLOCK_SIDE, col = tile % across * BLOCK_SIDE;
    const uint64_t thickest = block_most(b, BLOCK_THICKNESS);
    *place = (uint32_t)(row * (size_t)p->cols + col);
    return row + BLOCK_SIDE <= (size_t)p->rows && col + BLOCK_SIDE <= (size_t)p->cols &&
           block_most(b, BLOCK_ARRIVAL) <= (uint64_t)r->s->arrival_s.edges &&
           thickest <= (uint64_t)r->s->thickness_m.edges &&
           !((r->floor[thickest] + block_most(b, BLOCK_MORE)) >> STATISTICS_THICKNESS_BITS);
}

static int take_blob(struct reading *r, int64_t key, const struct library_takers *to,
                     const char *path, struct error *e)
{
    const uint32_t tile = (uint32_t)(key >> LIBRARY_BITS);
    const int64_t member = key & LIBRARY_MEMBER;
    uint32_t place;
    if (!r->floor && r->block.least[BLOCK_ARRIVAL] > (uint32_t)r->latest) return 0;
    if (to->whole && is_whole(r, tile, &place))
        return to->whole(to->of, member, place, &r->block, r->floor, e);
    return unpack_arrivals(r, tile) && (!r->floor || unpack_thickness(r))
               ? to->take(to->of, member, r->reached, r->block.count, e)
               : library_damaged(path, "cells", e);
}

static int read_cells(struct reading *r, sqlite3_stmt *from, const char *path,
                      const struct library_takers *to, struct error *e)
{
    const struct ensemble *s = r->s;
    int step, status = 0;
    while (!status && (step = sqlite3_step(from)) == SQLITE_ROW) {
        const int64_t key = sqlite3_column_int64(from, 0), member = key & LIBRARY_MEMBER;
        if (r->weight && member < s->source->count && !r->weight[member]) continue;
        const void *blob = sqlite3_column_blob(from, 1);
        if (member >= s->source->count || !blob ||
            !block_open(&r->block, key, blob, (size_t)sqlite3_column_bytes(from, 1)) ||
            !r->block.count)
            return library_damaged(path, "cells", e);
        status = take_blob(r, key, to, path, e);
    }
    return status || step == SQLITE_DONE
               ? status
               : library_damaged(path, sqlite3_errmsg(sqlite3_db_handle(from)), e);
}

static int read_range(struct reading *r, sqlite3 *db, const char *path, int64_t first, int64_t last,
                      const struct library_takers *to, struct error *e)
{
    FREED_BY(library_finish) sqlite3_stmt *from = NULL;
    if (sqlite3_prepare_v2(db,
                           "SELECT tile_member, blob FROM cells WHERE tile_member BETWEEN ? AND ? "
                           "ORDER BY tile_member",
                           -1, &from, NULL))
        return library_damaged(path, sqlite3_errmsg(db), e);
    sqlite3_bind_int64(from, 1, first);
    sqlite3_bind_int64(from, 2, last);
    return read_cells(r, from, path, to, e);
}

/* The least thickness of each class; NULL: out of memory. */
static uint32_t *floors_of(const struct axis *thickness_m)
{
    const size_t classes = (size_t)thickness_m->edges + 1;
    uint32_t *floor = malloc(classes * sizeof *floor);
    for (size_t k = 0; floor && k < classes; k++) floor[k] = block_floor(thickness_m, (int)k);
    return floor;
}

int64_t library_tile_key(const struct ensemble *s, int row, int col, int64_t member)
{
    const size_t cols = (size_t)s->source->base->problem.cols,
                 place = ((size_t)row * cols + (size_t)col) * BLOCK_SIDE;
    return library_cells_key(library_tile(s, place), member);
}

int library_blocks(const struct ensemble *s, sqlite3 *db, const char *path, int64_t first,
                   int64_t last, const uint64_t *weight, const struct library_takers *to,
                   struct error *e)
{
    FREED uint32_t *floor = floors_of(&s->thickness_m);
    if (!floor) return error_memory(e);
    struct reading r = {.s = s, .weight = weight, .floor = floor};
    return read_range(&r, db, path, first, last, to, e);
}

int library_some(const struct ensemble *s, sqlite3 *db, const char *path, const int64_t *key,
                 size_t count, const struct library_takers *to, struct error *e)
{
    FREED_BY(library_finish) sqlite3_stmt *from = NULL;
    FREED uint32_t *floor = floors_of(&s->thickness_m);
    struct reading r = {.s = s, .floor = floor};
    int status = 0;
    if (!floor) return error_memory(e);
    if (sqlite3_prepare_v2(db, "SELECT tile_member, blob FROM cells WHERE tile_member = ?", -1,
                           &from, NULL))
        return library_damaged(path, sqlite3_errmsg(db), e);
    for (size_t i = 0; !status && i < count; i++) {
        sqlite3_bind_int64(from, 1, key[i]);
        status = read_cells(&r, from, path, to, e);
        sqlite3_reset(from);
    }
    return status;
}

static int tile_at(double cells, int last)
{
    return (int)fmax(0, fmin(floor(cells / BLOCK_SIDE), last));
}

bool library_tiles(struct window *tiles, const struct ensemble *s, sqlite3 *db, int64_t member)
{
    const struct problem *p = &s->source->base->problem;
    const struct georef *g = &s->source->base->geo;
    enum { BOX_AT = 8 };
    struct {
        unsigned char head[BOX_AT];
        double west_m, east_m, south_m, north_m;
    } geom;
    sqlite3_blob *blob = NULL;
    const bool good = !sqlite3_blob_open(db, "main", "members", "geom", member, 0, &blob) &&
                      !sqlite3_blob_read(blob, &geom, sizeof geom, 0) &&
                      geom.head[LIBRARY_FLAGS_AT] == library_geom_flags();
    sqlite3_blob_close(blob);
    if (!good) return false;
    /* A margin of one tile on each side: profiling/library_members shifts the cells of a member, not its outline. */
    const int last_row = (p->rows - 1) / BLOCK_SIDE, last_col = (p->cols - 1) / BLOCK_SIDE,
              row0 =
                  tile_at(p->rows - (geom.north_m - g->south_m) / g->cell_m - BLOCK_SIDE, last_row),
              row1 =
                  tile_at(p->rows - (geom.south_m - g->south_m) / g->cell_m + BLOCK_SIDE, last_row),
              col0 = tile_at((geom.west_m - g->west_m) / g->cell_m - BLOCK_SIDE, last_col),
              col1 = tile_at((geom.east_m - g->west_m) / g->cell_m + BLOCK_SIDE, last_col);
    *tiles = (struct window){row0, col0, row1 - row0 + 1, col1 - col0 + 1};
    return row0 <= row1 && col0 <= col1;
}

int library_member(const struct ensemble *s, sqlite3 *db, const char *path, int64_t member,
                   library_take *take, void *of, struct error *e)
{
    const struct problem *p = &s->source->base->problem;
    const struct library_takers to = {.take = take, .of = of};
    struct window tiles;
    size_t count = 0;
    if (!library_tiles(&tiles, s, db, member))
        tiles = (struct window){0, 0, (p->rows + BLOCK_SIDE - 1) / BLOCK_SIDE,
                                (p->cols + BLOCK_SIDE - 1) / BLOCK_SIDE};
    FREED int64_t *key = malloc(window_cells(tiles) * sizeof *key);
    if (!key) return error_memory(e);
    for (int row = tiles.row0; row < tiles.row0 + tiles.rows; row++)
        for (int col = tiles.col0; col < tiles.col0 + tiles.cols; col++)
            key[count++] = library_tile_key(s, row, col, member);
    return library_some(s, db, path, key, count, &to, e);
}

int library_cells(const struct ensemble *s, sqlite3 *db, const char *path, int64_t first,
                  int64_t last, const uint64_t *weight, library_take *take, void *of,
                  struct error *e)
{
    const struct library_takers to = {.take = take, .of = of};
    return library_blocks(s, db, path, first, last, weight, &to, e);
}

int library_arrivals(const struct ensemble *s, sqlite3 *db, const char *path, int latest,
                     const uint64_t *weight, library_take *take, void *of, struct error *e)
{
    const struct library_takers to = {.take = take, .of = of};
    struct reading r = {.s = s, .weight = weight, .latest = latest};
    return read_range(&r, db, path, 0, INT64_MAX, &to, e);
}
