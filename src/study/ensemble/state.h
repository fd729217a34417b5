/* state.h — an ensemble in a file: the checkpoint of one that goes on, and the result of a shard.
 *
 * A line "sciara ensemble 1", then numbers of 7 bits a byte (the upper bit: more follows), texts
 * with their length in front, and the CRC-32 of all that. It depends on the set of members done
 * alone, not on who did them. */
#ifndef SCIARA_ENSEMBLE_STATE_H
#define SCIARA_ENSEMBLE_STATE_H

#include "ensemble.h"

#define STATE_NAME "ensemble.state"

/* Appears whole or not at all, and is on the disk then. */
int state_write(const char *path, const struct ensemble *s, struct error *e);

/* Into an ensemble that was created from the same plan and has nothing yet; its shard becomes the
 * file's. ERROR_INPUT: damaged, or of another plan. */
int state_read(struct ensemble *s, const char *path, struct error *e);

/* The same in memory, for another process: *bytes malloc'ed. `name` says whose it is. */
int state_pack(char **bytes, size_t *size, const struct ensemble *s, struct error *e);
int state_unpack(struct ensemble *s, char *bytes, size_t size, const char *name, struct error *e);

/* What a file says before anything is read: enough to find its plan. */
struct state_head {
    uint64_t digest; /* of the plan */
    char *plan;      /* path, malloc'ed */
    struct shard shard;
    double until_error;
    int64_t members, done;
};
int state_head(struct state_head *h, const char *path, struct error *e);
void state_head_free(struct state_head *h);

#endif
