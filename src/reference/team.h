/* team.h — the threads of the CPU variant, and the number of them that compute.
 *
 * Waiting for each other twice a step pays while every thread has a processor to itself. But where other programs run, a
 * thread that has lost its processor makes all others wait for milliseconds, and for a small flow waiting costs more than
 * sharing gains. So steps are made in stretches of a fraction of a millisecond. Before each the team is gathered; after
 * each it records the work and its time, and the next one has the size that was the fastest lately. The team tries the
 * next larger size from time to time (less often after each disappointment) and the next smaller one regularly. The team
 * does not wait for a thread that sleeps or whose processor another process has. The results do not depend on any of this. */
#pragma once

#include <stdint.h>

/* How the size of the team is chosen; all but the first are for tests and measurements. */
enum team_rule {
    TEAM_ADAPTS,
    TEAM_ALL,     /* always with all threads */
    TEAM_CHANGES, /* with another size and length for each stretch */
};

struct team;

/* Creates a team of at most `most` >= 1 threads, including the caller of team_run(); fewer if the system grants no more.
 * NULL: out of memory. */
struct team *team_create(int most, enum team_rule rule);
void team_free(struct team *t); /* NULL is fine; not while team_run() runs */

/* The number of threads that the system has granted. */
int team_most(const struct team *t);

/* Gathers the team for a stretch; returns how many threads will compute it, at least 1. *steps: how many steps make a
 * stretch of the right length. */
int team_gather(struct team *t, int *steps);

/* Calls work(context, rank) on every gathered thread, with rank 0 on the caller's. If the work calls team_barrier(), all
 * threads have to call it equally often, the last time at the end. */
void team_run(struct team *t, void (*work)(void *context, int rank), void *context);

/* Records how many steps the last stretch had, and its amount of work in a fixed unit. */
void team_learn(struct team *t, int64_t steps, double amount);

/* A barrier for the threads at work. The last to arrive calls last(context), unless it is NULL, before the others
 * continue. */
void team_barrier(struct team *t, void (*last)(void *), void *context);
