/* state.h — an unfinished study in a file: its checkpoint, and what a shard or a process has done.
 *
 * The file has a line "sciara NAME VERSION"; then, packed (text/packed.h), the digest of the plan,
 * what the study puts, and the CRC-32 of both. It appears whole or not at all, once it is on the disk. */
#pragma once

#include "base/error.h"
#include "products/made_by.h"
#include "text/packed.h"

enum { STATE_DAMAGED = -1 };

struct state_kind {
    const char *magic; /* the first line, with its end */
    const char *what;  /* "an ensemble", for messages */
    /* The digest of all that decides what the study computes. */
    uint64_t (*digest)(const void *of);
    void (*put)(const void *of, struct packed_out *o);
    /* What decides that, for messages; NULL: the state is never read. */
    int (*made_by)(const void *of, struct made_by *by, struct error *e);
    /* Reads all, the checksum included (packed_get_sum()), into a study that has computed nothing yet. Returns 0,
     * STATE_DAMAGED, or a status with *e. */
    int (*get)(void *of, struct packed_in *i, struct error *e);
};

int state_write(const struct state_kind *k, const void *of, const char *path, struct error *e);

/* Reads a state. ERROR_INPUT: it is damaged, or of another plan. */
int state_read(const struct state_kind *k, void *of, const char *path, struct error *e);

/* state_write() and state_read() in memory, for another process: *bytes malloc'ed; `name` for messages. */
int state_pack(const struct state_kind *k, const void *of, char **bytes, size_t *size,
               struct error *e);
int state_unpack(const struct state_kind *k, void *of, char *bytes, size_t size, const char *name,
                 struct error *e);

/* Reads the first line and the digest, for a caller that reads the rest itself. False: the file is
 * damaged. */
bool state_begins(const struct state_kind *k, struct packed_in *i, uint64_t *digest);
int state_damaged(const struct state_kind *k, const char *path, struct error *e);
