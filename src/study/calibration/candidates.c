/* candidates.c — turns candidates into members of an ensemble: the plan's member table gets a row for each candidate
 * and each terrain error. */
#include "calibration.h"

#include "base/order.h"
#include "plan/member.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the score `ensemble` of an outline ------------------------------------------------------ */

/* SCORE_ENSEMBLE judges the runs of a candidate together (docs/model.md, section 6). J is the Jaccard index, E the mean
 * over runs. For runs X and X' that differ in their terrain errors, and the outline Y,
 *
 *     score = E J(X, Y) + (1 - E J(X, X')) / 2.
 *
 * So run X gets the score J(X, Y) + (1 - mean of J(X, X')) / 2. Here X' are the FOLLOWING_MOST runs after X; the first
 * run comes after the last. */

enum { FOLLOWING_MOST = 32 };

/* The cells that a run has reached by the time of an outline. */
struct footprint {
    uint32_t *place; /* row * cols + col, in increasing order */
    size_t count;
};

static bool is_joint(const struct observation *x)
{
    return x->inside && x->score == SCORE_ENSEMBLE;
}

/* Keeps the footprints of a run, one for each observation. f[] has to be all zero. */
static int footprints_keep(struct footprint *f, const struct observations *o,
                           const struct contribution *one, struct error *e)
{
    for (int i = 0; i < o->count; i++) {
        const struct observation *x = &o->item[i];
        if (!is_joint(x)) continue;
        uint32_t *place = malloc((one->cells + 1) * sizeof *place);
        size_t count = 0;
        if (!place) return error_memory(e);
        for (size_t c = 0; c < one->cells; c++)
            if (one->cell[c].arrival_class <= x->last_class) place[count++] = one->cell[c].place;
        qsort(place, count, sizeof *place, order_places);
        f[i] = (struct footprint){place, count};
    }
    return 0;
}

/* The Jaccard index of two footprints, separately in the seen cells and the held-out cells. It is 1 if neither
 * footprint has cells there. */
static void overlap_footprints(const struct observations *o, const struct observation *x,
                               const struct footprint *a, const struct footprint *b,
                               double of[PARTS])
{
    uint64_t both[PARTS] = {0}, either[PARTS] = {0};
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const bool in_a = j == b->count || (i < a->count && a->place[i] <= b->place[j]),
                   in_b = i == a->count || (j < b->count && b->place[j] <= a->place[i]);
        const int part = observed_part(o, x, in_a ? a->place[i] : b->place[j]);
        both[part] += in_a && in_b;
        either[part]++;
        i += in_a;
        j += in_b;
    }
    for (int p = 0; p < PARTS; p++) of[p] = either[p] ? (double)both[p] / (double)either[p] : 1;
}

/* Judges run i together with the runs that follow it. */
static void judge_with(const struct observations *o, int observation, const struct footprint *f,
                       const struct table_row *row, int64_t i, int64_t count, struct agreement *a)
{
    const struct observation *x = &o->item[observation];
    const int64_t following = count - 1 < FOLLOWING_MOST ? count - 1 : FOLLOWING_MOST;
    double sum[PARTS] = {0}, weight = 0;
    for (int64_t k = 1; k <= following; k++) {
        const int64_t other = (i + k) % count;
        double of[PARTS];
        overlap_footprints(o, x, &f[i * o->count + observation], &f[other * o->count + observation],
                           of);
        for (int p = 0; p < PARTS; p++) sum[p] += (double)row[other].weight * of[p];
        weight += (double)row[other].weight;
    }
    for (int p = 0; p < PARTS; p++)
        if (x->counts[p] && weight > 0) a->of[observation][p] += (1 - sum[p] / weight) / 2;
}

/* Compares `count` runs with each other, and adds the results to the agreements a[]. row: weights of the runs. */
static void footprints_judge(const struct footprint *f, const struct observations *o,
                             const struct table_row *row, int64_t count, struct agreement **a)
{
    for (int i = 0; i < o->count; i++)
        for (int64_t k = 0; k < count && is_joint(&o->item[i]); k++)
            judge_with(o, i, f, row, k, count, a[k]);
    for (int64_t k = 0; k < count; k++) observations_weigh(o, a[k]);
}

/* ---- runs ------------------------------------------------------------------------------------ */

int candidates_create(struct batch_of_runs *b, const struct calibration *cal, struct error *e)
{
    const size_t count = (size_t)b->candidates;
    b->value = calloc(count, sizeof *b->value);
    b->possible = calloc(count, sizeof *b->possible);
    b->agreement = malloc(count * (size_t)(b->members * cal->eruptions) * sizeof *b->agreement);
    return b->value && b->possible && b->agreement ? 0 : error_memory(e);
}

void candidates_free(struct batch_of_runs *b)
{
    FREE_ALL(b->value, b->possible, b->agreement);
}

/* The runs for an eruption. */
struct runs_of {
    struct calibration *cal;
    struct study_job *job;
    const struct batch_of_runs *b;
    int eruption;
    int64_t count; /* number of members of all candidates that can be run */
    bool counted;  /* whether cells are counted */
    bool verified; /* whether lava is counted near the outline, for cal->discrepancy */
    const struct observations *observed; /* NULL: nothing is judged */
    struct agreement **agreement;        /* the agreement to set for each member */
    struct footprint *footprint;         /* members * observations; NULL: not needed */
};

static int on_result(void *of, struct contribution *one, struct error *e)
{
    const struct runs_of *x = of;
    const int status = observations_judge(x->observed, one, x->agreement[one->number], e);
    if (status || !x->footprint) return status;
    return footprints_keep(x->footprint + one->number * x->observed->count, x->observed, one, e);
}

static struct eruption *eruption_of(const struct runs_of *x)
{
    return &x->cal->eruption[x->eruption];
}

/* Finds the candidates that can be run in all eruptions. */
static int find_possible(struct calibration *cal, struct batch_of_runs *b, int64_t *count,
                         struct error *e)
{
    for (int i = 0; i < b->candidates; i++) b->possible[i] = true;
    for (int k = 0; k < cal->eruptions; k++) {
        struct plan *p = cal->eruption[k].plan;
        int status = points_make_room(p, b->candidates, e);
        if (status) return status;
        for (int i = 0; i < b->candidates && !status; i++) {
            p->table.row[i] = point_row(cal->fit, cal->fits, k, b->value[i], 0);
            if (b->possible[i]) status = member_possible(&b->possible[i], p, i, e);
        }
        if (status) return status;
    }
    *count = 0;
    for (int i = 0; i < b->candidates; i++) *count += b->possible[i] * b->members;
    return 0;
}

static int fill_table(struct runs_of *x, struct error *e)
{
    const struct batch_of_runs *b = x->b;
    struct plan *p = eruption_of(x)->plan;
    struct agreement *a = b->agreement + x->eruption * b->candidates * b->members;
    int status = points_make_room(p, x->count, e);
    int64_t k = 0;
    if (status) return status;
    x->agreement = malloc((size_t)x->count * sizeof(struct agreement *));
    if (!x->agreement) return error_memory(e);
    for (int i = 0; i < b->candidates; i++)
        for (int64_t m = 0; m < b->members && b->possible[i]; m++) {
            const int64_t noise = m + (b->own_noise ? i * b->members : 0);
            p->table.row[k] = point_row(x->cal->fit, x->cal->fits, x->eruption, b->value[i],
                                        b->first_noise + noise);
            if (b->weights) p->table.row[k].weight = (uint64_t)b->weights[i].weight;
            x->agreement[k++] = &a[i * b->members + m];
        }
    return 0;
}

/* ---- the ensemble ---------------------------------------------------------------------------- */

/* Requests classes of arrival that end at the times of the observations. If cells are counted, classes also end at the
 * times of the plan. Lists all these times in time_s. */
static void set_request(const struct runs_of *x, struct ensemble_source *source, double *time_s)
{
    const struct observations *o = &eruption_of(x)->observed;
    struct statistics_request *w = &source->request;
    if (x->counted) {
        const int count = observations_times(o, time_s);
        memcpy(time_s + count, w->time_s, (size_t)w->time_count * sizeof *time_s);
        w->time_count = order_distinct(time_s, count + w->time_count);
        w->time_s = time_s;
        return;
    }
    if (!x->verified) source->base = &eruption_of(x)->bare;
    source->assets = NULL;
    w->threshold_count = 0;
    w->thickness_steps = w->arrival_steps = 1;
    observations_request(o, w, time_s);
}

static double tolerance_of(const struct calibration *cal)
{
    int count = 0;
    const struct smc_generation *g =
        cal->posterior ? smc_generations(cal->posterior, &count) : NULL;
    return count ? g[count - 1].tolerance : (double)NAN;
}

/* Whether an eruption is run. An eruption without observations that the search sees is run only at the end. */
static bool is_run(const struct calibration *cal, const struct batch_of_runs *b, int eruption)
{
    return b->check || cal->eruption[eruption].observed.any[PART_SEEN];
}

/* Whether an eruption has a final outline, and no part of it is held out. */
static bool is_seen_whole(const struct calibration *cal, int eruption)
{
    const struct eruption *x = &cal->eruption[eruption];
    return x->plan->base.outline_path &&
           (!cal->hold_out ||
            (!eruption_is_held(cal, eruption) && x->keys->hold_out.kind != HOLD_OUT_AFTER &&
             x->keys->hold_out.kind != HOLD_OUT_LEFT_OF));
}

/* How many of the first `eruptions` eruptions are run. */
static int run_of(const struct calibration *cal, const struct batch_of_runs *b, int eruptions)
{
    int count = 0;
    for (int k = 0; k < eruptions; k++) count += is_run(cal, b, k);
    return count;
}

static void adapt_to_candidates(const void *of, struct study_progress *now)
{
    const struct runs_of *x = of;
    const struct calibration *cal = x->cal;
    now->stage = x->b->check ? "unseen noise" : cal->posterior ? "posterior" : "searching";
    now->done += run_of(cal, x->b, x->eruption) * x->count;
    now->all = run_of(cal, x->b, cal->eruptions) * x->count;
    now->error = 0;
    now->evaluations = cal->count;
    now->budget = cal->budget;
    now->generation = calibration_generation(cal);
    now->restart = cal->search.restart;
    now->best = cal->best < 0 ? (double)NAN : cal->evaluation[cal->best].score;
    now->tolerance = tolerance_of(cal);
}

static int run_ensemble(struct runs_of *x, struct plan_supply *supply, struct ensemble *s,
                        struct error *e)
{
    struct plan *p = eruption_of(x)->plan;
    double time_s[OBSERVATIONS_MAX + PLAN_LIST_MAX];
    int threads = x->job->threads;
    int status = plan_supply_create(supply, p, e);
    if (status) return status;
    set_request(x, &supply->source, time_s);
    status = engine_prepare(s, &supply->source, &threads, e);
    if (status) return status;
    s->on_result = x->observed ? on_result : NULL;
    s->on_result_of = x;
    s->uncounted = !x->counted && !x->verified;
    observations_use_axis(&eruption_of(x)->observed, &s->arrival_s);
    status = engine_round(x->job, s, threads, adapt_to_candidates, x, &x->cal->counts, e);
    s->on_result = NULL;
    /* The report has the times of the plan, not the times of the search. */
    supply->source.eruption = NULL; /* no warning of runs that end before the eruption */
    supply->source.request.time_count = p->keys.statistics.arrive_s.count;
    supply->source.request.time_s = p->keys.statistics.arrive_s.value;
    return status;
}

static int run_alone(struct runs_of *x, struct error *e)
{
    FREED_BY(plan_supply_free) struct plan_supply supply = {0};
    FREED_BY(ensemble_free) struct ensemble s = {0};
    int status = run_ensemble(x, &supply, &s, e);
    if (!status && !x->job->stopped && x->verified) {
        const struct forecast f = ensemble_forecast(&s);
        status = discrepancy_add(&x->cal->discrepancy, &f, e);
    }
    return status;
}

/* Judges the runs of each candidate together; if candidates have terrain errors of their own, all runs together. */
static void judge_together(const struct runs_of *x)
{
    const int64_t count = x->b->own_noise ? x->count : x->b->members;
    const struct plan *p = eruption_of(x)->plan;
    for (int64_t i = 0; i < x->count; i += count)
        footprints_judge(x->footprint + i * x->observed->count, x->observed, &p->table.row[i],
                         count, x->agreement + i);
}

/* Runs an eruption. It is run twice if arrivals are judged and cells are counted, because arrivals are judged in finer
 * classes. */
static int run_eruption(struct runs_of *x, struct error *e)
{
    const bool counted = x->b->counted && !x->eruption, twice = eruption_of(x)->observed.arrivals;
    int status = fill_table(x, e);
    const struct observations *o = x->observed = &eruption_of(x)->observed;
    const int64_t footprints = x->count * o->count;
    x->verified = x->b->weights && is_seen_whole(x->cal, x->eruption);
    if (!status && calibration_keys_joint(eruption_of(x)->keys) &&
        !(x->footprint = calloc((size_t)footprints + 1, sizeof *x->footprint)))
        status = error_memory(e);
    if (!status && (!counted || twice)) status = run_alone(x, e);
    if (!status && !x->job->stopped && counted) {
        x->counted = true;
        ensemble_free(&x->cal->ensemble); /* the ensemble of a check that was stopped */
        plan_supply_free(&x->cal->supply);
        if (twice) x->observed = NULL;
        status = run_ensemble(x, &x->cal->supply, &x->cal->ensemble, e);
    }
    if (!status && !x->job->stopped && x->footprint) {
        x->observed = o;
        judge_together(x);
    }
    struct footprint *f = x->footprint;
    for (int64_t i = 0; f && i < footprints; i++) free(f[i].place);
    free(f);
    free(x->agreement);
    return status;
}

int candidates_refuse(struct calibration *cal, const double *value, int count, struct error *e)
{
    struct error why = {0};
    for (int k = 0; k < cal->eruptions && !*why.text; k++) {
        struct plan *p = cal->eruption[k].plan;
        struct member m;
        int status = points_make_room(p, 1, e);
        if (status) return status;
        p->table.row[0] = point_row(cal->fit, cal->fits, k, value, 0);
        if (!member_create_flat(&m, p, 0, &why)) member_free(&m);
    }
    return error_input(
        e,
        "%s: none of the first %d points between the bounds can be run; the first of them: %.400s",
        cal->plan->base.path, count, why.text);
}

/* Sets the joint scores of `count` runs: the weighted means over all eruptions with observations that count. */
static void join_agreements(const struct calibration *cal, struct agreement *a, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        for (int p = 0; p < PARTS; p++) {
            double sum = 0, weight = 0;
            for (int k = 0; k < cal->eruptions; k++) {
                const struct eruption *x = &cal->eruption[k];
                if (!x->observed.any[p]) continue;
                sum += x->weight * a[k * count + i].all[p];
                weight += x->weight;
            }
            a[i].joint[p] = weight > 0 ? sum / weight : (double)NAN;
        }
}

int candidates_run(struct calibration *cal, struct study_job *j, struct batch_of_runs *b,
                   struct error *e)
{
    const size_t bytes =
        (size_t)(cal->eruptions * b->candidates * b->members) * sizeof *b->agreement;
    int64_t count = 0;
    for (size_t i = 0; i < bytes / sizeof(double); i++) ((double *)b->agreement)[i] = NAN;
    int status = find_possible(cal, b, &count, e);
    for (int k = 0; k < cal->eruptions && count && !status && !j->stopped; k++) {
        struct runs_of x = {.cal = cal, .job = j, .b = b, .eruption = k, .count = count};
        if (is_run(cal, b, k)) status = run_eruption(&x, e);
    }
    join_agreements(cal, b->agreement, b->candidates * b->members);
    return status;
}
