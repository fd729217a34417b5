/* bulletin.c — what the bulletin of a nowcast has in addition: what has changed in a day, how earlier forecasts did, and what was
 * seen. */
#include "nowcast.h"

#include "record/painters.h"
#include "text/words.h"

#include <math.h>
#include <stdio.h>

enum { CELLS = BULLETIN_CELLS, TEXT = BULLETIN_TEXT };
/* On paper: at most. */
enum { SEEN = 6 };

static double now_s(const void *of)
{
    return ((const struct nowcast *)of)->sights.now_s;
}

static double before_s(const void *of)
{
    return ((const struct nowcast *)of)->set[NOWCAST_YESTERDAY].until_s;
}

static double probability_before(const void *of, int place)
{
    return nowcast_at_place(of, NOWCAST_YESTERDAY, place, INFINITY);
}

/* The Brier score of a forecast of the last front; NaN: there is none. */
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

/* If nothing had been seen a day before the last front, nothing was forecast by it: the two scores would be one. */
static void put_scores(struct bulletin *b, const struct nowcast *x)
{
    char said[FORECASTS][32], date[64];
    double score[FORECASTS];
    if (!x->fronts || x->set[x->front[x->fronts - 1].set].until_s == -INFINITY) return;
    for (int which = 0; which < FORECASTS; which++) score[which] = brier_of(x, which, said[which]);
    const double now = score[FORECAST_NOW];
    const bool worse = now >= score[FORECAST_BEFORE] || now >= score[FORECAST_PERSISTENCE];
    bulletin_say(b, TEXT_PAGE_SECTION, "How yesterday's forecast did");
    bulletin_say(b, TEXT_PAGE_PLAIN,
                 "The front of %s, forecast 24 h before: Brier score %s; without observations %s, "
                 "if nothing changed %s (0 is perfect): %s.",
                 bulletin_date(b, x->sights.of[x->front[x->fronts - 1].sight].time_s, date),
                 said[FORECAST_NOW], said[FORECAST_BEFORE], said[FORECAST_PERSISTENCE],
                 isnan(now) ? "not known" WORDS_NEXT
                 : worse    ? "it was not better than these" WORDS_NEXT
                            : "it was better than these" WORDS_NEXT);
}

static void put_seen(struct bulletin *b, const struct sights *s)
{
    static const char head[CELLS][TEXT] = {"When", "", "What was seen"};
    int count = 0;
    bulletin_say(b, TEXT_PAGE_SECTION, "What was seen");
    bulletin_row(b, TEXT_PAGE_TABLE, head);
    for (int i = s->count - 1; i >= 0; i--) { /* the last first */
        char cell[CELLS][TEXT] = {""}, date[64];
        if (s->of[i].kind == SEEN_RATES) continue;
        bulletin_where(b, count++ < SEEN ? TEXT_PAGE_EVERYWHERE : TEXT_PAGE_ON_SCREEN);
        bulletin_date(b, s->of[i].time_s, date);
        bulletin_fill(b, date, cell[0]);
        if (s->of[i].kind == SEEN_ARRIVAL) words_pack(cell[2], TEXT, "lava: %s", s->of[i].said);
        else snprintf(cell[2], TEXT, "%s", s->of[i].said);
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

const struct bulletin_more nowcast_bulletin = {now_s, before_s, probability_before, put_sections};
