/* bulletin.c — one page for decision makers: what is likely at each place, since when, and how far
 * yesterday's forecast was right. As HTML, with all places and the maps of the folder, and as a picture or PDF. */
#include "nowcast.h"

#include "base/order.h"
#include "record/painters.h"
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

struct bulletin {
    const struct nowcast *x;
    const struct product_at *at;
    struct text_page page;
    enum text_page_where where; /* of the lines that follow */
    bool lost;                  /* there was no memory for a line of it */
    bool painted;
};
enum { CELLS = TEXT_PAGE_CELLS, TEXT = 400 };
/* On paper: at most. */
enum { PLACES = 10, DRAWN = 6, FRONTS = 3, SEEN = 6 };

/* A text, packed or without values, in the language of the bulletin. */
static const char *fill(const struct bulletin *b, const char *packed, char out[TEXT])
{
    return words_fill(out, TEXT, packed, b->x->language);
}

/* A new line, whose cells are empty; NULL: no memory. */
static struct text_page_line *add_line(struct bulletin *b, enum text_page_kind kind)
{
    struct text_page *p = &b->page;
    b->lost = b->lost || !GROW(p->line, p->count);
    if (b->lost) return NULL;
    p->line[p->count] = (struct text_page_line){.kind = kind, .where = b->where};
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
    set_cell(b, add_line(b, kind), 0, text);
}

/* A row of a table; a cell extends to the next one that is not empty. The first one of a row below the head is a
 * name. */
static void row(struct bulletin *b, enum text_page_kind kind, const char cell[CELLS][TEXT])
{
    char room[TEXT];
    struct text_page_line *line = add_line(b, kind);
    for (int i = 0; i < CELLS; i++)
        if (*cell[i])
            set_cell(b, line, i, i || kind == TEXT_PAGE_TABLE ? fill(b, cell[i], room) : cell[i]);
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

/* A row about place i. */
typedef void put_place(struct bulletin *b, int i);

static void put_soon(struct bulletin *b, int i)
{
    const struct nowcast *x = b->x;
    const struct asset *a = &x->ask.of.s.assets.asset[i];
    const bool reached = !isnan(nowcast_reached_s(x, NOWCAST_NOW, i));
    char cell[CELLS][TEXT], said[PROBABILITY_TEXT];
    snprintf(cell[0], TEXT, "%s", a->name);
    for (int h = 0; h < NOWCAST_HORIZONS; h++)
        snprintf(cell[1 + h], TEXT, "%s",
                 reached   ? "reached"
                 : a->bare ? "–"
                           : nowcast_pack(said, x, NOWCAST_NOW, i,
                                          x->sights.now_s + nowcast_horizon_h[h] * 3600));
    say_arrival(x, i, cell[5]);
    row(b, TEXT_PAGE_ROW, cell);
}

static void put_in_the_end(struct bulletin *b, int i)
{
    char cell[CELLS][TEXT] = {""}, said[PROBABILITY_TEXT];
    snprintf(cell[0], TEXT, "%s", b->x->ask.of.s.assets.asset[i].name);
    for (int set = 0; set < NOWCAST_SETS; set++)
        snprintf(cell[1 + set], TEXT, "%s", nowcast_pack(said, b->x, set, i, INFINITY));
    row(b, TEXT_PAGE_ROW, cell);
}

/* Of all places, but on paper of the most probable ones, where *chance has them. */
static void put_each(struct bulletin *b, put_place *put, const struct chance *chance)
{
    b->where = chance ? TEXT_PAGE_ON_SCREEN : TEXT_PAGE_EVERYWHERE;
    for (int i = 0; i < b->x->places; i++) put(b, i);
    b->where = TEXT_PAGE_ON_PAPER;
    for (int k = 0; chance && k < PLACES; k++) put(b, chance[k].place);
}

static void put_places(struct bulletin *b)
{
    static const char head[CELLS][TEXT] = {"Place",       "within 24 h",
                                           "within 48 h", "within 72 h",
                                           "in the end",  "arrival, 5 to 95 % of members"},
                      before[CELLS][TEXT] = {"Place", "before", "yesterday", "now"};
    const struct nowcast *x = b->x;
    FREED struct chance *chance = x->places > PLACES ? find_chances(x) : NULL;
    b->lost = b->lost || (x->places > PLACES && !chance);
    if (!x->places || b->lost) return;
    say(b, TEXT_PAGE_SECTION, "Probability that lava arrives, from now on");
    row(b, TEXT_PAGE_TABLE, head);
    put_each(b, put_soon, chance);
    if (chance)
        say(b, TEXT_PAGE_PLAIN, "The most probable of %d places; all: nowcast_places.csv",
            x->places);
    b->where = TEXT_PAGE_EVERYWHERE;
    say(b, TEXT_PAGE_SECTION, "Probability in the end: before any observation, yesterday, now");
    row(b, TEXT_PAGE_TABLE, before);
    put_each(b, put_in_the_end, chance);
    b->where = TEXT_PAGE_EVERYWHERE;
}

/* The maps of the folder. */
static void link_maps(struct bulletin *b)
{
    char cell[CELLS][TEXT] = {"", "probability that lava arrives", "",
                              "change of probability in 24 h"};
    strcpy(cell[0], "map_forecast.png");
    strcpy(cell[2], "map_change.png");
    b->where = TEXT_PAGE_ON_SCREEN;
    row(b, TEXT_PAGE_PICTURES, cell);
    b->where = TEXT_PAGE_EVERYWHERE;
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
    if (!of) return;
    q->b->where = !of->result && q->drawn++ >= DRAWN ? TEXT_PAGE_ON_SCREEN : TEXT_PAGE_EVERYWHERE;
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
    row(b, TEXT_PAGE_TABLE, head);
    const int status = nowcast_posterior(b->x, put_quantity, &q, e);
    b->where = TEXT_PAGE_EVERYWHERE;
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
        char area[32], runout[32];
        say(b, TEXT_PAGE_PLAIN,
            i ? "Largest of the eruptions with 95 %% of the weight: member %" PRId64
                " of the plan, %s km², run-out %s km"
              : "Likeliest: member %" PRId64 " of the plan, %s km², run-out %s km",
            member[i], roundnum_brief(area, area_km2), roundnum_brief(runout, runout_km));
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
    row(b, TEXT_PAGE_TABLE, head);
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
        b->where = i >= x->fronts - FRONTS ? TEXT_PAGE_EVERYWHERE : TEXT_PAGE_ON_SCREEN;
        row(b, TEXT_PAGE_ROW, cell);
    }
    b->where = TEXT_PAGE_EVERYWHERE;
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
        b->where = count++ < SEEN ? TEXT_PAGE_EVERYWHERE : TEXT_PAGE_ON_SCREEN;
        if (s->of[i].kind == SEEN_FRONT) nowcast_nearest(b->x, i, &jaccard);
        if (isnan(jaccard)) say(b, TEXT_PAGE_PLAIN, "%s", s->of[i].said);
        else
            say(b, TEXT_PAGE_PLAIN, "%s; the nearest eruption overlaps it by J = %.2f",
                s->of[i].said, jaccard);
    }
    b->where = TEXT_PAGE_ON_PAPER;
    if (count > SEEN)
        say(b, TEXT_PAGE_PLAIN, "%d more {observation|observations}: summary.json", count - SEEN);
    b->where = TEXT_PAGE_EVERYWHERE;
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
        "%" PRId64 " {simulated eruption|simulated eruptions}, weighted by the observations; "
        "effective number: %s "
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
    link_maps(b);
    say(b, TEXT_PAGE_LAST, "The same plan and observations give this digest: %016" PRIx64,
        x->ask.of.digest);
    return status;
}

/* bulletin.html, without the map, which stands beside it. */
static int write_html(const struct bulletin *b, struct error *e)
{
    const struct scene scene = scene_of_page(&b->page);
    const struct output_info *info = b->at->all->info;
    FREED char *path = product_path(b->at->all, "bulletin.html", e);
    struct record *r = NULL;
    int status = path ? record_describe(&r, NULL, b->at->name, &scene, e) : ERROR_FAILED;
    const struct painting all = {.record = r, .output = info->directory, .formats = OUTPUT_HTML};
    if (!status) status = painters_paint(&all, e);
    record_close(r);
    return output_done(info, path, status, e);
}

static int paint_page(struct bulletin *b, const struct map *map, struct error *e)
{
    struct text_page page = b->page;
    page.map = map;
    b->painted = true;
    const struct scene scene = scene_of_page(&page);
    const int status = painters_lack & SCIARA_HTML ? 0 : write_html(b, e);
    page.dpi = b->at->all->info->pictures.dpi;
    return status ? status : product_paint(b->at, &scene, e);
}

static int paint_with_map(const struct map *m, void *bulletin, struct error *e)
{
    struct bulletin *b = bulletin;
    struct map map = *m;
    map.title = map.subtitle = map.note = map.alert = map.stamp = NULL;
    map.language = b->x->language;
    return paint_page(b, &map, e);
}

int bulletin_paint(const struct product_at *at, struct error *e)
{
    struct bulletin b = {.x = at->of, .at = at};
    b.page.title = b.x->ask.of.s.source->base->title;
    b.page.language = b.x->language;
    int status = put_all(&b, e);
    if (!status && b.lost) status = error_memory(e);
    if (!status) status = product_with_map(at, "map_forecast.png", paint_with_map, &b, e);
    if (!status && !b.painted) status = paint_page(&b, NULL, e);
    free_page(&b.page);
    return status;
}
