/* case.c — cases, and their properties. */
#include "inside.h"
#include "library.h"

#include "base/order.h"
#include "base/trace.h"
#include "case/case_notes.h"
#include "case/case_terrain.h"
#include "case/parameter_sets.h"
#include "eruption/rates.h"
#include "case/resolution.h"
#include "eruption/vents.h"
#include "sim/vent.h"
#include "text/plain_locale.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/times.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a case from arrays ---------------------------------------------------------------------- */

/* The functions that check a case file also check a case from arrays, so files and arrays have the same limits. */

enum { RATES_ROOM = 1 << 24, VENT_ID_MAX = 1000000000 };

/* ---- words ----------------------------------------------------------------------------------- */

/* Copies a text of 1 to size - 1 bytes; NULL keeps the default. */
static int copy_text(char *out, size_t size, const char *text, const char *what, struct error *e)
{
    if (!text) return 0;
    const size_t length = strnlen(text, size);
    if (length == 0 || length == size)
        return error_input(e, "%s: give 1 to %zu bytes of text", what, size - 1);
    if (!scan_utf8(text)) return error_input(e, "%s: is not UTF-8", what);
    if (!scan_printable(text))
        return error_input(e, "%s: has a control character; remove it", what);
    memcpy(out, text, length + 1);
    return 0;
}

static int set_texts(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    int status = copy_text(c->name, sizeof c->name, in->name ? in->name : "case", "name", e);
    if (!status && strchr(c->name, '/'))
        status = error_input(e, "name: %s has a slash; it becomes part of file names", c->name);
    if (!status && !scan_file_name(c->name))
        status = error_input(e, "name: %s is reserved for folders; choose another name", c->name);
    if (!status)
        status = copy_text(c->title, sizeof c->title, in->title ? in->title : c->name, "title", e);
    char source[sizeof c->terrain_source] = "";
    if (!status) status = copy_text(source, sizeof source, in->terrain_source, "terrain_source", e);
    case_terrain_set_source(c, "", source);
    if (!status && in->start_time && !times_start(in->start_time, c->start_time))
        status = error_input(e, "start_time: %s", TIMES_START_REMEDY);
    if (status || !in->outline) return status;
    FREED char *file = vectors_file_of(in->outline);
    if (!file) return error_memory(e);
    if (access(file, R_OK))
        return error_input(e, "outline: the file %.400s cannot be read", in->outline);
    case_note_input(c, in->outline);
    c->outline_path = text_format("%s", in->outline);
    return c->outline_path ? 0 : error_memory(e);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The field for row `row` of params_table. */
static double *parameter_in(struct sciara_parameters *p, int row)
{
    double *const at[PARAMETERS] = {&p->Pclock,   &p->PTsol,    &p->PTvent,    &p->Pr_Tsol,
                                    &p->Pr_Tvent, &p->Phc_Tsol, &p->Phc_Tvent, &p->Pcool,
                                    &p->Prho,     &p->Pepsilon, &p->Psigma,    &p->Pcv};
    return at[row];
}

static int set_parameters(struct params *to, const struct sciara_case_input *in, struct error *e)
{
    struct sciara_parameters given = in->parameters;
    int status = 0;
    if (given.Pclock == 0) given.Pclock = in->calibrated_clock_s;
    for (int i = 0; i < PARAMETERS && !status; i++) {
        const char *name = params_table[i].name;
        const double value = *parameter_in(&given, i);
        status = schema_check_number(&case_schema, name, name, value, e);
        memcpy((char *)to + params_table[i].at, &value, sizeof value);
    }
    if (!status && !(to->temp_vent_K > to->temp_sol_K))
        status = error_input(e, "PTvent: is not above PTsol; lava leaves the vent hotter than it "
                                "solidifies, e.g. 1360 and 1143");
    return status;
}

static int set_steps(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    struct problem *p = &c->problem;
    c->max_steps = in->max_steps;
    if (in->run_h != 0) {
        if (in->max_steps)
            return error_input(e, "run_h: is given with max_steps; give one of them");
        if (schema_check_number(&case_schema, "run_h", "run_h", in->run_h, e)) return e->code;
        c->max_steps = rates_first_step(in->run_h * 3600, 1, p->params.clock_s);
    }
    p->first_step = in->first_step;
    p->reduce_every = in->reduce_every ? in->reduce_every : 100;
    p->stop_mobile_m = in->stop_below_m;
    p->stop_when_still = in->stop_below_m > 0;
    const struct {
        const char *key, *name;
        double value;
    } given[] = {{"max_steps", "max_steps", (double)in->max_steps},
                 {"first_step", "first_step", (double)in->first_step},
                 {"reduce_every_steps", "reduce_every", (double)p->reduce_every},
                 {"stop_when_mobile_below_m", "stop_below_m", in->stop_below_m}};
    int status = 0;
    for (size_t i = 0; i < sizeof given / sizeof *given && !status; i++)
        status = schema_check_number(&case_schema, given[i].key, given[i].name, given[i].value, e);
    return status;
}

/* ---- grids ----------------------------------------------------------------------------------- */

static int set_georeference(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    if (!isfinite(in->west_m) || !isfinite(in->south_m))
        return error_input(e, "west_m, south_m: %g, %g is not finite; give map coordinates",
                           in->west_m, in->south_m);
    if (!(in->cell_m >= 0.001 && in->cell_m <= 1e5))
        return error_input(e, "cell_m: is %g; give a value from 0.001 to 100000 m", in->cell_m);
    if (in->epsg != 0 && (in->epsg < 1024 || in->epsg > 32767))
        return error_input(e, "epsg: is %d; give the code of a projected CRS, for example 32633",
                           in->epsg);
    c->problem.rows = in->rows;
    c->problem.cols = in->cols;
    c->problem.params.cell_m = in->cell_m;
    snprintf(c->height_unit, sizeof c->height_unit, "metre");
    c->geo = (struct georef){.west_m = in->west_m, .south_m = in->south_m, .cell_m = in->cell_m};
    int status = case_terrain_check_size(in->rows, in->cols, "elevation_m", e);
    if (!status)
        status = case_terrain_check_place(&c->geo, in->rows, in->cols, "west_m, south_m", e);
    return status ? status : crs_declare(c, in->epsg, "elevation_m", "epsg", e);
}

/* Sets the cell size and the duration of a step for which the parameters were calibrated, if both are known. */
static int set_resolution(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    static const char *const names[] = {"calibrated_cell_m", "calibrated_clock_s"};
    const double value[] = {in->calibrated_cell_m, in->calibrated_clock_s};
    for (int i = 0; i < 2; i++)
        if (value[i] != 0 && schema_check_number(&case_schema, names[i], names[i], value[i], e))
            return e->code;
    c->calibrated_cell_m = value[0];
    c->calibrated_clock_s = value[1];
    resolution_scale_clock(c, in->parameters.Pclock == 0);
    resolution_scale(c);
    resolution_warn(c);
    case_warn_celsius(c);
    return 0;
}

static int copy_grid(double **out, const struct sim_case *c, const double *given, struct error *e)
{
    const size_t bytes = (size_t)c->problem.rows * (size_t)c->problem.cols * sizeof **out;
    if (!(*out = malloc(bytes)))
        return error_input(e,
                           "a grid of %d x %d cells needs %.2f GiB of memory, more than this "
                           "machine has; use a smaller or coarser grid",
                           c->problem.rows, c->problem.cols, (double)bytes / 1073741824.0);
    memcpy(*out, given, bytes);
    return 0;
}

static int set_elevation(struct sim_case *c, const double *given, struct error *e)
{
    if (!given) return error_input(e, "elevation_m: is NULL; give rows * cols elevations");
    int status = copy_grid(&c->elevation_m, c, given, e);
    return status ? status : case_terrain_accept_elevation(c, "elevation_m", e);
}

static int set_lava(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    const struct case_lava_names names = {"thickness_m", "solidified_m",
                                          in->temperature_K ? "temperature_K" : NULL};
    int status = 0;
    if (in->temperature_K && !in->thickness_m)
        return error_input(e, "temperature_K: is given without thickness_m; give both");
    if (in->thickness_m) status = copy_grid(&c->thickness_m, c, in->thickness_m, e);
    if (!status && in->solidified_m) status = copy_grid(&c->solid_m, c, in->solidified_m, e);
    if (!status && in->temperature_K) status = copy_grid(&c->temp_K, c, in->temperature_K, e);
    if (!status && in->thickness_m && !c->temp_K && !(c->temp_K = case_array(c, sizeof *c->temp_K)))
        status = error_memory(e);
    if (status) return status;
    return case_lava_accept(c, &names, case_domain(c), true, c->problem.params.temp_vent_K, e);
}

/* ---- vents and rates ------------------------------------------------------------------------- */

static int add_vents(struct vent_sites *sites, const struct sim_case *c,
                     const struct sciara_case_input *in, struct error *e)
{
    const struct vent_ground ground = {in->rows, in->cols, &c->geo, c->elevation_m, NULL, c->sea};
    struct vent_site *site;
    int status = 0;
    for (int i = 0; i < in->vent_count && !status; i++) {
        const struct sciara_vent *v = &in->vents[i];
        if (v->id < 1 || v->id > VENT_ID_MAX)
            return error_input(e, "vents[%d]: its id is %d; give 1 to %d", i, v->id, VENT_ID_MAX);
        if (v->row < 0 || v->col < 0 || v->row >= in->rows || v->col >= in->cols)
            return error_input(e,
                               "vents[%d]: row %d, column %d is outside the grid of %d x %d; count "
                               "from 0 in the north-west",
                               i, v->row, v->col, in->rows, in->cols);
        status = vent_sites_get(&site, sites, v->id, 0, e);
        if (!status)
            status = vent_site_add(sites, site, &ground,
                                   (struct vent_cell){.row = v->row, .col = v->col}, 0, e);
    }
    return status ? status : vent_sites_finish(sites, e);
}

/* A rate and its index in the caller's array. */
struct interval {
    struct sciara_rate rate;
    int index;
};

ORDER_MEMBERS(by_time, struct interval, rate.from_s, index)

static int check_rate(const struct sciara_rate *r, int i, struct error *e)
{
    if (r->id < RATES_OF_ALL || r->id > VENT_ID_MAX)
        return error_input(e, "rates[%d]: the id is %d; give the id of a vent, or 0 for all", i,
                           r->id);
    if (!isfinite(r->from_s) || !isfinite(r->to_s) || !isfinite(r->rate_m3_s))
        return error_input(e, "rates[%d]: is not finite: %g m3/s from %g to %g s", i, r->rate_m3_s,
                           r->from_s, r->to_s);
    return 0;
}

static int add_rates(struct rate_lists *rates, struct interval *sorted,
                     const struct sciara_case_input *in, double step_s, struct error *e)
{
    struct rate_list *list;
    int status = 0;
    for (int i = 0; i < in->rate_count && !status; i++) {
        sorted[i] = (struct interval){in->rates[i], i};
        status = check_rate(&in->rates[i], i, e);
    }
    if (!status) qsort(sorted, (size_t)in->rate_count, sizeof *sorted, by_time);
    for (int i = 0; i < in->rate_count && !status; i++) {
        const struct sciara_rate *r = &sorted[i].rate;
        status = rate_lists_get(&list, rates, r->id, e);
        if (!status)
            status = rate_list_add_interval(rates, list, r->from_s, r->to_s, r->rate_m3_s, step_s,
                                            sorted[i].index, e);
    }
    return status ? status : rate_lists_check(rates, e);
}

static int set_rates(struct rate_lists *rates, const struct sciara_case_input *in, double step_s,
                     struct error *e)
{
    FREED struct interval *sorted = malloc((size_t)in->rate_count * sizeof *sorted);
    return sorted ? add_rates(rates, sorted, in, step_s, e) : error_memory(e);
}

static int check_lists(const struct sciara_case_input *in, struct error *e)
{
    if (in->vent_count < 0 || in->vent_count > VENT_CELLS_MAX)
        return error_input(e, "vent_count: is %d; give at most %d cells", in->vent_count,
                           VENT_CELLS_MAX);
    if (in->rate_count < 0 || in->rate_count > RATES_ROOM)
        return error_input(e, "rate_count: is %d; give at most %d", in->rate_count, RATES_ROOM);
    if ((in->vent_count && !in->vents) || (in->rate_count && !in->rates))
        return error_input(e, "%s: is NULL, but the count is above 0",
                           in->vent_count && !in->vents ? "vents" : "rates");
    if (!in->vent_count != !in->rate_count)
        return error_input(e, in->vent_count ? "vents: have no rates; give rates"
                                             : "rates: have no vents; give vents");
    if (!in->vent_count && !in->thickness_m)
        return error_input(e, "no lava: give vents with rates, or a thickness_m");
    return 0;
}

static int set_emission(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    FREED_BY(vents_free) struct vent_sites sites = {.path = "vents"};
    FREED_BY(rates_free) struct rate_lists rates = {.path = "rates", .array = true};
    if (in->emission != SCIARA_EMISSION_INTEGRAL && in->emission != SCIARA_EMISSION_PUBLISHED)
        return error_input(e, "emission: is %d; give one of enum sciara_emission", in->emission);
    c->emission =
        in->emission == SCIARA_EMISSION_PUBLISHED ? EMISSION_PUBLISHED : EMISSION_INTEGRAL;
    if (!in->vent_count) return 0;
    if (schema_check_number(&case_schema, "vent_radius_m", "vent_radius_m", in->vent_radius_m, e))
        return e->code;
    c->vent_radius_m = in->vent_radius_m;
    int status = add_vents(&sites, c, in, e);
    if (!status) status = set_rates(&rates, in, c->problem.params.clock_s, e);
    return status ? status : case_emission(c, &sites, &rates, e);
}

/* ---- the whole case -------------------------------------------------------------------------- */

static int case_from_arrays(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    *c = (struct sim_case){0};
    if (!(c->path = text_format("%s", ""))) return error_memory(e);
    int status = set_texts(c, in, e);
    if (!status) status = set_parameters(&c->problem.params, in, e);
    if (!status) status = set_georeference(c, in, e);
    if (!status) status = set_resolution(c, in, e);
    if (!status) status = set_steps(c, in, e);
    if (!status) status = check_lists(in, e);
    if (!status) status = set_elevation(c, in->elevation_m, e);
    if (!status) status = set_lava(c, in, e);
    if (!status) status = set_emission(c, in, e);
    if (!status) status = case_check_depth(c, e);
    if (!status) status = case_check_outline(c, c->outline_path, &c->outline_about, e);
    if (!status) case_point(c);
    return status;
}

void sciara_parameters_etna2006(struct sciara_parameters *p)
{
    for (int i = 0; i < PARAMETERS; i++) scan_real(params_table[i].usual, parameter_in(p, i));
}

static struct sciara_parameters parameters_of(const struct params *p)
{
    struct sciara_parameters out;
    for (int i = 0; i < PARAMETERS; i++) *parameter_in(&out, i) = params_value(p, &params_table[i]);
    return out;
}

int sciara_parameter_set_count(void)
{
    return parameter_set_count();
}

const char *sciara_parameter_set_name(int i)
{
    return parameter_set_name(i);
}

int sciara_parameter_set_get(struct sciara_parameter_set *s, const char *name,
                             struct sciara_error *e)
{
    struct error mine = {0};
    struct parameter_set found;
    *s = (struct sciara_parameter_set){0};
    IN_PLAIN_LOCALE;
    if (parameter_set_find(&found, name ? name : "", &mine)) return return_error(e, &mine);
    s->name = found.name;
    s->parameters = parameters_of(&found.params);
    s->calibrated_cell_m = found.calibrated_cell_m;
    _Static_assert(sizeof s->eruption == sizeof found.eruption &&
                       sizeof s->source == sizeof found.source &&
                       sizeof s->not_for == sizeof found.not_for,
                   "the same texts");
    memcpy(s->eruption, found.eruption, sizeof s->eruption);
    memcpy(s->source, found.source, sizeof s->source);
    memcpy(s->not_for, found.not_for, sizeof s->not_for);
    s->in_sample = found.in_sample;
    s->held_out = found.held_out;
    return 0;
}

/* ---- creating cases -------------------------------------------------------------------------- */

static sciara_case *create_case(struct error *e)
{
    sciara_case *c = calloc(1, sizeof *c);
    if (!c) error_memory(e);
    else atomic_store(&c->users, 1);
    return c;
}

void case_keep(sciara_case *c)
{
    atomic_fetch_add(&c->users, 1);
}

void sciara_case_free(sciara_case *c)
{
    if (!c || atomic_fetch_sub(&c->users, 1) > 1) return;
    assets_free(&c->places);
    if (c->plan) member_free(&c->member);
    else case_free(&c->c);
    plan_free(c->plan);
    free(c);
}

struct reading {
    sciara_case *c;
    const char *path;
    int64_t member;
    struct file_progress progress;
};

static int read_case(void *what, struct error *e)
{
    struct reading *r = what;
    trace_begin("read the case");
    int status = case_load_watched(&r->c->c, r->path, !r->c->published, &r->progress, e);
    trace_end();
    return status;
}

static int read_member(void *what, struct error *e)
{
    struct reading *r = what;
    sciara_case *c = r->c;
    trace_begin("read the plan");
    int status = plan_read(&c->plan, r->path, NULL, &r->progress, e);
    if (!status) status = member_create(&c->member, c->plan, r->member, e);
    if (!status) {
        c->c = c->member.c;
        c->c.told = c->plan->base.told;
        warnings_add_all(&c->c.told, &c->member.c.told);
    }
    const struct problem *p = &c->c.problem;
    if (!status && c->plan->assets) {
        status = assets_read(&c->places, c->plan->assets, p->rows, p->cols, &c->c.geo, e);
        c->c.assets = &c->places;
        c->c.assets_path = c->plan->assets;
    }
    trace_end();
    return status;
}

static int load_case(sciara_case **c, struct reading *r, bool published,
                     int (*work)(void *what, struct error *e), const struct sciara_watcher *watcher,
                     struct error *e)
{
    struct background w = {watcher, SCIARA_READING, &r->progress, true, work, r, 0, false};
    if (!(r->c = create_case(e))) return e->code;
    r->c->published = published;
    int status = background_run(&w, e);
    if (!status) *c = r->c;
    else sciara_case_free(r->c);
    return status;
}

int sciara_case_load(sciara_case **c, const char *path, const char *arithmetic,
                     const struct sciara_watcher *watcher, struct sciara_error *e)
{
    struct error mine = {0};
    struct reading r = {.path = path};
    const bool published = arithmetic && !strcmp(arithmetic, "published");
    int status = 0;
    *c = NULL;
    if (!path || !*path) status = error_input(&mine, "name a case file");
    else if (arithmetic && !published && strcmp(arithmetic, "exact"))
        status = error_input(&mine, "arithmetic %.100s: choose exact or published", arithmetic);
    if (!status) status = load_case(c, &r, published, read_case, watcher, &mine);
    return status ? return_error(e, &mine) : 0;
}

int sciara_case_load_member(sciara_case **c, const char *path, int64_t number,
                            const struct sciara_watcher *watcher, struct sciara_error *e)
{
    struct error mine = {0};
    struct reading r = {.path = path, .member = number};
    *c = NULL;
    int status = path && *path ? load_case(c, &r, false, read_member, watcher, &mine)
                               : error_input(&mine, "name a plan");
    return status ? return_error(e, &mine) : 0;
}

void sciara_case_input_init(struct sciara_case_input *input, size_t size)
{
    structure_write(input, size, &(struct sciara_case_input){0}, sizeof(struct sciara_case_input));
}

int sciara_case_create(sciara_case **c, const struct sciara_case_input *input,
                       struct sciara_error *e)
{
    struct sciara_case_input in = {0};
    struct error mine = {0};
    *c = NULL;
    IN_PLAIN_LOCALE;
    if (!input) error_input(&mine, "case_input: is NULL");
    else if (!structure_read(&in, sizeof in, offsetof(struct sciara_case_input, calibrated_cell_m),
                             input, "case_input", &mine) &&
             (*c = create_case(&mine)) && case_from_arrays(&(*c)->c, &in, &mine)) {
        sciara_case_free(*c);
        *c = NULL;
    }
    return mine.code ? return_error(e, &mine) : 0;
}

const struct sim_case *case_inside(const sciara_case *c)
{
    return &c->c;
}

/* ---- properties ------------------------------------------------------------------------------ */

struct sciara_case_info case_grid_info(const struct sim_case *c)
{
    return (struct sciara_case_info){
        .name = c->name,
        .title = c->title,
        .path = c->path,
        .terrain_source = c->terrain_source,
        .start_time = c->start_time,
        .outline = c->outline_path,
        .synthetic = c->synthetic,
        .rows = c->problem.rows,
        .cols = c->problem.cols,
        .cell_m = c->geo.cell_m,
        .west_m = c->geo.west_m,
        .south_m = c->geo.south_m,
        .epsg = c->geo.crs.epsg,
        .has_crs = c->geo.crs.epsg || c->geo.crs.key_count,
        .crs_name = c->geo.crs.name,
        .max_steps = c->max_steps,
        .stop_below_m = -1,
        .elevation_m = c->elevation_m,
        .notice = c->told.notice,
        .height_unit = c->height_unit,
        .crs_scale_least = c->crs_scale_least,
        .crs_scale_greatest = c->crs_scale_greatest,
        .warning = c->told.warning,
        .parameter_set = c->parameter_set,
    };
}

int sciara_case_read_terrain(sciara_case *of, struct sciara_error *e)
{
    struct error mine = {0};
    const struct problem *p = &of->c.problem;
    const int status = problem_read_terrain(p, problem_domain(p), &mine);
    if (!status) atomic_store(&of->whole, true);
    return status ? return_error(e, &mine) : 0;
}

void sciara_case_info(const sciara_case *of, struct sciara_case_info *info)
{
    const struct sim_case *c = &of->c;
    const struct problem *p = &c->problem;
    const bool there = !p->terrain || atomic_load(&of->whole);
    *info = case_grid_info(c);
    info->original = c->original;
    info->published = of->published;
    info->parameters = parameters_of(resolution_given(c));
    info->first_step = p->first_step;
    info->snapshot_every = c->snapshot_every;
    info->reduce_every = p->reduce_every;
    info->last_vent_step = p->last_vent_step;
    if (p->stop_when_still) info->stop_below_m = p->stop_mobile_m;
    info->vent_count = p->vent_count;
    info->thickness_m = c->thickness_m;
    info->elevation_m = there ? c->elevation_m : NULL;
    info->temperature_K = there ? c->temp_K : NULL;
    info->solidified_m = there ? c->solid_m : NULL;
    info->emission =
        c->emission == EMISSION_INTEGRAL ? SCIARA_EMISSION_INTEGRAL : SCIARA_EMISSION_PUBLISHED;
    info->asked_m3 = case_asked_m3(c, 1, INT64_MAX);
    info->volume_m3 = case_emitted_m3(c, 1, INT64_MAX);
    info->calibrated_cell_m = c->calibrated_cell_m;
    info->calibrated_clock_s = c->calibrated_clock_s;
    info->Pcool_scaled = p->params.cooling;
    info->Pclock_proposed = resolution_clock_s(c);
}

void sciara_case_vent(const sciara_case *c, int i, struct sciara_vent *vent, double *volume)
{
    const struct problem *p = &c->c.problem;
    const bool there = i >= 0 && i < p->vent_count;
    const struct vent *v = there ? &p->vents[i] : NULL;
    if (vent) *vent = v ? (struct sciara_vent){v->id, v->row, v->col} : (struct sciara_vent){0};
    const double cell_m = c->c.geo.cell_m;
    if (volume) *volume = v ? vent_sum_m(v, 1, INT64_MAX) * cell_m * cell_m : 0;
}

void sciara_case_volume(const sciara_case *c, int64_t first_step, int64_t last_step,
                        double *asked_m3, double *emitted_m3)
{
    const int64_t first = first_step < 0 ? 1 : first_step + (first_step < INT64_MAX);
    const bool some = last_step >= first;
    if (asked_m3) *asked_m3 = some ? case_asked_m3(&c->c, first, last_step) : 0;
    if (emitted_m3) *emitted_m3 = some ? case_emitted_m3(&c->c, first, last_step) : 0;
}
