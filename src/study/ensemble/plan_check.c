/* plan_check.c — whether what the keys of a plan say goes together. */
#include "plan_parts.h"

#include <math.h>

static int refuse(const struct plan *p, int line, const char *why, struct error *e)
{
    return error_input(e, "%s:%d: %s", p->base.path, line, why);
}

/* A calibration draws nothing but the error of the terrain. */
static int check_calibration(const struct plan *p, struct error *e)
{
    const struct plan_keys *k = &p->keys;
    const int lines[] = {k->members_line,      k->repeats_line,     k->sampling_line,
                         k->member_table_line, k->correlation_line, k->vent_list_line,
                         k->vent_grid_line,    k->vent_raster_line, k->classes_line};
    int line = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines && !line; i++) line = lines[i];
    for (int i = 0; i < VARIABLES && !line; i++) line = k->vary_line[i];
    return line ? refuse(p, line,
                         "between bounds (fit_NAME) no members are drawn; take the line out, or "
                         "give fit_NAME LOW HIGH",
                         e)
                : 0;
}

static int check_count(const struct plan *p, struct error *e)
{
    const struct plan_keys *k = &p->keys;
    if (p->calibrates) return check_calibration(p, e);
    if (k->members_line && k->member_table_line)
        return refuse(p, k->members_line,
                      "members beside member_table, which has a row for each; take one of them "
                      "out, or give repeats",
                      e);
    if (k->members_line && k->repeats_line)
        return refuse(p, k->repeats_line,
                      "repeats beside members, which is the number of all; take one of them out",
                      e);
    if (k->members_line || k->member_table_line || k->vent_list_line || k->vent_grid_line ||
        k->vent_raster_line || k->classes_line)
        return 0;
    return error_input(e,
                       "%s: nothing says how many members there are; add a line such as 'members "
                       "1000', vent_list, classes or member_table",
                       p->base.path);
}

static int check_vents(const struct plan *p, struct error *e)
{
    const struct plan_keys *k = &p->keys;
    const int lists = !!k->vent_list_line + !!k->vent_grid_line + !!k->vent_raster_line;
    const int line = k->vent_list_line   ? k->vent_list_line
                     : k->vent_grid_line ? k->vent_grid_line
                                         : k->vent_raster_line;
    if (lists > 1)
        return refuse(p, line, "more than one of vent_list, vent_grid_m and vent_raster; keep one",
                      e);
    if (k->vent_grid_box_line && !k->vent_grid_line)
        return refuse(p, k->vent_grid_box_line,
                      "vent_grid_box without vent_grid_m; give the spacing", e);
    if (lists && p->settings.vents)
        return refuse(p, line,
                      "beside vents, though members erupt from these; take one of them out", e);
    return 0;
}

static int check_rates(const struct plan *p, struct error *e)
{
    const struct plan_keys *k = &p->keys;
    if (k->classes_line && p->settings.rates)
        return refuse(p, k->classes_line,
                      "classes beside rates, though they say the rates; take one of them out", e);
    if (k->classes_line && k->shape_line)
        return refuse(p, k->shape_line, "shape beside classes; give it there, in a column shape",
                      e);
    for (int i = ERUPTION_VOLUME; i <= ERUPTION_H && k->classes_line; i++)
        if (k->vary_line[i])
            return refuse(p, k->vary_line[i],
                          "beside classes, which have volumes and durations; vary rate_factor and "
                          "duration_factor",
                          e);
    if (k->shape_line && p->settings.rates)
        return refuse(p, k->shape_line,
                      "shape beside rates, whose shape is theirs; take one of them out", e);
    return 0;
}

static int check_others(const struct plan *p, struct error *e)
{
    const struct plan_keys *k = &p->keys;
    if (k->error_length_line && !k->error_line)
        return refuse(p, k->error_length_line,
                      "terrain_error_length_m without terrain_error_m; give its standard deviation",
                      e);
    if (k->run_line && k->vary_line[RUN_H])
        return refuse(p, k->run_line, "run_h beside vary_run_h; take one of them out", e);
    if (k->vary_line[0] && p->settings.first_step)
        return refuse(p, k->vary_line[0],
                      "Pclock varies, but the steps before first_step have one; give first_step 0",
                      e);
    return 0;
}

int plan_check_keys(const struct plan *p, struct error *e)
{
    int status = check_count(p, e);
    if (!status) status = check_vents(p, e);
    if (!status) status = check_rates(p, e);
    return status ? status : check_others(p, e);
}

/* ---- whether it can erupt -------------------------------------------------------------------- */

static bool all_of_one(const struct rate_series *c)
{
    return !c->count || c->interval[0].id == RATES_OF_ALL;
}

/* Members that erupt from other vents than the case has need a rate that is of no vent. */
static int check_totals(const struct plan *p, bool chosen, struct error *e)
{
    const struct rate_series *bad = NULL;
    if (!all_of_one(&p->rates)) bad = &p->rates;
    for (int i = 0; i < p->table.rates_count && !bad; i++)
        if (!all_of_one(&p->table.rates[i])) bad = &p->table.rates[i];
    if (!bad || !chosen) return 0;
    return error_input(e,
                       "%s:%d: rates of single vents, but members erupt from vents that are "
                       "chosen; give the total of all, vent *",
                       bad->path, bad->interval[0].line);
}

static int check_eruption(const struct plan *p, struct error *e)
{
    const char *path = p->base.path;
    const bool chosen = p->sources.choice.count || p->table.has_place || p->table.has_vent;
    const bool vents = p->vents.count || p->sources.choice.count || p->table.has_place;
    const bool scaled = plan_given(p, ERUPTION_VOLUME) && plan_given(p, ERUPTION_H);
    const bool rates = p->rates.count || p->classes.choice.count || p->table.has_rates || scaled;
    if (!vents && rates)
        return error_input(e,
                           "%s: no vents; add a line such as 'vents vents.csv', or vent_list, "
                           "vent_grid_m or vent_raster",
                           path);
    if (vents && !rates)
        return error_input(e,
                           "%s: no rates; add a line such as 'rates rates.csv' or 'classes "
                           "classes.csv', or vary volume_m3 and duration_h",
                           path);
    if (!vents && !p->base.thickness_m)
        return error_input(e,
                           "%s: no lava: neither vents and rates nor a thickness; add lines "
                           "such as 'vent_list vents.csv' and 'classes classes.csv'",
                           path);
    if (p->keys.shape_line && !scaled)
        return error_input(e,
                           "%s:%d: shape of what volume and duration? vary volume_m3 and "
                           "duration_h",
                           path, p->keys.shape_line);
    if (plan_given(p, ERUPTION_VOLUME) && p->rates.count && !(p->rates.volume_m3 > 0))
        return error_input(e, "%s: all rates are 0, and no volume can be made of them", path);
    if (plan_given(p, FISSURE_LENGTH) && !plan_given(p, AZIMUTH))
        return error_input(e,
                           "%s: fissures of a length need a direction; add a line such as "
                           "'vary_azimuth_deg uniform 0 180'",
                           path);
    return check_totals(p, chosen, e);
}

/* Where a vent lies in a hollow, lava stands above what it holds on a slope, hot for ever. */
static int check_rest(const struct plan *p, struct error *e)
{
    if (!p->keys.stop_at_rest) return 0;
    if (p->base.problem.stop_when_still)
        return refuse(p, p->keys.rest_line,
                      "stop_at_rest beside stop_when_mobile_below_m; take one of them out", e);
    if (p->base.max_steps || p->keys.run_s || plan_given(p, RUN_H) || p->table.has_max_steps)
        return 0;
    return refuse(p, p->keys.rest_line,
                  "lava may stay hot in a hollow at a vent for ever; give run_h or max_steps as "
                  "well",
                  e);
}

static int check_end(const struct plan *p, struct error *e)
{
    int status = check_rest(p, e);
    if (status) return status;
    if (p->base.max_steps || p->base.problem.stop_when_still || p->keys.run_s ||
        plan_given(p, RUN_H) || p->table.has_max_steps)
        return 0;
    return error_input(e,
                       "%s: nothing ends a member; give run_h, max_steps or "
                       "stop_when_mobile_below_m",
                       p->base.path);
}

/* An error of the terrain keeps it within what can be computed. */
static int check_terrain_error(const struct plan *p, struct error *e)
{
    const double most_m = QUANTILE_MOST * p->keys.terrain_error_m, cell_m = p->base.geo.cell_m;
    const size_t cells = (size_t)p->base.problem.rows * (size_t)p->base.problem.cols;
    const double length_m = p->keys.terrain_error_length_m;
    if (length_m > 0 && length_m < cell_m)
        return error_input(e,
                           "%s:%d: terrain_error_length_m is %g, less than a cell; give 0 or "
                           "%g at least",
                           p->base.path, p->keys.error_length_line, length_m, cell_m);
    if (p->table.has_terrain_seed && !p->keys.terrain_error_m)
        return error_input(e, "%s: has terrain_seed, but the plan no terrain_error_m; add it",
                           p->table.path);
    for (size_t i = 0; i < cells && most_m > 0; i++)
        if (p->base.elevation_m[i] - most_m < ELEVATION_MIN_M ||
            p->base.elevation_m[i] + most_m > ELEVATION_MAX_M)
            return error_input(e,
                               "%s:%d: terrain_error_m is %g, which can take elevations out of "
                               "%g to %g m; give less",
                               p->base.path, p->keys.error_line, p->keys.terrain_error_m,
                               ELEVATION_MIN_M, ELEVATION_MAX_M);
    return 0;
}

int plan_check_tables(const struct plan *p, struct error *e)
{
    int status = check_eruption(p, e);
    if (!status) status = check_end(p, e);
    return status ? status : check_terrain_error(p, e);
}
