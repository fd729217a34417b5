/* engine.h — computes the members of an ensemble that are not done yet, on the processors or on
 * devices.
 *
 * On processors, each thread computes one member at a time with the reference. If the source knows the cost of members,
 * long members begin first, so that all threads end together. Results of members are added under one lock, in any
 * order, because the order does not change sums of integers. */
#pragma once

#include "members/ensemble.h"
#include "study/study.h"

enum {
    ENGINE_DEVICES_MAX = 16,
    ENGINE_DEVICE_BATCH = 128 /* number of results of a device that are added at once */
};

/* What a device or a process has done for an ensemble. */
struct engine_share {
    int64_t members;
    double idle_s; /* how long it waited at the end for the slowest device or process */
};

/* Counts of the work of devices. */
struct engine_counts {
    uint64_t updates;  /* sum over steps of the cells with lava */
    int64_t larger;    /* members that had to be computed again by fewer blocks */
    int64_t reference; /* members that were left to the reference */
    struct engine_share of[ENGINE_DEVICES_MAX];
};

/* Hands out numbers of members if several processes compute one ensemble. The engine then has no list of members. */
struct engine_feed {
    /* Writes the numbers of at most `most` members; the caller computes `at_once` of them at a time. Returns how many
     * numbers are written; < 0: ask again soon; 0: no members are left. Any thread may call next(), which does not
     * wait. */
    int (*next)(void *user, int64_t *number, int at_once, int most);
    void *user;
};

struct engine_options {
    int threads;       /* >= 1 */
    const int *device; /* numbers of devices that compute in place of threads (batch.h) */
    int device_count;  /* at most ENGINE_DEVICES_MAX; 0: none */
    int batch;         /* number of results that are added together, >= 1 */
    const char *state; /* file for checkpoints, NULL: none */
    /* The folder of `state`. Before the first checkpoint, earlier results in it move to previous/ (output_make_way()).
     * NULL: nothing moves. */
    struct output_folder *folder;
    double checkpoint_s; /* time between two checkpoints */
    study_tell *tell;    /* or NULL */
    void *user;
    struct engine_counts *counts; /* the engine adds to these counts; NULL: not needed */
    /* NULL: the engine computes all missing members. With until_error it has to be NULL. */
    const struct engine_feed *feed;
};

/* The options to compute all members of a plan in one round: with checkpoints, and with many members at once on
 * devices. */
struct engine_options engine_options_of(const struct study_job *j);

enum engine_end {
    ENGINE_COMPLETE, /* all members of the shard are done */
    ENGINE_SURE,     /* until_error is reached */
    ENGINE_STOPPED,  /* tell() has stopped the engine */
    ENGINE_ASKED,    /* nothing was computed: a question selected members of a library */
};

/* Computes the missing members. Writes the state to the file o->state at the end, even after an error. o->state NULL:
 * writes none.
 *
 * With s->until_error, the engine checks the error when it has added exactly the first 64 members, the first 128, the
 * first 192, and so on; the steps become longer. Results of members beyond such a number wait until the check. So the
 * number of members does not depend on the threads. */
int engine_run(struct ensemble *s, const struct engine_options *o, enum engine_end *end,
               struct error *e);

/* engine_prepare() prepares a round of a study: an ensemble of all members of *source. It lowers *threads to the number that
 * the memory allows. engine_round() computes all members; `adapt` turns the progress of the ensemble into that of the study. */
int engine_prepare(struct ensemble *s, const struct ensemble_source *source, int *threads,
                   struct error *e);
typedef void engine_adapt(const void *of, struct study_progress *now);
int engine_round(struct study_job *j, struct ensemble *s, int threads, engine_adapt *adapt,
                 const void *of, struct engine_counts *counts, struct error *e);

/* Lists the members of the shard that are not done; *number is malloc'ed. Long members come first if the source knows
 * their cost and there is no until_error. */
int engine_order(const struct ensemble *s, int64_t **number, int64_t *count, struct error *e);

/* The first number of members above n at which until_error is checked. */
int64_t engine_boundary(int64_t n, int64_t count);

/* Lowers *threads to the number that the memory allows, if `processes` processes share the machine. *counter_bytes: the
 * memory that is left for counters. ERROR_INPUT: too little memory for one thread. */
int engine_plan_memory(const struct ensemble_source *source, int processes, int *threads,
                       size_t *counter_bytes, struct error *e);
