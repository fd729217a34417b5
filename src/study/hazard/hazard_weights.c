/* hazard_weights.c — the part of the rate of eruptions for which each member stands. The parts are computed from the
 * estimated rates and the past vents, and again from each random draw of rates or vents. */
#include "hazard.h"

#include "plan/member.h"
#include "random/philox.h"
#include "random/quantile.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM_HAZARD = 1 << 16 }; /* members draw from lower streams */

static double unit(const struct hazard *x, uint32_t stream, int64_t i, int j)
{
    return philox_unit(philox_bits((uint64_t)x->from->keys.seed, STREAM_HAZARD + stream,
                                   (uint64_t)i, (uint32_t)j));
}

/* Sets u[] to the numbers (k + 1/2) / draws, each k once, in a random order that the stream decides. */
static void draw_strata(double *u, const struct hazard *x, uint32_t stream)
{
    for (int i = 0; i < x->draws; i++) {
        const int k = (int)(unit(x, stream, i, 0) * (i + 1));
        u[i] = u[k];
        u[k] = (i + 0.5) / x->draws;
    }
}

/* A draw from the gamma distribution with this shape and a mean of `shape`. GSL's inverse may fail for shapes below 1.
 * With such a shape, the draw is made with shape + 1 and multiplied by other^(1 / shape). u, other: random numbers from
 * 0 to 1. */
static double draw_gamma(double shape, double u, double other)
{
    return shape >= 1 ? catalogue_quantile(shape, 1, u)
                      : catalogue_quantile(shape + 1, 1, u) * pow(other, 1 / shape);
}

/* ---- rates of classes ------------------------------------------------------------------------ */

/* Divides the rate of eruptions of a volume between two classes of the library: the one with the next lower and the one
 * with the next higher volume. The logarithm of the volume decides the shares. A volume beyond all classes counts for
 * the nearest class. */
static void add_volume(double *to, const struct classes *c, double volume_m3, double rate)
{
    int below = -1, above = -1;
    for (int k = 0; k < c->choice.count; k++) {
        const double v = c->item[k].volume_m3;
        if (v <= volume_m3 && (below < 0 || v > c->item[below].volume_m3)) below = k;
        if (v >= volume_m3 && (above < 0 || v < c->item[above].volume_m3)) above = k;
    }
    if (below < 0) below = above;
    if (above < 0) above = below;
    const double low = c->item[below].volume_m3, high = c->item[above].volume_m3,
                 part = high > low ? log(volume_m3 / low) / log(high / low) : 0;
    to[below] += (1 - part) * rate;
    to[above] += part * rate;
}

/* Eruptions per year by zone and class of the library: of[(set * zones + zone) * classes + class]. Set 0 has the mean
 * rates. Then come the draws, then the periods of past flows. */
struct rates {
    int classes;
    double *of;
};

static double *rates_at(const struct rates *r, const struct hazard *x, int set)
{
    return r->of + (size_t)set * (size_t)x->zones * (size_t)r->classes;
}

/* Adds the mean rates of a catalogue. */
static void add_rates(double *to, const struct rates *r, const struct hazard *x,
                      const struct catalogue *c)
{
    const struct classes *classes = &x->ask.of.plan->classes;
    for (int k = 0; k < c->kinds; k++)
        for (int j = 0; j < c->classes; j++)
            add_volume(to + c->kind[k].zone * r->classes, classes, c->class[j].volume_m3,
                       kind_rate(&c->kind[k]) * c->kind[k].share[j]);
}

static int draw_rates(struct rates *r, const struct hazard *x, struct error *e)
{
    const struct catalogue *c = &x->from->hazard->catalogue;
    const struct classes *to = &x->ask.of.plan->classes;
    FREED double *u = malloc((size_t)x->draws * sizeof *u);
    r->classes = to->choice.count;
    r->of =
        calloc((size_t)(x->draws + 1 + x->flows.periods) * (size_t)x->zones * (size_t)r->classes,
               sizeof *r->of);
    if (!u || !r->of) return error_memory(e);
    add_rates(rates_at(r, x, 0), r, x, c);
    for (int k = 0; k < x->flows.periods; k++)
        add_rates(rates_at(r, x, x->draws + 1 + k), r, x, &x->flows.period[k].catalogue);
    for (int k = 0; k < c->kinds; k++) {
        const struct eruption_kind *kind = &c->kind[k];
        draw_strata(u, x, (uint32_t)k);
        for (int set = 1; set <= x->draws; set++) {
            double share[CATALOGUE_CLASSES], sum = 0;
            const double other = unit(x, 100 + (uint32_t)k, set, 0),
                         rate = draw_gamma(kind->shape, u[set - 1], other) / kind->years;
            for (int j = 0; j < c->classes; j++) {
                const double a = kind->shape * kind->share[j];
                share[j] = a > 0 ? draw_gamma(a, unit(x, 200 + (uint32_t)k, set, 2 * j),
                                              unit(x, 200 + (uint32_t)k, set, 2 * j + 1))
                                 : 0;
                sum += share[j];
            }
            for (int j = 0; j < c->classes; j++)
                add_volume(rates_at(r, x, set) + kind->zone * r->classes, to, c->class[j].volume_m3,
                           sum > 0 ? rate * share[j] / sum : rate / c->classes);
        }
    }
    return 0;
}

/* ---- shares of vents ------------------------------------------------------------------------- */

struct vents {
    /* The density of each draw, then the density from which vents are drawn. */
    struct opening *opening;
    /* share[source]: the shares (opening.h) of all zones at the source, for one density after
     * another: the density of the volcano, each density in opening[], and the density before each
     * period of past flows. */
    double **share;
};

/* Draws alternative past vents. opening_sharpen() sharpens the density from which they are drawn, and the density that
 * is estimated from each draw. */
static int draw_vents(struct vents *v, const struct hazard *x, struct error *e)
{
    const struct opening *o = &x->from->hazard->opening;
    v->share = calloc((size_t)x->ask.of.plan->sources.choice.count, sizeof *v->share);
    v->opening = calloc((size_t)x->draws + 1, sizeof *v->opening);
    if (!v->share || !v->opening) return error_memory(e);
    const struct opening *from = &v->opening[x->draws];
    bool failed = !opening_sharpen(&v->opening[x->draws], o);
    if (failed) return error_memory(e);
#pragma omp parallel for schedule(dynamic) reduction(|| : failed)
    for (int k = 0; k < x->draws; k++) {
        const int numbers = 3 * o->vents;
        FREED double *u = malloc(((size_t)numbers + 1) * sizeof *u);
        for (int i = 0; u && i < numbers; i++) u[i] = unit(x, 500, k, i);
        struct opening plain = {0};
        failed = failed || !u || !opening_draw(&plain, from, u) ||
                 !opening_sharpen(&v->opening[k], &plain);
        opening_free_draw(&plain);
    }
    return failed ? error_memory(e) : 0;
}

static const double *vent_shares(struct vents *v, const struct hazard *x, int source)
{
    const struct plan *p = x->ask.of.plan;
    const struct opening *o = &x->from->hazard->opening;
    const struct place *at = &p->sources.point[p->sources.source[source].first].at;
    const double x_m = p->base.geo.west_m + at->right * p->base.geo.cell_m,
                 y_m = p->base.geo.south_m + at->up * p->base.geo.cell_m;
    double *share = v->share[source];
    if (share) return share;
    v->share[source] = share =
        malloc((size_t)(x->draws + 2 + x->flows.periods) * (size_t)x->zones * sizeof *share);
    if (share) opening_shares(share, o, x_m, y_m);
    for (int k = 0; share && k <= x->draws; k++)
        opening_shares(share + (k + 1) * x->zones, &v->opening[k], x_m, y_m);
    for (int k = 0; share && k < x->flows.periods; k++)
        opening_shares(share + (x->draws + 2 + k) * x->zones, &x->flows.period[k].opening, x_m,
                       y_m);
    return share;
}

static void free_vents(struct vents *v, const struct hazard *x)
{
    for (int i = 0; v->share && i < x->ask.of.plan->sources.choice.count; i++) free(v->share[i]);
    for (int k = 0; v->opening && k <= x->draws; k++) opening_free_draw(&v->opening[k]);
    FREE_ALL(v->share, v->opening);
}

/* ---- members --------------------------------------------------------------------------------- */

struct drawn { /* source, class, and the probability with which they were drawn */
    int source, class;
    double q;
};

static double sum_of(const struct choice *c)
{
    double sum = 0;
    for (int i = 0; i < c->count; i++) sum += c->share[i];
    return sum;
}

static int look_at_members(struct drawn *d, const struct ask *x, struct error *e)
{
    const struct choice *vents = &x->of.plan->sources.choice,
                        *classes = &x->of.plan->classes.choice;
    const double of_vents = sum_of(vents), of_classes = sum_of(classes);
    FREED struct member *m = malloc(sizeof *m);
    if (!m) return error_memory(e);
    for (int64_t i = 0; i < x->of.s.source->count; i++) {
        if (!x->weight[i]) continue;
        const int status = member_create_flat(m, x->of.plan, i, e);
        if (status) return status;
        d[i] = (struct drawn){m->source, m->class, 0};
        member_free(m);
        d[i].q = vents->share[d[i].source] / of_vents * classes->share[d[i].class] / of_classes;
    }
    return 0;
}

/* A member, with the rates and shares from which part_of() computes its part. */
struct part {
    const struct rates *rates;
    const double *share;
    const struct drawn *d;
};

static double part_of(const struct part *p, const struct hazard *x, int rates, int vents, int zone)
{
    return rates_at(p->rates, x, rates)[zone * p->rates->classes + p->d->class] *
           p->share[vents * x->zones + zone] / p->d->q;
}

/* Finds the rates and the density of vents of a set of x->drawn. *rates: index of a set in struct
 * rates. *vents: index of a density in vents.share[source]. Index 0 is the estimate without draws.
 * Set -1 has index 0 in both. */
static void set_of(const struct hazard *x, int set, int *rates, int *vents)
{
    const int period = set - 2 * x->draws - 1;
    *rates = period >= 0 ? x->draws + 1 + period : set >= 0 && set < x->draws ? set + 1 : 0;
    *vents = set >= x->draws ? set - x->draws + 1 : 0;
}

/* Finds the part of each member in each set and zone. Pass 0 sums part_of() over members. Pass 1 divides the rate of
 * the zone in proportion to part_of(). */
static int add_members(struct hazard *x, const struct drawn *d, const struct rates *rates,
                       struct vents *vents, struct error *e)
{
    const size_t sets = (size_t)x->sets, zones = (size_t)x->zones;
    FREED double *factor = calloc((sets + 1) * zones, sizeof *factor);
    if (!factor) return error_memory(e);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < x->ask.of.s.source->count; i++) {
            if (!x->ask.weight[i]) continue;
            struct part p = {rates, vent_shares(vents, x, d[i].source), &d[i]};
            if (!p.share) return error_memory(e);
            for (int set = -1; set < x->sets; set++) {
                int r, v;
                double sum = 0;
                set_of(x, set, &r, &v);
                for (int z = 0; z < x->zones; z++) {
                    const double part = part_of(&p, x, r, v, z);
                    double *f = &factor[(size_t)(set + 1) * zones + (size_t)z];
                    if (!pass) *f += part;
                    sum += pass ? part * *f : 0;
                    if (pass && set < 0) x->member[i].part[z] = part * *f;
                }
                if (pass && set < 0) x->member[i].squares = sum * sum;
                else if (pass) x->drawn[(size_t)i * sets + (size_t)set] = (float)sum;
            }
        }
        for (int set = -1; set < x->sets && !pass; set++)
            for (int z = 0; z < x->zones; z++) {
                int r, v;
                double all = 0, *f = &factor[(size_t)(set + 1) * zones + (size_t)z];
                set_of(x, set, &r, &v);
                for (int c = 0; c < rates->classes; c++)
                    all += rates_at(rates, x, r)[z * rates->classes + c];
                if (!(*f > 0) && set < 0)
                    return error_input(e,
                                       "%s: all members have weights of zero%s%s; compute more "
                                       "members, or members of a plan with such vents and volumes",
                                       x->from->base.path,
                                       *x->from->hazard->opening.zone[z] ? " in " : "",
                                       x->from->hazard->opening.zone[z]);
                *f = *f > 0 ? all / *f : 0;
            }
    }
    return 0;
}

int hazard_weigh(struct ask *ask, struct error *e)
{
    struct hazard *x = (struct hazard *)ask;
    const size_t members = (size_t)ask->of.s.source->count;
    struct rates rates = {0};
    struct vents vents = {0};
    FREED struct drawn *d = calloc(members, sizeof *d);
    FREED double *all = calloc(members, sizeof *all);
    x->member = calloc(members, sizeof *x->member);
    x->drawn = calloc(members * (size_t)x->sets, sizeof *x->drawn);
    x->normal = malloc((size_t)x->draws * sizeof *x->normal);
    int status = d && all && x->member && x->drawn && x->normal ? 0 : error_memory(e);
    if (!status) status = look_at_members(d, ask, e);
    if (!status) status = draw_rates(&rates, x, e);
    if (!status) status = draw_vents(&vents, x, e);
    if (!status) status = add_members(x, d, &rates, &vents, e);
    if (!status) draw_strata(x->normal, x, 400);
    for (int i = 0; i < x->draws && !status; i++) x->normal[i] = normal_quantile(x->normal[i]);
    for (size_t i = 0; i < members && !status; i++) {
        for (int z = 0; z < x->zones; z++) all[i] += x->member[i].part[z];
        x->all += all[i];
        x->squares += x->member[i].squares;
    }
    /* A member with a rate only in periods of past flows gets a very small weight. */
    for (size_t i = 0; i < members && !status; i++)
        for (int k = 2 * x->draws + 1; k < x->sets && !(all[i] > 0); k++)
            if (x->drawn[i * (size_t)x->sets + (size_t)k] > 0) all[i] = 1e-12 * x->all;
    if (!status) ask_round(ask->weight, all, (int64_t)members);
    free_vents(&vents, x);
    free(rates.of);
    return status;
}
