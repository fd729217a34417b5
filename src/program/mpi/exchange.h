/* exchange.h — while all ranks compute, rank 0 hands out members, and the ranks report finished members.
 *
 *     engine of a rank ── feed ──► mailbox ── ASK, DONE, END ──► rank 0: handout
 *                                          ◄── GIVE, STOP, CLOSE ──
 *
 * The engine runs on another thread; the main thread looks at mailbox and messages every millisecond.
 * Rank 0 hands out members to its own engine without messages. */
#pragma once

#include "ensemble/ensemble_study.h"
#include "ranks.h"

#include <pthread.h>
#include <stdatomic.h>

/* What a rank reports when it ends. */
struct exchange_end {
    int status; /* status of the rank's engine */
    struct error error;
    struct engine_counts counts;
    int64_t members; /* number of members that the rank computed */
    bool stopped;    /* a signal stopped the rank */
    int gpus, threads;
};

struct exchange {
    const struct ranks *ranks;
    struct study_job *job;
    struct ensemble_study *study; /* the study of the job */
    const struct ensemble_request *request;
    pthread_mutex_t lock;     /* guards the mailbox, which is the next four lines */
    int64_t *number;          /* members for the engine; room for BATCH_MEMBERS_MAX */
    int count, next;          /* members in `number`; index of the next member */
    bool wants, asked, empty; /* the engine wants members; rank 0 was asked; no members are left */
    int at_once, most;        /* members the engine computes at once; the most that rank 0 gives */
    _Atomic int64_t done;     /* members that this rank has computed */
    atomic_bool stop, engine_ended;
    int64_t begun_with; /* number of members that were done at the start */
    struct exchange_end mine;
    struct handout handout;   /* only rank 0 uses this and all members below */
    struct exchange_end *end; /* the report of each rank */
    double *ended_s;          /* when each rank ended; 0: not yet */
    int64_t *done_by;         /* number of members that each rank has computed */
    int ended;
};

/* Called by all ranks together: computes the members that study->s lacks. Afterwards study->s has the members that this rank
 * computed, and rank 0 has all reports. All ranks return the same status. */
int exchange_run(struct exchange *x, struct error *e);
void exchange_free(struct exchange *x);

/* Called by all ranks together: adds the members of all other ranks to the ensemble of rank 0. */
int exchange_gather(struct exchange *x, struct error *e);
