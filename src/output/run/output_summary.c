/* output_summary.c — writes summary.json: the computation, its input, variant and results. Keys keep their order. Integers
 * that may be larger than 2^53 are decimal strings. */
#include "output.h"

#include "case/resolution.h"
#include "record/json_number.h"
#include "text/times.h"

#include <cJSON.h>
#include <math.h>

static void add_case(cJSON *root, const struct sim_case *c)
{
    cJSON *o = cJSON_AddObjectToObject(root, "case");
    json_add_texts(o, {"name", c->name}, {"title", *c->title ? c->title : c->name},
                   {"path", c->path ? c->path : ""}, {"terrain", c->terrain_source});
    cJSON_AddBoolToObject(o, "synthetic_terrain", c->synthetic);
    json_add_given(o, {"notice", c->told.notice}, {"warning", c->told.warning},
                   {"note", c->display.note}, {"start_time", c->start_time},
                   {"outline", c->outline_path}, {"assets", c->assets_path});
}

static void add_vents(cJSON *root, const struct sim_case *c)
{
    const struct problem *p = &c->problem;
    cJSON *list = cJSON_AddArrayToObject(root, "vents");
    for (int v = 0; v < p->vent_count; v++) {
        cJSON *o = json_add_object(list);
        json_add_numbers(o, {"id", p->vents[v].id}, {"row", p->vents[v].row},
                         {"col", p->vents[v].col});
        if (c->vent_spread && c->vent_spread[v]) json_add_bools(o, {"spread", true});
    }
}

/* Published arithmetic has totals in place of a ledger. */
static void add_ledger(cJSON *root, const struct sim_case *c, const struct output_summary *s,
                       double area_m2)
{
    const struct ledger *l = &s->ledger;
    cJSON *o = cJSON_AddObjectToObject(root, s->published ? "totals" : "ledger");
    cJSON_AddStringToObject(o, "quantum", "2^-36 m");
    output_list_amount(o, "initial", l->initial, area_m2);
    output_list_amount(o, "emitted", l->emitted, area_m2);
    output_list_amount(o, "mobile", l->mobile, area_m2);
    output_list_amount(o, "solidified", l->solidified, area_m2);
    output_list_amount(o, "left_domain", l->left_domain, area_m2);
    if (c->sea) output_list_amount(o, "entered_sea", l->entered_sea, area_m2);
    if (!s->published) cJSON_AddBoolToObject(o, "closed", ledger_closes(l));
    if (c->change_count || l->ground.raised || l->ground.lowered) {
        output_list_amount(o, "ground_raised", l->ground.raised, area_m2);
        output_list_amount(o, "ground_lowered", l->ground.lowered, area_m2);
    }
}

/* Published arithmetic does not count heat. */
static void add_heat_ledger(cJSON *root, const struct output_summary *s, const struct params *p)
{
    const struct heat_ledger *l = &s->ledger.heat;
    const struct {
        const char *name;
        quanta q;
    } part[] = {{"initial", l->initial},         {"emitted", l->emitted},
                {"mobile", l->mobile},           {"solidified", l->solidified},
                {"left_domain", l->left_domain}, {"cooled", l->cooled}};
    if (s->published) return;
    cJSON *o = cJSON_AddObjectToObject(root, "heat_ledger");
    cJSON_AddStringToObject(o, "quantum", "2^-40 K m");
    for (int i = 0; i < (int)(sizeof part / sizeof *part); i++) {
        cJSON *x = cJSON_AddObjectToObject(o, part[i].name);
        json_add_quanta(x, "quanta", part[i].q);
        json_add_numbers(x, {"K_m", quanta_K_m(part[i].q)}, {"J", quanta_J(part[i].q, p)});
    }
    cJSON_AddBoolToObject(o, "closed", heat_ledger_closes(l));
}

/* Adds the volume that the rates specify until the last step, and the volume that the steps emitted. */
static void add_emission(cJSON *root, const struct sim_case *c, const struct output_summary *s,
                         double area_m2)
{
    if (!c->problem.vent_count) return;
    cJSON *o = cJSON_AddObjectToObject(root, "emission");
    cJSON_AddStringToObject(o, "rule", c->emission == EMISSION_INTEGRAL ? "integral" : "published");
    json_add_numbers(o, {"asked_m3", case_asked_m3(c, c->problem.first_step + 1, s->step)},
                     {"emitted_m3", quanta_m(s->ledger.emitted) * area_m2});
}

static void add_extent(cJSON *root, const struct extent *x, double area_m2)
{
    cJSON *o = cJSON_AddObjectToObject(root, "lava");
    json_add_numbers(o, {"covered_cells", x->cells},
                     {"covered_km2", (double)x->cells * area_m2 * 1e-6}, {"runout_m", x->runout_m},
                     {"thickest_m", x->thickest_m}, {"max_thickness_m", x->max_thickness_m},
                     {"left_domain_m3", x->left.volume_m3}, {"left_domain_share", x->left.share},
                     {"front_cells", x->front.way}, {"front_cells_at_limit", x->front.at_limit});
}

/* Adds where and when lava first came to the sea. The place is the centre of the shore cell. */
static void add_sea(cJSON *root, const struct sim_case *c, const struct lava_sea *sea)
{
    const struct georef *g = &c->geo;
    const double time_s = (double)sea->step * c->problem.params.clock_s;
    char date[TIMES_TEXT];
    output_list_sea(root, c);
    cJSON *o = cJSON_GetObjectItem(root, "sea");
    if (!o) return;
    json_add_numbers(o, {"entered_m3", sea->volume_m3}, {"entered_share", sea->share});
    if (sea->step < 0) {
        cJSON_AddNullToObject(o, "first");
        return;
    }
    cJSON *first = cJSON_AddObjectToObject(o, "first");
    json_add_numbers(first, {"step", sea->step}, {"time_s", time_s});
    json_add_given(first, {"date", times_date(date, c->start_time, time_s, TIMES_ISO)});
    json_add_numbers(first, {"row", sea->row}, {"col", sea->col},
                     {"x_m", g->west_m + (sea->col + 0.5) * g->cell_m},
                     {"y_m", g->south_m + (c->problem.rows - sea->row - 0.5) * g->cell_m});
}

static void add_run(cJSON *root, const struct output_info *info, const struct sim_case *c,
                    const struct output_summary *s)
{
    const double time_s = (double)s->step * c->problem.params.clock_s;
    char date[TIMES_TEXT];
    cJSON *o = cJSON_AddObjectToObject(root, "run");
    json_add_texts(o, {"variant", info->variant}, {"device", info->device},
                   {"domain", info->full_domain ? "full" : "active"});
    json_add_numbers(o, {"threads", s->threads}, {"device_bytes", s->device_bytes},
                     {"first_step", c->problem.first_step});
    if (s->from_step >= 0) cJSON_AddNumberToObject(o, "from_step", (double)s->from_step);
    if (s->passed_over) cJSON_AddStringToObject(o, "passed_over", s->passed_over);
    json_add_numbers(o, {"step", s->step}, {"time_s", time_s});
    json_add_given(o, {"date", times_date(date, c->start_time, time_s, TIMES_ISO)});
    json_add_bools(o, {"stopped", s->stopped}, {"interrupted", s->interrupted});
}

static void add_timing(cJSON *root, const struct output_summary *s, int64_t steps)
{
    cJSON *o = cJSON_AddObjectToObject(root, "timing");
    json_add_numbers(o, {"load_s", s->load_s}, {"steps_s", s->steps_s}, {"total_s", s->total_s},
                     {"device_ms", s->device_ms});
    if (steps > 0) cJSON_AddNumberToObject(o, "us_per_step", s->steps_s * 1e6 / (double)steps);
}

static cJSON *build_summary(const struct output_info *info, const struct sim_case *c,
                            const struct output_summary *s)
{
    const double area_m2 = c->geo.cell_m * c->geo.cell_m;
    cJSON *root = cJSON_CreateObject();
    json_add_texts(root, {"software", "sciara"}, {"version", info->version});
    add_case(root, c);
    output_list_warnings(root, &s->told);
    output_list_grid(root, c, info->folder);
    output_list_parameters(root, "parameters", resolution_given(c));
    add_vents(root, c);
    add_run(root, info, c, s);
    add_ledger(root, c, s, area_m2);
    add_heat_ledger(root, s, &c->problem.params);
    add_emission(root, c, s, area_m2);
    add_extent(root, &s->extent, area_m2);
    add_sea(root, c, &s->extent.sea);
    output_list_barriers(root, c);
    output_list_changes(root, c, s->step);
    json_add_hex(root, "digest", s->digest);
    cJSON_AddStringToObject(root, "digest_of", OUTPUT_DIGEST_OF);
    if (s->states && s->states->link_count)
        cJSON_AddItemToObject(root, "states", restart_links_json(s->states));
    if (info->folder && info->folder->scale_denominator > 0) /* the scale of maps on paper */
        cJSON_AddNumberToObject(cJSON_AddObjectToObject(root, "maps"), "scale_denominator",
                                round(info->folder->scale_denominator));
    add_timing(root, s, s->step - (s->from_step >= 0 ? s->from_step : c->problem.first_step));
    return root;
}

char *output_summary_text(const struct output_info *info, const struct sim_case *c,
                          const struct output_summary *s)
{
    return output_finish_summary(build_summary(info, c, s), info);
}
