#include "report.h"
#include "ensemble_study.h"
#include "members/ensemble_state.h"
#include "members/library.h"

#include "record/legends.h"
#include "record/roundnum.h"
#include "export/export.h"
#include "text/number.h"
#include "text/table.h"
#include "text/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const int report_percents[REPORT_PERCENTS] = {5, 50, 95};

double report_arrival_h(const struct ensemble *s, int class)
{
    return class < 0 ? (double)NAN : axis_low(&s->arrival_s, class) / 3600;
}

static struct report_range range_from(const struct ensemble *s, const struct statistics *x,
                                      const uint64_t *c, int first)
{
    const uint64_t by = first && c ? statistics_within(x, c, first - 1) : 0;
    const double share = statistics_probability(x, statistics_reached(x, c) - by);
    if (!probability_tells_range(share * statistics_effective(x)))
        return (struct report_range){NAN, NAN};
    const int early = statistics_arrival_class_from(x, c, first, report_percents[0]),
              late =
                  statistics_arrival_class_from(x, c, first, report_percents[REPORT_PERCENTS - 1]);
    return (struct report_range){report_arrival_h(s, early),
                                 report_arrival_h(s, late) +
                                     s->source->request.arrival_step_s / 3600};
}

struct report_range report_range_of(const struct ensemble *s, const struct statistics *x,
                                    const uint64_t *c)
{
    return range_from(s, x, c, 0);
}

struct report_range report_arrival_range(const struct ensemble *s, int place)
{
    const struct statistics *x = ensemble_places(s);
    return probability_is_none(ensemble_at_place(s, place, EVENT_LAVA, 0))
               ? (struct report_range){NAN, NAN}
               : range_from(s, x, statistics_at(x, (size_t)place), ensemble_dry_classes(s, place));
}

char *report_said(char out[PROBABILITY_TEXT], const struct ensemble *s, int place)
{
    const double reached_s = ensemble_reached_s(s, place);
    if (isnan(reached_s) && s->assets.asset[place].bare) return strcpy(out, ASSETS_BARE WORDS_NEXT);
    if (ensemble_is_assumed(s, place)) return strcpy(out, "assumed by the condition" WORDS_NEXT);
    return isnan(reached_s) ? probability_pack(out, ensemble_at_place(s, place, EVENT_LAVA, 0),
                                               statistics_effective(ensemble_places(s)))
                            : probability_reached_pack(out, reached_s / 3600);
}

static double thickness_of(const struct ensemble *s, int class)
{
    return class < 0 ? (double)NAN : axis_high(&s->thickness_m, class);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The counters of a cell; NULL: lava did not reach it. */
static const uint64_t *reached(const struct product_at *at, size_t cell)
{
    const struct statistics *x = &report_at(at)->s->cells;
    const uint64_t *c = statistics_at(x, cell);
    return statistics_reached(x, c) ? c : NULL;
}

/* The probability of the event that a product shows. */
static double event_probability(const struct product_at *at, size_t cell)
{
    const struct ensemble *s = report_at(at)->s;
    const struct statistics_request *w = &s->source->request;
    const enum ensemble_event event = (enum ensemble_event)at->row->number;
    const int edge = event == EVENT_THICKER  ? axis_edge(&s->thickness_m, w->threshold_m[at->i])
                     : event == EVENT_SOONER ? axis_edge(&s->arrival_s, w->time_s[at->i])
                                             : 0;
    return ensemble_probability(s, cell, event, edge);
}

static double probability_error(const struct product_at *at, size_t cell)
{
    return statistics_error_of(event_probability(at, cell),
                               statistics_effective(&report_at(at)->s->cells));
}

static double discrepancy_probability(const struct product_at *at, size_t cell)
{
    const uint64_t count = vicinity_count(&report_at(at)->vicinity, cell);
    return count ? (double)count / (double)VICINITY_WEIGHT : (double)NAN;
}

/* The percentile that a product shows: one of report_percents, or row->number. */
static int percent_of(const struct product_at *at)
{
    return at->row->word ? report_percents[at->i] : at->row->number;
}

static double arrival(const struct product_at *at, size_t cell)
{
    const struct ensemble *s = report_at(at)->s;
    const int percent = percent_of(at);
    return report_arrival_h(
        s, s->seen ? s->seen->arrival(s->seen->of, cell, percent)
                   : statistics_arrival_class(&s->cells, reached(at, cell), percent));
}

static double percentile_thickness(const struct product_at *at, size_t cell)
{
    const struct ensemble *s = report_at(at)->s;
    return thickness_of(s,
                        statistics_thickness_class(&s->cells, reached(at, cell), percent_of(at)));
}

static double mean_thickness(const struct product_at *at, size_t cell)
{
    const uint64_t *c = reached(at, cell);
    return c ? statistics_mean_thickness_m(&report_at(at)->s->cells, c) : (double)NAN;
}

double report_class(double p)
{
    int k = 0;
    if (isnan(p)) return NAN;
    while (k < LEGEND_PROBABILITY - 1 && p > legend_probability[k].upper) k++;
    return k + 1;
}

void report_map_classes(struct map *m)
{
    map_set_classes(m, legend_probability, LEGEND_PROBABILITY);
}

static double probability_class(const struct product_at *at, size_t cell)
{
    return report_class(event_probability(at, cell));
}

static double bulletin_value(const struct product_at *at, size_t cell)
{
    return bulletin_class(report_at(at), cell, event_probability(at, cell));
}

/* ---- names of layers --------------------------------------------------------------- */

static bool name_threshold(const void *of, int i, char *name, char *about)
{
    const struct statistics_request *w = &((const struct report *)of)->s->source->request;
    number_text(w->threshold_m[i], name);
    number_text(w->threshold_m[i], about);
    return true;
}

static bool name_time(const void *of, int i, char *name, char *about)
{
    const struct statistics_request *w = &((const struct report *)of)->s->source->request;
    number_text(w->time_s[i] / 3600, name);
    number_text(w->time_s[i] / 3600, about);
    return true;
}

static bool name_percent(const void *of, int i, char *name, char *about)
{
    snprintf(name, PRODUCT_WORD, "%02d", report_percents[i]);
    snprintf(about, PRODUCT_WORD, "%d", report_percents[i]);
    return true;
}

static void put_members(struct table *t, const struct product_at *at)
{
    const struct ensemble *s = report_at(at)->s;
    const double cell_m = s->source->base->geo.cell_m;
    TABLE_ROWS (*t, i, s->source->count) {
        const struct member_result *r = &s->result[i];
        if (!t->head && !r->done) continue;
        TABLE_COUNT(t, "member", i);
        TABLE_COUNT(t, "weight", r->weight);
        table_cells(t, s->source->columns, r->drawn);
        TABLE_COUNT(t, "steps", r->step);
        TABLE_REAL(t, "end", "h", 9, r->end_s / 3600);
        TABLE_COUNT(t, "stopped", r->stopped);
        TABLE_REAL(t, "last_advance", "h", 9, r->advance_s / 3600);
        TABLE_REAL(t, "area", "m2", 9, (double)r->cells * cell_m * cell_m);
        TABLE_REAL(t, "runout", "m", 9, r->runout_m);
        TABLE_REAL(t, "max_thickness", "m", 9, r->max_thickness_m);
        TABLE_REAL(t, "emitted", "m3", 9, r->emitted_m3);
        TABLE_REAL(t, "volume_off_terrain", "m3", 9, r->left_m3);
        TABLE_REAL(t, "jaccard", "", 9, r->jaccard);
        TABLE_HEX(t, "digest", r->digest);
        TABLE_TEXT(t, "notice", r->notice);
        if (s->source->base->sea) TABLE_COUNT(t, "into_sea", r->into_sea);
    }
}

/* ---- places of interest ---------------------------------------------------------------------- */

/* Writes a probability and its error. The names of their columns get `word` in place of '*'. */
static void put_pair(struct table *t, const char *const name[2], const char *word, double p,
                     double effective)
{
    TABLE_REAL_OF(t, name[0], word, "", 9, p);
    TABLE_REAL_OF(t, name[1], word, "", 9, statistics_error_of(p, effective));
}

static void put_events(struct table *t, const struct ensemble *s, int place)
{
    static const char *const came[] = {"probability", "probability_error"},
                             *const above[] = {"probability_above_*m",
                                               "probability_above_*m_error"},
                             *const within[] = {"probability_within_*h",
                                                "probability_within_*h_error"};
    const struct statistics_request *w = &s->source->request;
    const double effective = statistics_effective(ensemble_places(s));
    char word[32];
    put_pair(t, came, NULL, ensemble_at_place(s, place, EVENT_LAVA, 0), effective);
    for (int i = 0; i < w->threshold_count; i++)
        put_pair(t, above, number_text(w->threshold_m[i], word),
                 ensemble_at_place(s, place, EVENT_THICKER,
                                   axis_edge(&s->thickness_m, w->threshold_m[i])),
                 effective);
    for (int i = 0; i < w->time_count; i++)
        put_pair(t, within, number_text(w->time_s[i] / 3600, word),
                 ensemble_at_place(s, place, EVENT_SOONER, axis_edge(&s->arrival_s, w->time_s[i])),
                 effective);
}

typedef double at_percent(const struct ensemble *s, int place, int percent);

static double arrival_at(const struct ensemble *s, int place, int percent)
{
    const struct statistics *x = ensemble_places(s);
    return report_arrival_h(s,
                            statistics_arrival_class_from(x, statistics_at(x, (size_t)place),
                                                          ensemble_dry_classes(s, place), percent));
}

static double thickness_at(const struct ensemble *s, int place, int percent)
{
    const struct statistics *x = ensemble_places(s);
    return thickness_of(s, statistics_thickness_class(x, statistics_at(x, (size_t)place), percent));
}

static double share_at(const struct ensemble *s, int place, int percent)
{
    const struct statistics *x = ensemble_places(s);
    const int share = statistics_share_class(x, statistics_at(x, (size_t)place), percent);
    return share < 0 ? (double)NAN : share / 100.0;
}

/* A percentile of the arrival. Percentiles other than the median are NaN if too few members arrive for a range. */
static double arrival_told(const struct ensemble *s, int place, int percent)
{
    const bool told = percent == 50 || !isnan(report_arrival_range(s, place).low_h);
    return told ? arrival_at(s, place, percent) : (double)NAN;
}

static void put_percents(struct table *t, const char *name, const char *unit, at_percent *of,
                         const struct ensemble *s, int place)
{
    for (int i = 0; i < REPORT_PERCENTS; i++) {
        char word[16];
        snprintf(word, sizeof word, "%02d", report_percents[i]);
        TABLE_REAL_OF(t, name, word, unit, 9, of(s, place, report_percents[i]));
    }
}

static void put_places(struct table *t, const struct product_at *at)
{
    const struct ensemble *s = report_at(at)->s;
    const struct statistics *x = ensemble_places(s);
    bool assumed = false;
    for (int i = 0; i < s->assets.count; i++) assumed = assumed || ensemble_is_assumed(s, i);
    TABLE_ROWS (*t, i, s->assets.count) {
        const uint64_t *c = statistics_at(x, (size_t)i);
        assets_put(t, &s->assets.asset[i]);
        put_events(t, s, (int)i);
        TABLE_REAL(t, "arrival_first", "h", 9, arrival_at(s, (int)i, 0));
        put_percents(t, "arrival_p*", "h", arrival_told, s, (int)i);
        TABLE_REAL(t, "thickness_mean", "m", 9, statistics_mean_thickness_m(x, c));
        put_percents(t, "thickness_p*", "m", thickness_at, s, (int)i);
        TABLE_REAL(t, "share_mean", "", 9, statistics_mean_share(x, c));
        put_percents(t, "share_p*", "", share_at, s, (int)i);
        if (s->seen) TABLE_REAL(t, "reached", "h", 9, ensemble_reached_s(s, (int)i) / 3600);
        if (assumed) TABLE_COUNT(t, "assumed", ensemble_is_assumed(s, (int)i));
    }
}

/* ---- maps ------------------------------------------------------------------------------------ */

enum { VENTS_SHOWN = 1000 };

/* Writes the words for a place that needs no number: lava was observed there, it has no terrain, or no member reaches it.
 * False: the place needs a number. */
static bool place_said(const struct ensemble *s, int place, char *text, size_t size)
{
    char said[PROBABILITY_TEXT];
    const bool needs = isnan(ensemble_reached_s(s, place)) && !s->assets.asset[place].bare &&
                       !probability_is_none(ensemble_at_place(s, place, EVENT_LAVA, 0));
    if (!needs) snprintf(text, size, "%s", report_said(said, s, place));
    return !needs;
}

static void place_probability(const struct product_at *at, int place, char *text, size_t size)
{
    char said[PROBABILITY_TEXT];
    snprintf(text, size, "%s", report_said(said, report_at(at)->s, place));
}

static void place_arrival(const struct product_at *at, int place, char *text, size_t size)
{
    const struct ensemble *s = report_at(at)->s;
    const struct report_range range = report_arrival_range(s, place);
    char said[ARRIVAL_TEXT];
    if (!place_said(s, place, text, size))
        snprintf(text, size, "%s", arrival_range_pack(said, range.low_h, range.high_h, ""));
}

static void place_thickness(const struct product_at *at, int place, char *text, size_t size)
{
    const struct ensemble *s = report_at(at)->s;
    const struct statistics *x = ensemble_places(s);
    const uint64_t *c = statistics_at(x, (size_t)place);
    if (!statistics_reached(x, c) && place_said(s, place, text, size)) return;
    words_pack(text, size, "%.6g m", thickness_of(s, statistics_thickness_class(x, c, 95)));
}

/* Runs may end before all lava is emitted. If more than the share LAVA_MISSING of all lava is
 * missing, there is a note; if more than LAVA_MUCH is missing, a warning. If no more than
 * LAVA_MISSING is missing, there is a warning if the lava of many members (more than the share
 * MANY) still advances in the last part (the share LAST_PART) of the run. */
static const double LAVA_MISSING = 0.01, LAVA_MUCH = 0.1, MANY = 0.5, LAST_PART = 0.05;

double report_off_terrain(const struct ensemble *s)
{
    uint64_t left = 0;
    for (int64_t i = 0; i < s->source->count; i++)
        if (s->result[i].done && member_off_terrain(&s->result[i])) left += s->result[i].weight;
    return left ? statistics_probability(&s->cells, left) : 0;
}

/* Weighted sums over members. cut: runs that end before their eruption does, so that lava is
 * missing; advancing: runs in which lava advances until the end. */
struct cut {
    double all, cut, advancing, all_m3, missing_m3, longest_s;
};

static void add_end(struct cut *c, const struct member_result *r, double end_s, double volume_m3)
{
    const double weight = (double)r->weight;
    c->all += weight;
    c->all_m3 += weight * volume_m3;
    if (r->stopped) return;
    if (r->advance_s > (1 - LAST_PART) * r->end_s) c->advancing += weight;
    if (!(r->end_s < end_s) || !(r->emitted_m3 < volume_m3)) return;
    c->cut += weight;
    c->missing_m3 += weight * (volume_m3 - r->emitted_m3);
    c->longest_s = fmax(c->longest_s, end_s);
}

void report_warn_of_cut(const struct ensemble *s, struct warnings *w)
{
    const struct ensemble_source *from = s->source;
    struct cut c = {0};
    char text[WARNING_TEXT], remedy[80], part[32], lava[32], share[PROBABILITY_TEXT];
    for (int64_t i = 0; from->eruption && i < from->count; i++) {
        const struct member_result *r = &s->result[i];
        double end_s, volume_m3;
        if (!r->done || !r->weight) continue;
        if (from->eruption(from->of, from->first + i, &end_s, &volume_m3, NULL)) return;
        add_end(&c, r, end_s, volume_m3);
    }
    if (c.missing_m3 > LAVA_MISSING * c.all_m3) {
        words_pack(text, sizeof text,
                   "simulations end before the eruption is over: %s; %s %% of all lava is missing, "
                   "which may come further and to more places",
                   probability_pack(share, c.cut / c.all, statistics_effective(&s->cells)),
                   roundnum_brief(lava, 100 * c.missing_m3 / c.all_m3));
        snprintf(remedy, sizeof remedy, "give a run_h of %.0f or more", ceil(c.longest_s / 3600));
        const bool much = c.missing_m3 > LAVA_MUCH * c.all_m3;
        warnings_add(w, much ? WARNING_RESULT : WARNING_NOTE, text, remedy);
    } else if (c.advancing > MANY * c.all) {
        words_pack(
            text, sizeof text,
            "in %s %% of the cases lava still advances when the simulation ends: it may come "
            "further and to more places",
            roundnum_brief(part, 100 * c.advancing / c.all));
        warnings_add(w, WARNING_RESULT, text, "give a longer run_h");
    }
}

void report_warn(const struct ensemble *s, struct warnings *w)
{
    const double left = report_off_terrain(s);
    char text[240], share[PROBABILITY_TEXT];
    assets_warn(&s->assets, s->source->assets, w);
    report_warn_of_cut(s, w);
    if (probability_is_none(left)) return; /* "none of 9" would contradict the sentence */
    words_pack(text, sizeof text,
               "lava leaves the terrain before the simulations end: %s" PRODUCTS_OUTSIDE,
               probability_pack(share, left, statistics_effective(&s->cells)));
    warnings_add(w, WARNING_RESULT, text, "use a larger DEM");
}

char *report_question(char out[REPORT_QUESTION], const char *question, size_t most)
{
    const char *english = WORDS_ENGLISH(question);
    const bool fits = strlen(english) <= most && strlen(question) < REPORT_QUESTION;
    const char *text = fits ? question : english;
    size_t length = fits ? strlen(text) : most;
    while (!fits && length > 0 && (text[length] & 0xC0) == 0x80)
        length--; /* cut between characters */
    snprintf(out, REPORT_QUESTION, "%.*s%s", (int)length, text, fits ? "" : "…");
    return out;
}

static void describe_map(const struct product_at *at, struct product_map *m)
{
    const struct report *r = report_at(at);
    const struct ensemble *s = r->s;
    m->map.mark_name = s->source->chosen ? "possible vent" : NULL;
    m->map.mark_small = s->source->vents > PRODUCT_VENTS_LARGE;
    if (!r->question) return;
    char question[REPORT_QUESTION];
    snprintf(m->alert, sizeof m->alert,
             "Of eruptions with" WORDS_NEXT WORDS_PART " " WORDS_PART "%s" WORDS_PART ".",
             report_question(question, report_asked(r), 70));
}

char *report_members(const struct report *r, char out[REPORT_MEMBERS])
{
    char done[32], effective[32];
    roundnum_brief(done, (double)r->s->done);
    roundnum_brief(effective, statistics_effective(&r->s->cells));
    const bool weighted = strcmp(done, effective) != 0;
    words_pack(out, REPORT_MEMBERS,
               !report_of_paths(r)
                   ? weighted ? "%s {simulated eruption|simulated eruptions} (effective number %s)"
                              : "%s {simulated eruption|simulated eruptions}"
               : weighted ? "%s widened paths of steepest descent (effective number %s)"
                          : "%s widened paths of steepest descent",
               done, effective);
    return out;
}

static bool map_probability(const struct product_at *at, struct product_map *m)
{
    const struct ensemble *s = report_at(at)->s;
    char error[PROBABILITY_TEXT], members[REPORT_MEMBERS];
    describe_map(at, m);
    words_pack(m->subtitle, sizeof m->subtitle, "Probability that lava arrives: %s",
               report_members(report_at(at), members));
    const size_t used = strlen(m->subtitle);
    snprintf(m->subtitle + used, sizeof m->subtitle - used, "%s",
             probability_most_pack(error, ensemble_largest_error(s)));
    report_map_classes(&m->map);
    return true;
}

static bool map_arrival(const struct product_at *at, struct product_map *m)
{
    char step[32];
    const struct ensemble *s = report_at(at)->s;
    const double step_h = s->source->request.arrival_step_s / 3600;
    describe_map(at, m);
    words_pack(
        m->subtitle, sizeof m->subtitle,
        s->assets.count
            ? "Arrival since the start, median of the eruptions that reach the cell, rounded down "
              "to %s\u00a0h; 5 to 95 %% of them: at places, if three or more, and in the layers "
              "arrival_p05_h and arrival_p95_h"
            : "Arrival since the start, median of the eruptions that reach the cell, rounded down "
              "to %s\u00a0h; 5 to 95 %% of them: in the layers arrival_p05_h and arrival_p95_h",
        roundnum_text(step, step_h, step_h));
    m->map.colours = COLOURS_TIME;
    return true;
}

static bool map_thickness(const struct product_at *at, struct product_map *m)
{
    char step[32];
    const double step_m = report_at(at)->s->source->request.thickness_step_m;
    describe_map(at, m);
    words_pack(m->subtitle, sizeof m->subtitle,
               "Greatest thickness, 95th percentile of the simulated eruptions that reach the "
               "cell; rounded up to %s\u00a0m",
               roundnum_text(step, step_m, step_m));
    return true;
}

/* ---- the layers for other programs ----------------------------------------------------------- */

/* All layers have a QGIS style. A KMZ may have all layers except standard errors. Layers of arrival
 * and of thickness have the colour scale of the 95th percentile of their quantity. */
static void show_layer(const struct product_at *at, struct layer_quantity *k)
{
    struct legend *l = &k->legend;
    k->use = LAYER_CHOICE;
    if (at->row->value == probability_error) { /* the scale ends at the largest possible error */
        k->use = LAYER_STYLED;
        l->high = 0.5 / sqrt(statistics_effective(&report_at(at)->s->cells));
    } else if (*at->row->unit == 'h') {
        l->colours = COLOURS_TIME;
        k->scale_of = "arrival_p95_h";
    } else if (*at->row->unit == 'm') {
        k->scale_of = "thickness_p95_m";
    } else {
        l->count = LEGEND_PROBABILITY;
        l->classes = legend_probability;
    }
}

#define COUNT(member) PRODUCT_COUNT(struct report, member)
static const struct product rows[] = {
    {PRODUCT_LAYER, "probability", "", "probability that lava arrives", COUNT(whole),
     .value = event_probability},
    {PRODUCT_LAYER, "probability_error", "", "standard error of the probability that lava arrives",
     COUNT(full), .value = probability_error, .further = true},
    {PRODUCT_LAYER, "probability_discrepancy", "",
     "probability that lava arrives, mean of the cells within the discrepancy",
     COUNT(has_discrepancy), .value = discrepancy_probability, .further = true},
    {PRODUCT_LAYER, "probability_above_*m", "", "probability that lava gets thicker than * m",
     COUNT(thresholds), .word = name_threshold, .value = event_probability, .number = EVENT_THICKER,
     .further = true},
    {PRODUCT_LAYER, "probability_above_*m_error", "",
     "standard error of the probability that lava gets thicker than * m", COUNT(thresholds),
     .word = name_threshold, .value = probability_error, .number = EVENT_THICKER, .further = true},
    {PRODUCT_LAYER, "probability_within_*h", "", "probability that lava arrives within * h",
     COUNT(times), .word = name_time, .value = event_probability, .number = EVENT_SOONER,
     .further = true},
    {PRODUCT_LAYER, "probability_within_*h_error", "",
     "standard error of the probability that lava arrives within * h", COUNT(times),
     .word = name_time, .value = probability_error, .number = EVENT_SOONER, .further = true},
    {PRODUCT_LAYER, "arrival_first_h", "h", "earliest arrival of lava in any member",
     COUNT(full_lava), .value = arrival, .number = 0, .further = true},
    {PRODUCT_LAYER, "thickness_mean_m", "m",
     "mean of the greatest thickness, of members that reach the cell", COUNT(full_lava),
     .value = mean_thickness, .further = true},
    {PRODUCT_LAYER, "arrival_p*_h", "h", "arrival in * % of the members that reach the cell",
     COUNT(percents), .word = name_percent, .value = arrival, .further = true,
     .usual = "arrival_p[09]5_h"},
    {PRODUCT_LAYER, "thickness_p*_m", "m",
     "greatest thickness, not exceeded in * % of the members that reach the cell", COUNT(percents),
     .word = name_percent, .value = percentile_thickness, .further = true,
     .usual = "thickness_p95_m"},
    {PRODUCT_FILE, "ensemble.kmz", .formats = OUTPUT_KMZ},
    {PRODUCT_TABLE, "members.csv", COUNT(has_members), .rows = put_members, .further = true},
    {PRODUCT_TABLE, "assets.csv", COUNT(places), .rows = put_places},
    {PRODUCT_MAP, "map_probability", .about = "probability that lava arrives", COUNT(full_map),
     .value = probability_class, .map = map_probability, .place = place_probability},
    {PRODUCT_MAP, "map_arrival", "h", "median arrival", COUNT(full_lava), .value = arrival,
     .number = 50, .map = map_arrival, .place = place_arrival, .further = true},
    {PRODUCT_MAP, "map_thickness", "m", "greatest thickness, 95\u00a0%", COUNT(full_lava),
     .value = percentile_thickness, .number = 95, .map = map_thickness, .place = place_thickness,
     .further = true},
    {PRODUCT_MAP, "map_bulletin", .about = "probability that lava arrives", COUNT(has_bulletin),
     .value = bulletin_value, .map = bulletin_map, .place = bulletin_place},
    {PRODUCT_FILE, "bulletin.html", COUNT(has_bulletin)}, /* written by the next row */
    {PRODUCT_DIAGRAM, "bulletin", COUNT(has_bulletin), .draw = bulletin_paint},
    {PRODUCT_TABLE, "reliability.csv", COUNT(has_scores), .rows = report_reliability,
     .further = true},
    {PRODUCT_TABLE, "roc.csv", COUNT(has_scores), .rows = report_roc, .further = true},
    {PRODUCT_TABLE, "overlap.csv", COUNT(has_scores), .rows = report_overlap, .further = true},
    {PRODUCT_DIAGRAM, "reliability", COUNT(has_scores), .draw = report_draw_reliability,
     .further = true},
    {PRODUCT_DIAGRAM, "roc", COUNT(has_scores), .draw = report_draw_roc, .further = true},
    {PRODUCT_DIAGRAM, "overlap", COUNT(has_scores), .draw = report_draw_overlap, .further = true},
    {.kind = PRODUCT_FILE, .name = LIBRARY_NAME, .head = LIBRARY_HEAD, .work = library_work},
    {.kind = PRODUCT_FILE,
     .name = LIBRARY_NAME ".[0-9]*",
     .head = LIBRARY_HEAD,
     .work = library_work},
    {.kind = PRODUCT_FILE, .name = STATE_NAME},
    {.kind = PRODUCT_FILE, .name = STATE_NAME ".[0-9]*"}, /* state of a rank */
};

const struct product_table report_files = {PRODUCT_TABLE_OF(rows), .styled = true,
                                           .shown = show_layer, .layers = "ensemble"};

static bool was_reached(const void *of, size_t cell)
{
    const struct report *r = of;
    const struct statistics *x = &r->s->cells;
    return statistics_reached(x, statistics_at(x, cell)) > 0 ||
           (r->has_discrepancy && vicinity_count(&r->vicinity, cell)) ||
           (r->also_reached && r->also_reached(r->also_of, cell));
}

static size_t next_reached(const void *of, size_t cell)
{
    const struct report *r = of;
    return r->has_discrepancy || r->also_reached ? cell : statistics_next(&r->s->cells, cell);
}

static void describe_report(struct products *p, const struct report *r)
{
    const struct ensemble *s = r->s;
    const struct statistics_request *w = &s->source->request;
    *p = (struct products){.info = &r->job->info,
                           .c = s->source->base,
                           .known = s->source->known,
                           .varied = r->varied,
                           .of = r,
                           .table = &report_files,
                           .kind = report_of_paths(r) ? "null" : "ensemble",
                           .told = study_told(r->job),
                           .digest = r->digest,
                           .assets = &s->assets,
                           .vent = s->source->vent,
                           .outline = s->outline,
                           .reached = r->whole ? was_reached : NULL,
                           .next = next_reached,
                           .vent_name = s->source->chosen ? "Possible vent" : "Vent"};
    if (s->source->vents <= VENTS_SHOWN) p->vents = s->source->vents; /* more would hide the map */
    product_item(&p->items, "SOFTWARE", "sciara %s", r->job->info.version);
    product_item(&p->items, "CASE", "%s", p->c->name);
    product_item(&p->items, "TERRAIN", "%s", p->c->terrain_source);
    product_item(&p->items, "QUESTION", "%.1000s", r->question ? WORDS_ENGLISH(r->question) : "");
    product_item(&p->items, "MEMBERS", "%" PRId64, s->done);
    product_item(&p->items, "EFFECTIVE_MEMBERS", "%.6g", statistics_effective(&s->cells));
    product_item(&p->items, "RESOLUTION", "thickness %g m%s, arrival %g h", w->thickness_step_m,
                 w->medians ? " of medians of 3 x 3 cells" : "", w->arrival_step_s / 3600);
    product_item(&p->items, "ENSEMBLE_DIGEST", "%016" PRIx64, r->digest);
}

/* Whether scores are needed. Scores take long to compute, and a reader of layers or of a list of names does not need them. */
static bool wants_scores(const struct report *r)
{
    const struct product_reader *reader = r->job->info.reader;
    return r->has_outline && !(reader && (reader->values || reader->list));
}

int report_products(const struct report *given, struct error *e)
{
    struct report r = *given;
    const struct statistics_request *w = &r.s->source->request;
    r.whole = r.s->shard.count == 1; /* layers of a shard would mislead */
    r.lava = r.whole && !report_of_paths(&r);
    r.has_members = !r.brief || r.job->info.reader;
    r.full = r.whole && r.has_members;
    r.full_lava = r.full && r.lava;
    r.full_map = r.full && !r.s->seen;
    r.thresholds = r.full * w->threshold_count;
    r.times = r.full * w->time_count;
    r.percents = r.full_lava * REPORT_PERCENTS;
    r.places = r.s->assets.count > 0;
    r.has_bulletin = r.lava && r.bulletin;
    r.has_outline = r.whole && r.s->outline;
    r.has_scores = r.full && r.s->outline;
    r.has_discrepancy = report_has_discrepancy(r.s);
    FREED_BY(product_cut_free) struct product_cut cut = {0};
    struct products p;
    int status = wants_scores(&r) ? report_verify(&r.v, &r, e) : 0;
    if (!status && r.has_discrepancy) status = report_vicinity(&r.vicinity, r.s, e);
    report_varied(r.varied, r.s, r.plan, false);
    describe_report(&p, &r);
    if (!status) status = products_cut(&p, &cut, e);
    if (!status && r.whole)
        status = products_page(&p, r.s->source->vent, r.s->source->vents, r.s->source->chosen,
                               w->arrival_step_s / 3600, e);
    if (!status) status = products_files(&p, e);
    p.of = r.also_of;
    for (p.table = r.also; !status && p.table && p.table != &report_files; p.table = p.table->next)
        status = products_files(&p, e);
    if (!status) status = products_record(&p, e);
    vicinity_free(&r.vicinity);
    return status;
}
