#include "null_study.h"

#include "ensemble/report.h"

#include <math.h>

/* Warns of changes of the terrain, because the paths of the null model follow one terrain. */
static void warn_of_changes(struct plan *p)
{
    if (p->base.change_count || p->from)
        warnings_add(&p->base.told, WARNING_RESULT,
                     "the null model follows the terrain as it is in the beginning: it knows "
                     "neither later changes of terrain nor the lava of a state",
                     NULL);
}

static int open_study(struct study_job *j, struct error *e)
{
    const struct null_numbers *given = j->options, fitted = NULL_FITTED;
    struct null_study *x = j->self;
    const struct plan_more more = calibration_keys_default(&x->keys);
    int status = null_plan_open(&x->of, j->plan, more, given ? *given : fitted, e);
    if (!status) status = null_model_persist(&x->persistence, &x->of.supply.source, e);
    if (!status) warn_of_changes(x->of.plan);
    if (!status) j->c = &x->of.plan->base;
    return status;
}

static void close_study(void *self)
{
    struct null_study *x = self;
    null_model_close(&x->persistence);
    null_plan_close(&x->of);
}

static int64_t null_runs(const void *self)
{
    return ((const struct null_study *)self)->of.model.s.done;
}

static int compute_null(struct study_job *j, struct error *e)
{
    return null_model_compute(&((struct null_study *)j->self)->of.model, e);
}

static uint64_t null_study_digest(const void *self)
{
    return ensemble_digest(&((const struct null_study *)self)->of.model.s);
}

static struct report report_of(const struct study_job *j)
{
    const struct null_study *x = j->self;
    return (struct report){.s = &x->of.model.s,
                           .digest = null_study_digest(x),
                           .job = j,
                           .end = "complete",
                           .null = &x->of.model,
                           .persistence = x->persistence.s.done ? &x->persistence : NULL,
                           .threads = 1};
}

static int write_files(const struct study_job *j, struct error *e)
{
    const struct report r = report_of(j);
    return report_products(&r, e);
}

static char *summary(const struct study_job *j)
{
    const struct report r = report_of(j);
    return report_summary_text(&r);
}

static void null_warn(const struct study_job *j, struct warnings *w)
{
    report_warn(&((const struct null_study *)j->self)->of.model.s, w);
}

static const struct product own_rows[] = {
    {.kind = PRODUCT_FILE, .name = "null.state", .head = "sciara null"}};
static const struct product_table files = {PRODUCT_TABLE_OF(own_rows), .next = &report_files};

const struct study study_null = {STUDY_NAMED("null", struct null_study),
                                 .state = &null_state,
                                 .files = &files,
                                 .runs = null_runs,
                                 .round = compute_null,
                                 .digest = null_study_digest,
                                 .warn = null_warn,
                                 .write = write_files,
                                 .summary = summary};
