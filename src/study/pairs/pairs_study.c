/* pairs_study.c — pairs as a study: the table of functions that the loop of study.h calls. */
#include "pairs_report.h"

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
                                  .write = pairs_report_write,
                                  .summary = pairs_summary_text};
