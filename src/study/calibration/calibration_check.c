/* calibration_check.c — the best of a search with noise that the search has not seen: the best of
 * many is too good, so several are compared anew, and the one that is chosen is run once more. */
#include "calibration.h"

#include "calibration_mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const struct mean_choice w = {.all = cal, .stride = stride, .part = PART_SEEN};
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
        const struct mean m = mean_of(a + i * members, members, &w);
        cal->among[i].mean = m.mean;
        cal->among[i].error = m.error;
        if (m.mean > cal->among[chosen].mean) chosen = i;
    }
    free(a);
    if (status || j->stopped) cal->finalists = 0;
    else cal->best = cal->among[chosen].evaluation;
    return status;
}

/* ---- unseen noise ---------------------------------------------------------------------------- */

void unseen_set(const struct calibration *cal, struct unseen *u, const struct agreement *a,
                int64_t members, const struct posterior_member *weights)
{
    u->members = members;
    for (int p = 0; p < PARTS; p++) {
        const struct mean_choice w = {.all = cal, .stride = members, .part = p, .weights = weights};
        u->all[p] = mean_of(a, members, &w);
        for (int k = 0; k < cal->eruptions; k++) {
            const struct eruption *x = &cal->eruption[k];
            const struct eruption_means of = means_of(x, a + k * members, members, p, weights);
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
    const bool noise = cal->plan->keys.terrain_error_m > 0;
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
    else if (cal->keys.finalists > 1 && cal->plan->keys.terrain_error_m > 0)
        status = choose(cal, j, e);
    if (status || j->stopped) return status;
    status = check_one(cal, j, NULL, &cal->as_it_stands, e);
    if (status || j->stopped || cal->posterior) return status;
    return check_one(cal, j, values_of(cal, cal->best), &cal->finalist, e);
}
