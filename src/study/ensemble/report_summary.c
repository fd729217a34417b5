/* report_summary.c — compares an ensemble with the outline (scores, three tables and three diagrams), and makes
 * summary.json. In summary.json, integers that may exceed 2^53 are decimal strings. */
#include "report.h"

#include "record/probability.h"
#include "record/roundnum.h"
#include "products/summary.h"
#include "record/json_number.h"
#include "text/table.h"
#include "text/words.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SUBTITLE = 240 };

int report_verify(struct verification *v, const struct report *r, struct error *e)
{
    const struct forecast f = ensemble_forecast(r->s);
    return report_of_paths(r) ? null_model_verify(v, r->null, e) : verify(v, &f, e);
}

int report_verify_discrepancy(struct verification *v, const struct ensemble *s, struct error *e)
{
    const struct forecast f = ensemble_forecast(s);
    FREED_BY(vicinity_free) struct vicinity x = {0};
    int status = report_vicinity(&x, s, e);
    const struct forecast near = vicinity_forecast(&x, &f);
    return status ? status : verify(v, &near, e);
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
    FREED struct weighted *member = malloc((size_t)(all ? all : 1) * sizeof *member);
    int64_t members = 0;
    for (int64_t i = 0; member && i < all; i++) {
        const double value =
            s->result[i].done ? report_result(s, &s->result[i], which) : (double)NAN;
        if (isfinite(value))
            member[members++] = (struct weighted){value, (double)s->result[i].weight};
    }
    const struct percentiles of = percentiles_of(member, members);
    if (crps) *crps = members ? percentiles_crps(member, members, observed) : (double)NAN;
    return of;
}

double report_vent_distance_m(const struct ensemble *s, double row, double col)
{
    const struct ensemble_source *from = s->source;
    const uint32_t cols = (uint32_t)from->base->problem.cols;
    double least = INFINITY;
    for (int v = 0; v < from->vents && !from->chosen; v++)
        least = fmin(least, (row - from->vent[v] / cols) * (row - from->vent[v] / cols) +
                                (col - from->vent[v] % cols) * (col - from->vent[v] % cols));
    return isinf(least) ? (double)NAN : sqrt(least) * from->base->geo.cell_m;
}

static double observed_runout_m(const struct ensemble *s)
{
    const struct domain *d = &s->domain;
    double most_m = NAN;
    for (size_t i = 0; i < (size_t)d->box.rows * (size_t)d->box.cols; i++)
        if (d->cell[i] & DOMAIN_OBSERVED)
            most_m = fmax(most_m,
                          report_vent_distance_m(s, d->box.row0 + (double)(i / (size_t)d->box.cols),
                                                 d->box.col0 + (double)(i % (size_t)d->box.cols)));
    return most_m;
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

/* Adds the mean CRPS of all surveyed cells. A member without lava in a cell has a thickness of 0 there,
 * and no arrival. */
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

static void add_verification(cJSON *o, const struct product_at *at)
{
    const struct ensemble *s = report_at(at)->s;
    const struct report_observed *observed = &report_at(at)->observed;
    const double cell_m = s->domain.cell_m;
    struct verification v;
    if (report_verify(&v, report_at(at), NULL)) return;
    verify_add(o, &v, &s->domain);
    add_quantity(o, "area_m2", s, REPORT_AREA_M2, (double)s->outline_cells * cell_m * cell_m);
    add_quantity(o, "runout_m", s, REPORT_RUNOUT_M, observed_runout_m(s));
    if (observed->volume_m3 > 0)
        add_quantity(o, "volume_m3", s, REPORT_VOLUME_M3, observed->volume_m3);
    add_survey(o, "thickness_m", s, &s->thickness_m, observed->thickness_q, STATISTICS_MM);
    add_survey(o, "arrival_s", s, &s->arrival_s, observed->arrival_ms, 1000);
}

static void add_discrepancy(cJSON *o, const struct product_at *at)
{
    const struct ensemble *s = report_at(at)->s;
    struct verification v;
    cJSON_AddNumberToObject(o, "distance_m", s->source->discrepancy_m);
    if (s->outline && !report_verify_discrepancy(&v, s, NULL)) verify_add(o, &v, &s->domain);
}

void report_add_null(cJSON *o, const struct null_model *n)
{
    struct verification v;
    json_add_numbers(o, {"length_m", n->at.length_m}, {"half_width_m", n->at.half_width_m});
    cJSON_AddBoolToObject(o, "fitted", n->fitted);
    if (n->s.outline && !null_model_verify(&v, n, NULL)) verify_add(o, &v, &n->s.domain);
    if (n->carried) report_add_null(cJSON_AddObjectToObject(o, "carried"), n->carried);
}

void report_reliability(struct table *t, const struct product_at *at)
{
    const struct verification *v = &report_at(at)->v;
    TABLE_ROWS (*t, k, VERIFY_BINS) {
        const struct verify_bin *b = &v->bin[k];
        TABLE_REAL(t, "above", "", 6, k ? verify_percent[k - 1] / 100.0 : 0.0);
        TABLE_REAL(t, "up_to", "", 6, verify_percent[k] / 100.0);
        TABLE_COUNT(t, "cells", b->cells);
        TABLE_COUNT(t, "observed_cells", b->observed);
        TABLE_REAL(t, "mean_probability", "", 9, b->forecast);
        TABLE_REAL(t, "observed_share", "", 9, b->share);
        TABLE_REAL(t, "low", "", 9, b->low);
        TABLE_REAL(t, "high", "", 9, b->high);
    }
}

void report_roc(struct table *t, const struct product_at *at)
{
    const struct verification *v = &report_at(at)->v;
    TABLE_ROWS (*t, k, VERIFY_LEVELS) {
        TABLE_REAL(t, "probability_at_least", "", 6, (double)k / 100.0);
        TABLE_REAL(t, "hit_rate", "", 9, v->hit_rate[k]);
        TABLE_REAL(t, "false_alarm_rate", "", 9, v->false_alarm_rate[k]);
    }
}

void report_overlap(struct table *t, const struct product_at *at)
{
    const struct verification *v = &report_at(at)->v;
    TABLE_ROWS (*t, k, VERIFY_LEVELS) {
        TABLE_REAL(t, "probability_at_least", "", 6, (double)k / 100.0);
        TABLE_COUNT(t, "both_cells", v->both[k]);
        TABLE_COUNT(t, "either_cells", v->either[k]);
        TABLE_REAL(t, "jaccard", "", 9, verify_jaccard(v, (int)k));
    }
}

/* Writes "0.812 ± 0.021", packed. */
static const char *pack_estimate(char out[64], struct sciara_estimate of)
{
    return words_pack(out, 64, of.error > 0 ? "%.3f ± %.2g" : "%.3f", of.value, of.error);
}

static void describe_scores(char out[SUBTITLE], const struct verification *v, int64_t members)
{
    const struct sciara_estimate *s = v->score;
    char count[32], skill[64], log[64], area[64];
    words_pack(out, SUBTITLE,
               "%s {member|members}. Brier score %.4f, skill %s; log score %s; ROC area %s",
               roundnum_brief(count, (double)members), s[VERIFY_BRIER].value,
               pack_estimate(skill, s[VERIFY_SKILL]), pack_estimate(log, s[VERIFY_LOG]),
               pack_estimate(area, s[VERIFY_ROC]));
}

int report_draw_reliability(const struct product_at *at, struct error *e)
{
    const struct ensemble *s = report_at(at)->s;
    const struct verification *v = &report_at(at)->v;
    double x[VERIFY_BINS], y[VERIFY_BINS], low[VERIFY_BINS], high[VERIFY_BINS];
    char text[VERIFY_BINS][40], subtitle[SUBTITLE], note[600], cells[32], observed[32];
    const char *words[VERIFY_BINS];
    for (int k = 0; k < VERIFY_BINS; k++) {
        const struct verify_bin *b = &v->bin[k];
        x[k] = b->forecast, y[k] = b->share, low[k] = b->low, high[k] = b->high;
        words[k] =
            k ? words_pack(text[k], sizeof text[k], "%s", roundnum_brief(cells, (double)b->cells))
              : NULL; /* the first two labels would overlap */
    }
    describe_scores(subtitle, v, s->done);
    words_pack(
        note, sizeof note,
        "Cells: %s within %s, %s of them with observed lava. Labels: number of cells. Below the "
        "diagonal lava reached fewer cells than forecast. Intervals: 95 %%, by a bootstrap of %d "
        "blocks of %.4g m along the flow. Skill: against the observed share in every cell.",
        roundnum_brief(cells, (double)v->cells), s->domain.about,
        roundnum_brief(observed, (double)v->observed), v->blocks, v->block_m);
    const struct plot_series series = {.label = "observed share",
                                       .count = VERIFY_BINS,
                                       .x = x,
                                       .y = y,
                                       .point = words,
                                       .low = low,
                                       .high = high};
    struct plot p = {.subtitle = subtitle,
                     .note = note,
                     .x = {"forecast probability that lava arrives", 0, 1},
                     .y = {"share of the cells where it was observed", 0, 1},
                     .diagonal = "perfectly reliable"};
    return product_paint_plot(at, &p, &series, 1, e);
}

/* Draws the ROC curve from (0, 0), an empty region, to (1, 1), the whole domain. */
int report_draw_roc(const struct product_at *at, struct error *e)
{
    enum { POINTS = VERIFY_LEVELS + 2 };
    const struct ensemble *s = report_at(at)->s;
    const struct verification *v = &report_at(at)->v;
    double x[POINTS] = {0}, y[POINTS] = {0};
    char subtitle[SUBTITLE], note[400], observed[32], others[32];
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        x[POINTS - 2 - k] = v->false_alarm_rate[k];
        y[POINTS - 2 - k] = v->hit_rate[k];
    }
    x[POINTS - 1] = y[POINTS - 1] = 1;
    describe_scores(subtitle, v, s->done);
    words_pack(
        note, sizeof note,
        "Each point is the region with at least this probability: its share of the %s cells with "
        "observed lava and of the %s cells without lava, within %s.",
        roundnum_brief(observed, (double)v->observed),
        roundnum_brief(others, (double)(v->cells - v->observed)), s->domain.about);
    const struct plot_series series = {
        .label = "regions above each probability", .count = POINTS, .x = x, .y = y};
    struct plot p = {
        .subtitle = subtitle,
        .note = note,
        .x = {"false alarm rate", 0, 1},
        .y = {"hit rate", 0, 1},
        .diagonal = "no information",
    };
    return product_paint_plot(at, &p, &series, 1, e);
}

int report_draw_overlap(const struct product_at *at, struct error *e)
{
    const struct verification *v = &report_at(at)->v;
    double x[VERIFY_LEVELS], y[VERIFY_LEVELS];
    char subtitle[SUBTITLE];
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        x[k] = k;
        y[k] = verify_jaccard(v, k);
    }
    words_pack(subtitle, sizeof subtitle,
               v->best ? "Largest overlap J = %.3f: the region with a probability of at least %d %%"
                       : "Largest overlap J = %.3f: the region that any simulated eruption reaches",
               y[v->best], v->best);
    const struct plot_series series = {.label = "region above the probability, with the outline",
                                       .count = VERIFY_LEVELS,
                                       .x = x,
                                       .y = y};
    struct plot p = {
        .subtitle = subtitle,
        .x = {"probability that lava arrives, at least (%)", 0, 100},
        .y = {"overlap J = both / either", 0, 1},
    };
    return product_paint_plot(at, &p, &series, 1, e);
}

/* ---- summary.json ---------------------------------------------------------------------------- */

static void add_counted(cJSON *o, const struct product_at *at)
{
    const struct ensemble *s = report_at(at)->s;
    const struct statistics_request *w = &s->source->request;
    if (w->medians) cJSON_AddStringToObject(o, "thickness_of", "medians");
    json_add_values(o, "thickness_above_m", w->threshold_m, w->threshold_count, 1);
    json_add_values(o, "arrival_within_h", w->time_s, w->time_count, 3600);
    json_add_numbers(o, {"thickness_resolution_m", w->thickness_step_m},
                     {"arrival_resolution_h", w->arrival_step_s / 3600},
                     {"thickness_up_to_m", s->thickness_m.edge[s->thickness_m.edges - 1]},
                     {"arrival_up_to_h", s->arrival_s.edge[s->arrival_s.edges - 1] / 3600});
}

static void add_members(cJSON *o, const struct product_at *at)
{
    const struct report *r = report_at(at);
    const struct ensemble *s = r->s;
    json_add_numbers(o, {"planned", s->source->count}, {"done", s->done});
    cJSON_AddStringToObject(o, "end", r->end);
    if (r->question) {
        json_add_texts(o, {"question", WORDS_ENGLISH(r->question)});
        const char *said = report_asked(r);
        cJSON_AddItemToObject(o, "question_said",
                              json_words(strpbrk(said, WORDS_PART) ? r->question : said));
    }
    if (s->shard.count > 1) {
        char text[32];
        snprintf(text, sizeof text, "%d/%d", s->shard.index, s->shard.count);
        cJSON_AddStringToObject(o, "shard", text);
    }
    if (s->until_error > 0) cJSON_AddNumberToObject(o, "until_error", s->until_error);
    const struct fields *from = s->source->base->problem.from;
    if (from) cJSON_AddNumberToObject(o, "from_step", (double)from->step);
    char weight[32];
    snprintf(weight, sizeof weight, "%" PRIu64, s->cells.weight);
    cJSON_AddStringToObject(o, "weight", weight);
    cJSON_AddNumberToObject(o, "effective", statistics_effective(&s->cells));
    int64_t warned = 0, stopped = 0, left = 0, sea = 0;
    for (int64_t i = 0; i < s->source->count; i++) {
        warned += s->result[i].notice != NULL;
        stopped += s->result[i].stopped;
        left += member_off_terrain(&s->result[i]);
        sea += s->result[i].into_sea;
    }
    json_add_numbers(o, {"with_notice", warned}, {"at_rest", stopped}, {"off_terrain", left});
    if (s->source->base->sea) cJSON_AddNumberToObject(o, "into_sea", (double)sea);
}

/* With observations (s->seen), a cell may have a probability even if no member has lava there. So the loop visits all cells,
 * and cells with a probability of almost 0 do not count. */
struct report_area report_area_of(const struct ensemble *s)
{
    const struct statistics *x = &s->cells;
    const double cell_km = s->source->base->geo.cell_m * 1e-3;
    struct report_area a = {0};
    for (size_t i = s->seen ? 0 : statistics_next(x, 0); i < x->places;
         i = s->seen ? i + 1 : statistics_next(x, i + 1)) {
        const double p = ensemble_probability(s, i, EVENT_LAVA, 0);
        if (isnan(p) || (s->seen && probability_is_none(p))) continue;
        a.cells++;
        a.expected_km2 += p;
        a.most = fmax(a.most, p);
    }
    a.expected_km2 *= cell_km * cell_km;
    a.any_km2 = (double)a.cells * cell_km * cell_km;
    return a;
}

static void add_lava(cJSON *o, const struct product_at *at)
{
    const struct ensemble *s = report_at(at)->s;
    const struct statistics *x = &s->cells;
    const struct report_area a = report_area_of(s);
    json_add_numbers(o, {"cells", a.cells}, {"area_km2", a.any_km2},
                     {"expected_area_km2", a.expected_km2}, {"largest_probability", a.most},
                     {"largest_error", ensemble_largest_error(s)});
    /* Number of cells with a member whose thickness or arrival is above the last edge of the classes. */
    uint64_t thicker = 0, later = 0;
    STATISTICS_EACH (x, i, c) {
        thicker += c[x->thickness_classes - 1] > 0;
        later += c[x->thickness_classes + x->arrival_classes - 1] > 0;
    }
    json_add_numbers(o, {"cells_thicker_than_counted", thicker},
                     {"cells_later_than_counted", later});
}

static void add_null(cJSON *o, const struct product_at *at)
{
    report_add_null(o, report_at(at)->null);
}

static void add_persistence(cJSON *o, const struct product_at *at)
{
    report_add_null(o, report_at(at)->persistence);
}

static void add_timing(cJSON *root, const struct report *r)
{
    cJSON *o = cJSON_AddObjectToObject(root, "timing");
    json_add_numbers(o, {"load_s", r->job->load_s}, {"compute_s", r->job->compute_s},
                     {"total_s", r->job->total_s}, {"threads", r->threads},
                     {"devices", r->devices});
    if (r->ranks) cJSON_AddNumberToObject(o, "ranks", r->ranks);
    if (r->shares) {
        cJSON *members = cJSON_AddArrayToObject(o, "members_of_each");
        cJSON *idle = cJSON_AddArrayToObject(o, "idle_s_of_each");
        for (int i = 0; i < r->shares; i++) {
            cJSON_AddItemToArray(members, cJSON_CreateNumber((double)r->share[i].members));
            cJSON_AddItemToArray(idle, cJSON_CreateNumber(r->share[i].idle_s));
        }
    }
    if (!r->devices) return;
    json_add_numbers(o, {"cell_updates", r->counts->updates},
                     {"members_with_larger_shares", r->counts->larger},
                     {"members_by_the_reference", r->counts->reference});
}

void report_add_forecast(cJSON *root, const struct report *r)
{
    const struct product_at at = {.of = r};
    add_members(cJSON_AddObjectToObject(root, "members"), &at);
    if (r->s->outline) add_verification(cJSON_AddObjectToObject(root, "verification"), &at);
}

static const struct product entries[] = {
    {PRODUCT_ENTRY, "counted", PRODUCT_COUNT(struct report, lava), .entry = add_counted},
    {PRODUCT_ENTRY, "null", PRODUCT_COUNT(struct report, has_null), .entry = add_null},
    {PRODUCT_ENTRY, "persistence", PRODUCT_COUNT(struct report, has_persistence),
     .entry = add_persistence},
    {PRODUCT_ENTRY, "members", .entry = add_members},
    {PRODUCT_ENTRY, "lava", .entry = add_lava},
    {PRODUCT_ENTRY, "verification", PRODUCT_COUNT(struct report, has_outline),
     .entry = add_verification},
    {PRODUCT_ENTRY, "discrepancy", PRODUCT_COUNT(struct report, has_discrepancy),
     .entry = add_discrepancy},
};

char *report_summary_text(const struct report *r)
{
    static const struct product_table table = {PRODUCT_TABLE_OF(entries)};
    struct report of = *r;
    of.lava = !report_of_paths(r);
    of.has_null = r->null != NULL;
    of.has_persistence = r->persistence != NULL;
    of.has_outline = r->s->outline != NULL;
    of.has_discrepancy = report_has_discrepancy(r->s);
    const struct products p = {.info = &r->job->info,
                               .of = &of,
                               .table = &table,
                               .kind = report_of_paths(r) ? "null" : "ensemble"};
    cJSON *root = products_summary(&p);
    const struct ensemble_source *source = r->s->source;
    output_list_plan(root, source->base, source->known, source->assets, source->digest);
    const struct warnings told = study_told(r->job);
    output_list_warnings(root, &told);
    output_list_grid(root, source->base, r->job->info.folder);
    products_entries(root, &p);
    for (const struct product_table *t = r->also; t && t != &report_files; t = t->next)
        products_entries(root, &(struct products){.info = p.info, .of = r->also_of, .table = t});
    json_add_hex(root, "digest", r->digest);
    add_timing(root, r);
    return output_finish_summary(root, p.info);
}
