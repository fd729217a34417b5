#include "calibration.h"

#include "case/resolution.h"
#include "terrain/noise.h"

#include <stdlib.h>

/* ---- checks ---------------------------------------------------------------------------------- */

static int check(const struct calibration *cal, bool posterior, struct error *e)
{
    const struct calibration_keys *k = &cal->keys;
    const char *path = cal->plan->base.path;
    bool holds = false;
    if (!cal->fits)
        return error_input(e, "%s: nothing to fit; add a line such as 'fit_Pcool 1.5 8 log'", path);
    if (calibration_keys_check(k, cal->plan, e)) return ERROR_INPUT;
    for (int i = 0; i < cal->eruptions; i++)
        holds = holds || cal->eruption[i].keys->hold_out.kind != HOLD_OUT_NONE;
    if (cal->hold_out && !holds)
        return error_input(
            e,
            "%s: validation needs observations to hold out; add a line such as 'hold_out after "
            "100', 'hold_out left_of X1 Y1 X2 Y2' or 'hold_out eruption NAME'",
            path);
    for (int i = 0; i < cal->eruptions; i++)
        if (calibration_keys_joint(cal->eruption[i].keys) && plan_terrain_errs(cal->plan) &&
            (k->noise_members < 2 || k->finalist_members < 2))
            return error_input(e,
                               "%s: score ensemble compares the runs of a candidate with each "
                               "other; give noise_members and finalist_members of 2 at least",
                               path);
    const int64_t population = posterior       ? 2 * k->posterior_members
                               : k->population ? k->population
                                               : cmaes_default_population(cal->fits);
    if (cal->budget < 1 + population)
        return error_input(
            e, "%s: %d evaluations, but the case and a first population need %d; allow more%s",
            path, (int)cal->budget, (int)population + 1,
            posterior ? ", or give fewer posterior_members" : "");
    return 0;
}

/* Of the plan, of all outlines as they lie on the grid, and of the options. */
static uint64_t digest_of(const struct calibration *cal)
{
    uint64_t hash = noise_hash(cal->plan->digest, (int64_t)cal->seed, cal->hold_out, 1);
    for (int k = 0; k < cal->eruptions; k++) {
        const struct eruption *x = &cal->eruption[k];
        const struct hold_out_key *h = &x->keys->hold_out;
        const double held[] = {h->time_s, h->at[0], h->at[1], h->at[2], h->at[3]};
        if (k) hash = noise_hash(hash, (int64_t)x->plan->digest, k, 6);
        if (k) hash = observations_hash(hash, &x->weight, 1, 9); /* plans pass over the line */
        hash = observations_digest(&x->observed, hash);
        if (cal->hold_out) hash = observations_hash(hash, held, 5, 3);
        if (eruption_is_held(cal, k)) hash = noise_hash(hash, k, 0, 7);
    }
    return cal->posterior ? noise_hash(hash, cal->keys.posterior_members, 1, 4) : hash;
}

double fit_as_it_stands(const struct calibration *cal, int fit)
{
    const int v = cal->fit[fit].variable;
    if (v < PARAMETERS) return params_value(resolution_given(&cal->plan->base), &params_table[v]);
    if (v == TERRAIN_ERROR) return cal->plan->keys.terrain_error_m;
    if (v == TERRAIN_LENGTH) return cal->plan->keys.terrain_error_length_m;
    return v == RATE_FACTOR || v == DURATION_FACTOR ? 1 : 0;
}

/* Begins at the value of the case, if that lies between the bounds; a factor at 1, a shift at 0. */
static int begin_search(struct calibration *cal, struct error *e)
{
    /* a thousandth of the box, a ten-thousandth of the score: finer is not known */
    struct search_options o = {.dimensions = cal->fits,
                               .population = (int)cal->keys.population,
                               .tol_x = 1e-3,
                               .tol_score = 1e-4,
                               .seed = cal->seed};
    double start[FITS_MAX];
    for (int i = 0; i < cal->fits; i++) {
        const double value = fit_as_it_stands(cal, i);
        const bool inside = value >= cal->fit[i].low && value <= cal->fit[i].high;
        start[i] = inside ? fit_unit(&cal->fit[i], value) : 0.5;
    }
    o.start = start;
    return search_create(&cal->search, &o, e);
}

static int begin_posterior(struct calibration *cal, struct error *e)
{
    const struct smc_options o = {.dimensions = cal->fits,
                                  .members = (int)cal->keys.posterior_members,
                                  .tolerance = cal->keys.posterior_tolerance,
                                  .acceptance = cal->keys.posterior_acceptance,
                                  .seed = cal->seed};
    return smc_create(&cal->posterior, &o, e);
}

static int open_all(struct calibration *cal, bool posterior, struct error *e)
{
    int status = eruptions_open(cal, e);
    if (!status) status = check(cal, posterior, e);
    if (!status) status = eruptions_observe(cal, e);
    if (!status) status = posterior ? begin_posterior(cal, e) : begin_search(cal, e);
    if (!status) cal->digest = digest_of(cal);
    return status;
}

int calibration_open(struct calibration *cal, const char *path, const struct calibration_options *w,
                     struct error *e)
{
    *cal = (struct calibration){.hold_out = w->hold_out, .best = -1};
    calibration_keys_default(&cal->keys);
    const struct plan_more more = {.keys = {&calibration_schema, &cal->keys},
                                   .fitted = cal->keys.fitted};
    int status = plan_read(&cal->plan, path, &more, NULL, e);
    if (status) return status;
    if (w->seed >= 0) cal->plan->keys.seed = w->seed;
    cal->seed = (uint64_t)cal->plan->keys.seed;
    cal->budget = w->evaluations ? w->evaluations : cal->keys.evaluations;
    status = open_all(cal, w->posterior, e);
    if (status) calibration_close(cal);
    return status;
}

void calibration_close(void *calibration)
{
    struct calibration *cal = calibration;
    null_plan_close(&cal->null);
    free(cal->null_keys);
    ensemble_free(&cal->ensemble);
    plan_supply_free(&cal->supply);
    search_free(&cal->search);
    smc_destroy(cal->posterior);
    eruptions_close(cal);
    free(cal->evaluation);
    free(cal->detail);
    plan_free(cal->plan);
    *cal = (struct calibration){0};
}
