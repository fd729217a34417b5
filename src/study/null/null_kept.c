/* null_kept.c — the null model of a plan, stored in a library of the plan's members. The model does not depend on
 * questions, so it is computed only once. */
#include "null_model.h"

#include "members/library_inside.h"

int null_model_keep(const struct null_model *n, struct library *l, struct error *e)
{
    FREED char *bytes = NULL;
    size_t size;
    int status = library_sql(
        l, "DROP TABLE IF EXISTS null_model; CREATE TABLE null_model(blob BLOB NOT NULL)", e);
    if (!status) status = state_pack(&null_state, n, &bytes, &size, e);
    if (!status && library_put(l->db, "INSERT INTO null_model VALUES(?)", "b", bytes, size))
        status = library_failed(l->path, l->db, e);
    return status;
}

static int get_null(struct null_model *n, struct packed_in *i, const char *path, struct error *e)
{
    uint64_t digest;
    if (!state_begins(&null_state, i, &digest) || digest != n->source.digest) {
        null_model_close(n); /* the model is of another version */
        return 0;
    }
    const int status = null_state.get(n, i, e);
    return status == STATE_DAMAGED || (!status && n->s.done < n->source.count)
               ? library_damaged(path, "the null model", e)
               : status;
}

static int read_null(struct null_model *n, sqlite3_stmt *from, const char *path, struct error *e)
{
    const void *blob = sqlite3_column_blob(from, 0);
    const size_t size = (size_t)sqlite3_column_bytes(from, 0);
    struct packed_in i;
    if (!size) return library_damaged(path, "the null model", e);
    int status = packed_open_bytes(&i, blob, size, path, e);
    if (status) return status;
    status = get_null(n, &i, path, e);
    packed_close(&i);
    return status;
}

int null_model_kept(struct null_model *n, const struct ensemble_source *members, sqlite3 *db,
                    const char *path, struct error *e)
{
    FREED_BY(library_finish) sqlite3_stmt *from = NULL;
    if (!members->base->outline_path ||
        sqlite3_prepare_v2(db, "SELECT blob FROM null_model", -1, &from, NULL) ||
        sqlite3_step(from) != SQLITE_ROW)
        return 0;
    int status = null_model_open(n, members, NULL_FITTED, e);
    if (!status) status = read_null(n, from, path, e);
    if (!status && n->s.done) status = null_model_carry(n, e);
    if (status) null_model_close(n);
    return status;
}
