/* Any bytes as changes of a library: of blobs, results, keys, places in the index, sums and the null model, with the
 * checksums put right, so that what they cover is looked at. It is refused with one line, or read to its end and
 * joined to another. */
#include "ensemble/engine.h"
#include "members/library.h"
#include "null/null_model.h"
#include "ensemble_source.h"
#include "fuzz.h"

#include <sqlite3.h>
#include <unistd.h>
#include <zlib.h>

static struct test_plan plan;
static struct ensemble_source source;
static char base[PATH_MAX], changed[PATH_MAX], joined[PATH_MAX];
static const struct shard whole = {1, 1};

/* Cells that lava of members reaches, and some that it does not. */
static void make_outline(void)
{
    const char *path = scratch_file(&scratch, "outline.asc");
    FILE *f = fopen(path, "w");
    if (!f) abort();
    fprintf(f, "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\n", TEST_COLS,
            TEST_ROWS);
    for (int i = 0; i < TEST_CELLS; i++)
        fprintf(f, "%d%c", i / TEST_COLS > 9 && i % TEST_COLS > 9,
                i % TEST_COLS < TEST_COLS - 1 ? ' ' : '\n');
    if (fclose(f) || !(plan.base.outline_path = text_format("%s", path))) abort();
}

static void make_null(struct library *l)
{
    struct null_model n;
    struct error e = {0};
    if (null_model_open(&n, &source, NULL_FITTED, &e) || null_model_compute(&n, &e) ||
        null_model_keep(&n, l, &e))
        abort();
    null_model_close(&n);
}

static void make_base(void)
{
    const struct engine_options o = {.threads = 1, .batch = 1};
    struct error e = {0};
    struct ensemble s;
    enum engine_end end;
    snprintf(base, sizeof base, "%s", scratch_file(&scratch, "base.gpkg"));
    snprintf(changed, sizeof changed, "%s", scratch_file(&scratch, "changed.gpkg"));
    snprintf(joined, sizeof joined, "%s", scratch_file(&scratch, "joined.gpkg"));
    test_plan_create(&plan, &source, 4);
    make_outline();
    if (ensemble_create(&s, &source, whole, 1 << 24, &e) ||
        library_create(&s.library, &s, base, "0", &e) || engine_run(&s, &o, &end, &e) ||
        library_put_sums(s.library, &e))
        abort();
    make_null(s.library);
    if (library_close(s.library, 0, &e)) abort();
    s.library = NULL;
    ensemble_free(&s);
}

static void put_32(unsigned char *out, uLong x)
{
    for (int i = 0; i < 4; i++) out[i] = (unsigned char)(x >> 8 * i);
}

static void mend(unsigned char *bytes, size_t size, bool cells, int64_t key)
{
    unsigned char first[8];
    if (size < 5) return;
    for (int i = 0; i < 8; i++) first[i] = (unsigned char)((uint64_t)key >> 8 * i);
    if (cells) put_32(bytes, crc32(crc32(0, first, 8), bytes + 4, (uInt)size - 4));
    else put_32(bytes + size - 4, crc32(0, bytes, (uInt)size - 4));
}

/* What, of which row, where, and how many bytes follow in their place. */
struct edit {
    uint8_t what, row, at, page, count;
};

static void change(sqlite3 *db, const struct edit *x, const uint8_t *with)
{
    static const char *const select[] = {
        "SELECT tile_member, blob FROM cells LIMIT 1 OFFSET ?",
        "SELECT member, result FROM members LIMIT 1 OFFSET ?",
        "SELECT rowid, value FROM sciara LIMIT 1 OFFSET ?",
        "SELECT tile_member, x'0000000000000000' FROM cells LIMIT 1 OFFSET ?",
        "SELECT tile, blob FROM sums LIMIT 1 OFFSET ?",
        "SELECT rowid, blob FROM null_model WHERE ? >= 0"};
    static const char *const update[] = {"UPDATE cells SET blob = ? WHERE tile_member = ?",
                                         "UPDATE members SET result = ? WHERE member = ?",
                                         "UPDATE sciara SET value = ? WHERE rowid = ?",
                                         "UPDATE cells SET tile_member = ? WHERE tile_member = ?",
                                         "UPDATE sums SET blob = ? WHERE tile = ?",
                                         "UPDATE null_model SET blob = ? WHERE rowid = ?"};
    sqlite3_stmt *from = NULL, *to = NULL;
    const int what = x->what % 6;
    if (sqlite3_prepare_v2(db, select[what], -1, &from, NULL) ||
        sqlite3_prepare_v2(db, update[what], -1, &to, NULL))
        abort();
    sqlite3_bind_int(from, 1, x->row);
    if (sqlite3_step(from) == SQLITE_ROW) {
        const int64_t key = sqlite3_column_int64(from, 0);
        size_t size = (size_t)sqlite3_column_bytes(from, 1);
        const size_t at = (x->at + 256U * x->page) % (size + 1), end = at + x->count;
        unsigned char *bytes = calloc(1, (end > size ? end : size) + 1);
        if (size) memcpy(bytes, sqlite3_column_blob(from, 1), size);
        memcpy(bytes + at, with, x->count);
        if (end > size) size = end;
        if (what != 2 && what != 3) mend(bytes, size, what == 0, key);
        int64_t other = key;
        memcpy(&other, with, x->count < 8 ? x->count : 8);
        if (what == 3) sqlite3_bind_int64(to, 1, other);
        else if (what == 2) sqlite3_bind_text(to, 1, (char *)bytes, (int)size, SQLITE_TRANSIENT);
        else sqlite3_bind_blob(to, 1, bytes, (int)size, SQLITE_TRANSIENT);
        sqlite3_bind_int64(to, 2, key);
        sqlite3_step(to); /* a key that is there already is refused */
        free(bytes);
    }
    sqlite3_finalize(from);
    sqlite3_finalize(to);
}

static void change_all(const uint8_t *data, size_t size)
{
    sqlite3 *db;
    struct edit x;
    if (sqlite3_open(base, &db)) abort();
    remove(changed);
    char *sql = sqlite3_mprintf("VACUUM INTO %Q", changed);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL)) abort();
    sqlite3_free(sql);
    sqlite3_close(db);
    if (sqlite3_open(changed, &db) ||
        sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL))
        abort();
    for (int edits = 0; edits < 8 && size >= sizeof x; edits++) {
        memcpy(&x, data, sizeof x);
        data += sizeof x;
        size -= sizeof x;
        if (x.count > size) x.count = (uint8_t)size;
        change(db, &x, data);
        data += x.count;
        size -= x.count;
    }
    sqlite3_close(db);
}

static void check(int status, const struct error *e)
{
    if (status && (!*e->text || strchr(e->text, '\n'))) abort();
}

static int take(void *of, int64_t member, const struct reached *reached, int count, struct error *e)
{
    struct ensemble *s = of;
    return statistics_add_places(&s->cells, s->result[member].weight, reached, (size_t)count, e);
}

static void read_null(sqlite3 *db)
{
    struct null_model n = {.fitted = false};
    struct error e = {0};
    check(null_model_kept(&n, &source, db, changed, &e), &e);
    if (n.s.source && ensemble_digest(&n.s) == 0) abort();
    null_model_close(&n);
}

static void read_all(struct ensemble *s)
{
    struct error e = {0};
    sqlite3 *db;
    char *path;
    uint64_t reached[16] = {0};
    int status = library_open(&db, &path, changed, &e);
    if (!status) status = library_check_plan(db, s->source, changed, &e);
    if (!status) status = library_results(s, reached, db, changed, &e);
    const bool good = !status;
    bool found;
    if (good) status = library_sums(s, reached, db, changed, &found, &e);
    check(status, &e);
    if (good) status = library_cells(s, db, changed, 0, UINT32_MAX, NULL, take, s, &e);
    check(status, &e);
    if (good) read_null(db);
    free(path);
    library_shut(&db);
}

static void join_all(const struct ensemble *s)
{
    struct error e = {0};
    struct library *l;
    remove(joined);
    if (library_create(&l, s, joined, "0", &e)) abort();
    const int status = library_join(l, changed, &e);
    check(status, &e);
    if (status) library_abandon(l);
    else if (library_close(l, 0, &e)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ensemble s;
    struct error e = {0};
    if (fuzz_begin()) make_base();
    change_all(data, size);
    if (ensemble_create(&s, &source, whole, 1 << 24, &e)) abort();
    join_all(&s);
    read_all(&s);
    ensemble_free(&s);
    return 0;
}
