/* many.h — an ensemble that the page shows while its members are computed. study_stream.c opens the ensemble and adds up
 * members, many.c computes them. */
#pragma once

#include "serve.h"

#include "ensemble/ensemble_study.h"
#include "pairs/pairs.h"

/* The cells that a member with barriers has reached; kept until the other member of its pair is done. */
struct half {
    struct reached *cell;
    size_t count;
};

struct many {
    struct session *s;
    int64_t id;
    int sides;              /* 1, or 2 for pairs */
    char *plan[PAIR_SIDES]; /* paths of the plans, which have to live as long as the jobs */
    struct study_job job[PAIR_SIDES];
    pthread_t thread;
    bool started;
    atomic_bool stop;
    int side; /* the side that is being computed */
    int64_t all, block_end;

    pthread_mutex_t lock; /* guards all members below */
    pthread_cond_t changed;
    int64_t next; /* the next member to compute */
    bool ended;
    struct error error;
    struct pair_sums cells; /* sums of pairs, or of single members */
    struct half *half;
};

static inline struct ensemble *ensemble_of(struct many *m, int side)
{
    return &((struct ensemble_study *)m->job[side].self)->s;
}

/* ---- many.c; of a page that has no threads, web/many.c ------------------------------------------ */

/* Begins or continues to compute. False: no thread can be started. */
bool many_start(struct many *m);
void many_halt(struct many *m);
/* Waits up to 0.1 s for a change. The caller holds the lock. False: there is no other thread that computes, so the caller
 * should return instead of waiting. */
bool many_wait(struct many *m);
