/* pairs_study.c — pairs as a study: the table of functions that the loop of study.h calls. */
#include "pairs_report.h"

#include <stdlib.h>

static int open_study(struct study_job *j, struct error *e)
{
    struct pairs *x = j->self;
    int status = pairs_open(x, j->plan, e);
    if (!status) j->c = &x->plan->base;
    return status;
}

static void close_study(void *self)
{
    pairs_close(self);
}

static bool goes_on(void *self)
{
    const struct pairs *x = self;
    return x->done < x->count;
}

static int64_t runs(const void *self)
{
    return 2 * ((const struct pairs *)self)->done;
}

static uint64_t digest(const void *self)
{
    return pairs_digest(self);
}

static struct pairs_report report_of(const struct study_job *j)
{
    return (struct pairs_report){.x = j->self,
                                 .info = &j->info,
                                 .end = study_end(j),
                                 .threads = j->threads,
                                 .devices = j->device_count,
                                 .compute_s = j->compute_s,
                                 .total_s = clock_now_s() - j->began_s};
}

static int write_files(const struct study_job *j, struct error *e)
{
    const struct pairs_report r = report_of(j);
    return pairs_report_write(&r, e);
}

static char *summary(const struct study_job *j)
{
    const struct pairs_report r = report_of(j);
    return pairs_summary_text(&r);
}

const struct study study_pairs = {.name = "pairs",
                                  .size = sizeof(struct pairs),
                                  .file = PAIRS_STATE,
                                  .ending = "-pairs",
                                  .state = &pairs_state,
                                  .files = &pairs_files,
                                  .open = open_study,
                                  .close = close_study,
                                  .goes_on = goes_on,
                                  .runs = runs,
                                  .round = pairs_round,
                                  .digest = digest,
                                  .write = write_files,
                                  .summary = summary};
