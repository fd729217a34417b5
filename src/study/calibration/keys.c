#include "keys.h"

#include "search/cmaes.h"
#include "search/smc.h"
#include "ensemble/plan_parts.h"
#include "text/entry.h"
#include "text/scan.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *const score_names[SCORES] = {"jaccard",  "f1",          "precision", "recall",
                                         "distance", "hausdorff95", "arrival"};
#define SCORE_REMEDY "give jaccard, f1, precision, recall, distance, hausdorff95 or arrival"

enum { WORDS_MAX = 10, WORD = 1024 };
#define WEIGHT_MAX 1e6 /* an initialiser */
static const double SCALE_MAX = 1e6;
static const double TIME_MAX_S = 3.6e10; /* 1e7 h */

void calibration_keys_default(struct calibration_keys *k)
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
}

bool calibration_is_own(int variable)
{
    return variable == RATE_FACTOR || variable == DURATION_FACTOR || variable == VENT_EAST ||
           variable == VENT_NORTH;
}

bool calibration_can_fit(int variable)
{
    return variable < PARAMETERS || calibration_is_own(variable);
}

/* ---- words ----------------------------------------------------------------------------------- */

struct words {
    int count;
    char word[WORDS_MAX][WORD];
};

/* False: too many, or too long. */
static bool split(struct words *w, const char *text)
{
    w->count = 0;
    for (const char *p = text + strspn(text, " \t"); *p; p += strspn(p, " \t")) {
        const size_t length = strcspn(p, " \t");
        if (w->count == WORDS_MAX || length >= WORD) return false;
        memcpy(w->word[w->count], p, length);
        w->word[w->count++][length] = '\0';
        p += length;
    }
    return true;
}

/* Above 0, since the start. With what is wrong, where that is more than its size. */
static bool take_moment(double *time_s, const char *word, const char *start_time, struct error *why)
{
    return !times_moment(time_s, word, TIMES_HOURS, start_time, why) && *time_s > 0 &&
           *time_s <= TIME_MAX_S;
}

static bool take_positive(double *x, const char *word, double most)
{
    return scan_real(word, x) && *x > 0 && *x <= most;
}

static bool take_score_name(int *score, const char *word)
{
    for (*score = 0; *score < SCORES; ++*score)
        if (!strcmp(word, score_names[*score])) return true;
    return false;
}

static bool score_has_scale(int score)
{
    return score >= SCORE_DISTANCE;
}

/* What may follow: a time, a score, a scale, and always a weight. */
enum { TAIL_AT = 1, TAIL_SCORE = 2, TAIL_SCALE = 4 };

/* `[at TIME] [weight W] ...` from word `from` on, each at most once. */
static bool take_tail(struct observed_key *o, const struct words *w, int from, int may,
                      const char *start_time, struct error *why)
{
    enum { WEIGHT = 8 };
    may |= WEIGHT;
    for (int i = from; i < w->count; i += 2) {
        if (i + 1 == w->count) return false;
        const char *word = w->word[i], *value = w->word[i + 1];
        if (!strcmp(word, "at") && may & TAIL_AT) {
            if (!take_moment(&o->time_s, value, start_time, why)) return false;
            may &= ~TAIL_AT;
        } else if (!strcmp(word, "score") && may & TAIL_SCORE) {
            if (!take_score_name(&o->score, value)) return false;
            may &= ~TAIL_SCORE;
        } else if (!strcmp(word, "scale") && may & TAIL_SCALE) {
            if (!take_positive(&o->scale, value, SCALE_MAX)) return false;
            may &= ~TAIL_SCALE;
        } else if (!strcmp(word, "weight") && may & WEIGHT) {
            if (!take_positive(&o->weight, value, WEIGHT_MAX)) return false;
            may &= ~WEIGHT;
        } else {
            return false;
        }
    }
    return true;
}

/* ---- observations ---------------------------------------------------------------------------- */

static const struct {
    const char *name, *remedy;
    int tail;
    bool file, timed; /* whether a file is observed; whether a time has to be given */
} observed_kinds[OBSERVED_KINDS] = {
    [OBSERVED_OUTLINE] = {"observed_outline",
                          "give FILE at TIME, weight W where it is not 1, score NAME where it is "
                          "another, and scale S of a distance or arrival; the outline in the end "
                          "is the key outline",
                          TAIL_AT | TAIL_SCORE | TAIL_SCALE, true, true},
    [OBSERVED_VOLUME] = {"observed_volume_m3",
                         "give a volume in m3 above 0, and weight W where it is not 1", 0, false,
                         false},
    [OBSERVED_RUNOUT] = {"observed_runout_m",
                         "give a distance in m above 0, at TIME where it is not of the end, and "
                         "weight W where it is not 1",
                         TAIL_AT, false, false},
    [OBSERVED_THICKNESS] = {"observed_thickness",
                            "give FILE, a raster of thickness, scale S (m) where it is not 1, and "
                            "weight W where it is not 1",
                            TAIL_SCALE, true, false},
    [OBSERVED_ARRIVALS] = {"observed_arrivals",
                           "give FILE, a raster of hours or a table x,y,time, scale S (h) where it "
                           "is not 1, and weight W where it is not 1",
                           TAIL_SCALE, true, false}};

static int take_observed(struct calibration_keys *k, enum observed_kind kind,
                         const char *start_time, const struct entry *at, struct error *e)
{
    struct words w;
    struct error why = {0};
    if (k->observed_count == OBSERVED_MAX)
        return entry_refuse(at, "more than 16 observations; leave some of them out", e);
    struct observed_key *o = &k->observed[k->observed_count];
    *o = (struct observed_key){
        .kind = kind, .line = at->line->line, .time_s = INFINITY, .weight = 1, .score = SCORES};
    bool good = split(&w, at->line->value) && w.count &&
                take_tail(o, &w, 1, observed_kinds[kind].tail, start_time, &why);
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

static int take_eruption(struct calibration_keys *k, const struct entry *at, struct error *e)
{
    struct words w;
    if (k->eruption_count == ERUPTIONS_MAX - 1)
        return entry_refuse(at, "more than 8 eruptions with the plan's own; leave some out", e);
    struct eruption_key *x = &k->eruption[k->eruption_count];
    *x = (struct eruption_key){.line = at->line->line, .weight = 1};
    bool good = split(&w, at->line->value) && (w.count == 1 || w.count == 3);
    if (good && w.count == 3)
        good = !strcmp(w.word[1], "weight") && take_positive(&x->weight, w.word[2], WEIGHT_MAX);
    if (!good || !scan_utf8(w.word[0]))
        return entry_refuse(at,
                            "give FILE, the plan of another eruption, and weight W where it is not "
                            "1",
                            e);
    memcpy(x->file, w.word[0], sizeof x->file);
    k->eruption_count++;
    return 0;
}

/* Whether there are such eruptions is seen when they have been read. */
static bool take_names(struct hold_out_key *h, const struct words *w)
{
    h->kind = HOLD_OUT_ERUPTIONS;
    for (int i = 1; i < w->count; i++) {
        if (h->eruptions == ERUPTIONS_MAX - 1) return false;
        if (strlen(w->word[i]) >= sizeof *h->eruption) return false;
        memcpy(h->eruption[h->eruptions++], w->word[i], strlen(w->word[i]) + 1);
    }
    return true;
}

static int take_hold_out(struct calibration_keys *k, const char *start_time, const struct entry *at,
                         struct error *e)
{
    struct words w;
    struct error why = {0};
    struct hold_out_key *h = &k->hold_out;
    bool good = split(&w, at->line->value);
    h->line = at->line->line;
    if (good && w.count == 2 && !strcmp(w.word[0], "after")) {
        h->kind = HOLD_OUT_AFTER;
        good = take_moment(&h->time_s, w.word[1], start_time, &why);
    } else if (good && w.count == 5 && !strcmp(w.word[0], "left_of")) {
        h->kind = HOLD_OUT_LEFT_OF;
        for (int i = 0; i < 4 && good; i++) good = scan_real(w.word[i + 1], &h->at[i]);
        good = good && (h->at[0] != h->at[2] || h->at[1] != h->at[3]);
    } else if (good && w.count >= 2 && !strcmp(w.word[0], "eruption")) {
        good = take_names(h, &w);
    } else {
        good = false;
    }
    if (good) return 0;
    return entry_refuse(at,
                        *why.text ? why.text
                                  : "give after TIME, or left_of X1 Y1 X2 Y2, a line in map "
                                    "coordinates, or eruption NAME...",
                        e);
}

/* ---- what is fitted -------------------------------------------------------------------------- */

static int check_bounds(const struct fit_key *f, int variable, const struct entry *at,
                        struct error *e)
{
    const struct variable_row v = variable_row(variable);
    const struct entry limits = {at->path, at->line, v.low, v.high, v.unit, NULL};
    if (!(f->low < f->high)) return entry_refuse(at, "give LOW below HIGH", e);
    if (f->low < v.low || f->high > v.high) return entry_refuse_range(&limits, e);
    if (f->log && !(f->low > 0))
        return entry_refuse(at, "on a logarithmic scale LOW has to be above 0", e);
    return 0;
}

static int take_fit(struct calibration_keys *k, const struct entry *at, struct error *e)
{
    const char *name = at->line->key + strlen("fit_"), *nearest;
    const int variable = variable_find(name, &nearest);
    char excerpt[48];
    struct words w;
    if (variable < 0 || !calibration_can_fit(variable))
        return error_input(e, "%s:%d: '%s' cannot be fitted%s%s%s; docs/formats.md lists what can",
                           at->path, at->line->line, scan_excerpt(excerpt, name),
                           variable < 0 && nearest ? "; did you mean fit_" : "",
                           variable < 0 && nearest ? nearest : "",
                           variable < 0 && nearest ? "?" : "");
    struct fit_key *f = &k->fit[variable];
    const bool read = split(&w, at->line->value) && (w.count == 2 || w.count == 3) &&
                      scan_real(w.word[0], &f->low) && scan_real(w.word[1], &f->high);
    if (!read || (w.count == 3 && strcmp(w.word[2], "log") && strcmp(w.word[2], "linear")))
        return entry_refuse(at, "give LOW HIGH, and log for a logarithmic scale", e);
    f->log = w.count == 3 && !strcmp(w.word[2], "log");
    f->line = at->line->line;
    k->fitted[variable] = true;
    return check_bounds(f, variable, at, e);
}

/* ---- sensitivity ----------------------------------------------------------------------------- */

static int take_method(struct calibration_keys *k, const struct entry *at, struct error *e)
{
    static const char *const words[] = {
        [METHOD_MORRIS] = "morris", [METHOD_SOBOL] = "sobol", [METHOD_BOTH] = "both"};
    for (k->method = METHOD_MORRIS; k->method <= METHOD_BOTH; k->method++)
        if (!strcmp(at->line->value, words[k->method])) return 0;
    return entry_refuse(at, "give morris, sobol or both", e);
}

static int take_second_order(struct calibration_keys *k, const struct entry *at, struct error *e)
{
    k->second_order = !strcmp(at->line->value, "yes");
    if (k->second_order || !strcmp(at->line->value, "no")) return 0;
    return entry_refuse(at, "give yes or no", e);
}

static int take_levels(const struct calibration_keys *k, const struct entry *at, struct error *e)
{
    return k->levels % 2 ? entry_refuse(at, "give an even number", e) : 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int take_score(struct calibration_keys *k, const struct entry *at, struct error *e)
{
    struct words w;
    bool good = split(&w, at->line->value) && (w.count == 1 || w.count == 3) &&
                take_score_name(&k->score, w.word[0]);
    if (good && w.count == 3)
        good = score_has_scale(k->score) && !strcmp(w.word[1], "scale") &&
               take_positive(&k->score_scale, w.word[2], SCALE_MAX);
    if (good) return 0;
    return entry_refuse(at, SCORE_REMEDY ", and scale S of the last three", e);
}

/* Keys whose value is one number. */
#define AT(member) offsetof(struct calibration_keys, member)
static const struct number {
    const char *name;
    size_t at;
    double low, high;
    bool real;
} numbers[] = {
    {"noise_members", AT(noise_members), 1, 4096, false},
    {"finalists", AT(finalists), 1, FINALISTS_MAX, false},
    {"finalist_members", AT(finalist_members), 1, 100000, false},
    {"population", AT(population), 4, CMAES_POPULATION_MAX, false},
    {"evaluations", AT(evaluations), 1, 1e7, false},
    {"outline_weight", AT(outline_weight), 1e-6, WEIGHT_MAX, true},
    {"eruption_weight", AT(eruption_weight), 1e-6, WEIGHT_MAX, true},
    {"posterior_members", AT(posterior_members), SMC_MEMBERS_LEAST, SMC_MEMBERS_MAX, false},
    {"posterior_tolerance", AT(posterior_tolerance), 0, 1, true},
    {"posterior_acceptance", AT(posterior_acceptance), 0, 1, true},
    {"samples", AT(samples), 2, SENSITIVITY_SAMPLES_MAX, false},
    {"trajectories", AT(trajectories), 2, SENSITIVITY_SAMPLES_MAX, false},
    {"levels", AT(levels), 2, 1000, false},
    {"resamples", AT(resamples), 2, 100000, false},
    {"confidence", AT(confidence), 0.5, 0.9999, true}};

static const struct number *find_number(const char *name)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(name, numbers[i].name)) return &numbers[i];
    return NULL;
}

static int take_number(struct calibration_keys *k, const struct number *n, const char *path,
                       const struct keyvalue *line, struct error *e)
{
    const struct entry at = {path, line, n->low, n->high, "", (char *)k + n->at};
    if (n->at == AT(noise_members)) k->noise_members_line = line->line;
    if (n->at == AT(outline_weight)) k->outline_weight_line = line->line;
    int status = n->real ? entry_real(&at, e) : entry_count(&at, e);
    return status || n->at != AT(levels) ? status : take_levels(k, &at, e);
}

int calibration_keys_take(void *self, const char *path, const char *start_time,
                          const struct keyvalue *line, struct error *e)
{
    struct calibration_keys *k = self;
    const struct entry at = {path, line, 0, 0, "", NULL};
    const struct number *number = find_number(line->key);
    if (number) return take_number(k, number, path, line, e);
    if (!strcmp(line->key, "score")) return take_score(k, &at, e);
    if (!strcmp(line->key, "hold_out")) return take_hold_out(k, start_time, &at, e);
    if (!strcmp(line->key, "method")) return take_method(k, &at, e);
    if (!strcmp(line->key, "second_order")) return take_second_order(k, &at, e);
    if (!strcmp(line->key, "eruption")) return take_eruption(k, &at, e);
    for (int i = 0; i < OBSERVED_KINDS; i++)
        if (!strcmp(line->key, observed_kinds[i].name))
            return take_observed(k, (enum observed_kind)i, start_time, &at, e);
    return take_fit(k, &at, e);
}

/* ---- whether they go together ---------------------------------------------------------------- */

int calibration_keys_check(const struct calibration_keys *k, const struct plan *p, struct error *e)
{
    const char *path = p->base.path;
    if (k->noise_members > 1 && !(p->keys.terrain_error_m > 0))
        return error_input(e,
                           "%s:%d: noise_members %d without noise; give terrain_error_m, or leave "
                           "it out",
                           path, k->noise_members_line, (int)k->noise_members);
    for (int i = 0; i < k->observed_count; i++) {
        const struct observed_key *o = &k->observed[i];
        const int score = o->score == SCORES ? k->score : o->score;
        if (o->kind == OBSERVED_OUTLINE && o->scale > 0 && !score_has_scale(score))
            return error_input(e, "%s:%d: scale of %s, which has none; take it out", path, o->line,
                               score_names[score]);
    }
    if (k->outline_weight_line && !p->base.outline_path)
        return error_input(e, "%s:%d: outline_weight without an outline; add it", path,
                           k->outline_weight_line);
    return 0;
}
