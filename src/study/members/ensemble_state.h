/* ensemble_state.h — an ensemble in a file (study/state.h): the checkpoint of an unfinished ensemble, or the result
 * of a shard. The bytes depend on the set of members done, not on the process that computed them. */
#pragma once

#include "ensemble.h"
#include "study/state.h"

#define STATE_NAME "ensemble.state"

/* The state of a struct ensemble. state_read() needs an ensemble that was created from the same plan and has no
 * member done. It sets the ensemble's shard to the shard of the file. */
extern const struct state_kind ensemble_state;

/* Reads only the beginning of a state: the path of its plan, which the caller frees, and its shard. */
int ensemble_state_head(char **plan, struct shard *shard, const char *path, struct error *e);

/* ---- several processes in one folder ------------------------------------------------------------
 * The first process writes STATE_NAME, process N writes STATE_NAME.N. The first process adds the other states to its
 * own and removes their files. Files that remain are from a process that was killed; resuming adds them. */

/* Path of the state of process `rank`, which the caller frees; NULL: out of memory. */
char *rank_state_path(const char *folder, int rank);
/* Whether `name` is STEM.N, the file of a process N > 0. */
bool rank_file_is(const char *name, const char *stem);

/* Whether the folder has the state of any process. */
bool rank_states_there(const char *folder);

/* rank_files_visit() counts the files STEM.N in *found, and calls `with` for each of these files unless `with` is
 * NULL. rank_files_remove() removes these files. Neither includes the file of the first process. */
typedef int rank_visitor(void *of, const char *path, struct error *e);
int rank_files_visit(const char *folder, const char *stem, rank_visitor *with, void *of, int *found,
                     struct error *e);
/* A visitor that adds a state to `of`, a struct ensemble. If the ensemble has all members of the state, the
 * visitor adds nothing. Then the first process was killed after it had added the state, before it removed the file. */
rank_visitor rank_state_add;
int rank_files_remove(const char *folder, const char *stem, struct error *e);

/* Write and read the result of one member. */
void ensemble_put_result(struct packed_out *o, const struct member_result *r);
void ensemble_get_result(struct packed_in *i, struct member_result *r);
