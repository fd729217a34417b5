/* bulletin.c — a page for who has to decide: what is likely at each place, since when, and how far
 * yesterday's forecast was right. As HTML, with the maps of the folder, and as a picture or PDF. */
#include "nowcast.h"

#include "draw/plot.h"
#include "draw/roundnum.h"
#include "export/export.h"
#include "map/map.h"
#include "page/page.h"
#include "text/number.h"
#include "text/times.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Either of the two pages: the words are the same. */
struct bulletin {
    const struct nowcast *x;
    const struct product_at *at;
    FILE *html;
    struct canvas *canvas; /* A4, in units of 1/200 inch */
    double y;
};
enum { WIDTH = 1654, HEIGHT = 2339, MARGIN = 90, CELLS = 6, TEXT = 400 };
/* On paper: at most; and the height of a row. What is left is the map. */
enum { PLACES = 10, DRAWN = 6, FRONTS = 3, SEEN = 6, ROW = 26 };

enum style { HEAD, SECTION, PLAIN, ALERT, STYLES };
static const struct {
    const char *tag;
    struct font font;
    double lead;
    int lines;
    struct rgb colour;
} styles[STYLES] = {
    {"h1", {28, FONT_BOLD, 0, 0}, 48, 2, {25, 25, 28}},
    {"h2", {18, FONT_BOLD, 0, 0}, 34, 1, {25, 25, 28}},
    {"p", {15, FONT_REGULAR, 0, 0}, ROW, 3, {25, 25, 28}},
    {"p class=\"alert\"", {15, FONT_BOLD, 0, 0}, ROW, 3, {176, 20, 20}},
};

/* A text in the language of the page (page_words()). */
static const char *words(const struct bulletin *b, const char *english, char out[TEXT])
{
    return page_words(out, TEXT, english, b->x->language);
}

/* A paragraph; the text is English, or made of parts that are translated. */
__attribute__((format(printf, 3, 4))) static void say(struct bulletin *b, enum style style,
                                                      const char *format, ...)
{
    char english[3 * TEXT], text[3 * TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(english, sizeof english, format, list);
    va_end(list);
    page_words(text, sizeof text, english, b->x->language);
    if (b->html) {
        fprintf(b->html, "<%s>", styles[style].tag);
        export_xml(b->html, text);
        fprintf(b->html, "</%.*s>\n", (int)strcspn(styles[style].tag, " "), styles[style].tag);
        return;
    }
    b->y += style == SECTION ? 20 : 0;
    b->y += styles[style].lead * font_paragraph(b->canvas, &styles[style].font, MARGIN,
                                                b->y + styles[style].font.size, WIDTH - 2 * MARGIN,
                                                styles[style].lead, styles[style].lines,
                                                styles[style].colour, text);
}

/* A row of a table; a cell extends to the next one that is not empty. The first one of a td is a name. */
static void row(struct bulletin *b, const char *tag, const char cell[CELLS][TEXT])
{
    static const double from[CELLS + 1] = {0, 400, 620, 840, 1060, 1270, WIDTH - 2 * MARGIN + 20};
    const struct font font = {14, tag[1] == 'h' ? FONT_BOLD : FONT_REGULAR, 0, 0};
    char room[TEXT];
    int most = 1; /* lines on paper */
    if (b->html) fputs("<tr>", b->html);
    for (int i = 0; i < CELLS; i++) {
        int next = i + 1;
        if (!*cell[i]) continue;
        const char *text = i || tag[1] == 'h' ? words(b, cell[i], room) : cell[i];
        while (next < CELLS && !*cell[next]) next++;
        if (b->html) {
            fprintf(b->html, "<%s>", tag);
            export_xml(b->html, text);
            fprintf(b->html, "</%s>", tag);
            continue;
        }
        const int lines =
            font_paragraph(b->canvas, &font, MARGIN + from[i], b->y + font.size,
                           from[next] - from[i] - 20, ROW, 2, styles[PLAIN].colour, text);
        if (lines > most) most = lines;
    }
    if (b->html) fputs("</tr>\n", b->html);
    b->y += most * ROW;
}

static void begin_table(struct bulletin *b, const char head[CELLS][TEXT])
{
    if (b->html) fputs("<table>\n", b->html);
    row(b, "th", head);
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
    snprintf(text, 64, "%s h%s%s", number_text(time_s / 3600, hours), *date ? ", " : "", date);
    return text;
}

/* ---- its parts ----------------------------------------------------------------------------------- */

/* When lava may be there, or was seen there: the hours have passed at many a place that lava never reached. */
static void say_arrival(const struct nowcast *x, int place, char out[TEXT])
{
    const double earliest_s = nowcast_earliest_s(x, NOWCAST_NOW, place, NOWCAST_EARLIEST),
                 seen_s = nowcast_reached_s(x, place), now_h = x->sights.now_s / 3600;
    const struct report_range range = report_arrival_range(&x->ask.of.s, place);
    char hours[32], said[ARRIVAL_TEXT];
    number_text(seen_s / 3600, hours);
    arrival_range_text(said, range.low_h, range.high_h, "");
    if (!isnan(seen_s)) snprintf(out, TEXT, "reached by %s h", hours);
    else if (isnan(earliest_s)) snprintf(out, TEXT, "stays below 5 %%");
    else if (range.low_h >= now_h) snprintf(out, TEXT, "%s", said);
    else snprintf(out, TEXT, "%sbefore now (%s)", range.high_h > now_h ? "from " : "", said);
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
    if (!x->places) return;
    say(b, SECTION, "Probability that lava arrives, from now on");
    begin_table(b, head);
    for (int i = 0; i < places; i++) {
        snprintf(cell[0], TEXT, "%s", x->ask.of.s.assets.asset[i].name);
        for (int k = 0; k < NOWCAST_HORIZONS; k++)
            snprintf(cell[1 + k], TEXT, "%s",
                     nowcast_said(said, x, NOWCAST_NOW, i,
                                  x->sights.now_s + nowcast_horizon_h[k] * 3600));
        say_arrival(x, i, cell[5]);
        row(b, "td", cell);
    }
    end_table(b);
    if (x->places > places) say(b, PLAIN, "%d more places: nowcast_places.csv", x->places - places);
    say(b, SECTION, "Probability in the end: before any observation, yesterday, now");
    begin_table(b, before);
    for (int i = 0; i < places; i++) {
        memset(cell, 0, sizeof cell);
        snprintf(cell[0], TEXT, "%s", x->ask.of.s.assets.asset[i].name);
        for (int set = 0; set < NOWCAST_SETS; set++)
            snprintf(cell[1 + set], TEXT, "%s", nowcast_said(said, x, set, i, INFINITY));
        row(b, "td", cell);
    }
    end_table(b);
}

/* From here down to the last line. */
static double map_high(const struct bulletin *b)
{
    return HEIGHT - MARGIN - ROW - b->y;
}

static void change_map(struct map *m, const void *of)
{
    const struct bulletin *b = of;
    m->title = m->subtitle = m->note = m->alert = m->stamp = NULL;
    m->words = page_words;
    m->language = b->x->language;
    m->paper = (struct map_paper){(WIDTH - 2 * MARGIN) / 200.0, map_high(b) / 200, CANVAS_DPI};
}

static int put_map(struct bulletin *b, struct error *e)
{
    cairo_surface_t *picture;
    char text[TEXT], change[TEXT];
    if (b->html) {
        fputs("<p><img src=\"map_forecast.png\" alt=\"", b->html);
        export_xml(b->html, words(b, "probability that lava arrives", text));
        fputs("\"> <img src=\"map_change.png\" alt=\"", b->html);
        export_xml(b->html, words(b, "change of probability in 24 h", change));
        fputs("\"></p>\n", b->html);
        return 0;
    }
    const int status = product_map_picture(&picture, b->at, "map_forecast.png", change_map, b, e);
    if (status || !picture) return status;
    canvas_picture(b->canvas, picture, MARGIN, b->y, 1);
    cairo_surface_destroy(picture);
    return 0;
}

struct quantities {
    struct bulletin *b;
    int drawn;
};

static void put_quantity(void *to, const char *name, const struct percentiles p[2])
{
    static const struct {
        const char *name, *words;
        double unit;
    } results[] = {{"area_m2", "covered area, km2", 1e-6},
                   {"runout_m", "run-out, km", 1e-3},
                   {"emitted_m3", "emitted lava, million m3", 1e-6}};
    struct quantities *q = to;
    char cell[CELLS][TEXT] = {""};
    double unit = 0;
    snprintf(cell[0], TEXT, "%s", name);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (strcmp(name, results[i].name)) continue;
        words(q->b, results[i].words, cell[0]);
        unit = results[i].unit;
    }
    if (unit == 0) {
        if (!strcmp(name, "terrain_seed") || (!q->b->html && q->drawn++ >= DRAWN)) return;
        unit = 1;
    }
    for (int i = 0; i < 2; i++)
        snprintf(cell[1 + 2 * i], TEXT, "%.3g (%.3g – %.3g)", p[i].p50 * unit, p[i].p05 * unit,
                 p[i].p95 * unit);
    row(q->b, "td", cell);
}

static int put_posterior(struct bulletin *b, struct error *e)
{
    static const char head[CELLS][TEXT] = {"Quantity", "before: median (5 to 95 %)", "",
                                           "now: median (5 to 95 %)"};
    struct quantities q = {b, 0};
    say(b, SECTION, "What is known of the eruption");
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
    static const char *const names[] = {"Likeliest", "Largest of the likely"};
    const double cell_km = s->source->base->geo.cell_m * 1e-3;
    say(b, SECTION, "Single eruptions");
    for (int i = 0; i < 2; i++)
        say(b, PLAIN, "%s: member %" PRId64 " of the plan, %.3g km2, run-out %.3g km", names[i],
            member[i], (double)s->result[member[i]].cells * cell_km * cell_km,
            s->result[member[i]].runout_m * 1e-3);
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
    say(b, SECTION, "How yesterday's forecast did: Brier score, log score (0 is perfect)");
    begin_table(b, head);
    for (int i = x->fronts - 1; i >= 0; i--) {
        char cell[CELLS][TEXT] = {""};
        snprintf(cell[0], TEXT, "%s", moment(b, x->sights.of[x->front[i].sight].time_s, time));
        for (int which = 0; which < FORECASTS; which++) {
            struct nowcast_counted room;
            struct forecast f;
            struct verification v;
            snprintf(cell[column[which]], TEXT, "–");
            if (!nowcast_forecast(&f, x, i, which, &room) || verify(&v, &f, NULL)) continue;
            const double brier = v.score[VERIFY_BRIER].value, log = v.score[VERIFY_LOG].value;
            unreliable[which] += v.reliability * (double)v.cells;
            cells[which] += (double)v.cells;
            if (isfinite(log)) snprintf(cell[column[which]], TEXT, "%.4f, %.4f", brier, log);
            else snprintf(cell[column[which]], TEXT, "%.4f, –", brier);
        }
        if (b->html || i >= x->fronts - FRONTS) row(b, "td", cell);
    }
    end_table(b);
    if (cells[FORECAST_NOW] > 0)
        say(b, PLAIN,
            "Reliability of all days so far: %.4f; without observations: %.4f (0 is perfect).",
            unreliable[FORECAST_NOW] / cells[FORECAST_NOW],
            unreliable[FORECAST_BEFORE] / cells[FORECAST_BEFORE]);
}

static void put_seen(struct bulletin *b)
{
    const struct sights *s = &b->x->sights;
    int count = 0;
    say(b, SECTION, "What was seen");
    for (int i = s->count - 1; i >= 0; i--) { /* the last first */
        double jaccard = NAN;
        if (s->of[i].kind == SEEN_RATES) continue;
        if (!b->html && count++ >= SEEN) continue;
        if (s->of[i].kind == SEEN_FRONT) nowcast_nearest(b->x, i, &jaccard);
        if (isnan(jaccard)) say(b, PLAIN, "%s", s->of[i].name);
        else
            say(b, PLAIN, "%s; the nearest eruption overlaps it by J = %.2f", s->of[i].name,
                jaccard);
    }
    if (count > SEEN) say(b, PLAIN, "%d more observations: summary.json", count - SEEN);
}

static void put_warnings(struct bulletin *b)
{
    const struct warnings told = study_told(b->x->ask.job);
    char english[WARNING_TEXT], text[TEXT], alert[TEXT];
    for (int i = 0; i < told.count; i++)
        if (told.of[i].kind == WARNING_RESULT)
            say(b, ALERT, "%s: %s", words(b, "Warning", alert),
                words(b, warnings_sentence(&told, i, english), text));
}

static int put_all(struct bulletin *b, struct error *e)
{
    const struct nowcast *x = b->x;
    const struct ensemble *s = &x->ask.of.s;
    char time[64], number[NOWCAST_SETS][32], text[TEXT];
    say(b, HEAD, "%s: %s %s", s->source->base->title, words(b, "forecast at", text),
        moment(b, x->sights.now_s, time));
    say(b, PLAIN,
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
    if (!status) status = put_map(b, e);
    if (b->canvas) b->y = HEIGHT - MARGIN - ROW;
    say(b, PLAIN, "%s %016" PRIx64,
        words(b, "The same plan and observations give this digest:", text), x->ask.of.digest);
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
            b.x->language ? b.x->language : "en", words(&b, "Forecast", text));
    return put_all(&b, e);
}

static int draw_page(const char *path, const void *of, struct error *e)
{
    struct canvas c;
    const struct product_at *at = of;
    struct bulletin b = {.x = at->of, .at = at, .canvas = &c, .y = MARGIN};
    int status = canvas_create(&c, path, CANVAS_DPI, 1, e);
    if (!status) status = canvas_page(&c, WIDTH, HEIGHT, e);
    if (!status) status = put_all(&b, e);
    if (!status) status = canvas_write(&c, path, b.x->ask.of.s.source->base->title, e);
    canvas_free(&c);
    return status;
}

int bulletin_draw(const struct product_at *at, struct error *e)
{
    return product_draw(at, draw_page, at, e);
}
