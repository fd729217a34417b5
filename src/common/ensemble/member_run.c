/* member_run.c — one member from its first step to what it adds to the ensemble. */
#include "ensemble.h"

#include "compare/lava_extent.h"
#include "sim/variant.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 2147483646, BATCH = 500 }; /* steps between two looks at who may want to stop */

/* ---- steps ---------------------------------------------------------------------------------- */

int member_check(const struct ensemble *s, const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem, *base = &s->source->base->problem;
    if (p->rows != base->rows || p->cols != base->cols)
        return error_input(e, "its terrain has %d x %d cells, that of the plan %d x %d", p->rows,
                           p->cols, base->rows, base->cols);
    if (!c->max_steps && (!p->stop_when_still || p->last_vent_step >= STEPS_MAX))
        return error_input(e, "it has no end; give max_steps, or a stopping rule and an eruption "
                              "that ends");
    return 0;
}

int64_t member_last_step(const struct sim_case *c)
{
    return c->max_steps && c->max_steps < STEPS_MAX ? c->max_steps : STEPS_MAX;
}

static int advance(const struct variant *v, void *self, const struct sim_case *c,
                   struct variant_status *now, bool (*stop)(const void *), const void *of,
                   struct error *e)
{
    const int64_t last = member_last_step(c);
    int status = 0;
    *now = (struct variant_status){.step = c->problem.first_step};
    while (!status && !now->stopped && now->step < last) {
        const int64_t left = last - now->step;
        if (stop && stop(of)) return error_cancelled(e);
        status = v->advance(self, left < BATCH ? left : BATCH, now, e);
    }
    return status;
}

static int compute(const struct sim_case *c, struct fields *f, struct variant_status *now,
                   bool (*stop)(const void *), const void *of, struct error *e)
{
    const struct variant *v = variant_find("reference");
    const struct variant_options one = {.threads = 1};
    void *self;
    int status = v->create(&self, &c->problem, &one, e);
    if (status) return status;
    status = advance(v, self, c, now, stop, of, e);
    if (!status && !f->thickness_m) status = fields_create(f, c->problem.window, e);
    if (!status) status = v->snapshot(self, f, e);
    if (!status) status = v->snapshot_wait(self, e);
    v->destroy(self);
    return status;
}

/* ---- what it did ---------------------------------------------------------------------------- */

static bool has_lava(const struct fields *f, size_t i)
{
    return f->thickness_m[i] > 0 || f->solid_m[i] > 0;
}

static double jaccard(const struct ensemble *s, const struct fields *f)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    size_t both = 0, either = 0;
    for (size_t i = 0; s->outline && i < n; i++) {
        both += has_lava(f, i) && s->outline[i];
        either += has_lava(f, i) || s->outline[i];
    }
    return either ? (double)both / (double)either : (double)NAN;
}

static struct sighting sighting_of(const struct ensemble *s, size_t place, double thickness_m,
                                   double arrival_s)
{
    return (struct sighting){
        .place = (uint32_t)place,
        .thickness_class = (uint16_t)axis_of(&s->thickness_m, thickness_m),
        .arrival_class = (uint16_t)axis_of(&s->arrival_s, arrival_s),
        .thickness_q = statistics_thickness(thickness_m),
    };
}

static int see_cells(const struct ensemble *s, const struct fields *f, double clock_s,
                     struct contribution *out, struct error *e)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    int32_t last = -1;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += f->arrival[i] != ARRIVAL_NEVER;
    out->cell = malloc((count ? count : 1) * sizeof *out->cell);
    if (!out->cell) return error_failed(e, "out of memory");
    for (size_t i = 0; i < n; i++) {
        if (f->arrival[i] == ARRIVAL_NEVER) continue;
        if (f->arrival[i] > last) last = f->arrival[i];
        out->cell[out->cells++] =
            sighting_of(s, i, f->max_thickness_m[i], (double)f->arrival[i] * clock_s);
    }
    out->result.advance_s = last < 0 ? (double)NAN : (double)last * clock_s;
    return 0;
}

static bool see_thing(const struct ensemble *s, const struct fields *f, double clock_s, int number,
                      struct sighting *x)
{
    const struct asset *a = &s->assets.asset[number];
    double thickness_m = 0;
    int32_t arrival = ARRIVAL_NEVER;
    uint64_t covered = 0;
    for (uint32_t k = 0; k < a->cells; k++) {
        const uint32_t i = a->cell[k];
        if (f->arrival[i] == ARRIVAL_NEVER) continue;
        covered++;
        if (f->arrival[i] < arrival) arrival = f->arrival[i];
        if (f->max_thickness_m[i] > thickness_m) thickness_m = f->max_thickness_m[i];
    }
    if (!covered) return false;
    *x = sighting_of(s, (size_t)number, thickness_m, (double)arrival * clock_s);
    x->share_q = statistics_share(covered, a->cells);
    return true;
}

static int see_things(const struct ensemble *s, const struct fields *f, double clock_s,
                      struct contribution *out, struct error *e)
{
    const size_t count = (size_t)s->assets.count;
    out->thing = malloc((count ? count : 1) * sizeof *out->thing);
    if (!out->thing) return error_failed(e, "out of memory");
    for (int k = 0; k < s->assets.count; k++)
        if (see_thing(s, f, clock_s, k, &out->thing[out->things])) out->things++;
    return 0;
}

static int describe(struct contribution *out, const struct ensemble *s, const struct sim_case *c,
                    const struct fields *f, struct error *e)
{
    struct member_result *r = &out->result;
    const double clock_s = c->problem.params.clock_s, area_m2 = c->geo.cell_m * c->geo.cell_m;
    const struct extent x = extent_of(f, &c->problem);
    struct ledger ledger;
    int status = fields_ledger(&ledger, f, &c->problem, e);
    if (status) return status;
    r->digest = fields_digest(f);
    r->step = f->step;
    r->end_s = (double)f->step * clock_s;
    r->cells = x.cells;
    r->runout_m = x.runout_m;
    r->max_thickness_m = x.max_thickness_m;
    r->emitted_m3 = quanta_m(ledger.emitted) * area_m2;
    r->left_m3 = quanta_m(ledger.left_domain) * area_m2;
    r->jaccard = jaccard(s, f);
    if (*c->notice && !(r->notice = text_format("%s", c->notice)))
        return error_failed(e, "out of memory");
    status = see_cells(s, f, clock_s, out, e);
    return status ? status : see_things(s, f, clock_s, out, e);
}

/* What went wrong with which member. */
int member_name(int64_t number, int status, struct error *e)
{
    char text[sizeof e->text];
    if (!status || status == ERROR_CANCELLED || !e) return status;
    memcpy(text, e->text, sizeof text);
    snprintf(e->text, sizeof e->text, "member %" PRId64 ": %.960s", number, text);
    return status;
}

int member_run(const struct ensemble *s, int64_t number, struct fields *room,
               bool (*stop)(const void *), const void *of, struct contribution *out,
               struct error *e)
{
    const struct ensemble_source *source = s->source;
    struct ensemble_member m = {0};
    struct variant_status now;
    *out = (struct contribution){.number = number};
    int status = source->take(source->of, number, &m, e);
    if (status) return member_name(number, status, e);
    status = member_check(s, m.c, e);
    if (!status) status = compute(m.c, room, &now, stop, of, e);
    if (!status) {
        out->result = (struct member_result){
            .done = true, .weight = m.weight, .stopped = now.stopped, .drawn = m.drawn};
        m.drawn = NULL;
        status = describe(out, s, m.c, room, e);
    }
    source->give_back(source->of, &m);
    if (status) contribution_free(out);
    return member_name(number, status, e);
}
