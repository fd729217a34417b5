/* exchange.h — members go from rank 0 to all ranks while they compute, and news come back.
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

/* What a rank says at its end. */
struct exchange_end {
    int status; /* of its engine */
    struct error error;
    struct engine_counts counts;
    int64_t members; /* that it computed */
    bool stopped;    /* by a signal */
    int gpus, threads;
};

struct exchange {
    const struct ranks *ranks;
    struct study_job *job;
    struct ensemble_study *study; /* of the job */
    const struct ensemble_request *request;
    pthread_mutex_t lock;     /* of the mailbox: */
    int64_t *number;          /* members for the engine, BATCH_MEMBERS_MAX at most */
    int count, next;          /* */
    bool wants, asked, empty; /* members; has asked for them; none are left */
    int at_once, most;        /* what the engine has asked for */
    _Atomic int64_t done;     /* by this rank, now */
    atomic_bool stop, engine_ended;
    int64_t begun_with; /* members done before */
    struct exchange_end mine;
    struct handout handout;   /* of rank 0, as all below */
    struct exchange_end *end; /* of each rank */
    double *ended_s;          /* 0: has not ended */
    int64_t *done_by;
    int ended;
};

/* Computes what study->s lacks, together. Afterwards study->s has what this rank did; rank 0 has all
 * ends. The status is agreed on. */
int exchange_run(struct exchange *x, struct error *e);
void exchange_free(struct exchange *x);

/* Together: what the others did goes to rank 0's ensemble. */
int exchange_gather(struct exchange *x, struct error *e);
