#include "keys.h"

#include "cmaes.h"
#include "smc.h"
#include "ensemble/plan_parts.h"
#include "text/entry.h"
#include "text/scan.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *const score_names[SCORES] = {"jaccard", "f1", "precision", "recall"};

enum { WORDS_MAX = 8, WORD = 1024 };
#define WEIGHT_MAX 1e6                   /* an initialiser */
static const double TIME_MAX_S = 3.6e10; /* 1e7 h */

void calibration_keys_default(struct calibration_keys *k)
{
    *k = (struct calibration_keys){.outline_weight = 1,
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

bool calibration_can_fit(int variable)
{
    return variable < PARAMETERS || variable == RATE_FACTOR || variable == DURATION_FACTOR ||
           variable == VENT_EAST || variable == VENT_NORTH;
}

/* ---- words ------------------------------------------------------------------------------------
 */

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

/* `[at TIME] [weight W]` from word `from` on, each at most once. */
static bool take_tail(struct observed_key *o, const struct words *w, int from, bool dated,
                      const char *start_time, struct error *why)
{
    bool at = false, weight = false;
    for (int i = from; i < w->count; i += 2) {
        if (i + 1 == w->count) return false;
        if (!strcmp(w->word[i], "at") && dated && !at) {
            if (!take_moment(&o->time_s, w->word[i + 1], start_time, why)) return false;
            at = true;
        } else if (!strcmp(w->word[i], "weight") && !weight) {
            if (!scan_real(w->word[i + 1], &o->weight)) return false;
            if (!(o->weight > 0 && o->weight <= WEIGHT_MAX)) return false;
            weight = true;
        } else {
            return false;
        }
    }
    return true;
}

/* ---- observations -----------------------------------------------------------------------------
 */

static int take_observed(struct calibration_keys *k, enum observed_kind kind,
                         const char *start_time, const struct entry *at, struct error *e)
{
    static const char *const remedy[] = {
        [OBSERVED_OUTLINE] = "give FILE at TIME, and weight W where it is not 1; the outline in "
                             "the end is the key outline",
        [OBSERVED_VOLUME] = "give a volume in m3 above 0, and weight W where it is not 1",
        [OBSERVED_RUNOUT] = "give a distance in m above 0, at TIME where it is not of the end, "
                            "and weight W where it is not 1"};
    struct words w;
    struct error why = {0};
    if (k->observed_count == OBSERVED_MAX)
        return entry_refuse(at, "more than 16 observations; leave some of them out", e);
    struct observed_key *o = &k->observed[k->observed_count];
    *o = (struct observed_key){
        .kind = kind, .line = at->line->line, .time_s = INFINITY, .weight = 1};
    bool good = split(&w, at->line->value) && w.count &&
                take_tail(o, &w, 1, kind != OBSERVED_VOLUME, start_time, &why);
    if (good && kind == OBSERVED_OUTLINE) {
        good = isfinite(o->time_s) && scan_utf8(w.word[0]);
        memcpy(o->file, w.word[0], sizeof o->file);
    } else if (good) {
        good = scan_real(w.word[0], &o->value) && o->value > 0 && o->value <= 1e13;
    }
    if (!good) return entry_refuse(at, *why.text ? why.text : remedy[kind], e);
    k->observed_count++;
    return 0;
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
    } else {
        good = false;
    }
    if (good) return 0;
    return entry_refuse(at,
                        *why.text ? why.text
                                  : "give after TIME, or left_of X1 Y1 X2 Y2, a line in map "
                                    "coordinates",
                        e);
}

/* ---- what is fitted ---------------------------------------------------------------------------
 */

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

/* ---- sensitivity ------------------------------------------------------------------------------
 */

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

/* ---- lines ------------------------------------------------------------------------------------
 */

static int take_score(struct calibration_keys *k, const struct entry *at, struct error *e)
{
    for (k->score = 0; k->score < SCORES; k->score++)
        if (!strcmp(at->line->value, score_names[k->score])) return 0;
    return entry_refuse(at, "give jaccard, f1, precision or recall", e);
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
    if (!strcmp(line->key, "observed_outline"))
        return take_observed(k, OBSERVED_OUTLINE, start_time, &at, e);
    if (!strcmp(line->key, "observed_volume_m3"))
        return take_observed(k, OBSERVED_VOLUME, start_time, &at, e);
    if (!strcmp(line->key, "observed_runout_m"))
        return take_observed(k, OBSERVED_RUNOUT, start_time, &at, e);
    return take_fit(k, &at, e);
}

/* ---- whether they go together -----------------------------------------------------------------
 */

int calibration_keys_check(const struct calibration_keys *k, const struct plan *p, struct error *e)
{
    const char *path = p->base.path;
    if (k->noise_members > 1 && !(p->keys.terrain_error_m > 0))
        return error_input(e,
                           "%s:%d: noise_members %d without noise; give terrain_error_m, or leave "
                           "it out",
                           path, k->noise_members_line, (int)k->noise_members);
    if (k->outline_weight_line && !p->base.outline_path)
        return error_input(e, "%s:%d: outline_weight without an outline; add it", path,
                           k->outline_weight_line);
    return 0;
}
