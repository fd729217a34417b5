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

int member_check(const struct ensemble *s, const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem, *base = &s->source->base->problem;
    if (p->rows != base->rows || p->cols != base->cols)
        return error_input(e, "its terrain has %d x %d cells, that of the plan %d x %d", p->rows,
                           p->cols, base->rows, base->cols);
    if (!c->max_steps && (!p->stop_when_still || p->last_vent_step >= member_last_step(c)))
        return error_input(e, "it has no end; give max_steps, or a stopping rule and an eruption "
                              "that ends");
    return 0;
}

/* ---- what it did ----------------------------------------------------------------------------- */

static bool has_lava(const struct fields *f, size_t i)
{
    return f->thickness_m[i] > 0 || f->solid_m[i] > 0;
}

/* The place in the domain of a cell of the window. */
static size_t place_of(const struct ensemble *s, const struct fields *f, size_t i)
{
    const size_t cols = (size_t)f->window.cols;
    const size_t row = (size_t)f->window.row0 + i / cols, col = (size_t)f->window.col0 + i % cols;
    return row * (size_t)s->source->base->problem.cols + col;
}

static double jaccard(const struct ensemble *s, const struct fields *f)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    size_t both = 0, either = s->outline_cells;
    for (size_t i = 0; s->outline && i < n; i++) {
        if (!has_lava(f, i)) continue;
        const bool inside = s->outline[place_of(s, f, i)];
        both += inside;
        either += !inside;
    }
    return s->outline && either ? (double)both / (double)either : (double)NAN;
}

static struct reached reached_of(const struct ensemble *s, size_t place, double thickness_m,
                                 double arrival_s)
{
    return (struct reached){
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
    if (!out->cell) return error_memory(e);
    for (size_t i = 0; i < n; i++) {
        if (f->arrival[i] == ARRIVAL_NEVER) continue;
        if (f->arrival[i] > last) last = f->arrival[i];
        struct reached *x = &out->cell[out->cells++];
        *x = reached_of(s, place_of(s, f, i), f->max_thickness_m[i],
                        (double)f->arrival[i] * clock_s);
        x->end_q = statistics_thickness(f->thickness_m[i] + f->solid_m[i]);
    }
    out->result.advance_s = last < 0 ? (double)NAN : (double)last * clock_s;
    return 0;
}

/* The cell of the window at a place of the domain; false: none. */
static bool find(size_t *i, const struct ensemble *s, const struct fields *f, uint32_t place)
{
    const uint32_t cols = (uint32_t)s->source->base->problem.cols;
    const int row = (int)(place / cols) - f->window.row0,
              col = (int)(place % cols) - f->window.col0;
    if (row < 0 || row >= f->window.rows || col < 0 || col >= f->window.cols) return false;
    *i = (size_t)row * (size_t)f->window.cols + (size_t)col;
    return true;
}

static bool see_thing(const struct ensemble *s, const struct fields *f, double clock_s, int number,
                      struct reached *x)
{
    const struct asset *a = &s->assets.asset[number];
    double thickness_m = 0;
    int32_t arrival = ARRIVAL_NEVER;
    uint64_t covered = 0;
    for (uint32_t k = 0; k < a->cells; k++) {
        size_t i;
        if (!find(&i, s, f, a->cell[k]) || f->arrival[i] == ARRIVAL_NEVER) continue;
        covered++;
        if (f->arrival[i] < arrival) arrival = f->arrival[i];
        if (f->max_thickness_m[i] > thickness_m) thickness_m = f->max_thickness_m[i];
    }
    if (!covered) return false;
    *x = reached_of(s, (size_t)number, thickness_m, (double)arrival * clock_s);
    x->share_q = statistics_share(covered, a->cells);
    return true;
}

static int see_things(const struct ensemble *s, const struct fields *f, double clock_s,
                      struct contribution *out, struct error *e)
{
    const size_t count = (size_t)s->assets.count;
    out->thing = malloc((count ? count : 1) * sizeof *out->thing);
    if (!out->thing) return error_memory(e);
    for (int k = 0; k < s->assets.count; k++)
        if (see_thing(s, f, clock_s, k, &out->thing[out->things])) out->things++;
    return 0;
}

static int describe(struct contribution *out, const struct ensemble *s, const struct sim_case *c,
                    const struct problem *seen, const struct fields *f, struct error *e)
{
    struct member_result *r = &out->result;
    const double clock_s = c->problem.params.clock_s, area_m2 = c->geo.cell_m * c->geo.cell_m;
    const struct extent x = extent_of(f, seen);
    struct ledger ledger;
    int status = fields_ledger(&ledger, f, seen, e);
    if (status) return status;
    r->digest = member_digest(&s->start, seen, f);
    r->step = f->step;
    r->end_s = (double)f->step * clock_s;
    r->cells = x.cells;
    r->runout_m = x.runout_m;
    r->max_thickness_m = x.max_thickness_m;
    r->emitted_m3 = quanta_m(ledger.emitted) * area_m2;
    r->left_m3 = quanta_m(ledger.left_domain + ledger.entered_sea) * area_m2;
    r->jaccard = jaccard(s, f);
    if (*c->notice && !(r->notice = text_format("%s", c->notice))) return error_memory(e);
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

int member_run(const struct ensemble *s, int64_t number, bool (*stop)(const void *), const void *of,
               struct contribution *out, struct error *e)
{
    const struct ensemble_source *source = s->source;
    struct ensemble_member m = {0};
    struct variant_status now;
    struct problem seen;
    struct fields f = {0};
    *out = (struct contribution){.number = number};
    int status = source->create(source->of, number, &m, e);
    if (status) return member_name(number, status, e);
    status = member_check(s, m.c, e);
    if (!status) status = member_compute(m.c, &seen, &f, &now, stop, of, e);
    if (!status) {
        out->result = (struct member_result){
            .done = true, .weight = m.weight, .stopped = now.stopped, .drawn = m.drawn};
        m.drawn = NULL;
        status = describe(out, s, m.c, &seen, &f, e);
    }
    source->release(source->of, &m);
    fields_free(&f);
    if (status) contribution_free(out);
    return member_name(number, status, e);
}
