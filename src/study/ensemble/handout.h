/* handout.h — hands out the members of an ensemble to several processes: long members first, in parts that become smaller, so
 * that all processes end together. Also chooses the GPU of each process on a machine. */
#pragma once

#include "engine.h"

struct handout {
    int64_t *number; /* members to be computed */
    double *left;    /* the cost of each member and all after it; one more entry, 0 */
    int64_t count, next;
    int processes;
    int *at_once; /* members that each process computes at a time; 0: has not asked yet */
};

/* Hands out the members that *s lacks. */
int handout_create(struct handout *h, const struct ensemble *s, int processes, struct error *e);
void handout_free(struct handout *h); /* all-zero is fine */

/* A part for a process that computes `at_once` members at a time: `least` to `most` members (1 <= least
 * <= most), fewer at the end; 0: none are left. It is a third of the share of this process in the
 * rest, by cost. */
int handout_next(struct handout *h, int process, int64_t *number, int at_once, int least, int most);

/* ---- GPUs of a machine ----------------------------------------------------------------------- */

/* What a process sees. The same GPU may have other numbers in another process, where a batch system
 * shows each one its own; its identity is the same (a UUID). */
struct placement_view {
    int count; /* 0: it computes on processors */
    int number[ENGINE_DEVICES_MAX];
    char id[ENGINE_DEVICES_MAX][40];
};

/* Chooses a device for each process: place[i] is an index into the view of process i; -1: it has none. Each process in turn
 * gets the first device that it sees and none before it has. If there is none left, it shares the one that the fewest have
 * (`share`); without `share` the result is false, and *without is the process. */
bool placement_choose(int *place, const struct placement_view *view, int processes, bool share,
                      int *without);
