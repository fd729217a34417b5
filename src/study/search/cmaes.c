#include "cmaes.h"

#include "base/order.h"
#include "eigen.h"
#include "random/philox.h"
#include "random/quantile.h"
#include "text/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_SEARCH = 67, N = CMAES_DIMENSIONS_MAX };
static const double CONDITION_MAX = 1e14, GROWTH_MAX = 1e4;

/* Quantities that have a name in the tutorial (cmaes.h) have the same name here. */
struct cmaes {
    int n, lambda, mu;
    uint64_t seed;
    int64_t first, generation;
    /* There are lambda weights. The first mu are above 0 and sum up to 1; all others are below 0. */
    double *weight;
    double weight_sum;
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi; /* chi: E|N(0, I)| */

    double mean[N], sigma, p_sigma[N], p_c[N];
    double C[N][N], B[N][N], D[N]; /* C = B D^2 B^T; columns of B are eigenvectors */
    double unbiased;               /* (1 - c_sigma)^(2 generation) */
    double *z, *x;                 /* lambda * n numbers: deviates, points */
    int *rank;                     /* indices of the lambda points, the best point first */

    double step0, tol_x, tol_cost;
    int recent;   /* the number of recent populations that decide whether the search ends */
    double *best; /* a ring: the best cost of each recent population */
    double worst_now, best_now;
    struct stagnation history;
};

/* ---- strategy parameters (tutorial, table 1) ------------------------------------------------- */

int cmaes_default_population(int dimensions)
{
    return 4 + (int)(3 * real_log(dimensions));
}

/* The effective number of weights from weight[from] to weight[to - 1]. *sum is the sum of these weights. */
static double effective_points(const struct cmaes *cma, int from, int to, double *sum)
{
    double sum2 = 0;
    *sum = 0;
    for (int i = from; i < to; i++) {
        *sum += cma->weight[i];
        sum2 += cma->weight[i] * cma->weight[i];
    }
    return sum2 > 0 ? *sum * *sum / sum2 : 0;
}

static void choose_rates(struct cmaes *cma)
{
    const double n = cma->n, mu_eff = cma->mu_eff;
    const double excess = sqrt((mu_eff - 1) / (n + 1)) - 1;
    cma->c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    cma->d_sigma = 1 + 2 * (excess > 0 ? excess : 0) + cma->c_sigma;
    cma->c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    cma->c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
    cma->c_mu = 2 * (0.25 + mu_eff - 2 + 1 / mu_eff) / ((n + 2) * (n + 2) + mu_eff);
    if (cma->c_mu > 1 - cma->c_1) cma->c_mu = 1 - cma->c_1;
    cma->chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

/* Sets the weights. Weights of the worse half are below 0 and bounded, so C remains positive definite. */
static void choose_parameters(struct cmaes *cma)
{
    double better, worse;
    for (int i = 0; i < cma->lambda; i++)
        cma->weight[i] = real_log((cma->lambda + 1) / 2.0) - real_log(i + 1);
    cma->mu_eff = effective_points(cma, 0, cma->mu, &better);
    const double mu_worse = effective_points(cma, cma->mu, cma->lambda, &worse);
    choose_rates(cma);
    const double most = fmin(fmin(1 + cma->c_1 / cma->c_mu, 1 + 2 * mu_worse / (cma->mu_eff + 2)),
                             (1 - cma->c_1 - cma->c_mu) / (cma->n * cma->c_mu));
    for (int i = 0; i < cma->lambda; i++)
        cma->weight[i] *= i < cma->mu ? 1 / better : worse < 0 ? -most / worse : 0;
    effective_points(cma, 0, cma->lambda, &cma->weight_sum);
}

static bool allocate_arrays(struct cmaes *cma)
{
    const size_t n = (size_t)cma->n, lambda = (size_t)cma->lambda;
    cma->weight = malloc(lambda * sizeof *cma->weight);
    cma->z = malloc(lambda * n * sizeof *cma->z);
    cma->x = malloc(lambda * n * sizeof *cma->x);
    cma->rank = malloc(lambda * sizeof *cma->rank);
    cma->best = malloc((size_t)cma->recent * sizeof *cma->best);
    return cma->weight && cma->z && cma->x && cma->rank && cma->best;
}

int cmaes_create(struct cmaes **out, const struct cmaes_options *o, struct error *e)
{
    struct cmaes *cma = *out = calloc(1, sizeof *cma);
    if (!cma) return error_memory(e);
    const int lambda = o->population ? o->population : cmaes_default_population(o->dimensions);
    cma->n = o->dimensions;
    cma->lambda = lambda;
    cma->mu = lambda / 2;
    cma->seed = o->seed;
    cma->first = o->first;
    cma->recent = 10 + (30 * cma->n + lambda - 1) / lambda;
    if (!allocate_arrays(cma)) {
        cmaes_destroy(cma);
        *out = NULL;
        return error_memory(e);
    }
    choose_parameters(cma);
    memcpy(cma->mean, o->start, (size_t)cma->n * sizeof *cma->mean);
    cma->sigma = cma->step0 = o->step;
    cma->tol_x = o->tol_x;
    cma->tol_cost = o->tol_cost;
    cma->unbiased = 1;
    for (int i = 0; i < cma->n; i++) cma->C[i][i] = cma->B[i][i] = cma->D[i] = 1;
    return 0;
}

void cmaes_destroy(struct cmaes *cma)
{
    if (!cma) return;
    FREE_ALL(cma->weight, cma->z, cma->x, cma->rank, cma->best);
    stagnation_free(&cma->history);
    free(cma);
}

int cmaes_population(const struct cmaes *cma)
{
    return cma->lambda;
}

/* ---- ask: samples x = m + sigma B D z (tutorial, equations 38 to 40) ------------------------- */

/* Sets y to B D z if `scaled`, otherwise to B z. */
static void turn_point(const struct cmaes *cma, const double *z, bool scaled, double *y)
{
    for (int i = 0; i < cma->n; i++) {
        y[i] = 0;
        for (int k = 0; k < cma->n; k++) y[i] += cma->B[i][k] * (scaled ? cma->D[k] * z[k] : z[k]);
    }
}

const double *cmaes_ask(struct cmaes *cma)
{
    const int64_t number = cma->first + cma->generation * cma->lambda;
    for (int k = 0; k < cma->lambda; k++) {
        double *z = cma->z + (size_t)k * (size_t)cma->n, *x = cma->x + (size_t)k * (size_t)cma->n;
        for (int i = 0; i < cma->n; i++)
            z[i] = normal_quantile(philox_unit(
                philox_bits(cma->seed, STREAM_SEARCH, (uint64_t)(number + k), (uint32_t)i)));
        turn_point(cma, z, true, x);
        for (int i = 0; i < cma->n; i++) x[i] = cma->mean[i] + cma->sigma * x[i];
    }
    return cma->x;
}

/* The weighted mean of the best mu deviates. */
static void recombine(const struct cmaes *cma, double *z)
{
    memset(z, 0, (size_t)cma->n * sizeof *z);
    for (int k = 0; k < cma->mu; k++)
        for (int i = 0; i < cma->n; i++)
            z[i] += cma->weight[k] * cma->z[(size_t)cma->rank[k] * (size_t)cma->n + (size_t)i];
}

static double length_of(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

/* Updates mean, paths and step size (equations 41 to 45). Returns h_sigma. h_sigma is false while the step
 * size grows fast; then p_c takes no new step. The code uses C^(-1/2) B D z = B z. */
static bool follow_paths(struct cmaes *cma, const double *z)
{
    double y[N], turned[N];
    turn_point(cma, z, true, y);
    turn_point(cma, z, false, turned);
    const double s = sqrt(cma->c_sigma * (2 - cma->c_sigma) * cma->mu_eff),
                 t = sqrt(cma->c_c * (2 - cma->c_c) * cma->mu_eff);
    for (int i = 0; i < cma->n; i++) {
        cma->mean[i] += cma->sigma * y[i];
        cma->p_sigma[i] = (1 - cma->c_sigma) * cma->p_sigma[i] + s * turned[i];
    }
    const double length = length_of(cma->p_sigma, cma->n);
    cma->unbiased *= (1 - cma->c_sigma) * (1 - cma->c_sigma);
    const bool h = length / sqrt(1 - cma->unbiased) < (1.4 + 2.0 / (cma->n + 1)) * cma->chi;
    for (int i = 0; i < cma->n; i++)
        cma->p_c[i] = (1 - cma->c_c) * cma->p_c[i] + (h ? t * y[i] : 0);
    const double growth = cma->c_sigma / cma->d_sigma * (length / cma->chi - 1);
    cma->sigma *= real_exp(growth < 1 ? growth : 1);
    return h;
}

/* Adapts the covariance by the updates of rank one and rank mu (equations 46 and 47). */
static void adapt_covariance(struct cmaes *cma, bool h)
{
    const int n = cma->n;
    const double stall = h ? 0 : cma->c_1 * cma->c_c * (2 - cma->c_c),
                 keep = 1 + stall - cma->c_1 - cma->c_mu * cma->weight_sum;
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++)
            cma->C[i][k] = keep * cma->C[i][k] + cma->c_1 * cma->p_c[i] * cma->p_c[k];
    for (int m = 0; m < cma->lambda; m++) {
        const double *z = cma->z + (size_t)cma->rank[m] * (size_t)n, length = length_of(z, n);
        const double shorten = m < cma->mu ? 1 : n / (length * length);
        double y[N];
        turn_point(cma, z, true, y);
        for (int i = 0; i < n; i++)
            for (int k = 0; k <= i; k++)
                cma->C[i][k] += cma->c_mu * cma->weight[m] * shorten * y[i] * y[k];
    }
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) cma->C[i][k] = cma->C[k][i];
}

static int decompose(struct cmaes *cma, struct error *e)
{
    for (int i = 0; i < cma->n; i++)
        for (int k = 0; k < cma->n; k++)
            if (!isfinite(cma->C[i][k]))
                return error_failed(e, "the covariance matrix of the search is not finite");
    if (!eigen(cma->C, cma->n, cma->D, cma->B))
        return error_failed(e, "the covariance matrix of the search has no eigenvectors");
    for (int k = 0; k < cma->n; k++) cma->D[k] = cma->D[k] > 0 ? sqrt(cma->D[k]) : 0;
    return 0;
}

int cmaes_tell(struct cmaes *cma, const double *cost, struct error *e)
{
    double z[N];
    FREED struct ranked *sorted = malloc((size_t)cma->lambda * sizeof *sorted);
    if (!sorted) return error_memory(e);
    for (int k = 0; k < cma->lambda; k++)
        sorted[k] = (struct ranked){isnan(cost[k]) ? -(double)INFINITY : -cost[k], k};
    qsort(sorted, (size_t)cma->lambda, sizeof *sorted, order_ranks);
    for (int k = 0; k < cma->lambda; k++) cma->rank[k] = (int)sorted[k].number;
    recombine(cma, z);
    const bool h = follow_paths(cma, z);
    adapt_covariance(cma, h);
    cma->best_now = cost[cma->rank[0]];
    cma->worst_now = cost[cma->rank[cma->lambda - 1]];
    cma->best[cma->generation++ % cma->recent] = cma->best_now;
    const double median = cost[cma->rank[cma->lambda / 2]];
    const int status = stagnation_note(&cma->history, cma->best_now, median, e);
    return status ? status : decompose(cma, e);
}

/* ---- the end (tutorial, appendix B.3) -------------------------------------------------------- */

static bool steps_are_small(const struct cmaes *cma)
{
    const double least = cma->tol_x * cma->step0;
    for (int i = 0; i < cma->n; i++)
        if (cma->sigma * fabs(cma->p_c[i]) >= least || cma->sigma * sqrt(cma->C[i][i]) >= least)
            return false;
    return true;
}

static bool has_no_effect(const struct cmaes *cma)
{
    const int axis = (int)(cma->generation % cma->n);
    bool none = true;
    for (int i = 0; i < cma->n; i++) {
        const double mean = cma->mean[i];
        if (mean == mean + 0.2 * cma->sigma * sqrt(cma->C[i][i])) return true;
        none = none && mean == mean + 0.1 * cma->sigma * cma->D[axis] * cma->B[i][axis];
    }
    return none;
}

enum cmaes_stop cmaes_stop(const struct cmaes *cma)
{
    if (!cma->generation) return CMAES_CONTINUES;
    if (steps_are_small(cma)) return CMAES_TOL_X;
    if (cma->sigma * cma->D[0] > GROWTH_MAX * cma->step0) return CMAES_DIVERGED;
    if (cma->D[0] * cma->D[0] > CONDITION_MAX * (cma->D[cma->n - 1] * cma->D[cma->n - 1]))
        return CMAES_CONDITION;
    if (has_no_effect(cma)) return CMAES_NO_EFFECT;
    if (cma->generation < cma->recent) return CMAES_CONTINUES;
    double low = cma->best[0], high = low;
    for (int i = 1; i < cma->recent; i++) {
        if (cma->best[i] < low) low = cma->best[i];
        if (cma->best[i] > high) high = cma->best[i];
    }
    const double range = high - low;
    if (range == 0) return CMAES_FLAT;
    if (range < cma->tol_cost && cma->worst_now - cma->best_now < cma->tol_cost)
        return CMAES_TOL_COST;
    const size_t least = 120 + (size_t)(30 * cma->n / cma->lambda);
    return stagnation_seen(&cma->history, least) ? CMAES_STAGNATION : CMAES_CONTINUES;
}

enum { LONGEST = 20000 };

static double or_worst(double cost)
{
    return isnan(cost) ? INFINITY : cost;
}

int stagnation_note(struct stagnation *s, double best, double median, struct error *e)
{
    const struct stagnation_costs x = {or_worst(best), or_worst(median)};
    return APPEND(s->of, s->count, x) ? 0 : error_memory(e);
}

/* The median of value[0], value[2], value[4], ...: `count` values. */
static double median_of(const double *value, size_t count)
{
    double sorted[3 * LONGEST / 10];
    for (size_t i = 0; i < count; i++) sorted[i] = value[2 * i];
    qsort(sorted, count, sizeof *sorted, order_reals);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static bool improves(const double *late, size_t window)
{
    const size_t part = 3 * window / 10;
    return median_of(late + 2 * (window - part), part) < median_of(late, part);
}

bool stagnation_seen(const struct stagnation *s, size_t least)
{
    size_t window = s->count / 5;
    if (window < least) window = least;
    if (window > LONGEST) window = LONGEST;
    if (s->count < window) return false;
    const struct stagnation_costs *late = s->of + s->count - window;
    return !improves(&late->best, window) && !improves(&late->median, window);
}

void stagnation_free(struct stagnation *s)
{
    RELEASE(s, s->of);
}
