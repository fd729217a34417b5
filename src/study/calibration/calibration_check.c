/* calibration_check.c — the best of a search with noise that the search has not seen: the best of
 * many is too good, so several are compared anew, and the one that is chosen is run once more. */
#include "calibration.h"

#include "calibration_mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- whom to choose -------------------------------------------------------------------------- */

static bool is_listed(const struct calibration *c, int evaluation)
{
    const struct evaluation *x = &c->evaluation[evaluation];
    for (int i = 0; i < c->finalists; i++) {
        const struct evaluation *other = &c->evaluation[c->among[i].evaluation];
        if (!memcmp(x->value, other->value, (size_t)c->fits * sizeof *x->value)) return true;
    }
    return false;
}

/* The best evaluations, each point once; the earlier one of equal scores. */
static void list_finalists(struct calibration *c)
{
    c->finalists = 0;
    while (c->finalists < c->keys.finalists) {
        int best = -1;
        for (int i = 0; i < c->count; i++) {
            const struct evaluation *x = &c->evaluation[i];
            if (!x->possible || (best >= 0 && x->score <= c->evaluation[best].score)) continue;
            if (!is_listed(c, i)) best = i;
        }
        if (best < 0) return;
        c->among[c->finalists++] = (struct finalist){best, NAN, NAN};
    }
}

static const double *values_of(const struct calibration *c, int evaluation)
{
    return evaluation ? c->evaluation[evaluation].value : NULL;
}

static int choose(struct calibration *c, struct study_job *j, struct error *e)
{
    const int64_t members = c->keys.finalist_members;
    const double *value[FINALISTS_MAX];
    bool possible[FINALISTS_MAX];
    int chosen = 0;
    list_finalists(c);
    for (int i = 0; i < c->finalists; i++) value[i] = values_of(c, c->among[i].evaluation);
    const int64_t stride = c->finalists * members;
    const struct mean_choice w = {.all = c, .stride = stride, .part = PART_SEEN};
    struct agreement *a = malloc((size_t)(c->eruptions * stride) * sizeof *a);
    struct batch_of_runs b = {.candidates = c->finalists,
                              .value = value,
                              .first_noise = c->keys.noise_members,
                              .members = members,
                              .check = true,
                              .agreement = a,
                              .possible = possible};
    int status = a ? candidates_run(c, j, &b, e) : error_memory(e);
    for (int i = 0; i < c->finalists && !status && !j->stopped; i++) {
        const struct mean m = mean_of(a + i * members, members, &w);
        c->among[i].mean = m.mean;
        c->among[i].error = m.error;
        if (m.mean > c->among[chosen].mean) chosen = i;
    }
    free(a);
    if (status || j->stopped) c->finalists = 0;
    else c->best = c->among[chosen].evaluation;
    return status;
}

/* ---- unseen noise ---------------------------------------------------------------------------- */

void unseen_set(const struct calibration *c, struct unseen *u, const struct agreement *a,
                int64_t members, const struct posterior_member *weights)
{
    u->members = members;
    for (int p = 0; p < PARTS; p++) {
        const struct mean_choice w = {.all = c, .stride = members, .part = p, .weights = weights};
        const struct mean m = mean_of(a, members, &w);
        u->mean[p] = m.mean;
        u->error[p] = m.error;
        u->least[p] = m.least;
        u->most[p] = m.most;
        for (int k = 0; k < c->eruptions; k++) {
            const struct eruption *x = &c->eruption[k];
            const struct eruption_means of = means_of(x, a + k * members, members, p, weights);
            u->eruption[k][p] = of.all.mean;
            u->eruption_error[k][p] = of.all.error;
            for (int i = 0; i < x->observed.count; i++) {
                u->of[x->first + i][p] = of.of[i];
                u->error_of[x->first + i][p] = of.error[i];
            }
        }
    }
}

static int check_one(struct calibration *c, struct study_job *j, const double *value,
                     struct unseen *u, struct error *e)
{
    const bool noise = c->plan->keys.terrain_error_m > 0;
    const int64_t members = noise ? c->keys.finalist_members : 1,
                  seen = c->keys.noise_members + (c->finalists ? members : 0);
    bool possible = false;
    struct agreement *a = malloc((size_t)(c->eruptions * members) * sizeof *a);
    struct batch_of_runs b = {.candidates = 1,
                              .value = &value,
                              .first_noise = noise ? seen : 0,
                              .members = members,
                              .check = true,
                              .counted = u == &c->finalist,
                              .agreement = a,
                              .possible = &possible};
    int status = a ? candidates_run(c, j, &b, e) : error_memory(e);
    if (!status && !j->stopped && possible) unseen_set(c, u, a, members, NULL);
    free(a);
    return status;
}

int calibration_check(struct study_job *j, struct error *e)
{
    struct calibration *c = j->self;
    if (c->best < 0) return error_input(e, "%s: no candidate can be run", c->plan->base.path);
    int status = 0;
    if (c->posterior) status = posterior_check(c, j, e);
    else if (c->keys.finalists > 1 && c->plan->keys.terrain_error_m > 0) status = choose(c, j, e);
    if (status || j->stopped) return status;
    status = check_one(c, j, NULL, &c->as_it_stands, e);
    if (status || j->stopped || c->posterior) return status;
    return check_one(c, j, values_of(c, c->best), &c->finalist, e);
}
