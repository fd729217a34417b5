/* sensitivity_run.c — groups of points become members of an ensemble: a row of the plan's member
 * table for each point and each number of noise. Many groups are run together, so that all
 * processors or devices are busy, and then added in their order. */
#include "sensitivity.h"

#include "base/mix64.h"
#include "ensemble/engine_parts.h"
#include "ensemble/plan_supply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a round takes, about: what is lost when a process is killed. */
static const double ROUND_S = 20;
enum { PER_THREAD = 4, PER_DEVICE = 1024, GROWTH = 8, LISTS_MAX = 512 << 20 };

/* Groups that are run together. */
struct round {
    struct sensitivity *x;
    struct stage *s;
    const struct sensitivity_engine *how;
    int64_t first, groups, members; /* members: of a point */
    int64_t runs;
    double *value;          /* of each run and quantity */
    struct cell_list *list; /* of each point */
    uint64_t digest;
    int64_t left;
    size_t bytes; /* of the lists */
    const struct axis *arrival_s;
    /* for those who wait */
    int64_t done_before, all, begun_with;
    bool stopped;
};

/* ---- what a run did -------------------------------------------------------------------------- */

static int list_cells(struct round *r, struct cell_list *list, const struct contribution *c,
                      struct error *e)
{
    uint32_t *more = realloc(list->slot, (list->count + c->cells + 1) * sizeof *more);
    if (!more) return error_memory(e);
    list->slot = more;
    for (size_t i = 0; i < c->cells; i++) {
        const int64_t slot = cells_open(&r->s->cells, c->cell[i].place);
        if (slot < 0) return error_memory(e);
        more[list->count++] = (uint32_t)slot;
    }
    r->bytes += c->cells * sizeof *more;
    return 0;
}

static int look(void *of, const struct contribution *c, struct error *e)
{
    struct round *r = of;
    const struct stage *s = r->s;
    const int64_t run = r->first * s->design.points * r->members + c->number;
    int status = quantities_take(r->x, c, r->arrival_s, r->value + c->number * r->x->quantities, e);
    if (status) return status;
    r->digest += mix64(c->result.digest ^ mix64((uint64_t)run + UINT64_C(0x9e3779b97f4a7c15)));
    r->left += member_off_terrain(&c->result);
    return list_cells(r, &r->list[c->number / r->members], c, e);
}

/* ---- a round --------------------------------------------------------------------------------- */

static void round_free(struct round *r)
{
    for (int64_t i = 0; r->list && i < r->groups * r->s->design.points; i++) free(r->list[i].slot);
    free(r->list);
    free(r->value);
    r->list = NULL;
    r->value = NULL;
}

static int round_create(struct round *r, struct error *e)
{
    struct sensitivity *x = r->x;
    const struct design *d = &r->s->design;
    const int64_t points = r->groups * d->points;
    r->runs = points * r->members;
    r->digest = 0;
    r->left = 0;
    r->bytes = 0;
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

static bool tell(const struct engine_progress *now, void *user)
{
    struct round *r = user;
    const struct sensitivity_progress p = {.stage = stage_names[r->s - r->x->stage],
                                           .runs = r->done_before + now->done,
                                           .runs_all = r->all,
                                           .begun_with = r->begun_with};
    r->stopped = r->how->tell(&p, r->how->user);
    return r->stopped;
}

static int run_engine(struct round *r, struct ensemble *s, int threads, struct error *e)
{
    const struct sensitivity_engine *how = r->how;
    const struct engine_options o = {.threads = threads,
                                     .device = how->device,
                                     .device_count = how->device_count,
                                     .batch = 1,
                                     .tell = how->tell ? tell : NULL,
                                     .user = r,
                                     .counts = &r->x->counts};
    enum engine_end end;
    s->look = look;
    s->look_of = r;
    s->uncounted = true;
    r->arrival_s = &s->arrival_s;
    observations_use_axis(&r->x->observed, &s->arrival_s);
    int status = engine_run(s, &o, &end, e);
    r->stopped = r->stopped || end == ENGINE_STOPPED;
    return status;
}

static int run(struct round *r, struct error *e)
{
    struct plan_supply supply = {0};
    struct ensemble s = {0};
    double time_s[OBSERVATIONS_MAX];
    size_t bytes;
    int threads = r->how->threads;
    int status = plan_supply_create(&supply, r->x->plan, r->x->plan->base.path, e);
    if (!status) {
        set_request(r->x, &supply.source, time_s);
        status = engine_plan_memory(&supply.source, 1, &threads, &bytes, e);
    }
    if (!status) status = ensemble_create(&s, &supply.source, (struct shard){1, 1}, bytes, e);
    if (!status) status = run_engine(r, &s, threads, e);
    ensemble_free(&s);
    plan_supply_free(&supply);
    return status;
}

/* ---- what it adds ---------------------------------------------------------------------------- */

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

/* ---- all of them ----------------------------------------------------------------------------- */

static int64_t at_least_one(double groups)
{
    return groups > 1 ? (int64_t)groups : 1;
}

/* Groups of the next round, by what the last one took. */
static int64_t next_round(const struct round *r, double took_s)
{
    const double runs = (double)r->s->design.points * (double)r->members, last = (double)r->groups,
                 bytes = (double)r->bytes / fmax(1, last);
    const int at_once =
        r->how->device_count ? PER_DEVICE * r->how->device_count : PER_THREAD * r->how->threads;
    if (!last) return at_least_one(at_once / runs);
    double groups = fmin(GROWTH * last, last * ROUND_S / fmax(took_s, 1e-3));
    if (groups * bytes > LISTS_MAX) groups = LISTS_MAX / bytes;
    return at_least_one(groups);
}

static int compute_stage(struct round *r, const char *state, struct error *e)
{
    double took_s = 0;
    int status = 0;
    r->groups = 0;
    while (!status && !r->stopped && r->s->done < r->s->design.groups) {
        const int64_t left = r->s->design.groups - r->s->done, next = next_round(r, took_s);
        const double began_s = engine_now_s();
        r->first = r->s->done;
        r->groups = next < left ? next : left;
        status = round_create(r, e);
        if (!status) status = run(r, e);
        if (!status && !r->stopped) status = add_round(r, e);
        if (!status && !r->stopped) r->done_before += r->runs;
        round_free(r);
        if (!status && !r->stopped && state)
            status = state_write(&sensitivity_state, r->x, state, e);
        took_s = engine_now_s() - began_s;
    }
    return status;
}

int sensitivity_compute(struct sensitivity *x, const struct sensitivity_engine *how,
                        const char *state, bool resume, bool *stopped, struct error *e)
{
    struct round r = {.x = x, .how = how, .members = x->keys.noise_members};
    int status =
        resume && state && !access(state, F_OK) ? state_read(&sensitivity_state, x, state, e) : 0;
    for (int i = 0; i < STAGES; i++) {
        if (!x->stage[i].wanted) continue;
        r.all += stage_runs(x, &x->stage[i], x->stage[i].design.groups);
        r.done_before += stage_runs(x, &x->stage[i], x->stage[i].done);
    }
    r.begun_with = r.done_before;
    for (int i = 0; i < STAGES && !status && !r.stopped; i++) {
        r.s = &x->stage[i];
        if (r.s->wanted) status = compute_stage(&r, state, e);
    }
    *stopped = r.stopped;
    return status;
}
