/* calibration_check.c — the best of a search with noise that the search has not seen: the best of
 * many is too good, so several are compared anew, and the one that is chosen is run once more. */
#include "calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- means ----------------------------------------------------------------------------------- */

/* Of what: a score or error of the runs of one eruption, or the score of all eruptions together; the
 * runs of eruption k begin at k * stride. */
enum { MEAN_SCORE = -1, MEAN_ERRORS = OBSERVATIONS_MAX };
struct mean_choice {
    const struct calibration *all; /* NULL: one eruption */
    int64_t stride;
    int of; /* an observation, or MEAN_ERRORS + observation, or MEAN_SCORE, all together */
    int part;
    const struct posterior_member *weights; /* of each run; NULL: equal */
};

static double agreement_value(const struct agreement *a, int of, int part)
{
    return of == MEAN_SCORE    ? a->all[part]
           : of >= MEAN_ERRORS ? a->error[of - MEAN_ERRORS][part]
                               : a->of[of][part];
}

/* By the weights of the eruptions of which anything counts. */
static double mean_value(const struct agreement *a, const struct mean_choice *w)
{
    double sum = 0, weight = 0;
    if (!w->all) return agreement_value(a, w->of, w->part);
    for (int k = 0; k < w->all->eruptions; k++) {
        const struct eruption *x = &w->all->eruption[k];
        if (!x->observed.any[w->part]) continue;
        sum += x->weight * a[k * w->stride].all[w->part];
        weight += x->weight;
    }
    return weight > 0 ? sum / weight : (double)NAN;
}

/* Of `count` runs, in their order. */
static struct mean mean_of(const struct agreement *a, int64_t count, const struct mean_choice *w)
{
    struct mean m = {0, NAN, INFINITY, -INFINITY};
    double squares = 0;
    for (int64_t i = 0; i < count; i++) {
        const double x = mean_value(a + i, w);
        m.mean += w->weights ? posterior_share(&w->weights[i]) * x : x;
        m.least = fmin(m.least, x);
        m.most = fmax(m.most, x);
    }
    if (!w->weights) m.mean /= (double)count;
    for (int64_t i = 0; i < count; i++) {
        const double far = mean_value(a + i, w) - m.mean,
                     part = w->weights ? posterior_share(&w->weights[i]) * far : far;
        squares += part * part;
    }
    if (w->weights) m.error = sqrt(squares);
    else if (count > 1) m.error = sqrt(squares / (double)(count - 1) / (double)count);
    return m;
}

struct eruption_means eruption_means(const struct eruption *x, const struct agreement *a,
                                     int64_t count, int part,
                                     const struct posterior_member *weights)
{
    struct mean_choice w = {.of = MEAN_SCORE, .part = part, .weights = weights};
    struct eruption_means m = {.all = mean_of(a, count, &w)};
    for (int i = 0; i < x->observed.count; i++) {
        w.of = i;
        m.of[i] = mean_of(a, count, &w).mean;
        w.of = MEAN_ERRORS + i;
        m.error[i] = mean_of(a, count, &w).mean;
    }
    return m;
}

struct mean score_mean(const struct calibration *cal, const struct agreement *a, int64_t stride,
                       int64_t count, int part, const struct posterior_member *weights)
{
    const struct mean_choice w = {.all = cal, .stride = stride, .part = part, .weights = weights};
    return mean_of(a, count, &w);
}

/* ---- whom to choose -------------------------------------------------------------------------- */

static bool is_listed(const struct calibration *cal, int evaluation)
{
    const struct evaluation *x = &cal->evaluation[evaluation];
    for (int i = 0; i < cal->finalists; i++) {
        const struct evaluation *other = &cal->evaluation[cal->among[i].evaluation];
        if (!memcmp(x->value, other->value, (size_t)cal->fits * sizeof *x->value)) return true;
    }
    return false;
}

/* The best evaluations, each point once; the earlier one of equal scores. */
static void list_finalists(struct calibration *cal)
{
    cal->finalists = 0;
    while (cal->finalists < cal->keys.finalists) {
        int best = -1;
        for (int i = 0; i < cal->count; i++) {
            const struct evaluation *x = &cal->evaluation[i];
            if (!x->possible || (best >= 0 && x->score <= cal->evaluation[best].score)) continue;
            if (!is_listed(cal, i)) best = i;
        }
        if (best < 0) return;
        cal->among[cal->finalists++] = (struct finalist){best, NAN, NAN};
    }
}

static const double *values_of(const struct calibration *cal, int evaluation)
{
    return evaluation ? cal->evaluation[evaluation].value : NULL;
}

static int choose(struct calibration *cal, struct study_job *j, struct error *e)
{
    const int64_t members = cal->keys.finalist_members;
    const double *value[FINALISTS_MAX];
    bool possible[FINALISTS_MAX];
    int chosen = 0;
    list_finalists(cal);
    for (int i = 0; i < cal->finalists; i++) value[i] = values_of(cal, cal->among[i].evaluation);
    const int64_t stride = cal->finalists * members;
    struct agreement *a = malloc((size_t)(cal->eruptions * stride) * sizeof *a);
    struct batch_of_runs b = {.candidates = cal->finalists,
                              .value = value,
                              .first_noise = cal->keys.noise_members,
                              .members = members,
                              .check = true,
                              .agreement = a,
                              .possible = possible};
    int status = a ? candidates_run(cal, j, &b, e) : error_memory(e);
    for (int i = 0; i < cal->finalists && !status && !j->stopped; i++) {
        const struct mean m = score_mean(cal, a + i * members, stride, members, PART_SEEN, NULL);
        cal->among[i].mean = m.mean;
        cal->among[i].error = m.error;
        if (m.mean > cal->among[chosen].mean) chosen = i;
    }
    free(a);
    if (status || j->stopped) cal->finalists = 0;
    else cal->best = cal->among[chosen].evaluation;
    return status;
}

void unseen_set(const struct calibration *cal, struct unseen *u, const struct agreement *a,
                int64_t members, const struct posterior_member *weights)
{
    u->members = members;
    for (int p = 0; p < PARTS; p++) {
        u->all[p] = score_mean(cal, a, members, members, p, weights);
        for (int k = 0; k < cal->eruptions; k++) {
            const struct eruption *x = &cal->eruption[k];
            const struct eruption_means of =
                eruption_means(x, a + k * members, members, p, weights);
            u->eruption[k][p] = of.all;
            for (int i = 0; i < x->observed.count; i++) {
                u->of[x->first + i][p] = of.of[i];
                u->error_of[x->first + i][p] = of.error[i];
            }
        }
    }
}

static int check_one(struct calibration *cal, struct study_job *j, const double *value,
                     struct unseen *u, struct error *e)
{
    const bool noise = plan_terrain_errs(cal->plan);
    const int64_t members = noise ? cal->keys.finalist_members : 1,
                  seen = cal->keys.noise_members + (cal->finalists ? members : 0);
    bool possible = false;
    struct agreement *a = malloc((size_t)(cal->eruptions * members) * sizeof *a);
    struct batch_of_runs b = {.candidates = 1,
                              .value = &value,
                              .first_noise = noise ? seen : 0,
                              .members = members,
                              .check = true,
                              .counted = u == &cal->finalist,
                              .agreement = a,
                              .possible = &possible};
    int status = a ? candidates_run(cal, j, &b, e) : error_memory(e);
    if (!status && !j->stopped && possible) unseen_set(cal, u, a, members, NULL);
    free(a);
    return status;
}

int calibration_check(struct study_job *j, struct error *e)
{
    struct calibration *cal = j->self;
    if (cal->best < 0)
        return error_input(e, "%s: no candidate can be run; give other bounds",
                           cal->plan->base.path);
    int status = 0;
    if (cal->posterior) status = posterior_check(cal, j, e);
    else if (cal->keys.finalists > 1 && plan_terrain_errs(cal->plan)) status = choose(cal, j, e);
    if (status || j->stopped) return status;
    status = check_one(cal, j, NULL, &cal->as_it_stands, e);
    if (status || j->stopped || cal->posterior) return status;
    return check_one(cal, j, values_of(cal, cal->best), &cal->finalist, e);
}
