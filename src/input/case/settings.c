#include "settings.h"
#include "settings_missing.h"

#include "case_parts.h"
#include "filekind.h"
#include "parameter_sets.h"
#include "text/entry.h"
#include "text/number.h"
#include "text/scan.h"
#include "text/times.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the keys -------------------------------------------------------------------------------- */

enum type {
    REAL,
    COUNT,
    TEXT,
    TIME,
    EPSG,
    MIN_ONLY,
    RULE,
    SET,
    SCALE,
    EXTENT,
    LINES /* any number, in lines */
};

struct key {
    const char *name;
    const char *original; /* another name of the same: that of the original programs */
    enum type type;
    size_t offset;   /* of the value in struct settings */
    size_t line;     /* offset of an int that gets the line, 0: none */
    double min, max; /* of REAL and COUNT */
    const struct parameter
        *parameter; /* of the model, which is required; NULL: it may be missing */
};

#define AT(field) offsetof(struct settings, field)
#define COUNT_MAX 9007199254740992.0 /* 2^53 */

static const struct key others[] = {
    {"algorithm", NULL, MIN_ONLY, 0, 0, 0, 0, NULL},
    {"parameters", NULL, SET, 0, 0, 0, 0, NULL},
    {"max_steps", "maximum_steps_(0_for_loop)", COUNT, AT(max_steps), 0, 0, COUNT_MAX, NULL},
    {"stop_when_mobile_below_m", "stopping_threshold_(height)", REAL, AT(stop_mobile_m), 0, 0, 1e12,
     NULL},
    {"snapshot_every_steps", "refreshing_step", COUNT, AT(snapshot_every), 0, 0, COUNT_MAX, NULL},
    {"visual_threshold_m", "thickness_visual_threshold", REAL, AT(visual_threshold_m), 0, 0, 1e4,
     NULL},
    {"map_scale", NULL, SCALE, AT(map_scale_m), 0, 0, 1e4, NULL},
    {"map_extent", NULL, EXTENT, AT(map_domain), 0, 0, 0, NULL},
    {"map_note", NULL, TEXT, AT(map_note), 0, 0, 127, NULL},
    {"reduce_every_steps", NULL, COUNT, AT(reduce_every), 0, 1, INT_MAX, NULL},
    {"first_step", NULL, COUNT, AT(first_step), 0, 0, 999999999999.0, NULL},
    {"emission", NULL, RULE, AT(emission_published), AT(emission_line), 0, 0, NULL},
    {"calibrated_cell_m", NULL, REAL, AT(calibrated_cell_m), 0, 1e-3, 1e5, NULL},
    {"calibrated_clock_s", NULL, REAL, AT(calibrated_clock_s), 0, 1e-3, 1e6, NULL},
    {"initial_temperature_K", NULL, REAL, AT(initial_temp_K), 0, 1, 2000, NULL},
    {"sea_level", NULL, REAL, AT(sea_level_m), AT(sea_level_line), -4000, 10000, NULL},
    {"barriers", NULL, TEXT, AT(barriers), AT(barriers_line), 0, 4095, NULL},
    {"terrain_update", NULL, LINES, 0, 0, 0, 0, NULL},
    {"title", NULL, TEXT, AT(title), 0, 0, 127, NULL},
    {"terrain_source", NULL, TEXT, AT(terrain_source), 0, 0, 255, NULL},
    {"start_time", NULL, TIME, AT(start_time), 0, 0, 0, NULL},
    {"crs", NULL, EPSG, AT(epsg), AT(crs_line), 0, 0, NULL},
    {"dem", NULL, TEXT, AT(dem), AT(dem_line), 0, 4095, NULL},
    {"vents", NULL, TEXT, AT(vents), AT(vents_line), 0, 4095, NULL},
    {"rates", NULL, TEXT, AT(rates), AT(rates_line), 0, 4095, NULL},
    {"outline", NULL, TEXT, AT(outline), AT(outline_line), 0, 4095, NULL},
    {"thickness", NULL, TEXT, AT(thickness), AT(thickness_line), 0, 4095, NULL},
    {"temperature", NULL, TEXT, AT(temperature), AT(temperature_line), 0, 4095, NULL},
    {"solidified", NULL, TEXT, AT(solidified), AT(solidified_line), 0, 4095, NULL},
    {"assets", NULL, TEXT, AT(assets), 0, 0, 4095, NULL},
};
enum { KEYS = PARAMETERS + sizeof others / sizeof *others };

/* Those of a plan, which is a case file besides: they begin so or are so. */
static const char *const of_plans[] = {
    "vary_",       "members",         "repeats",         "sampling",
    "seed",        "member_table",    "correlation",     "vent_list",
    "vent_grid_m", "vent_grid_box",   "vent_raster",     "classes",
    "shape",       "run_h",           "terrain_error_m", "terrain_error_length_m",
    "exceed_m",    "thickness_bin_m", "arrive_within_h", "arrival_bin_h",
    "until_error", "stop_at_rest"};
enum { PLAN_KEYS = sizeof of_plans / sizeof *of_plans };

static bool is_of_plans(const char *name)
{
    for (int i = 0; i < PLAN_KEYS; i++)
        if (!strcmp(name, of_plans[i]) || (!i && !strncmp(name, of_plans[i], strlen(of_plans[i]))))
            return true;
    return false;
}

/* Those of a calibration, which is a plan besides. */
static const char *const of_calibrations[] = {
    "fit_", "observed_outline", "observed_volume_m3", "observed_runout_m", "observed_thickness",
    "observed_arrivals", "outline_weight", "eruption", "eruption_weight", "score", "noise_members",
    "finalists", "finalist_members", "population", "evaluations", "hold_out", "posterior_members",
    "posterior_tolerance", "posterior_acceptance",
    /* of a sensitivity analysis of the same plan */
    "method", "samples", "trajectories", "levels", "second_order", "resamples", "confidence"};
enum { CALIBRATION_KEYS = sizeof of_calibrations / sizeof *of_calibrations };

/* Of these any number of lines. */
static bool may_repeat(const char *name)
{
    return !strcmp(name, "observed_outline") || !strcmp(name, "observed_runout_m") ||
           !strcmp(name, "observed_thickness") || !strcmp(name, "observed_arrivals") ||
           !strcmp(name, "eruption");
}

bool settings_calibrates(const char *name)
{
    for (int i = 0; i < CALIBRATION_KEYS; i++)
        if (!strcmp(name, of_calibrations[i]) || (!i && !strncmp(name, "fit_", 4))) return true;
    return false;
}

/* The parameters of the model come first. */
static struct key get_key(int i)
{
    if (i >= PARAMETERS) return others[i - PARAMETERS];
    const struct parameter *p = &params_table[i];
    return (struct key){p->name, NULL, REAL, AT(params) + p->at, 0, p->low, p->high, p};
}

static int find_key(const char *name)
{
    for (int i = 0; i < KEYS; i++) {
        const struct key k = get_key(i);
        if (!strcmp(k.name, name) || (k.original && !strcmp(k.original, name))) return i;
    }
    return -1;
}

const char *settings_name(const char *key)
{
    return find_key(key) < 0 ? NULL : get_key(find_key(key)).name;
}

bool settings_names_file(const char *key)
{
    const int i = find_key(key);
    return i >= 0 && get_key(i).type == TEXT && get_key(i).max == 4095;
}

static void look_near(const char *name, const char *const *list, int count, int *least,
                      const char **nearest)
{
    for (int i = 0; i < count; i++) {
        int distance = scan_distance(name, list[i]);
        if (distance >= *least) continue;
        *least = distance;
        *nearest = list[i];
    }
}

/* The name of a key that was probably meant, NULL: none is near. */
static const char *nearest_key(const char *name, const struct settings_more *more)
{
    int least = (int)(strlen(name) + 1) / 3 + 1;
    const char *nearest = NULL;
    for (int i = 0; i < KEYS; i++) {
        const struct key k = get_key(i);
        int distance = scan_distance(name, k.name);
        if (distance < least) {
            least = distance;
            nearest = k.name;
        }
    }
    if (more) look_near(name, of_plans + 1, PLAN_KEYS - 1, &least, &nearest);
    if (more && more->calibrate)
        look_near(name, of_calibrations + 1, CALIBRATION_KEYS - 1, &least, &nearest);
    return nearest;
}

static int refuse_unknown(const char *path, const struct keyvalue *line,
                          const struct settings_more *more, struct error *e)
{
    char excerpt[48];
    const char *meant = nearest_key(line->key, more);
    scan_excerpt(excerpt, line->key);
    if (settings_calibrates(line->key))
        return error_input(e,
                           "%s:%d: %s makes this a plan of a calibration; say sciara calibrate, or "
                           "sciara sensitivity",
                           path, line->line, excerpt);
    if (is_of_plans(line->key))
        return error_input(e,
                           "%s:%d: %s makes this a plan of many runs; say sciara ensemble, or "
                           "sciara run with --member N",
                           path, line->line, excerpt);
    if (meant)
        return error_input(e,
                           "%s:%d: unknown key '%s'; did you mean %s? docs/formats.md (man "
                           "sciara-case) lists the keys",
                           path, line->line, excerpt, meant);
    return error_input(e,
                       "%s:%d: unknown key '%s'; docs/formats.md (man sciara-case) lists the "
                       "keys, comments start with #",
                       path, line->line, excerpt);
}

bool settings_are_of_plan(const char *path)
{
    struct keyvalues k;
    bool any = false;
    if (keyvalues_read(&k, path, NULL)) return false;
    for (int i = 0; i < k.count && !any; i++) any = is_of_plans(k.item[i].key);
    keyvalues_free(&k);
    return any;
}

/* ---- the values ------------------------------------------------------------------------------ */

static int take_epsg(const struct entry *at, struct error *e)
{
    const char *value = at->line->value;
    int64_t code;
    bool prefixed = !strncmp(value, "EPSG:", 5) || !strncmp(value, "epsg:", 5);
    if (!prefixed || !scan_integer(value + 5, &code) || code < 1024 || code > 32767)
        return entry_refuse(at, "give the code of a projected CRS, for example EPSG:32633", e);
    *(int *)at->target = (int)code;
    return 0;
}

static int take_rule(const struct entry *at, struct error *e)
{
    const char *value = at->line->value;
    *(bool *)at->target = !strcmp(value, "published");
    if (!strcmp(value, "published") || !strcmp(value, "integral")) return 0;
    return entry_refuse(at,
                        "give integral (of the rate over each step) or published (the rate at its "
                        "end)",
                        e);
}

static int take_extent(const struct entry *at, struct error *e)
{
    const char *value = at->line->value;
    *(bool *)at->target = !strcmp(value, "domain");
    if (!strcmp(value, "domain") || !strcmp(value, "flow")) return 0;
    return entry_refuse(at, "give flow (what lava comes to, and around) or domain (all of it)", e);
}

/* "0 12" */
static int take_scale(const struct entry *at, struct error *e)
{
    double *scale = at->target;
    char low[32] = "";
    const char *value = at->line->value;
    const size_t length = strcspn(value, " \t");
    const char *high = value + length + strspn(value + length, " \t");
    if (length < sizeof low) memcpy(low, value, length);
    if (scan_real(low, &scale[0]) && scan_real(high, &scale[1]) && scale[0] >= at->min &&
        scale[1] > scale[0] && scale[1] <= at->max)
        return 0;
    return entry_refuse(
        at, "give the thicknesses at both ends of the scale in metres, for example 0 12", e);
}

/* *target is the whole struct settings. */
static int take_set(const struct entry *at, struct error *e)
{
    struct settings *s = at->target;
    struct parameter_set set;
    struct error why;
    int status = parameter_set_find(&set, at->line->value, &why);
    if (status == ERROR_INPUT)
        return error_input(e, "%s:%d: %s", at->path, at->line->line, why.text);
    if (status) return error_failed(e, "%s", why.text);
    s->params = set.params;
    s->calibrated_cell_m = set.calibrated_cell_m;
    s->calibrated_clock_s = set.params.clock_s;
    s->parameter_set = set.name;
    return 0;
}

static int take(enum type type, const struct entry *at, struct error *e)
{
    switch (type) {
    case REAL:
        return entry_real(at, e);
    case COUNT:
        return entry_count(at, e);
    case TEXT:
        return entry_text(at, e);
    case EPSG:
        return take_epsg(at, e);
    case TIME:
        if (times_start(at->line->value, at->target)) return 0;
        return entry_refuse(at, TIMES_START_REMEDY, e);
    case MIN_ONLY:
        if (!strcmp(at->line->value, "MIN")) return 0;
        return entry_refuse(at, "only MIN (minimisation of differences) is known", e);
    case RULE:
        return take_rule(at, e);
    case SET:
        return take_set(at, e);
    case SCALE:
        return take_scale(at, e);
    case EXTENT:
        return take_extent(at, e);
    case LINES:
        return scan_utf8(at->line->value) ? 0 : entry_refuse(at, "write the file in UTF-8", e);
    }
    return 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* A key of a plan; those that may have any ending are told apart by who takes them. */
static int take_more(const struct settings *s, int i, const struct settings_more *more,
                     struct error *e)
{
    const struct keyvalue *item = s->lines.item, *line = &item[i];
    const char *path = s->lines.file.path;
    for (int k = 0; k < i && !may_repeat(line->key); k++)
        if (!strcmp(item[k].key, line->key))
            return error_input(e, "%s:%d: %s was given in line %d already; remove one of them",
                               path, line->line, line->key, item[k].line);
    return more->take(more->self, path, s->start_time, line, e);
}

/* What a set brings comes before what differs from it. */
static int refuse_before(const struct settings *s, const int seen[KEYS],
                         const struct keyvalue *line, struct error *e)
{
    for (int i = 0; i < KEYS; i++) {
        const struct key k = get_key(i);
        const bool brought = i < PARAMETERS || !strncmp(k.name, "calibrated_", 11);
        if (brought && seen[i])
            return error_input(e,
                               "%s:%d: parameters %s brings %s, which line %d gives already; "
                               "remove that line, or put it after this one, where it counts",
                               s->lines.file.path, line->line, line->value, k.name, seen[i]);
    }
    return 0;
}

static int take_line(struct settings *s, int n, int seen[KEYS], const struct settings_more *more,
                     struct error *e)
{
    const char *path = s->lines.file.path;
    const struct keyvalue *line = &s->lines.item[n];
    int i = find_key(line->key), status;
    if (more && (i < 0 ? is_of_plans(line->key) : !strcmp(line->key, "assets")))
        return take_more(s, n, more, e); /* what plans count at assets is theirs */
    if (i < 0 && more && more->calibrate && settings_calibrates(line->key))
        return take_more(s, n, more, e);
    if (i < 0) return refuse_unknown(path, line, more, e);
    const struct key key = get_key(i);
    if (seen[i] && key.type != LINES)
        return error_input(e, "%s:%d: %s was given in line %d already; remove one of them", path,
                           line->line, line->key, seen[i]);
    seen[i] = line->line;
    const struct entry at = {path,
                             line,
                             key.min,
                             key.max,
                             key.parameter ? key.parameter->unit : "",
                             (char *)s + key.offset};
    if (key.type == SET && (status = refuse_before(s, seen, line, e))) return status;
    if (key.line) *(int *)((char *)s + key.line) = line->line;
    return take(key.type, &at, e);
}

/* The only ranges that depend on one another. */
static int check_order(const struct settings *s, const int seen[KEYS], struct error *e)
{
    const struct params *p = &s->params;
    const int vent = seen[find_key("PTvent")], sol = seen[find_key("PTsol")];
    if (p->temp_vent_K <= p->temp_sol_K && !(vent && sol))
        return error_input(e, "%s:%d: PTvent = %g is not above PTsol = %g with parameters %s",
                           s->lines.file.path, vent ? vent : sol, p->temp_vent_K, p->temp_sol_K,
                           s->parameter_set);
    if (p->temp_vent_K <= p->temp_sol_K)
        return error_input(e,
                           "%s:%d: PTvent is not above PTsol of line %d; lava leaves the vent "
                           "hotter than it solidifies, e.g. 1360 and 1143",
                           s->lines.file.path, vent, sol);
    int line = seen[find_key("initial_temperature_K")];
    if (line && (s->initial_temp_K < p->temp_sol_K || s->initial_temp_K > p->temp_vent_K))
        return error_input(e,
                           "%s:%d: initial_temperature_K is not between PTsol and PTvent; mobile "
                           "lava has a temperature between these",
                           s->lines.file.path, line);
    return 0;
}

/* Before all others, since any of them may be a date. */
static void look_for_start(struct settings *s)
{
    for (int i = 0; i < s->lines.count && !*s->start_time; i++)
        if (!strcmp(s->lines.item[i].key, "start_time"))
            times_start(s->lines.item[i].value, s->start_time);
}

int settings_read_plan(struct settings *s, const char *path, const struct settings_more *more,
                       struct error *e)
{
    int seen[KEYS] = {0};
    const char *other = filekind_not_a_case(path);
    *s = (struct settings){.reduce_every = 100};
    if (other)
        return error_input(
            e, "%s: not a case file (it looks like %s); name the .cfg that points to it", path,
            other);
    int status = keyvalues_read(&s->lines, path, e);
    if (!status) look_for_start(s);
    for (int i = 0; i < s->lines.count && !status; i++) status = take_line(s, i, seen, more, e);
    if (!status) status = settings_check_required(s, seen, more != NULL, e);
    if (!status) status = check_order(s, seen, e);
    if (!status) {
        s->first_step_given = seen[find_key("first_step")] != 0;
        if (!seen[find_key("initial_temperature_K")]) s->initial_temp_K = s->params.temp_vent_K;
    } else {
        settings_free(s);
    }
    return status;
}

int settings_read(struct settings *s, const char *path, struct error *e)
{
    return settings_read_plan(s, path, NULL, e);
}

int settings_check_number(const char *key, const char *called, double value, struct error *e)
{
    char min[32], max[32];
    const struct key k = get_key(find_key(key));
    if (value >= k.min && value <= k.max) return 0;
    return error_input(e, "%s: is %g; give a value from %s to %s", called, value,
                       number_text(k.min, min), number_text(k.max, max));
}

void settings_free(struct settings *s)
{
    keyvalues_free(&s->lines);
    *s = (struct settings){0};
}
