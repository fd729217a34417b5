/* library_null.c — the null model of a library's plan: no question changes it, so none computes it again. */
#include "ensemble_state.h"
#include "library_inside.h"

#include <math.h>
#include <stdlib.h>

/* Another one where other paths or numbers would be found. */
static const char magic[] = "sciara null 1\n";

/* ---- writing --------------------------------------------------------------------------------- */

static bool pack(char **bytes, size_t *size, const struct null_model *n)
{
    struct packed_out o;
    FILE *f = open_memstream(bytes, size);
    if (!f) return false;
    const bool begun = !packed_begin(&o, f, magic, NULL);
    if (begun) {
        packed_put(&o, n->source.digest);
        packed_put_real(&o, n->at.length_m);
        packed_put_real(&o, n->at.half_width_m);
        ensemble_state.put(&n->s, &o);
        packed_end(&o);
    }
    return !fclose(f) && begun;
}

int library_put_null(struct library *l, const struct null_model *n, struct error *e)
{
    FREED char *bytes = NULL;
    size_t size;
    sqlite3_stmt *to = NULL;
    int status = library_sql(
        l, "DROP TABLE IF EXISTS null_model; CREATE TABLE null_model(blob BLOB NOT NULL)", e);
    if (!status && !pack(&bytes, &size, n)) status = error_memory(e);
    if (!status &&
        (sqlite3_prepare_v2(l->db, "INSERT INTO null_model VALUES(?)", -1, &to, NULL) ||
         sqlite3_bind_blob64(to, 1, bytes, size, NULL) || sqlite3_step(to) != SQLITE_DONE))
        status = library_failed(l->path, l->db, e);
    sqlite3_finalize(to);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int get(struct null_model *n, struct packed_in *i, const char *path, struct error *e)
{
    if (!packed_is(i, magic) || packed_get(i, UINT64_MAX) != n->source.digest) {
        null_model_close(n); /* of another version */
        return 0;
    }
    n->at.length_m = packed_get_real(i);
    n->at.half_width_m = packed_get_real(i);
    const int status = n->at.length_m >= 0 && n->at.half_width_m >= 0
                           ? ensemble_state.get(&n->s, i, e)
                           : STATE_DAMAGED;
    return status == STATE_DAMAGED || (!status && n->s.done < n->source.count)
               ? library_damaged(path, "the null model", e)
               : status;
}

static int read_row(struct null_model *n, sqlite3_stmt *from, const char *path, struct error *e)
{
    const void *blob = sqlite3_column_blob(from, 0);
    const size_t size = (size_t)sqlite3_column_bytes(from, 0);
    struct packed_in i;
    if (!size) return library_damaged(path, "the null model", e);
    int status = packed_open_bytes(&i, blob, size, path, e);
    if (status) return status;
    status = get(n, &i, path, e);
    packed_close(&i);
    return status;
}

int library_null(struct null_model *n, const struct ensemble_source *members, sqlite3 *db,
                 const char *path, struct error *e)
{
    sqlite3_stmt *from = NULL;
    int status = 0;
    if (members->base->outline_path &&
        !sqlite3_prepare_v2(db, "SELECT blob FROM null_model", -1, &from, NULL) &&
        sqlite3_step(from) == SQLITE_ROW) {
        status = null_model_open(n, members, NULL_FITTED, e);
        if (!status) status = read_row(n, from, path, e);
        if (status) null_model_close(n);
    }
    sqlite3_finalize(from);
    return status;
}
