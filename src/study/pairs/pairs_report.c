/* pairs_report.c — the files of pairs: layers, a map, tables, the summary. */
#include "pairs.h"

#include "record/probability.h"
#include "record/roundnum.h"
#include "products/summary.h"
#include "record/json_number.h"
#include "text/table.h"
#include "text/words.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Sums for a weighted mean over pairs and its standard error. */
struct mean {
    double sum, squares, weight, weight2;
};

static void add_value(struct mean *m, double weight, double x)
{
    m->sum += weight * x;
    m->squares += weight * x * x;
    m->weight += weight;
    m->weight2 += weight * weight;
}

static double mean_of(const struct mean *m, double *error)
{
    const double mean = m->sum / m->weight, n = m->weight * m->weight / m->weight2;
    const double spread = fmax(0, m->squares / m->weight - mean * mean);
    *error = n > 1.5 ? sqrt(spread / (n - 1)) : (double)NAN;
    return mean;
}

struct pairs_found pairs_find(const struct pairs *x)
{
    const double area_m2 = x->plan->base.geo.cell_m * x->plan->base.geo.cell_m;
    struct pairs_found f = {0};
    struct mean side[PAIR_SIDES] = {{0}}, less = {0};
    for (int64_t i = 0; i < x->done; i++) {
        const struct pair_result *p = &x->result[i];
        const double w = (double)p->weight;
        double m2[PAIR_SIDES];
        for (int k = 0; k < PAIR_SIDES; k++)
            add_value(&side[k], w, m2[k] = (double)p->of[k].cells * area_m2);
        add_value(&less, w, m2[PAIR_WITH] - m2[PAIR_WITHOUT]);
    }
    for (int k = 0; k < PAIR_SIDES; k++) f.area_m2[k] = mean_of(&side[k], &f.area_error_m2[k]);
    f.area_difference_m2 = mean_of(&less, &f.area_difference_error_m2);
    for (size_t i = 0; i < x->cells.places; i++) {
        const struct pair_count *c = pair_sums_at(&x->cells, i);
        if (!c) continue;
        const struct pair_estimates s = pair_sums_estimate(&x->cells, c, x->class_h);
        f.largest_error = fmax(f.largest_error, s.error);
        if (!(fabs(s.difference) > 2 * s.error)) continue;
        if (s.difference < 0) f.less_likely_m2 += area_m2;
        else f.more_likely_m2 += area_m2;
    }
    return f;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static const struct pair_estimates no_estimates = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static struct pair_estimates at_cell(const struct pairs *x, size_t cell)
{
    const struct pair_count *c = pair_sums_at(&x->cells, cell);
    return c ? pair_sums_estimate(&x->cells, c, x->class_h) : no_estimates;
}

/* The field of struct pair_estimates with the offset row->number, in bytes. */
static double value_said(const struct product_at *at, size_t cell)
{
    const struct pair_estimates s = at_cell(at->of, cell);
    return *(const double *)((const char *)&s + at->row->number);
}

static double probability_at(const struct product_at *at, size_t cell)
{
    const double p = value_said(at, cell);
    return p > 0 ? p : (double)NAN;
}

/* ---- the map --------------------------------------------------------------------------------- */

/* Differences in percentage points. A difference within twice its standard error is pale, however large. Positive and
 * negative differences have the same limits. */
const struct map_class pairs_classes[PAIRS_CLASSES] = {
    MAP_CHANGE_CLASSES("up to 5 less", 0, "within twice its error", 0, "up to 5 points more")};

int pairs_class(double difference, double error)
{
    enum { UNSURE = PAIRS_CLASSES / 2 };
    const double points = 100 * fabs(difference);
    int size = 1;
    if (!(fabs(difference) > 2 * error)) return 1 + UNSURE;
    while (UNSURE + size < PAIRS_CLASSES - 1 && points > 100 * pairs_classes[UNSURE + size].upper)
        size++;
    return 1 + (difference < 0 ? UNSURE - size : UNSURE + size);
}

static double difference_class(const struct product_at *at, size_t cell)
{
    const struct pair_estimates s = at_cell(at->of, cell);
    return isnan(s.difference) ? (double)NAN : pairs_class(s.difference, s.error);
}

static struct pair_estimates at_place(const struct pairs *x, int place)
{
    if (x->assets.asset[place].bare) return no_estimates;
    return pair_sums_estimate(&x->places, pair_sums_at(&x->places, (size_t)place), x->class_h);
}

static void place_difference(const struct product_at *at, int place, char *text, size_t size)
{
    const struct pairs *x = at->of;
    const struct pair_estimates s = at_place(x, place);
    char said[PROBABILITY_TEXT];
    probability_difference_pack(said, s.difference, s.error, pair_sums_effective(&x->cells));
    snprintf(text, size, "%s", x->assets.asset[place].bare ? ASSETS_BARE WORDS_NEXT : said);
}

static bool map_difference(const struct product_at *at, struct product_map *m)
{
    const struct pairs *x = at->of;
    char done[32], error[PROBABILITY_TEXT];
    words_pack(m->subtitle, sizeof m->subtitle,
               "Probability that lava arrives, with the barriers minus without: %s {pair|pairs} of "
               "simulated eruptions with equal noise",
               roundnum_brief(done, (double)x->done));
    const size_t used = strlen(m->subtitle);
    snprintf(m->subtitle + used, sizeof m->subtitle - used, "%s",
             probability_most_pack(error, pairs_find(x).largest_error));
    map_set_classes(&m->map, pairs_classes, PAIRS_CLASSES);
    return true;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_pairs(struct table *t, const struct product_at *at)
{
    const struct pairs *x = at->of;
    const double area_m2 = x->plan->base.geo.cell_m * x->plan->base.geo.cell_m;
    TABLE_ROWS (*t, i, x->done) {
        const struct pair_result *p = &x->result[i];
        TABLE_COUNT(t, "member", i);
        TABLE_COUNT(t, "weight", p->weight);
        table_cells(t, x->supply[PAIR_WITH].source.columns, t->head ? NULL : p->drawn);
        for (int k = 0; k < PAIR_SIDES; k++) {
            const char *side = pair_sides[k];
            TABLE_REAL_OF(t, "area_m2_*", side, "", 6, (double)p->of[k].cells * area_m2);
            TABLE_REAL_OF(t, "runout_m_*", side, "", 6, p->of[k].runout_m);
            TABLE_REAL_OF(t, "max_thickness_m_*", side, "", 6, p->of[k].max_thickness_m);
            TABLE_HEX_OF(t, "digest_*", side, p->of[k].digest);
        }
    }
}

static void put_assets(struct table *t, const struct product_at *at)
{
    const struct pairs *x = at->of;
    const double pairs = pair_sums_effective(&x->cells);
    TABLE_ROWS (*t, i, x->assets.count) {
        const struct pair_estimates s = at_place(x, (int)i);
        assets_put(t, &x->assets.asset[i]);
        TABLE_REAL(t, "probability_with", "", 6, s.with);
        TABLE_REAL(t, "probability_without", "", 6, s.without);
        TABLE_REAL(t, "difference", "", 6, s.difference);
        TABLE_REAL(t, "difference_error", "", 6, s.error);
        TABLE_REAL(t, "spared", "", 6, s.only_without);
        TABLE_REAL(t, "struck", "", 6, s.only_with);
        TABLE_REAL(t, "arrival_difference", "h", 6, s.later_h);
        TABLE_REAL(t, "arrival_difference_error", "h", 6, s.later_error_h);
        TABLE_REAL(t, "probability_with_error", "", 6, statistics_error_of(s.with, pairs));
        TABLE_REAL(t, "probability_without_error", "", 6, statistics_error_of(s.without, pairs));
    }
}

/* ---- the summary ----------------------------------------------------------------------------- */

static void add_pairs(cJSON *o, const struct product_at *at)
{
    const struct pairs *x = at->of;
    int64_t off[PAIR_SIDES] = {0}, sea[PAIR_SIDES] = {0};
    cJSON_AddStringToObject(o, "what", "barriers");
    json_add_numbers(o, {"planned", x->count}, {"done", x->done});
    cJSON_AddStringToObject(o, "end", study_end(x->job));
    json_add_numbers(o, {"effective", pair_sums_effective(&x->cells)},
                     {"arrival_resolution_h", x->class_h});
    for (int64_t i = 0; i < x->done; i++)
        for (int k = 0; k < PAIR_SIDES; k++) {
            off[k] += x->result[i].of[k].off_terrain;
            sea[k] += x->result[i].of[k].into_sea;
        }
    for (int k = 0; k < PAIR_SIDES; k++) {
        cJSON *side = cJSON_AddObjectToObject(o, pair_sides[k]);
        cJSON_AddNumberToObject(side, "off_terrain", (double)off[k]);
        if (x->plan->base.sea) cJSON_AddNumberToObject(side, "into_sea", (double)sea[k]);
    }
}

static void add_found(cJSON *o, const struct product_at *at)
{
    const struct pairs_found f = pairs_find(at->of);
    for (int k = 0; k < PAIR_SIDES; k++) {
        cJSON *side = cJSON_AddObjectToObject(o, pair_sides[k]);
        json_add_numbers(side, {"area_m2", f.area_m2[k]}, {"area_error_m2", f.area_error_m2[k]});
    }
    json_add_numbers(o, {"area_difference_m2", f.area_difference_m2},
                     {"area_difference_error_m2", f.area_difference_error_m2},
                     {"largest_probability_error", f.largest_error},
                     {"less_probable_m2", f.less_likely_m2},
                     {"more_probable_m2", f.more_likely_m2});
}

#define SAID(member) .number = offsetof(struct pair_estimates, member)

static const struct product rows[] = {
    {PRODUCT_LAYER, "probability_with", "", "probability that lava arrives, with the barriers",
     .value = probability_at, SAID(with), .further = true},
    {PRODUCT_LAYER, "probability_without", "",
     "probability that lava arrives, without the barriers", .value = probability_at, SAID(without),
     .further = true},
    {PRODUCT_LAYER, "probability_difference", "",
     "probability with the barriers minus probability without", .value = value_said,
     SAID(difference)},
    {PRODUCT_LAYER, "probability_difference_error", "",
     "standard error of the difference of probabilities", .value = value_said, SAID(error),
     .further = true},
    {PRODUCT_LAYER, "arrival_difference_h", "h",
     "mean delay of arrival by the barriers, over pairs with lava in both members",
     .value = value_said, SAID(later_h), .further = true},
    {PRODUCT_LAYER, "arrival_difference_error_h", "h",
     "standard error of the difference of arrival", .value = value_said, SAID(later_error_h),
     .further = true},
    {PRODUCT_TABLE, "pairs.csv", .rows = put_pairs, .further = true},
    {PRODUCT_TABLE, "assets_difference.csv", PRODUCT_COUNT(struct pairs, has_places),
     .rows = put_assets},
    {PRODUCT_MAP, "map_difference", .about = "difference of probability", .value = difference_class,
     .map = map_difference, .place = place_difference},
    {PRODUCT_ENTRY, "pairs", .entry = add_pairs},
    {PRODUCT_ENTRY, "lava", .entry = add_found},
    {.kind = PRODUCT_FILE, .name = PAIRS_STATE},
};

const struct product_table pairs_files = {PRODUCT_TABLE_OF(rows)};

static bool was_reached(const void *of, size_t cell)
{
    return pair_sums_at(&((const struct pairs *)of)->cells, cell) != NULL;
}

static void describe_pairs(struct products *p, const struct study_job *j)
{
    const struct pairs *x = j->self;
    const struct ensemble_source *source = &x->supply[PAIR_WITH].source;
    *p = (struct products){.info = &j->info,
                           .c = &x->plan->base,
                           .known = source->known,
                           .of = x,
                           .table = &pairs_files,
                           .kind = "pairs",
                           .told = study_told(j),
                           .digest = pairs_digest(x),
                           .assets = &x->assets,
                           .vent = source->vent,
                           .vents = source->vents,
                           .reached = was_reached};
    product_item(&p->items, "SOFTWARE", "sciara %s", j->info.version);
    product_item(&p->items, "CASE", "%s", p->c->name);
    product_item(&p->items, "PAIRS", "%" PRId64, x->done);
    product_item(&p->items, "PAIRS_DIGEST", "%016" PRIx64, p->digest);
    product_item(&p->items, "TERRAIN", "%s", p->c->terrain_source);
}

void pairs_warn(const struct study_job *j, struct warnings *w)
{
    const struct pairs *x = j->self;
    if (x->done < x->count) products_warn_incomplete(w, x->done, x->count);
    assets_warn(&x->assets, x->supply[PAIR_WITH].source.assets, w);
}

char *pairs_summary_text(const struct study_job *j)
{
    struct products p;
    describe_pairs(&p, j);
    cJSON *root = study_summary(j, ((const struct pairs *)p.of)->digest);
    output_list_sea(root, p.c);
    output_list_barriers(root, p.c);
    products_entries(root, &p);
    json_add_hex(root, "digest", p.digest);
    cJSON *o = cJSON_AddObjectToObject(root, "timing");
    if (j->device_count) cJSON_AddNumberToObject(o, "devices", j->device_count);
    else cJSON_AddNumberToObject(o, "threads", j->threads);
    json_add_numbers(o, {"compute_s", j->compute_s}, {"total_s", j->total_s});
    return output_finish_summary(root, &j->info);
}

int pairs_report_write(const struct study_job *j, struct error *e)
{
    struct products p;
    describe_pairs(&p, j);
    return products_write(&p, e);
}
