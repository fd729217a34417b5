/* page_many.c — what a page shows of many runs: the layers of an ensemble, and the search of a calibration. */
#include "page.h"

#include "raster/raster.h"
#include "record/json_number.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- layers ---------------------------------------------------------------------------------- */

/* Kinds of colours by unit, and the smallest difference that the page keeps. */
static const struct layer_kind {
    const char *unit, *kind;
    double finest;
} layer_kinds[] = {{"", "probability", 1e-4}, {"h", "arrival", 0.1}, {"m", "thickness", 0.01}};

/* A unit that is not in the table has the kind of thickness. */
static const struct layer_kind *layer_kind_of(const char *unit)
{
    const struct layer_kind *q = layer_kinds;
    while (strcmp(q->unit, unit) != 0 && strcmp(q->unit, "m") != 0) q++;
    return q;
}

#define OF_YEARS "y.tif"
static const struct family {
    const char *begin, *end; /* beginning and end of a file's name, around a number */
    const char *unit, *label;
} families[] = {
    {"probability", ".tif", "", "Probability of lava"},
    {"probability_in_", "h.tif", "", "Probability within {} h from now"}, /* in a nowcast */
    {"probability_yesterday", ".tif", "", "Probability of lava, yesterday's forecast"},
    {"probability_before", ".tif", "", "Probability of lava, before any observation"},
    {"probability_", OF_YEARS, "", "Probability within {} {year|years}"}, /* in a hazard study */
    {"probability_discrepancy", ".tif", "", "Probability with discrepancy"},
    {"probability_above_", "m.tif", "", "Probability of more than {} m"},
    {"probability_within_", "h.tif", "", "Probability within {} h"},
    {"arrival_p50_h", ".tif", "h", "Arrival, median"},
    {"arrival_p05_h", ".tif", "h", "Arrival, early (5 %)"},
    {"arrival_p95_h", ".tif", "h", "Arrival, late (95 %)"},
    {"arrival_first_h", ".tif", "h", "Arrival, earliest of all"},
    {"thickness_p95_m", ".tif", "m", "Thickness, 95 %"},
    {"thickness_p50_m", ".tif", "m", "Thickness, median"},
    {"thickness_p05_m", ".tif", "m", "Thickness, 5 %"},
    {"thickness_mean_m", ".tif", "m", "Thickness, mean"},
    {"thickness_member_", "_m.tif", "m", "Thickness, member {}"},
    /* NULL: the label is the file name */
    {"arrival_p", "_h.tif", "h", NULL},
    {"thickness_p", "_m.tif", "m", NULL},
};
enum { FAMILIES = sizeof families / sizeof *families, NUMBER_ROOM = 24 };

/* Whether a file belongs to the family. number: "0.5" for "probability_above_0.5m.tif". */
static bool is_of(const struct family *f, const char *name, char number[NUMBER_ROOM])
{
    const size_t begin = strlen(f->begin), end = strlen(f->end), all = strlen(name);
    if (all < begin + end || strncmp(name, f->begin, begin) || strcmp(name + all - end, f->end))
        return false;
    const size_t digits = all - begin - end;
    if (digits >= NUMBER_ROOM || (digits > 0) != (!f->label || strstr(f->label, "{}")))
        return false;
    memcpy(number, name + begin, digits);
    number[digits] = '\0';
    return strspn(number, "0123456789.") == digits;
}

/* The first family that a file belongs to; NULL: none. */
static const struct family *family_of(const char *name, char number[NUMBER_ROOM])
{
    for (int i = 0; i < FAMILIES; i++)
        if (is_of(&families[i], name, number)) return &families[i];
    return NULL;
}

static int add_numbers(struct page *p, const char *name, double finest, int *array, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    int status = page_raster(p, name, &r, e);
    if (!status && !p->cells.at) status = page_take_cells(p, &r, e);
    return status
               ? status
               : page_add_cells(p, r.value, pack_scale(0, page_most(&r), finest), NULL, array, e);
}

/* The effective number of members behind one layer of a nowcast; 0: the summary has no such
 * number. */
static double members_of(const struct page *p, const char *name)
{
    static const char probability[] = "probability_";
    const cJSON *nowcast = summary_item(p->run.summary, NULL, "nowcast");
    if (!nowcast || strncmp(name, probability, sizeof probability - 1)) return 0;
    const cJSON *set = cJSON_GetObjectItemCaseSensitive(nowcast, name + sizeof probability - 1);
    const cJSON *effective = set ? cJSON_GetObjectItemCaseSensitive(set, "effective") : NULL;
    return cJSON_IsNumber(effective) ? effective->valuedouble : 0;
}

/* If the folder has the file `layer` + `ending` + ".tif", adds its values to the page, and the number of their array to
 * the entry *o under `key`. */
static int add_beside(struct page *p, cJSON *o, const char *layer, const char *ending,
                      double finest, const char *key, struct error *e)
{
    char name[80];
    int array;
    snprintf(name, sizeof name, "%s%s.tif", layer, ending);
    if (!runfolder_same(&p->run, name)) return 0;
    const int status = add_numbers(p, name, finest, &array, e);
    if (!status) cJSON_AddNumberToObject(o, key, array);
    return status;
}

static int add_layer(struct page *p, const struct family *f, const char *name, const char *number,
                     struct error *e)
{
    char label[64], plain[64];
    const struct layer_kind *q = layer_kind_of(f->unit);
    const double finest = strcmp(f->end, OF_YEARS) ? q->finest : 1e-6;
    int array, status = add_numbers(p, name, finest, &array, e);
    if (status) return status;
    snprintf(plain, sizeof plain, "%.*s", (int)(strlen(name) - strlen(".tif")), name);
    snprintf(label, sizeof label, *number && f->label ? "%s" WORDS_NEXT "%s" : "%s",
             f->label ? f->label : plain, number);
    cJSON *o = page_add_layer(p, plain, q->kind, f->unit, label, array);
    const double members = members_of(p, plain);
    if (members > 0) cJSON_AddNumberToObject(o, "members", members);
    status = add_beside(p, o, plain, "_error", q->finest, "error", e);
    if (!status) status = add_beside(p, o, plain, "_p05", finest, "low", e); /* in hazard studies */
    return status ? status : add_beside(p, o, plain, "_p95", finest, "high", e);
}

/* Adds the layers of a family. Layers with numbers are in increasing order. */
static int add_family(struct page *p, const struct family *f, struct error *e)
{
    double last = -1;
    for (;;) {
        char number[NUMBER_ROOM], chosen[NUMBER_ROOM] = "";
        const char *next = NULL;
        for (int i = 0; i < p->run.count; i++) {
            if (family_of(p->run.name[i], number) != f || !(atof(number) > last)) continue;
            if (next && atof(number) >= atof(chosen)) continue;
            next = p->run.name[i];
            memcpy(chosen, number, sizeof chosen);
        }
        if (!next) return 0;
        int status = add_layer(p, f, next, chosen, e);
        if (status) return status;
        last = atof(chosen);
    }
}

/* ---- where they erupt ------------------------------------------------------------------------ */

static int add_site(struct page *p, struct error *e)
{
    const struct report_page *s = p->site;
    if (!p->rows && s->elevation_m) { /* the page shows terrain but no lava */
        p->rows = s->rows;
        p->cols = s->cols;
        p->geo = s->geo;
    }
    int status = page_check_site(p, e);
    if (status) return status;
    json_add_given(p->facts, {"start_time", s->start_time}, {"stamp", s->stamp});
    if (s->elevation_m) status = page_add_ground(p, s->elevation_m, e);
    if (!status) status = page_add_outline(p, e);
    if (status) return status;
    if (s->arrival_bin_h > 0) cJSON_AddNumberToObject(p->facts, "arrival_bin_h", s->arrival_bin_h);
    cJSON *list = cJSON_AddArrayToObject(p->facts, "vents");
    for (int i = 0; i < s->vent_count; i++) {
        cJSON *o = json_add_object(list);
        json_add_numbers(o, {"row", s->vent[2 * i]}, {"col", s->vent[2 * i + 1]});
    }
    cJSON_AddBoolToObject(p->facts, "possible_vents", s->possible);
    page_add_places(p);
    return 0;
}

/* Checks that the folder has a layer that the summary lists. */
static int check_there(const struct page *p, const char *name, struct error *e)
{
    char number[NUMBER_ROOM];
    if (!family_of(name, number) || runfolder_same(&p->run, name)) return 0;
    return error_input(
        e,
        "%s/%s: is missing, though summary.json lists it; copy it there, or make the results again",
        p->of->folder, name);
}

int page_many_check(const struct page *p, struct error *e)
{
    const cJSON *entry;
    int status = 0;
    if (p->kind == PAGE_ENSEMBLE && !runfolder_same(&p->run, "probability.tif"))
        return error_input(
            e, "%s: has no probability.tif; copy it there, or combine shards with sciara merge",
            p->of->folder);
    cJSON_ArrayForEach (entry, cJSON_GetObjectItemCaseSensitive(p->run.summary, "files"))
        if (!status) status = check_there(p, summary_text(entry, NULL, "name"), e);
    return status;
}

int page_many(struct page *p, struct error *e)
{
    static const char *const tables[] = {
        "assets.csv",         "exposed.csv",       "assets_difference.csv", "named_members.csv",
        "reliability.csv",    "roc.csv",           "overlap.csv",           "evaluations.csv",
        "nowcast_places.csv", "hazard_places.csv", "hazard_flows.csv"};
    int status = 0;
    for (int i = 0; i < FAMILIES && !status; i++) status = add_family(p, &families[i], e);
    if (!status && p->site) status = add_site(p, e);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = page_add_table(p, tables[i], false, e);
    if (!status && p->kind == PAGE_ENSEMBLE) status = page_add_table(p, "members.csv", true, e);
    return status;
}
