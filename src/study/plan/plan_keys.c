/* plan_keys.c — the keys that a plan has in addition to the keys of a case. */
#define _GNU_SOURCE /* strcasestr */
#include "plan.h"

#include "text/scan.h"
#include "verify/discrepancy.h"

#include <math.h>
#include <string.h>

/* ---- values that need a function ------------------------------------------------------------- */

/* Reads increasing numbers. If the key has the unit h, they are times. A time is in hours unless it names another unit,
 * and becomes seconds. */
static int read_list(const struct entry *at, struct error *e)
{
    struct plan_list *list = at->target;
    double *value = list->value;
    const bool times = !strcmp(at->unit, "h");
    const double unit = times ? times_unit_s(TIMES_HOURS) : 1;
    struct entry_words w;
    struct error why;
    bool good = entry_words(&w, at) && !(times && strpbrk(at->line->value, ",;"));
    for (int i = 0; good && i < w.count; i++) {
        if (!times) good = scan_real(w.word[i], &value[i]);
        else if (times_moment(&value[i], w.word[i], TIMES_HOURS, at->start_time, &why))
            return entry_refuse(at, why.text, e);
    }
    if (!good && times) return entry_refuse(at, "give up to 16 times, separated by blanks", e);
    if (!good) return entry_refuse(at, "give up to 16 numbers, separated by blanks", e);
    list->count = w.count;
    for (int i = 0; i < w.count; i++) {
        if (!(value[i] >= at->min * unit && value[i] <= at->max * unit))
            return entry_refuse_range(at, e);
        if (i && value[i] <= value[i - 1]) return entry_refuse(at, "give numbers that increase", e);
    }
    return 0;
}

static int read_grid_box(const struct entry *at, struct error *e)
{
    double *box = at->target;
    struct entry_words w;
    bool good = entry_words(&w, at) && w.count == 4;
    for (int i = 0; i < 4 && good; i++) good = scan_real(w.word[i], &box[i]);
    if (good && box[0] < box[2] && box[1] < box[3]) return 0;
    return entry_refuse(at, "give west, south, east and north, in map coordinates", e);
}

static int read_distribution(const struct entry *at, struct error *e)
{
    struct plan_keys *k = at->target;
    const char *name = at->line->key + strlen("vary_"), *nearest;
    char excerpt[48];
    const int variable = variable_find(name, &nearest);
    if (variable < 0)
        return error_line(e, at->path, at->line->line,
                          "unknown variable '%s'; %s%s%s`sciara help keys` lists them",
                          scan_excerpt(excerpt, name), nearest ? "did you mean vary_" : "",
                          nearest ? nearest : "", nearest ? "? " : "");
    k->vary[variable] = at->line->value;
    k->vary_line[variable] = at->line->line;
    return 0;
}

/* ---- terrain_error from_dem KIND ------------------------------------------------------------- */

/* Published vertical errors of digital elevation models. docs/formats/plans.md has the sources. The errors include
 * offsets and errors of long wavelength, which do not change the path of lava. If no correlation length is
 * published, the length is four times the spacing of the elevation model. */
struct dem_error {
    const char *name;
    double sd_m, length_m;
    const char *called[4]; /* words for the model in descriptions of a terrain; ends with NULL */
};

/* A linear error of 90 % (LE90) is 1.645 standard deviations. */
static const double LE90 = 1.645;

static const struct dem_error dem_errors[] = {
    /* class QL2 of the USGS Lidar Base Specification: 0.10 m, root mean square */
    {"lidar", 0.10, 4, {"lidar", "laser scan"}},
    /* Tarquini et al. 2007: less than 3.5 m, root mean square, over Italy */
    {"tinitaly", 3.5, 40, {"tinitaly"}},
    /* Copernicus DEM Product Handbook: 4 m, LE90, relative, on slopes above 20 % */
    {"copernicus30", 4 / LE90, 120, {"copernicus", "glo-30", "glo30"}},
    /* Tadono et al. 2014: 5 m, standard deviation that the specification demands */
    {"aw3d30", 5, 120, {"aw3d", "alos"}},
    /* Rodriguez et al. 2006: 8.0 m, LE90, on islands */
    {"srtm", 8 / LE90, 120, {"srtm"}},
    /* Gesch et al. 2016, version 3: 8.52 m, root mean square */
    {"aster", 8.52, 120, {"aster", "gdem"}},
};
enum { DEM_ERRORS = sizeof dem_errors / sizeof *dem_errors };

static const struct dem_error *find_dem_error(const char *name)
{
    for (int i = 0; i < DEM_ERRORS; i++)
        if (!strcmp(dem_errors[i].name, name)) return &dem_errors[i];
    return NULL;
}

const char *plan_dem_called(const char *source)
{
    const char *found = NULL;
    for (int i = 0; i < DEM_ERRORS; i++)
        for (int k = 0; dem_errors[i].called[k]; k++) {
            if (!strcasestr(source, dem_errors[i].called[k])) continue;
            if (found && found != dem_errors[i].name) return NULL;
            found = dem_errors[i].name;
        }
    return found;
}

static int read_dem_error(const struct entry *at, struct error *e)
{
    struct plan_keys *k = at->target;
    struct entry_words w;
    const bool good = entry_words(&w, at) && w.count == 2 && !strcmp(w.word[0], "from_dem");
    const struct dem_error *kind = good ? find_dem_error(w.word[1]) : NULL;
    if (!kind)
        return entry_refuse(at,
                            "give from_dem and lidar, tinitaly, copernicus30, aw3d30, srtm or "
                            "aster, or terrain_error_m and terrain_error_length_m",
                            e);
    k->terrain_error_m = kind->sd_m;
    k->dem_length_m = kind->length_m;
    return 0;
}

/* Reads YEAR: all eruptions since YEAR are known. Or reads words VOLUME:YEAR: all eruptions since YEAR of at least
 * VOLUME are known. */
static int read_complete(const struct entry *at, struct error *e)
{
    struct catalogue_request *c = at->target;
    struct entry_words w;
    bool good = entry_words(&w, at) && w.count <= CATALOGUE_BANDS;
    for (int i = 0; good && i < w.count; i++) {
        char *colon = strchr(w.word[i], ':');
        struct complete_band *b = &c->band[i];
        if (colon) *colon = '\0';
        good = scan_real(colon ? colon + 1 : w.word[i], &b->since) &&
               (colon ? scan_real(w.word[i], &b->volume_m3) && b->volume_m3 >= 0 : w.count == 1) &&
               (!i || (b->volume_m3 > b[-1].volume_m3 && b->since <= b[-1].since));
    }
    if (!good)
        return entry_refuse(at,
                            "give a year, or pairs VOLUME:YEAR with larger volumes known since "
                            "earlier years, such as '1e5:1950 1e7:1800'",
                            e);
    c->bands = w.count;
    return 0;
}

static int read_rate(const struct entry *at, struct error *e)
{
    struct catalogue_request *c = at->target;
    struct entry_words w;
    if (entry_words(&w, at) && w.count == 3 && scan_real(w.word[0], &c->rate) &&
        scan_real(w.word[1], &c->rate_low) && scan_real(w.word[2], &c->rate_high) &&
        c->rate_low > 0 && c->rate_low < c->rate && c->rate < c->rate_high && c->rate_high < 1e6)
        return 0;
    return entry_refuse(
        at, "give the mean, then the 5th and the 95th percentile, such as '0.5 0.3 0.8'", e);
}

#define AT(field) offsetof(struct plan_keys, field)

static const char *const samplings[] = {
    [SAMPLING_RANDOM] = "random", [SAMPLING_LATIN] = "latin", [SAMPLING_SOBOL] = "sobol", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const thicknesses[] = {"cells", "medians", NULL};

static const struct key of_members[] = {
    {"members", KEY_COUNT, COUNTS_LINE, AT(members), 1, PLAN_MEMBERS_MAX,
     .meaning =
         "number of members, each of weight 1; vents and classes are drawn by their weights"},
    {"member_table", KEY_FILE, COUNTS_NUMBERS, AT(member_table),
     .meaning = "a CSV file with a row for each member"},
    {"repeats", KEY_COUNT, COUNTS_LINE, AT(repeats), 1, PLAN_MEMBERS_MAX, NULL, "1",
     .meaning =
         "number of members for each row, or for each vent and class; only without `members`"},
    {"sampling", KEY_CHOICE, COUNTS_LINE, AT(sampling), .usual = "`random`", .choices = samplings,
     .meaning = "independent draws, a Latin hypercube, or Sobol's points (of at most 40 "
                "dimensions, one for each number that a member draws)",
     .remedy = "give random, latin (hypercube) or sobol"},
    {"seed", KEY_COUNT, COUNTS_LINE, AT(seed), 0, 9007199254740992.0, NULL, "0",
     .meaning = "another seed draws other members"},
};

static const struct key of_draws[] = {
    {"vary_", KEY_OWN, COUNTS_LINE, .form = "NAME DISTRIBUTION", .read = read_distribution,
     .meaning =
         "a parameter of the model, `rate_factor`, `duration_factor`, `volume_m3`, `duration_h`, "
         "`vent_east_m`, `vent_north_m`, `azimuth_deg`, `fissure_length_m`, `run_h`, "
         "`eruption_end_h`, `terrain_error_m` or `terrain_error_length_m`, drawn for each member"},
    {"correlation", KEY_FILE, COUNTS_NUMBERS, AT(correlation),
     .meaning = "a CSV file of correlations among what `vary_` draws: a header `name,NAME,...` and "
                "a row for each NAME; symmetric, 1 on the diagonal, positive definite"},
    {"terrain_error", KEY_OWN, COUNTS_LINE, .form = "from_dem KIND", .usual = "none",
     .read = read_dem_error,
     .meaning = "an error of the terrain as published for a kind of DEM: lidar, tinitaly, "
                "copernicus30, aw3d30, srtm or aster"},
    {"terrain_error_m", KEY_REAL, COUNTS_LINE, AT(terrain_error_m), 0, 100, "m", "0",
     .meaning = "standard deviation of a normal error of the terrain, drawn for each member"},
    {"terrain_error_length_m", KEY_REAL, COUNTS_LINE, AT(terrain_error_length_m), 0, 1e7, "m", "0",
     .meaning = "correlation length of the terrain error, at least a cell; 0: the errors of cells "
                "are independent"},
    {"terrain_error_hurst", KEY_REAL, COUNTS_LINE, AT(terrain_error_hurst), 0, 1, NULL, "none",
     .meaning = "Hurst exponent of an error of many correlation lengths: `terrain_error_length_m`, "
                "half of it, and so on down to a cell"},
};

static const struct key of_vents[] = {
    {"vent_list", KEY_FILE, COUNTS_NUMBERS, AT(vent_list),
     .meaning = "vents and fissures, a CSV or vector file with a column `weight` (whole numbers) "
                "or `probability` (sum 1). Without such a column all are equally likely. Every "
                "row of a fissure has the same value"},
    {"vent_grid_m", KEY_REAL, COUNTS_LINE, AT(vent_grid_m), 1e-3, 1e6, "m",
     .meaning = "spacing of a grid of vents, which begins half a spacing from the south-western "
                "corner of the terrain; cells without terrain have none"},
    {"vent_grid_box", KEY_OWN, COUNTS_LINE, AT(vent_grid_box), .form = "WEST SOUTH EAST NORTH",
     .usual = "the whole terrain", .read = read_grid_box,
     .meaning = "limits of the grid of vents, in map coordinates"},
    {"vent_raster", KEY_FILE, COUNTS_NUMBERS, AT(vent_raster),
     .meaning = "a raster of probabilities with cells of any size: a vent in the middle of each "
                "cell above 0, weighted by its share of the sum. Each vent has to lie on terrain"},
};

static const struct key of_eruptions[] = {
    {"classes", KEY_FILE, COUNTS_NUMBERS, AT(classes),
     .meaning =
         "a CSV file of classes of eruptions: `class` (a name of at most 39 bytes), `weight` or "
         "`probability`, `volume_m3`, `duration_h`, `shape` and, for shapes, `peak` and `decay`"},
    {"shape", KEY_TEXT, COUNTS_NUMBERS, AT(shape), 0, 4095, .form = "NAME", .usual = "`constant`",
     .meaning = "rates of eruptions with a drawn or tabulated `volume_m3` and `duration_h`"},
};

static const char *const kernels[] = {"epanechnikov", "gaussian", NULL};
static const char *const size_forms[] = {"quantiles", "lognormal", NULL};
static const struct key of_volcanoes[] = {
    {"past_vents", KEY_FILE, COUNTS_NUMBERS, AT(hazard.opening.vents),
     .meaning =
         "past vents and fissures, a vector file of points, lines and polygons, or a CSV with x "
         "and y, or lon and lat; with `zone`, `weight` and `age` (years), or without"},
    {"vent_opening", KEY_FILE, COUNTS_NUMBERS, AT(hazard.opening.raster),
     .meaning = "in place of `past_vents`: a raster of the probability that a vent opens"},
    {"opening_kernel", KEY_CHOICE, COUNTS_LINE, AT(hazard.opening.kernel),
     .usual = "`epanechnikov`", .choices = kernels, .remedy = "give epanechnikov or gaussian",
     .meaning = "how the density around a past vent falls with the distance"},
    {"opening_bandwidth_m", KEY_REAL, COUNTS_LINE, AT(hazard.opening.bandwidth_m), 1e-3, 1e7, "m",
     "by cross-validation",
     .meaning = "bandwidth of the kernel around a past vent. Without this line: the bandwidth and "
                "axis with which the other vents of a zone predict each past vent best"},
    {"opening_cell_m", KEY_REAL, COUNTS_LINE, AT(hazard.opening.cell_m), 1e-3, 1e7, "m",
     "a quarter of the bandwidth",
     .meaning = "side of the cells in the middle of which vents open"},
    {"opening_age_scale_y", KEY_REAL, COUNTS_LINE, AT(hazard.opening.age_scale_y), 1e-3, 1e9, "y",
     "all alike", .meaning = "a vent of the age A weighs exp(-A / this value)"},
    {"opening_within", KEY_FILE, COUNTS_NUMBERS, AT(hazard.opening.within), .usual = "the terrain",
     .meaning = "polygons outside which no vent opens, a vector file"},
    {"opening_never", KEY_FILE, COUNTS_NUMBERS, AT(hazard.opening.never), .usual = "none",
     .meaning = "polygons inside which no vent opens, a vector file"},
    {"catalogue", KEY_FILE, COUNTS_NUMBERS, AT(hazard.catalogue.path),
     .meaning =
         "past eruptions, a CSV file with `date` (a year, or 1669-03-11) or `age_y`, and "
         "`error_y`, `volume_m3`, `duration_h`, `mean_rate_m3_s`, `zone`; cells may be empty"},
    {"catalogue_until", KEY_REAL, COUNTS_LINE, AT(hazard.catalogue.now), -1e6, 1e4, "y",
     .meaning = "the year in which the catalogue ends, from which ages count"},
    {"complete", KEY_OWN, COUNTS_LINE, AT(hazard.catalogue), .form = "YEAR or VOLUME:YEAR...",
     .read = read_complete,
     .meaning = "the year since which the catalogue has all eruptions, or all of this volume (m3) "
                "or more"},
    {"eruptions_per_year", KEY_OWN, COUNTS_LINE, AT(hazard.catalogue), .form = "MEAN P05 P95",
     .usual = "by the complete part", .read = read_rate,
     .meaning = "number of eruptions a year, instead of the number in the catalogue"},
    {"sizes", KEY_CHOICE, COUNTS_LINE, AT(hazard.lognormal), .usual = "`quantiles`",
     .choices = size_forms, .remedy = "give quantiles or lognormal",
     .meaning = "classes of volume: with equal numbers of past eruptions, or quantiles of a "
                "log-normal distribution"},
    {"size_classes", KEY_COUNT, COUNTS_LINE, AT(hazard.size_classes), 1, CATALOGUE_CLASSES, NULL,
     "5", .meaning = "number of classes, for each volume of `complete`"},
    {"past_flows", KEY_FILE, COUNTS_NOT, AT(hazard.past_flows), .usual = "none",
     .meaning = "polygons of past flows with which maps are compared; `date`, `name`"},
    {"years", KEY_OWN, COUNTS_NOT, AT(hazard.years), 1e-3, 1e6, "y", "1 10 50", .form = "YEARS...",
     .read = read_list,
     .meaning = "at most 16 increasing periods: for each, the probability of lava"},
    {"hazard_draws", KEY_COUNT, COUNTS_NOT, AT(hazard.draws), 20, HAZARD_DRAWS_MAX, NULL, "100",
     .meaning = "number of draws of rates and past vents, from which 5 and 95 % follow"},
};

static const struct key of_histories[] = {
    {"observed_rates", KEY_FILE, COUNTS_NUMBERS, AT(observed_rates),
     .meaning = "rates with errors, in place of `rates`: a CSV file with the same columns and "
                "`factor`, the error of each rate (1.3: 68 % lie between rate / 1.3 and rate * "
                "1.3). Each member draws one series of rates"},
    {"rates_error", KEY_OWN, COUNTS_LINE, AT(history), .form = "FACTOR [correlation R]",
     .usual = "1 correlation 0.7", .read = rate_history_read_error,
     .meaning = "error of rates without a factor in their row; correlation of an error with the "
                "error a day later, for all rates"},
    {"radiant_density", KEY_OWN, COUNTS_LINE, AT(history), .form = "J_M3 factor F", .usual = "none",
     .read = rate_history_read_radiant,
     .meaning = "radiated energy of 1 m³ of lava (Coppola et al. 2013), which converts a table "
                "`time,radiant_power_W` in `observed_rates` to rates; F is the factor of its "
                "error, drawn once for all rates of a member"},
    {"rates_after", KEY_OWN, COUNTS_LINE, AT(history), .form = "RULE factor F correlation R ...",
     .usual = "nothing", .read = rate_history_read_after,
     .meaning =
         "daily rates after the last observed rate, until `vary_eruption_end_h`. RULE is `ar1`: "
         "rates vary around the mean rate of the member, or around `level RATE`; `decline TIME`: "
         "they fall exponentially over TIME; or `curve FORM`: they follow a form of the whole "
         "eruption (constant, waxwane, exponential or risefall), with `peak` and `decay`. F and R: "
         "error of each rate, and its correlation from day to day"},
    {"vent_shares", KEY_FILE, COUNTS_NUMBERS, AT(vent_shares),
     .meaning = "how the vents of the case share the total rate, and when they are open: a CSV "
                "file `vent,from,to,share` with whole numbers. A vent stays open if its rows reach "
                "the last time of the file",
     .usual = "equally"},
    {"vent_shares_error", KEY_REAL, COUNTS_LINE, AT(vent_shares_error), 1, 100, NULL, "1",
     .meaning = "factor of the error of a share; each vent draws its error anew in each member"},
};

static const struct key of_beginnings[] = {
    {"from_state", KEY_FILE, COUNTS_NUMBERS, AT(from_state), .usual = "the first step",
     .meaning =
         "a state of a run on the same terrain, from which all members start. What "
         "members draw applies from the state on; times count from the beginning of the eruption"},
};

static const struct key of_ends[] = {
    {"run_h", KEY_MOMENT, COUNTS_LINE, AT(run_s), 1e-3, 1e7, "h", "by `max_steps`",
     .meaning = "end of a member"},
    {"stop_at_rest", KEY_CHOICE, COUNTS_LINE, AT(stop_at_rest), .usual = "`no`", .choices = no_yes,
     .remedy = "give yes or no",
     .meaning = "a member ends when its eruption is over and its lava at rest"},
};

static const struct key of_statistics[] = {
    {"exceed_m", KEY_OWN, COUNTS_LINE, AT(statistics.exceed_m), 1e-6, 4000, "m", "none",
     .meaning =
         "at most 16 increasing thicknesses: for each, the probability that lava becomes thicker",
     .form = "METRES...", .read = read_list},
    {"arrive_within_h", KEY_OWN, COUNTS_LINE, AT(statistics.arrive_s), 1e-3, 1e7, "h", "none",
     .meaning = "at most 16 increasing times: for each, the probability that lava arrives by then",
     .form = "TIMES...", .read = read_list},
    {"thickness_of", KEY_CHOICE, COUNTS_LINE, AT(statistics.medians), .usual = "`cells`",
     .choices = thicknesses, .remedy = "give cells or medians",
     .meaning = "greatest thickness of a member: of single cells, or medians of 3 × 3 cells (0 "
                "where dry), without the noise from cell to cell"},
    {"thickness_bin_m", KEY_REAL, COUNTS_LINE, AT(statistics.bin_m), 1e-3, 100, "m", "0.1",
     .meaning = "resolution of percentiles of thickness"},
    {"arrival_bin_h", KEY_DURATION, COUNTS_LINE, AT(statistics.bin_s), 1e-3, 1e5, "h", "1",
     .meaning = "resolution of percentiles of arrival"},
    {"assets", KEY_FILE, COUNTS_BYTES, AT(assets), .usual = "none",
     .meaning = "places of interest, a vector file"},
    {"verify_within", KEY_FILE, COUNTS_NOT, AT(verify_within), .form = "DISTANCE or FILE",
     .usual = "the outline's box and 500 m",
     .meaning = "with `outline`: the forecast is verified on the cells within a distance (`500m`, "
                "`2km`) of "
                "the outline, in polygons of a vector file, or above 0 in a raster"},
    {"null_from", KEY_FILE, COUNTS_NOT, AT(null_from), .form = "FOLDER", .usual = "none",
     .meaning =
         "with `outline`: results of another eruption (`sciara null`, or any study with an "
         "outline). Its null model, with the length and half width that were fitted there, is "
         "scored on this eruption, out of sample"},
    {"discrepancy_m", KEY_REAL, COUNTS_NOT, AT(discrepancy_m), 0, DISCREPANCY_MOST_M, "m", "0",
     .meaning =
         "error of the model, as a distance: `probability_discrepancy.tif` has the mean "
         "probability of the cells within it, and is verified too. A posterior writes this line"},
    {"until_error", KEY_REAL, COUNTS_NOT, AT(statistics.until_error), 1e-6, 1, NULL, "all members",
     .meaning = "members are computed until the standard error of the probability is below this "
                "in every cell. Needs `members`: the first rows or vents of a list are not a "
                "sample of all"},
    {"keep", KEY_CHOICE, COUNTS_NOT, AT(keep), .usual = "`no`", .choices = no_yes,
     .remedy = "give yes or no",
     .meaning = "the members are kept in a library, for questions to `sciara ask`"},
};

/* The key of an observation. A plan may have any number of observations. */
#define SEEN(of)                                                                                   \
    KEY_OWN, COUNTS_NOT, AT(seen), .form = (of), .usual = "none", .read = seen_read, .repeats = true
static const struct key of_observations[] = {
    {"observed_front", SEEN("FILE at TIME error_m E"),
     .meaning =
         "the outline of the flow at TIME, a file as for `outline`; E is the error of its line. A "
         "package of Copernicus EMS (ZIP) has its own time. After these words: `part` if lava "
         "elsewhere was not seen, or `within FILE`, polygons of the area that was seen; "
         "`correlation_m L` (400), the distance within which cells count as one"},
    {"observed_fronts", SEEN("FILE date FIELD error_m E"),
     .meaning = "outlines of many dates, a vector file: a front for each date of that attribute. "
                "Needs `start_time`. After these words: `increments` if each date has the new "
                "lava alone, and the words of `observed_front`"},
    {"observed_dry", SEEN("FILE until TIME"),
     .meaning = "places that lava had not reached at that time, a vector file. After these words: "
                "`correlation_m L`"},
    {"observed_arrival", SEEN("FILE at TIME error_h H"),
     .meaning = "places that lava reached at that time, a vector file"},
    {"observed_survey", SEEN("FILE at TIME error_m E"),
     .meaning = "the thickness of lava at that time with its error: a raster or a CSV file with "
                "columns `x`, `y`, `thickness_m`. After these words: `correlation_m L`; `shift_m "
                "D`, which is added to the thickness"},
    {"observed_hot_spots", SEEN("FILE"),
     .meaning = "hot spots of VIIRS, MODIS or Landsat, a CSV or vector file with the columns of "
                "FIRMS (`latitude`, `longitude`, `acq_date`, `acq_time`, `confidence`; `scan`, "
                "`track`). Needs `start_time`. After FILE: `frp` to count them by their radiative "
                "power; `correlation_m L`"},
    {"observed_end", SEEN("TIME [error_h H]"),
     .meaning = "when the eruption ended, with its error (6 h); members that emit lava until "
                "another time get less weight"},
    {"weigh_rates", SEEN("FILE"),
     .meaning =
         "rates with errors, as in `observed_rates`, by which members with rates of their own are "
         "weighed, without new runs"},
    {"observed_correlation_h", KEY_DURATION, COUNTS_NOT, AT(seen.correlation_s), 0, 1e6, "h", "24",
     .meaning = "time within which observations of the same place count as one"},
    {"effective_share", KEY_REAL, COUNTS_NOT, AT(seen.least_share), 1e-6, 1, NULL, "0.1",
     .meaning =
         "least share of the effective number of members that observations leave: weights are "
         "tempered to keep it"},
};

static const struct key_section sections[] = {
    {.name = "number of members", KEYS_OF(of_members)},
    {.name = "draws", KEYS_OF(of_draws)},
    {.name = "vents of members", KEYS_OF(of_vents)},
    {.name = "eruptions of members", KEYS_OF(of_eruptions)},
    {.name = "hazard of a volcano", KEYS_OF(of_volcanoes)},
    {.name = "rates that are observed", KEYS_OF(of_histories)},
    {.name = "beginning of members", KEYS_OF(of_beginnings)},
    {.name = "end of members", KEYS_OF(of_ends)},
    {.name = "statistics", KEYS_OF(of_statistics)},
    {.name = "observations", KEYS_OF(of_observations)},
    {0}};
const struct schema plan_schema = {
    "a plan of many runs; use sciara ensemble, or run one of its members", sections};

struct plan_keys plan_keys_default(void)
{
    struct plan_keys k = {.repeats = 1,
                          .terrain_error_hurst = INFINITY,
                          .history = rate_history_keys_default(),
                          .hazard = {.catalogue = {.now = NAN},
                                     .size_classes = 5,
                                     .draws = 100,
                                     .years = {3, {1, 10, 50}}},
                          .vent_shares_error = 1,
                          .seen = {.correlation_s = 86400, .least_share = 0.1},
                          .statistics = {.bin_m = 0.1, .bin_s = 3600}};
    for (int i = 0; i < 4; i++) k.vent_grid_box[i] = NAN;
    return k;
}

bool plan_observes(const char *name)
{
    for (size_t i = 0; i < sizeof of_observations / sizeof *of_observations; i++)
        if (!strcmp(of_observations[i].name, name)) return true;
    return false;
}

/* Whether a file has a key of a plan. `observations`: keys of observations count, too. */
static bool has_keys(const char *path, bool observations)
{
    FREED_BY(keyvalues_free) struct keyvalues lines;
    struct key k;
    bool any = false;
    if (keyvalues_read(&lines, path, NULL)) return false;
    for (int i = 0; i < lines.count && !any; i++)
        any = schema_find(&plan_schema, lines.item[i].key, &k) &&
              !schema_find(&case_schema, lines.item[i].key, &k) &&
              (observations || !plan_observes(lines.item[i].key));
    return any;
}

bool plan_is(const char *path)
{
    return has_keys(path, true);
}

bool plan_has_draws(const char *path)
{
    return has_keys(path, false);
}
