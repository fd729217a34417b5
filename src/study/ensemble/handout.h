/* handout.h — hands out the members of an ensemble to several processes: long members first, in parts that become smaller, so
 * that all processes end together. Also chooses the GPU of each process on a machine. */
#pragma once

#include "engine.h"

struct handout {
    int64_t *number; /* members to be computed */
    double *left;    /* left[i]: cost of number[i] and all members after it; left[count] is 0 */
    int64_t count, next;
    int processes;
    int *at_once; /* members that each process computes at a time; 0: it has not asked yet */
};

/* Hands out the members that *s lacks. */
int handout_create(struct handout *h, const struct ensemble *s, int processes, struct error *e);
void handout_free(struct handout *h); /* all-zero is fine */

/* Writes the numbers of the next members for a process that computes `at_once` members at a time. Their cost is about a
 * third of the process's share of the remaining cost, but they are at least `least` and at most `most`
 * (1 <= least <= most). Returns the number of members; the last call may return fewer than `least`. 0: none are left. */
int handout_next(struct handout *h, int process, int64_t *number, int at_once, int least, int most);

/* ---- GPUs of a machine ----------------------------------------------------------------------- */

/* The GPUs that a process sees. A GPU may have another number in another process, because a batch system may show
 * each process only its own GPU. The UUID of a GPU, id, is the same in all processes. */
struct placement_view {
    int count; /* 0: the process computes on processors */
    int number[ENGINE_DEVICES_MAX];
    char id[ENGINE_DEVICES_MAX][40];
};

/* Chooses a device for each process. place[i]: index into the view of process i; -1: no device. Each process in turn
 * gets the first device that it sees and that no earlier process has. If no device is left and `share` is set, the
 * process shares the device with the fewest processes. If no device is left and `share` is not set, returns false,
 * and *without is the number of the process. */
bool placement_choose(int *place, const struct placement_view *view, int processes, bool share,
                      int *without);
