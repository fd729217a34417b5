/* exchange.h — rank 0 gives members to all ranks while they compute, and they report what is done.
 *
 *     engine of a rank ── feed ──► mailbox ── ASK, DONE, END ──► rank 0: handout
 *                                          ◄── GIVE, STOP, CLOSE ──
 *
 * The engine runs on a thread of its own; the main thread looks at mailbox and messages every
 * millisecond. Rank 0 serves itself without messages. */
#pragma once

#include "ensemble/ensemble_study.h"
#include "ranks.h"

#include <pthread.h>
#include <stdatomic.h>

/* What a rank reports when it ends. */
struct exchange_end {
    int status; /* status of its engine */
    struct error error;
    struct engine_counts counts;
    int64_t members; /* number of members that it computed */
    bool stopped;    /* a signal stopped it */
    int gpus, threads;
};

struct exchange {
    const struct ranks *ranks;
    struct study_job *job;
    struct ensemble_study *study; /* the study of the job */
    const struct ensemble_request *request;
    pthread_mutex_t lock;     /* guards the mailbox, which follows: */
    int64_t *number;          /* members for the engine; BATCH_MEMBERS_MAX have room */
    int count, next;          /* how many there are; index of the next one */
    bool wants, asked, empty; /* the engine wants members; it has asked for them; none are left */
    int at_once, most;        /* numbers of members that the engine asks for */
    _Atomic int64_t done;     /* members that this rank has computed */
    atomic_bool stop, engine_ended;
    int64_t begun_with; /* number of members that were done before */
    struct exchange_end mine;
    struct handout handout;   /* this and all below: on rank 0 only */
    struct exchange_end *end; /* the report of each rank */
    double *ended_s;          /* when each rank ended; 0: it has not */
    int64_t *done_by;
    int ended;
};

/* Called by all ranks together: computes what study->s lacks. Afterwards study->s has what this rank computed, and rank 0
 * has all reports. All return the same status. */
int exchange_run(struct exchange *x, struct error *e);
void exchange_free(struct exchange *x);

/* Called by all ranks together: adds to the ensemble of rank 0 what the others computed. */
int exchange_gather(struct exchange *x, struct error *e);
