#include "state.h"

#include "run/output.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <string.h>

uint64_t state_digest(const struct state_kind *k, const void *of)
{
    uint64_t digest;
    memcpy(&digest, (const char *)of + k->digest_at, sizeof digest);
    return digest;
}

/* Writes a state. The owner of the stream checks it for errors after the last write. */
static int put_state(const struct state_kind *k, const void *of, FILE *stream, struct error *e)
{
    struct packed_out o;
    int status = packed_begin(&o, stream, k->magic, e);
    if (status) return status;
    packed_put(&o, state_digest(k, of));
    k->put(of, &o);
    packed_end(&o);
    return 0;
}

int state_write(const struct state_kind *k, const void *of, const char *path, struct error *e)
{
    FREED_BY(atomic_file_abandon) struct atomic_file w;
    int status = atomic_file_open(&w, path, e);
    if (!status) status = put_state(k, of, w.stream, e);
    return status ? status : atomic_file_finish_on_disk(&w, e);
}

int state_pack(const struct state_kind *k, const void *of, char **bytes, size_t *size,
               struct error *e)
{
    *bytes = NULL;
    FILE *stream = open_memstream(bytes, size);
    if (!stream) return error_memory(e);
    int status = put_state(k, of, stream, e);
    const bool failed = ferror(stream) != 0;
    if ((fclose(stream) || failed) && !status) status = error_memory(e);
    if (!status) return 0;
    free(*bytes);
    *bytes = NULL;
    return status;
}

bool state_begins(const struct state_kind *k, struct packed_in *i, uint64_t *digest)
{
    if (!packed_is(i, k->magic)) return false;
    *digest = packed_get(i, UINT64_MAX);
    return !i->bad;
}

int state_damaged(const struct state_kind *k, const char *path, struct error *e)
{
    return error_input(e, "%s: not a state of %s, or damaged; remove it and compute anew", path,
                       k->what);
}

/* Refuses the state of another plan. The files next to the state show how the plans differ. */
static int refuse_other(const struct state_kind *k, const void *of, const char *path,
                        struct error *e)
{
    FREED_BY(made_by_free) struct made_by was = {0}, is = {0};
    FREED char *folder = path_beside(path, ".");
    int status = folder ? output_made_by(&was, folder, e) : error_memory(e);
    if (!status && k->made_by) status = k->made_by(of, &is, e);
    FREED char *differs = status ? NULL : made_by_difference(&was, &is);
    if (status || !differs) return status ? status : error_memory(e);
    return error_input(e,
                       "%s: was written with another plan (%s); restore that plan, or compute it "
                       "anew",
                       path, differs);
}

static int get_state(const struct state_kind *k, void *of, struct packed_in *i, struct error *e)
{
    uint64_t digest;
    if (!state_begins(k, i, &digest)) return STATE_DAMAGED;
    return digest != state_digest(k, of) ? refuse_other(k, of, i->path, e) : k->get(of, i, e);
}

/* Reads a state and closes *i. */
static int get_all(const struct state_kind *k, void *of, struct packed_in *i, struct error *e)
{
    int status = get_state(k, of, i, e);
    if (status == STATE_DAMAGED) status = state_damaged(k, i->path, e);
    packed_close(i);
    return status;
}

int state_read(const struct state_kind *k, void *of, const char *path, struct error *e)
{
    struct packed_in i;
    int status = packed_open(&i, path, "a state", e);
    return status ? status : get_all(k, of, &i, e);
}

int state_unpack(const struct state_kind *k, void *of, char *bytes, size_t size, const char *name,
                 struct error *e)
{
    struct packed_in i;
    int status = packed_open_bytes(&i, bytes, size, name, e);
    return status ? status : get_all(k, of, &i, e);
}
