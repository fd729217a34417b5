/* ensemble_state.h — an ensemble in a file (study/state.h): the checkpoint of an unfinished one, and
 * the result of a shard. The bytes depend on the set of members done alone, not on who did them. */
#ifndef SCIARA_ENSEMBLE_STATE_H
#define SCIARA_ENSEMBLE_STATE_H

#include "ensemble.h"
#include "study/state.h"

#define STATE_NAME "ensemble.state"

/* Of a struct ensemble. state_read() needs one that was created from the same plan and has no
 * member done; its shard becomes the file's. */
extern const struct state_kind ensemble_state;

/* The path of the plan that the file names, malloc'ed, before anything else is read. */
int ensemble_state_plan(char **plan, const char *path, struct error *e);

#endif
