/* rank_states.h — the states of an ensemble that several processes compute, in one folder:
 * STATE_NAME of the first, and STATE_NAME.N of process N until the first has added it to its own.
 * A process that resumes finds there what one that died has left. */
#ifndef SCIARA_ENSEMBLE_RANK_STATES_H
#define SCIARA_ENSEMBLE_RANK_STATES_H

#include "ensemble_state.h"

/* Path of the state of process `rank`, malloc'ed; NULL: out of memory. */
char *rank_state_path(const char *folder, int rank);
bool rank_state_is(const char *name); /* of a process but the first */

/* Whether there is any, the first one's too. */
bool rank_states_there(const char *folder);

/* Adds those of all processes but the first; *found: how many there are. One whose members *s has
 * already is passed over: the first process had added it, and was killed before it removed it. */
int rank_states_add(struct ensemble *s, const char *folder, int *found, struct error *e);
int rank_states_remove(const char *folder, struct error *e);

#endif
