/* report_summary.c — summary.json of an ensemble. Integers that may pass 2^53 are decimal strings.
 */
#include "report.h"

#include "products/summary.h"
#include "restart/json_number.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void add_plan(cJSON *root, const struct ensemble *s)
{
    const struct sim_case *c = s->source->base;
    cJSON *o = cJSON_AddObjectToObject(root, "plan");
    json_add_texts(o, {"name", c->name}, {"title", *c->title ? c->title : c->name},
                   {"path", s->source->path}, {"terrain", c->terrain_source});
    cJSON_AddBoolToObject(o, "synthetic_terrain", c->synthetic);
    if (*c->notice) cJSON_AddStringToObject(o, "notice", c->notice);
    if (*c->warning) cJSON_AddStringToObject(o, "warning", c->warning);
    if (s->source->known) cJSON_AddStringToObject(o, "known_exactly", s->source->known);
    if (c->outline_path) cJSON_AddStringToObject(o, "outline", c->outline_path);
    if (s->source->assets) cJSON_AddStringToObject(o, "assets", s->source->assets);
    json_add_hex(o, "digest", s->source->digest);
}

static void add_list(cJSON *o, const char *name, const double *x, int count, double unit)
{
    cJSON *list = cJSON_AddArrayToObject(o, name);
    for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, cJSON_CreateNumber(x[i] / unit));
}

static void add_counted(cJSON *o, const struct product_at *at)
{
    const struct ensemble *s = ((const struct report_view *)at->of)->s;
    const struct statistics_request *w = &s->source->request;
    if (w->medians) cJSON_AddStringToObject(o, "thickness_of", "medians");
    add_list(o, "thickness_above_m", w->threshold_m, w->threshold_count, 1);
    add_list(o, "arrival_within_h", w->time_s, w->time_count, 3600);
    json_add_numbers(o, {"thickness_resolution_m", w->thickness_step_m},
                     {"arrival_resolution_h", w->arrival_step_s / 3600},
                     {"thickness_up_to_m", s->thickness_m.edge[s->thickness_m.edges - 1]},
                     {"arrival_up_to_h", s->arrival_s.edge[s->arrival_s.edges - 1] / 3600});
}

/* Members beyond the last edge are counted, but not how far beyond. */
static void add_beyond(cJSON *o, const struct statistics *x)
{
    uint64_t thicker = 0, later = 0;
    STATISTICS_EACH (x, i, c) {
        thicker += c[x->thickness_classes - 1] > 0;
        later += c[x->thickness_classes + x->arrival_classes - 1] > 0;
    }
    json_add_numbers(o, {"cells_thicker_than_counted", thicker},
                     {"cells_later_than_counted", later});
}

static void add_members(cJSON *o, const struct product_at *at)
{
    const struct report *r = ((const struct report_view *)at->of)->r;
    const struct ensemble *s = r->s;
    json_add_numbers(o, {"planned", s->source->count}, {"done", s->done});
    cJSON_AddStringToObject(o, "end", r->end);
    if (r->question) cJSON_AddStringToObject(o, "question", r->question);
    if (s->shard.count > 1) {
        char text[32];
        snprintf(text, sizeof text, "%d/%d", s->shard.index, s->shard.count);
        cJSON_AddStringToObject(o, "shard", text);
    }
    if (s->until_error > 0) cJSON_AddNumberToObject(o, "until_error", s->until_error);
    const struct fields *from = s->source->base->problem.from;
    if (from) cJSON_AddNumberToObject(o, "from_step", (double)from->step);
    char weight[32];
    snprintf(weight, sizeof weight, "%" PRIu64, s->cells.weight);
    cJSON_AddStringToObject(o, "weight", weight);
    cJSON_AddNumberToObject(o, "effective", statistics_effective(&s->cells));
    int64_t warned = 0, stopped = 0, left = 0, sea = 0;
    for (int64_t i = 0; i < s->source->count; i++) {
        warned += s->result[i].notice != NULL;
        stopped += s->result[i].stopped;
        left += member_off_terrain(&s->result[i]);
        sea += s->result[i].into_sea;
    }
    json_add_numbers(o, {"with_notice", warned}, {"at_rest", stopped}, {"off_terrain", left});
    if (s->source->base->sea) cJSON_AddNumberToObject(o, "into_sea", (double)sea);
}

static void add_lava(cJSON *o, const struct product_at *at)
{
    const struct ensemble *s = ((const struct report_view *)at->of)->s;
    const struct statistics *x = &s->cells;
    const double area_km2 = s->source->base->geo.cell_m * s->source->base->geo.cell_m * 1e-6;
    double most = 0, expected = 0, error = 0;
    uint64_t cells = 0;
    STATISTICS_EACH (x, i, c) {
        const uint64_t came = statistics_reached(x, c);
        if (!came) continue;
        const double p = statistics_probability(x, came);
        cells++;
        expected += p;
        most = fmax(most, p);
        error = fmax(error, statistics_error(x, came));
    }
    json_add_numbers(o, {"cells", cells}, {"area_km2", (double)cells * area_km2},
                     {"expected_area_km2", expected * area_km2}, {"largest_probability", most},
                     {"largest_error", error});
    add_beyond(o, x);
}

static void add_null(cJSON *o, const struct product_at *at)
{
    const struct report *r = ((const struct report_view *)at->of)->r;
    report_add_null(o, r->null);
}

static void add_persistence(cJSON *o, const struct product_at *at)
{
    report_add_null(o, ((const struct report_view *)at->of)->r->persistence);
}

static void add_shares(cJSON *o, const struct report *r)
{
    cJSON *members = cJSON_AddArrayToObject(o, "members_of_each");
    cJSON *idle = cJSON_AddArrayToObject(o, "idle_s_of_each");
    for (int i = 0; i < r->shares; i++) {
        cJSON_AddItemToArray(members, cJSON_CreateNumber((double)r->share[i].members));
        cJSON_AddItemToArray(idle, cJSON_CreateNumber(r->share[i].idle_s));
    }
}

static void add_timing(cJSON *root, const struct report *r)
{
    cJSON *o = cJSON_AddObjectToObject(root, "timing");
    json_add_numbers(o, {"load_s", r->job->load_s}, {"compute_s", r->job->compute_s},
                     {"total_s", r->job->total_s}, {"threads", r->threads},
                     {"devices", r->devices});
    if (r->ranks) cJSON_AddNumberToObject(o, "ranks", r->ranks);
    if (r->shares) add_shares(o, r);
    if (!r->devices) return;
    json_add_numbers(o, {"cell_updates", r->counts->updates},
                     {"members_with_larger_shares", r->counts->larger},
                     {"members_by_the_reference", r->counts->reference});
}

void report_add_forecast(cJSON *root, const struct report *r)
{
    const struct report_view view = {.r = r, .s = r->s};
    const struct product_at at = {.of = &view};
    add_members(cJSON_AddObjectToObject(root, "members"), &at);
    if (r->s->outline) report_add_verification(cJSON_AddObjectToObject(root, "verification"), &at);
}

static const struct product entries[] = {
    {PRODUCT_ENTRY, "counted", PRODUCT_COUNT(struct report_view, lava), .entry = add_counted},
    {PRODUCT_ENTRY, "null", PRODUCT_COUNT(struct report_view, has_null), .entry = add_null},
    {PRODUCT_ENTRY, "persistence", PRODUCT_COUNT(struct report_view, has_persistence),
     .entry = add_persistence},
    {PRODUCT_ENTRY, "members", .entry = add_members},
    {PRODUCT_ENTRY, "lava", .entry = add_lava},
    {PRODUCT_ENTRY, "verification", PRODUCT_COUNT(struct report_view, has_outline),
     .entry = report_add_verification},
    {PRODUCT_ENTRY, "discrepancy", PRODUCT_COUNT(struct report_view, has_discrepancy),
     .entry = report_add_discrepancy},
};

char *report_summary_text(const struct report *r)
{
    static const struct product_table table = {PRODUCT_TABLE_OF(entries)};
    const struct report_view view = {.r = r,
                                     .s = r->s,
                                     .lava = !report_of_paths(r),
                                     .has_null = r->null != NULL,
                                     .has_persistence = r->persistence != NULL,
                                     .has_outline = r->s->outline != NULL,
                                     .has_discrepancy = report_has_discrepancy(r->s)};
    const struct products p = {.info = &r->job->info,
                               .of = &view,
                               .table = &table,
                               .kind = report_of_paths(r) ? "null" : "ensemble"};
    cJSON *root = products_summary(&p);
    add_plan(root, r->s);
    output_list_grid(root, r->s->source->base, r->job->info.folder);
    products_entries(root, &p);
    for (const struct product_table *t = r->also; t && t != &report_files; t = t->next)
        products_entries(root, &(struct products){.info = p.info, .of = r->also_of, .table = t});
    json_add_hex(root, "digest", r->digest);
    add_timing(root, r);
    return output_finish_summary(root, p.info);
}
