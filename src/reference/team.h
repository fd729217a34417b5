/* team.h — the threads of the CPU variant, and how many of them compute.
 *
 * Waiting for each other twice a step pays while every thread has a processor to itself. On a
 * machine with other work a thread that has lost its processor makes all others wait for
 * milliseconds, and for a small flow waiting costs more than sharing brings. So steps are made in
 * stretches of a fraction of a millisecond: before each the team is gathered, after each it learns
 * how much work it did in what time, and it goes on in the size that has been the fastest of late,
 * trying the next larger one now and then (the less often, the more often it disappointed) and the
 * next smaller one regularly. A thread that is not at hand, because it sleeps or another process
 * has its processor, is not waited for. What is computed does not depend on any of this. */
#ifndef SCIARA_TEAM_H
#define SCIARA_TEAM_H

#include <stdint.h>

/* How the size of the team is chosen; all but the first are for tests and measurements. */
enum team_rule {
    TEAM_ADAPTS,
    TEAM_ALL,     /* always all threads */
    TEAM_CHANGES, /* another size, and another length, for each stretch */
};

struct team;

/* Up to `most` >= 1 threads, the caller of team_run() included; fewer where the system gives no
 * more. NULL: out of memory. */
struct team *team_create(int most, enum team_rule rule);
void team_free(struct team *t); /* NULL is fine; not while team_run() runs */

/* Threads that can take part at most: those that the system gave. */
int team_most(const struct team *t);

/* Gathers the team for a stretch: how many threads will compute it, at least 1. *steps: how many
 * steps make a stretch of the right length. */
int team_gather(struct team *t, int *steps);

/* Calls work(context, rank) on every thread gathered, rank 0 on the caller's. It may call
 * team_barrier(), and all have to call it as often; its last one comes at the end of the work. */
void team_run(struct team *t, void (*work)(void *context, int rank), void *context);

/* What that was: so many steps, and an amount of work in any unit that stays the same. */
void team_learn(struct team *t, int64_t steps, double amount);

/* For the members of the team at work. The last to arrive calls last(context), if it is not NULL,
 * before the others go on. */
void team_barrier(struct team *t, void (*last)(void *), void *context);

#endif
