/* case_arrays.c — a case from arrays. The same code checks arrays and files. */
#include "library.h"

#include "case/case_notes.h"
#include "case/case_terrain.h"
#include "case/rates.h"
#include "case/resolution.h"
#include "case/vents.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RATES_ROOM = 1 << 24, VENT_ID_MAX = 1000000000 };

/* ---- words ----------------------------------------------------------------------------------- */

/* Copies a text of 1 to size - 1 bytes; NULL leaves the default. */
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
    char *file = vectors_file_of(in->outline);
    const bool there = file && access(file, R_OK) == 0;
    free(file);
    if (!there) return error_input(e, "outline: the file %.400s cannot be read", in->outline);
    case_note_input(c, in->outline);
    c->outline_path = text_format("%s", in->outline);
    return c->outline_path ? 0 : error_memory(e);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* In the order of the table. */
static int set_parameters(struct params *to, const struct sciara_parameters *given, struct error *e)
{
    double value[PARAMETERS];
    int status = 0;
    _Static_assert(sizeof value == sizeof *given, "one number for each parameter");
    memcpy(value, given, sizeof value);
    for (int i = 0; i < PARAMETERS && !status; i++) {
        const char *name = params_table[i].name;
        status = schema_check_number(&case_schema, name, name, value[i], e);
        memcpy((char *)to + params_table[i].at, &value[i], sizeof *value);
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

/* For which cells the parameters are, when both are known. */
static int set_resolution(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    static const char *const names[] = {"calibrated_cell_m", "calibrated_clock_s"};
    const double value[] = {in->calibrated_cell_m, in->calibrated_clock_s};
    for (int i = 0; i < 2; i++)
        if (value[i] != 0 && schema_check_number(&case_schema, names[i], names[i], value[i], e))
            return e->code;
    c->calibrated_cell_m = value[0];
    c->calibrated_clock_s = value[1];
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
    size_t missing = 0;
    if (!given) return error_input(e, "elevation_m: is NULL; give rows * cols elevations");
    int status = copy_grid(&c->elevation_m, c, given, e);
    if (status) return status;
    for (size_t i = 0; i < (size_t)c->problem.rows * (size_t)c->problem.cols; i++)
        missing += isnan(given[i]);
    return case_terrain_accept_elevation(c, missing, "elevation_m", e);
}

static int set_lava(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    int status = 0;
    if (in->temperature_K && !in->thickness_m)
        return error_input(e, "temperature_K: is given without thickness_m; give both");
    if (in->thickness_m) {
        status = copy_grid(&c->thickness_m, c, in->thickness_m, e);
        if (!status)
            status = case_terrain_accept_thickness(c->thickness_m, c, case_domain(c), "thickness_m",
                                                   true, e);
    }
    if (!status && in->solidified_m) {
        status = copy_grid(&c->solid_m, c, in->solidified_m, e);
        if (!status)
            status = case_terrain_accept_thickness(c->solid_m, c, case_domain(c), "solidified_m",
                                                   true, e);
    }
    if (!status && in->temperature_K) {
        status = copy_grid(&c->temp_K, c, in->temperature_K, e);
        if (!status)
            status =
                case_terrain_accept_temperature(c->temp_K, c, case_domain(c), "temperature_K", e);
    } else if (!status && in->thickness_m) {
        status = case_terrain_set_temperature(c, c->problem.params.temp_vent_K, e);
    }
    return status;
}

/* ---- vents and rates ------------------------------------------------------------------------- */

static int add_vents(struct vent_sites *sites, const struct sim_case *c,
                     const struct sciara_case_input *in, struct error *e)
{
    const struct vent_ground ground = {in->rows, in->cols, &c->geo, c->elevation_m, NULL};
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
            status = vent_site_add(sites, site, &ground, (struct vent_cell){v->row, v->col}, 0, e);
    }
    return status ? status : vent_sites_finish(sites, e);
}

/* An interval with its place in the caller's array. */
struct interval {
    struct sciara_rate rate;
    int index;
};

static int by_time(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    if (x->rate.from_s != y->rate.from_s) return x->rate.from_s < y->rate.from_s ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

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
                     const struct sciara_case_input *in, struct error *e)
{
    const double step_s = in->parameters.Pclock;
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

static int set_rates(struct rate_lists *rates, const struct sciara_case_input *in, struct error *e)
{
    struct interval *sorted = malloc((size_t)in->rate_count * sizeof *sorted);
    if (!sorted) return error_memory(e);
    int status = add_rates(rates, sorted, in, e);
    free(sorted);
    return status;
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
    struct vent_sites sites = {.path = "vents"};
    struct rate_lists rates = {.path = "rates", .array = true};
    if (in->emission != SCIARA_EMISSION_INTEGRAL && in->emission != SCIARA_EMISSION_PUBLISHED)
        return error_input(e, "emission: is %d; give one of enum sciara_emission", in->emission);
    c->emission =
        in->emission == SCIARA_EMISSION_PUBLISHED ? EMISSION_PUBLISHED : EMISSION_INTEGRAL;
    if (!in->vent_count) return 0;
    int status = add_vents(&sites, c, in, e);
    if (!status) status = set_rates(&rates, in, e);
    if (!status) status = case_emission(c, &sites, &rates, e);
    vents_free(&sites);
    rates_free(&rates);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int case_from_arrays(struct sim_case *c, const struct sciara_case_input *in, struct error *e)
{
    *c = (struct sim_case){0};
    if (!(c->path = text_format("%s", ""))) return error_memory(e);
    int status = set_texts(c, in, e);
    if (!status) status = set_parameters(&c->problem.params, &in->parameters, e);
    if (!status) status = set_steps(c, in, e);
    if (!status) status = set_georeference(c, in, e);
    if (!status) status = set_resolution(c, in, e);
    if (!status) status = check_lists(in, e);
    if (!status) status = set_elevation(c, in->elevation_m, e);
    if (!status) status = set_lava(c, in, e);
    if (!status) status = set_emission(c, in, e);
    if (!status) status = case_check_depth(c, e);
    if (!status) status = case_check_outline(c, e);
    if (!status) case_point(c);
    return status;
}
