/* pairs.c — pairs as a study: the table of functions that the loop of study.h calls. */
#include "pairs_report.h"

#include "base/mix64.h"
#include "case/barriers.h"
#include "ensemble/plan.h"

#include <stdlib.h>
#include <string.h>

const char *const pair_sides[PAIR_SIDES] = {"with", "without"};

/* All is the plan's but the terrain. */
static int make_bare(struct pairs *x, struct error *e)
{
    const struct barriers *b = x->plan->base.barriers;
    if (!b || !b->bare_m)
        return error_input(
            e, "%s: has no barriers that stand at the beginning; add a line 'barriers FILE'",
            x->plan->base.path);
    if (!(x->bare = malloc(sizeof *x->bare))) return error_memory(e);
    *x->bare = *x->plan;
    x->bare->base.elevation_m = b->bare_m;
    case_point(&x->bare->base);
    return plan_compute_digest(x->bare, e);
}

/* Whether lava arrives, and when: nothing else is counted by class. */
static void set_request(struct ensemble_source *source)
{
    source->request.time_count = source->request.threshold_count = 0;
    source->request.thickness_steps = 1;
}

static int supply(struct pairs *x, const char *path, struct error *e)
{
    const struct plan *plan[PAIR_SIDES] = {x->plan, x->bare};
    int status = 0;
    for (int side = 0; side < PAIR_SIDES && !status; side++) {
        status = plan_supply_create(&x->supply[side], plan[side], path, e);
        set_request(&x->supply[side].source);
    }
    return status;
}

static int make_sums(struct pairs *x, struct error *e)
{
    const struct sim_case *c = &x->plan->base;
    const struct ensemble_source *source = &x->supply[PAIR_WITH].source;
    int status = 0;
    if (source->assets)
        status =
            assets_read(&x->assets, source->assets, c->problem.rows, c->problem.cols, &c->geo, e);
    if (!status)
        status = pair_sums_create(&x->cells, (size_t)c->problem.rows * (size_t)c->problem.cols, e);
    if (!status) status = pair_sums_create(&x->places, (size_t)x->assets.count, e);
    if (!status && !(x->result = calloc((size_t)x->count, sizeof *x->result)))
        status = error_memory(e);
    return status;
}

static int open_study(struct study_job *j, struct error *e)
{
    struct pairs *x = j->self;
    int status = plan_load(&x->plan, j->plan, e);
    if (!status) status = make_bare(x, e);
    if (!status) status = supply(x, j->plan, e);
    if (status) return status;
    j->c = &x->plan->base;
    const struct ensemble_source *source = &x->supply[PAIR_WITH].source;
    x->count = source->count;
    x->class_h = source->request.arrival_step_s / 3600;
    x->digest = mix64(mix64(x->plan->digest) ^ x->bare->digest);
    return make_sums(x, e);
}

static void close_study(void *self)
{
    struct pairs *x = self;
    for (int64_t i = 0; x->result && i < x->count; i++) free(x->result[i].drawn);
    free(x->result);
    pair_sums_free(&x->cells);
    pair_sums_free(&x->places);
    assets_free(&x->assets);
    for (int side = 0; side < PAIR_SIDES; side++) plan_supply_free(&x->supply[side]);
    free(x->bare);
    plan_free(x->plan);
}

uint64_t pairs_digest(const struct pairs *x)
{
    uint64_t sum =
        mix64(x->digest) + pair_sums_digest(&x->cells) + mix64(pair_sums_digest(&x->places));
    for (int64_t i = 0; i < x->done; i++)
        for (int side = 0; side < PAIR_SIDES; side++)
            sum += mix64(x->result[i].of[side].digest ^
                         mix64((uint64_t)(2 * i + side) + UINT64_C(0xd1342543de82ef95)));
    return mix64(sum);
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool unfinished(void *self)
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
                                  .unfinished = unfinished,
                                  .runs = runs,
                                  .round = pairs_round,
                                  .digest = digest,
                                  .write = pairs_report_write,
                                  .summary = pairs_summary_text};
