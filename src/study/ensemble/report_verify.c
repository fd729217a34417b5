/* report_verify.c — the forecast against the outline: scores, three tables and three diagrams. */
#include "report.h"

#include "draw/plot.h"
#include "draw/roundnum.h"
#include "restart/json_number.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int report_verify(struct verification *v, const struct ensemble *s, struct error *e)
{
    const struct forecast f = ensemble_forecast(s);
    return verify(v, &f, e);
}

int report_verify_discrepancy(struct verification *v, const struct ensemble *s, struct error *e)
{
    const struct forecast f = ensemble_forecast(s);
    struct vicinity x = {0};
    int status = report_vicinity(&x, s, e);
    const struct forecast near = vicinity_forecast(&x, &f);
    if (!status) status = verify(v, &near, e);
    vicinity_free(&x);
    return status;
}

int report_vicinity(struct vicinity *x, const struct ensemble *s, struct error *e)
{
    const struct sim_case *c = s->source->base;
    const struct forecast f = ensemble_forecast(s);
    int status = vicinity_open(x, &f, c->problem.rows, c->problem.cols, c->geo.cell_m, e);
    return status ? status : vicinity_set(x, s->source->discrepancy_m, e);
}

double report_result(const struct ensemble *s, const struct member_result *r,
                     enum report_result which)
{
    const double cell_m = s->source->base->geo.cell_m;
    return which == REPORT_AREA_M2     ? (double)r->cells * cell_m * cell_m
           : which == REPORT_RUNOUT_M  ? r->runout_m
           : which == REPORT_VOLUME_M3 ? r->emitted_m3 - r->left_m3
                                       : r->jaccard;
}

struct percentiles report_spread(const struct ensemble *s, enum report_result which,
                                 double observed, double *crps)
{
    const int64_t all = s->source->count;
    struct weighted *member = malloc((size_t)(all ? all : 1) * sizeof *member);
    int64_t members = 0;
    for (int64_t i = 0; member && i < all; i++) {
        const double value =
            s->result[i].done ? report_result(s, &s->result[i], which) : (double)NAN;
        if (isfinite(value))
            member[members++] = (struct weighted){value, (double)s->result[i].weight};
    }
    const struct percentiles of = percentiles_of(member, members);
    if (crps) *crps = members ? percentiles_crps(member, members, observed) : (double)NAN;
    free(member);
    return of;
}

/* From the nearest vent; NaN where members choose among vents: what they run is from their own. */
static double observed_runout_m(const struct ensemble *s)
{
    const struct ensemble_source *from = s->source;
    const struct domain *d = &s->domain;
    double most = -1;
    for (size_t i = 0; i < (size_t)d->box.rows * (size_t)d->box.cols && !from->chosen; i++) {
        if (!(d->cell[i] & DOMAIN_OBSERVED)) continue;
        const double row = d->box.row0 + (double)(i / (size_t)d->box.cols),
                     col = d->box.col0 + (double)(i % (size_t)d->box.cols);
        double least = INFINITY;
        for (int v = 0; v < from->vents; v++) {
            const double dy = row - from->vent[v] / (uint32_t)d->cols,
                         dx = col - from->vent[v] % (uint32_t)d->cols;
            least = fmin(least, dx * dx + dy * dy);
        }
        if (isfinite(least)) most = fmax(most, least);
    }
    return most < 0 ? (double)NAN : sqrt(most) * d->cell_m;
}

static void add_quantity(cJSON *o, const char *name, const struct ensemble *s,
                         enum report_result which, double observed)
{
    double crps;
    const struct percentiles of = report_spread(s, which, observed, &crps);
    if (isnan(observed) || !of.members) return;
    cJSON *q = cJSON_AddObjectToObject(o, name);
    json_add_numbers(q, {"observed", observed}, {"mean_error", of.mean - observed},
                     {"error_p05", of.p05 - observed}, {"error_p50", of.p50 - observed},
                     {"error_p95", of.p95 - observed}, {"crps", crps});
}

/* The mean CRPS of all surveyed cells. Members whose lava does not come have a thickness of 0 there, and no
 * arrival. */
static void add_survey(cJSON *o, const char *name, const struct ensemble *s,
                       const struct axis *axis, const int64_t *observed, double unit)
{
    const struct statistics *cells = &s->cells;
    const bool thick = axis == &s->thickness_m;
    const double weight = (double)cells->weight;
    uint64_t *none = calloc((size_t)axis->edges + 1, sizeof *none), surveyed = 0;
    double sum = 0;
    for (size_t i = 0; observed && none && i < cells->places; i++) {
        if (observed[i] < 0) continue;
        const uint64_t *c = statistics_at(cells, i), *class = !c ? none
                                                              : thick
                                                                  ? c
                                                                  : c + cells->thickness_classes;
        sum +=
            percentiles_crps_of_classes(axis->edge, axis->edges, class,
                                        thick ? weight - (double)statistics_reached(cells, c) : 0,
                                        weight, (double)observed[i] / unit);
        surveyed++;
    }
    free(none);
    if (!surveyed) return;
    cJSON *q = cJSON_AddObjectToObject(o, name);
    json_add_numbers(q, {"cells", surveyed}, {"crps", sum / (double)surveyed});
}

void report_add_verification(cJSON *o, const struct product_at *at)
{
    const struct ensemble *s = ((const struct report_view *)at->of)->s;
    const struct report_observed *observed = &((const struct report_view *)at->of)->r->observed;
    const double cell_m = s->domain.cell_m;
    struct verification v;
    if (report_verify(&v, s, NULL)) return;
    verify_add(o, &v, &s->domain);
    add_quantity(o, "area_m2", s, REPORT_AREA_M2, (double)s->outline_cells * cell_m * cell_m);
    add_quantity(o, "runout_m", s, REPORT_RUNOUT_M, observed_runout_m(s));
    if (observed->volume_m3 > 0)
        add_quantity(o, "volume_m3", s, REPORT_VOLUME_M3, observed->volume_m3);
    add_survey(o, "thickness_m", s, &s->thickness_m, observed->thickness_q, STATISTICS_MM);
    add_survey(o, "arrival_s", s, &s->arrival_s, observed->arrival_ms, 1000);
}

void report_add_discrepancy(cJSON *o, const struct product_at *at)
{
    const struct ensemble *s = ((const struct report_view *)at->of)->s;
    struct verification v;
    cJSON_AddNumberToObject(o, "distance_m", s->source->discrepancy_m);
    if (s->outline && !report_verify_discrepancy(&v, s, NULL)) verify_add(o, &v, &s->domain);
}

void report_add_null(cJSON *o, const struct null_model *n)
{
    struct verification v;
    json_add_numbers(o, {"length_m", n->at.length_m}, {"half_width_m", n->at.half_width_m});
    cJSON_AddBoolToObject(o, "fitted", n->fitted);
    if (n->s.outline && !report_verify(&v, &n->s, NULL)) verify_add(o, &v, &n->s.domain);
}

int report_reliability(FILE *f, const struct product_at *at, struct error *e)
{
    (void)e;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    fputs("above,up_to,cells,observed_cells,mean_probability,observed_share,low,high\n", f);
    for (int k = 0; k < VERIFY_BINS; k++) {
        const struct verify_bin *b = &v->bin[k];
        fprintf(f, "%g,%g,%" PRIu64 ",%" PRIu64, k ? verify_percent[k - 1] / 100.0 : 0.0,
                verify_percent[k] / 100.0, b->cells, b->observed);
        product_numbers(f, 9, b->forecast, b->share, b->low, b->high);
        putc('\n', f);
    }
    return 0;
}

int report_roc(FILE *f, const struct product_at *at, struct error *e)
{
    (void)e;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    fputs("probability_at_least,hit_rate,false_alarm_rate\n", f);
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        fprintf(f, "%g", k / 100.0);
        product_numbers(f, 9, v->hit_rate[k], v->false_alarm_rate[k]);
        putc('\n', f);
    }
    return 0;
}

int report_overlap(FILE *f, const struct product_at *at, struct error *e)
{
    (void)e;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    fputs("probability_at_least,both_cells,either_cells,jaccard\n", f);
    for (int k = 0; k < VERIFY_LEVELS; k++)
        fprintf(f, "%g,%" PRIu64 ",%" PRIu64 ",%.9g\n", k / 100.0, v->both[k], v->either[k],
                verify_jaccard(v, k));
    return 0;
}

static void describe(char out[200], const struct verification *v, int64_t members)
{
    const struct verify_estimate *s = v->score;
    char count[32];
    snprintf(out, 200,
             "%s members. Brier score %.4f, skill %.3f ± %.2g; log score %.3f ± %.2g; "
             "ROC area %.3f ± %.2g",
             roundnum_brief(count, (double)members), s[VERIFY_BRIER].value, s[VERIFY_SKILL].value,
             s[VERIFY_SKILL].error, s[VERIFY_LOG].value, s[VERIFY_LOG].error, s[VERIFY_ROC].value,
             s[VERIFY_ROC].error);
}

int report_draw_reliability(const struct product_at *at, struct error *e)
{
    const struct ensemble *s = ((const struct report_view *)at->of)->s;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    double x[VERIFY_BINS], y[VERIFY_BINS], low[VERIFY_BINS], high[VERIFY_BINS];
    char text[VERIFY_BINS][32], subtitle[200], note[600], cells[32], observed[32];
    const char *words[VERIFY_BINS];
    for (int k = 0; k < VERIFY_BINS; k++) {
        const struct verify_bin *b = &v->bin[k];
        x[k] = b->forecast, y[k] = b->share, low[k] = b->low, high[k] = b->high;
        words[k] = k ? roundnum_brief(text[k], (double)b->cells)
                     : NULL; /* there labels of neighbours meet */
    }
    describe(subtitle, v, s->done);
    snprintf(note, sizeof note,
             "Cells: %s within %s, %s of them with observed lava. Labels: number "
             "of cells. Below the diagonal lava reached fewer of them than forecast. Intervals: "
             "95 %%, by a bootstrap of %d blocks of %.4g m along the flow. Skill: against the "
             "observed share in every cell.",
             roundnum_brief(cells, (double)v->cells), s->domain.about,
             roundnum_brief(observed, (double)v->observed), v->blocks, v->block_m);
    const struct plot_series series = {.label = "observed share",
                                       .count = VERIFY_BINS,
                                       .x = x,
                                       .y = y,
                                       .point = words,
                                       .low = low,
                                       .high = high};
    const struct plot p = {
        .title = s->source->base->title,
        .subtitle = subtitle,
        .note = note,
        .x = {"forecast probability that lava arrives", 0, 1},
        .y = {"share of the cells where it was observed", 0, 1},
        .diagonal = "perfectly reliable",
        .count = 1,
        .series = &series,
    };
    return product_draw(at, output_draw_plot, &p, e);
}

/* From no region to the whole domain. */
int report_draw_roc(const struct product_at *at, struct error *e)
{
    enum { POINTS = VERIFY_LEVELS + 2 };
    const struct ensemble *s = ((const struct report_view *)at->of)->s;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    double x[POINTS] = {0}, y[POINTS] = {0};
    char subtitle[200], note[300], observed[32], others[32];
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        x[POINTS - 2 - k] = v->false_alarm_rate[k];
        y[POINTS - 2 - k] = v->hit_rate[k];
    }
    x[POINTS - 1] = y[POINTS - 1] = 1;
    describe(subtitle, v, s->done);
    snprintf(note, sizeof note,
             "Regions with at least each per cent of probability: the share of the %s "
             "cells with observed lava that they have, and of the %s without, within %s.",
             roundnum_brief(observed, (double)v->observed),
             roundnum_brief(others, (double)(v->cells - v->observed)), s->domain.about);
    const struct plot_series series = {
        .label = "regions above each probability", .count = POINTS, .x = x, .y = y};
    const struct plot p = {
        .title = s->source->base->title,
        .subtitle = subtitle,
        .note = note,
        .x = {"false alarm rate", 0, 1},
        .y = {"hit rate", 0, 1},
        .diagonal = "no information",
        .count = 1,
        .series = &series,
    };
    return product_draw(at, output_draw_plot, &p, e);
}

int report_draw_overlap(const struct product_at *at, struct error *e)
{
    const struct report *r = ((const struct report_view *)at->of)->r;
    const struct verification *v = &((const struct report_view *)at->of)->v;
    double x[VERIFY_LEVELS], y[VERIFY_LEVELS];
    char subtitle[160];
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        x[k] = k;
        y[k] = verify_jaccard(v, k);
    }
    snprintf(subtitle, sizeof subtitle,
             "Largest overlap J = %.3f: the region with a probability of at least %d %%",
             y[v->best], v->best);
    const struct plot_series series = {.label = "region above the probability, with the outline",
                                       .count = VERIFY_LEVELS,
                                       .x = x,
                                       .y = y};
    const struct plot p = {
        .title = r->s->source->base->title,
        .subtitle = subtitle,
        .x = {"probability that lava arrives, at least (%)", 0, 100},
        .y = {"overlap J = both / either", 0, 1},
        .count = 1,
        .series = &series,
    };
    return product_draw(at, output_draw_plot, &p, e);
}
