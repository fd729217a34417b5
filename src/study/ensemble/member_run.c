#include "member_run.h"
#include "batch.h"

#include "case/changes.h"
#include "compare/lava_extent.h"
#include "sim/held.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- in a window ------------------------------------------------------------------------------ */

enum { STEPS_MAX = 2147483646, BATCH = 500 /* steps between two calls of stop() */ };

extern const struct variant variant_reference;

/* Windows are small, because most members of a large ensemble have little lava. */
static const struct held_rule rule = {.whole = 0, .least = 64, .most = 1 << 30};

int64_t member_last_step(const struct sim_case *c)
{
    return c->max_steps && c->max_steps < STEPS_MAX ? c->max_steps : STEPS_MAX;
}

static int advance_member(struct held *h, int64_t last, struct variant_status *now,
                          bool (*stop)(const void *), const void *of, struct error *e)
{
    int status = 0;
    while (!status && !now->stopped && now->step < last) {
        const int64_t left = last - now->step;
        if (stop && stop(of)) return error_cancelled(e);
        status = held_advance(h, left < BATCH ? left : BATCH, now, e);
    }
    return status;
}

/* Changes the terrain of a member, and frees the elevations of the previous change. */
static int change_terrain(struct held *h, const struct change *x, struct problem *p,
                          struct member_computed *out, struct error *e)
{
    const size_t cells = (size_t)p->rows * (size_t)p->cols;
    double *before = out->ground, *ground = malloc(cells * sizeof *ground);
    if (!ground) return error_memory(e);
    out->ground = ground;
    int status = change_held(x, h, p, ground, &out->changed_by, e);
    free(before);
    return status;
}

/* Computes a member to its end. Changes of the terrain are made between steps. */
static int advance_all(struct held *h, const struct sim_case *c, struct member_computed *out,
                       bool (*stop)(const void *), const void *of, struct error *e)
{
    struct problem p = c->problem;
    struct variant_status *now = &out->now;
    const int64_t last = member_last_step(c);
    int status = 0;
    *now = (struct variant_status){.step = fields_begin(&p)};
    if (p.from) {
        out->changed_by = p.from->ground;
        now->mobile = fields_mobile(p.from, NULL);
        now->stopped = fields_stopped(p.from, &p);
    }
    for (int next = changes_next(c, now->step); !status && !now->stopped && now->step < last;) {
        const struct change *x = next < c->change_count ? &c->change[next] : NULL;
        const int64_t at = x ? change_step(x, &p.params) : last;
        if (at > now->step) {
            status = advance_member(h, at < last ? at : last, now, stop, of, e);
        } else {
            status = change_terrain(h, x, &p, out, e);
            next++;
        }
    }
    return status;
}

int member_compute(const struct sim_case *c, struct member_computed *out,
                   bool (*stop)(const void *), const void *of, struct error *e)
{
    const struct variant_options one = {.threads = 1};
    struct held *h;
    *out = (struct member_computed){0};
    int status = held_create(&h, &variant_reference, &c->problem, &one, &rule, e);
    if (status) return status;
    status = advance_all(h, c, out, stop, of, e);
    out->seen = h->problem;
    if (!status) status = held_snapshot(h, &out->f, e);
    if (!status) status = held_wait(h, e);
    held_destroy(h);
    return status;
}

void member_computed_free(struct member_computed *x)
{
    fields_free(&x->f);
    RELEASE(x, x->ground);
}

int member_check(const struct ensemble *s, const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem, *base = &s->source->base->problem;
    if (p->rows != base->rows || p->cols != base->cols)
        return error_input(e, "its terrain has %d x %d cells, the terrain of the plan %d x %d",
                           p->rows, p->cols, base->rows, base->cols);
    if (!c->max_steps && (!p->stop_when_still || p->last_vent_step >= member_last_step(c)))
        return error_input(
            e,
            "it has no end; give run_h or max_steps, or a stopping rule and an eruption that ends");
    return 0;
}

/* ---- medians ------------------------------------------------------------------------------- */

static uint32_t median_of_nine(const uint32_t *at, size_t stride)
{
    uint32_t sorted[9];
    for (int i = 0; i < 9; i++) {
        const uint32_t x = at[(size_t)(i / 3) * stride + (size_t)(i % 3)];
        int k = i;
        for (; k > 0 && sorted[k - 1] > x; k--) sorted[k] = sorted[k - 1];
        sorted[k] = x;
    }
    return sorted[4];
}

/* Replaces the thicknesses of a member by medians of 3 x 3 cells. The medians are of thicknesses in 1/1024 m, which
 * are equal for the reference and for devices. The array q has a margin without lava around the reached cells. */
static int take_medians(const struct ensemble *s, struct contribution *one, struct error *e)
{
    const size_t cols = (size_t)s->source->base->problem.cols;
    if (!s->source->request.medians || !one->cells) return 0;
    const struct window b = contribution_box(one, (int)cols);
    const size_t row0 = (size_t)b.row0, col0 = (size_t)b.col0, stride = (size_t)b.cols + 2;
    FREED uint32_t *q = calloc(((size_t)b.rows + 2) * stride, sizeof *q);
    uint32_t most = 0;
    if (!q) return error_memory(e);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < one->cells; i++) {
            struct reached *x = &one->cell[i];
            uint32_t *corner = q + (x->place / cols - row0) * stride + x->place % cols - col0;
            if (!pass) {
                corner[stride + 1] = x->thickness_q;
                continue;
            }
            x->thickness_q = median_of_nine(corner, stride);
            x->thickness_class =
                (uint16_t)axis_of(&s->thickness_m, (double)x->thickness_q / STATISTICS_MM);
            if (x->thickness_q > most) most = x->thickness_q;
        }
    one->result.max_thickness_m = (double)most / STATISTICS_MM;
    return 0;
}

/* ---- places of interest -------------------------------------------------------------------- */

int member_room(uint32_t **room, const struct ensemble *s, struct error *e)
{
    const struct problem *p = &s->source->base->problem;
    *room = NULL;
    if (!s->assets.count) return 0;
    *room = calloc((size_t)p->rows * (size_t)p->cols, sizeof **room);
    return *room ? 0 : error_memory(e);
}

static bool reached_place(const struct asset *a, const uint32_t *room,
                          const struct contribution *one, struct reached *x)
{
    uint64_t covered = 0;
    for (uint32_t k = 0; k < a->cells; k++) {
        const uint32_t i = room[a->cell[k]];
        if (!i) continue;
        const struct reached *here = &one->cell[i - 1];
        reached_widen(x, here, !covered++);
    }
    if (covered) x->share_q = statistics_share(covered, a->cells);
    return covered > 0;
}

static int reached_places(const struct ensemble *s, uint32_t *room, struct contribution *one,
                          struct error *e)
{
    const size_t count = (size_t)s->assets.count;
    one->place = malloc((count ? count : 1) * sizeof *one->place);
    if (!one->place) return error_memory(e);
    if (!count) return 0;
    for (size_t i = 0; i < one->cells; i++) room[one->cell[i].place] = (uint32_t)i + 1;
    for (int k = 0; k < s->assets.count; k++) {
        struct reached *x = &one->place[one->places];
        if (!reached_place(&s->assets.asset[k], room, one, x)) continue;
        x->place = (uint32_t)k;
        one->places++;
    }
    for (size_t i = 0; i < one->cells; i++) room[one->cell[i].place] = 0;
    return 0;
}

/* ---- what the reference computed ----------------------------------------------------------- */

static bool has_lava(const struct fields *f, size_t i)
{
    return f->thickness_m[i] > 0 || f->solid_m[i] > 0;
}

static double jaccard(const struct ensemble *s, const struct fields *f)
{
    const int cols = s->source->base->problem.cols;
    size_t both = 0, either = s->outline_cells;
    if (!s->outline) return (double)NAN;
    FIELDS_EACH (f, row, i) {
        if (!has_lava(f, i)) continue;
        const bool inside = s->outline[window_in_domain(f->window, i, cols)];
        both += inside;
        either += !inside;
    }
    return either ? (double)both / (double)either : (double)NAN;
}

static int reached_cells(const struct ensemble *s, const struct fields *f, double clock_s,
                         struct contribution *out, struct error *e)
{
    int32_t last = -1;
    size_t count = 0;
    FIELDS_EACH (f, row, i) count += f->arrival[i] != ARRIVAL_NEVER;
    out->cell = malloc((count ? count : 1) * sizeof *out->cell);
    if (!out->cell) return error_memory(e);
    FIELDS_EACH (f, row, i) {
        if (f->arrival[i] == ARRIVAL_NEVER) continue;
        if (f->arrival[i] > last) last = f->arrival[i];
        out->cell[out->cells++] = (struct reached){
            .place = (uint32_t)window_in_domain(f->window, i, s->source->base->problem.cols),
            .thickness_class = (uint16_t)axis_of(&s->thickness_m, f->max_thickness_m[i]),
            .arrival_class = (uint16_t)axis_of(&s->arrival_s, (double)f->arrival[i] * clock_s),
            .thickness_q = statistics_thickness(f->max_thickness_m[i]),
            .end_q = statistics_thickness(f->thickness_m[i] + f->solid_m[i])};
    }
    out->result.advance_s = last < 0 ? (double)NAN : (double)last * clock_s;
    return 0;
}

/* Keeps the notices and warnings of a member's own case. */
static int keep_notice(struct member_result *r, const struct sim_case *c, struct error *e)
{
    const struct warnings *w = &c->told;
    if (!w->count) return 0;
    r->notice = text_format("%s%s%s", w->notice, *w->notice && *w->warning ? "; " : "", w->warning);
    return r->notice ? 0 : error_memory(e);
}

static int describe_contribution(struct contribution *out, const struct ensemble *s,
                                 const struct sim_case *c, const struct problem *seen,
                                 const struct fields *f, struct error *e)
{
    struct member_result *r = &out->result;
    const double clock_s = c->problem.params.clock_s, area_m2 = c->geo.cell_m * c->geo.cell_m;
    const struct extent x = extent_of(f, seen);
    struct ledger ledger;
    int status = fields_ledger(&ledger, f, seen, e);
    if (status) return status;
    r->digest = fields_digest(f, seen->rows, seen->cols);
    r->step = f->step;
    r->end_s = (double)f->step * clock_s;
    r->cells = x.cells;
    r->runout_m = x.runout_m;
    r->max_thickness_m = x.max_thickness_m;
    r->emitted_m3 = quanta_m(ledger.emitted) * area_m2;
    r->left_m3 = quanta_m(ledger.left_domain + ledger.entered_sea) * area_m2;
    r->jaccard = jaccard(s, f);
    if (keep_notice(r, c, e)) return ERROR_FAILED;
    FREED uint32_t *room = NULL;
    status = reached_cells(s, f, clock_s, out, e);
    if (!status) status = take_medians(s, out, e);
    if (!status) status = member_room(&room, s, e);
    return status ? status : reached_places(s, room, out, e);
}

/* Names the member in an error. */
int member_name(int64_t number, int status, struct error *e)
{
    char text[sizeof e->text];
    if (!status || status == ERROR_CANCELLED || !e) return status;
    memcpy(text, e->text, sizeof text);
    snprintf(e->text, sizeof e->text, "member %" PRId64 ": %.960s", number, text);
    return status;
}

int member_run(const struct ensemble *s, int64_t number, bool (*stop)(const void *), const void *of,
               struct contribution *out, struct error *e)
{
    const struct ensemble_source *source = s->source;
    struct ensemble_member m = {0};
    FREED_BY(member_computed_free) struct member_computed x = {0};
    *out = (struct contribution){.number = number};
    int status = ensemble_member_create(source, number, false, &m, e);
    if (status) return member_name(number, status, e);
    status = member_check(s, m.c, e);
    if (!status) status = member_compute(m.c, &x, stop, of, e);
    if (!status) {
        out->result = (struct member_result){
            .done = true, .weight = m.weight, .stopped = x.now.stopped, .drawn = m.drawn};
        m.drawn = NULL;
        status = describe_contribution(out, s, m.c, &x.seen, &x.f, e);
    }
    source->release(source->of, &m);
    if (status) contribution_free(out);
    return member_name(number, status, e);
}

/* ---- what a device computed ---------------------------------------------------------------- */

static struct member_result result_of(const struct ensemble *s, const struct ensemble_member *m,
                                      const struct batch_outcome *o)
{
    const double clock_s = m->c->problem.params.clock_s, cell_m = m->c->geo.cell_m;
    const uint64_t either = o->cells + s->outline_cells - o->both;
    struct member_result r = {.done = true,
                              .weight = m->weight,
                              .digest = o->digest,
                              .step = o->step,
                              .stopped = o->stopped,
                              .end_s = (double)o->step * clock_s,
                              .cells = o->cells,
                              .max_thickness_m = o->max_thickness_m,
                              .emitted_m3 = quanta_m(o->ledger.emitted) * (cell_m * cell_m),
                              .left_m3 = quanta_m(o->ledger.left_domain) * (cell_m * cell_m)};
    r.advance_s = o->last_arrival < 0 ? (double)NAN : (double)o->last_arrival * clock_s;
    r.runout_m = o->farthest < 0 ? (double)NAN : sqrt(o->farthest) * m->c->problem.params.cell_m;
    r.jaccard = s->outline && either ? (double)o->both / (double)either : (double)NAN;
    return r;
}

int member_of_outcome(const struct ensemble *s, int64_t number, struct ensemble_member *m,
                      struct batch_outcome *o, uint32_t *room, struct contribution *out,
                      struct error *e)
{
    *out = (struct contribution){.number = number, .cell = o->cell, .cells = o->cell_count};
    o->cell = NULL;
    out->result = result_of(s, m, o);
    out->result.drawn = m->drawn;
    m->drawn = NULL;
    int status = keep_notice(&out->result, m->c, e);
    if (!status) status = take_medians(s, out, e);
    if (!status) status = reached_places(s, room, out, e);
    if (status) contribution_free(out);
    return status;
}
