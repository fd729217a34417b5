/* many.h — an ensemble that a page is shown while its members come in: what study_stream.c opens and counts, and who computes
 * it. */
#pragma once

#include "serve.h"

#include "ensemble/ensemble_study.h"
#include "pairs/pairs.h"

/* What the member with barriers of a pair reached, until the other is done. */
struct half {
    struct reached *cell;
    size_t count;
};

struct many {
    struct session *s;
    int64_t id;
    int sides;              /* 2: pairs */
    char *plan[PAIR_SIDES]; /* paths, for as long as the jobs are there */
    struct study_job job[PAIR_SIDES];
    pthread_t thread;
    bool started;
    atomic_bool stop;
    int side; /* that is computed */
    int64_t all, block_end;

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    int64_t next; /* member to be handed out */
    bool ended;
    struct error error;
    struct pair_sums cells; /* of pairs, or of members alone */
    struct half *half;
};

static inline struct ensemble *ensemble_of(struct many *m, int side)
{
    return &((struct ensemble_study *)m->job[side].self)->s;
}

/* ---- many.c; of a page that has no threads, web/many.c ------------------------------------------ */

/* Begins to compute, or continues. False: no thread can be started. */
bool many_start(struct many *m);
void many_halt(struct many *m);
/* While the lock is held: until something has changed, or for a while. False: nothing changes while the caller waits. */
bool many_wait(struct many *m);
