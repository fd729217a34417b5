#include "keys.h"

#include "search/cmaes.h"
#include "search/smc.h"
#include "text/keyvalue.h"
#include "text/scan.h"

#include <math.h>
#include <string.h>

const char *const score_names[SCORES] = {"jaccard",  "f1",          "precision", "recall",
                                         "distance", "hausdorff95", "arrival",   "ensemble"};
#define SCORE_REMEDY                                                                               \
    "give jaccard, f1, precision, recall, distance, hausdorff95, arrival or ensemble"

#define WEIGHT_MAX 1e6 /* a macro, because an initialiser needs a constant */
static const double SCALE_MAX = 1e6;
static const double TIME_MAX_S = 3.6e10; /* 1e7 h */

struct plan_more calibration_keys_default(struct calibration_keys *k)
{
    *k = (struct calibration_keys){.eruption_weight = 1,
                                   .outline_weight = 1,
                                   .noise_members = 1,
                                   .finalists = 1,
                                   .finalist_members = 100,
                                   .evaluations = 1000,
                                   .posterior_members = 200,
                                   .posterior_acceptance = 0.05,
                                   .method = METHOD_BOTH,
                                   .samples = 512,
                                   .trajectories = 20,
                                   .levels = 4,
                                   .resamples = 1000,
                                   .confidence = 0.95};
    return (struct plan_more){.keys = {&calibration_schema, k}, .fitted = k->fitted};
}

bool calibration_keys_joint(const struct calibration_keys *k)
{
    bool joint = k->score == SCORE_ENSEMBLE;
    for (int i = 0; i < k->observed_count; i++)
        joint = joint || k->observed[i].score == SCORE_ENSEMBLE;
    return joint;
}

bool calibration_is_own(int variable)
{
    return variable == RATE_FACTOR || variable == DURATION_FACTOR || variable == VENT_EAST ||
           variable == VENT_NORTH;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Reads a time after the start. *why: the error, if the word is not a time. */
static bool read_moment(double *time_s, const char *word, const struct entry *at, struct error *why)
{
    return !times_moment(time_s, word, TIMES_HOURS, at->start_time, why) && *time_s > 0 &&
           *time_s <= TIME_MAX_S;
}

static bool read_positive(double *x, const char *word, double most)
{
    return scan_real(word, x) && *x > 0 && *x <= most;
}

static bool read_score_name(int *score, const char *word)
{
    for (*score = 0; *score < SCORES; ++*score)
        if (!strcmp(word, score_names[*score])) return true;
    return false;
}

static bool score_has_scale(int score)
{
    return score >= SCORE_DISTANCE && score <= SCORE_ARRIVAL;
}

/* Pairs that may follow a value: a time, a score, a scale, a shift. A weight is always allowed. */
enum { TAIL_AT = 1, TAIL_SCORE = 2, TAIL_SCALE = 4, TAIL_WEIGHT = 8, TAIL_SHIFT = 16, TAILS = 5 };

/* Reads pairs such as `at TIME` and `weight W` from the second word on. Each pair may occur once. */
static bool read_tail(struct observed_key *o, const struct entry_words *w, int may,
                      const struct entry *at, struct error *why)
{
    static const char *const names[TAILS] = {"at", "score", "scale", "weight", "shift_m"};
    may |= TAIL_WEIGHT;
    for (int i = 1; i < w->count; i += 2) {
        int option = 0;
        while (option < TAILS && strcmp(w->word[i], names[option])) option++;
        const int bit = 1 << option;
        if (i + 1 == w->count || !(may & bit)) return false;
        may &= ~bit;
        const char *value = w->word[i + 1];
        if (!(bit == TAIL_AT      ? read_moment(&o->time_s, value, at, why)
              : bit == TAIL_SCORE ? read_score_name(&o->score, value)
              : bit == TAIL_SHIFT
                  ? (o->shifted = scan_real(value, &o->shift_m) && fabs(o->shift_m) <= 1e4)
              : bit == TAIL_SCALE ? read_positive(&o->scale, value, SCALE_MAX)
                                  : read_positive(&o->weight, value, WEIGHT_MAX)))
            return false;
    }
    return true;
}

/* ---- observations ---------------------------------------------------------------------------- */

static const struct {
    const char *name, *remedy;
    int tail;
    bool file, timed; /* whether the observation is a file; whether the line has to have a time */
} observed_kinds[OBSERVED_KINDS] = {
    [OBSERVED_OUTLINE] =
        {"observed_outline",
         "give FILE at TIME, then weight W (else 1), score NAME (else the key score) and scale S "
         "(of a distance or arrival); the final outline has the key outline",
         TAIL_AT | TAIL_SCORE | TAIL_SCALE, true, true},
    [OBSERVED_VOLUME] = {"observed_volume_m3",
                         "give a volume in m3 above 0, then weight W (else 1)", 0, false, false},
    [OBSERVED_RUNOUT] =
        {"observed_runout_m",
         "give a distance in m above 0, then at TIME (else at the end) and weight W (else 1)",
         TAIL_AT, false, false},
    [OBSERVED_THICKNESS] = {"observed_thickness",
                            "give FILE, a raster of thickness or a table x,y,thickness_m, then "
                            "scale S (m, else 1), weight W (else 1) and shift_m D",
                            TAIL_SCALE | TAIL_SHIFT, true, false},
    [OBSERVED_ARRIVALS] = {"observed_arrivals",
                           "give FILE, a raster of hours or a table x,y,time, then scale S (h, "
                           "else 1) and weight W (else 1)",
                           TAIL_SCALE, true, false}};

static int read_observed(const struct entry *at, struct error *e)
{
    struct calibration_keys *k = at->target;
    enum observed_kind kind = OBSERVED_OUTLINE;
    struct entry_words w;
    struct error why = {0};
    while (strcmp(at->line->key, observed_kinds[kind].name)) kind++;
    if (k->observed_count == OBSERVED_MAX)
        return entry_refuse(at, "more than 16 observations; remove some of them", e);
    struct observed_key *o = &k->observed[k->observed_count];
    *o = (struct observed_key){
        .kind = kind, .line = at->line->line, .time_s = INFINITY, .weight = 1, .score = SCORES};
    bool good = entry_words(&w, at) && read_tail(o, &w, observed_kinds[kind].tail, at, &why);
    if (good && observed_kinds[kind].file) {
        good = scan_utf8(w.word[0]) && (isfinite(o->time_s) || !observed_kinds[kind].timed);
        memcpy(o->file, w.word[0], sizeof o->file);
    } else if (good) {
        good = scan_real(w.word[0], &o->value) && o->value > 0 && o->value <= 1e13;
    }
    if (!good) return entry_refuse(at, *why.text ? why.text : observed_kinds[kind].remedy, e);
    k->observed_count++;
    return 0;
}

/* ---- eruptions ------------------------------------------------------------------------------- */

static int read_eruption(const struct entry *at, struct error *e)
{
    struct calibration_keys *k = at->target;
    struct entry_words w;
    if (k->eruption_count == ERUPTIONS_MAX - 1)
        return entry_refuse(at, "more than 8 eruptions, the plan's own included; remove some", e);
    struct eruption_key *x = &k->eruption[k->eruption_count];
    *x = (struct eruption_key){.line = at->line->line, .weight = 1};
    bool good = entry_words(&w, at) && (w.count == 1 || w.count == 3);
    if (good && w.count == 3)
        good = !strcmp(w.word[1], "weight") && read_positive(&x->weight, w.word[2], WEIGHT_MAX);
    if (!good || !scan_utf8(w.word[0]))
        return entry_refuse(at, "give FILE, the plan of another eruption, then weight W (else 1)",
                            e);
    memcpy(x->file, w.word[0], sizeof x->file);
    k->eruption_count++;
    return 0;
}

/* eruptions.c checks the names once it has read the eruptions. */
static bool read_names(struct hold_out_key *h, const struct entry_words *w)
{
    h->kind = HOLD_OUT_ERUPTIONS;
    for (int i = 1; i < w->count; i++) {
        if (h->eruptions == ERUPTIONS_MAX - 1) return false;
        if (strlen(w->word[i]) >= sizeof *h->eruption) return false;
        memcpy(h->eruption[h->eruptions++], w->word[i], strlen(w->word[i]) + 1);
    }
    return true;
}

static int read_hold_out(const struct entry *at, struct error *e)
{
    struct calibration_keys *k = at->target;
    struct entry_words w;
    struct error why = {0};
    struct hold_out_key *h = &k->hold_out;
    bool good = entry_words(&w, at);
    h->line = at->line->line;
    if (good && w.count == 2 && !strcmp(w.word[0], "after")) {
        h->kind = HOLD_OUT_AFTER;
        good = read_moment(&h->time_s, w.word[1], at, &why);
    } else if (good && w.count == 5 && !strcmp(w.word[0], "left_of")) {
        h->kind = HOLD_OUT_LEFT_OF;
        for (int i = 0; i < 4 && good; i++) good = scan_real(w.word[i + 1], &h->at[i]);
        good = good && (h->at[0] != h->at[2] || h->at[1] != h->at[3]);
    } else if (good && w.count >= 2 && !strcmp(w.word[0], "eruption")) {
        good = read_names(h, &w);
    } else {
        good = false;
    }
    if (good) return 0;
    return entry_refuse(at,
                        *why.text ? why.text
                                  : "give after TIME, left_of X1 Y1 X2 Y2 (a line in map "
                                    "coordinates) or eruption NAME...",
                        e);
}

/* ---- what is fitted -------------------------------------------------------------------------- */

static int read_fit(const struct entry *at, struct error *e)
{
    struct calibration_keys *k = at->target;
    const char *name = at->line->key + strlen("fit_"), *nearest;
    const int variable = variable_find(name, &nearest);
    char excerpt[48];
    struct entry_words w;
    const bool fits = variable >= 0 && (variable < PARAMETERS || calibration_is_own(variable) ||
                                        variable == TERRAIN_ERROR || variable == TERRAIN_LENGTH);
    if (!fits)
        return error_line(
            e, at->path, at->line->line,
            "'%s' cannot be fitted; %s%s%s`sciara help keys` lists what can be fitted",
            scan_excerpt(excerpt, name), variable < 0 && nearest ? "did you mean fit_" : "",
            variable < 0 && nearest ? nearest : "", variable < 0 && nearest ? "? " : "");
    struct fit_key *f = &k->fit[variable];
    const bool good = entry_words(&w, at) && (w.count == 2 || w.count == 3) &&
                      scan_real(w.word[0], &f->low) && scan_real(w.word[1], &f->high);
    if (!good || (w.count == 3 && strcmp(w.word[2], "log") && strcmp(w.word[2], "linear")))
        return entry_refuse(at, "give LOW HIGH, and log for a logarithmic scale", e);
    f->log = w.count == 3 && !strcmp(w.word[2], "log");
    f->line = at->line->line;
    k->fitted[variable] = true;
    const struct variable_row v = variable_row(variable);
    const struct entry limits = {at->path, at->line, v.low, v.high, v.unit, NULL, NULL};
    if (!(f->low < f->high)) return entry_refuse(at, "give LOW below HIGH", e);
    if (f->low < v.low || f->high > v.high) return entry_refuse_range(&limits, e);
    if (f->log && !(f->low > 0))
        return entry_refuse(at, "on a logarithmic scale LOW has to be above 0", e);
    return 0;
}

/* ---- other values ---------------------------------------------------------------------------- */

static int read_levels(const struct entry *at, struct error *e)
{
    struct calibration_keys *k = at->target;
    struct entry to = *at;
    to.target = &k->levels;
    const int status = entry_count(&to, e);
    return status || k->levels % 2 == 0 ? status : entry_refuse(at, "give an even number", e);
}

static int read_score(const struct entry *at, struct error *e)
{
    struct calibration_keys *k = at->target;
    struct entry_words w;
    bool good = entry_words(&w, at) && (w.count == 1 || w.count == 3) &&
                read_score_name(&k->score, w.word[0]);
    if (good && w.count == 3)
        good = score_has_scale(k->score) && !strcmp(w.word[1], "scale") &&
               read_positive(&k->score_scale, w.word[2], SCALE_MAX);
    if (good) return 0;
    return entry_refuse(at, SCORE_REMEDY ", and scale S after distance, hausdorff95 or arrival", e);
}

/* ---- the keys -------------------------------------------------------------------------------- */

#define AT(member) offsetof(struct calibration_keys, member)

static const char *const methods[] = {"morris", "sobol", "both", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};

static const struct key of_calibrations[] = {
    {"fit_", KEY_OWN, COUNTS_LINE, .form = "NAME LOW HIGH", .read = read_fit,
     .meaning = "a parameter of the model, `rate_factor`, `duration_factor`, `vent_east_m`, "
                "`vent_north_m`, `terrain_error_m` or `terrain_error_length_m`, fitted or varied "
                "between these bounds; `log` after them: on a logarithmic scale. The search begins "
                "at the value of the case if that is between the bounds, else in their middle"},
    {"outline_weight", KEY_REAL, COUNTS_LINE, AT(outline_weight), 1e-6, WEIGHT_MAX, NULL, "1",
     .meaning = "weight of the final outline, which `outline` names"},
    {"observed_outline", KEY_OWN, COUNTS_NOT, .form = "FILE at TIME", .usual = "weight 1",
     .read = read_observed, .repeats = true,
     .meaning = "an outline of the flow at TIME, hours or a date. After these words: `weight W`; "
                "`score NAME`, in place of the key `score`; `scale S` of a score that is a "
                "distance or an arrival. Several lines may name one outline with different scores"},
    {"observed_volume_m3", KEY_OWN, COUNTS_LINE, .form = "V", .unit = "m3", .usual = "weight 1",
     .read = read_observed, .meaning = "the volume of lava on the terrain at the end; `weight W`"},
    {"observed_runout_m", KEY_OWN, COUNTS_LINE, .form = "D", .unit = "m", .usual = "weight 1",
     .read = read_observed, .repeats = true,
     .meaning = "the distance from the nearest vent to the farthest lava; `at TIME`, else at the "
                "end; `weight W`"},
    {"observed_thickness", KEY_OWN, COUNTS_NOT, .form = "FILE", .unit = "m",
     .usual = "scale 1, weight 1", .read = read_observed, .repeats = true,
     .meaning = "thickness of mobile and solidified lava at the end of the run. Either a raster, "
                "in m or the unit that it declares, on any grid in the CRS of the case; no data: "
                "not surveyed. Or a CSV file with columns `x`, `y`, `thickness_m`. Values are -500 "
                "to 4000 m; negative ones count as 0. After FILE: `scale S` (m), `weight W`, "
                "`shift_m D`, which is added to the values"},
    {"observed_arrivals", KEY_OWN, COUNTS_NOT, .form = "FILE", .unit = "h",
     .usual = "scale 1, weight 1", .read = read_observed, .repeats = true,
     .meaning = "arrival of lava. Either a raster of hours since the start (or in the unit of "
                "time that it declares), such as `arrival_h_*.tif`; no data: not known; 0: at the "
                "start, with a warning if most cells have 0. Or a CSV file of positions of the "
                "front, with columns `x`, `y`, `time` (map coordinates; hours or a date). After "
                "FILE: `scale S` (h), `weight W`"},
    {"score", KEY_OWN, COUNTS_LINE, .form = "NAME", .usual = "`jaccard`; scale 100 m, 1 h",
     .read = read_score,
     .meaning = "score of outlines: `jaccard`, `f1`, `precision` or `recall`, as `sciara fit` "
                "computes them; `ensemble`, J of all runs of a candidate together; `distance`, "
                "the mean distance of the outlines, m; `hausdorff95`, the distance within which "
                "95 % of either outline lies, m; `arrival`, the mean time by which lava is late "
                "inside and early outside an outline `at TIME`, h. For the last three, an error "
                "of `scale S` scores one half"},
    {"eruption", KEY_OWN, COUNTS_NOT, .form = "FILE", .usual = "weight 1", .read = read_eruption,
     .repeats = true,
     .meaning = "another eruption to fit, a plan with its own terrain, vents, rates and "
                "observations; `weight W`. At most 7 lines"},
    {"eruption_weight", KEY_REAL, COUNTS_LINE, AT(eruption_weight), 1e-6, WEIGHT_MAX, NULL, "1",
     .meaning = "weight of the plan's own eruption"},
    {"noise_members", KEY_COUNT, COUNTS_LINE, AT(noise_members), 1, 4096, NULL, "1",
     .meaning = "runs of each candidate, each with another terrain error; the errors are the same "
                "for all candidates"},
    {"finalists", KEY_COUNT, COUNTS_NOT, AT(finalists), 1, FINALISTS_MAX, NULL, "1",
     .meaning = "number of best candidates that are run again, each with `finalist_members` other "
                "terrain errors; the best of these is chosen. 1: the best of the search is chosen"},
    {"finalist_members", KEY_COUNT, COUNTS_NOT, AT(finalist_members), 1, 100000, NULL, "100",
     .meaning =
         "runs of each finalist, and then of the chosen finalist, each with another terrain error"},
    {"population", KEY_COUNT, COUNTS_LINE, AT(population), 4, CMAES_POPULATION_MAX, NULL,
     "4 + 3 ln n",
     .meaning = "candidates of a generation of the first search (n: number of fitted parameters); "
                "each later search has twice as many"},
    {"evaluations", KEY_COUNT, COUNTS_NOT, AT(evaluations), 1, 1e7, NULL, "1000",
     .meaning = "number of candidates, including the case as it is; the search ends before a "
                "generation that would exceed this number"},
    {"posterior_members", KEY_COUNT, COUNTS_NOT, AT(posterior_members), SMC_MEMBERS_LEAST,
     SMC_MEMBERS_MAX, NULL, "200",
     .meaning = "posterior: least number of sets of parameters in the result; the first generation "
                "has twice this number of candidates, each later one this number"},
    {"posterior_tolerance", KEY_REAL, COUNTS_NOT, AT(posterior_tolerance), 0, 1, NULL, "0",
     .meaning = "posterior: the sampling ends when 1 − score of every remaining set is at most "
                "this; 0: no such rule"},
    {"posterior_acceptance", KEY_REAL, COUNTS_NOT, AT(posterior_acceptance), 0, 1, NULL, "0.05",
     .meaning = "posterior: the sampling ends when the acceptance, the share of a generation "
                "within the previous tolerance, is below this"},
    {"hold_out", KEY_OWN, COUNTS_NOT, .form = "WHAT", .usual = "nothing", .read = read_hold_out,
     .meaning =
         "part of the observations that the search ignores, so that they can validate its result: "
         "`after TIME`, all later ones, the final outline included; `left_of X1 Y1 X2 Y2`, the "
         "part of all outlines, thicknesses and arrivals that lies to the left of the line through "
         "these points, seen from the first towards the second, and all volumes and run-outs; "
         "`eruption NAME...`, eruptions by their file names without the ending"},
};

static const struct key of_sensitivity[] = {
    {"method", KEY_CHOICE, COUNTS_NOT, AT(method), METHOD_MORRIS, .usual = "`both`",
     .choices = methods, .meaning = "Morris' screening, Sobol's indices, or both"},
    {"trajectories", KEY_COUNT, COUNTS_NOT, AT(trajectories), 2, SENSITIVITY_SAMPLES_MAX, NULL,
     "20",
     .meaning = "Morris: number of trajectories; each has one point more than there are "
                "parameters, each point has `noise_members` runs"},
    {"levels", KEY_OWN, COUNTS_NOT, 0, 2, 1000, NULL, "4",
     .meaning = "Morris: number of values of each parameter between its bounds, even", .form = "N",
     .read = read_levels},
    {"samples", KEY_COUNT, COUNTS_NOT, AT(samples), 2, SENSITIVITY_SAMPLES_MAX, NULL, "512",
     .meaning = "Sobol: number of samples; each has two points more than there are parameters; a "
                "power of 2 is best"},
    {"second_order", KEY_CHOICE, COUNTS_NOT, AT(second_order), .usual = "`no`", .choices = no_yes,
     .remedy = "give yes or no",
     .meaning = "Sobol: indices of pairs too, for nearly twice as many runs"},
    {"resamples", KEY_COUNT, COUNTS_NOT, AT(resamples), 2, 100000, NULL, "1000",
     .meaning = "resamples for the intervals"},
    {"confidence", KEY_REAL, COUNTS_NOT, AT(confidence), 0.5, 0.9999, NULL, "0.95",
     .meaning = "probability of the intervals"},
};

static const struct key_section sections[] = {
    {.name = "calibration", KEYS_OF(of_calibrations)},
    {.name = "sensitivity analysis", KEYS_OF(of_sensitivity)},
    {0}};
const struct schema calibration_schema = {
    "a plan of a calibration; use sciara calibrate or sciara sensitivity", sections};

/* ---- keys that exclude or need each other ---------------------------------------------------- */

int calibration_keys_check(const struct calibration_keys *k, const struct plan *p, struct error *e)
{
    const char *path = p->base.path;
    if (k->noise_members > 1 && !plan_terrain_errs(p))
        return error_line(e, path, plan_line(p, "noise_members"),
                          "noise_members %d needs an error of the terrain; give terrain_error_m, "
                          "or remove this line",
                          (int)k->noise_members);
    for (int i = 0; i < k->observed_count; i++) {
        const struct observed_key *o = &k->observed[i];
        const int score = o->score == SCORES ? k->score : o->score;
        if (o->kind == OBSERVED_OUTLINE && o->scale > 0 && !score_has_scale(score))
            return error_line(e, path, o->line,
                              "'score %s' has no scale; remove the word 'scale' and its number",
                              score_names[score]);
    }
    if (plan_line(p, "outline_weight") && !p->base.outline_path)
        return error_line(e, path, plan_line(p, "outline_weight"),
                          "outline_weight needs an outline; add a line 'outline FILE'");
    return 0;
}
