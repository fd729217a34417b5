/* ensemble_study.h — an ensemble as a study (study/study.h): a plan, the members of it that are done,
 * and who has computed them. */
#ifndef SCIARA_ENSEMBLE_STUDY_H
#define SCIARA_ENSEMBLE_STUDY_H

#include "ensemble_state.h"
#include "engine.h"
#include "null_model.h"
#include "plan.h"
#include "plan_supply.h"
#include "report.h"

struct ensemble_options {
    double until_error; /* < 0: as the plan has it */
    struct shard shard; /* all zero: the whole */
    int processes;      /* of MPI that share the machine's memory; 0: this one alone */
};

struct ensemble_study {
    struct plan *plan;
    struct plan_supply supply;
    struct ensemble s;
    double until_error; /* as asked for now; the state has that of the process before */
    bool computed;
    enum engine_end end;
    struct engine_counts counts; /* of devices */
    int ranks, gpus;             /* processes, 0: this one alone; GPUs of all of them */
    struct report_share *share;  /* of devices or processes, malloc'ed */
    int shares;
    uint64_t digest;        /* 0: not computed yet */
    struct null_model null; /* by write() and summary() */
};

/* Of a struct ensemble_study, with struct ensemble_options. */
extern const struct study study_ensemble;

#endif
