/* plan_check.c — whether what the keys of a plan say goes together. */
#include "plan_parts.h"

#include <string.h>

static int refuse(const struct plan *p, int line, const char *why, struct error *e)
{
    return error_input(e, "%s:%d: %s", p->base.path, line, why);
}

static int check_count(const struct plan *p, struct error *e)
{
    const struct plan_keys *k = &p->keys;
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
