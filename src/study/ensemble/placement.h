/* placement.h — which of the processes on one machine has which of its GPUs. */
#ifndef SCIARA_ENSEMBLE_PLACEMENT_H
#define SCIARA_ENSEMBLE_PLACEMENT_H

#include "engine.h"

#include <stdbool.h>

/* What a process sees. The same GPU may have other numbers in another process, where a batch system
 * shows each one its own; its identity is the same (a UUID). */
struct placement_view {
    int count; /* 0: it computes on processors */
    int number[ENGINE_DEVICES_MAX];
    char id[ENGINE_DEVICES_MAX][40];
};

/* place[i]: the device of process i, as an index into its view; -1: it has none. In turn, each has
 * the first that it sees and none before it has. Where there is none left: with `share` the one
 * that the fewest have, else false, and *without is the process. */
bool placement_choose(int *place, const struct placement_view *view, int processes, bool share,
                      int *without);

#endif
