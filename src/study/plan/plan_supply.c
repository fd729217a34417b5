#include "plan_supply.h"

#include "member.h"
#include "text/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Percentiles have their full resolution up to this thickness. Greater thicknesses are one class. */
static const double THICKNESS_UP_TO_M = 30;
enum { STEPS_LEAST = 24, STEPS_UNKNOWN = 720, STEPS_MOST = 2000 };

/* Writes the draws of a member or, if m is NULL, the names of the columns, as cells of a CSV line. malloc'ed; NULL:
 * out of memory. */
static char *cells_of(const struct plan *p, const struct member *m)
{
    char *text = NULL, cell[64];
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; f && i < p->column_count; i++) {
        if (i) putc(',', f);
        if (m) member_value(m, i, cell);
        csv_put_text(f, m ? cell : plan_column(p, i));
    }
    return text_of_stream(f, &text);
}

static void release_member(const void *of, struct ensemble_member *m)
{
    if (m->own) member_free(m->own);
    RELEASE(m, m->own, m->drawn);
}

typedef int make_member(struct member *m, const struct plan *p, int64_t number, struct error *e);

static int make_new(make_member *how, const void *of, int64_t number, struct ensemble_member *out,
                    struct error *e)
{
    const struct plan *p = ((const struct plan_supply *)of)->plan;
    struct member *m = malloc(sizeof *m);
    int status = m ? how(m, p, number, e) : error_memory(e);
    if (status) {
        free(m);
        return status;
    }
    *out = (struct ensemble_member){
        .weight = m->weight, .c = &m->c, .drawn = cells_of(p, m), .spectrum = &m->error, .own = m};
    if (out->drawn) return 0;
    release_member(of, out);
    return error_memory(e);
}

static int create_member(const void *of, int64_t number, struct ensemble_member *out,
                         struct error *e)
{
    return make_new(member_create, of, number, out, e);
}

static int create_flat(const void *of, int64_t number, struct ensemble_member *out, struct error *e)
{
    int status = make_new(member_create_flat, of, number, out, e);
    if (!status) out->error = ((const struct member *)out->own)->error.octave[0];
    return status;
}

static double member_cost(const void *of, int64_t number)
{
    const struct plan_supply *x = of;
    return x->outlook->cost ? x->outlook->cost[number] : 0;
}

static int member_emits(const void *of, int64_t number, double *end_s, double *volume_m3,
                        struct error *e)
{
    return member_eruption(end_s, volume_m3, ((const struct plan_supply *)of)->plan, number, e);
}

static int ground(const void *of, uint64_t *digest, struct error *e)
{
    return plan_compute_ground(((const struct plan_supply *)of)->plan, digest, e);
}

static void add_vent(struct plan_supply *x, struct place at)
{
    const struct problem *p = &x->plan->base.problem;
    x->vent[x->source.vents++] =
        (uint32_t)(p->rows - 1 - (int)at.up) * (uint32_t)p->cols + (uint32_t)at.right;
}

/* Lists points of vents for maps: points of the member table, else of the plan's sources, else of the case. */
static int list_vents(struct plan_supply *x, struct error *e)
{
    const struct plan *p = x->plan;
    const struct member_table *t = &p->table;
    const struct vent_ground ground = plan_ground(p);
    const size_t most = (size_t)p->vents.count + (size_t)p->sources.point_count + (size_t)t->count;
    x->vent = malloc((most ? most : 1) * sizeof *x->vent);
    if (!x->vent) return error_memory(e);
    struct place at;
    for (int i = 0; t->has_place && i < t->count; i++)
        if (vent_place(&ground, t->row[i].x, t->row[i].y, &at)) add_vent(x, at);
    for (int i = 0; !t->has_place && i < p->sources.point_count; i++)
        add_vent(x, p->sources.point[i].at);
    const bool of_case = !x->source.vents;
    for (int i = 0; of_case && i < p->vents.count; i++) add_vent(x, p->vents.point[i].at);
    x->source.vent = x->vent;
    /* Members are a list if a study gives their draws, or if there are several rows in the member table or several
     * pairs of a vent and a class. Repeats of a single row or pair are a random sample. */
    x->source.listed = p->draws || t->count > 1 || (p->combined && p->count > p->repeats);
    x->source.chosen = t->has_place || t->has_vent || p->sources.choice.count > 0;
    return 0;
}

/* The number of classes of width `step` from 0 to `end`. `end` 0: not known. */
static int steps_until(double end, double step)
{
    if (!(end > 0)) return STEPS_UNKNOWN;
    return (int)fmax(STEPS_LEAST, fmin(STEPS_MOST, ceil(end / step)));
}

int plan_supply_create(struct plan_supply *x, const struct plan *p, struct error *e)
{
    const struct plan_statistics *w = &p->keys.statistics;
    *x = (struct plan_supply){.plan = p, .columns = cells_of(p, NULL)};
    int status = x->columns ? 0 : error_memory(e);
    if (!status && !p->outlook.digest) status = plan_look_ahead(&x->own, p, e);
    if (status) return status;
    if (!p->calibrates) plan_known(p, x->known);
    x->outlook = p->outlook.digest ? &p->outlook : &x->own;
    x->source = (struct ensemble_source){
        .of = x,
        .count = p->count,
        .digest = p->digest,
        .unscaled_digest = p->unscaled_digest,
        .path = p->base.path,
        .base = &p->base,
        .known = *x->known ? x->known : NULL,
        .assets = p->assets,
        .within = p->within,
        .discrepancy_m = p->keys.discrepancy_m,
        .carried = p->carried,
        .request = {.threshold_count = w->exceed_m.count,
                    .time_count = w->arrive_s.count,
                    .threshold_m = w->exceed_m.value,
                    .time_s = w->arrive_s.value,
                    .thickness_step_m = w->bin_m,
                    .arrival_step_s = w->bin_s,
                    .thickness_steps = steps_until(THICKNESS_UP_TO_M, w->bin_m),
                    .arrival_steps = steps_until(x->outlook->end_s, w->bin_s),
                    .medians = w->medians},
        .columns = x->columns,
        .outlook = x->outlook,
        .create = create_member,
        .create_flat = isinf(p->keys.terrain_error_hurst) ? create_flat : NULL,
        .release = release_member,
        .cost = member_cost,
        .eruption = member_emits,
        .ground = ground,
    };
    return list_vents(x, e);
}

void plan_supply_free(struct plan_supply *x)
{
    RELEASE(x, x->columns, x->own.cost, x->vent);
}
