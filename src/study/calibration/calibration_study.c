/* calibration_study.c — a calibration and a posterior as studies: the tables of functions that the
 * loop of study.h calls. */
#include "calibration_report.h"

#include <stdlib.h>

static int open_study(struct study_job *j, struct error *e)
{
    struct calibration *c = j->self;
    struct calibration_options o = {.seed = -1};
    if (j->options) o = *(const struct calibration_options *)j->options;
    o.posterior = j->study == &study_posterior;
    int status = calibration_open(c, j->plan, &o, e);
    if (!status) j->c = &c->plan->base;
    return status;
}

static void close_study(void *self)
{
    calibration_close(self);
}

static int64_t runs(const void *self)
{
    return ((const struct calibration *)self)->count;
}

/* Of a plan with an outline, fitted to all of it whatever is held out. It reads the plan anew, whose
 * table of members is the search's. */
static const struct null_model *null_of(struct calibration *c, const char *path)
{
    struct null_plan *n = &c->null;
    if (!c->plan->base.outline_path || c->null_keys) return n->model.s.done ? &n->model : NULL;
    struct calibration_keys *k = c->null_keys = calloc(1, sizeof *k);
    if (!k) return NULL;
    const struct plan_more more = {.keys = {&calibration_schema, k}, .fitted = k->fitted};
    calibration_keys_default(k);
    if (!null_plan_open(n, path, more, NULL_FITTED, NULL) && !null_model_compute(&n->model, NULL))
        return &n->model;
    null_plan_close(n);
    return NULL;
}

/* Of the plan's own eruption; 0: not observed. */
static double observed_volume_m3(const struct calibration *c)
{
    const struct observations *o = &c->eruption[0].observed;
    for (int i = 0; i < o->count; i++)
        if (o->item[i].key.kind == OBSERVED_VOLUME) return o->item[i].key.value;
    return 0;
}

static struct calibration_report report_of(const struct study_job *j)
{
    struct calibration *c = j->self;
    const int threads = j->device_count ? 0 : j->threads;
    const double total_s = clock_now_s() - j->began_s;
    const struct ensemble *best = c->finalist.members && !c->posterior ? &c->ensemble : NULL;
    return (struct calibration_report){.c = c,
                                       .ensemble = {.s = best,
                                                    .digest = best ? ensemble_digest(best) : 0,
                                                    .info = &j->info,
                                                    .end = "complete",
                                                    .observed_volume_m3 = observed_volume_m3(c),
                                                    .threads = threads,
                                                    .devices = j->device_count,
                                                    .counts = &c->counts,
                                                    .total_s = total_s},
                                       .null = null_of(c, j->plan),
                                       .info = &j->info,
                                       .interrupted = j->stopped,
                                       .threads = threads,
                                       .devices = j->device_count,
                                       .search_s = j->compute_s,
                                       .total_s = total_s};
}

static int write_files(const struct study_job *j, struct error *e)
{
    const struct calibration_report r = report_of(j);
    return calibration_report_write(&r, e);
}

static char *summary(const struct study_job *j)
{
    const struct calibration_report r = report_of(j);
    return calibration_summary_text(&r);
}

#define CALIBRATION(word, end)                                                                     \
    {                                                                                              \
        .name = (word), .size = sizeof(struct calibration), .file = RECORD_NAME, .ending = (end),  \
        .state = &calibration_state, .files = &calibration_files, .open = open_study,              \
        .close = close_study, .unfinished = calibration_unfinished, .runs = runs,                  \
        .round = calibration_round, .check = calibration_check, .write = write_files,              \
        .summary = summary                                                                         \
    }
const struct study study_calibration = CALIBRATION("calibration", "-calibration"),
                   study_posterior = CALIBRATION("posterior", "-posterior");
