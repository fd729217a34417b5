/* nowcast_report.c — the files that a nowcast has in addition to the files of an ensemble: probabilities of
 * yesterday and before any observation, changes, and scores of earlier forecasts. */
#include "nowcast.h"

#include "record/roundnum.h"
#include "random/quantile.h"
#include "record/json_number.h"
#include "record/legends.h"
#include "text/times.h"
#include "text/table.h"
#include "text/words.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct nowcast *nowcast_of(const struct product_at *at)
{
    return at->of;
}

/* ---- cells ------------------------------------------------------------------------------------- */

static double lava_probability(const struct product_at *at, size_t cell)
{
    const double p = nowcast_at_cell(nowcast_of(at), at->row->number, cell);
    return p > 0 ? p : (double)NAN;
}

/* The change of the probability from the weights of set row->number to the present weights. */
static double probability_change(const struct product_at *at, size_t cell)
{
    const struct nowcast *x = nowcast_of(at);
    const double now = nowcast_at_cell(x, NOWCAST_NOW, cell),
                 then = nowcast_at_cell(x, at->row->number, cell);
    return now > 0 || then > 0 ? now - then : (double)NAN;
}

static double soon(const struct product_at *at, size_t cell)
{
    const struct nowcast *x = nowcast_of(at);
    const struct ensemble *s = &x->ask.of.s;
    const double until_s = x->sights.now_s + nowcast_horizon_h[at->i] * 3600,
                 p = ensemble_probability(s, cell, EVENT_SOONER,
                                          sights_class(&s->arrival_s, until_s));
    return p > 0 ? p : (double)NAN;
}

static bool name_horizon(const void *of, int i, char *name, char *about)
{
    snprintf(name, PRODUCT_WORD, "%g", nowcast_horizon_h[i]);
    snprintf(about, PRODUCT_WORD, "%g", nowcast_horizon_h[i]);
    return true;
}

/* ---- the map ------------------------------------------------------------------------------------- */

static double change_class(const struct product_at *at, size_t cell)
{
    enum { SAME = LEGEND_CHANGE / 2 };
    const double points = 100 * probability_change(at, cell);
    int size = 0;
    if (isnan(points)) return NAN;
    while (SAME + size < LEGEND_CHANGE - 1 &&
           fabs(points) >= 100 * legend_change[SAME + size].upper)
        size++;
    return 1 + (points < 0 ? SAME - size : SAME + size);
}

static double forecast_class(const struct product_at *at, size_t cell)
{
    return report_class(lava_probability(at, cell));
}

static void place_forecast(const struct product_at *at, int place, char *text, size_t size)
{
    char said[PROBABILITY_TEXT];
    snprintf(text, size, "%s", nowcast_pack(said, nowcast_of(at), NOWCAST_NOW, place, INFINITY));
}

static bool map_forecast(const struct product_at *at, struct product_map *m)
{
    const struct nowcast *x = nowcast_of(at);
    char hours[32], number[32];
    words_pack(m->subtitle, sizeof m->subtitle,
               "Probability that lava arrives, by what was seen until %s h: %lld {simulated "
               "eruption|simulated eruptions}, effective number %s",
               times_hours_said(hours, x->sights.now_s), (long long)x->ask.of.s.done,
               roundnum_brief(number, x->set[NOWCAST_NOW].effective));
    report_map_classes(&m->map);
    return true;
}

static void place_change(const struct product_at *at, int place, char *text, size_t size)
{
    const struct nowcast *x = nowcast_of(at);
    const double now = nowcast_at_place(x, NOWCAST_NOW, place, INFINITY),
                 then = nowcast_at_place(x, at->row->number, place, INFINITY);
    char said[PROBABILITY_TEXT];
    const int used =
        snprintf(text, size, "%s", nowcast_pack(said, x, NOWCAST_NOW, place, INFINITY));
    if (!isnan(now - then))
        words_pack(text + used, size - (size_t)used, WORDS_PART ", " WORDS_PART "%+.3g points",
                   100 * (now - then));
}

static bool map_change(const struct product_at *at, struct product_map *m)
{
    const struct nowcast *x = nowcast_of(at);
    char hours[32], number[32];
    words_pack(m->subtitle, sizeof m->subtitle,
               at->row->number == NOWCAST_BEFORE
                   ? "Probability that lava arrives, at %s h minus before anything was seen: %lld "
                     "{simulated eruption|simulated eruptions}, effective number %s"
                   : "Probability that lava arrives, at %s h minus 24 h earlier: %lld {simulated "
                     "eruption|simulated eruptions}, effective number %s",
               times_hours_said(hours, x->sights.now_s), (long long)x->ask.of.s.done,
               roundnum_brief(number, x->set[NOWCAST_NOW].effective));
    map_set_classes(&m->map, legend_change, LEGEND_CHANGE);
    return true;
}

/* ---- places ---------------------------------------------------------------------------------------- */

static double error_of(const struct nowcast *x, int set, double p)
{
    return statistics_error_of(p, x->set[set].effective);
}

static double earliest_h(const struct nowcast *x, int place, double p)
{
    return nowcast_earliest_s(x, NOWCAST_NOW, place, p) / 3600;
}

static void put_places(struct table *t, const struct product_at *at)
{
    const struct nowcast *x = nowcast_of(at);
    const double error = error_of(x, NOWCAST_NOW, NOWCAST_EARLIEST);
    TABLE_ROWS (*t, row, (int64_t)x->places * NOWCAST_HORIZONS) {
        const int i = (int)row / NOWCAST_HORIZONS;
        const double within_h = nowcast_horizon_h[row % NOWCAST_HORIZONS],
                     until_s = x->sights.now_s + within_h * 3600,
                     before = nowcast_at_place(x, NOWCAST_BEFORE, i, until_s),
                     yesterday = nowcast_at_place(x, NOWCAST_YESTERDAY, i, until_s),
                     now = nowcast_at_place(x, NOWCAST_NOW, i, until_s);
        TABLE_TEXT(t, "place", x->ask.of.s.assets.asset[i].name);
        TABLE_REAL(t, "within", "h", 6, isinf(within_h) ? (double)NAN : within_h);
        TABLE_REAL(t, "before", "", 6, before);
        TABLE_REAL(t, "yesterday", "", 6, yesterday);
        TABLE_REAL(t, "now", "", 6, now);
        TABLE_REAL(t, "now_error", "", 6, error_of(x, NOWCAST_NOW, now));
        TABLE_REAL(t, "earliest", "h", 6, earliest_h(x, i, NOWCAST_EARLIEST));
        TABLE_REAL(t, "earliest_low", "h", 6, earliest_h(x, i, NOWCAST_EARLIEST - error));
        TABLE_REAL(t, "earliest_high", "h", 6, earliest_h(x, i, NOWCAST_EARLIEST + error));
        TABLE_REAL(t, "before_error", "", 6, error_of(x, NOWCAST_BEFORE, before));
        TABLE_REAL(t, "yesterday_error", "", 6, error_of(x, NOWCAST_YESTERDAY, yesterday));
        TABLE_REAL(t, "reached", "h", 6, nowcast_reached_s(x, NOWCAST_NOW, i) / 3600);
    }
}

/* ---- quantities -------------------------------------------------------------------------------------- */

static double value_of(const struct nowcast *x, int64_t member, int column, int columns)
{
    const struct ensemble *s = &x->ask.of.s;
    const struct member_result *r = &s->result[member];
    if (column < columns) return report_drawn(r, column);
    return column - columns == 2
               ? r->emitted_m3
               : report_result(s, r, column == columns ? REPORT_AREA_M2 : REPORT_RUNOUT_M);
}

static struct percentiles spread_of(const struct nowcast *x, int set, int column, int columns,
                                    struct weighted *room)
{
    int64_t count = 0;
    for (int64_t i = 0; i < x->ask.of.s.source->count; i++) {
        const double value = value_of(x, i, column, columns);
        if (x->set[set].weight[i] && !isnan(value))
            room[count++] = (struct weighted){value, (double)x->set[set].weight[i]};
    }
    return percentiles_of(room, count);
}

int nowcast_posterior(const struct nowcast *x, nowcast_quantity *each, void *to, struct error *e)
{
    static const char *const results[] = {"area_m2", "runout_m", "emitted_m3"};
    const struct ensemble *s = &x->ask.of.s;
    const char *name;
    int columns = 0;
    FREED struct weighted *room = malloc((size_t)s->source->count * sizeof *room);
    if (!room) return error_memory(e);
    while (report_column(s, columns, &name)) columns++;
    for (int k = 0; k < columns + 3; k++) {
        const struct percentiles p[] = {spread_of(x, NOWCAST_BEFORE, k, columns, room),
                                        spread_of(x, NOWCAST_NOW, k, columns, room)};
        char text[80];
        const int length = (int)report_column(s, k, &name);
        if (length) snprintf(text, sizeof text, "%.*s", length, name);
        if (p[0].members) each(to, length ? text : results[k - columns], p);
    }
    return 0;
}

static void put_quantity(void *to, const char *name, const struct percentiles p[2])
{
    static const char *const when[] = {"before", "now"};
    struct table *t = to;
    TABLE_TEXT(t, "quantity", name);
    for (int i = 0; i < 2; i++) {
        TABLE_REAL_OF(t, "*_p05", when[i], "", 6, p[i].p05);
        TABLE_REAL_OF(t, "*_p50", when[i], "", 6, p[i].p50);
        TABLE_REAL_OF(t, "*_p95", when[i], "", 6, p[i].p95);
    }
    table_end_row(t);
}

static int put_posterior(FILE *f, const struct product_at *at, struct error *e)
{
    struct table t = table_to(f);
    put_quantity(&t, NULL, NULL); /* the header */
    return nowcast_posterior(nowcast_of(at), put_quantity, &t, e);
}

static void put_weights(struct table *t, const struct product_at *at)
{
    const struct nowcast *x = nowcast_of(at);
    const struct sights *s = &x->sights;
    TABLE_ROWS (*t, i, x->ask.of.s.source->count) {
        TABLE_COUNT(t, "member", i);
        TABLE_COUNT(t, "before", x->set[NOWCAST_BEFORE].weight[i]);
        TABLE_COUNT(t, "yesterday", x->set[NOWCAST_YESTERDAY].weight[i]);
        TABLE_COUNT(t, "now", x->set[NOWCAST_NOW].weight[i]);
        for (int k = 0; k < s->count; k++) {
            const struct sight *of = &s->of[k];
            const struct sight_of_member *mine = &x->mine[i * s->count + k];
            TABLE_REAL_OF(t, "log_likelihood *", of->name, "", 9, (double)mine->gain / SIGHTS_UNIT);
            if (of->kind == SEEN_FRONT)
                TABLE_REAL_OF(t, "jaccard *", of->name, "", 6, sight_jaccard(of, mine));
        }
    }
}

/* ---- how forecasts did --------------------------------------------------------------------------------- */

static void put_score(struct table *t, const char *forecast, double front_h, double members,
                      const struct verification *v)
{
    TABLE_REAL(t, "front", "h", 9, front_h);
    TABLE_TEXT(t, "forecast", forecast);
    TABLE_REAL(t, "issued", "h", 9, front_h - 24);
    TABLE_COUNT(t, "cells", v->cells);
    TABLE_COUNT(t, "observed", v->observed);
    TABLE_REAL(t, "effective", "", 6, members);
    for (int k = 0; k < VERIFY_SCORES; k++) {
        TABLE_REAL(t, verify_score_names[k], "", 6, v->score[k].value);
        TABLE_REAL_OF(t, "*_error", verify_score_names[k], "", 3, v->score[k].error);
    }
    TABLE_REAL(t, "reliability", "", 6, v->reliability);
    table_end_row(t);
}

static int put_scores(FILE *f, const struct product_at *at, struct error *e)
{
    static const char *const names[FORECASTS] = {"nowcast", "before", "persistence"};
    const struct nowcast *x = nowcast_of(at);
    struct table t = table_to(f);
    int status = 0;
    put_score(&t, NULL, 0, 0, NULL); /* the header */
    for (int i = 0; i < x->fronts; i++)
        for (int which = 0; which < FORECASTS && !status; which++) {
            const struct sight *o = &x->sights.of[x->front[i].sight];
            struct nowcast_counted room;
            struct forecast forecast;
            struct verification v;
            if (!nowcast_forecast(&forecast, x, i, which, &room)) continue;
            if ((status = verify(&v, &forecast, e))) break;
            put_score(&t, names[which], o->time_s / 3600, forecast.members, &v);
        }
    return status;
}

/* ---- the summary ----------------------------------------------------------------------------------------- */

static void add_set(cJSON *o, const char *name, const struct nowcast_set *s)
{
    cJSON *of = cJSON_AddObjectToObject(o, name);
    json_add_numbers(of, {"until_h", isinf(s->until_s) ? (double)NAN : s->until_s / 3600},
                     {"effective", s->effective}, {"power", s->power},
                     {"effective_untempered", s->full});
}

static void add_nowcast(cJSON *o, const struct product_at *at)
{
    static const char *const names[NOWCAST_SETS] = {"before", "yesterday", "now"};
    const struct nowcast *x = nowcast_of(at);
    json_add_numbers(o, {"now_h", x->sights.now_s / 3600}, {"observations", x->sights.count},
                     {"rounds", x->ask.of.plan->draws ? x->ask.of.plan->draws->round : 0},
                     {"likeliest_member", nowcast_likeliest(x)},
                     {"worst_member", nowcast_worst(x)});
    cJSON_AddStringToObject(o, "warning", x->told.warning);
    for (int k = 0; k < NOWCAST_SETS; k++) add_set(o, names[k], &x->set[k]);
    cJSON *all = cJSON_AddArrayToObject(o, "seen");
    for (int i = 0; i < x->sights.count; i++) {
        const struct sight *s = &x->sights.of[i];
        cJSON *one = cJSON_CreateObject();
        double jaccard = NAN;
        cJSON_AddItemToArray(all, one);
        cJSON_AddStringToObject(one, "name", s->name);
        json_add_numbers(one, {"time_h", s->time_s / 3600});
        if (s->kind != SEEN_FRONT) continue;
        const int64_t member = nowcast_nearest(x, i, &jaccard);
        json_add_numbers(one, {"nearest_member", member}, {"nearest_jaccard", jaccard});
    }
}

#define COUNT(member) PRODUCT_COUNT(struct nowcast, member)
static const struct product rows[] = {
    {PRODUCT_LAYER, "probability_before", "",
     "probability that lava arrives, before any observation", .value = lava_probability,
     .number = NOWCAST_BEFORE, .further = true},
    {PRODUCT_LAYER, "probability_yesterday", "",
     "probability that lava arrives, by observations until 24 h before", .value = lava_probability,
     .number = NOWCAST_YESTERDAY, .further = true},
    {PRODUCT_LAYER, "change", "", "probability now minus probability 24 h before",
     .value = probability_change, .number = NOWCAST_YESTERDAY, .further = true},
    {PRODUCT_LAYER, "change_in_all", "", "probability now minus probability before any observation",
     .value = probability_change, .number = NOWCAST_BEFORE, .further = true},
    {PRODUCT_LAYER, "probability_in_*h", "",
     "probability that lava arrives within * h from now, or has arrived", COUNT(horizons),
     .word = name_horizon, .value = soon, .further = true},
    {PRODUCT_MAP, "map_forecast", .about = "probability that lava arrives", .value = forecast_class,
     .number = NOWCAST_NOW, .map = map_forecast, .place = place_forecast},
    {PRODUCT_MAP, "map_change", .about = "change of probability in 24 h", .value = change_class,
     .map = map_change, .place = place_change, .number = NOWCAST_YESTERDAY, .further = true},
    {PRODUCT_MAP, "map_change_in_all", .about = "change of probability by all that was seen",
     .value = change_class, .map = map_change, .place = place_change, .number = NOWCAST_BEFORE,
     .further = true},
    {PRODUCT_TABLE, "nowcast_places.csv", COUNT(places), .rows = put_places},
    {PRODUCT_TABLE, "posterior.csv", .put = put_posterior, .further = true},
    {PRODUCT_TABLE, "weights.csv", .rows = put_weights, .further = true},
    {PRODUCT_TABLE, "forecasts.csv", COUNT(fronts), .put = put_scores, .further = true},
    {PRODUCT_ENTRY, "nowcast", .entry = add_nowcast},
};
const struct product_table nowcast_files = {PRODUCT_TABLE_OF(rows), .next = &report_files};
