/* hazard_report.c — the files of a hazard: how often lava comes, its probability in a number of years, and the
 * uncertainty of both. Files about one eruption are those of an ensemble (ensemble/report.c). */
#include "hazard.h"

#include "record/json_number.h"
#include "record/roundnum.h"
#include "text/table.h"
#include "text/words.h"

#include <cJSON.h>
#include <math.h>
#include <string.h>

static const struct hazard *hazard_of(const struct product_at *at)
{
    return at->of;
}

static const char *const causes[HAZARD_CAUSES] = {"frequency", "vents", "runs", "all"};

/* Which number of a struct hazard_rate a product shows. LOW and HIGH have one product for each cause. */
enum { MEAN, LOW, HIGH };

static double part_of(const struct hazard_rate *r, int part, enum hazard_cause cause)
{
    return part == MEAN ? r->rate : part == LOW ? r->low[cause] : r->high[cause];
}

static double years_of(const struct product_at *at)
{
    return hazard_of(at)->from->keys.hazard.years.value[at->i];
}

/* The single cause with the widest range of the rate. */
static int driver_of(const struct hazard_rate *r)
{
    int most = 0;
    for (int k = 1; k < BY_ALL; k++)
        if (r->high[k] - r->low[k] > r->high[most] - r->low[most]) most = k;
    return most;
}

/* ---- cells ------------------------------------------------------------------------------------- */

static double annual_rate(const struct product_at *at, size_t cell)
{
    const struct hazard_rate *r = hazard_at(hazard_of(at), cell);
    return r ? part_of(r, at->row->number, (enum hazard_cause)at->i) : (double)NAN;
}

static double return_period(const struct product_at *at, size_t cell)
{
    const struct hazard_rate *r = hazard_at(hazard_of(at), cell);
    return r ? 1 / r->rate : (double)NAN;
}

static double years_probability(const struct product_at *at, size_t cell)
{
    const struct hazard_rate *r = hazard_at(hazard_of(at), cell);
    return r ? catalogue_probability(part_of(r, at->row->number, BY_ALL), years_of(at))
             : (double)NAN;
}

static double zone_part(const struct product_at *at, size_t cell)
{
    const struct hazard_rate *r = hazard_at(hazard_of(at), cell);
    return r ? (double)r->part[at->i] : (double)NAN;
}

static double in_margin(const struct product_at *at, size_t cell)
{
    return hazard_in_margin(hazard_of(at), cell) ? 1 : (double)NAN;
}

static double driver(const struct product_at *at, size_t cell)
{
    const struct hazard_rate *r = hazard_at(hazard_of(at), cell);
    return r ? 1 + driver_of(r) : (double)NAN;
}

#define EXCEEDED 0.1

/* The largest edge of a class of thickness that lava exceeds within `years` with a probability of at least 10 %. NaN:
 * there is none. */
static double exceeded_thickness(const struct hazard *x, const struct statistics *s, size_t place,
                                 double rate, double years)
{
    const uint64_t *c = statistics_at(s, place);
    const double reached = (double)statistics_reached(s, c);
    const struct axis *a = &x->ask.of.s.thickness_m;
    double above = NAN;
    for (int k = 0; k < a->edges && reached > 0; k++) {
        const double part = (double)statistics_exceeding(s, c, k) / reached;
        if (catalogue_probability(rate * part, years) < EXCEEDED) break;
        above = a->edge[k];
    }
    return above;
}

static double thickness_of_cell(const struct product_at *at, size_t cell)
{
    const struct hazard *x = hazard_of(at);
    const struct hazard_rate *r = hazard_at(x, cell);
    return r ? exceeded_thickness(x, &x->ask.of.s.cells, cell, r->rate, years_of(at)) : (double)NAN;
}

/* The probability per square kilometre that the next vent opens in a cell. */
static double opening(const struct product_at *at, size_t cell)
{
    const struct hazard *x = hazard_of(at);
    const struct plan_hazard *h = x->from->hazard;
    const double density = hazard_density(x, &h->opening, &h->catalogue, cell);
    return density > 0 ? density * 1e6 : (double)NAN;
}

/* ---- names ------------------------------------------------------------------------------------- */

/* Writes a number of years without an exponent. */
static const char *put_number(char text[32], double years)
{
    snprintf(text, 32, "%.15g", years);
    return text;
}

static bool name_years(const void *of, int i, char *name, char *about)
{
    strcpy(about, put_number(name, ((const struct hazard *)of)->from->keys.hazard.years.value[i]));
    return true;
}

static bool name_cause(const void *of, int i, char *name, char *about)
{
    strcpy(name, causes[i]);
    strcpy(about, i == BY_ALL ? "frequency, vents and runs" : causes[i]);
    return true;
}

/* Writes the number of a zone into the file name, because the name of a zone may be any text. */
static bool name_zone(const void *of, int i, char *name, char *about)
{
    const char *zone = ((const struct hazard *)of)->from->hazard->opening.zone[i];
    snprintf(name, PRODUCT_WORD, "%d", i + 1);
    snprintf(about, PRODUCT_WORD, "%s", *zone ? zone : "without a name");
    return true;
}

/* ---- the map ----------------------------------------------------------------------------------- */

int hazard_class(const struct hazard *x, size_t cell, double years)
{
    const struct hazard_rate *r = hazard_at(x, cell);
    const double p = r ? catalogue_probability(r->rate, years) : 0;
    int k = 0;
    while (k < LEGEND_HAZARD - 1 && p > legend_hazard[k].upper) k++;
    return r ? k + 1 : 0;
}

static double class_of(const struct product_at *at, size_t cell)
{
    const int class = hazard_class(hazard_of(at), cell, years_of(at));
    if (hazard_in_margin(hazard_of(at), cell)) return LEGEND_HAZARD + 1;
    return class ? class : (double)NAN;
}

static bool map_hazard(const struct product_at *at, struct product_map *m)
{
    const struct hazard *x = hazard_of(at);
    char years[32], rate[32];
    words_pack(m->subtitle, sizeof m->subtitle,
               "Probability that lava arrives within %s {year|years}, by past vents and %s "
               "{eruption|eruptions} a year; colours by the mean",
               put_number(years, years_of(at)), roundnum_brief(rate, x->all));
    /* Hundreds of vents would hide the classes; the layer vent_opening shows the vents. */
    m->map.mark = NULL;
    map_set_classes(&m->map, legend_hazard, LEGEND_HAZARD + (x->margin_m > 0));
    return true;
}

char *hazard_said(char out[PROBABILITY_TEXT], const struct hazard_rate *r, double years)
{
    return probability_range_pack(out, catalogue_probability(r->rate, years),
                                  catalogue_probability(r->low[BY_ALL], years),
                                  catalogue_probability(r->high[BY_ALL], years));
}

static void place_hazard(const struct product_at *at, int place, char *text, size_t size)
{
    const struct hazard_rate *r = &hazard_of(at)->place[place];
    char said[PROBABILITY_TEXT];
    snprintf(text, size, "%s", hazard_said(said, r, years_of(at)));
}

/* ---- tables ------------------------------------------------------------------------------------ */

static void put_years(struct table *t, const struct hazard *x, int place)
{
    const struct hazard_keys *k = &x->from->keys.hazard;
    const struct hazard_rate *r = &x->place[place];
    for (int i = 0; i < k->years.count; i++) {
        char years[32];
        put_number(years, k->years.value[i]);
        TABLE_REAL_OF(t, "probability_*y", years, "", 17,
                      catalogue_probability(r->rate, k->years.value[i]));
        TABLE_REAL_OF(t, "probability_*y_p05", years, "", 6,
                      catalogue_probability(r->low[BY_ALL], k->years.value[i]));
        TABLE_REAL_OF(t, "probability_*y_p95", years, "", 6,
                      catalogue_probability(r->high[BY_ALL], k->years.value[i]));
        TABLE_REAL_OF(
            t, "thickness_*y", years, "m", 6,
            exceeded_thickness(x, &x->ask.of.s.places, (size_t)place, r->rate, k->years.value[i]));
    }
}

static void put_places(struct table *t, const struct product_at *at)
{
    const struct hazard *x = hazard_of(at);
    TABLE_ROWS (*t, i, x->places) {
        const struct hazard_rate *r = &x->place[i];
        TABLE_TEXT(t, "place", x->ask.of.s.assets.asset[i].name);
        TABLE_REAL(t, "annual_rate", "", 17, r->rate);
        for (int k = 0; k < HAZARD_CAUSES; k++) {
            TABLE_REAL_OF(t, "annual_rate_p05_*", causes[k], "", 6, r->low[k]);
            TABLE_REAL_OF(t, "annual_rate_p95_*", causes[k], "", 6, r->high[k]);
        }
        TABLE_REAL(t, "return_period", "y", 6, r->rate > 0 ? 1 / r->rate : (double)NAN);
        put_years(t, x, (int)i);
        TABLE_TEXT(t, "driver", r->rate > 0 ? causes[driver_of(r)] : "");
        TABLE_COUNT(t, "in_margin", !t->head && hazard_place_in_margin(x, (int)i));
        for (int z = 0; z < x->zones_shown; z++)
            TABLE_REAL_OF(t, "part_*", x->from->hazard->opening.zone[z], "", 6, r->part[z]);
    }
}

/* Writes the rates from the catalogue, by zone and band of sizes. */
static void put_kinds(struct table *t, const struct product_at *at)
{
    const struct plan_hazard *h = hazard_of(at)->from->hazard;
    const struct catalogue *c = &h->catalogue;
    TABLE_ROWS (*t, row, (int64_t)c->kinds * c->classes) {
        const struct eruption_kind *k = &c->kind[row / c->classes];
        const int class = (int)(row % c->classes);
        const struct opening_shape *s = &h->opening.shape[k->zone];
        TABLE_TEXT(t, "zone", h->opening.zone[k->zone]);
        TABLE_COUNT(t, "class", class + 1);
        TABLE_REAL(t, "volume", "m3", 17, c->class[class].volume_m3);
        TABLE_REAL(t, "duration", "h", 17, c->class[class].duration_s / 3600);
        TABLE_REAL(t, "share", "", 17, k->share[class]);
        TABLE_REAL(t, "eruptions", "", 17, k->count);
        TABLE_REAL(t, "shape", "", 17, k->shape);
        TABLE_REAL(t, "period", "y", 17, k->years);
        TABLE_REAL(t, "annual_rate", "", 17, kind_rate(k));
        TABLE_REAL(t, "annual_rate_p05", "", 9, catalogue_quantile(k->shape, k->years, 0.05));
        TABLE_REAL(t, "annual_rate_p95", "", 9, catalogue_quantile(k->shape, k->years, 0.95));
        TABLE_REAL(t, "bandwidth", "m", 17, s->h_m);
        TABLE_REAL(t, "ratio", "", 17, s->ratio);
        TABLE_REAL(t, "axis_east", "", 17, s->east);
        TABLE_REAL(t, "axis_north", "", 17, s->north);
        TABLE_REAL(t, "score", "", 17, s->score);
    }
}

/* Writes the vents of the library's members, the probabilities with which they are drawn, and the probability of each
 * zone at each vent. */
static void put_vents(struct table *t, const struct product_at *at)
{
    const struct hazard *x = hazard_of(at);
    const struct plan *p = x->ask.of.plan;
    const struct georef *g = &p->base.geo;
    TABLE_ROWS (*t, i, p->sources.choice.count) {
        const struct place *here = &p->sources.point[p->sources.source[i].first].at;
        const double x_m = g->west_m + here->right * g->cell_m,
                     y_m = g->south_m + here->up * g->cell_m;
        double share[OPENING_ZONES_MAX];
        if (!t->head) opening_shares(share, &x->from->hazard->opening, x_m, y_m);
        TABLE_COUNT(t, "vent", p->sources.source[i].id);
        TABLE_REAL(t, "x", "", 17, x_m);
        TABLE_REAL(t, "y", "", 17, y_m);
        TABLE_REAL(t, "drawn", "", 17, p->sources.choice.share[i]);
        for (int z = 0; z < x->zones; z++) {
            const char *zone = x->from->hazard->opening.zone[z];
            TABLE_REAL_OF(t, "share_*", *zone ? zone : "all", "", 17, share[z]);
        }
    }
}

static void put_flows(struct table *t, const struct product_at *at)
{
    const struct past_flows *of = &hazard_of(at)->flows;
    const double cell_m = hazard_of(at)->ask.of.plan->base.geo.cell_m;
    TABLE_ROWS (*t, i, of->count) {
        const struct past_flow *flow = &of->flow[i];
        TABLE_TEXT(t, "flow", of->assets.asset[i].name);
        TABLE_REAL(t, "year", "", 9, flow->year);
        TABLE_REAL(t, "area", "m2", 9, of->assets.asset[i].cells * cell_m * cell_m);
        for (int k = 0; k <= LEGEND_HAZARD; k++) {
            char class[8];
            snprintf(class, sizeof class, "%d", k);
            TABLE_REAL_OF(t, "in_class_*", class, "", 9, flow->share[k]);
        }
        TABLE_REAL(t, "score", "", 17, flow->score[0]);
        TABLE_REAL(t, "score_of_vents", "", 17, flow->score[1]);
        TABLE_REAL(t, "before", "y", 9,
                   flow->period < 0 ? (double)NAN : of->period[flow->period].begin);
        TABLE_REAL(t, "score_before", "", 17, flow->before[0]);
        TABLE_REAL(t, "score_of_vents_before", "", 17, flow->before[1]);
    }
}

static void add_gain(cJSON *o, const char *name, const struct past_gain *g)
{
    cJSON *to = g->flows ? cJSON_AddObjectToObject(o, name) : NULL;
    if (to)
        json_add_numbers(to, {"flows", g->flows}, {"mean_gain", g->mean},
                         {"mean_gain_error", g->error});
}

static void add_hazard(cJSON *o, const struct product_at *at)
{
    const struct hazard *x = hazard_of(at);
    const struct catalogue *c = &x->from->hazard->catalogue;
    json_add_numbers(o, {"eruptions", c->count}, {"annual_rate", x->all},
                     {"annual_rate_off_terrain", x->left}, {"margin_m", x->margin_m},
                     {"without_volume", c->gaps[0]}, {"without_duration", c->gaps[1]},
                     {"without_zone", c->gaps[2]}, {"of_uncertain_year", c->gaps[3]},
                     {"past_vents", x->from->hazard->opening.vents}, {"zones", x->zones},
                     {"effective", x->all * x->all / x->squares});
    add_gain(o, "past_flows", &x->flows.now);
    add_gain(o, "past_flows_before", &x->flows.before);
}

/* ---- the layers for other programs ------------------------------------------------------------- */

/* Layers have a QGIS style. Mean probabilities and thicknesses may be in a KMZ. All thicknesses have one scale. */
static void show_layer(const struct product_at *at, struct layer_quantity *k)
{
    struct legend *l = &k->legend;
    k->use = LAYER_STYLED;
    if (at->row->value == years_probability || at->row->value == annual_rate) {
        if (at->row->number == MEAN && at->row->value == years_probability) k->use = LAYER_CHOICE;
        l->count = LEGEND_HAZARD;
        l->classes = legend_hazard;
    } else if (at->row->value == thickness_of_cell) {
        k->use = LAYER_CHOICE;
        k->scale_of = hazard_of(at)->thickest;
    } else if (at->row->value == zone_part) {
        l->high = 1;
    } else if (at->row->value == return_period) {
        l->colours = COLOURS_TIME;
        l->high = 1000;
    } else {
        k->scale_of = k->name;
    }
}

#define COUNT(member) PRODUCT_COUNT(struct hazard, member)
static const struct product rows[] = {
    {PRODUCT_LAYER, "annual_rate", "", "eruptions a year with lava there", .value = annual_rate,
     .further = true},
    {PRODUCT_LAYER, "annual_rate_p05_*", "",
     "5th percentile of the eruptions a year with lava there, by *", COUNT(causes),
     .word = name_cause, .value = annual_rate, .number = LOW, .further = true},
    {PRODUCT_LAYER, "annual_rate_p95_*", "",
     "95th percentile of the eruptions a year with lava there, by *", COUNT(causes),
     .word = name_cause, .value = annual_rate, .number = HIGH, .further = true},
    {PRODUCT_LAYER, "return_period_y", "y",
     "mean number of years between two eruptions with lava there", .value = return_period},
    {PRODUCT_LAYER, "probability_*y", "", "probability that lava arrives in * years", COUNT(years),
     .word = name_years, .value = years_probability, .number = MEAN},
    {PRODUCT_LAYER, "probability_*y_p05", "",
     "5th percentile of the probability that lava arrives in * years", COUNT(years),
     .word = name_years, .value = years_probability, .number = LOW, .further = true,
     .by = OUTPUT_HTML},
    {PRODUCT_LAYER, "probability_*y_p95", "",
     "95th percentile of the probability that lava arrives in * years", COUNT(years),
     .word = name_years, .value = years_probability, .number = HIGH, .further = true,
     .by = OUTPUT_HTML},
    {PRODUCT_LAYER, "thickness_*y_m", "m",
     "thickness that lava exceeds with a probability of 10 % in * years", COUNT(years),
     .word = name_years, .value = thickness_of_cell, .further = true,
     .by = OUTPUT_KMZ | OUTPUT_QGIS},
    {PRODUCT_LAYER, "zone_*", "", "part of the rate that is of the zone *", COUNT(zones_shown),
     .word = name_zone, .value = zone_part, .further = true},
    {PRODUCT_CODES, "driver", "",
     "what spreads the rate most: 1 frequency of eruptions, 2 vents, 3 number of runs",
     .value = driver, .further = true},
    {PRODUCT_CODES, "margin", "", "1: near where lava leaves the terrain; not to be read there",
     .value = in_margin, .further = true},
    {PRODUCT_LAYER, "vent_opening", "", "probability of the next vent, per square kilometre",
     .value = opening, .further = true},
    {PRODUCT_FILE, "hazard.kmz", .formats = OUTPUT_KMZ},
    {PRODUCT_MAP, "map_hazard_*y", .about = "probability that lava arrives in that time",
     COUNT(years), .word = name_years, .value = class_of, .map = map_hazard, .place = place_hazard},
    {PRODUCT_TABLE, "hazard_places.csv", COUNT(places), .rows = put_places},
    {PRODUCT_TABLE, "hazard_flows.csv", COUNT(flows.count), .rows = put_flows, .further = true},
    {PRODUCT_TABLE, "hazard_eruptions.csv", .rows = put_kinds, .further = true},
    {PRODUCT_TABLE, "hazard_vents.csv", .rows = put_vents, .further = true},
    {PRODUCT_ENTRY, "hazard", .entry = add_hazard},
};
const struct product_table hazard_files = {PRODUCT_TABLE_OF(rows), .styled = true,
                                           .next = &ask_named_files, .shown = show_layer,
                                           .layers = "hazard"};

void hazard_name_thickest(struct hazard *x)
{
    char years[32];
    snprintf(x->thickest, sizeof x->thickest, "thickness_%sy_m",
             put_number(years, x->from->keys.hazard.years.value[x->years - 1]));
}
