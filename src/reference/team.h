/* team.h — the threads of the CPU variant, and the number of them that compute.
 *
 * Waiting for each other twice a step pays while every thread has a processor to itself. On a
 * machine with other work a thread that has lost its processor makes all others wait for
 * milliseconds, and for a small flow waiting costs more than sharing gains. So steps are made in
 * stretches of a fraction of a millisecond: before each the team is gathered, after each it records
 * the work done and its time, and continues in the size that has recently been the fastest. It
 * tries the next larger size from time to time (less often after each disappointment) and the next
 * smaller one regularly. The team does not wait for a thread that sleeps or whose processor another
 * process has. The results do not depend on any of this. */
#pragma once

#include <stdint.h>

/* How the size of the team is chosen; all but the first are for tests and measurements. */
enum team_rule {
    TEAM_ADAPTS,
    TEAM_ALL,     /* always all threads */
    TEAM_CHANGES, /* another size, and another length, for each stretch */
};

struct team;

/* Up to `most` >= 1 threads, including the caller of team_run(); fewer if the system grants no
 * more. NULL: out of memory. */
struct team *team_create(int most, enum team_rule rule);
void team_free(struct team *t); /* NULL is fine; not while team_run() runs */

/* The largest number of threads: those that the system granted. */
int team_most(const struct team *t);

/* Gathers the team for a stretch. Returns the number of threads that will compute it, at least 1.
 * *steps: the number of steps for a stretch of the right length. */
int team_gather(struct team *t, int *steps);

/* Calls work(context, rank) on every thread gathered, rank 0 on the caller's. It may call
 * team_barrier(); all have to call it equally often, the last time at the end of the work. */
void team_run(struct team *t, void (*work)(void *context, int rank), void *context);

/* Records a stretch: its number of steps, and its amount of work in any fixed unit. */
void team_learn(struct team *t, int64_t steps, double amount);

/* Called by the members of the team at work. The last to arrive calls last(context), if it is not
 * NULL, before the others continue. */
void team_barrier(struct team *t, void (*last)(void *), void *context);
