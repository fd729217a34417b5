/* ensemble.h — the parts of `sciara ensemble` and `sciara merge` among themselves. */
#ifndef SCIARA_CLI_ENSEMBLE_H
#define SCIARA_CLI_ENSEMBLE_H

#include "base/watch.h"
#include "ensemble/engine.h"
#include "ensemble/plan.h"
#include "ensemble/plan_supply.h"
#include "ensemble/report.h"
#include "ensemble/state.h"

#include <stdbool.h>

struct ensemble_request {
    const char *plan, *output, *shard_text; /* output NULL: output/NAME-OF-PLAN */
    double until_error;                     /* < 0: as the plan says */
    int threads;                            /* 0: all */
    int variant;                            /* of ensemble_variants */
    const char *devices;                    /* NULL: the first */
    bool list, resume, quiet, json;
};

struct ensemble_devices {
    int count; /* 0: the processors compute */
    int number[ENGINE_DEVICES_MAX];
};
extern const char *const ensemble_variants[];
int ensemble_devices(struct ensemble_devices *d, const struct ensemble_request *q, struct error *e);

/* A plan with what becomes of it. */
struct ensemble_job {
    struct plan *plan;
    struct plan_supply supply;
    struct ensemble s;
    int threads; /* that there is memory for */
    struct ensemble_devices devices;
    struct engine_counts counts; /* of devices */
    char *path, *folder, *state; /* of the plan; for the files; the state in it */
    struct output_info info;
    struct watch watch; /* of what is written: a second Ctrl-C ends that too */
    struct output_folder files;
    double began_s, load_s, compute_s;
    enum engine_end end;
};

/* Reads the plan and makes an ensemble of nothing; threads: those asked for. */
int ensemble_job_open(struct ensemble_job *j, const char *plan, int threads, struct shard shard,
                      struct error *e);
/* The folder, NULL: output/NAME. Where it holds an ensemble that is not finished, `resume` goes on
 * with it; otherwise what an earlier one left is removed. */
int ensemble_job_take_folder(struct ensemble_job *j, const char *folder, bool resume,
                             struct error *e);
/* All files, and then what is printed. */
int ensemble_job_finish(struct ensemble_job *j, bool quiet, bool json, struct error *e);
void ensemble_job_free(struct ensemble_job *j); /* all-zero is fine */

int ensemble_list(const struct plan *p, struct error *e); /* --list */
int ensemble_run(const struct ensemble_request *q, struct error *e);

#endif
