#include "sensitivity.h"

#include "base/mix64.h"
#include "ensemble/plan_supply.h"
#include "terrain/noise.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const stage_names[STAGES] = {"morris", "sobol"};

/* ---- points ---------------------------------------------------------------------------------- */

void sensitivity_point(const struct sensitivity *x, const struct design *d, int64_t group, int p,
                       double *value)
{
    double unit[DESIGN_DIMENSIONS_MAX];
    design_point(d, group, p, unit);
    for (int i = 0; i < x->fits; i++) value[i] = fit_value(&x->fit[i], unit[i]);
}

/* Of `count` points from number `first` on, the first that cannot be run, count: all can. */
static int64_t first_impossible(struct sensitivity *x, const struct stage *s, int64_t first,
                                int64_t count)
{
    const int points = s->design.points;
    int64_t found = count;
    for (int64_t i = 0; i < count; i++) {
        double value[FITS_MAX];
        sensitivity_point(x, &s->design, (first + i) / points, (int)((first + i) % points), value);
        x->plan->table.row[i] = point_row(x->fit, x->fits, 0, value, 0);
    }
#pragma omp parallel for schedule(dynamic, 64) reduction(min : found)
    for (int64_t i = 0; i < count; i++)
        if (i < found && !member_is_possible(x->plan, i)) found = i;
    return found;
}

/* "plan.cfg: member 17: draws PTvent = ..." */
static int refuse_point(const struct sensitivity *x, int64_t row, struct error *e)
{
    struct member m;
    struct error why = {0};
    char member[40];
    int status = member_create_flat(&m, x->plan, row, &why);
    if (!status) member_free(&m); /* there was no memory for it before */
    if (status != ERROR_INPUT) return error_memory(e);
    snprintf(member, sizeof member, ": member %" PRId64 ": ", row);
    const char *at = strstr(why.text, member);
    return error_input(e, "%s: a point between the bounds cannot be run: %.400s",
                       x->plan->base.path, at ? at + strlen(member) : why.text);
}

static int check_points(struct sensitivity *x, const struct stage *s, struct error *e)
{
    enum { AT_ONCE = 8192 };
    const int64_t all = s->design.groups * s->design.points;
    int status = points_make_room(x->plan, all < AT_ONCE ? all : AT_ONCE, e);
    for (int64_t first = 0; first < all && !status; first += AT_ONCE) {
        const int64_t count = all - first < AT_ONCE ? all - first : AT_ONCE,
                      bad = first_impossible(x, s, first, count);
        if (bad < count) status = refuse_point(x, bad, e);
    }
    return status;
}

int64_t sensitivity_runs(const void *sensitivity)
{
    const struct sensitivity *x = sensitivity;
    int64_t runs = 0;
    for (int i = 0; i < STAGES; i++)
        if (x->stage[i].wanted) runs += stage_runs(x, &x->stage[i], x->stage[i].done);
    return runs;
}

int64_t sensitivity_runs_all(const struct sensitivity *x)
{
    int64_t runs = 0;
    for (int i = 0; i < STAGES; i++)
        if (x->stage[i].wanted) runs += stage_runs(x, &x->stage[i], x->stage[i].design.groups);
    return runs;
}

static int check(const struct sensitivity *x, struct error *e)
{
    const char *path = x->plan->base.path;
    if (calibration_keys_check(&x->keys, x->plan, e)) return ERROR_INPUT;
    if (calibration_keys_joint(&x->keys))
        return error_input(e,
                           "%s: score ensemble is not a score of one run, as a sensitivity "
                           "analysis needs it; give score jaccard",
                           path);
    const int status = observations_warn_outlines(x->plan, &x->keys, e);
    if (status) return status;
    const int64_t runs = sensitivity_runs_all(x);
    if (runs > PLAN_MEMBERS_MAX)
        return error_input(
            e, "%s: %" PRId64 " runs; at most %d can be computed; ask for fewer samples", path,
            runs, PLAN_MEMBERS_MAX);
    return 0;
}

static int read_places(struct sensitivity *x, struct error *e)
{
    const struct sim_case *c = &x->plan->base;
    if (!x->plan->assets) return 0;
    int status =
        assets_read(&x->places, x->plan->assets, c->problem.rows, c->problem.cols, &c->geo, e);
    if (status || x->places.count <= SENSITIVITY_PLACES_MAX) return status;
    return error_input(
        e, "%s: %d places; a sensitivity analysis has indices of at most %d; remove some",
        x->plan->assets, x->places.count, SENSITIVITY_PLACES_MAX);
}

/* From the case as it stands: places of vents, and duration. */
static int check_case(struct sensitivity *x, struct error *e)
{
    struct member base;
    struct plan_supply supply = {0};
    int status = points_base(x->plan, &base, e);
    if (status) return status;
    if (x->plan->base.outline_path || x->keys.observed_count)
        status = observations_create(&x->observed, &x->keys, &base.c, NULL, e);
    if (!status) status = observations_warn(&x->observed, &x->plan->base, e);
    member_free(&base);
    if (!status) status = plan_supply_create(&supply, x->plan, x->plan->base.path, e);
    x->arrival_steps = x->places.count ? supply.source.request.arrival_steps + 1 : 1;
    plan_supply_free(&supply);
    return status;
}

static int stage_create(struct sensitivity *x, struct stage *s, int method, struct error *e)
{
    const struct problem *p = &x->plan->base.problem;
    const bool morris = method == METHOD_MORRIS;
    struct design *d = &s->design;
    *d = (struct design){.method = method,
                         .dimensions = x->fits,
                         .groups = morris ? x->keys.trajectories : x->keys.samples,
                         .second_order = x->keys.second_order,
                         .levels = (int)x->keys.levels,
                         .seed = x->seed};
    s->wanted = (x->keys.method & method) != 0;
    int status = design_prepare(d, e);
    if (!status) status = cells_create(&s->cells, (size_t)p->rows * (size_t)p->cols, d, e);
    if (status) return status;
    s->noise = calloc((size_t)x->quantities, sizeof *s->noise);
    return s->noise ? 0 : error_memory(e);
}

static int open_all(struct sensitivity *x, struct error *e)
{
    static const int methods[STAGES] = {METHOD_MORRIS, METHOD_SOBOL};
    x->fits = fits_list(x->fit, &x->keys, 0);
    if (!x->fits)
        return error_input(e, "%s: nothing varies; add a line such as 'fit_Pcool 1.5 8 log'",
                           x->plan->base.path);
    int status = read_places(x, e);
    if (!status) status = check_case(x, e);
    if (!status) quantities_list(x);
    for (int i = 0; i < STAGES && !status; i++)
        status = stage_create(x, &x->stage[i], methods[i], e);
    if (!status) status = check(x, e);
    for (int i = 0; i < STAGES && !status; i++)
        if (x->stage[i].wanted) status = check_points(x, &x->stage[i], e);
    if (status) return status;
    x->digest = noise_hash(x->plan->digest, (int64_t)x->seed, x->keys.levels, 7);
    x->digest = noise_hash(x->digest, x->keys.second_order, x->arrival_steps, 8);
    x->digest = observations_digest(&x->observed, x->digest);
    return 0;
}

int sensitivity_open(struct sensitivity *x, const char *path, const struct sensitivity_options *w,
                     struct error *e)
{
    *x = (struct sensitivity){0};
    calibration_keys_default(&x->keys);
    const struct plan_more more = {.keys = {&calibration_schema, &x->keys},
                                   .fitted = x->keys.fitted};
    int status = plan_read(&x->plan, path, &more, NULL, e);
    if (status) return status;
    if (w->seed >= 0) x->plan->keys.seed = w->seed;
    if (w->method) x->keys.method = w->method;
    if (w->samples) x->keys.samples = w->samples;
    if (w->trajectories) x->keys.trajectories = w->trajectories;
    x->seed = (uint64_t)x->plan->keys.seed;
    x->bare = x->plan->base;
    x->bare.outline_path = NULL;
    status = open_all(x, e);
    if (status) sensitivity_close(x);
    return status;
}

void sensitivity_close(void *sensitivity)
{
    struct sensitivity *x = sensitivity;
    for (int i = 0; i < STAGES; i++) {
        cells_free(&x->stage[i].cells);
        free(x->stage[i].value);
        free(x->stage[i].noise);
        free(x->stage[i].index);
    }
    observations_free(&x->observed);
    assets_free(&x->places);
    plan_free(x->plan);
    *x = (struct sensitivity){0};
}

static uint64_t mix_real(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix64(hash + bits);
}

uint64_t sensitivity_digest(const void *sensitivity)
{
    const struct sensitivity *x = sensitivity;
    uint64_t hash = mix64(x->digest);
    for (int i = 0; i < STAGES; i++) {
        const struct stage *s = &x->stage[i];
        const int64_t values = s->done * s->design.points * x->quantities;
        hash = mix64(hash ^ mix64((uint64_t)s->done + (uint64_t)i));
        for (int64_t k = 0; k < values; k++) hash = mix_real(hash, s->value[k]);
        for (int q = 0; q < x->quantities; q++) hash = mix_real(hash, s->noise[q]);
        hash = mix64(hash + s->runs_digest + mix64((uint64_t)s->left));
        hash = mix64(hash + cells_digest(&s->cells));
    }
    return hash;
}

int sensitivity_indices(struct indices *out, const struct sensitivity *x, const struct stage *s,
                        int quantity, struct error *e)
{
    const struct resampling r = {x->keys.resamples, x->keys.confidence};
    struct design d = s->design;
    const int64_t count = s->done * d.points;
    double *y = malloc((size_t)count * sizeof *y);
    if (!y) return error_memory(e);
    for (int64_t i = 0; i < count; i++) y[i] = s->value[i * x->quantities + quantity];
    d.groups = s->done;
    int status = indices_compute(out, &d, y, &r, e);
    free(y);
    return status;
}

double sensitivity_noise_share(const struct sensitivity *x, const struct stage *s, int quantity,
                               const struct indices *of)
{
    const double points = (double)s->done * s->design.points;
    return x->keys.noise_members > 1 && of->varies ? s->noise[quantity] / points / of->variance
                                                   : (double)NAN;
}
