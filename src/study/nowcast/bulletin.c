/* bulletin.c — additions to the bulletin of a nowcast: changes within a day, scores of earlier forecasts, and the
 * observations. */
#include "nowcast.h"

#include "record/painters.h"
#include "text/times.h"
#include "text/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = BULLETIN_CELLS, TEXT = BULLETIN_TEXT };
/* The largest number of observations in the printed list. */
enum { SEEN = 6 };
static const double DAY_S = 86400;

static double now_s(const void *of)
{
    return ((const struct nowcast *)of)->sights.now_s;
}

static double last_s(const void *of)
{
    const struct sights *s = &((const struct nowcast *)of)->sights;
    return s->of[s->count - 1].time_s;
}

static double lava_s(const void *of)
{
    const struct sights *s = &((const struct nowcast *)of)->sights;
    double last_s = -INFINITY; /* observations are in the order of their times */
    for (int i = 0; i < s->count; i++)
        if (s->of[i].kind == SEEN_FRONT || s->of[i].kind == SEEN_ARRIVAL) last_s = s->of[i].time_s;
    return last_s;
}

static double before_s(const void *of)
{
    return ((const struct nowcast *)of)->set[NOWCAST_YESTERDAY].until_s;
}

static double probability_before(const void *of, int place)
{
    return nowcast_at_place(of, NOWCAST_YESTERDAY, place, INFINITY);
}

/* The Brier score of a forecast of the last front, also written to `out`. NaN: there is no such forecast. */
static double brier_of(const struct nowcast *x, int which, char out[32])
{
    struct nowcast_counted room;
    struct forecast f;
    struct verification v;
    snprintf(out, 32, "–");
    if (!nowcast_forecast(&f, x, x->fronts - 1, which, &room) || verify(&v, &f, NULL)) return NAN;
    snprintf(out, 32, "%.4f", v.score[VERIFY_BRIER].value);
    return v.score[VERIFY_BRIER].value;
}

bool nowcast_is_better(const struct nowcast *x, int than)
{
    struct nowcast_counted room[2];
    struct forecast a, b;
    struct verify_difference d;
    if (!nowcast_forecast(&a, x, x->fronts - 1, FORECAST_NOW, &room[0]) ||
        !nowcast_forecast(&b, x, x->fronts - 1, than, &room[1]) || verify_compare(&d, &a, &b, NULL))
        return false;
    return -d.difference[VERIFY_BRIER].value > d.difference[VERIFY_BRIER].error;
}

static const char *verdict(const struct nowcast *x, const double score[FORECASTS])
{
    const bool before = nowcast_is_better(x, FORECAST_BEFORE),
               still = nowcast_is_better(x, FORECAST_PERSISTENCE);
    if (isnan(score[FORECAST_NOW])) return "not known" WORDS_NEXT;
    if (isnan(score[FORECAST_PERSISTENCE]))
        return before ? "it was better" WORDS_NEXT : "it was not better" WORDS_NEXT;
    return before && still ? "it was better than these" WORDS_NEXT
           : before ? "it was better than without observations, not better than assuming that "
                      "nothing changes" WORDS_NEXT
           : still  ? "it was better than assuming that nothing changes, not better than without "
                      "observations" WORDS_NEXT
                    : "it was not better than either" WORDS_NEXT;
}

/* Writes the scores of the forecasts of the last front. If no observation is a day older than this front, all its
 * forecasts are equal, and nothing is written. */
static void put_scores(struct bulletin *b, const struct nowcast *x)
{
    char said[FORECASTS][32], date[64];
    double score[FORECASTS];
    if (!x->fronts || x->set[x->front[x->fronts - 1].set].until_s == -INFINITY) return;
    for (int which = 0; which < FORECASTS; which++) score[which] = brier_of(x, which, said[which]);
    const double front_s = x->sights.of[x->front[x->fronts - 1].sight].time_s;
    bulletin_say(b, TEXT_PAGE_SECTION,
                 x->sights.now_s - front_s < DAY_S ? "How yesterday's forecast did"
                                                   : "How an earlier forecast did");
    bulletin_moment(b, front_s, date);
    if (isnan(score[FORECAST_PERSISTENCE])) /* there was no earlier front */
        bulletin_say(b, TEXT_PAGE_PLAIN,
                     "The front of %s, forecast 24 h before: Brier score (mean squared error, 0 is "
                     "perfect) %s; without observations %s: %s.",
                     date, said[FORECAST_NOW], said[FORECAST_BEFORE], verdict(x, score));
    else
        bulletin_say(b, TEXT_PAGE_PLAIN,
                     "The front of %s, forecast 24 h before: Brier score (mean squared error, 0 is "
                     "perfect) %s; without observations %s, if nothing changed %s: %s.",
                     date, said[FORECAST_NOW], said[FORECAST_BEFORE], said[FORECAST_PERSISTENCE],
                     verdict(x, score));
}

/* Names an observation by its kind. An arrival is named by its place. */
static void name_sight(const struct sight *o, char out[TEXT])
{
    static const char *const names[SEEN_KINDS] = {
        [SEEN_FRONT] = "outline of the lava" WORDS_NEXT,
        [SEEN_DRY] = "no lava at observed places" WORDS_NEXT,
        [SEEN_SURVEY] = "thickness of the lava" WORDS_NEXT,
        [SEEN_HOT_SPOTS] = "hot spots seen by satellite" WORDS_NEXT,
        [SEEN_END] = "end of the eruption; lava may still flow" WORDS_NEXT,
        [SEEN_RATES] = "effusion rate, then and before" WORDS_NEXT,
    };
    char hours[32], place[SIGHT_NAME];
    times_hours_said(hours, o->time_s); /* the name ends with the hours */
    snprintf(place, sizeof place, "%.*s", (int)(strlen(o->name) - strlen(hours) - strlen("  h")),
             o->name);
    if (o->kind != SEEN_ARRIVAL)
        snprintf(out, TEXT, "%s",
                 o->line->part ? "outline of a part of the lava" WORDS_NEXT : names[o->kind]);
    else words_pack(out, TEXT, "lava: %s", place);
}

/* Lists the observations, beginning with the last observation. Lists only the last rate. */
static void put_seen(struct bulletin *b, const struct sights *s)
{
    char head[CELLS][TEXT] = {"When", "", "What was seen"}, zone[16];
    int count = 0;
    bool rates = false;
    bulletin_say(b, TEXT_PAGE_SECTION, "What was seen");
    if (*bulletin_zone(b, zone)) words_pack(head[0], TEXT, "When (%s)", zone);
    bulletin_row(b, TEXT_PAGE_TABLE, head);
    for (int i = s->count - 1; i >= 0; i--) {
        char cell[CELLS][TEXT] = {""}, date[64];
        if (s->of[i].kind == SEEN_RATES && rates) continue;
        rates = rates || s->of[i].kind == SEEN_RATES;
        bulletin_where(b, count++ < SEEN ? TEXT_PAGE_EVERYWHERE : TEXT_PAGE_ON_SCREEN);
        bulletin_date(b, s->of[i].time_s, date);
        bulletin_fill(b, date, cell[0]);
        name_sight(&s->of[i], cell[2]);
        bulletin_row(b, TEXT_PAGE_ROW, cell);
    }
    bulletin_where(b, TEXT_PAGE_ON_PAPER);
    if (count > SEEN)
        bulletin_say(b, TEXT_PAGE_PLAIN, "%d more {observation|observations}: summary.json",
                     count - SEEN);
    bulletin_where(b, TEXT_PAGE_EVERYWHERE);
}

static void put_sections(struct bulletin *b, const void *of)
{
    const struct nowcast *x = of;
    put_scores(b, x);
    put_seen(b, &x->sights);
}

const struct bulletin_more nowcast_bulletin = {
    now_s, last_s, lava_s, before_s, probability_before, put_sections};
