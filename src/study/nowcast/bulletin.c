/* bulletin.c — one page for decision makers: what is likely at each place, since when, and how far
 * yesterday's forecast was right. As HTML, with the maps of the folder, and as a picture or PDF. */
#include "nowcast.h"

#include "base/order.h"
#include "record/roundnum.h"
#include "text/grow.h"
#include "text/number.h"
#include "text/quantities.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/times.h"
#include "text/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Either of the two pages: the words are the same. */
struct bulletin {
    const struct nowcast *x;
    const struct product_at *at;
    FILE *html;            /* NULL: `page` */
    struct text_page page; /* on paper */
    bool lost;             /* there was no memory for a line of it */
};
enum { CELLS = TEXT_PAGE_CELLS, TEXT = 400 };
/* On paper: at most. */
enum { PLACES = 10, DRAWN = 6, FRONTS = 3, SEEN = 6 };

static const char *const tags[] = {
    [TEXT_PAGE_HEAD] = "h1",  [TEXT_PAGE_SECTION] = "h2",
    [TEXT_PAGE_PLAIN] = "p",  [TEXT_PAGE_ALERT] = "p class=\"alert\"",
    [TEXT_PAGE_TABLE] = "th", [TEXT_PAGE_ROW] = "td",
    [TEXT_PAGE_LAST] = "p"};

/* A text, packed or without values, in the language of the bulletin. */
static const char *fill(const struct bulletin *b, const char *packed, char out[TEXT])
{
    return words_fill(out, TEXT, packed, b->x->language);
}

/* A new line on paper, whose cells are empty; NULL: no memory. */
static struct text_page_line *add_line(struct bulletin *b, enum text_page_kind kind)
{
    struct text_page *p = &b->page;
    b->lost = b->lost || !GROW(p->line, p->count);
    if (b->lost) return NULL;
    p->line[p->count] = (struct text_page_line){.kind = kind};
    return &p->line[p->count++];
}

static void set_cell(struct bulletin *b, struct text_page_line *line, int cell, const char *text)
{
    if (line && !(line->cell[cell] = text_format("%s", text))) b->lost = true;
}

static void free_page(struct text_page *p)
{
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < CELLS; k++) free(p->line[i].cell[k]);
    free(p->line);
}

/* A paragraph by its row of words.tsv. */
__attribute__((format(printf, 3, 4))) static void say(struct bulletin *b, enum text_page_kind kind,
                                                      const char *format, ...)
{
    char packed[WORDS_TEXT], text[WORDS_TEXT];
    va_list list;
    va_start(list, format);
    words_pack_list(packed, sizeof packed, format, list);
    va_end(list);
    words_fill(text, sizeof text, packed, b->x->language);
    if (!b->html) {
        set_cell(b, add_line(b, kind), 0, text);
        return;
    }
    fprintf(b->html, "<%s>", tags[kind]);
    scan_put_xml(b->html, text, "&");
    fprintf(b->html, "</%.*s>\n", (int)strcspn(tags[kind], " "), tags[kind]);
}

/* A row of a table; a cell extends to the next one that is not empty. The first one of a row below the head is a
 * name. */
static void row(struct bulletin *b, enum text_page_kind kind, const char cell[CELLS][TEXT])
{
    char room[TEXT];
    struct text_page_line *line = b->html ? NULL : add_line(b, kind);
    if (b->html) fputs("<tr>", b->html);
    for (int i = 0; i < CELLS; i++) {
        if (!*cell[i]) continue;
        const char *text = i || kind == TEXT_PAGE_TABLE ? fill(b, cell[i], room) : cell[i];
        if (!b->html) {
            set_cell(b, line, i, text);
            continue;
        }
        fprintf(b->html, "<%s>", tags[kind]);
        scan_put_xml(b->html, text, "&");
        fprintf(b->html, "</%s>", tags[kind]);
    }
    if (b->html) fputs("</tr>\n", b->html);
}

static void begin_table(struct bulletin *b, const char head[CELLS][TEXT])
{
    if (b->html) fputs("<table>\n", b->html);
    row(b, TEXT_PAGE_TABLE, head);
}

static void end_table(struct bulletin *b)
{
    if (b->html) fputs("</table>\n", b->html);
}

static const char *moment(const struct bulletin *b, double time_s, char text[64])
{
    char date[TIMES_TEXT], hours[32];
    const char *start = b->x->ask.of.plan->base.start_time;
    times_date(date, start, time_s, TIMES_SAID);
    number_text(time_s / 3600, hours);
    return *date ? words_pack(text, 64, "%s h, %s", hours, date)
                 : words_pack(text, 64, "%s h", hours);
}

/* ---- its parts ----------------------------------------------------------------------------------- */

/* When lava may be there, or was seen there: the hours have passed at many a place that lava never reached. */
static void say_arrival(const struct nowcast *x, int place, char out[TEXT])
{
    const double earliest_s = nowcast_earliest_s(x, NOWCAST_NOW, place, NOWCAST_EARLIEST),
                 seen_s = nowcast_reached_s(x, NOWCAST_NOW, place), now_h = x->sights.now_s / 3600;
    const struct report_range range = report_arrival_range(&x->ask.of.s, place);
    char said[ARRIVAL_TEXT];
    arrival_range_pack(said, range.low_h, range.high_h, "");
    if (!isnan(seen_s)) probability_reached_pack(out, seen_s / 3600);
    else if (x->ask.of.s.assets.asset[place].bare) snprintf(out, TEXT, "%s", ASSETS_BARE);
    else if (isnan(earliest_s)) snprintf(out, TEXT, "stays below 5 %%");
    else if (isnan(range.low_h) || range.low_h >= now_h) snprintf(out, TEXT, "%s", said);
    else if (range.high_h > now_h) words_pack(out, TEXT, "from before now (%s)", said);
    else words_pack(out, TEXT, "before now (%s)", said);
}

struct chance {
    double p;
    const char *name;
    int place;
};

static int by_chance(const void *a, const void *b)
{
    const struct chance *x = a, *y = b;
    return order_by(ORDER(y->p, x->p),
                    order_by(strcmp(x->name, y->name), ORDER(x->place, y->place)));
}

/* The places by the probability that lava arrives, then by name; NULL: no memory. Those without a number are the last. */
static struct chance *find_chances(const struct nowcast *x)
{
    struct chance *of = malloc((size_t)x->places * sizeof *of);
    for (int i = 0; of && i < x->places; i++) {
        const double p = nowcast_at_place(x, NOWCAST_NOW, i, INFINITY);
        of[i] = (struct chance){isnan(p) ? -1 : p, x->ask.of.s.assets.asset[i].name, i};
    }
    if (of) qsort(of, (size_t)x->places, sizeof *of, by_chance);
    return of;
}

static void put_places(struct bulletin *b)
{
    static const char head[CELLS][TEXT] = {"Place",       "within 24 h",
                                           "within 48 h", "within 72 h",
                                           "in the end",  "arrival, 5 to 95 % of members"},
                      before[CELLS][TEXT] = {"Place", "before", "yesterday", "now"};
    const struct nowcast *x = b->x;
    const int places = b->html || x->places < PLACES ? x->places : PLACES;
    char cell[CELLS][TEXT], said[PROBABILITY_TEXT];
    FREED struct chance *chance = x->places > places ? find_chances(x) : NULL;
    b->lost = b->lost || (x->places > places && !chance);
    if (!x->places || b->lost) return;
    say(b, TEXT_PAGE_SECTION, "Probability that lava arrives, from now on");
    begin_table(b, head);
    for (int k = 0; k < places; k++) {
        const int i = chance ? chance[k].place : k;
        snprintf(cell[0], TEXT, "%s", x->ask.of.s.assets.asset[i].name);
        const bool reached = !isnan(nowcast_reached_s(x, NOWCAST_NOW, i)),
                   bare = x->ask.of.s.assets.asset[i].bare;
        for (int h = 0; h < NOWCAST_HORIZONS; h++)
            snprintf(cell[1 + h], TEXT, "%s",
                     reached ? "reached"
                     : bare  ? "–"
                             : nowcast_pack(said, x, NOWCAST_NOW, i,
                                            x->sights.now_s + nowcast_horizon_h[h] * 3600));
        say_arrival(x, i, cell[5]);
        row(b, TEXT_PAGE_ROW, cell);
    }
    end_table(b);
    if (x->places > places)
        say(b, TEXT_PAGE_PLAIN, "The most probable of %d places; all: nowcast_places.csv",
            x->places);
    say(b, TEXT_PAGE_SECTION, "Probability in the end: before any observation, yesterday, now");
    begin_table(b, before);
    for (int k = 0; k < places; k++) {
        const int i = chance ? chance[k].place : k;
        memset(cell, 0, sizeof cell);
        snprintf(cell[0], TEXT, "%s", x->ask.of.s.assets.asset[i].name);
        for (int set = 0; set < NOWCAST_SETS; set++)
            snprintf(cell[1 + set], TEXT, "%s", nowcast_pack(said, x, set, i, INFINITY));
        row(b, TEXT_PAGE_ROW, cell);
    }
    end_table(b);
}

/* The maps of the folder. */
static void link_maps(struct bulletin *b)
{
    char text[TEXT], change[TEXT];
    fputs("<p><img src=\"map_forecast.png\" alt=\"", b->html);
    scan_put_xml(b->html, fill(b, "probability that lava arrives", text), "&");
    fputs("\"> <img src=\"map_change.png\" alt=\"", b->html);
    scan_put_xml(b->html, fill(b, "change of probability in 24 h", change), "&");
    fputs("\"></p>\n", b->html);
}

struct quantities {
    struct bulletin *b;
    int drawn;
};

/* Coordinates to the metre. */
static const char *value_text(const struct quantity *q, double value, char out[32])
{
    const double x = value * q->factor + q->more;
    if (strlen(q->name) > 1) return roundnum_brief(out, x);
    snprintf(out, 32, "%.0f", x);
    return out;
}

static void put_quantity(void *to, const char *name, const struct percentiles p[2])
{
    struct quantities *q = to;
    const struct quantity *of = quantity_of(name);
    char cell[CELLS][TEXT] = {""}, words[TEXT], unit[TEXT], low[32], middle[32], high[32];
    if (!of || (!q->b->html && !of->result && q->drawn++ >= DRAWN)) return;
    snprintf(cell[0], TEXT, *of->unit ? "%.200s, %.90s" : "%.200s", fill(q->b, of->words, words),
             fill(q->b, of->unit, unit));
    for (int i = 0; i < 2; i++)
        words_pack(cell[1 + 2 * i], TEXT, "%s (%s – %s)", value_text(of, p[i].p50, middle),
                   value_text(of, p[i].p05, low), value_text(of, p[i].p95, high));
    row(q->b, TEXT_PAGE_ROW, cell);
}

static int put_posterior(struct bulletin *b, struct error *e)
{
    static const char head[CELLS][TEXT] = {"Quantity", "before: median (5 to 95 %)", "",
                                           "now: median (5 to 95 %)"};
    struct quantities q = {b, 0};
    say(b, TEXT_PAGE_SECTION, "What is known of the eruption");
    begin_table(b, head);
    const int status = nowcast_posterior(b->x, put_quantity, &q, e);
    end_table(b);
    return status;
}

static void put_members(struct bulletin *b)
{
    const struct nowcast *x = b->x;
    const struct ensemble *s = &x->ask.of.s;
    const int64_t member[] = {nowcast_likeliest(x), nowcast_worst(x)};
    const double cell_km = s->source->base->geo.cell_m * 1e-3;
    say(b, TEXT_PAGE_SECTION, "Single eruptions");
    for (int i = 0; i < 2; i++) {
        const struct member_result *r = &s->result[member[i]];
        const double area_km2 = (double)r->cells * cell_km * cell_km,
                     runout_km = r->runout_m * 1e-3;
        say(b, TEXT_PAGE_PLAIN,
            i ? "Largest of the eruptions with 95 %% of the weight: member %" PRId64
                " of the plan, %.3g km², run-out %.3g km"
              : "Likeliest: member %" PRId64 " of the plan, %.3g km², run-out %.3g km",
            member[i], area_km2, runout_km);
    }
}

static void put_scores(struct bulletin *b)
{
    static const char head[CELLS][TEXT] = {"Front, forecast a day before", "forecast",
                                           "without observations", "", "no change"};
    static const int column[FORECASTS] = {1, 2, 4};
    const struct nowcast *x = b->x;
    double unreliable[FORECASTS] = {0}, cells[FORECASTS] = {0};
    char time[64];
    if (!x->fronts) return;
    say(b, TEXT_PAGE_SECTION,
        "How yesterday's forecast did: Brier score, log score (0 is perfect)");
    begin_table(b, head);
    for (int i = x->fronts - 1; i >= 0; i--) {
        char cell[CELLS][TEXT] = {""};
        fill(b, moment(b, x->sights.of[x->front[i].sight].time_s, time), cell[0]);
        for (int which = 0; which < FORECASTS; which++) {
            struct nowcast_counted room;
            struct forecast f;
            struct verification v;
            snprintf(cell[column[which]], TEXT, "–");
            if (!nowcast_forecast(&f, x, i, which, &room) || verify(&v, &f, NULL)) continue;
            const double brier = v.score[VERIFY_BRIER].value, log = v.score[VERIFY_LOG].value;
            unreliable[which] += v.reliability * (double)v.cells;
            cells[which] += (double)v.cells;
            if (isfinite(log)) words_pack(cell[column[which]], TEXT, "%.4f, %.4f", brier, log);
            else words_pack(cell[column[which]], TEXT, "%.4f, –", brier);
        }
        if (b->html || i >= x->fronts - FRONTS) row(b, TEXT_PAGE_ROW, cell);
    }
    end_table(b);
    if (cells[FORECAST_NOW] > 0)
        say(b, TEXT_PAGE_PLAIN,
            "Reliability of all days so far: %.4f; without observations: %.4f (0 is perfect).",
            unreliable[FORECAST_NOW] / cells[FORECAST_NOW],
            unreliable[FORECAST_BEFORE] / cells[FORECAST_BEFORE]);
}

static void put_seen(struct bulletin *b)
{
    const struct sights *s = &b->x->sights;
    int count = 0;
    say(b, TEXT_PAGE_SECTION, "What was seen");
    for (int i = s->count - 1; i >= 0; i--) { /* the last first */
        double jaccard = NAN;
        if (s->of[i].kind == SEEN_RATES) continue;
        if (!b->html && count++ >= SEEN) continue;
        if (s->of[i].kind == SEEN_FRONT) nowcast_nearest(b->x, i, &jaccard);
        if (isnan(jaccard)) say(b, TEXT_PAGE_PLAIN, "%s", s->of[i].said);
        else
            say(b, TEXT_PAGE_PLAIN, "%s; the nearest eruption overlaps it by J = %.2f",
                s->of[i].said, jaccard);
    }
    if (count > SEEN) say(b, TEXT_PAGE_PLAIN, "%d more observations: summary.json", count - SEEN);
}

static void put_warnings(struct bulletin *b)
{
    const struct warnings told = study_told(b->x->ask.job);
    char text[WARNING_TEXT];
    for (int i = 0; i < told.count; i++)
        if (told.of[i].kind == WARNING_RESULT)
            say(b, TEXT_PAGE_ALERT, "Warning: %s",
                warnings_sentence(&told, i, b->x->language, text));
}

static int put_all(struct bulletin *b, struct error *e)
{
    const struct nowcast *x = b->x;
    const struct ensemble *s = &x->ask.of.s;
    char time[64], number[NOWCAST_SETS][32];
    say(b, TEXT_PAGE_HEAD, "%s: forecast at %s", s->source->base->title,
        moment(b, x->sights.now_s, time));
    say(b, TEXT_PAGE_PLAIN,
        "%" PRId64 " simulated eruptions, weighted by the observations; effective number: %s "
        "(before: %s; yesterday: %s). A model is not a forecast of its own: see its scores "
        "below.",
        s->done, roundnum_brief(number[0], x->set[NOWCAST_NOW].effective),
        roundnum_brief(number[1], x->set[NOWCAST_BEFORE].effective),
        roundnum_brief(number[2], x->set[NOWCAST_YESTERDAY].effective));
    put_warnings(b);
    put_places(b);
    int status = put_posterior(b, e);
    put_members(b);
    put_scores(b);
    put_seen(b);
    if (b->html) link_maps(b);
    say(b, TEXT_PAGE_LAST, "The same plan and observations give this digest: %016" PRIx64,
        x->ask.of.digest);
    return status;
}

int bulletin_put(FILE *f, const struct product_at *at, struct error *e)
{
    struct bulletin b = {.x = at->of, .at = at, .html = f};
    char text[TEXT];
    fprintf(f,
            "<!doctype html>\n<html lang=\"%s\"><meta "
            "charset=\"utf-8\"><title>%s</title>\n<style>"
            "body{font:16px sans-serif;max-width:60em;margin:2em auto;padding:0 "
            "1em}table{border-collapse:"
            "collapse}td,th{border-bottom:1px solid #ccc;padding:.3em "
            ".8em;text-align:left}img{width:48%%}"
            ".alert{color:#b01414;font-weight:bold}</style>\n",
            b.x->language ? b.x->language : "en", fill(&b, "Forecast", text));
    return put_all(&b, e);
}

static int paint_page(const struct bulletin *b, struct error *e)
{
    struct text_page page = b->page;
    const struct scene scene = scene_of_page(&page);
    page.dpi = b->at->all->info->pictures.dpi;
    return product_paint(b->at, &scene, e);
}

static int paint_with_map(const struct map *m, void *bulletin, struct error *e)
{
    struct bulletin *b = bulletin;
    struct map map = *m;
    map.title = map.subtitle = map.note = map.alert = map.stamp = NULL;
    map.language = b->x->language;
    b->page.map = &map;
    return paint_page(b, e);
}

int bulletin_paint(const struct product_at *at, struct error *e)
{
    struct bulletin b = {.x = at->of, .at = at};
    b.page.title = b.x->ask.of.s.source->base->title;
    int status = put_all(&b, e);
    if (!status && b.lost) status = error_memory(e);
    if (!status) status = product_with_map(at, "map_forecast.png", paint_with_map, &b, e);
    if (!status && !b.page.map) status = paint_page(&b, e);
    free_page(&b.page);
    return status;
}
