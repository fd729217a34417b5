#include "calibration.h"

#include "case/resolution.h"
#include "terrain/noise.h"
#include "text/textfile.h"

#include <stdlib.h>

/* ---- checks ---------------------------------------------------------------------------------- */

static int check(const struct calibration *c, bool posterior, struct error *e)
{
    const struct calibration_keys *k = &c->keys;
    const char *path = c->plan->base.path;
    bool holds = false;
    if (!c->fits)
        return error_input(e, "%s: nothing to fit; add a line such as 'fit_Pcool 1.5 8 log'", path);
    if (calibration_keys_check(k, c->plan, e)) return ERROR_INPUT;
    for (int i = 0; i < c->eruptions; i++)
        holds = holds || c->eruption[i].keys->hold_out.kind != HOLD_OUT_NONE;
    if (c->hold_out && !holds)
        return error_input(
            e,
            "%s: holding out needs a key hold_out; add a line such as 'hold_out after 100', "
            "'hold_out left_of X1 Y1 X2 Y2' or 'hold_out eruption NAME'",
            path);
    const int64_t population = posterior       ? 2 * k->posterior_members
                               : k->population ? k->population
                                               : cmaes_default_population(c->fits);
    if (c->budget < 1 + population)
        return error_input(e,
                           "%s: %d evaluations, but the case and a first population need %d; allow "
                           "more%s",
                           path, (int)c->budget, (int)population + 1,
                           posterior ? ", or give fewer posterior_members" : "");
    return 0;
}

static uint64_t digest_of_hold_out(const struct hold_out_key *h, uint64_t hash)
{
    const double at[] = {h->time_s, h->at[0], h->at[1], h->at[2], h->at[3]};
    return observations_hash(hash, at, 5, 3);
}

/* Of the plan, of all outlines as they lie on the grid, and of the options. */
static uint64_t digest_of(const struct calibration *c)
{
    uint64_t hash = noise_hash(c->plan->digest, (int64_t)c->seed, c->hold_out, 1);
    for (int k = 0; k < c->eruptions; k++) {
        const struct eruption *x = &c->eruption[k];
        if (k) hash = noise_hash(hash, (int64_t)x->plan->digest, k, 6);
        if (k) hash = observations_hash(hash, &x->weight, 1, 9); /* plans pass over the line */
        hash = observations_digest(&x->observed, hash);
        if (c->hold_out) hash = digest_of_hold_out(&x->keys->hold_out, hash);
        if (eruption_is_held(c, k)) hash = noise_hash(hash, k, 0, 7);
    }
    return c->posterior ? noise_hash(hash, c->keys.posterior_members, 1, 4) : hash;
}

/* ---- life ------------------------------------------------------------------------------------ */

double fit_as_it_stands(const struct calibration *c, int fit)
{
    const int v = c->fit[fit].variable;
    if (v < PARAMETERS) return params_value(resolution_given(&c->plan->base), &params_table[v]);
    return v == RATE_FACTOR || v == DURATION_FACTOR ? 1 : 0;
}

/* Begins at the value of the case, if that lies between the bounds; a factor at 1, a shift at 0. */
static int begin_search(struct calibration *c, struct error *e)
{
    /* a thousandth of the box, a ten-thousandth of the score: finer is not known */
    struct search_options o = {.dimensions = c->fits,
                               .population = (int)c->keys.population,
                               .tol_x = 1e-3,
                               .tol_score = 1e-4,
                               .seed = c->seed};
    double start[FITS_MAX];
    for (int i = 0; i < c->fits; i++) {
        const double value = fit_as_it_stands(c, i);
        const bool inside = value >= c->fit[i].low && value <= c->fit[i].high;
        start[i] = inside ? fit_unit(&c->fit[i], value) : 0.5;
    }
    o.start = start;
    return search_create(&c->search, &o, e);
}

static int begin_posterior(struct calibration *c, struct error *e)
{
    const struct smc_options o = {.dimensions = c->fits,
                                  .members = (int)c->keys.posterior_members,
                                  .tolerance = c->keys.posterior_tolerance,
                                  .acceptance = c->keys.posterior_acceptance,
                                  .seed = c->seed};
    return smc_create(&c->posterior, &o, e);
}

static int open_all(struct calibration *c, bool posterior, struct error *e)
{
    int status = eruptions_open(c, e);
    if (!status) status = check(c, posterior, e);
    if (!status) status = eruptions_observe(c, e);
    if (!status) status = posterior ? begin_posterior(c, e) : begin_search(c, e);
    if (!status) c->digest = digest_of(c);
    return status;
}

int calibration_open(struct calibration *c, const char *path, const struct calibration_options *w,
                     struct error *e)
{
    *c = (struct calibration){.hold_out = w->hold_out, .best = -1};
    calibration_keys_default(&c->keys);
    const struct plan_more more = {{&calibration_schema, &c->keys}, c->keys.fitted};
    int status = plan_read_more(&c->plan, path, &more, NULL, e);
    if (status) return status;
    if (w->seed >= 0) c->plan->keys.seed = w->seed;
    c->seed = (uint64_t)c->plan->keys.seed;
    c->budget = w->evaluations ? w->evaluations : c->keys.evaluations;
    status = open_all(c, w->posterior, e);
    if (status) calibration_close(c);
    return status;
}

void calibration_close(struct calibration *c)
{
    ensemble_free(&c->ensemble);
    plan_supply_free(&c->supply);
    search_free(&c->search);
    smc_destroy(c->posterior);
    eruptions_close(c);
    free(c->evaluation);
    free(c->detail);
    plan_free(c->plan);
    *c = (struct calibration){0};
}
