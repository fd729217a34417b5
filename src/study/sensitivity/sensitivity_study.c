/* sensitivity_study.c — a sensitivity analysis as a study: the table of functions that the loop of
 * study.h calls. */
#include "sensitivity_report.h"

#include <stdlib.h>

static int open_study(struct study_job *j, struct error *e)
{
    static const struct sensitivity_options as_planned = {.seed = -1};
    struct sensitivity *x = j->self;
    int status = sensitivity_open(x, j->plan, j->options ? j->options : &as_planned, e);
    if (!status) j->c = &x->plan->base;
    return status;
}

static void close_study(void *self)
{
    struct sensitivity *x = self;
    if (x->report) sensitivity_report_free(x->report);
    free(x->report);
    sensitivity_close(x);
}

static int64_t runs(const void *self)
{
    return sensitivity_runs(self);
}

static uint64_t digest(const void *self)
{
    return sensitivity_digest(self);
}

/* Its indices are kept for summary() and what a command prints. */
static int write_files(const struct study_job *j, struct error *e)
{
    struct sensitivity *x = j->self;
    if (j->info.reader && x->report && x->reported == sensitivity_runs(x))
        return sensitivity_report_write(x->report, e);
    x->reported = sensitivity_runs(x);
    if (x->report) sensitivity_report_free(x->report);
    free(x->report);
    struct sensitivity_report *r = x->report = malloc(sizeof *r);
    if (!r) return error_memory(e);
    *r = (struct sensitivity_report){.x = x, .job = j};
    int status = sensitivity_report_create(r, e);
    return status ? status : sensitivity_report_write(r, e);
}

static char *summary(const struct study_job *j)
{
    return sensitivity_summary_text(((const struct sensitivity *)j->self)->report);
}

const struct study study_sensitivity = {.name = "sensitivity",
                                        .size = sizeof(struct sensitivity),
                                        .file = SENSITIVITY_STATE,
                                        .ending = "-sensitivity",
                                        .state = &sensitivity_state,
                                        .files = &sensitivity_files,
                                        .open = open_study,
                                        .close = close_study,
                                        .unfinished = sensitivity_unfinished,
                                        .runs = runs,
                                        .round = sensitivity_round,
                                        .digest = digest,
                                        .write = write_files,
                                        .summary = summary};
