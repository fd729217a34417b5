#include "bulletin.h"

#include "base/order.h"
#include "case/case_terrain.h"
#include "case/parameter_sets.h"
#include "record/painters.h"
#include "record/roundnum.h"
#include "ensemble_study.h"
#include "text/grow.h"
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
    const struct report *r;
    const struct ensemble *s;
    const struct product_at *at;
    const char *language, *start; /* language of maps; start of the case, "": none */
    int zone_s;                   /* seconds by which local clocks are ahead of UTC */
    struct text_page page;
    enum text_page_where where; /* part of the page for the next lines */
    bool lost;                  /* there was no memory for a line */
    bool painted;
    double seen[REPORT_RUNOUT_M + 1]; /* area (m2) and run-out (m) of lava that was seen; 0: none */
    int changed; /* number of places for which change_of() is known; 0: no column of changes */
};
enum { CELLS = BULLETIN_CELLS, TEXT = BULLETIN_TEXT, PARAGRAPH = 3 * TEXT };
_Static_assert((int)CELLS == (int)TEXT_PAGE_CELLS, "as the page has them");
/* A picture or a PDF has at most this number of places: those with the highest probabilities. */
enum { PLACES = 10 };
static const double VALID_S = 86400;
#define AREA   "covered area, km²: median (5 – 95 %)"
#define RUNOUT "distance from vent, km: median (5 – 95 %)"

const char *bulletin_fill(const struct bulletin *b, const char *packed, char out[TEXT])
{
    return words_fill(out, TEXT, packed, b->language);
}

/* Adds a line with empty cells; NULL: no memory. */
static struct text_page_line *add_line(struct bulletin *b, int kind)
{
    struct text_page *p = &b->page;
    b->lost = b->lost || !GROW(p->line, p->count);
    if (b->lost) return NULL;
    p->line[p->count] =
        (struct text_page_line){.kind = (enum text_page_kind)kind, .where = b->where};
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

void bulletin_say(struct bulletin *b, int kind, const char *format, ...)
{
    char packed[WORDS_TEXT], text[WORDS_TEXT];
    va_list list;
    va_start(list, format);
    words_pack_list(packed, sizeof packed, format, list);
    va_end(list);
    words_fill(text, sizeof text, packed, b->language);
    set_cell(b, add_line(b, kind), 0, text);
}

void bulletin_row(struct bulletin *b, int kind, const char cell[CELLS][TEXT])
{
    char room[TEXT];
    struct text_page_line *line = add_line(b, kind);
    for (int i = 0; i < CELLS; i++)
        if (*cell[i])
            set_cell(b, line, i,
                     i || kind == TEXT_PAGE_TABLE ? bulletin_fill(b, cell[i], room) : cell[i]);
}

void bulletin_where(struct bulletin *b, int where)
{
    b->where = (enum text_page_where)where;
}

/* Whether a question has chosen the members. */
static bool asks(const struct report *r)
{
    return r->question && !r->bulletin->now_s;
}

/* ---- times --------------------------------------------------------------------------------------- */

static const struct plan *plan_of(const struct bulletin *b)
{
    return ((const struct ensemble_study *)b->r->job->self)->plan;
}

/* Returns the value of a key in the plan; NULL: not given. */
static const char *value_of(const struct bulletin *b, const char *key)
{
    const struct keyvalues *lines = &plan_of(b)->settings.lines;
    for (int i = 0; i < lines->count; i++)
        if (!strcmp(lines->item[i].key, key)) return lines->item[i].value;
    return NULL;
}

static struct bulletin bulletin_of(const struct product_at *at)
{
    const struct report *r = at->of;
    struct bulletin b = {.r = r,
                         .s = r->s,
                         .at = at,
                         .language = at->all->info->pictures.language,
                         .start = r->s->source->base->start_time};
    const char *start = value_of(&b, "start_time");
    b.zone_s = start ? times_ahead_s(start) : 0;
    return b;
}

const char *bulletin_zone(const struct bulletin *b, char out[16])
{
    const int minutes = abs(b->zone_s) / 60;
    snprintf(out, 16,
             !*b->start  ? ""
             : b->zone_s ? "UTC%c%02d:%02d"
                         : "UTC",
             b->zone_s < 0 ? '-' : '+', minutes / 60 % 24, minutes % 60);
    return out;
}

char *bulletin_date(const struct bulletin *b, double time_s, char out[64])
{
    char date[TIMES_TEXT], hours[32];
    times_date(date, b->start, 60 * rint(time_s / 60) + b->zone_s, TIMES_SAID);
    if (!*date) return words_pack(out, 64, "%s h after the start", times_hours_said(hours, time_s));
    snprintf(out, 64, "%.*s", (int)strlen("2026-11-25 06:00"), date);
    return out;
}

char *bulletin_moment(const struct bulletin *b, double time_s, char out[64])
{
    char zone[16];
    bulletin_date(b, time_s, out);
    if (!*b->start || strchr(out, *WORDS_NEXT)) return out;
    const size_t length = strlen(out);
    snprintf(out + length, 64 - length, " %s", bulletin_zone(b, zone));
    return out;
}

/* Writes a date with its time zone and, if this is not UTC, also in UTC. */
static const char *say_moment(const struct bulletin *b, double time_s, char out[128])
{
    char local[64], utc[TIMES_TEXT];
    bulletin_moment(b, time_s, local);
    times_date(utc, b->start, 60 * rint(time_s / 60), TIMES_SAID);
    if (!*utc || !b->zone_s) snprintf(out, 128, "%s", local);
    else snprintf(out, 128, "%s (%s)", local, utc);
    return out;
}

static double now_of(const struct bulletin *b)
{
    const struct bulletin_more *more = b->r->bulletin;
    return more->now_s ? more->now_s(b->r->also_of) : 0;
}

/* The latest end of all members with a weight above 0. A time of a day or more is rounded down to whole hours. */
static double end_of(const struct bulletin *b)
{
    double end_s = 0;
    for (int64_t i = 0; i < b->s->source->count; i++)
        if (b->s->result[i].done && b->s->result[i].weight)
            end_s = fmax(end_s, b->s->result[i].end_s);
    return end_s < VALID_S ? end_s : 3600 * floor(end_s / 3600);
}

/* Whether there are too few members to estimate the probability of a place that none of them reaches. */
static bool few_count(const struct bulletin *b)
{
    return isnan(probability_worded(0, statistics_effective(&b->s->cells)));
}

/* ---- places -------------------------------------------------------------------------------------- */

/* Writes when lava may arrive at a place, as dates or as hours since the start. If the range began before now, only
 * its end is written. No range begins before the place was last seen dry. */
static void say_arrival(const struct bulletin *b, int place, char out[TEXT])
{
    const struct report_range range = report_arrival_range(b->s, place);
    char from[64], to[64], said[ARRIVAL_TEXT];
    const double low_s = range.low_h * 3600, high_s = range.high_h * 3600, now_s = now_of(b);
    snprintf(out, TEXT, "–");
    if (isnan(low_s) || isnan(high_s)) return;
    bulletin_date(b, low_s, from);
    bulletin_date(b, high_s, to);
    const bool dated = *b->start && !strchr(from, *WORDS_NEXT) && !strchr(to, *WORDS_NEXT);
    if (high_s <= now_s)
        snprintf(out, TEXT, "before now, if at all: not observed since" WORDS_NEXT);
    else if (dated && low_s < now_s) words_pack(out, TEXT, "until %s", to);
    else if (dated) words_pack(out, TEXT, "%s to %s", from, to);
    else snprintf(out, TEXT, "%s", arrival_range_pack(said, range.low_h, range.high_h, ""));
}

/* The change of the probability of a place in percentage points, a whole number; NaN: not known. */
static double change_of(const struct bulletin *b, int place)
{
    const double now = ensemble_at_place(b->s, place, EVENT_LAVA, 0);
    const bool told = b->r->bulletin->before && isnan(ensemble_reached_s(b->s, place)) &&
                      !isnan(probability_worded(now, statistics_effective(ensemble_places(b->s))));
    return told ? rint(100 * (now - b->r->bulletin->before(b->r->also_of, place))) : (double)NAN;
}

/* Writes the change at a place with an arrow, as a packed text (text/words.h). */
static void say_change(const struct bulletin *b, int place, char out[TEXT])
{
    const double points = change_of(b, place);
    snprintf(out, TEXT, "–");
    if (isnan(points)) return;
    if (points > 0) words_pack(out, TEXT, "▲ %.0f {point|points}", points);
    else if (points < 0) words_pack(out, TEXT, "▼ %.0f {point|points}", -points);
    else snprintf(out, TEXT, "no change" WORDS_NEXT);
}

static void put_place(struct bulletin *b, int i)
{
    const struct asset *a = &b->s->assets.asset[i];
    const double reached_s = ensemble_reached_s(b->s, i),
                 p = ensemble_at_place(b->s, i, EVENT_LAVA, 0);
    char cell[CELLS][TEXT] = {""}, said[PROBABILITY_TEXT], date[64];
    snprintf(cell[0], TEXT, "%s", a->name);
    if (!isnan(reached_s)) {
        snprintf(cell[1], TEXT, "reached" WORDS_NEXT);
        words_pack(cell[2], TEXT, "seen at %s", bulletin_moment(b, reached_s, date));
    } else if (a->bare) {
        snprintf(cell[1], TEXT, "%s", ASSETS_BARE WORDS_NEXT);
    } else if (ensemble_is_assumed(b->s, i)) {
        snprintf(cell[1], TEXT, "assumed" WORDS_NEXT);
        snprintf(cell[2], TEXT, "by the condition" WORDS_NEXT);
        if (b->changed) snprintf(cell[3], TEXT, "–");
        say_arrival(b, i, cell[4]);
    } else {
        const double members = statistics_effective(ensemble_places(b->s));
        snprintf(cell[1], TEXT, "%s" WORDS_NEXT, probability_word(p, members));
        snprintf(cell[2], TEXT, "%s", report_said(said, b->s, i));
        if (b->changed) say_change(b, i, cell[3]);
        say_arrival(b, i, cell[4]);
    }
    bulletin_row(b, TEXT_PAGE_ROW, cell);
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

/* Orders the places by the probability that lava arrives, then by name. Places without a probability come last. NULL: out of
 * memory. */
static struct chance *find_chances(const struct ensemble *s)
{
    struct chance *of = malloc((size_t)s->assets.count * sizeof *of);
    for (int i = 0; of && i < s->assets.count; i++) {
        const double p = ensemble_at_place(s, i, EVENT_LAVA, 0);
        of[i] = (struct chance){isnan(p) ? -1 : p, s->assets.asset[i].name, i};
    }
    if (of) qsort(of, (size_t)s->assets.count, sizeof *of, by_chance);
    return of;
}

static void put_head(struct bulletin *b)
{
    char cell[CELLS][TEXT] = {"Place", "in words", "probability that lava arrives"}, zone[16],
         date[64];
    const struct bulletin_more *more = b->r->bulletin;
    const double before_s = more->before_s ? more->before_s(b->r->also_of) : -INFINITY;
    char since[TEXT] = "change by what was seen" WORDS_NEXT;
    if (!isinf(before_s))
        words_pack(since, TEXT, "change since %s", bulletin_moment(b, before_s, date));
    if (b->changed) snprintf(cell[3], TEXT, "%s", since);
    if (*b->start)
        words_pack(cell[4], TEXT,
                   "arrival (%s) if lava comes, 90 %% of cases (–: fewer than 3 cases)",
                   bulletin_zone(b, zone));
    else snprintf(cell[4], TEXT, "arrival if lava comes, 90 %% of cases (–: fewer than 3 cases)");
    bulletin_row(b, TEXT_PAGE_TABLE, cell);
}

static void put_places(struct bulletin *b)
{
    const int places = b->s->assets.count;
    if (!places) return;
    FREED struct chance *chance = find_chances(b->s);
    b->lost = b->lost || !chance;
    if (b->lost) return;
    int unchanged = 0;
    for (int i = 0; i < places; i++) {
        const bool known = !isnan(change_of(b, i));
        b->changed += known;
        unchanged += !known && isnan(ensemble_reached_s(b->s, i)) && !b->s->assets.asset[i].bare;
    }
    put_head(b);
    b->where = TEXT_PAGE_ON_SCREEN;
    for (int i = 0; i < places; i++) put_place(b, i);
    b->where = TEXT_PAGE_ON_PAPER;
    for (int k = 0; k < places && k < PLACES; k++) put_place(b, chance[k].place);
    if (places > PLACES)
        bulletin_say(b, TEXT_PAGE_PLAIN, "The most probable of %d places; all: assets.csv", places);
    b->where = TEXT_PAGE_EVERYWHERE;
    if (b->changed && unchanged) bulletin_say(b, TEXT_PAGE_PLAIN, "Change –: not known.");
}

/* Adds a sentence in the language of the bulletin to a paragraph. */
static void add_sentence(const struct bulletin *b, char paragraph[PARAGRAPH], const char *packed)
{
    char room[TEXT];
    const size_t used = strlen(paragraph);
    snprintf(paragraph + used, PARAGRAPH - used, "%s%s", used ? " " : "",
             bulletin_fill(b, packed, room));
}

/* Explains the words "below" and "above". If the page has the sign ±, explains it. If a place is a line or an area,
 * explains its probability. */
static void put_marks(struct bulletin *b)
{
    bool errors = false, extended = false;
    char text[PARAGRAPH] = "";
    for (int i = 0; i < b->s->assets.count; i++)
        extended = extended || b->s->assets.asset[i].kind != ASSET_POINT;
    for (int i = 0; i < b->page.count; i++)
        for (int k = 0; k < CELLS; k++)
            errors = errors || (b->page.line[i].cell[k] && strstr(b->page.line[i].cell[k], "±"));
    if (errors)
        add_sentence(
            b, text,
            "±: the standard error, from the number of simulated eruptions alone." WORDS_NEXT);
    add_sentence(b, text, "Below, above: bounds with 95 % confidence." WORDS_NEXT);
    if (extended)
        add_sentence(
            b, text,
            "The probability of a line or an area is that lava reaches any part of it." WORDS_NEXT);
    set_cell(b, add_line(b, TEXT_PAGE_PLAIN), 0, text);
}

/* Writes "Probability that lava arrives by TIME". Lava may have arrived before without being seen, so the text does not
 * say "between now and TIME". */
static const char *until_text(const struct bulletin *b, char out[TEXT])
{
    char until[64], packed[TEXT];
    words_pack(packed, TEXT, "Probability that lava arrives by %s",
               bulletin_moment(b, end_of(b), until));
    return bulletin_fill(b, packed, out);
}

/* Adds the heading above the map and the places. */
static void put_until(struct bulletin *b)
{
    char cell[CELLS][TEXT] = {""};
    until_text(b, cell[0]);
    bulletin_row(b, TEXT_PAGE_SECTION, cell);
}

/* ---- more lava, or less, and from where ---------------------------------------------------------- */

/* A member with its lava and its vent, by which put_thirds() and put_vents() divide the members. */
struct emitter {
    double emitted_m3, weight, vent;
    int64_t number;
};

static int by_emitted(const void *a, const void *b)
{
    const struct emitter *x = a, *y = b;
    return order_by(ORDER(x->emitted_m3, y->emitted_m3), ORDER(x->number, y->number));
}

static int by_vent(const void *a, const void *b)
{
    const struct emitter *x = a, *y = b;
    return order_by(ORDER(x->vent, y->vent), ORDER(x->number, y->number));
}

/* A part of the members, for a line of the page. */
struct part {
    const struct emitter *first;
    int64_t count;
    double weight;
};

/* Whether a part has enough members for a range from 5 to 95 %. */
static bool part_tells(struct part of)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < of.count; i++) {
        sum += of.first[i].weight;
        squares += of.first[i].weight * of.first[i].weight;
    }
    return of.count && probability_tells_range(sum * sum / squares);
}

/* Writes the median of a result over the members of a part, and its range from 5 to 95 %; "–": no member has the result.
 * Returns the median, or NaN. */
static double put_spread(const struct bulletin *b, struct part of, enum report_result which,
                         double unit, struct weighted *room, char out[TEXT])
{
    char low[32], middle[32], high[32];
    int64_t found = 0;
    for (int64_t i = 0; i < of.count; i++) {
        const double value = report_result(b->s, &b->s->result[of.first[i].number], which) / unit;
        if (isnan(value)) continue;
        room[found++] = (struct weighted){fmax(value, b->seen[which] / unit), of.first[i].weight};
    }
    const struct percentiles p = percentiles_of(room, found);
    snprintf(out, TEXT, "–");
    if (!found) return NAN;
    words_pack(out, TEXT, "%s (%s – %s)", roundnum_brief(middle, p.p50), roundnum_brief(low, p.p05),
               roundnum_brief(high, p.p95));
    return p.p50;
}

/* Writes the line of a part: its name, which is a packed text (text/words.h), area and run-out. Returns the median
 * area. */
static double put_part(struct bulletin *b, const char *name, struct part of, struct weighted *room)
{
    char cell[CELLS][TEXT] = {""};
    bulletin_fill(b, name, cell[0]);
    const double area_km2 = put_spread(b, of, REPORT_AREA_M2, 1e6, room, cell[2]);
    put_spread(b, of, REPORT_RUNOUT_M, 1e3, room, cell[4]);
    bulletin_row(b, TEXT_PAGE_ROW, cell);
    return area_km2;
}

/* Extends a part at both ends by members that emit as much as the member at that end. Then sums its weights. */
static void extend_part(struct part *p, struct part all)
{
    const struct emitter *end = all.first + all.count;
    const double first_m3 = p->first->emitted_m3, last_m3 = p->first[p->count - 1].emitted_m3;
    for (; p->first > all.first && p->first[-1].emitted_m3 == first_m3; p->first--) p->count++;
    while (p->first + p->count < end && p->first[p->count].emitted_m3 == last_m3) p->count++;
    for (int64_t i = 0; i < p->count; i++) p->weight += p->first[i].weight;
}

/* Writes a line for the members with the most lava, and a line for those with the least. Each line has a third of the
 * weight. Members that emit the same amount are in the same part. False: the members cannot be divided in this way. */
static bool put_thirds(struct bulletin *b, struct part all, struct weighted *room)
{
    static const char head[CELLS][TEXT] = {"Lava emitted in the simulation", "", AREA, "", RUNOUT};
    const struct emitter *of = all.first;
    char most[TEXT], least[TEXT], number[32];
    double sum = 0;
    int64_t low = 0, high = all.count;
    for (int64_t i = 0; i < all.count; i++) {
        if (sum >= 2 * all.weight / 3 && high == all.count) high = i;
        sum += of[i].weight;
        if (sum <= all.weight / 3) low = i + 1;
    }
    struct part more = {.first = of + high, .count = all.count - high},
                less = {.first = of, .count = low};
    const bool few = !part_tells(more) || !part_tells(less);
    if (few || !(of[low - 1].emitted_m3 < of[high].emitted_m3)) {
        bulletin_say(
            b, TEXT_PAGE_PLAIN,
            few ? "What more or less lava would do is not known: too few simulated eruptions count."
                : "What more or less lava would do is not known: too many simulated eruptions emit "
                  "the same amount.");
        return false;
    }
    extend_part(&more, all);
    extend_part(&less, all);
    words_pack(most, sizeof most, "%s million m³ or more (%.0f %% of the simulated eruptions)",
               roundnum_brief(number, of[high].emitted_m3 * 1e-6), 100 * more.weight / all.weight);
    words_pack(least, sizeof least, "at most %s million m³ (%.0f %%)",
               roundnum_brief(number, of[low - 1].emitted_m3 * 1e-6),
               100 * less.weight / all.weight);
    bulletin_say(b, TEXT_PAGE_SECTION, "With more or less lava");
    bulletin_row(b, TEXT_PAGE_TABLE, head);
    const double more_km2 = put_part(b, most, more, room);
    const double less_km2 = put_part(b, least, less, room);
    put_part(b, "any amount" WORDS_NEXT, all, room);
    if (more_km2 <= less_km2 && less_km2 > b->seen[REPORT_AREA_M2] / 1e6)
        bulletin_say(b, TEXT_PAGE_PLAIN,
                     "In these simulated eruptions more lava does not cover a larger area.");
    return true;
}

static int by_weight(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return order_by(ORDER(y->weight, x->weight), ORDER(x->first->vent, y->first->vent));
}

/* Writes lines for the vents from which most members erupt. False: fewer than two vents have enough members. */
static bool put_vents(struct bulletin *b, struct emitter *of, struct part all, struct part *vent,
                      struct weighted *room)
{
    static const char head[CELLS][TEXT] = {"If lava comes from", "", AREA, "", RUNOUT};
    enum { VENTS = 3 };
    int vents = 0;
    qsort(of, (size_t)all.count, sizeof *of, by_vent);
    for (int64_t i = 0; i < all.count; i++) {
        if (!i || of[i].vent != of[i - 1].vent) vent[vents++] = (struct part){.first = of + i};
        vent[vents - 1].count++;
        vent[vents - 1].weight += of[i].weight;
    }
    int telling = 0;
    for (int k = 0; k < vents; k++)
        if (part_tells(vent[k])) vent[telling++] = vent[k];
    if ((vents = telling) < 2) return false;
    qsort(vent, (size_t)vents, sizeof *vent, by_weight);
    bulletin_say(b, TEXT_PAGE_SECTION, "By vent");
    bulletin_row(b, TEXT_PAGE_TABLE, head);
    for (int k = 0; k < vents && k < VENTS; k++) {
        char name[TEXT], number[32];
        words_pack(name, sizeof name, "vent %.0f (%s %% of the simulated eruptions)",
                   vent[k].first->vent, roundnum_brief(number, 100 * vent[k].weight / all.weight));
        put_part(b, name, vent[k], room);
    }
    return true;
}

/* Finds the area of the lava that was seen, and its greatest distance from the vent. */
static void measure_seen(struct bulletin *b)
{
    const struct report *r = b->r;
    const size_t rows = (size_t)b->s->source->base->problem.rows,
                 cols = (size_t)b->s->source->base->problem.cols;
    const double cell_m = b->s->source->base->geo.cell_m;
    for (size_t i = 0; b->s->seen && r->also_reached && i < rows * cols; i++) {
        if (!r->also_reached(r->also_of, i)) continue;
        b->seen[REPORT_AREA_M2] += cell_m * cell_m;
        b->seen[REPORT_RUNOUT_M] =
            fmax(b->seen[REPORT_RUNOUT_M],
                 report_vent_distance_m(b->s, (double)(i / cols), (double)(i % cols)));
    }
}

/* Adds a sentence with the area and the run-out of the lava that was seen: they are lower limits of the results. */
static void add_measured(const struct bulletin *b, char text[PARAGRAPH])
{
    char area[32], runout[32], packed[TEXT];
    roundnum_brief(area, b->seen[REPORT_AREA_M2] * 1e-6);
    roundnum_brief(runout, b->seen[REPORT_RUNOUT_M] * 1e-3);
    if (!(b->seen[REPORT_AREA_M2] > 0)) return;
    if (b->seen[REPORT_RUNOUT_M] > 0)
        words_pack(
            packed, TEXT,
            "Sizes are at least as large as the lava that was seen: %s km², %s km from the vent.",
            area, runout);
    else
        words_pack(packed, TEXT, "Sizes are at least as large as the lava that was seen: %s km².",
                   area);
    add_sentence(b, text, packed);
}

static void put_scenarios(struct bulletin *b)
{
    const struct ensemble *s = b->s;
    const size_t most = (size_t)s->source->count + 1;
    const char *name;
    size_t length;
    int column = 0;
    while ((length = report_column(s, column, &name)) && (length != 4 || strncmp(name, "vent", 4)))
        column++;
    FREED struct emitter *of = malloc(most * sizeof *of);
    FREED struct weighted *room = malloc(most * sizeof *room);
    FREED struct part *vent = malloc(most * sizeof *vent);
    struct part all = {.first = of};
    b->lost = b->lost || !of || !room || !vent;
    if (b->lost) return;
    for (int64_t i = 0; i < s->source->count; i++) {
        const struct member_result *r = &s->result[i];
        if (!r->done || !r->weight) continue;
        const double chosen = length ? report_drawn(r, column) : 0; /* 0: vents are not drawn */
        of[all.count++] = (struct emitter){r->emitted_m3, (double)r->weight, chosen, i};
        all.weight += (double)r->weight;
    }
    measure_seen(b);
    qsort(of, (size_t)all.count, sizeof *of, by_emitted);
    const bool thirds = put_thirds(b, all, room), vents = put_vents(b, of, all, vent, room);
    char text[PARAGRAPH] = "";
    if (thirds || vents) add_measured(b, text);
    if ((thirds || vents) && report_off_terrain(s) > 0)
        add_sentence(
            b, text,
            "Where lava leaves the terrain, areas and distances end at its edge: they may be "
            "larger." WORDS_NEXT);
    add_sentence(
        b, text,
        "Not simulated: a new vent elsewhere, new walls, and rates outside those that were "
        "drawn." WORDS_NEXT);
    set_cell(b, add_line(b, TEXT_PAGE_PLAIN), 0, text);
}

/* ---- the map ------------------------------------------------------------------------------------- */

/* The classes have the words of probability_word(). */
static const struct map_class classes[] = {
    {{250, 240, 170}, "up to 1 %: exceptionally unlikely", 0.01},
    {{247, 190, 80}, "1 to 10 %: very unlikely", 0.1},
    {{232, 124, 30}, "10 to 33 %: unlikely", 0.33},
    {{190, 56, 28}, "33 to 66 %: about as likely as not", 0.66},
    {{138, 18, 48}, "66 to 90 %: likely", 0.9},
    {{84, 10, 104}, "90 to 99 %: very likely", 0.99},
    {{26, 12, 74}, "above 99 %: virtually certain", 1},
};
enum { CLASSES = sizeof classes / sizeof *classes, MIDDLE = CLASSES / 2 };
/* With few members the outermost classes are not used. The first and the last class in use then have these labels and
 * include the probabilities of the classes beyond them. */
static const char *const lowest[CLASSES] = {
    [1] = "up to 10 %: very unlikely", [2] = "up to 33 %: unlikely"};
static const char *const highest[CLASSES] = {
    [4] = "above 66 %: likely", [5] = "above 90 %: very likely"};

/* The legend of the map, in this order: the classes from first to last, lava that was seen, "not known". */
struct scale {
    int first, last;
    bool seen, unknown; /* seen: lava was seen, and no class is "virtually certain" */
};

static int word_class(double worded)
{
    int k = 0;
    while (k < CLASSES - 1 && !(worded <= classes[k].upper)) k++;
    return k;
}

static struct scale find_scale(const struct ensemble *s)
{
    const double members = statistics_effective(&s->cells), least = probability_bound(0, members);
    const int first = word_class(least), last = word_class(1 - least);
    struct scale scale = {first < MIDDLE ? first : MIDDLE, last > MIDDLE ? last : MIDDLE,
                          .unknown = isnan(probability_worded(0, members))};
    scale.seen = s->seen && scale.last < CLASSES - 1;
    return scale;
}

double bulletin_class(const struct report *r, size_t cell, double p)
{
    const struct scale scale = find_scale(r->s);
    const double worded = probability_worded(p, statistics_effective(&r->s->cells));
    const int words = scale.last - scale.first + 1;
    if (r->s->seen && r->also_reached && r->also_reached(r->also_of, cell))
        return words + scale.seen;
    if (isnan(p) || probability_is_none(p)) return NAN;
    return isnan(worded) ? words + scale.seen + 1 : 1 + word_class(worded) - scale.first;
}

/* Sets the classes of the map and their labels. seen_s: when lava was last seen; -INFINITY: never. */
static void put_classes(const struct bulletin *b, struct product_map *m, struct scale scale,
                        double seen_s)
{
    char date[64];
    snprintf(m->label, sizeof m->label, "lava was seen" WORDS_NEXT);
    if (!isinf(seen_s))
        words_pack(m->label, sizeof m->label, "lava was seen, %s",
                   bulletin_moment(b, seen_s, date));
    const int words = scale.last - scale.first + 1;
    memcpy(m->classes, classes + scale.first, (size_t)words * sizeof *classes);
    if (lowest[scale.first]) m->classes[0].label = lowest[scale.first];
    if (highest[scale.last]) m->classes[words - 1].label = highest[scale.last];
    m->map.class_count = words;
    /* "lava was seen" and "not known" are not ranges of probability, so any upper end will do. */
    const double upper = classes[scale.last].upper;
    if (scale.seen)
        m->classes[m->map.class_count++] =
            (struct map_class){classes[CLASSES - 1].rgb, m->label, upper};
    if (scale.unknown)
        m->classes[m->map.class_count++] =
            (struct map_class){{185, 170, 200}, "not known: reached by some, but few count", upper};
    m->map.classes = m->classes;
}

/* Removes the first class from the legend if no cell is in this class. */
static void drop_word(struct product_map *m)
{
    const size_t cells = (size_t)m->map.rows * (size_t)m->map.cols;
    for (size_t i = 0; i < cells; i++)
        if (m->value[i] == 1) return;
    for (size_t i = 0; i < cells; i++) m->value[i]--;
    m->map.classes++;
    m->map.class_count--;
}

/* Writes the number of members, as a packed text (text/words.h), for readers who have only the map. */
static void say_members(const struct report *r, char *out, size_t size)
{
    const double effective = rint(statistics_effective(&r->s->cells));
    const long long done = r->s->done, all = r->asked_of;
    char question[REPORT_QUESTION];
    size_t used;
    if (done < all)
        words_pack(out, size, "%lld of %lld {simulated eruption|simulated eruptions}", done, all);
    else if (effective < (double)done)
        words_pack(out, size, "%lld {simulated eruption|simulated eruptions}, which count as %.0f",
                   done, effective);
    else words_pack(out, size, "%lld {simulated eruption|simulated eruptions}", done);
    if (!asks(r) || (used = strlen(out)) >= size) return;
    snprintf(out + used, size - used,
             WORDS_PART ", " WORDS_PART "only those with" WORDS_NEXT WORDS_PART " " WORDS_PART "%s",
             report_question(question, report_asked(r), 120));
}

void bulletin_place(const struct product_at *at, int place, char *text, size_t size)
{
    const struct ensemble *s = report_at(at)->s;
    char said[PROBABILITY_TEXT];
    const bool reached = !isnan(ensemble_reached_s(s, place));
    snprintf(text, size, "%s", reached ? "reached" WORDS_NEXT : report_said(said, s, place));
}

bool bulletin_map(const struct product_at *at, struct product_map *m)
{
    const struct report *r = report_at(at);
    const struct bulletin b = bulletin_of(at);
    const struct scale scale = find_scale(r->s);
    words_pack(m->subtitle, sizeof m->subtitle, "Probability that lava arrives");
    size_t used = strlen(m->subtitle);
    used +=
        (size_t)snprintf(m->subtitle + used, sizeof m->subtitle - used, WORDS_PART ": " WORDS_PART);
    say_members(r, m->subtitle + used, sizeof m->subtitle - used);
    m->map.kind = MAP_CLASSES;
    put_classes(&b, m, scale, r->bulletin->lava_s ? r->bulletin->lava_s(r->also_of) : -INFINITY);
    if (scale.unknown) drop_word(m);
    return true;
}

/* Writes the origin of the outline on the map; "": there is no outline. The outline is part of the case, and has a
 * date if an observation names the same file. */
static const char *outline_text(const struct bulletin *b, char out[TEXT])
{
    const struct seen_lines *seen = &plan_of(b)->keys.seen;
    const char *path = value_of(b, "outline");
    double time_s = NAN;
    char date[64];
    *out = '\0';
    if (!b->s->outline || !path) return out;
    for (int i = 0; i < seen->count; i++)
        if (seen->line[i].kind == SEEN_FRONT && !strcmp(seen->line[i].file, path))
            time_s = seen->line[i].time_s;
    if (isnan(time_s))
        words_pack(out, TEXT,
                   "The observed outline on the map (a line) has no date: the numbers do not use "
                   "it, and it does not show where lava is now.");
    else
        words_pack(out, TEXT, "The observed outline on the map is of %s.",
                   bulletin_moment(b, time_s, date));
    return out;
}

static void link_map(struct bulletin *b)
{
    char said[TEXT], word[TEXT], outline[TEXT] = " ", of[TEXT];
    char cell[CELLS][TEXT] = {"map_bulletin.png"}, what[TEXT], of_all[REPORT_MEMBERS];
    const double members = statistics_effective(&b->s->cells);
    char none[PROBABILITY_TEXT];
    words_pack(cell[1], TEXT, "%s; %s", until_text(b, what), report_members(b->r, of_all));
    b->where = TEXT_PAGE_ON_SCREEN;
    bulletin_row(b, TEXT_PAGE_PICTURES, cell);
    b->where = TEXT_PAGE_EVERYWHERE;
    bulletin_fill(b, probability_pack(none, 0, members), said);
    bulletin_fill(b, probability_word(0, members), word);
    words_fill(outline + 1, TEXT - 1, outline_text(b, of), b->language);
    bulletin_say(b, TEXT_PAGE_PLAIN, "No colour on the map: %s, %s.%s", said, word,
                 outline[1] ? outline : "");
}

/* ---- the page ------------------------------------------------------------------------------------ */

/* The text in place of the last observation, if members are not weighted by observations. */
static const char *unseen_text(const struct bulletin *b)
{
    return asks(b->r)                    ? "none; the condition is assumed"
           : plan_of(b)->keys.seen.count ? "none of those in the plan is used"
                                         : "none yet";
}

static void put_trust(struct bulletin *b)
{
    const char *name = value_of(b, "parameters"), *dem = value_of(b, "dem");
    const struct bulletin_more *more = b->r->bulletin;
    char source[TERRAIN_SOURCE], terrain[TEXT], seen[64];
    struct parameter_set set;
    const bool known = name && !parameter_set_find(&set, name, NULL);
    /* In the description of a parameter set, words after a colon or a comma are for experts. */
    if (known) set.eruption[strcspn(set.eruption, ":,")] = '\0';
    if (more->last_s) bulletin_moment(b, more->last_s(b->r->also_of), seen);
    else snprintf(seen, sizeof seen, "%s" WORDS_NEXT, unseen_text(b));
    const char *of = known ? set.eruption : "set by the user" WORDS_NEXT, *on = terrain;
    if (!*bulletin_fill(b, case_terrain_pack_source(source, b->s->source->base), terrain))
        on = dem ? path_name(dem) : "–";
    if (b->s->done < b->r->asked_of)
        bulletin_say(b, TEXT_PAGE_PLAIN,
                     "Based on %" PRId64 " of %" PRId64
                     " {simulated eruption|simulated eruptions}; lava parameters: %s; terrain: %s; "
                     "last observation: %s. Errors of the model are not included: the real "
                     "uncertainty is larger.",
                     b->s->done, b->r->asked_of, of, on, seen);
    else
        bulletin_say(b, TEXT_PAGE_PLAIN,
                     "Based on %" PRId64
                     " {simulated eruption|simulated eruptions}; lava parameters: %s; terrain: %s; "
                     "last observation: %s. Errors of the model are not included: the real "
                     "uncertainty is larger.",
                     b->s->done, of, on, seen);
}

/* Writes what all members of this forecast assume. */
static void put_assumed(struct bulletin *b)
{
    const double effective = rint(statistics_effective(&b->s->cells));
    char varied[TEXT], packed[REPORT_VARIED];
    if (effective < (double)b->s->done && !few_count(b))
        bulletin_say(b, TEXT_PAGE_PLAIN,
                     "As the simulated eruptions do not weigh the same, they count as %.0f.",
                     effective);
    if (*report_varied(packed, b->s, plan_of(b), true))
        bulletin_say(b, TEXT_PAGE_PLAIN, "The simulated eruptions differ in (5 to 95 %%): %s.",
                     words_fill(varied, TEXT, packed, b->language));
    if (value_of(b, "barriers"))
        bulletin_say(b, TEXT_PAGE_PLAIN,
                     "All simulated eruptions have the walls and channels that were given; what "
                     "lava does without them is not simulated.");
}

static void put_warnings(struct bulletin *b)
{
    const struct warnings told = study_told(b->r->job);
    char text[WARNING_TEXT];
    if (few_count(b))
        bulletin_say(b, TEXT_PAGE_ALERT,
                     "Warning: only %.0f {simulated eruption counts|simulated eruptions count}: "
                     "most probabilities are not known.",
                     rint(statistics_effective(&b->s->cells)));
    for (int i = 0; i < told.count; i++)
        if (told.of[i].kind == WARNING_RESULT)
            bulletin_say(b, TEXT_PAGE_ALERT, "Warning: %s",
                         warnings_sentence(&told, i, b->language, text));
}

/* Adds the title. If the page answers a question, the title states that this is not the forecast, and the next line
 * states the condition. */
static void put_title(struct bulletin *b)
{
    const char *title = b->s->source->base->title;
    char text[TEXT];
    if (!asks(b->r)) {
        bulletin_say(b, TEXT_PAGE_HEAD, "%s: lava forecast", title);
        return;
    }
    bulletin_say(b, TEXT_PAGE_HEAD, "%s: if a condition holds (not the forecast)", title);
    bulletin_say(b, TEXT_PAGE_PLAIN, "Only simulated eruptions of this condition: %s.",
                 bulletin_fill(b, report_asked(b->r), text));
}

static void put_all(struct bulletin *b)
{
    const struct bulletin_more *more = b->r->bulletin;
    const double now_s = now_of(b), end_s = end_of(b), day_s = now_s + VALID_S;
    const double until_s = end_s > now_s ? fmin(day_s, end_s) : day_s;
    char now[128], until[128];
    put_title(b);
    bulletin_say(b, TEXT_PAGE_PLAIN,
                 "As of %s. To be renewed by %s, or when something new is seen.",
                 say_moment(b, now_s, now), say_moment(b, until_s, until));
    put_trust(b);
    put_assumed(b);
    put_warnings(b);
    put_until(b);
    put_places(b);
    link_map(b);
    put_marks(b);
    put_scenarios(b);
    if (more->sections) more->sections(b, b->r->also_of);
    bulletin_say(b, TEXT_PAGE_LAST,
                 "Checksum (digest) of all members and weights; the same plan and observations "
                 "give it again: %016" PRIx64,
                 b->r->digest);
}

/* Writes bulletin.html without the map, which is a file next to it. */
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
    struct map map = *m;
    map.title = map.subtitle = map.note = map.alert = map.stamp = NULL;
    return paint_page(bulletin, &map, e);
}

int bulletin_paint(const struct product_at *at, struct error *e)
{
    struct bulletin b = bulletin_of(at);
    b.page.title = b.s->source->base->title;
    b.page.language = b.language;
    put_all(&b);
    int status = b.lost ? error_memory(e) : 0;
    if (!status) status = product_with_map(at, "map_bulletin.png", paint_with_map, &b, e);
    if (!status && !b.painted) status = paint_page(&b, NULL, e);
    free_page(&b.page);
    return status;
}
