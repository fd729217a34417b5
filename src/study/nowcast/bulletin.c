#include "bulletin.h"

#include "draw/roundnum.h"
#include "draw/plot.h"
#include "export/export.h"
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
    FILE *html;
    struct canvas *canvas; /* A4, in units of 1/200 inch */
    double y;
};
enum { WIDTH = 1654, HEIGHT = 2339, MARGIN = 110, CELLS = 6, TEXT = 400, PLACES = 12 };

enum style { HEAD, SECTION, PLAIN, ALERT, STYLES };
static const struct {
    const char *tag;
    struct font font;
    double lead;
    int lines;
    struct rgb colour;
} styles[STYLES] = {
    {"h1", {30, FONT_BOLD, 0, 0}, 46, 2, {25, 25, 28}},
    {"h2", {21, FONT_BOLD, 0, 0}, 40, 1, {25, 25, 28}},
    {"p", {16, FONT_REGULAR, 0, 0}, 27, 4, {25, 25, 28}},
    {"p class=\"alert\"", {16, FONT_BOLD, 0, 0}, 27, 5, {176, 20, 20}},
};

__attribute__((format(printf, 3, 4))) static void say(struct bulletin *b, enum style style,
                                                      const char *format, ...)
{
    char text[3 * TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (b->html) {
        fprintf(b->html, "<%s>", styles[style].tag);
        export_html(b->html, text);
        fprintf(b->html, "</%.*s>\n", (int)strcspn(styles[style].tag, " "), styles[style].tag);
        return;
    }
    b->y += style == SECTION ? 26 : 0;
    b->y += styles[style].lead * font_paragraph(b->canvas, &styles[style].font, MARGIN,
                                                b->y + styles[style].font.size, WIDTH - 2 * MARGIN,
                                                styles[style].lead, styles[style].lines,
                                                styles[style].colour, text);
}

/* A row of a table; the first cell is wide. */
static void row(struct bulletin *b, const char *tag, char cell[CELLS][TEXT])
{
    static const double from[CELLS] = {0, 420, 640, 860, 1080, 1270};
    const struct font font = {14, tag[1] == 'h' ? FONT_BOLD : FONT_REGULAR, 0, 0};
    if (b->html) fputs("<tr>", b->html);
    for (int i = 0; i < CELLS; i++)
        if (b->html) {
            fprintf(b->html, "<%s>", tag);
            export_html(b->html, cell[i]);
            fprintf(b->html, "</%s>", tag);
        } else {
            font_paragraph(b->canvas, &font, MARGIN + from[i], b->y + font.size,
                           i ? 190 : from[1] - 20, 22, 1, styles[PLAIN].colour, cell[i]);
        }
    if (b->html) fputs("</tr>\n", b->html);
    b->y += 26;
}

static const char *moment(const struct bulletin *b, double time_s, char text[64])
{
    char date[TIMES_TEXT], hours[32];
    const char *start = b->x->ask.of.plan->base.start_time;
    times_date(date, start, time_s, TIMES_SAID);
    snprintf(text, 64, "%s h%s%s", number_text(time_s / 3600, hours), *date ? ", " : "", date);
    return text;
}

static void put_places(struct bulletin *b)
{
    const struct nowcast *x = b->x;
    char cell[CELLS][TEXT] = {"Place",       "within 24 h", "within 48 h",
                              "within 72 h", "in the end",  "earliest (5 %)"};
    if (!x->places) return;
    say(b, SECTION, "Probability that lava arrives, in %%: before, yesterday, now");
    if (b->html) fputs("<table>\n", b->html);
    row(b, "th", cell);
    for (int i = 0; i < x->places && (b->html || i < PLACES); i++) {
        const double earliest_s = nowcast_earliest_s(x, NOWCAST_NOW, i, NOWCAST_EARLIEST);
        char text[32];
        snprintf(cell[0], TEXT, "%s", x->ask.of.s.assets.asset[i].name);
        for (int k = 0; k < NOWCAST_HORIZONS; k++) {
            double of[NOWCAST_SETS];
            for (int set = 0; set < NOWCAST_SETS; set++)
                of[set] = 100 * nowcast_at_place(x, set, i,
                                                 x->sights.now_s + nowcast_horizon_h[k] * 3600);
            snprintf(cell[1 + k], TEXT, "%.0f  %.0f  %.0f", of[0], of[1], of[2]);
        }
        if (isnan(earliest_s)) snprintf(cell[5], TEXT, "no");
        else if (earliest_s <= x->sights.now_s) snprintf(cell[5], TEXT, "reached");
        else snprintf(cell[5], TEXT, "%s h", number_text(earliest_s / 3600, text));
        row(b, "td", cell);
    }
    if (b->html) fputs("</table>\n", b->html);
    else if (x->places > PLACES)
        say(b, PLAIN, "%d more places: nowcast_places.csv", x->places - PLACES);
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
    static const char *const names[FORECASTS] = {"forecast", "without observations", "no change"};
    const struct nowcast *x = b->x;
    char time[64];
    if (!x->fronts) return;
    say(b, SECTION, "How yesterday's forecast did");
    for (int i = x->fronts - 1; i >= 0 && i >= x->fronts - 3; i--) {
        const struct sight *o = &x->sights.of[x->front[i].sight];
        char text[TEXT];
        int used = snprintf(text, sizeof text, "Front at %s, forecast a day before; Brier score:",
                            moment(b, o->time_s, time));
        for (int which = 0; which < FORECASTS; which++) {
            struct nowcast_counted room;
            struct forecast f;
            struct verification v;
            if (!nowcast_forecast(&f, x, i, which, &room) || verify(&v, &f, NULL)) continue;
            used += snprintf(text + used, sizeof text - (size_t)used, "%s %s %.4f",
                             which ? "," : "", names[which], v.score[VERIFY_BRIER].value);
        }
        say(b, PLAIN, "%s. 0 is perfect.", text);
    }
}

static void put_all(struct bulletin *b)
{
    const struct nowcast *x = b->x;
    const struct ensemble *s = &x->ask.of.s;
    char time[64], number[NOWCAST_SETS][32];
    say(b, HEAD, "%s: forecast at %s", s->source->base->title, moment(b, x->sights.now_s, time));
    if (*s->source->base->warning) say(b, ALERT, "%s", s->source->base->warning);
    if (*x->warning) say(b, ALERT, "Warning: %s", x->warning);
    say(b, PLAIN,
        "%" PRId64
        " simulated eruptions, weighted by what was seen: an effective number of %s counts "
        "(before: %s; yesterday: %s). A model is not a forecast of its own: see its scores "
        "below.",
        s->done, roundnum_brief(number[0], x->set[NOWCAST_NOW].effective),
        roundnum_brief(number[1], x->set[NOWCAST_BEFORE].effective),
        roundnum_brief(number[2], x->set[NOWCAST_YESTERDAY].effective));
    put_places(b);
    if (b->html)
        fputs("<p><img src=\"map_forecast.png\" alt=\"probability that lava arrives\"> <img "
              "src=\"map_change.png\" alt=\"change in 24 h\"></p>\n",
              b->html);
    put_members(b);
    put_scores(b);
    say(b, SECTION, "What was seen");
    for (int i = 0, left = 20; i < x->sights.count && left; i++) {
        double jaccard = NAN;
        if (x->sights.of[i].kind == SEEN_RATES) continue;
        left--;
        if (x->sights.of[i].kind == SEEN_FRONT) nowcast_nearest(x, i, &jaccard);
        if (isnan(jaccard)) say(b, PLAIN, "%s", x->sights.of[i].name);
        else
            say(b, PLAIN, "%s; the nearest eruption overlaps it by J = %.2f", x->sights.of[i].name,
                jaccard);
    }
    say(b, PLAIN, "Digest %016" PRIx64 ": the same plan and observations give it again.",
        x->ask.of.digest);
}

int bulletin_put(FILE *f, const struct product_at *at, struct error *e)
{
    struct bulletin b = {.x = at->of, .html = f};
    fputs("<!doctype html>\n<html lang=\"en\"><meta "
          "charset=\"utf-8\"><title>Forecast</title>\n<style>"
          "body{font:16px sans-serif;max-width:60em;margin:2em auto;padding:0 "
          "1em}table{border-collapse:"
          "collapse}td,th{border-bottom:1px solid #ccc;padding:.3em "
          ".8em;text-align:left}img{width:48%}"
          ".alert{color:#b01414;font-weight:bold}</style>\n",
          f);
    put_all(&b);
    return 0;
}

static int draw_page(const char *path, const void *of, struct error *e)
{
    struct canvas c;
    struct bulletin b = {.x = of, .canvas = &c, .y = MARGIN};
    int status = canvas_create(&c, path, CANVAS_DPI, 1, e);
    if (!status) status = canvas_page(&c, WIDTH, HEIGHT, e);
    if (!status) {
        put_all(&b);
        status = canvas_write(&c, path, b.x->ask.of.s.source->base->title, e);
    }
    canvas_free(&c);
    return status;
}

int bulletin_draw(const struct product_at *at, struct error *e)
{
    return product_draw(at, draw_page, at->of, e);
}
