/* engine.h — computes the members of an ensemble that are not done yet, on the processors or on
 * devices.
 *
 * Every thread computes one member at a time with the reference. If the source knows what members cost, long ones begin
 * first, so that all threads end together. What a member did is added under one lock, in any order: sums of integers do not
 * depend on it. */
#pragma once

#include "members/ensemble.h"
#include "study/study.h"

enum {
    ENGINE_DEVICES_MAX = 16,
    ENGINE_DEVICE_BATCH = 128 /* members of a device that are added together, by all threads */
};

/* What one of the devices or processes delivered. */
struct engine_share {
    int64_t members;
    double idle_s; /* time that it waited at the end until the last one was ready */
};

/* What devices have done. */
struct engine_counts {
    uint64_t updates;  /* sum over steps of the cells with lava */
    int64_t larger;    /* members that had to be computed again by fewer blocks */
    int64_t reference; /* members that were left to the reference */
    struct engine_share of[ENGINE_DEVICES_MAX];
};

/* Where numbers of members come from in place of the shard: other processes take some, too. */
struct engine_feed {
    /* Takes the numbers of at most `most` members, of which `at_once` are computed at a time.
     * Returns how many; < 0: ask again soon; 0: no more come. Is called on any thread, and does not
     * wait. */
    int (*next)(void *user, int64_t *number, int at_once, int most);
    void *user;
};

struct engine_options {
    int threads;       /* >= 1 */
    const int *device; /* numbers of devices that compute in place of threads (batch.h) */
    int device_count;  /* at most ENGINE_DEVICES_MAX; 0: none */
    int batch;         /* contributions that are added together, >= 1 */
    const char *state; /* file for checkpoints, NULL: none */
    struct output_folder *folder; /* the folder with that file; NULL: nothing else is there */
    double checkpoint_s;          /* time between two checkpoints */
    study_tell *tell;             /* or NULL */
    void *user;
    struct engine_counts *counts;   /* zeros, to be counted up; or NULL */
    const struct engine_feed *feed; /* NULL: all members that are missing; else no until_error */
};

/* The options for computing all members of a plan in one round: the state is written, and devices
 * compute many at once. */
struct engine_options engine_options_of(const struct study_job *j);

enum engine_end {
    ENGINE_COMPLETE, /* all members of the shard are done */
    ENGINE_SURE,     /* until_error is reached */
    ENGINE_STOPPED,  /* tell() stopped it */
    ENGINE_ASKED,    /* nothing was computed: these members answer a question */
};

/* Computes the missing members, and writes the state at the end if o->state names it; after an error, too, if it can.
 *
 * With s->until_error the error is looked at only when exactly the first 64, 128, 192, ... members are added, later less
 * often. Results beyond such a number wait until it is reached. So when to stop depends on the plan alone, not on threads. */
int engine_run(struct ensemble *s, const struct engine_options *o, enum engine_end *end,
               struct error *e);

/* engine_prepare() prepares a round of a study: an ensemble of all members of *source, with the memory that there is, for at
 * most *threads. engine_round() computes them all; `adapt` turns the ensemble's progress into the study's. */
int engine_prepare(struct ensemble *s, const struct ensemble_source *source, int *threads,
                   struct error *e);
typedef void engine_adapt(const void *of, struct study_progress *now);
int engine_round(struct study_job *j, struct ensemble *s, int threads, engine_adapt *adapt,
                 const void *of, struct engine_counts *counts, struct error *e);

/* Lists the members of the shard that are not done, *number malloc'ed; long ones come first if the
 * source knows what they cost and there is no until_error. */
int engine_order(const struct ensemble *s, int64_t **number, int64_t *count, struct error *e);

/* The first number of members after n at which --until-error looks. */
int64_t engine_boundary(int64_t n, int64_t count);

/* Lowers *threads to what the memory allows, where `processes` processes share the machine;
 * *counter_bytes is left for counters. ERROR_INPUT: too little for one thread. */
int engine_plan_memory(const struct ensemble_source *source, int processes, int *threads,
                       size_t *counter_bytes, struct error *e);
