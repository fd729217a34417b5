/* output_summary.c — summary.json: the computation, its input, variant and results. Keys keep their
 * order, integers that may pass 2^53 are decimal strings. */
#include "output_parts.h"

#include "case/barriers.h"
#include "case/changes.h"
#include "case/resolution.h"
#include "restart/json_number.h"
#include "text/json_clean.h"
#include "text/textfile.h"
#include "text/times.h"
#include "text/wholefile.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_case(cJSON *root, const struct sim_case *c)
{
    cJSON *o = cJSON_AddObjectToObject(root, "case");
    cJSON_AddStringToObject(o, "name", c->name);
    cJSON_AddStringToObject(o, "title", *c->title ? c->title : c->name);
    cJSON_AddStringToObject(o, "path", c->path ? c->path : "");
    cJSON_AddStringToObject(o, "terrain", c->terrain_source);
    cJSON_AddBoolToObject(o, "synthetic_terrain", c->synthetic);
    if (*c->notice) cJSON_AddStringToObject(o, "notice", c->notice);
    if (*c->warning) cJSON_AddStringToObject(o, "warning", c->warning);
    if (*c->map_note) cJSON_AddStringToObject(o, "note", c->map_note);
    if (*c->start_time) cJSON_AddStringToObject(o, "start_time", c->start_time);
    if (c->outline_path) cJSON_AddStringToObject(o, "outline", c->outline_path);
    if (c->assets_path) cJSON_AddStringToObject(o, "assets", c->assets_path);
}

void output_list_resolution(cJSON *root, const struct sim_case *c)
{
    const double clock_s = resolution_clock_s(c);
    if (c->parameter_set) cJSON_AddStringToObject(root, "parameter_set", c->parameter_set);
    if (!(c->calibrated_cell_m > 0)) return;
    cJSON *o = cJSON_AddObjectToObject(root, "resolution");
    cJSON_AddNumberToObject(o, "calibrated_cell_m", c->calibrated_cell_m);
    if (c->calibrated_clock_s > 0)
        cJSON_AddNumberToObject(o, "calibrated_clock_s", c->calibrated_clock_s);
    cJSON_AddNumberToObject(o, "Pcool_scaled", c->problem.params.cooling);
    if (clock_s > 0) cJSON_AddNumberToObject(o, "Pclock_proposed", clock_s);
}

void output_list_plan(cJSON *root, const struct sim_case *base, uint64_t digest)
{
    cJSON *o = cJSON_AddObjectToObject(root, "plan");
    cJSON_AddStringToObject(o, "name", base->name);
    cJSON_AddStringToObject(o, "title", *base->title ? base->title : base->name);
    cJSON_AddStringToObject(o, "path", base->path);
    cJSON_AddStringToObject(o, "terrain", base->terrain_source);
    cJSON_AddBoolToObject(o, "synthetic_terrain", base->synthetic);
    if (*base->warning) cJSON_AddStringToObject(o, "warning", base->warning);
    json_add_hex(o, "digest", digest);
}

void output_list_grid(cJSON *root, const struct sim_case *c)
{
    char code[24];
    cJSON *o = cJSON_AddObjectToObject(root, "grid");
    cJSON_AddNumberToObject(o, "rows", c->problem.rows);
    cJSON_AddNumberToObject(o, "cols", c->problem.cols);
    cJSON_AddNumberToObject(o, "cell_m", c->geo.cell_m);
    cJSON_AddNumberToObject(o, "west_m", c->geo.west_m);
    cJSON_AddNumberToObject(o, "south_m", c->geo.south_m);
    snprintf(code, sizeof code, "EPSG:%d", c->geo.crs.epsg);
    if (c->geo.crs.epsg) cJSON_AddStringToObject(o, "crs", code);
    else cJSON_AddNullToObject(o, "crs");
    cJSON_AddStringToObject(o, "crs_name", c->geo.crs.name);
    output_list_resolution(root, c);
}

static void add_parameters(cJSON *root, const struct params *p)
{
    cJSON *o = cJSON_AddObjectToObject(root, "parameters");
    for (int i = 0; i < PARAMETERS; i++)
        cJSON_AddNumberToObject(o, params_table[i].name, params_value(p, &params_table[i]));
}

static void add_vents(cJSON *root, const struct problem *p)
{
    cJSON *list = cJSON_AddArrayToObject(root, "vents");
    for (int v = 0; v < p->vent_count; v++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddNumberToObject(o, "id", p->vents[v].id);
        cJSON_AddNumberToObject(o, "row", p->vents[v].row);
        cJSON_AddNumberToObject(o, "col", p->vents[v].col);
        cJSON_AddItemToArray(list, o);
    }
}

static void add_amount(cJSON *ledger, const char *name, quanta q, double area_m2)
{
    char text[48];
    cJSON *o = cJSON_AddObjectToObject(ledger, name);
    cJSON_AddStringToObject(o, "quanta", quanta_text(q, text));
    cJSON_AddNumberToObject(o, "m", quanta_m(q));
    cJSON_AddNumberToObject(o, "m3", quanta_m(q) * area_m2);
}

/* In published arithmetic there is no ledger, only totals. */
static void add_ledger(cJSON *root, const struct sim_case *c, const struct output_summary *s,
                       double area_m2)
{
    const struct ledger *l = &s->ledger;
    cJSON *o = cJSON_AddObjectToObject(root, s->published ? "totals" : "ledger");
    cJSON_AddStringToObject(o, "quantum", "2^-36 m");
    add_amount(o, "initial", l->initial, area_m2);
    add_amount(o, "emitted", l->emitted, area_m2);
    add_amount(o, "mobile", l->mobile, area_m2);
    add_amount(o, "solidified", l->solidified, area_m2);
    add_amount(o, "left_domain", l->left_domain, area_m2);
    if (c->sea) add_amount(o, "entered_sea", l->entered_sea, area_m2);
    if (!s->published) cJSON_AddBoolToObject(o, "closed", ledger_closes(l));
    if (c->change_count || l->ground.raised || l->ground.lowered) {
        add_amount(o, "ground_raised", l->ground.raised, area_m2);
        add_amount(o, "ground_lowered", l->ground.lowered, area_m2);
    }
}

static void add_heat(cJSON *ledger, const char *name, quanta q, const struct params *p)
{
    char text[48];
    cJSON *o = cJSON_AddObjectToObject(ledger, name);
    cJSON_AddStringToObject(o, "quanta", quanta_text(q, text));
    cJSON_AddNumberToObject(o, "K_m", quanta_K_m(q));
    cJSON_AddNumberToObject(o, "J", quanta_J(q, p));
}

/* Published arithmetic does not count heat. */
static void add_heat_ledger(cJSON *root, const struct output_summary *s, const struct params *p)
{
    const struct heat_ledger *l = &s->ledger.heat;
    if (s->published) return;
    cJSON *o = cJSON_AddObjectToObject(root, "heat_ledger");
    cJSON_AddStringToObject(o, "quantum", "2^-40 K m");
    add_heat(o, "initial", l->initial, p);
    add_heat(o, "emitted", l->emitted, p);
    add_heat(o, "mobile", l->mobile, p);
    add_heat(o, "solidified", l->solidified, p);
    add_heat(o, "left_domain", l->left_domain, p);
    add_heat(o, "cooled", l->cooled, p);
    cJSON_AddBoolToObject(o, "closed", heat_ledger_closes(l));
}

/* What the rates ask for until the last step, and what the steps made of it. */
static void add_emission(cJSON *root, const struct sim_case *c, const struct output_summary *s,
                         double area_m2)
{
    if (!c->problem.vent_count) return;
    cJSON *o = cJSON_AddObjectToObject(root, "emission");
    cJSON_AddStringToObject(o, "rule", c->emission == EMISSION_INTEGRAL ? "integral" : "published");
    cJSON_AddNumberToObject(o, "asked_m3", case_asked_m3(c, c->problem.first_step + 1, s->step));
    cJSON_AddNumberToObject(o, "emitted_m3", quanta_m(s->ledger.emitted) * area_m2);
}

static void add_extent(cJSON *root, const struct extent *x, double area_m2)
{
    cJSON *o = cJSON_AddObjectToObject(root, "lava");
    cJSON_AddNumberToObject(o, "covered_cells", (double)x->cells);
    cJSON_AddNumberToObject(o, "covered_km2", (double)x->cells * area_m2 * 1e-6);
    cJSON_AddNumberToObject(o, "runout_m", x->runout_m); /* NaN becomes null */
    cJSON_AddNumberToObject(o, "thickest_m", x->thickest_m);
    cJSON_AddNumberToObject(o, "max_thickness_m", x->max_thickness_m);
    cJSON_AddNumberToObject(o, "left_domain_m3", x->left.volume_m3);
    cJSON_AddNumberToObject(o, "left_domain_share", x->left.share);
    cJSON_AddNumberToObject(o, "front_cells", (double)x->front.way);
    cJSON_AddNumberToObject(o, "front_cells_at_limit", (double)x->front.at_limit);
}

void output_list_changes(cJSON *root, const struct sim_case *c, int64_t end_step)
{
    cJSON *list = c->change_count ? cJSON_AddArrayToObject(root, "terrain_updates") : NULL;
    for (int i = 0; i < c->change_count; i++) {
        const struct change *x = &c->change[i];
        const int64_t step = change_step(x, &c->problem.params);
        cJSON *o = cJSON_CreateObject();
        cJSON_AddNumberToObject(o, "time_s", x->time_s);
        cJSON_AddNumberToObject(o, "after_step", (double)step);
        cJSON_AddStringToObject(o, "file", x->path);
        if (x->elevation_m) cJSON_AddBoolToObject(o, "with_lava", x->with_lava);
        else cJSON_AddNumberToObject(o, "barrier_cells", (double)x->rules);
        if (end_step >= 0) cJSON_AddBoolToObject(o, "made", step < end_step);
        cJSON_AddItemToArray(list, o);
    }
}

static void list_barrier(cJSON *list, const struct sim_case *c, const struct barrier *x)
{
    const double area_m2 = c->geo.cell_m * c->geo.cell_m;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(list, o);
    cJSON_AddStringToObject(o, "name", x->name);
    cJSON_AddNumberToObject(o, barrier_forms[x->form], x->value_m);
    cJSON_AddNumberToObject(o, "width_m", x->width_m);
    cJSON_AddNumberToObject(o, "stands_from_s", x->time_s);
    cJSON_AddNumberToObject(o, "length_m", x->length_m);
    cJSON_AddNumberToObject(o, "cells", x->cells);
    cJSON_AddNumberToObject(o, "fill_m3", quanta_m(x->raised) * area_m2);
    cJSON_AddNumberToObject(o, "excavation_m3", quanta_m(x->lowered) * area_m2);
}

void output_list_barriers(cJSON *root, const struct sim_case *c)
{
    const struct barriers *b = c->barriers;
    if (!b) return;
    cJSON *o = cJSON_AddObjectToObject(root, "barriers");
    cJSON_AddStringToObject(o, "file", b->path);
    cJSON *list = cJSON_AddArrayToObject(o, "items");
    for (int i = 0; i < b->count; i++) list_barrier(list, c, &b->item[i]);
    cJSON *first = cJSON_AddObjectToObject(o, "at_the_beginning");
    cJSON_AddNumberToObject(first, "cells", b->cells);
    add_amount(first, "fill", b->built.raised, c->geo.cell_m * c->geo.cell_m);
    add_amount(first, "excavation", b->built.lowered, c->geo.cell_m * c->geo.cell_m);
}

void output_list_sea(cJSON *root, const struct sim_case *c)
{
    if (!c->sea) return;
    cJSON *o = cJSON_AddObjectToObject(root, "sea");
    cJSON_AddNumberToObject(o, "level_m", c->sea_level_m);
    cJSON_AddNumberToObject(o, "cells", (double)c->sea_cells);
}

/* Where and when lava first came to it: the centre of the cell on the shore. */
static void add_sea(cJSON *root, const struct sim_case *c, const struct lava_sea *sea)
{
    const struct georef *g = &c->geo;
    const double time_s = (double)sea->step * c->problem.params.clock_s;
    char date[TIMES_TEXT];
    output_list_sea(root, c);
    cJSON *o = cJSON_GetObjectItem(root, "sea");
    if (!o) return;
    cJSON_AddNumberToObject(o, "entered_m3", sea->volume_m3);
    cJSON_AddNumberToObject(o, "entered_share", sea->share);
    if (sea->step < 0) {
        cJSON_AddNullToObject(o, "first");
        return;
    }
    cJSON *first = cJSON_AddObjectToObject(o, "first");
    cJSON_AddNumberToObject(first, "step", (double)sea->step);
    cJSON_AddNumberToObject(first, "time_s", time_s);
    if (*times_date(date, c->start_time, time_s, TIMES_ISO))
        cJSON_AddStringToObject(first, "date", date);
    cJSON_AddNumberToObject(first, "row", sea->row);
    cJSON_AddNumberToObject(first, "col", sea->col);
    cJSON_AddNumberToObject(first, "x_m", g->west_m + (sea->col + 0.5) * g->cell_m);
    cJSON_AddNumberToObject(first, "y_m",
                            g->south_m + (c->problem.rows - sea->row - 0.5) * g->cell_m);
}

static void add_run(cJSON *root, const struct output_info *info, const struct sim_case *c,
                    const struct output_summary *s)
{
    const double time_s = (double)s->step * c->problem.params.clock_s;
    char date[TIMES_TEXT];
    cJSON *o = cJSON_AddObjectToObject(root, "run");
    cJSON_AddStringToObject(o, "variant", info->variant);
    cJSON_AddStringToObject(o, "device", info->device);
    cJSON_AddStringToObject(o, "domain", info->full_domain ? "full" : "active");
    cJSON_AddNumberToObject(o, "threads", s->threads);
    cJSON_AddNumberToObject(o, "device_bytes", (double)s->device_bytes);
    cJSON_AddNumberToObject(o, "first_step", (double)c->problem.first_step);
    if (s->from_step >= 0) cJSON_AddNumberToObject(o, "from_step", (double)s->from_step);
    if (s->passed_over) cJSON_AddStringToObject(o, "passed_over", s->passed_over);
    cJSON_AddNumberToObject(o, "step", (double)s->step);
    cJSON_AddNumberToObject(o, "time_s", time_s);
    if (*times_date(date, c->start_time, time_s, TIMES_ISO))
        cJSON_AddStringToObject(o, "date", date);
    cJSON_AddBoolToObject(o, "stopped", s->stopped);
    cJSON_AddBoolToObject(o, "interrupted", s->interrupted);
}

static void add_timing(cJSON *root, const struct output_summary *s, int64_t steps)
{
    cJSON *o = cJSON_AddObjectToObject(root, "timing");
    cJSON_AddNumberToObject(o, "load_s", s->load_s);
    cJSON_AddNumberToObject(o, "steps_s", s->steps_s);
    cJSON_AddNumberToObject(o, "total_s", s->total_s);
    cJSON_AddNumberToObject(o, "device_ms", s->device_ms);
    if (steps > 0) cJSON_AddNumberToObject(o, "us_per_step", s->steps_s * 1e6 / (double)steps);
}

static void list_files(cJSON *root, const struct output_folder *f)
{
    char digits[9];
    cJSON *list = cJSON_AddArrayToObject(root, "files");
    for (int i = 0; i < f->count; i++) {
        cJSON *o = cJSON_CreateObject();
        snprintf(digits, sizeof digits, "%08" PRIx32, f->file[i].sum.crc32);
        cJSON_AddStringToObject(o, "name", f->file[i].name);
        cJSON_AddNumberToObject(o, "bytes", (double)f->file[i].sum.bytes);
        cJSON_AddStringToObject(o, "crc32", digits);
        cJSON_AddItemToArray(list, o);
    }
}

/* The length of a map on paper, not the scale of its colours. */
static void add_maps(cJSON *root, const struct output_folder *f)
{
    if (!f || !(f->scale_denominator > 0)) return;
    cJSON *o = cJSON_AddObjectToObject(root, "maps");
    cJSON_AddNumberToObject(o, "scale_denominator", round(f->scale_denominator));
}

static cJSON *build(const struct output_info *info, const struct sim_case *c,
                    const struct output_summary *s)
{
    const double area_m2 = c->geo.cell_m * c->geo.cell_m;
    char digest[20];
    cJSON *root = cJSON_CreateObject();
    snprintf(digest, sizeof digest, "%016" PRIx64, s->digest);
    cJSON_AddStringToObject(root, "software", "sciara");
    cJSON_AddStringToObject(root, "version", info->version);
    add_case(root, c);
    output_list_grid(root, c);
    add_parameters(root, resolution_given(c));
    add_vents(root, &c->problem);
    add_run(root, info, c, s);
    add_ledger(root, c, s, area_m2);
    add_heat_ledger(root, s, &c->problem.params);
    add_emission(root, c, s, area_m2);
    add_extent(root, &s->extent, area_m2);
    add_sea(root, c, &s->extent.sea);
    output_list_barriers(root, c);
    output_list_changes(root, c, s->step);
    cJSON_AddStringToObject(root, "digest", digest);
    if (s->states && s->states->link_count)
        cJSON_AddItemToObject(root, "states", restart_links_json(s->states));
    add_maps(root, info->folder);
    add_timing(root, s, s->step - (s->from_step >= 0 ? s->from_step : c->problem.first_step));
    return root;
}

char *output_finish_summary(cJSON *root, const struct output_info *info)
{
    if (info->folder) {
        list_files(root, info->folder);
        output_list_failures(root, info->folder);
    }
    return json_printed(root);
}

char *output_summary_text(const struct output_info *info, const struct sim_case *c,
                          const struct output_summary *s)
{
    return output_finish_summary(build(info, c, s), info);
}
