/* library_sums.c — the counters of all members in a library, tile by tile. A question to all members reads these
 * counters instead of cells. The key `sums_of` has the digest of the members that were counted. If a version of the
 * program without counters adds members, the digest differs. Then questions are answered from cells.
 *
 * The blob of a tile has these numbers, in the form of text/packed.h:
 *   - the tile;
 *   - for each cell that lava reached: its place in the tile (row * 32 + column); the weights of members by class of the
 *     greatest thickness, as put_part() writes them; the weights by class of arrival; the sums over members of weight *
 *     (q / 2048) and of weight * (q mod 2048), with q the greatest thickness in 1/1024 m;
 *   - 1024, and the CRC-32 of everything before it (4 bytes). */
#include "library_inside.h"

#include "base/mix64.h"
#include "study/state.h"
#include "text/packed.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The digest of numbers, weights and last states of the members, independent of their order. */
static char *digest_of(const struct ensemble *s)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < s->source->count; i++) {
        const struct member_result *r = &s->result[i];
        if (r->done) sum += mix64(mix64(mix64((uint64_t)i + 1) ^ r->weight) ^ r->digest);
    }
    return text_format("%016" PRIx64, sum);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes a range of counters, which begins and ends with a nonzero counter: its place, its length, and the counters. */
static void put_part(struct packed_out *o, const uint64_t *c, int count)
{
    int first = 0, end = count;
    while (end && !c[end - 1]) end--;
    while (first < end && !c[first]) first++;
    packed_put(o, (uint64_t)first);
    packed_put(o, (uint64_t)(end - first));
    for (int k = first; k < end; k++) packed_put(o, c[k]);
}

/* Lists the cells of a tile within the domain: at[], row * 32 + column in the tile, and place[], the cell in the
 * domain. Returns their number. */
static int cells_of(uint32_t tile, const struct problem *p, uint16_t at[BLOCK_CELLS],
                    size_t place[BLOCK_CELLS])
{
    const int across = (p->cols + BLOCK_SIDE - 1) / BLOCK_SIDE;
    int count = 0;
    for (int i = 0; i < BLOCK_CELLS; i++) {
        const int row = (int)(tile / (uint32_t)across) * BLOCK_SIDE + i / BLOCK_SIDE,
                  col = (int)(tile % (uint32_t)across) * BLOCK_SIDE + i % BLOCK_SIDE;
        if (row >= p->rows || col >= p->cols) continue;
        at[count] = (uint16_t)i;
        place[count++] = (size_t)row * (size_t)p->cols + (size_t)col;
    }
    return count;
}

static void put_cell(struct packed_out *o, const struct statistics *x, int at, const uint64_t *c)
{
    packed_put(o, (uint64_t)at);
    put_part(o, c, x->thickness_classes);
    put_part(o, c + x->thickness_classes, x->arrival_classes);
    for (int k = 0; k < 2; k++) packed_put(o, c[x->thickness_classes + x->arrival_classes + k]);
}

/* Packs the counters of a tile. False: out of memory. *bytes is NULL if no lava reached the tile. */
static bool pack_tile(char **bytes, size_t *size, const struct ensemble *s, uint32_t tile)
{
    uint16_t at[BLOCK_CELLS];
    size_t place[BLOCK_CELLS];
    struct packed_out o;
    FILE *f = NULL;
    const int count = cells_of(tile, &s->source->base->problem, at, place);
    for (int i = 0; i < count; i++) {
        const uint64_t *c = statistics_at(&s->cells, place[i]);
        if (!statistics_reached(&s->cells, c)) continue;
        if (!f) {
            if (!(f = open_memstream(bytes, size))) return false;
            if (packed_begin(&o, f, "", NULL)) {
                fclose(f);
                return false;
            }
            packed_put(&o, tile);
        }
        put_cell(&o, &s->cells, at[i], c);
    }
    if (!f) return true;
    packed_put(&o, BLOCK_CELLS);
    packed_end(&o);
    return !fclose(f);
}

static int put_tiles(struct library *l, struct error *e)
{
    const uint32_t tiles = library_tile(l->s, l->s->cells.places - 1) + 1;
    FREED_BY(library_finish) sqlite3_stmt *to = NULL;
    int status = library_prepare(l, &to, text_format("INSERT INTO sums VALUES(?, ?)"), e);
    for (uint32_t tile = 0; !status && tile < tiles; tile++) {
        FREED char *bytes = NULL;
        size_t size;
        if (!pack_tile(&bytes, &size, l->s, tile)) status = error_memory(e);
        else if (bytes) {
            sqlite3_bind_int64(to, 1, tile);
            sqlite3_bind_blob64(to, 2, bytes, size, NULL);
            status = library_run(l, to, e);
        }
    }
    return status;
}

int library_drop_sums(struct library *l, struct error *e)
{
    return library_sql(l, "DROP TABLE IF EXISTS sums; DELETE FROM sciara WHERE key = 'sums_of'", e);
}

int library_put_sums(struct library *l, struct error *e)
{
    if (!l->s->cells.slots || library_members(l->db) != l->s->done) return 0;
    int status = library_drop_sums(l, e);
    if (!status)
        status = library_sql(
            l, "CREATE TABLE sums(tile INTEGER PRIMARY KEY NOT NULL, blob BLOB NOT NULL)", e);
    if (!status) status = put_tiles(l, e);
    FREED char *of = status ? NULL : digest_of(l->s);
    if (!status && !of) status = error_memory(e);
    if (!status && library_put(l->db, "INSERT INTO sciara VALUES('sums_of', ?)", "t", of))
        status = library_failed(l->path, l->db, e);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool get_part(struct statistics_span *span, struct packed_in *i, uint64_t *c, int count)
{
    const int first = (int)packed_get(i, (uint64_t)count),
              end = first + (int)packed_get(i, (uint64_t)(count - first));
    for (int k = first; k < end && !i->bad; k++) c[k] = packed_get(i, STATISTICS_WEIGHT_MAX);
    *span = (struct statistics_span){first, end};
    return !i->bad;
}

struct summing {
    struct statistics *x;
    uint64_t weight; /* sum of the weights of all members */
    wide came;       /* sum over members: weight times number of cells reached */
    uint16_t at[BLOCK_CELLS];
    size_t place[BLOCK_CELLS];
};

static int get_cell(struct summing *y, struct packed_in *i, size_t place, struct error *e)
{
    struct statistics *x = y->x;
    const int classes = x->thickness_classes + x->arrival_classes;
    uint64_t *c = statistics_open(x, place, e);
    if (!c) return ERROR_INPUT;
    struct statistics_span span[2];
    if (!get_part(&span[0], i, c, x->thickness_classes) ||
        !get_part(&span[1], i, c + x->thickness_classes, x->arrival_classes))
        return STATE_DAMAGED;
    statistics_counted(x, c, span);
    const uint64_t most = statistics_reached(x, c) << STATISTICS_HALF;
    for (int k = 0; k < 2; k++) c[classes + k] = packed_get(i, most);
    y->came += statistics_reached(x, c);
    return !i->bad && statistics_adds_up(x, c, y->weight) && statistics_reached(x, c)
               ? 0
               : STATE_DAMAGED;
}

/* Reads a tile that put_tiles() wrote. */
static int get_tile(struct summing *y, struct packed_in *i, uint32_t tile, int count,
                    struct error *e)
{
    if (packed_get(i, UINT32_MAX) != tile || i->bad) return STATE_DAMAGED;
    for (int k = 0;; k++) {
        const uint64_t at = packed_get(i, BLOCK_CELLS);
        if (at == BLOCK_CELLS || i->bad) return packed_get_sum(i) ? 0 : STATE_DAMAGED;
        while (k < count && y->at[k] < at) k++;
        if (k == count || y->at[k] != at) return STATE_DAMAGED;
        const int status = get_cell(y, i, y->place[k], e);
        if (status) return status;
    }
}

static int read_row(struct summing *y, const struct ensemble *s, sqlite3_stmt *from,
                    struct error *e)
{
    const int64_t tile = sqlite3_column_int64(from, 0);
    const void *blob = sqlite3_column_blob(from, 1);
    const size_t size = (size_t)sqlite3_column_bytes(from, 1);
    struct packed_in i;
    if (tile < 0 || tile > library_tile(s, s->cells.places - 1) || !size) return STATE_DAMAGED;
    int status = packed_open_bytes(&i, blob, size, "", e);
    if (status) return status;
    const int count = cells_of((uint32_t)tile, &s->source->base->problem, y->at, y->place);
    status = get_tile(y, &i, (uint32_t)tile, count, e);
    packed_close(&i);
    return status;
}

/* Whether a library has counters of exactly its members. */
static bool has_sums(const struct ensemble *s, sqlite3 *db)
{
    FREED char *mine = digest_of(s);
    return library_has(db, "sums_of", mine);
}

int library_sums(struct ensemble *s, const uint64_t *reached, sqlite3 *db, const char *path,
                 bool *found, struct error *e)
{
    FREED_BY(library_finish) sqlite3_stmt *from = NULL;
    wide wanted = 0;
    int step = SQLITE_ERROR, status = 0;
    *found = has_sums(s, db);
    if (!*found) return 0;
    FREED struct summing *y = malloc(sizeof *y);
    if (!y) return error_memory(e);
    *y = (struct summing){.x = &s->cells};
    for (int64_t i = 0; i < s->source->count; i++) {
        y->weight += s->result[i].weight;
        wanted += (wide)s->result[i].weight * reached[i];
    }
    if (!sqlite3_prepare_v2(db, "SELECT tile, blob FROM sums ORDER BY tile", -1, &from, NULL))
        while (!status && (step = sqlite3_step(from)) == SQLITE_ROW)
            status = read_row(y, s, from, e);
    if (!status && (step != SQLITE_DONE || y->came != wanted)) status = STATE_DAMAGED;
    return status == STATE_DAMAGED ? library_damaged(path, "sums", e) : status;
}
