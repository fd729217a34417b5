/* sensitivity_run.c — groups of points become members of an ensemble: a row of the plan's member
 * table for each point and each number of noise. Many groups are run together, so that all
 * processors or devices are busy, and then added in their order. And the state: the values of all points and
 * the sums of all cells (study/state.h), of the groups that are done, whoever did them. */
#include "sensitivity.h"

#include "base/mix64.h"
#include "ensemble/plan_supply.h"

#include <inttypes.h>
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

/* ---- the state ------------------------------------------------------------------------------- */

/* How far each place is from the one before, and its sums; in the end farther than any place. */
static void put_cells(struct packed_out *o, const struct cells *cells)
{
    size_t gap = 0;
    for (size_t i = 0; i < cells->places; i++, gap++) {
        const int64_t *sum = cells_at(cells, i);
        if (!sum) continue;
        packed_put(o, gap);
        for (size_t k = 0; k < cells_stride(cells); k++) packed_put_signed(o, sum[k]);
        gap = SIZE_MAX; /* 0 after the step to the next */
    }
    packed_put(o, cells->places);
}

static void put_stage(struct packed_out *o, const struct sensitivity *x, const struct stage *s)
{
    const int64_t values = s->done * s->design.points * x->quantities;
    packed_put(o, (uint64_t)s->done);
    packed_put(o, s->runs_digest);
    packed_put(o, (uint64_t)s->left);
    for (int64_t i = 0; i < values; i++) packed_put_real(o, s->value[i]);
    for (int q = 0; q < x->quantities; q++) packed_put_real(o, s->noise[q]);
    put_cells(o, &s->cells);
}

static uint64_t digest(const void *of)
{
    return ((const struct sensitivity *)of)->digest;
}

static void put(const void *of, struct packed_out *o)
{
    const struct sensitivity *x = of;
    packed_put(o, (uint64_t)x->quantities);
    for (int i = 0; i < STAGES; i++) put_stage(o, x, &x->stage[i]);
}

static bool get_cells(struct packed_in *i, struct cells *cells, struct error *e, int *status)
{
    for (size_t place = 0; !i->bad; place++) {
        const uint64_t gap = packed_get(i, cells->places);
        if (gap == cells->places) return !i->bad;
        if (gap >= cells->places - place) return false;
        place += (size_t)gap;
        const int64_t slot = cells_open(cells, (uint32_t)place);
        if (slot < 0) return *status = error_memory(e), false;
        int64_t *sum = cells->sum + (size_t)slot * cells_stride(cells);
        for (size_t k = 0; k < cells_stride(cells); k++) sum[k] = packed_get_signed(i);
        if (sum[CELL_ALL] <= 0) return false;
        if (place + 1 == cells->places)
            return packed_get(i, cells->places) == cells->places && !i->bad;
    }
    return false;
}

/* Values as they come: a file that claims too many ends before there is memory for them. */
static bool get_values(struct packed_in *i, struct stage *s, int64_t count, struct error *e,
                       int *status)
{
    enum { AT_ONCE = 1 << 16 };
    int64_t room = 0;
    for (int64_t k = 0; k < count && !i->bad; k++) {
        if (k == room) {
            room = count - room < AT_ONCE ? count : room + AT_ONCE;
            double *more = realloc(s->value, (size_t)room * sizeof *more);
            if (!more) return *status = error_memory(e), false;
            s->value = more;
        }
        s->value[k] = packed_get_real(i);
    }
    return !i->bad;
}

static bool get_stage(struct packed_in *i, const struct sensitivity *x, struct stage *s,
                      struct error *e, int *status)
{
    const int64_t done = (int64_t)packed_get(i, SENSITIVITY_SAMPLES_MAX);
    s->runs_digest = packed_get(i, UINT64_MAX);
    s->left = (int64_t)packed_get(i, PLAN_MEMBERS_MAX);
    if (!get_values(i, s, done * s->design.points * x->quantities, e, status)) return false;
    for (int q = 0; q < x->quantities; q++) s->noise[q] = packed_get_real(i);
    s->done = done;
    return get_cells(i, &s->cells, e, status);
}

static int check_groups(const struct sensitivity *x, const char *path, struct error *e)
{
    for (int k = 0; k < STAGES; k++) {
        const struct stage *s = &x->stage[k];
        if (s->wanted && s->done > s->design.groups)
            return error_input(e,
                               "%s: has %" PRId64 " %s, more than the %" PRId64
                               " requested; request at least as many, or choose another folder",
                               path, s->done, k == STAGE_MORRIS ? "trajectories" : "samples",
                               s->design.groups);
    }
    return 0;
}

static int get(void *of, struct packed_in *i, struct error *e)
{
    struct sensitivity *x = of;
    int status = 0;
    if (packed_get(i, QUANTITIES_MAX) != (uint64_t)x->quantities) return STATE_DAMAGED;
    for (int k = 0; k < STAGES; k++)
        if (!get_stage(i, x, &x->stage[k], e, &status)) return status ? status : STATE_DAMAGED;
    return packed_get_sum(i) ? check_groups(x, i->path, e) : STATE_DAMAGED;
}

const struct state_kind sensitivity_state = {.magic = "sciara sensitivity 2\n",
                                             .what = "a sensitivity analysis",
                                             .digest = digest,
                                             .put = put,
                                             .get = get};
