/* sensitivity_run.c — groups of points become members of an ensemble: a row of the plan's member
 * table for each point and each number of noise. Many groups are run together, so that all
 * processors or devices are busy, and then added in their order. */
#include "sensitivity.h"

#include "base/mix64.h"
#include "ensemble/plan_supply.h"

#include <stdlib.h>

/* Groups that are run together. */
struct round {
    struct study_job *job;
    struct sensitivity *x;
    struct stage *s;
    int64_t first, groups, members; /* members: of a point */
    int64_t runs;
    double *value;          /* of each run and quantity */
    struct cell_list *list; /* of each point */
    uint64_t digest;
    int64_t left;
    const struct axis *arrival_s;
};

/* ---- what a run did -------------------------------------------------------------------------- */

static int list_cells(struct round *r, struct cell_list *list, const struct contribution *one,
                      struct error *e)
{
    uint32_t *more = realloc(list->slot, (list->count + one->cells + 1) * sizeof *more);
    if (!more) return error_memory(e);
    list->slot = more;
    for (size_t i = 0; i < one->cells; i++) {
        const int64_t slot = cells_open(&r->s->cells, one->cell[i].place);
        if (slot < 0) return error_memory(e);
        more[list->count++] = (uint32_t)slot;
    }
    r->job->round_bytes += one->cells * sizeof *more;
    return 0;
}

static int on_result(void *of, const struct contribution *one, struct error *e)
{
    struct round *r = of;
    const struct stage *s = r->s;
    const int64_t run = r->first * s->design.points * r->members + one->number;
    int status =
        quantities_of(r->x, one, r->arrival_s, r->value + one->number * r->x->quantities, e);
    if (status) return status;
    r->digest += mix64(one->result.digest ^ mix64((uint64_t)run + UINT64_C(0x9e3779b97f4a7c15)));
    r->left += member_off_terrain(&one->result);
    return list_cells(r, &r->list[one->number / r->members], one, e);
}

static void round_free(struct round *r)
{
    for (int64_t i = 0; r->list && i < r->groups * r->s->design.points; i++) free(r->list[i].slot);
    free(r->list);
    free(r->value);
}

static int round_create(struct round *r, struct error *e)
{
    struct sensitivity *x = r->x;
    const struct design *d = &r->s->design;
    const int64_t points = r->groups * d->points;
    r->runs = points * r->members;
    r->value = malloc((size_t)(r->runs * x->quantities) * sizeof *r->value);
    r->list = calloc((size_t)points, sizeof *r->list);
    int status = r->value && r->list ? points_make_room(x->plan, r->runs, e) : error_memory(e);
    for (int64_t i = 0; i < r->runs && !status; i++) {
        const int64_t point = i / r->members;
        double value[FITS_MAX];
        sensitivity_point(x, d, r->first + point / d->points, (int)(point % d->points), value);
        x->plan->table.row[i] = point_row(x->fit, x->fits, 0, value, i % r->members);
    }
    return status;
}

/* Which cells, and when at places and at the times of observations; nothing is counted by class. */
static void set_request(const struct sensitivity *x, struct ensemble_source *source,
                        double time_s[OBSERVATIONS_MAX])
{
    source->base = &x->bare;
    source->request.threshold_count = 0;
    source->request.thickness_steps = 1;
    source->request.arrival_steps = x->arrival_steps;
    observations_request(&x->observed, &source->request, time_s);
}

static void adapt(const void *of, struct study_progress *now)
{
    const struct round *r = of;
    now->stage = stage_names[r->s - r->x->stage];
    now->done += sensitivity_runs(r->x);
    now->all = sensitivity_runs_all(r->x);
    now->error = 0;
}

static int run(struct round *r, struct error *e)
{
    struct plan_supply supply = {0};
    struct ensemble s = {0};
    double time_s[OBSERVATIONS_MAX];
    int threads = r->job->threads;
    int status = plan_supply_create(&supply, r->x->plan, r->x->plan->base.path, e);
    if (!status) {
        set_request(r->x, &supply.source, time_s);
        status = engine_prepare(&s, &supply.source, &threads, e);
    }
    if (!status) {
        s.on_result = on_result;
        s.on_result_of = r;
        s.uncounted = true;
        r->arrival_s = &s.arrival_s;
        observations_use_axis(&r->x->observed, &s.arrival_s);
        status = engine_round(r->job, &s, threads, adapt, r, &r->x->counts, e);
    }
    ensemble_free(&s);
    plan_supply_free(&supply);
    return status;
}

/* The mean of a quantity at a point over the noise; its squared standard error. */
static double mean_of(const struct round *r, int64_t point, int quantity, double *error2)
{
    const int quantities = r->x->quantities;
    const double *value = r->value + point * r->members * quantities + quantity;
    const double n = (double)r->members;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < r->members; i++) sum += value[i * quantities];
    const double mean = sum / n;
    for (int64_t i = 0; i < r->members; i++)
        squares += (value[i * quantities] - mean) * (value[i * quantities] - mean);
    *error2 = r->members > 1 ? squares / (n - 1) / n : 0;
    return mean;
}

static int add_round(struct round *r, struct error *e)
{
    struct sensitivity *x = r->x;
    struct stage *s = r->s;
    const int points = s->design.points;
    const size_t values = (size_t)(r->first + r->groups) * (size_t)points * (size_t)x->quantities;
    double *more = realloc(s->value, values * sizeof *more), error2;
    if (!more) return error_memory(e);
    s->value = more;
    more += r->first * points * x->quantities;
    for (int64_t i = 0; i < r->groups * points; i++)
        for (int q = 0; q < x->quantities; q++) {
            more[i * x->quantities + q] = mean_of(r, i, q, &error2);
            s->noise[q] += error2;
        }
    for (int64_t g = 0; g < r->groups; g++)
        cells_add(&s->cells, &s->design, r->first + g, r->list + g * points);
    s->runs_digest += r->digest;
    s->left += r->left;
    s->done += r->groups;
    return 0;
}

static struct stage *stage_now(struct sensitivity *x)
{
    for (int i = 0; i < STAGES; i++)
        if (x->stage[i].wanted && x->stage[i].done < x->stage[i].design.groups) return &x->stage[i];
    return NULL;
}

bool sensitivity_unfinished(void *self)
{
    return stage_now(self) != NULL;
}

int sensitivity_round(struct study_job *j, struct error *e)
{
    struct sensitivity *x = j->self;
    struct round r = {.job = j, .x = x, .s = stage_now(x), .members = x->keys.noise_members};
    if (x->now != r.s) j->round = 0; /* groups of another size */
    x->now = r.s;
    r.first = r.s->done;
    r.groups = study_round(j, (double)r.s->design.points * (double)r.members,
                           r.s->design.groups - r.first);
    int status = round_create(&r, e);
    if (!status) status = run(&r, e);
    if (!status && !j->stopped) status = add_round(&r, e);
    round_free(&r);
    return status;
}
