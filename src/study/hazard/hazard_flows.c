/* hazard_flows.c — compares past flows with the map. It finds the share of their area in each class, and scores the map
 * and the density of vents. If flows have dates and vents have ages, it also scores, for each
 * period of flows, a map and a density of vents made only from what was known before that period.
 * All maps have the same members.
 *
 * The score of a flow is the mean over its cells of log(N p). N is the number of cells of the terrain. p is the
 * probability of a cell: its share in the sum of all rates of the map, or the density of vents. One hundredth of p is
 * spread evenly over all cells, so that lava in a cell of probability 0 scores -4.6. The score is proper. It is 0 for a
 * map that is equal everywhere. */
#include "hazard.h"

#include "base/order.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>

static const double EVEN = 0.01;

static size_t cells_of(const struct hazard *x)
{
    return window_cells(problem_domain(&x->ask.of.plan->base.problem));
}

/* ---- before members are counted -------------------------------------------------------------- */

static int read_dates(struct past_flows *f, const char *path, const struct vector_grid *grid,
                      struct error *e)
{
    static const char *const wanted[] = {"date", NULL};
    FREED_BY(vectors_free) struct vectors from = {0};
    int status = vectors_read(&from, path, grid, VECTORS_TAKE_AREAS, wanted, e);
    for (int i = 0; i < f->count && !status; i++) {
        const int feature = f->assets.asset[i].feature;
        const char *date = vectors_value(&from, feature, 0);
        f->flow[i] = (struct past_flow){.year = NAN, .period = -1};
        if (date && *date && !catalogue_year(date, &f->flow[i].year))
            status = error_input(e,
                                 "%s: feature %d: the date '%.40s' cannot be read; give a year "
                                 "(1669), or 1669-03-11",
                                 path, from.feature[feature].number, date);
    }
    return status;
}

static void free_period(struct past_period *p)
{
    opening_free_draw(&p->opening);
    catalogue_free(&p->catalogue);
}

/* Makes the density of vents and the catalogue as they were known before the year `begin`. False: too little was
 * known. */
static bool make_period(struct past_period *p, const struct plan *from, double begin)
{
    const struct plan_hazard *h = from->hazard;
    const struct catalogue_request w = plan_hazard_request(&from->keys.hazard);
    struct error ignored = {0};
    double mass = 0;
    *p = (struct past_period){.begin = begin};
    if (!opening_before(&p->opening, &h->opening, w.now - begin) ||
        catalogue_before(&p->catalogue, &h->catalogue, &w, h->opening.zones, begin, &ignored)) {
        opening_free_draw(&p->opening);
        return false;
    }
    for (int v = 0; v < p->opening.vents; v++)
        mass += p->opening.vent[v].weight * p->opening.mass[v];
    if (!(mass > 0)) free_period(p);
    return mass > 0;
}

/* Makes periods with about equal numbers of dated flows. Makes none if no vent has an age. */
static int make_periods(struct past_flows *f, const struct plan *from, struct error *e)
{
    const struct opening *o = &from->hazard->opening;
    FREED double *year = malloc(((size_t)f->count + 1) * sizeof *year);
    int dated = 0, aged = 0;
    if (!year) return error_memory(e);
    for (int v = 0; v < o->vents; v++) aged += !isnan(o->vent[v].age_y);
    for (int i = 0; i < f->count; i++)
        if (!isnan(f->flow[i].year)) year[dated++] = f->flow[i].year;
    qsort(year, (size_t)dated, sizeof *year, order_reals);
    const int wanted = dated < HAZARD_PERIODS ? dated : HAZARD_PERIODS;
    for (int k = 0; k < wanted && aged; k++) {
        const double begin = year[(int64_t)dated * k / wanted];
        const bool new = !f->periods || begin > f->period[f->periods - 1].begin;
        if (new &&make_period(&f->period[f->periods], from, begin)) f->periods++;
    }
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->periods; k++)
            if (f->flow[i].year >= f->period[k].begin) f->flow[i].period = k;
    return 0;
}

int hazard_flows_open(struct past_flows *f, const struct plan *from, struct error *e)
{
    const struct problem *q = &from->base.problem;
    const struct vector_grid grid = {q->rows, q->cols, &from->base.geo};
    if (!from->keys.hazard.past_flows) return 0;
    FREED char *path = path_beside(from->base.path, from->keys.hazard.past_flows);
    if (!path) return error_memory(e);
    int status = assets_read(&f->assets, path, q->rows, q->cols, &from->base.geo, e);
    if (status) return status;
    f->count = f->assets.count;
    if (!(f->flow = calloc((size_t)f->count, sizeof *f->flow))) return error_memory(e);
    status = read_dates(f, path, &grid, e);
    return status ? status : make_periods(f, from, e);
}

void hazard_flows_free(struct past_flows *f)
{
    for (int k = 0; k < f->periods; k++) free_period(&f->period[k]);
    assets_free(&f->assets);
    free(f->flow);
}

/* ---- scores ---------------------------------------------------------------------------------- */

double hazard_density(const struct hazard *x, const struct opening *o, const struct catalogue *c,
                      size_t cell)
{
    const struct problem *q = &x->ask.of.plan->base.problem;
    const struct georef *g = &x->ask.of.plan->base.geo;
    const double x_m = g->west_m + ((double)(cell % (size_t)q->cols) + 0.5) * g->cell_m,
                 y_m = g->south_m + (q->rows - (double)(cell / (size_t)q->cols) - 0.5) * g->cell_m;
    double share[OPENING_ZONES_MAX], sum = 0;
    opening_shares(share, o, x_m, y_m);
    for (int k = 0; k < c->kinds; k++)
        sum += kind_rate(&c->kind[k]) / c->rate * share[c->kind[k].zone];
    return sum / (o->geo.cell_m * o->geo.cell_m);
}

static double rate_at(const struct hazard_rate *r, int period)
{
    return !r ? 0 : period < 0 ? r->rate : (double)r->past[period];
}

static double score_of(double part, size_t cells)
{
    return log((1 - EVEN) * part * (double)cells + EVEN);
}

/* Adds the scores of one cell: by the map, and by the density of vents. */
static void add_cell(double sum[2], const struct hazard *x, size_t cell, int period, double all)
{
    const struct plan_hazard *h = x->from->hazard;
    const struct past_period *p = period < 0 ? NULL : &x->flows.period[period];
    const double cell_m = x->ask.of.plan->base.geo.cell_m,
                 density = hazard_density(x, p ? &p->opening : &h->opening,
                                          p ? &p->catalogue : &h->catalogue, cell);
    sum[0] += score_of(rate_at(x->slot[cell] ? &x->cell[x->slot[cell] - 1] : NULL, period) / all,
                       cells_of(x));
    sum[1] += score_of(density * cell_m * cell_m, cells_of(x));
}

/* Finds how much better the map scores than the density of vents: the mean over flows, and its standard error. */
static void find_gain(struct past_gain *g, const struct past_flows *f, bool before)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < f->count; i++) {
        const double *score = before ? f->flow[i].before : f->flow[i].score;
        if (before && f->flow[i].period < 0) continue;
        sum += score[0] - score[1];
        squares += (score[0] - score[1]) * (score[0] - score[1]);
        g->flows++;
    }
    const int n = g->flows;
    g->mean = n ? sum / n : (double)NAN;
    g->error = n > 1 ? sqrt(fmax(0, squares / n - g->mean * g->mean) / (n - 1)) : (double)NAN;
}

void hazard_flows_score(struct hazard *x)
{
    struct past_flows *f = &x->flows;
    double all[1 + HAZARD_PERIODS] = {0};
    for (uint32_t i = 0; i < x->cells; i++)
        for (int k = -1; k < f->periods; k++) all[1 + k] += rate_at(&x->cell[i], k);
    for (int i = 0; i < f->count; i++) {
        struct past_flow *flow = &f->flow[i];
        const struct asset *a = &f->assets.asset[i];
        double now[2] = {0, 0}, before[2] = {0, 0};
        for (uint32_t k = 0; k < a->cells; k++) {
            flow->share[hazard_class(x, a->cell[k], hazard_years_shown(&x->from->keys.hazard))] +=
                1.0 / a->cells;
            add_cell(now, x, a->cell[k], -1, all[0]);
            if (flow->period >= 0)
                add_cell(before, x, a->cell[k], flow->period, all[1 + flow->period]);
        }
        for (int k = 0; k < 2; k++) {
            flow->score[k] = now[k] / a->cells;
            flow->before[k] = flow->period < 0 ? (double)NAN : before[k] / a->cells;
        }
    }
    find_gain(&f->now, f, false);
    find_gain(&f->before, f, true);
}
