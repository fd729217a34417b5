/* info.c — describes files as the program reads them, in a JSON tree. */
#include "inside.h"
#include "library.h"

#include "base/processors.h"
#include "case/barriers.h"
#include "case/case_background.h"
#include "case/resolution.h"
#include "compare/outline.h"
#include "record/runfolder.h"
#include "ensemble/engine.h"
#include "hazard/hazard.h"
#include "plan/plan.h"
#include "plan/plan_supply.h"
#include "products/summary.h"
#include "raster/geotiff_crs.h"
#include "raster/projection.h"
#include "raster/raster.h"
#include "record/json_number.h"
#include "text/textfile.h"
#include "verify/domain.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- parts for several kinds of files -------------------------------------------------------- */

/* Adds a length as "cell_m", or as "cell_deg" if the CRS has longitudes and latitudes. */
static void add_length(cJSON *o, const char *name, bool degrees, double value)
{
    char key[16];
    snprintf(key, sizeof key, "%s_%s", name, degrees ? "deg" : "m");
    cJSON_AddNumberToObject(o, key, value);
}

/* Adds a grid. scale: metres of the CRS per metre on the ground; scale.least 0: not known. */
static void add_grid(cJSON *o, int rows, int cols, const struct georef *geo,
                     struct ground_scale scale, bool raster)
{
    char code[24];
    json_add_numbers(o, {"rows", rows}, {"cols", cols});
    const bool degrees = raster && geo->crs.geographic;
    add_length(o, "cell", degrees, geo->cell_m);
    add_length(o, "west", degrees, geo->west_m);
    add_length(o, "south", degrees, geo->south_m);
    add_length(o, "east", degrees, geo->west_m + cols * geo->cell_m);
    add_length(o, "north", degrees, geo->south_m + rows * geo->cell_m);
    const int epsg = degrees ? geo->crs.epsg_degrees : geo->crs.epsg;
    snprintf(code, sizeof code, "EPSG:%d", epsg);
    if (epsg) cJSON_AddStringToObject(o, "crs", code);
    else if (geo->crs.key_count) cJSON_AddStringToObject(o, "crs", "user-defined");
    else cJSON_AddNullToObject(o, "crs");
    if (*geo->crs.name) cJSON_AddStringToObject(o, "crs_name", geo->crs.name);
    if (degrees) cJSON_AddBoolToObject(o, "geographic", true);
    if (scale.least > 0) {
        json_add_numbers(o, {"crs_scale_least", scale.least},
                         {"crs_scale_greatest", scale.greatest});
    } else if (raster && geotiff_crs_projected(&geo->crs)) {
        cJSON_AddStringToObject(o, "crs_scale", "cannot be computed here");
    }
}

struct range {
    double low, high, sum;
    size_t count, positive, none;
};

static void extend_range(struct range *r, const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(value[i])) {
            r->none++;
            continue;
        }
        r->low = r->count ? fmin(r->low, value[i]) : value[i];
        r->high = r->count ? fmax(r->high, value[i]) : value[i];
        r->count++;
        r->positive += value[i] > 0;
        r->sum += value[i];
    }
}

static void list_range(cJSON *parent, const char *name, const struct range *r)
{
    cJSON *o = cJSON_AddObjectToObject(parent, name);
    json_add_numbers(o, {"cells_with_data", r->count}, {"cells_without_data", r->none},
                     {"cells_above_0", r->positive});
    if (r->count == 0) return;
    json_add_numbers(o, {"least", r->low}, {"greatest", r->high},
                     {"mean", r->sum / (double)r->count}, {"sum", r->sum});
}

static void add_range(cJSON *parent, const char *name, const double *value, size_t n)
{
    struct range r = {0};
    if (!value) return;
    extend_range(&r, value, n);
    list_range(parent, name, &r);
}

/* ---- vector files -------------------------------------------------------------------------------- */

static void add_vector_counts(cJSON *o, const struct vectors_about *a)
{
    static const char *const names[VECTOR_KINDS] = {"points", "lines", "polygons"};
    json_add_given(o, {"layer", a->layer});
    cJSON_AddNumberToObject(o, "features", a->features);
    if (a->empty) cJSON_AddNumberToObject(o, "features_without_geometry", a->empty);
    for (int k = 0; k < VECTOR_KINDS; k++)
        if (a->count[k]) cJSON_AddNumberToObject(o, names[k], a->count[k]);
    cJSON_AddStringToObject(o, "crs", a->crs);
}

static void add_reach(cJSON *o, const struct vectors_about *a)
{
    json_add_numbers(o, {"west", a->west}, {"south", a->south}, {"east", a->east},
                     {"north", a->north});
}

/* Adds an object about a vector file that a case names. Adds nothing if the case names none. */
static void add_understood(cJSON *parent, const char *name, const struct vectors_about *a)
{
    if (!a->features) return;
    cJSON *o = cJSON_AddObjectToObject(parent, name);
    add_vector_counts(o, a);
    cJSON_AddStringToObject(o, "projected_to",
                            *a->projected_to ? a->projected_to : "nothing: as it stands");
    if (*a->assumed) cJSON_AddStringToObject(o, "assumed", a->assumed);
    add_reach(o, a);
    if (a->count[VECTOR_LINE]) cJSON_AddNumberToObject(o, "length_m", a->size[VECTOR_LINE]);
    if (a->count[VECTOR_AREA]) cJSON_AddNumberToObject(o, "area_m2", a->size[VECTOR_AREA]);
    cJSON_AddNumberToObject(o, "outside_share", vectors_lost_share(a));
    if (a->outside) cJSON_AddNumberToObject(o, "features_outside", a->outside);
}

static void add_background(cJSON *o, const struct sim_case *c)
{
    cJSON *list = c->background ? cJSON_AddArrayToObject(o, "background") : NULL;
    for (int i = 0; list && i < c->background->files; i++) {
        cJSON *of = json_add_object(list);
        cJSON_AddStringToObject(of, "path", c->background->file[i].path);
        cJSON_AddNumberToObject(of, "features", c->background->file[i].about.features);
    }
}

static int describe_vectors(cJSON *o, const char *path, struct error *e)
{
    FREED_BY(vectors_free) struct vectors v = {0};
    const int status = vectors_read(&v, path, NULL, VECTORS_TAKE_ALL, NULL, e);
    if (status) return status;
    cJSON_AddStringToObject(o, "kind", "vectors");
    add_vector_counts(o, &v.about);
    add_reach(o, &v.about);
    return 0;
}

/* ---- rasters, states, cases ---------------------------------------------------------------------- */

/* Adds statistics of all values, and reads the file by groups of rows. */
static int add_values(cJSON *o, struct raster_file *f, struct error *e)
{
    enum { ROWS = 256 }; /* most tiles have at most this many rows */
    const struct raster *head = raster_head(f);
    const size_t cols = (size_t)head->cols;
    struct range range = {0};
    FREED double *value = malloc(ROWS * cols * sizeof *value);
    int status = value ? 0 : error_memory(e);
    for (int row = 0; row < head->rows && !status; row += ROWS) {
        const int rows = head->rows - row < ROWS ? head->rows - row : ROWS;
        const struct raster_cells to = {{row, 0, rows, head->cols}, value, cols};
        status = raster_read_window(f, &to, NULL, e);
        if (!status) extend_range(&range, value, (size_t)rows * cols);
    }
    if (!status) list_range(o, "values", &range);
    return status;
}

static int describe_raster(cJSON *o, const char *path, struct error *e)
{
    struct raster_file *f;
    int status = raster_open(&f, path, RASTER_ANY_SIZE, NULL, e);
    if (status) return status;
    const struct raster *r = raster_head(f);
    struct ground_scale scale = {0};
    if (!geotiff_crs_projected(&r->geo.crs) || !projection_scale(&scale, &r->geo, r->rows, r->cols))
        scale.least = 0;
    cJSON_AddStringToObject(o, "kind", "raster");
    add_grid(o, r->rows, r->cols, &r->geo, scale, true);
    cJSON_AddNumberToObject(o, "bands", r->band_count); /* only the first band is read */
    cJSON_AddNumberToObject(o, "nodata", r->nodata);
    cJSON_AddStringToObject(o, "unit",
                            *r->unit            ? r->unit
                            : *r->vertical.unit ? r->vertical.unit
                                                : "not declared (heights: metre)");
    json_add_given(o, {"vertical_crs", r->vertical.name}, {"terrain", r->terrain_source});
    status = add_values(o, f, e);
    raster_close(f);
    return status;
}

static int describe_state(cJSON *o, const char *path, struct error *e)
{
    FREED_BY(restart_free) struct restart r = {0};
    FREED_BY(fields_free) struct fields f = {0};
    const int status = restart_read(&r, &f, path, e);
    if (status) return status;
    const size_t n = (size_t)f.window.rows * (size_t)f.window.cols;
    FREED_BY(json_free_at) cJSON *said = restart_json(&r, &f);
    cJSON_AddStringToObject(o, "kind", "state");
    for (cJSON *item; (item = cJSON_DetachItemFromArray(said, 0));)
        /* cJSON copies the name before it frees item->string. */
        cJSON_AddItemToObject(o, item->string, item);
    add_range(o, "thickness", f.thickness_m, n);
    add_range(o, "solidified", f.solid_m, n);
    add_range(o, "max_thickness", f.max_thickness_m, n);
    return 0;
}

/* Adds the date of the end of a step, if the case has start_time. Step 0 has no date. */
static void add_date(cJSON *o, const char *key, const struct sciara_case_info *info, int64_t step)
{
    char date[TIMES_TEXT];
    times_date(date, info->start_time, (double)step * info->parameters.Pclock, TIMES_ISO);
    if (step && *date) cJSON_AddStringToObject(o, key, date);
}

static void add_vents(cJSON *parent, const sciara_case *c, const struct sciara_case_info *info)
{
    const double cell = info->cell_m, north = info->south_m + info->rows * cell;
    cJSON *list = cJSON_AddArrayToObject(parent, "vents");
    for (int i = 0; i < info->vent_count; i++) {
        struct sciara_vent vent;
        double volume_m3;
        sciara_case_vent(c, i, &vent, &volume_m3);
        cJSON *o = json_add_object(list);
        json_add_numbers(o, {"id", vent.id}, {"row", vent.row}, {"col", vent.col},
                         {"x_m", info->west_m + (vent.col + 0.5) * cell},
                         {"y_m", north - (vent.row + 0.5) * cell}, {"volume_m3", volume_m3});
    }
    if (info->vent_count)
        cJSON_AddStringToObject(parent, "emission",
                                info->emission == SCIARA_EMISSION_INTEGRAL ? "integral"
                                                                           : "published");
    json_add_numbers(parent, {"volume_asked_m3", info->asked_m3},
                     /* A vent that never stops has an infinite volume, which becomes null. */
                     {"volume_m3", info->volume_m3}, {"last_vent_step", info->last_vent_step});
    add_date(parent, "last_vent_date", info, info->last_vent_step);
}

static void add_steps(cJSON *o, const struct sciara_case_info *info)
{
    const bool rule = info->stop_below_m >= 0;
    json_add_numbers(o, {"first_step", info->first_step}, {"max_steps", info->max_steps});
    if (info->max_steps)
        cJSON_AddNumberToObject(o, "run_h",
                                (double)info->max_steps * info->parameters.Pclock / 3600);
    add_date(o, "end_date", info, info->max_steps);
    json_add_numbers(o, {"snapshot_every", info->snapshot_every},
                     {"reduce_every", info->reduce_every});
    cJSON_AddBoolToObject(o, "stop_when_still", rule);
    cJSON_AddNumberToObject(o, "stop_mobile_m", rule ? info->stop_below_m : 0);
}

/* Adds the volume that the vents emit in the steps of the run, if the whole eruption has another volume. */
static void add_volume_of_steps(cJSON *o, const sciara_case *c, const struct sciara_case_info *info)
{
    double asked_m3, emitted_m3;
    sciara_case_volume(c, info->first_step, info->max_steps ? info->max_steps : INT64_MAX,
                       &asked_m3, &emitted_m3);
    if (asked_m3 == info->asked_m3 && emitted_m3 == info->volume_m3) return;
    json_add_numbers(o, {"volume_of_steps_asked_m3", asked_m3}, {"volume_of_steps_m3", emitted_m3});
}

/* Adds the outline. An invalid outline is an error, as in a run. within: cells of a plan on which forecasts are
 * verified; NULL: a case. */
static int add_outline(cJSON *o, const struct sim_case *c, const struct domain_within *within,
                       struct error *e)
{
    FREED_BY(domain_free) struct domain domain = {0};
    FREED unsigned char *inside = NULL;
    double beyond_m2;
    size_t cells = 0;
    if (!c->outline_path) return 0;
    const struct problem *p = &c->problem;
    int status =
        outline_read_beyond(&inside, &beyond_m2, c->outline_path, p->rows, p->cols, &c->geo, e);
    if (!status && within) status = domain_create(&domain, within, inside, p, &c->geo, c->path, e);
    if (status) return status;
    for (size_t i = 0; i < (size_t)p->rows * (size_t)p->cols; i++) cells += inside[i] != 0;
    const double on_grid_m2 = (double)cells * c->geo.cell_m * c->geo.cell_m;
    cJSON_AddStringToObject(o, "outline", c->outline_path);
    json_add_numbers(o, {"outline_cells", cells},
                     {"outline_outside_share", beyond_m2 / (beyond_m2 + on_grid_m2)});
    add_understood(o, "outline_file", &c->outline_about);
    return 0;
}

/* Adds the reason if a valid case cannot be run. For example, an original case has no last step until the command line
 * gives one. */
static void add_refusal(cJSON *o, const sciara_case *c)
{
    struct sciara_options usual;
    struct error why;
    sciara_options_init(&usual, sizeof usual);
    if (case_check_end(c, &usual, &why)) cJSON_AddStringToObject(o, "run_refuses", why.text);
}

static int describe_case(cJSON *o, const char *path, const struct sciara_watcher *watcher,
                         struct error *e)
{
    sciara_case *c;
    struct sciara_case_info info;
    struct sciara_error why;
    if (sciara_case_load(&c, path, NULL, watcher, &why)) return error_of_sciara(&why, e);
    const struct sim_case *in = &c->c;
    sciara_case_info(c, &info);
    const size_t n = (size_t)info.rows * (size_t)info.cols;
    const struct ground_scale scale = {info.crs_scale_least, info.crs_scale_greatest, 0, 0};
    json_add_texts(o, {"kind", info.original ? "original case" : "case"}, {"name", info.name});
    json_add_given(o, {"notice", info.notice}, {"warning", info.warning});
    cJSON_AddStringToObject(o, "terrain", info.terrain_source);
    cJSON_AddBoolToObject(o, "synthetic_terrain", info.synthetic);
    json_add_given(o, {"start_time", info.start_time});
    const int status = add_outline(o, in, NULL, e);
    add_grid(o, info.rows, info.cols, &in->geo, scale, false);
    cJSON_AddStringToObject(o, "height_unit", info.height_unit);
    if (in->tiles) cJSON_AddBoolToObject(o, "terrain_read_where_needed", true);
    else add_range(o, "elevation_m", info.elevation_m, n);
    output_list_sea(o, in);
    output_list_barriers(o, in);
    if (in->assets) {
        cJSON_AddStringToObject(o, "assets", in->assets_path);
        cJSON_AddNumberToObject(o, "assets_on_terrain", in->assets->count);
        add_understood(o, "assets_file", &in->assets->about);
    }
    if (in->barriers) add_understood(o, "barriers_file", &in->barriers->from.about);
    add_background(o, in);
    output_list_changes(o, in, -1);
    add_range(o, "thickness_m", info.thickness_m, n);
    add_range(o, "temperature_K", info.temperature_K, n);
    add_range(o, "solidified_m", info.solidified_m, n);
    output_list_parameters(o, "parameters", resolution_given(in));
    output_list_resolution(o, in);
    add_understood(o, "vents_file", &in->vents_about);
    add_vents(o, c, &info);
    add_steps(o, &info);
    add_volume_of_steps(o, c, &info);
    if (!status && !info.original) add_refusal(o, c);
    sciara_case_free(c);
    return status;
}

/* ---- plans --------------------------------------------------------------------------------------- */

static void add_sources(cJSON *o, const struct plan *p)
{
    const struct plan_keys *k = &p->keys;
    const int vents = p->sources.choice.count;
    const char *from =
        k->vent_list     ? k->vent_list
        : k->vent_raster ? k->vent_raster
        : p->hazard ? (k->hazard.opening.vents ? k->hazard.opening.vents : k->hazard.opening.raster)
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

/* Adds each property that the members draw, with the text that the plan has for it. */
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
        if (isfinite(p->keys.terrain_error_hurst))
            json_add_numbers(drawn, {"terrain_error_hurst", p->keys.terrain_error_hurst});
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

static void add_counted(cJSON *o, const struct plan *p)
{
    const struct plan_statistics *s = &p->keys.statistics;
    cJSON *counted = cJSON_AddObjectToObject(o, "counted");
    const struct plan_list *above = &s->exceed_m, *within = &s->arrive_s;
    if (above->count) json_add_values(counted, "exceed_m", above->value, above->count, 1);
    if (within->count)
        json_add_values(counted, "arrive_within_h", within->value, within->count, 3600);
    json_add_numbers(counted, {"thickness_bin_m", s->bin_m}, {"arrival_bin_h", s->bin_s / 3600});
    if (s->until_error > 0) cJSON_AddNumberToObject(counted, "until_error", s->until_error);
    json_add_given(counted, {"assets", p->keys.assets});
}

/* Adds a bound for the standard error of a probability from all members. Adds the number of threads on this machine,
 * and the memory that they need. */
static int add_prospects(cJSON *o, const struct plan *p, struct error *e)
{
    struct plan_supply x;
    size_t bytes;
    int threads = processors_granted();
    int status = plan_supply_create(&x, p, e);
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

/* Checks the file of an observation, as far as this is possible before members are computed. */
static int check_seen_file(const struct plan *p, const struct seen_line *l, const char *name,
                           bool outline, struct error *e)
{
    const struct problem *q = &p->base.problem;
    FREED_BY(rate_series_free) struct rate_series rates = {0};
    FREED_BY(assets_free) struct assets places = {0};
    FREED unsigned char *inside = NULL;
    FREED char *path = path_beside(p->base.path, name);
    FREED char *file = path ? vectors_file_of(path) : NULL;
    if (!file) return error_memory(e);
    if (access(file, R_OK))
        return error_line(e, l->path, l->line, "%s cannot be read; check the name", path);
    if (outline) return outline_read(&inside, path, q->rows, q->cols, &p->base.geo, e);
    if (l->kind == SEEN_DRY || l->kind == SEEN_ARRIVAL)
        return assets_read(&places, path, q->rows, q->cols, &p->base.geo, e);
    if (l->kind == SEEN_RATES)
        return rate_series_read(&rates, RATE_COLUMN, path, p->base.start_time, e);
    return 0;
}

/* Checks files that only a nowcast or a hazard reads. */
static int check_named_files(const struct plan *p, struct error *e)
{
    const struct seen_lines *seen = &p->keys.seen;
    FREED_BY(hazard_flows_free) struct past_flows flows = {0};
    int status = p->hazard ? hazard_flows_open(&flows, p, e) : 0;
    for (int i = 0; i < seen->count && !status; i++) {
        const struct seen_line *l = &seen->line[i];
        if (*l->file) status = check_seen_file(p, l, l->file, l->kind == SEEN_FRONT, e);
        if (*l->within && !status) status = check_seen_file(p, l, l->within, true, e);
    }
    return status;
}

static int describe_plan(cJSON *o, const char *path, struct error *e)
{
    static const char *const sampling[] = {
        [SAMPLING_RANDOM] = "random", [SAMPLING_LATIN] = "latin", [SAMPLING_SOBOL] = "sobol"};
    FREED_BY(plan_free_at) struct plan *p = NULL;
    int status = plan_load(&p, path, e);
    if (!status) status = check_named_files(p, e);
    if (status) return status;
    json_add_texts(o, {"kind", "plan"}, {"name", p->base.name});
    json_add_given(o, {"notice", p->base.told.notice}, {"warning", p->base.told.warning});
    cJSON_AddStringToObject(o, "terrain", p->base.terrain_source);
    cJSON_AddBoolToObject(o, "synthetic_terrain", p->base.synthetic);
    output_list_grid(o, &p->base, NULL);
    output_list_sea(o, &p->base);
    output_list_barriers(o, &p->base);
    output_list_changes(o, &p->base, -1);
    if (p->from) cJSON_AddNumberToObject(o, "from_step", (double)p->from->f.step);
    cJSON_AddNumberToObject(o, "members", (double)p->count);
    if (p->repeats > 1) cJSON_AddNumberToObject(o, "repeats", (double)p->repeats);
    cJSON_AddStringToObject(o, "sampling", sampling[p->keys.sampling]);
    cJSON_AddNumberToObject(o, "seed", (double)p->keys.seed);
    add_sources(o, p);
    add_understood(o, "vents_file",
                   p->sources.about.features ? &p->sources.about : &p->vents.about);
    add_understood(o, "assets_file", &p->assets_about);
    add_background(o, &p->base);
    add_drawn(o, p);
    add_end(o, p);
    add_counted(o, p);
    status = add_outline(o, &p->base, &p->within, e);
    return status ? status : add_prospects(o, p, e);
}

/* ---- all kinds of files ---------------------------------------------------------------------- */

/* The kind of the study in a folder. A nowcast or a hazard has the summary of an ensemble, with an additional entry. */
static const char *kind_of_folder(const cJSON *summary)
{
    static const char *const entries[] = {"nowcast", "hazard"};
    for (size_t i = 0; summary && i < sizeof entries / sizeof *entries; i++)
        if (summary_item(summary, NULL, entries[i])) return entries[i];
    const char *kind = summary ? summary_text(summary, NULL, "kind") : "";
    return *kind ? kind : "run";
}

static int describe_run(cJSON *o, const char *path, struct error *e)
{
    FREED_BY(runfolder_close) struct runfolder r = {0};
    const int status = runfolder_open(&r, path, true, e);
    if (status) return status;
    cJSON_AddStringToObject(o, "kind", kind_of_folder(r.summary));
    if (r.summary) cJSON_AddItemToObject(o, "summary", cJSON_Duplicate(r.summary, 1));
    else cJSON_AddNullToObject(o, "summary");
    json_add_words(o, "rasters", r.name, r.count);
    if (r.other_count) json_add_words(o, "not_of_this_run", r.other, r.other_count);
    return 0;
}

int info_describe(cJSON *o, const char *path, const struct sciara_watcher *watcher, struct error *e)
{
    const char *dot = strrchr(path, '.');
    cJSON_AddStringToObject(o, "path", path);
    if (runfolder_is(path)) return describe_run(o, path, e);
    if (dot && strcmp(dot, ".cfg") == 0)
        return plan_is(path) ? describe_plan(o, path, e) : describe_case(o, path, watcher, e);
    /* A GeoPackage may have vectors or a raster. If it has neither, the error is that of a vector file. */
    if (vectors_are_in(path)) {
        int status = describe_vectors(o, path, e);
        if (status && text_has_extension(path, ".gpkg") && !describe_raster(o, path, NULL))
            status = 0;
        return status;
    }
    if (restart_is(path)) return describe_state(o, path, e);
    return describe_raster(o, path, e);
}

/* A call of sciara_info(). */
struct informing {
    const char *path;
    struct file_progress progress;
    char *json;
};

static int inform(void *self, struct error *e)
{
    struct informing *x = self;
    cJSON *o = cJSON_CreateObject();
    int status = o ? info_describe(o, x->path, NULL, e) : error_memory(e);
    if (status) cJSON_Delete(o);
    else if (!(x->json = json_printed(o))) status = error_memory(e);
    return status;
}

int sciara_info(char **json, const char *path, const struct sciara_watcher *watcher,
                struct sciara_error *e)
{
    struct informing x = {.path = path};
    struct background w = {watcher, SCIARA_READING, &x.progress, false, inform, &x, 0, false};
    struct error mine = {0};
    const int status =
        path && *path ? background_run(&w, &mine) : error_input(&mine, "info: name a file");
    *json = x.json;
    return status ? return_error(e, &mine) : 0;
}
