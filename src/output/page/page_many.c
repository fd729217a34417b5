/* page_many.c — what a page shows of many runs: the layers of an ensemble, and the search of a
 * calibration. Terrain, vents and places come from the plan. */
#include "page_facts.h"

#include "case/case_cut.h"
#include "ensemble/plan.h"
#include "ensemble/plan_supply.h"
#include "ensemble/report.h"
#include "restart/json_number.h"
#include "text/textfile.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- layers ---------------------------------------------------------------------------------- */

/* Kinds of colours, and the smallest differences that the page keeps. */
static const struct quantity {
    const char *unit, *kind;
    double finest;
} quantities[] = {{"", "probability", 1e-4}, {"h", "arrival", 0.1}, {"m", "thickness", 0.01}};

/* Of any other unit: as thicknesses. */
static const struct quantity *quantity_of(const char *unit)
{
    const struct quantity *q = quantities;
    while (strcmp(q->unit, unit) != 0 && strcmp(q->unit, "m") != 0) q++;
    return q;
}

static const struct family {
    const char *begin, *end; /* of the name; between them stands a number */
    const char *unit, *label;
} families[] = {
    {"probability", ".tif", "", "Probability of lava"},
    {"probability_discrepancy", ".tif", "", "Probability with discrepancy"},
    {"probability_above_", "m.tif", "", "Probability of more than %s m"},
    {"probability_within_", "h.tif", "", "Probability within %s h"},
    {"arrival_p50_h", ".tif", "h", "Arrival, median"},
    {"arrival_p05_h", ".tif", "h", "Arrival, early (5 %)"},
    {"arrival_p95_h", ".tif", "h", "Arrival, late (95 %)"},
    {"arrival_first_h", ".tif", "h", "Arrival, earliest of all"},
    {"thickness_p95_m", ".tif", "m", "Thickness, 95 %"},
    {"thickness_p50_m", ".tif", "m", "Thickness, median"},
    {"thickness_p05_m", ".tif", "m", "Thickness, 5 %"},
    {"thickness_mean_m", ".tif", "m", "Thickness, mean"},
};
enum { FAMILIES = sizeof families / sizeof *families, NUMBER_ROOM = 24 };

/* Whether a file is of the family, and its number: 0.5 of "probability_above_0.5m.tif". */
static bool is_of(const struct family *f, const char *name, char number[NUMBER_ROOM])
{
    const size_t begin = strlen(f->begin), end = strlen(f->end), all = strlen(name);
    if (all < begin + end || strncmp(name, f->begin, begin) || strcmp(name + all - end, f->end))
        return false;
    const size_t digits = all - begin - end;
    if (digits >= NUMBER_ROOM || (digits > 0) != (strstr(f->label, "%s") != NULL)) return false;
    memcpy(number, name + begin, digits);
    number[digits] = '\0';
    return strspn(number, "0123456789.") == digits;
}

static int add_numbers(struct page *p, const char *name, double finest, int *array, struct error *e)
{
    struct raster r;
    struct page_state now = {0};
    int status = page_raster(p, name, &r, e);
    if (!status && !p->cells.at) status = page_take_cells(p, &r, e);
    if (!status)
        status = page_add_cells(p, r.value, pack_scale(0, page_most(&r), finest), NULL, &now, e);
    *array = now.array;
    free(now.quanta);
    raster_free(&r);
    return status;
}

static int add_layer(struct page *p, const struct family *f, const char *name, const char *number,
                     struct error *e)
{
    char label[64], error_name[64];
    const struct quantity *q = quantity_of(f->unit);
    int array, status = add_numbers(p, name, q->finest, &array, e);
    if (status) return status;
    const char *at = strstr(f->label, "%s");
    if (at)
        snprintf(label, sizeof label, "%.*s%s%s", (int)(at - f->label), f->label, number, at + 2);
    else snprintf(label, sizeof label, "%s", f->label);
    const int length = (int)(strlen(name) - strlen(".tif"));
    snprintf(error_name, sizeof error_name, "%.*s_error.tif", length, name);
    char plain[64];
    snprintf(plain, sizeof plain, "%.*s", length, name);
    cJSON *o = page_add_layer(p, plain, q->kind, f->unit, label, array);
    if (!runfolder_same(&p->run, error_name)) return 0;
    status = add_numbers(p, error_name, q->finest, &array, e);
    if (!status) cJSON_AddNumberToObject(o, "error", array);
    return status;
}

/* A family with numbers is as its thresholds are: in the order of these. */
static int add_family(struct page *p, const struct family *f, struct error *e)
{
    double last = -1;
    for (;;) {
        char number[NUMBER_ROOM], chosen[NUMBER_ROOM] = "";
        const char *next = NULL;
        for (int i = 0; i < p->run.count; i++) {
            if (!is_of(f, p->run.name[i], number) || !(atof(number) > last)) continue;
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

/* Further layers of an ensemble, with the words of their rows. */
static int add_others(struct page *p, struct error *e)
{
    int status = 0;
    for (int i = 0; i < p->run.count && !status; i++) {
        const char *name = p->run.name[i];
        char number[NUMBER_ROOM], label[PRODUCT_WORD];
        const struct product *row = products_find(&report_files, NULL, name);
        bool shown = !row || row->kind != PRODUCT_LAYER || text_ends(name, "_error.tif");
        for (int k = 0; k < FAMILIES && !shown; k++) shown = is_of(&families[k], name, number);
        if (shown) continue;
        snprintf(label, sizeof label, "%s", strchr(row->about, '*') ? name : row->about);
        label[0] = (char)toupper((unsigned char)label[0]);
        status = add_layer(p, &(struct family){name, "", row->unit, label}, name, "", e);
    }
    return status;
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* What the page shows of the domain, in which it has to lie. */
static bool find_window(struct window *w, const struct page *p, const struct sim_case *c)
{
    const struct problem *q = &c->problem;
    const struct raster domain = {.rows = q->rows, .cols = q->cols, .geo = c->geo},
                        grid = {.rows = p->rows, .cols = p->cols, .geo = p->geo};
    *w = (struct window){0, 0, p->rows, p->cols};
    return raster_offset(&domain, &grid, &w->row0, &w->col0) && w->row0 >= 0 && w->col0 >= 0 &&
           w->row0 + w->rows <= q->rows && w->col0 + w->cols <= q->cols;
}

static int take_case(struct page *p, const struct sim_case *c, struct error *e)
{
    struct case_cut k;
    struct window w;
    if (!p->rows) {
        p->rows = c->problem.rows;
        p->cols = c->problem.cols;
        p->geo = c->geo;
    }
    if (!find_window(&w, p, c))
        return page_note(p, "The grid of the plan has changed, so the page has no relief.", e);
    if (*c->start_time) cJSON_AddStringToObject(p->facts, "start_time", c->start_time);
    if (*c->display.note) cJSON_AddStringToObject(p->facts, "stamp", c->display.note);
    const size_t count = (size_t)p->rows * (size_t)p->cols;
    if (!(p->ground_m = malloc(count * sizeof *p->ground_m))) return error_memory(e);
    int status = case_cut(&k, c, w, e);
    if (!status) memcpy(p->ground_m, k.c.problem.elevation_m, count * sizeof *p->ground_m);
    case_cut_free(&k);
    if (!status) status = page_add_ground(p, e);
    return !status && c->outline_path ? page_add_outline(p, c->outline_path, NULL, e) : status;
}

enum { VENTS_SHOWN = 1000 };

/* By its place in the domain *c. */
static void add_vent(const struct page *p, cJSON *list, const struct sim_case *c, int row, int col)
{
    struct window w;
    find_window(&w, p, c);
    row -= w.row0;
    col -= w.col0;
    cJSON *o = json_add_object(list);
    json_add_numbers(o, {"row", row}, {"col", col});
}

static int add_plan_vents(struct page *p, const struct plan *plan, const char *path,
                          struct error *e)
{
    const uint32_t cols = (uint32_t)plan->base.problem.cols;
    struct plan_supply supply = {0};
    int status = plan_supply_create(&supply, plan, path, e);
    cJSON *list = status ? NULL : cJSON_AddArrayToObject(p->facts, "vents");
    for (int i = 0; list && i < supply.source.vents && i < VENTS_SHOWN; i++)
        add_vent(p, list, &plan->base, (int)(supply.source.vent[i] / cols),
                 (int)(supply.source.vent[i] % cols));
    if (!status) cJSON_AddBoolToObject(p->facts, "possible_vents", supply.source.chosen);
    plan_supply_free(&supply);
    return status;
}

static int take_plan(struct page *p, const struct plan *plan, const char *path, struct error *e)
{
    int status = take_case(p, &plan->base, e);
    if (!status && p->ground_m) status = add_plan_vents(p, plan, path, e);
    return !status && p->ground_m && plan->assets ? page_add_assets(p, plan->assets, e) : status;
}

/* Whether it is what the ensemble was computed from. */
static bool is_same_plan(const struct page *p, const struct plan *plan)
{
    char digest[20];
    snprintf(digest, sizeof digest, "%016" PRIx64, plan->digest);
    return p->kind != PAGE_ENSEMBLE ||
           !strcmp(digest, summary_text(p->run.summary, "plan", "digest"));
}

static int use_plan(struct page *p, const char *path, struct error *e)
{
    struct plan *plan = NULL;
    struct error why = {0};
    int status;
    if (plan_read(&plan, path, NULL, NULL, &why)) {
        if (p->o.plan) return error_input(e, "%s", why.text);
        return page_note(p,
                         "The plan could not be read, so the page has no relief, vents or places; "
                         "make it again and name the plan.",
                         e);
    }
    if (is_same_plan(p, plan)) status = take_plan(p, plan, path, e);
    else if (p->o.plan) status = error_input(e, "%s: is not the plan of %s", path, p->folder);
    else
        status = page_note(
            p, "The plan has changed since, so the page has no relief, vents or places.", e);
    plan_free(plan);
    return status;
}

/* The best is a case. */
static int use_case(struct page *p, const char *path, struct error *e)
{
    struct sim_case c;
    struct error why = {0};
    if (case_load(&c, path, &why))
        return page_note(
            p, "The best case could not be read, so the page has no relief and no vents.", e);
    int status = take_case(p, &c, e);
    cJSON *list = !status && p->ground_m ? cJSON_AddArrayToObject(p->facts, "vents") : NULL;
    for (int i = 0; list && i < c.problem.vent_count && i < VENTS_SHOWN; i++)
        add_vent(p, list, &c, c.problem.vents[i].row, c.problem.vents[i].col);
    case_free(&c);
    return status;
}

static int use_beside(struct page *p, const char *name,
                      int (*use)(struct page *, const char *, struct error *), struct error *e)
{
    char *path = text_format("%s/%s", p->folder, name);
    int status = path ? use(p, path, e) : error_memory(e);
    free(path);
    return status;
}

int page_many(struct page *p, struct error *e)
{
    static const char *const tables[] = {
        "assets.csv",      "exposed.csv", "assets_difference.csv", "named_members.csv",
        "reliability.csv", "roc.csv",     "overlap.csv",           "evaluations.csv"};
    int status = 0;
    for (int i = 0; i < FAMILIES && !status; i++) status = add_family(p, &families[i], e);
    if (!status) status = add_others(p, e);
    if (!status && p->kind == PAGE_ENSEMBLE && !p->cells.at)
        status = error_input(e, "%s: has no probability.tif; combine shards with sciara merge",
                             p->folder);
    if (!status && p->kind == PAGE_ENSEMBLE)
        status =
            use_plan(p, p->o.plan ? p->o.plan : summary_text(p->run.summary, "plan", "path"), e);
    if (!status && p->kind == PAGE_CALIBRATION) status = use_beside(p, "best.cfg", use_case, e);
    if (!status && p->kind == PAGE_POSTERIOR) status = use_beside(p, "forecast.cfg", use_plan, e);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = page_add_table(p, tables[i], false, e);
    if (!status && p->kind == PAGE_ENSEMBLE) status = page_add_table(p, "members.csv", true, e);
    return status;
}
