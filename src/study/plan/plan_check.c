/* plan_check.c — checks the keys of a plan against each other, and finds what all members have in common. */
#include "plan.h"

#include "case/changes.h"
#include "random/terrain_error.h"

#include <string.h>

/* Refuses a line of the plan; `line` 0: refuses the whole file. */
static int refuse_line(const struct plan *p, int line, const char *why, struct error *e)
{
    return line ? error_line(e, p->base.path, line, "%s", why)
                : error_input(e, "%s: %s", p->base.path, why);
}

/* Pairs of keys: either they exclude each other, or `key` needs `other`. */
static const struct rule {
    const char *key, *other;
    /* The value of `other` in the message that `key` needs `other`. NULL: the keys exclude each other. */
    const char *example;
    const char *remedy; /* NULL: "keep one of them" */
} rules[] = {
    {"members", "member_table", NULL, "keep one of them, or give repeats"},
    {"repeats", "members", NULL, NULL},
    {"vent_grid_box", "vent_grid_m", "250", NULL},
    {"vent_list", "vent_grid_m", NULL, NULL},
    {"vent_list", "vent_raster", NULL, NULL},
    {"vent_grid_m", "vent_raster", NULL, NULL},
    {"vent_list", "vents", NULL, NULL},
    {"vent_grid_m", "vents", NULL, NULL},
    {"vent_raster", "vents", NULL, NULL},
    {"classes", "rates", NULL, NULL},
    {"shape", "classes", NULL, "give shapes in the table of classes"},
    {"vary_volume_m3", "classes", NULL, "vary rate_factor and duration_factor instead"},
    {"vary_duration_h", "classes", NULL, "vary rate_factor and duration_factor instead"},
    {"shape", "rates", NULL, NULL},
    {"past_vents", "catalogue", "eruptions.csv", NULL},
    {"vent_opening", "catalogue", "eruptions.csv", NULL},
    {"past_vents", "vent_opening", NULL, NULL},
    {"catalogue", "catalogue_until", "2026", NULL},
    {"catalogue", "members", "5000", NULL},
    {"catalogue", "classes", NULL, NULL},
    {"catalogue", "rates", NULL, NULL},
    {"catalogue", "vents", NULL, NULL},
    {"catalogue", "vent_list", NULL, NULL},
    {"catalogue", "vent_grid_m", NULL, NULL},
    {"catalogue", "vent_raster", NULL, "give the raster as vent_opening"},
    {"terrain_error", "terrain_error_m", NULL, NULL},
    {"observed_rates", "rates", NULL, NULL},
    {"observed_rates", "classes", NULL, NULL},
    {"observed_rates", "shape", NULL, NULL},
    {"radiant_density", "observed_rates", "power.csv", NULL},
    {"rates_after", "vary_eruption_end_h", "uniform 168 336", NULL},
    {"vent_shares_error", "vent_shares", "shares.csv", NULL},
    {"run_h", "vary_run_h", NULL, NULL},
};

static int check_rules(const struct plan *p, struct error *e)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *r = &rules[i];
        const int line = plan_line(p, r->key);
        if (!line || !plan_line(p, r->other) != (r->example != NULL)) continue;
        if (r->example)
            return error_line(e, p->base.path, line, "%s needs %s; add a line such as '%s %s'",
                              r->key, r->other, r->other, r->example);
        return error_line(e, p->base.path, line, "%s and %s are both given; %s", r->key, r->other,
                          r->remedy ? r->remedy : "keep one of them");
    }
    return 0;
}

/* Refuses keys of draws in a calibration, which draws only the error of the terrain. */
static int check_calibration(const struct plan *p, struct error *e)
{
    static const char *const keys[] = {"members",      "repeats",     "sampling",
                                       "member_table", "correlation", "vent_list",
                                       "vent_grid_m",  "vent_raster", "classes"};
    int line = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !line; i++) line = plan_line(p, keys[i]);
    for (int i = 0; i < VARIABLES && !line; i++) line = p->keys.vary_line[i];
    return line ? refuse_line(p, line,
                              "a plan with bounds (fit_NAME) draws no members; remove this line, "
                              "replace vary_NAME by fit_NAME LOW HIGH, or use sciara ensemble",
                              e)
                : 0;
}

bool plan_has_members(const struct plan *p)
{
    const struct plan_keys *k = &p->keys;
    return k->members || k->member_table || k->vent_list || k->vent_grid_m > 0 || k->vent_raster ||
           k->classes;
}

static int check_count(const struct plan *p, struct error *e)
{
    if (p->calibrates) return check_calibration(p, e);
    if (plan_has_members(p)) return 0;
    return refuse_line(p, 0,
                       "the number of members is missing; add a line such as 'members 1000', "
                       "vent_list, classes or member_table",
                       e);
}

int plan_check_keys(const struct plan *p, struct error *e)
{
    int status = check_count(p, e);
    if (!status) status = check_rules(p, e);
    if (!status && p->from && p->keys.vary_line[0])
        status =
            refuse_line(p, p->keys.vary_line[0],
                        "Pclock varies, but all steps before the state have one Pclock; remove "
                        "vary_Pclock or the state",
                        e);
    if (status || !p->keys.vary_line[0] || !p->settings.first_step) return status;
    return refuse_line(
        p, p->keys.vary_line[0],
        "Pclock varies, but the steps before first_step have a fixed Pclock; give first_step 0", e);
}

/* ---- whether members can erupt --------------------------------------------------------------- */

static bool all_of_one(const struct rate_series *c)
{
    return !c->count || c->interval[0].id == RATES_OF_ALL;
}

/* If the plan chooses vents for each member, rates have to be totals, without a vent's number. */
static int check_totals(const struct plan *p, bool chosen, struct error *e)
{
    const struct rate_series *bad = NULL;
    if (!all_of_one(&p->rates)) bad = &p->rates;
    for (int i = 0; i < p->table.rates_count && !bad; i++)
        if (!all_of_one(&p->table.rates[i])) bad = &p->table.rates[i];
    if (!bad || !chosen) return 0;
    return error_line(e, bad->path, bad->interval[0].line,
                      "the rates are of single vents, but the plan chooses the vents of each "
                      "member; give the total rate, with * as vent");
}

static int check_eruption(const struct plan *p, struct error *e)
{
    const bool chosen = p->sources.choice.count || p->table.has_place || p->table.has_vent;
    const bool vents = p->vents.count || p->sources.choice.count || p->table.has_place;
    const bool scaled = plan_given(p, ERUPTION_VOLUME) && plan_given(p, ERUPTION_H);
    const bool rates = p->rates.count || p->classes.choice.count || p->table.has_rates || scaled;
    const struct {
        bool wrong;
        const char *key, *why; /* key: the key whose line is refused; NULL: the file is refused */
    } faults[] = {
        {!vents && rates, NULL,
         "no vents; add a line such as 'vents vents.csv', or vent_list, vent_grid_m or "
         "vent_raster"},
        {vents && !rates, NULL,
         "no rates; add a line such as 'rates rates.csv' or 'classes classes.csv', or vary "
         "volume_m3 and duration_h"},
        {!vents && !p->base.thickness_m, NULL,
         "no lava: neither vents and rates nor a thickness; add lines such as 'vent_list "
         "vents.csv' and 'classes classes.csv'"},
        {p->from && plan_given(p, 0), NULL,
         "the member table has Pclock, but all steps before the state have one Pclock; remove the "
         "column"},
        {p->keys.shape && !scaled && !p->hazard, "shape",
         "shape needs a volume and a duration; vary volume_m3 and duration_h"},
        {plan_given(p, ERUPTION_VOLUME) && p->rates.count && !(p->rates.volume_m3 > 0), NULL,
         "all rates are 0, and cannot be scaled to a volume; give rates above 0"},
        {p->keys.history.factor > 1 && !p->rates.count, "rates_error",
         "rates_error needs rates; give observed_rates or rates, or vary rate_factor"},
        {p->shares.times && (chosen || p->table.has_rates), "vent_shares",
         "vent_shares divides one total among the vents of the case, but members choose their "
         "vents or rates; remove one of the two"},
        {plan_given(p, ERUPTION_END) && !p->rates.count, NULL,
         "eruption_end_h needs rates, which it ends; give observed_rates or rates"},
        {plan_given(p, FISSURE_LENGTH) && !plan_given(p, AZIMUTH), NULL,
         "fissures of a length need a direction; add a line such as 'vary_azimuth_deg uniform 0 "
         "180'"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].wrong)
            return refuse_line(p, faults[i].key ? plan_line(p, faults[i].key) : 0, faults[i].why,
                               e);
    return check_totals(p, chosen, e);
}

/* Checks that members end. Lava in a hollow at a vent may remain hot, and then never comes to rest. */
static int check_end(const struct plan *p, struct error *e)
{
    const bool timed =
        p->base.max_steps || p->keys.run_s || plan_given(p, RUN_H) || p->table.has_max_steps;
    const bool still = p->base.problem.stop_when_still;
    const int rest = p->keys.stop_at_rest ? plan_line(p, "stop_at_rest") : 0;
    if (rest && still)
        return refuse_line(
            p, rest, "stop_at_rest and stop_when_mobile_below_m are both given; remove one of them",
            e);
    if (timed || still) return 0;
    return refuse_line(
        p, rest,
        rest ? "lava in a hollow at a vent may stay hot for ever; give run_h or max_steps as well"
             : "members have no end; give run_h, max_steps, stop_when_mobile_below_m or "
               "stop_at_rest",
        e);
}

/* An upper bound, in m, of the terrain's error in any member. */
static double error_most(const struct plan *p)
{
    const struct distribution *d = p->vary[TERRAIN_ERROR];
    const double most = variable_row(TERRAIN_ERROR).high, cell_m = p->base.geo.cell_m,
                 length_m = plan_given(p, TERRAIN_LENGTH) ? variable_row(TERRAIN_LENGTH).high
                                                          : p->keys.terrain_error_length_m;
    struct terrain_error first = {.sd_m = p->keys.terrain_error_m};
    struct terrain_spectrum s;
    if (plan_given(p, TERRAIN_ERROR)) first.sd_m = d ? fmin(d->high, most) : most;
    if (length_m > 0) first.nodes_per_cell = TERRAIN_ERROR_LAG * cell_m / length_m;
    terrain_spectrum_set(&s, &first, p->keys.terrain_error_hurst);
    return terrain_spectrum_most(&s);
}

static int check_elevations(const struct plan *p, struct window w, const double *elevation_m,
                            struct error *e)
{
    const double most_m = error_most(p);
    for (int row = w.row0; most_m > 0 && row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++) {
            const double z = elevation_m[(size_t)row * (size_t)p->base.problem.cols + (size_t)col];
            if (z - most_m < ELEVATION_MIN_M || z + most_m > ELEVATION_MAX_M)
                return error_line(e, p->base.path, plan_line(p, "terrain_error_m"),
                                  "terrain_error_m can move elevations by %.0f m, but they have to "
                                  "stay from %g to %g m; give a smaller error",
                                  most_m, ELEVATION_MIN_M, ELEVATION_MAX_M);
        }
    return 0;
}

int plan_check_ground(const struct plan *p, struct window w, struct error *e)
{
    int status = check_elevations(p, w, p->base.elevation_m, e);
    for (int i = 0; i < p->base.change_count && !status; i++)
        if (p->base.change[i].elevation_m)
            status = check_elevations(p, w, p->base.change[i].elevation_m, e);
    return status;
}

/* Checks the keys of the terrain's error, and that elevations with this error remain valid. */
static int check_terrain_error(const struct plan *p, struct error *e)
{
    const double cell_m = p->base.geo.cell_m;
    const struct problem *q = &p->base.problem;
    const double length_m = p->keys.terrain_error_length_m;
    const int length_line = plan_line(p, "terrain_error_length_m"),
              hurst_line = plan_line(p, "terrain_error_hurst");
    const bool error = plan_line(p, "terrain_error_m") || plan_terrain_errs(p);
    if (!error && (length_line || hurst_line || plan_given(p, TERRAIN_LENGTH)))
        return refuse_line(p, length_line ? length_line : hurst_line,
                           length_line || !hurst_line
                               ? "terrain_error_length_m needs the standard deviation of the "
                                 "error; give terrain_error_m"
                               : "terrain_error_hurst needs the standard deviation of the error; "
                                 "give terrain_error_m",
                           e);
    if (hurst_line && !(length_m > 0) && !plan_given(p, TERRAIN_LENGTH))
        return refuse_line(p, hurst_line,
                           "terrain_error_hurst needs a length; give terrain_error_length_m", e);
    if (length_m > 0 && length_m < cell_m)
        return error_line(e, p->base.path, length_line,
                          "terrain_error_length_m is %g, less than a cell; give 0 or %g at least",
                          length_m, cell_m);
    if (p->table.has_terrain_seed && !plan_terrain_errs(p))
        return error_input(
            e, "%s: has terrain_seed, but the plan has no terrain_error_m; add terrain_error_m",
            p->table.path);
    /* Terrain that is read on demand is checked tile by tile. */
    return q->terrain ? 0 : plan_check_ground(p, problem_domain(q), e);
}

int plan_check_tables(const struct plan *p, struct error *e)
{
    int status = check_eruption(p, e);
    if (!status) status = check_end(p, e);
    return status ? status : check_terrain_error(p, e);
}

/* ---- what is equal in all members ------------------------------------------------------------ */

static bool any_given(const struct plan *p, const int *variable, int count)
{
    for (int i = 0; i < count; i++)
        if (plan_given(p, variable[i])) return true;
    return false;
}

static bool lava_varies(const struct plan *p)
{
    for (int i = 0; i < PARAMETERS; i++)
        if (plan_given(p, i)) return true;
    return false;
}

void plan_known(const struct plan *p, char text[PLAN_KNOWN])
{
    static const int rate[] = {RATE_FACTOR, DURATION_FACTOR, ERUPTION_VOLUME, ERUPTION_H,
                               ERUPTION_END},
                     duration[] = {DURATION_FACTOR, ERUPTION_H, ERUPTION_END},
                     place[] = {VENT_EAST, VENT_NORTH, AZIMUTH, FISSURE_LENGTH};
    const struct member_table *t = &p->table;
    const struct {
        const char *name;
        bool varies;
    } all[] = {
        {"rate", any_given(p, rate, 5) || p->history.sd || p->shares.sd > 0 ||
                     p->classes.choice.count > 1 || t->has_rates},
        {"duration", any_given(p, duration, 3) || p->classes.choice.count > 1 || t->has_rates},
        {"vents",
         any_given(p, place, 4) || p->sources.choice.count > 1 || t->has_place || t->has_vent},
        {"lava", lava_varies(p)},
        {"terrain", plan_terrain_errs(p)},
    };
    *text = '\0';
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].varies) continue;
        if (*text) strcat(text, ", ");
        strcat(text, all[i].name);
    }
}

void plan_warn_of_terrain(struct plan *p)
{
    if (plan_terrain_errs(p) || p->base.synthetic || plan_line(p, "terrain_error_m")) return;
    warnings_add(
        &p->base.told, WARNING_RESULT,
        "the forecast is too sure: it takes its terrain as exact, but every DEM has errors",
        "give 'terrain_error from_dem KIND' (`sciara help keys`), or terrain_error_m");
}
