#include "settings.h"

#include "original_case.h"
#include "parameter_sets.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- values with rules of their own ---------------------------------------------------------- */

static int read_start_time(const struct entry *at, struct error *e)
{
    struct settings *s = at->target;
    return times_start(at->line->value, s->start_time) ? 0
                                                       : entry_refuse(at, TIMES_START_REMEDY, e);
}

static int read_crs(const struct entry *at, struct error *e)
{
    struct settings *s = at->target;
    const char *value = at->line->value;
    int64_t code;
    const bool prefixed = !strncmp(value, "EPSG:", 5) || !strncmp(value, "epsg:", 5);
    if (!prefixed || !scan_integer(value + 5, &code) || code < 1024 || code > 32767)
        return entry_refuse(at, "give the code of a projected CRS, for example EPSG:32633", e);
    s->epsg = (int)code;
    return 0;
}

static int read_map_scale(const struct entry *at, struct error *e)
{
    struct settings *s = at->target;
    double *scale = s->display.scale_m;
    struct entry_words w;
    if (entry_words(&w, at) && w.count == 2 && scan_real(w.word[0], &scale[0]) &&
        scan_real(w.word[1], &scale[1]) && scale[0] >= at->min && scale[1] > scale[0] &&
        scale[1] <= at->max)
        return 0;
    return entry_refuse(
        at, "give the thicknesses at both ends of the scale in metres, for example 0 12", e);
}

/* Checks only the encoding; changes.c reads the words. */
static int read_terrain_update(const struct entry *at, struct error *e)
{
    return scan_utf8(at->line->value) ? 0 : entry_refuse(at, "write the file in UTF-8", e);
}

/* Reads a set of parameters. Refuses earlier lines with parameters of the set, which the set would replace. */
static int read_parameters(const struct entry *at, struct error *e)
{
    struct settings *s = at->target;
    struct parameter_set set;
    struct error why;
    const int status = parameter_set_find(&set, at->line->value, &why);
    if (status == ERROR_INPUT) return error_line(e, at->path, at->line->line, "%s", why.text);
    if (status) return error_failed(e, "%s", why.text);
    for (const struct keyvalue *line = s->lines.item; line != at->line; line++) {
        bool in_set = !strncmp(line->key, "calibrated_", strlen("calibrated_"));
        for (int i = 0; i < PARAMETERS; i++)
            in_set = in_set || !strcmp(line->key, params_table[i].name);
        if (in_set)
            return error_line(
                e, at->path, at->line->line,
                "'parameters %s' contains %s, which line %d gives already; remove that "
                "line, or move it below this one to override the set",
                at->line->value, line->key, line->line);
    }
    s->params = set.params;
    s->calibrated_cell_m = set.calibrated_cell_m;
    s->calibrated_clock_s = set.params.clock_s;
    s->parameter_set = set.name;
    return 0;
}

/* ---- the keys -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct settings, field)
#define COUNT_MAX 9007199254740992.0 /* 2^53 */

static const char *const algorithms[] = {"MIN", NULL};
static const char *const rules[] = {"integral", "published", NULL};
static const char *const extents[] = {"flow", "domain", NULL};

static const struct key of_the_model[] = {
    {"algorithm", KEY_CHOICE, COUNTS_LINE, AT(algorithm), .usual = "MIN", .choices = algorithms,
     .part = PART_NOTHING, .meaning = "minimisation of differences",
     .remedy = "give MIN (minimisation of differences), the only algorithm"},
};

static const struct key of_calibrations[] = {
    {"parameters", KEY_OWN, COUNTS_LINE, .form = "NAME", .read = read_parameters,
     .part = PART_PARAMETERS,
     .meaning = "a set of all parameters of the model, with `calibrated_cell_m` and "
                "`calibrated_clock_s`; lines below it replace its values"},
    {"calibrated_cell_m", KEY_REAL, COUNTS_LINE, AT(calibrated_cell_m), 1e-3, 1e5, "m", "not known",
     .part = PART_PARAMETERS,
     .meaning = "side of the cells for which the parameters were calibrated; on other cells "
                "`Pcool` is scaled by the ratio of the areas, and the `Pclock` of a set of "
                "parameters by the ratio of the sides"},
    {"calibrated_clock_s", KEY_REAL, COUNTS_LINE, AT(calibrated_clock_s), 1e-3, 1e6, "s",
     "`Pclock`", .part = PART_NOTHING,
     .meaning = "`Pclock` for which the parameters were calibrated; on other cells the program "
                "proposes a scaled `Pclock`"},
};

static const struct key of_files[] = {
    {"dem", KEY_FILE, COUNTS_NUMBERS, AT(dem), .part = PART_TERRAIN,
     .meaning = "terrain, required: elevation in m or in the unit that it declares, with the lava "
                "that earlier eruptions left"},
    {"vents", KEY_FILE, COUNTS_BYTES, AT(vents), .part = PART_VENTS,
     .meaning =
         "vents, a CSV or vector file; needs `rates`. A case without them needs `thickness`"},
    {"rates", KEY_FILE, COUNTS_NUMBERS, AT(rates), .part = PART_RATES,
     .meaning = "effusion rates, a CSV file; needs `vents`"},
    {"vent_radius_m", KEY_REAL, COUNTS_LINE, AT(vent_radius_m), 0, 1e5, "m", "0",
     .part = PART_VENTS,
     .meaning =
         "a vent that emits 2 m of lava or more into a cell in a step gets more cells, up to "
         "this distance from its own cells; 0: no vent gets more cells"},
    {"thickness", KEY_FILE, COUNTS_NUMBERS, AT(thickness), .unit = "m", .part = PART_LAVA,
     .meaning = "raster of mobile lava at the beginning, 0 to 4000"},
    {"temperature", KEY_FILE, COUNTS_NUMBERS, AT(temperature), .unit = "K", .part = PART_LAVA,
     .meaning = "raster of the temperature of this lava, from `PTsol` to `PTvent` in cells with "
                "lava; needs `thickness`"},
    {"solidified", KEY_FILE, COUNTS_NUMBERS, AT(solidified), .unit = "m", .part = PART_LAVA,
     .meaning = "raster of lava that solidified earlier and that `dem` contains, 0 to 4000, at "
                "most 4000 together with `thickness`"},
    {"outline", KEY_FILE, COUNTS_BYTES, AT(outline), .part = PART_NOTHING,
     .meaning = "observed outline of the flow, a raster (inside: above 0) or polygons; maps show "
                "it, `sciara fit` compares with it"},
    {"barriers", KEY_FILE, COUNTS_NUMBERS, AT(barriers), .part = PART_TERRAIN,
     .meaning = "walls and channels, a vector file or CSV"},
    {"assets", KEY_FILE, COUNTS_BYTES, AT(assets), .part = PART_NOTHING,
     .meaning = "places of interest, a vector file: maps and `assets.csv` show them"},
    {"background", KEY_FILE, COUNTS_NOT, AT(background), .repeats = true, .part = PART_NOTHING,
     .meaning = "roads, rivers, buildings, the coast or names, a vector file: maps show them "
                "beneath the lava"},
    {"sea_level", KEY_REAL, COUNTS_LINE, AT(sea_level_m), -4000, 10000, "m", "no sea",
     .part = PART_SEA, .meaning = "cells of `dem` at or below this elevation are sea"},
    {"terrain_update", KEY_OWN, COUNTS_NUMBERS, .form = "TIME FILE with_lava", .repeats = true,
     .read = read_terrain_update, .part = PART_CHANGES,
     .meaning = "a later survey of the terrain; `with_lava` or `without_lava`: whether it "
                "contains the lava that has solidified by then; `shift_m D` at the end: D is "
                "added to its heights"},
};

static const struct key of_the_run[] = {
    {"run_h", KEY_MOMENT, COUNTS_LINE, AT(run_s), 1e-3, 1e7, "h", "by `max_steps`",
     .part = PART_NOTHING, .meaning = "end of the run, whatever the length of a step"},
    {"max_steps", KEY_COUNT, COUNTS_LINE, AT(max_steps), 0, COUNT_MAX, "steps", "0",
     .part = PART_NOTHING, .meaning = "the run ends after this step; 0: no limit",
     .original = "maximum_steps_(0_for_loop)"},
    {"stop_when_mobile_below_m", KEY_REAL, COUNTS_LINE, AT(stop_mobile_m), 0, 1e12, "m", "0",
     .part = PART_STOP,
     .meaning = "the run ends when the eruption is over and the thicknesses of mobile lava in all "
                "cells sum up to this or less; 0: no such rule",
     .original = "stopping_threshold_(height)"},
    {"reduce_every_steps", KEY_COUNT, COUNTS_LINE, AT(reduce_every), 1, INT_MAX, "steps", "100",
     .part = PART_REDUCE, .meaning = "interval between computations of the sum of mobile lava"},
    {"snapshot_every_steps", KEY_COUNT, COUNTS_NOT, AT(snapshot_every), 0, COUNT_MAX, "steps", "0",
     .part = PART_NOTHING, .meaning = "interval between layers and maps; 0: only at the end",
     .original = "refreshing_step"},
    {"emission", KEY_CHOICE, COUNTS_LINE, AT(emission_published), .usual = "`integral`",
     .choices = rules, .part = PART_RATES,
     .meaning = "emission of a step: `integral`, the rate integrated over the step; `published`, "
                "the rate at its end times its length",
     .remedy = "give integral (of the rate over each step) or published (the rate at its end)"},
    {"first_step", KEY_COUNT, COUNTS_LINE, AT(first_step), 0, 999999999999.0, "steps", "0",
     .part = PART_FIRST_STEP,
     .meaning = "step of the initial state; the rates are read from its time on"},
    {"initial_temperature_K", KEY_REAL, COUNTS_LINE, AT(initial_temp_K), 1, 2000, "K", "`PTvent`",
     .part = PART_LAVA, .meaning = "temperature of initial lava if `temperature` is not given"},
    {"crs", KEY_OWN, COUNTS_NOT, .form = "EPSG:N", .usual = "the CRS of the DEM", .read = read_crs,
     .part = PART_NOTHING,
     .meaning = "CRS of the DEM, projected, in metres; it has to agree with the CRS that the DEM "
                "names, if any"},
    {"start_time", KEY_OWN, COUNTS_NOT, .form = "DATE", .usual = "not known",
     .read = read_start_time, .part = PART_NOTHING,
     .meaning = "start of the eruption in UTC, `2006-07-14T22:00`, or with its zone, "
                "`2006-07-15T00:00+02:00`"},
    {"title", KEY_TEXT, COUNTS_NOT, AT(title), 0, 127, NULL, "name of the file",
     .part = PART_NOTHING, .meaning = "title of maps"},
    {"terrain_source", KEY_TEXT, COUNTS_NOT, AT(terrain_source), 0, 255, NULL, "from the DEM",
     .part = PART_NOTHING,
     .meaning =
         "source of the terrain. A DEM that declares itself synthetic stays marked as synthetic"},
    {"visual_threshold_m", KEY_REAL, COUNTS_NOT, AT(display.visual_threshold_m), 0, 1e4, "m", "0",
     .part = PART_NOTHING, .meaning = "maps do not show lava thinner than this",
     .original = "thickness_visual_threshold"},
    {"map_scale", KEY_OWN, COUNTS_NOT, 0, 0, 1e4, "m", "as the maps of the run need it",
     .part = PART_NOTHING, .meaning = "thicknesses at both ends of the colour scale of maps",
     .form = "LOW HIGH", .read = read_map_scale},
    {"map_extent", KEY_CHOICE, COUNTS_NOT, AT(display.domain), .usual = "`flow`",
     .choices = extents, .part = PART_NOTHING,
     .meaning = "area of maps: the flow and its surroundings, or the whole domain",
     .remedy = "give flow (the lava and its surroundings) or domain (the whole terrain)"},
    {"map_note", KEY_TEXT, COUNTS_NOT, AT(map_note), 0, 127, NULL, "none", .part = PART_NOTHING,
     .meaning = "a line in red on every map, such as `Unverified – exercise`"},
};

static const struct key_section sections[] = {
    {"parameters of the model", KEYS_OF(of_the_model), .parameters = true, .params_at = AT(params)},
    {.name = "calibration of the parameters", KEYS_OF(of_calibrations)},
    {.name = "files", KEYS_OF(of_files)},
    {.name = "the run", KEYS_OF(of_the_run)},
    {0},
};
const struct schema case_schema = {NULL, sections};

/* ---- required keys --------------------------------------------------------------------------- */

/* Missing keys, and values for the lines that would add them. */
struct missing {
    int count;
    const char *key[PARAMETERS + 3], *value[PARAMETERS + 3];
};

static void miss(struct missing *m, const char *key, const char *value)
{
    m->key[m->count] = key;
    m->value[m->count++] = value;
}

/* Finds missing files. If a file is all that is missing, case_file.c reports it in a longer message. */
static void find_missing_files(struct missing *m, const struct settings *s, bool plan)
{
    int64_t step;
    const char *name;
    int length;
    if (!s->dem && original_case(s->lines.file.path, &step, &name, &length)) return;
    const bool erupts = !plan && (!s->thickness || s->vents || s->rates);
    if (!s->dem) miss(m, "dem", "terrain.tif");
    if (erupts && !s->vents) miss(m, "vents", "vents.csv");
    if (erupts && !s->rates) miss(m, "rates", "rates.csv");
}

/* Writes "a, b and c" or, with values, "'a 1', 'b 2' and 'c 3'". */
static char *list_missing(char out[512], const struct missing *m, bool values)
{
    size_t n = 0;
    for (int i = 0; i < m->count && n < 512; i++) {
        const char *before = i == 0 ? "" : i == m->count - 1 ? " and " : ", ";
        n += (size_t)(values
                          ? snprintf(out + n, 512 - n, "%s'%s %s'", before, m->key[i], m->value[i])
                          : snprintf(out + n, 512 - n, "%s%s", before, m->key[i]));
    }
    return out;
}

/* One message names all keys that are missing, so that one correction completes the case. */
static int check_required(const struct settings *s, bool plan, struct error *e)
{
    const char *path = s->lines.file.path;
    const struct parameter *p = NULL;
    struct missing m = {0};
    char names[512], lines[512];
    bool none = !s->parameter_set;
    find_missing_files(&m, s, plan);
    for (int i = 0; i < PARAMETERS; i++) none = none && !settings_line(s, params_table[i].name);
    if (none) miss(&m, "parameters", "etna-2006");
    for (int i = 0; i < PARAMETERS && !none && !s->parameter_set; i++) {
        if (settings_line(s, params_table[i].name)) continue;
        p = &params_table[i];
        miss(&m, p->name, p->usual);
    }
    if (m.count == 1 && none)
        return error_input(
            e,
            "%s: the parameters of the lava are missing; add a line such as 'parameters etna-2006' "
            "(sciara parameters lists the sets), or a line for each parameter, from Pclock to Pcv",
            path);
    if (m.count == 1 && p)
        return error_input(e, "%s: key %s (%s) is missing; add a line such as '%s %s'", path,
                           p->name, p->meaning, p->name, p->usual);
    if (m.count < 2 || (!p && !none && s->dem)) return 0;
    return error_input(e, "%.300s: keys %s are missing; add lines such as %s", path,
                       list_missing(names, &m, false), list_missing(lines, &m, true));
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Refuses a case with two ends, run_h and max_steps. The run_h of a plan is a key of the plan, so it is not checked
 * here. */
static int check_end(const struct settings *s, struct error *e)
{
    if (!(s->run_s > 0) || !s->max_steps) return 0;
    return error_line(e, s->lines.file.path, settings_line(s, "max_steps"),
                      "max_steps and run_h both end the run; remove one of them");
}

/* Checks the ranges that depend on other values. */
static int check_order(const struct settings *s, struct error *e)
{
    const struct params *p = &s->params;
    const char *path = s->lines.file.path;
    const int vent = settings_line(s, "PTvent"), sol = settings_line(s, "PTsol"),
              initial = settings_line(s, "initial_temperature_K");
    if (p->temp_vent_K <= p->temp_sol_K)
        return error_line(e, path, vent ? vent : sol,
                          "PTvent = %g is not above PTsol = %g%s%s; lava leaves the vent hotter "
                          "than it solidifies, e.g. 1360 and 1143",
                          p->temp_vent_K, p->temp_sol_K, vent && sol ? "" : " with parameters ",
                          vent && sol ? "" : s->parameter_set);
    if (initial && (s->initial_temp_K < p->temp_sol_K || s->initial_temp_K > p->temp_vent_K))
        return error_line(e, path, initial,
                          "initial_temperature_K is not between PTsol and PTvent; mobile lava has "
                          "a temperature between these");
    return 0;
}

static int read_lines(struct settings *s, const struct schema_values *more, struct error *e)
{
    enum { SCHEMAS_MAX = 4 };
    struct schema_values into[SCHEMAS_MAX + 1] = {{&case_schema, s}};
    char start_time[32] = "";
    for (int i = 1; more && more->schema && i < SCHEMAS_MAX; i++) into[i] = *more++;
    /* start_time is read first, since a line above it may have a date */
    for (int i = 0; i < s->lines.count && !*start_time; i++)
        if (!strcmp(s->lines.item[i].key, "start_time"))
            times_start(s->lines.item[i].value, start_time);
    return schema_read(&s->lines, start_time, into, e);
}

int settings_read(struct settings *s, const char *path, const struct schema_values *more,
                  struct error *e)
{
    const char *other = file_kind(path);
    *s = (struct settings){.reduce_every = 100};
    if (other)
        return error_input(
            e, "%s: not a case file (it looks like %s); name the .cfg that points to it", path,
            other);
    int status = keyvalues_read(&s->lines, path, e);
    if (!status) status = read_lines(s, more, e);
    if (!status) status = check_required(s, more != NULL, e);
    if (!status) status = check_order(s, e);
    if (!status) status = check_end(s, e);
    if (status) settings_free(s);
    else if (!settings_line(s, "initial_temperature_K")) s->initial_temp_K = s->params.temp_vent_K;
    return status;
}

void settings_free(struct settings *s)
{
    keyvalues_free(&s->lines);
    *s = (struct settings){0};
}
