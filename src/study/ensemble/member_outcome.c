/* member_outcome.c — what a device has found of a member becomes what it adds to the ensemble: the
 * same as member_run() makes of its fields. */
#include "batch.h"
#include "ensemble.h"

#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int outcome_room_create(struct outcome_room *r, const struct ensemble *s, struct error *e)
{
    const struct problem *p = &s->source->base->problem;
    *r = (struct outcome_room){0};
    if (!s->assets.count) return 0;
    r->reached = calloc((size_t)p->rows * (size_t)p->cols, sizeof *r->reached);
    return r->reached ? 0 : error_memory(e);
}

void outcome_room_free(struct outcome_room *r)
{
    free(r->reached);
    *r = (struct outcome_room){0};
}

/* ---- things ---------------------------------------------------------------------------------- */

/* Classes rise with what they are classes of: that of the greatest is the greatest. */
static bool see_thing(const struct asset *a, const struct outcome_room *room,
                      const struct contribution *c, struct reached *x)
{
    uint64_t covered = 0;
    for (uint32_t k = 0; k < a->cells; k++) {
        const uint32_t i = room->reached[a->cell[k]];
        if (!i) continue;
        const struct reached *here = &c->cell[i - 1];
        if (!covered++) *x = *here;
        if (here->thickness_class > x->thickness_class) x->thickness_class = here->thickness_class;
        if (here->thickness_q > x->thickness_q) x->thickness_q = here->thickness_q;
        if (here->arrival_class < x->arrival_class) x->arrival_class = here->arrival_class;
    }
    if (covered) x->share_q = statistics_share(covered, a->cells);
    return covered > 0;
}

static int see_things(const struct ensemble *s, struct outcome_room *room, struct contribution *c,
                      struct error *e)
{
    const size_t count = (size_t)s->assets.count;
    c->thing = malloc((count ? count : 1) * sizeof *c->thing);
    if (!c->thing) return error_memory(e);
    if (!count) return 0;
    for (size_t i = 0; i < c->cells; i++) room->reached[c->cell[i].place] = (uint32_t)i + 1;
    for (int k = 0; k < s->assets.count; k++) {
        struct reached *x = &c->thing[c->things];
        if (!see_thing(&s->assets.asset[k], room, c, x)) continue;
        x->place = (uint32_t)k;
        c->things++;
    }
    for (size_t i = 0; i < c->cells; i++) room->reached[c->cell[i].place] = 0;
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

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
                      struct batch_outcome *o, struct outcome_room *room, struct contribution *out,
                      struct error *e)
{
    *out = (struct contribution){.number = number, .cell = o->cell, .cells = o->cell_count};
    o->cell = NULL;
    out->result = result_of(s, m, o);
    out->result.drawn = m->drawn;
    m->drawn = NULL;
    int status = 0;
    if (*m->c->notice && !(out->result.notice = text_format("%s", m->c->notice)))
        status = error_memory(e);
    if (!status) status = see_things(s, room, out, e);
    if (status) contribution_free(out);
    return status;
}
