/* team.h — the threads of the CPU variant, and how many of them compute.
 *
 * Threads wait for each other twice in each step. This is fast only while every thread has its own processor. If
 * another program takes a processor, all threads wait for milliseconds. For a small flow, threads then wait longer than
 * they save by sharing the work. So the team makes steps in stretches of a fraction of a millisecond. Before each
 * stretch it gathers threads; after each stretch it records the work and its time. The next stretch has the number of
 * threads that was the fastest lately. The team tries the next larger number from time to time, less often after each
 * failure. It tries the next smaller number regularly. It does not wait for a thread that sleeps or has no processor.
 * The results of the simulation do not depend on the number of threads. */
#pragma once

#include <stdint.h>

/* How the team chooses the number of threads. Only TEAM_ADAPTS is for users; the other rules are
 * for tests and measurements. */
enum team_rule {
    TEAM_ADAPTS,
    TEAM_ALL,     /* all threads in every stretch */
    TEAM_CHANGES, /* a random number of threads and steps for each stretch */
};

struct team;

/* Creates a team of at most `most` >= 1 threads, including the caller of team_run(); fewer if the system grants no more.
 * NULL: out of memory. */
struct team *team_create(int most, enum team_rule rule);
void team_free(struct team *t); /* NULL is fine; not while team_run() runs */

/* The number of threads that the system has granted. */
int team_most(const struct team *t);

/* Gathers threads for a stretch and returns their number, at least 1. *steps becomes the number of steps that the
 * stretch should have. */
int team_gather(struct team *t, int *steps);

/* Calls work(context, rank) on every gathered thread; the caller has rank 0. If work() calls team_barrier(), all
 * threads have to call it the same number of times, and work() has to end with such a call. */
void team_run(struct team *t, void (*work)(void *context, int rank), void *context);

/* Records the last stretch: its number of steps, and its amount of work. All calls must have the same unit of work. */
void team_learn(struct team *t, int64_t steps, double amount);

/* A barrier for the threads at work. The last thread to arrive calls last(context) before the other threads continue;
 * last may be NULL. */
void team_barrier(struct team *t, void (*last)(void *), void *context);
