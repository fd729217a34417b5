/* info_plan.c — what `sciara info` says of a plan of an ensemble. */
#include "info.h"

#include "base/processors.h"
#include "ensemble/engine.h"
#include "ensemble/member.h"
#include "ensemble/plan.h"
#include "ensemble/plan_supply.h"
#include "products/summary.h"
#include "restart/json_number.h"

#include <math.h>
#include <string.h>

static void add_sources(cJSON *o, const struct plan *p)
{
    const struct plan_keys *k = &p->keys;
    const int vents = p->sources.choice.count;
    const char *from = k->vent_list     ? k->vent_list
                       : k->vent_raster ? k->vent_raster
                                        : "a grid (vent_grid_m)";
    if (p->table.count) cJSON_AddStringToObject(o, "member_table", k->member_table);
    if (vents) {
        cJSON_AddStringToObject(o, "vents_from", from);
        cJSON_AddNumberToObject(o, "vents", vents);
    } else if (p->vents.count) {
        cJSON_AddStringToObject(o, "vents_from", p->settings.vents);
    }
    if (p->settings.rates) cJSON_AddStringToObject(o, "rates", p->settings.rates);
    if (!p->classes.choice.count) return;
    cJSON *list = cJSON_AddArrayToObject(o, "classes");
    double sum = 0;
    for (int i = 0; i < p->classes.choice.count; i++) sum += p->classes.choice.share[i];
    for (int i = 0; i < p->classes.choice.count; i++) {
        const struct eruption_class *c = &p->classes.item[i];
        cJSON *item = json_add_object(list);
        cJSON_AddStringToObject(item, "class", c->name);
        json_add_numbers(item, {"probability", p->classes.choice.share[i] / sum},
                         {"volume_m3", c->volume_m3}, {"duration_h", c->duration_s / 3600});
    }
}

/* As the plan has them. */
static void add_drawn(cJSON *o, const struct plan *p)
{
    cJSON *drawn = cJSON_AddObjectToObject(o, "drawn");
    for (int i = 0; i < VARIABLES; i++) {
        const char *name = variable_row(i).name;
        if (p->keys.vary[i]) cJSON_AddStringToObject(drawn, name, p->keys.vary[i]);
        else if (p->table.has[i]) cJSON_AddStringToObject(drawn, name, "by the member table");
    }
    if (p->keys.terrain_error_m > 0) {
        json_add_numbers(drawn, {"terrain_error_m", p->keys.terrain_error_m},
                         {"terrain_error_length_m", p->keys.terrain_error_length_m});
    }
    cJSON *list = p->correlation.count ? cJSON_AddArrayToObject(o, "correlated") : NULL;
    for (int i = 0; i < p->correlation.count; i++)
        cJSON_AddItemToArray(list,
                             cJSON_CreateString(variable_row(p->correlation.variable[i]).name));
}

static void add_end(cJSON *o, const struct plan *p)
{
    const double run_h = p->keys.run_s / 3600, stop_m = p->base.problem.stop_mobile_m;
    if (run_h > 0) cJSON_AddNumberToObject(o, "run_h", run_h);
    else if (p->base.max_steps)
        cJSON_AddNumberToObject(o, "run_h",
                                (double)p->base.max_steps * p->base.problem.params.clock_s / 3600);
    if (p->base.problem.stop_when_still)
        cJSON_AddNumberToObject(o, "stop_when_mobile_below_m", stop_m);
    if (p->keys.stop_at_rest) cJSON_AddBoolToObject(o, "stop_at_rest", true);
}

static void add_list(cJSON *o, const char *name, const double *x, int count, double unit)
{
    cJSON *list = count ? cJSON_AddArrayToObject(o, name) : NULL;
    for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, cJSON_CreateNumber(x[i] / unit));
}

static void add_counted(cJSON *o, const struct plan *p)
{
    const struct plan_statistics *s = &p->statistics;
    cJSON *counted = cJSON_AddObjectToObject(o, "counted");
    add_list(counted, "exceed_m", s->threshold_m, s->threshold_count, 1);
    add_list(counted, "arrive_within_h", s->time_s, s->time_count, 3600);
    json_add_numbers(counted, {"thickness_bin_m", s->bin_m}, {"arrival_bin_h", s->bin_s / 3600});
    if (s->until_error > 0) cJSON_AddNumberToObject(counted, "until_error", s->until_error);
    if (p->keys.assets) cJSON_AddStringToObject(counted, "assets", p->keys.assets);
    if (p->settings.outline) cJSON_AddStringToObject(counted, "outline", p->settings.outline);
}

/* How sure all members together can be, and for how many at once there is memory. */
static int add_prospects(cJSON *o, const struct plan *p, const char *path, struct error *e)
{
    struct plan_supply x;
    size_t bytes;
    int threads = processors_granted();
    int status = plan_supply_create(&x, p, path, e);
    if (!status) status = engine_plan_memory(&x.source, 1, &threads, &bytes, e);
    double sum = 0, squares = 0;
    for (int64_t n = 0; !status && n < p->count; n++) {
        const double weight = (double)member_weight(p, n);
        sum += weight;
        squares += weight * weight;
    }
    plan_supply_free(&x);
    if (status) return status;
    const double effective = sum * sum / squares;
    json_add_numbers(o, {"effective_members", effective},
                     {"standard_error_at_most", 0.5 / sqrt(effective)});
    cJSON *effort = cJSON_AddObjectToObject(o, "on_this_machine");
    json_add_numbers(effort, {"threads", threads},
                     {"memory_for_counters_GiB", floor((double)bytes / 1073741824.0 * 100) / 100});
    return 0;
}

int info_plan(cJSON *o, const char *path, struct error *e)
{
    static const char *const sampling[] = {
        [SAMPLING_RANDOM] = "random", [SAMPLING_LATIN] = "latin", [SAMPLING_SOBOL] = "sobol"};
    struct plan *p;
    int status = plan_load(&p, path, e);
    if (status) return status;
    json_add_texts(o, {"kind", "plan"}, {"name", p->base.name});
    if (*p->base.notice) cJSON_AddStringToObject(o, "notice", p->base.notice);
    if (*p->base.warning) cJSON_AddStringToObject(o, "warning", p->base.warning);
    cJSON_AddStringToObject(o, "terrain", p->base.terrain_source);
    cJSON_AddBoolToObject(o, "synthetic_terrain", p->base.synthetic);
    output_list_grid(o, &p->base, NULL);
    output_list_sea(o, &p->base);
    output_list_barriers(o, &p->base);
    cJSON_AddNumberToObject(o, "members", (double)p->count);
    if (p->repeats > 1) cJSON_AddNumberToObject(o, "repeats", (double)p->repeats);
    cJSON_AddStringToObject(o, "sampling", sampling[p->keys.sampling]);
    cJSON_AddNumberToObject(o, "seed", (double)p->keys.seed);
    add_sources(o, p);
    info_understood(o, "vents_file",
                    p->sources.about.features ? &p->sources.about : &p->vents.about);
    info_understood(o, "outline_file", &p->base.outline_about);
    info_understood(o, "assets_file", &p->assets_about);
    add_drawn(o, p);
    add_end(o, p);
    add_counted(o, p);
    status = add_prospects(o, p, path, e);
    plan_free(p);
    return status;
}
