/* posterior.c — the members of a posterior with whole weights, means and percentiles, and their
 * agreement with noise that the search has not seen. */
#include "calibration.h"

#include "base/order.h"
#include <math.h>
#include <stdlib.h>

struct share {
    int member;
    double rest;
};

static int largest_first(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->rest != y->rest) return x->rest < y->rest ? 1 : -1;
    return (x->member > y->member) - (x->member < y->member);
}

/* Whole numbers, each from 1 on, that sum up to POSTERIOR_UNITS: what is missing goes to the
 * largest remainders; what is too much, where tiny ones were raised to 1, is taken from the
 * largest. */
static int set_weights(struct posterior_member *list, const struct smc_member *m, int count,
                       struct error *e)
{
    struct share *share = malloc((size_t)count * sizeof *share);
    int64_t left = POSTERIOR_UNITS;
    double sum = 0;
    int largest = 0;
    if (!share) return error_memory(e);
    for (int i = 0; i < count; i++) sum += m[i].weight;
    for (int i = 0; i < count; i++) {
        const double units = m[i].weight / sum * POSTERIOR_UNITS;
        list[i].evaluation = (int)m[i].number + 1; /* after the case as it stands */
        list[i].weight = units < 1 ? 1 : (int64_t)units;
        share[i] = (struct share){i, units < 1 ? 0 : units - floor(units)};
        left -= list[i].weight;
        if (list[i].weight > list[largest].weight) largest = i;
    }
    qsort(share, (size_t)count, sizeof *share, largest_first);
    for (int i = 0; i < count && left > 0; i++, left--) list[share[i].member].weight++;
    list[largest].weight += left;
    free(share);
    return 0;
}

static int by_evaluation(const void *a, const void *b)
{
    const struct posterior_member *x = a, *y = b;
    return (x->evaluation > y->evaluation) - (x->evaluation < y->evaluation);
}

int posterior_list(const struct calibration *cal, struct posterior_member **list, int *count,
                   struct error *e)
{
    const struct smc_member *m = smc_members(cal->posterior, count);
    *list = calloc((size_t)*count + 1, sizeof **list);
    if (!*list) return error_memory(e);
    int status = *count ? set_weights(*list, m, *count, e) : 0;
    qsort(*list, (size_t)*count, sizeof **list, by_evaluation);
    return status;
}

/* ---- means and percentiles ------------------------------------------------------------------- */

struct weighed {
    double value;
    int64_t weight;
};

/* The least value with a cumulative weight of at least `units`. */
static double value_at(const struct weighed *w, int count, int64_t units)
{
    int i = 0;
    for (int64_t sum = w[0].weight; sum < units && i < count - 1; sum += w[i].weight) i++;
    return w[i].value;
}

int marginal_of(struct marginal *m, const struct posterior_member *list, const double *value,
                int count, struct error *e)
{
    struct weighed *w = malloc((size_t)count * sizeof *w);
    double squares = 0;
    *m = (struct marginal){0};
    if (!w) return error_memory(e);
    for (int i = 0; i < count; i++) {
        w[i] = (struct weighed){value[i], list[i].weight};
        m->mean += posterior_share(&list[i]) * value[i];
    }
    for (int i = 0; i < count; i++)
        squares += posterior_share(&list[i]) * (value[i] - m->mean) * (value[i] - m->mean);
    m->sd = sqrt(squares);
    qsort(w, (size_t)count, sizeof *w, order_reals);
    m->p025 = value_at(w, count, POSTERIOR_UNITS / 1000 * 25);
    m->p50 = value_at(w, count, POSTERIOR_UNITS / 2);
    m->p975 = value_at(w, count, POSTERIOR_UNITS / 1000 * 975);
    free(w);
    return 0;
}

int64_t posterior_seed(const struct calibration *cal)
{
    return (int64_t)((cal->seed + 1) % ((uint64_t)1 << 53));
}

static int run_members(struct calibration *cal, struct study_job *j,
                       const struct posterior_member *list, int count, struct error *e)
{
    const double **value = malloc((size_t)count * sizeof *value);
    bool *possible = malloc((size_t)count * sizeof *possible);
    struct agreement *a = malloc((size_t)(count * cal->eruptions) * sizeof *a);
    struct batch_of_runs b = {.candidates = count,
                              .value = value,
                              .members = 1,
                              .own_noise = true,
                              .check = true,
                              .weights = list,
                              .agreement = a,
                              .possible = possible};
    int status = value && possible && a ? 0 : error_memory(e);
    for (int i = 0; i < count && !status; i++) value[i] = cal->evaluation[list[i].evaluation].value;
    if (!status) status = candidates_run(cal, j, &b, e);
    if (!status && !j->stopped) unseen_set(cal, &cal->finalist, a, count, list);
    free(value);
    free(possible);
    free(a);
    return status;
}

int posterior_check(struct calibration *cal, struct study_job *j, struct error *e)
{
    const int64_t seed = cal->plan->keys.seed;
    cal->discrepancy = (struct discrepancy){0};
    struct posterior_member *list;
    int count;
    int status = posterior_list(cal, &list, &count, e);
    for (int k = 0; k < cal->eruptions; k++) cal->eruption[k].plan->keys.seed = posterior_seed(cal);
    if (!status) status = run_members(cal, j, list, count, e);
    for (int k = 0; k < cal->eruptions; k++) cal->eruption[k].plan->keys.seed = seed;
    free(list);
    return status;
}
