/* state.h — the file of an unfinished study: a checkpoint, a finished shard, or the part of one process.
 *
 * The file begins with the line "sciara NAME VERSION". Packed values follow (text/packed.h): the digest of the plan,
 * the values that put() writes, and a CRC-32. The file gets its name only when it is complete and on the disk. */
#pragma once

#include "base/error.h"
#include "products/made_by.h"
#include "text/packed.h"

#include <stddef.h>
#include <stdint.h>

enum { STATE_DAMAGED = -1 };

struct state_kind {
    const char *magic; /* the first line, with its newline */
    const char *what;  /* "an ensemble", for messages */
    /* The digest of everything that decides what the study computes: a uint64_t at this offset in *of. */
    size_t digest_at;
    void (*put)(const void *of, struct packed_out *o);
    /* Lists, for messages, what decides the results. NULL: the state is never read. */
    int (*made_by)(const void *of, struct made_by *by, struct error *e);
    /* Reads everything that put() wrote, and checks the checksum (packed_get_sum()). The study has computed nothing
     * yet. Returns 0, STATE_DAMAGED, or a status with *e. */
    int (*get)(void *of, struct packed_in *i, struct error *e);
};

uint64_t state_digest(const struct state_kind *k, const void *of);

int state_write(const struct state_kind *k, const void *of, const char *path, struct error *e);

/* Reads a state. ERROR_INPUT: the file is damaged or belongs to another plan. */
int state_read(const struct state_kind *k, void *of, const char *path, struct error *e);

/* state_write() and state_read(), but in memory, for another process. The caller frees *bytes. Messages show `name`. */
int state_pack(const struct state_kind *k, const void *of, char **bytes, size_t *size,
               struct error *e);
int state_unpack(const struct state_kind *k, void *of, char *bytes, size_t size, const char *name,
                 struct error *e);

/* Reads the first line and the digest; the caller reads the rest. False: the file is damaged. */
bool state_begins(const struct state_kind *k, struct packed_in *i, uint64_t *digest);
int state_damaged(const struct state_kind *k, const char *path, struct error *e);
