/* library_join.c — adds the members of one library to another. Both have the same plan, or plans that share members. */
#include "library_inside.h"

#include "base/order.h"
#include "restart/restart.h"
#include "sim/digest.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same member in two plans ------------------------------------------------------------ */

int library_identity(uint64_t *identity, const struct ensemble_source *source, int64_t number,
                     struct error *e)
{
    struct ensemble_member m;
    struct identity id;
    int status = ensemble_member_create(source, number, true, &m, e);
    if (status) return status;
    status = identity_of(&id, m.c, (struct window){0}, e);
    *identity = status ? 0 : identity_digest(&id);
    mix64_add(identity, (uint64_t)m.c->max_steps);
    for (int k = 0; m.spectrum && k < m.spectrum->count; k++) {
        const struct terrain_error *error = &m.spectrum->octave[k];
        if (!(error->sd_m > 0)) continue;
        mix64_add(identity, error->seed);
        mix64_add(identity, error->number);
        mix64_add(identity, digest_bits(error->sd_m));
        mix64_add(identity, digest_bits(error->nodes_per_cell));
    }
    source->release(source->of, &m);
    return status;
}

int library_refuse_member(const struct ensemble_source *source, int64_t number, struct error *e)
{
    uint64_t identity;
    const int status = library_identity(&identity, source, number, e);
    return status ? status : error_memory(e); /* the thread had too little memory */
}

static void mix_axis(uint64_t *digest, const struct axis *axis)
{
    mix64_add(digest, (uint64_t)axis->edges);
    for (int i = 0; i < axis->edges; i++) mix64_add(digest, digest_bits(axis->edge[i]));
}

int library_ground(uint64_t *digest, const struct ensemble *s, struct error *e)
{
    const struct ensemble_source *source = s->source;
    *digest = 0;
    int status = source->ground ? source->ground(source->of, digest, e) : 0;
    mix_axis(digest, &s->arrival_s);
    mix_axis(digest, &s->thickness_m);
    return status;
}

struct identified {
    uint64_t identity;
    int64_t number;
};

/* Lists the identities of all members of the plan, in increasing order. The caller frees *all. *e is the error of the
 * first member with an error. */
static int identify_all(struct identified **all, const struct ensemble_source *source,
                        struct error *e)
{
    struct identified *id = *all = malloc((size_t)source->count * sizeof *id);
    int64_t bad = source->count;
    if (!id) return error_memory(e);
#pragma omp parallel for schedule(dynamic, 64) reduction(min : bad) if (source->count > 64)
    for (int64_t i = 0; i < source->count; i++) {
        id[i].number = i;
        if (i < bad && library_identity(&id[i].identity, source, i, NULL)) bad = i;
    }
    if (bad < source->count) return library_refuse_member(source, bad, e);
    qsort(id, (size_t)source->count, sizeof *id, order_words);
    return 0;
}

/* ---- members of another plan ----------------------------------------------------------------- */

struct joining {
    struct library *l;
    sqlite3 *part;
    const char *path;
    struct identified *id; /* members of the plan of *l */
    sqlite3_stmt *map; /* INSERT of a member's number in the other library and its number in *l */
    int64_t found;
};

/* Writes a member with the weight and the draws that it has in the present plan. */
static int write_member(struct joining *j, int64_t number, const struct library_result *old,
                        sqlite3_stmt *from, struct error *e)
{
    const struct ensemble_source *source = j->l->s->source;
    sqlite3_stmt *to = j->l->member;
    struct library_result r = *old;
    struct ensemble_member m;
    FREED char *bytes = NULL;
    size_t size;
    int status = ensemble_member_create(source, number, true, &m, e);
    if (status) return status;
    r.result.weight = m.weight;
    r.result.drawn = m.drawn;
    const int values = library_bind(to, source, number, &r.result);
    if (values < 0 || !library_pack_result(&bytes, &size, &r)) status = error_memory(e);
    else {
        sqlite3_bind_blob64(to, values + 1, bytes, size, NULL);
        sqlite3_bind_value(to, values + 2, sqlite3_column_value(from, 2));
        status = library_run(j->l, to, e);
    }
    sqlite3_clear_bindings(to);
    source->release(source->of, &m);
    return status;
}

static int take_member(struct joining *j, int64_t number, const struct library_result *r,
                       sqlite3_stmt *from, struct error *e)
{
    const size_t members = (size_t)j->l->s->source->count;
    const struct identified *at =
        order_first(&r->identity, j->id, members, sizeof *j->id, order_words);
    int status = 0;
    for (; !status && at && at < j->id + members && at->identity == r->identity; at++) {
        status = write_member(j, at->number, r, from, e);
        j->found++;
        sqlite3_bind_int64(j->map, 1, number);
        sqlite3_bind_int64(j->map, 2, at->number);
        if (!status) status = library_run(j->l, j->map, e);
    }
    return status;
}

static int take_members(struct joining *j, struct error *e)
{
    FREED_BY(library_finish) sqlite3_stmt *from = NULL;
    int status = 0, step = SQLITE_ERROR;
    bool good =
        !sqlite3_prepare_v2(j->part, "SELECT member, result, geom FROM members", -1, &from, NULL);
    while (!status && good && (step = sqlite3_step(from)) == SQLITE_ROW) {
        struct library_result r = {.reached = 0};
        const void *bytes = sqlite3_column_blob(from, 1);
        good = bytes && library_unpack_result(&r, bytes, (size_t)sqlite3_column_bytes(from, 1));
        if (good) status = take_member(j, sqlite3_column_int64(from, 0), &r, from, e);
        member_result_free(&r.result);
    }
    return status || (good && step == SQLITE_DONE)
               ? status
               : library_damaged(j->path, good ? sqlite3_errmsg(j->part) : "a member", e);
}

/* The SQL function moved(blob, key, new key): the blob with the checksum for its new key. */
static void sql_moved(sqlite3_context *c, int count, sqlite3_value **value)
{
    const int size = sqlite3_value_bytes(value[0]);
    const void *blob = sqlite3_value_blob(value[0]);
    unsigned char *out = size > 0 ? malloc((size_t)size) : NULL;
    if (out) memcpy(out, blob, (size_t)size);
    if (out && block_move(out, (size_t)size, sqlite3_value_int64(value[1]),
                          sqlite3_value_int64(value[2]))) {
        sqlite3_result_blob(c, out, size, free);
        return;
    }
    free(out);
    sqlite3_result_error(c, "cells", -1);
}

static int take_cells(struct joining *j, struct error *e)
{
    struct library *l = j->l;
    FREED char *sql =
        text_format("INSERT OR REPLACE INTO cells SELECT (key & ~%d) | mine, moved(blob, "
                    "key, (key & ~%d) | mine) FROM (SELECT tile_member AS key, blob FROM "
                    "part.cells) JOIN temp.map ON its = key & %d",
                    LIBRARY_MEMBER, LIBRARY_MEMBER, LIBRARY_MEMBER);
    int status = sql ? 0 : error_memory(e);
    if (!status && (sqlite3_create_function(l->db, "moved", 3, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                            NULL, sql_moved, NULL, NULL) ||
                    sqlite3_exec(l->db, sql, NULL, NULL, NULL)))
        status = strcmp(sqlite3_errmsg(l->db), "cells") ? library_failed(l->path, l->db, e)
                                                        : library_damaged(j->path, "cells", e);
    return status;
}

static int check_ground(struct joining *j, struct error *e)
{
    uint64_t ground;
    char mine[17];
    const int status = library_ground(&ground, j->l->s, e);
    if (status) return status;
    FREED char *its = library_key(j->part, "ground_digest");
    snprintf(mine, sizeof mine, "%016" PRIx64, ground);
    if (!its) return library_damaged(j->path, "it has no ground_digest", e);
    return !strcmp(its, mine)
               ? 0
               : error_input(e,
                             "%s: differs from %s in terrain, initial lava, outline, or classes of "
                             "arrival or thickness; join libraries that agree in all of these",
                             j->path, j->l->s->source->path);
}

static int join_other(struct joining *j, struct error *e)
{
    const struct library *l = j->l;
    int status = check_ground(j, e);
    if (!status) status = identify_all(&j->id, l->s->source, e);
    if (!status)
        status = library_sql(l,
                             "CREATE TEMP TABLE IF NOT EXISTS map(its INTEGER, mine INTEGER);"
                             "CREATE INDEX IF NOT EXISTS temp.by_its ON map(its);"
                             "DELETE FROM temp.map; BEGIN",
                             e);
    if (!status)
        status = library_prepare(l, &j->map, text_format("INSERT INTO temp.map VALUES(?, ?)"), e);
    if (!status) status = take_members(j, e);
    if (!status && !j->found)
        status = error_input(e,
                             "%s: shares no member with %s: their draws differ (seed, sampling, "
                             "distributions, vents); join libraries that share members",
                             j->path, l->s->source->path);
    if (!status) status = take_cells(j, e);
    sqlite3_finalize(j->map);
    free(j->id);
    return status;
}

/* ---- joining --------------------------------------------------------------------------------- */

/* BEGIN locks only the library that is written to. BEGIN IMMEDIATE would lock the other library, too. A transaction
 * over two libraries needs one more journal, which a killed process would leave behind. */
int library_join(struct library *l, const char *path, struct error *e)
{
    FREED_BY(library_shut) sqlite3 *part = NULL;
    int status = library_open(&part, NULL, path, e);
    if (!status) status = library_sql(l, "COMMIT", e);
    if (!status && library_put(l->db, "ATTACH ? AS part", "t", path))
        status = library_failed(path, l->db, e);
    if (status) return status;
    if (!library_check_plan(part, l->s->source, path, NULL))
        status = library_sql(l,
                             "BEGIN; INSERT OR IGNORE INTO members SELECT * FROM "
                             "part.members; INSERT OR IGNORE INTO cells SELECT * FROM part.cells",
                             e);
    else status = join_other(&(struct joining){.l = l, .part = part, .path = path}, e);
    return status ? status : library_sql(l, "COMMIT; DETACH part; BEGIN IMMEDIATE", e);
}

/* ---- what is done ---------------------------------------------------------------------------- */

int library_match(struct library *l, struct error *e)
{
    const struct ensemble *s = l->s;
    FREED_BY(library_finish) sqlite3_stmt *all = NULL;
    int64_t there = 0;
    int step = SQLITE_DONE,
        status = library_prepare(l, &all, text_format("SELECT member FROM members"), e);
    while (!status && (step = sqlite3_step(all)) == SQLITE_ROW) {
        const int64_t number = sqlite3_column_int64(all, 0);
        there += number >= 0 && number < s->source->count && s->result[number].done;
    }
    if (status) return status;
    if (step != SQLITE_DONE) return library_failed(l->path, l->db, e);
    if (there == s->done) return 0;
    return error_input(e,
                       "%s: has %" PRId64 " of the %" PRId64 " members that are done; compute "
                       "the ensemble anew with option 'replace'",
                       l->path, there, s->done);
}
