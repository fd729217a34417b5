/* ensemble_state.h — an ensemble in a file (study/state.h): the checkpoint of an unfinished one, and
 * the result of a shard. The bytes depend on the set of members done alone, not on who did them. */
#pragma once

#include "ensemble.h"
#include "study/state.h"

#define STATE_NAME "ensemble.state"

/* The state of a struct ensemble. state_read() needs one that was created from the same plan and
 * has no member done; its shard becomes the file's. */
extern const struct state_kind ensemble_state;

/* The path of the plan that the file names, malloc'ed, and the shard of which it is, before anything else is read. */
int ensemble_state_head(char **plan, struct shard *shard, const char *path, struct error *e);

/* ---- of several processes in one folder: STATE_NAME of the first, and STATE_NAME.N of process N until the
 * first has added it to its own. A process that resumes finds there what one that died has left. */

/* Path of the state of process `rank`, malloc'ed; NULL: out of memory. */
char *rank_state_path(const char *folder, int rank);
bool rank_file_is(const char *name, const char *stem); /* STEM.N, but not the first */

/* Whether there is any state of a process, that of the first included. */
bool rank_states_there(const char *folder);

/* rank_files_visit() counts the files STEM.N of all processes but the first, and calls `with` for each, unless it is
 * NULL; rank_files_remove() removes them. */
typedef int rank_visitor(void *of, const char *path, struct error *e);
int rank_files_visit(const char *folder, const char *stem, rank_visitor *with, void *of, int *found,
                     struct error *e);
/* Visits states: adds one to a struct ensemble, unless its members are there already: then the first process was killed
 * between adding the state and removing the file. */
rank_visitor rank_state_add;
int rank_files_remove(const char *folder, const char *stem, struct error *e);

/* Writes the result of one member. */
void ensemble_put_result(struct packed_out *o, const struct member_result *r);
void ensemble_get_result(struct packed_in *i, struct member_result *r);
