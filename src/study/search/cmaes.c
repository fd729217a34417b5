#include "cmaes.h"
#include "stagnation.h"

#include "random/philox.h"
#include "random/quantile.h"
#include "random/sampling.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_SEARCH = 67, N = CMAES_DIMENSIONS_MAX };
static const double CONDITION_MAX = 1e14, GROWTH_MAX = 1e4;

/* Names are the tutorial's where it has some. */
struct cmaes {
    int n, lambda, mu;
    uint64_t seed;
    int64_t first, generation;
    double *weight; /* lambda: the first mu are above 0, sum 1; the others below */
    double weight_sum;
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi; /* chi: E|N(0, I)| */

    double mean[N], sigma, p_sigma[N], p_c[N];
    double C[N][N], B[N][N], D[N]; /* C = B D^2 B^T, eigenvectors in columns */
    double unbiased;               /* (1 - c_sigma)^(2 generation) */
    double *z, *x;                 /* lambda * n: deviates, points */
    int *rank;                     /* lambda: numbers of points, the best first */

    double step0, tol_x, tol_cost;
    int recent;   /* number of recent populations that the end looks at */
    double *best; /* a ring of their best costs */
    double worst_now, best_now;
    struct stagnation history;
    gsl_eigen_symmv_workspace *work;
    gsl_matrix *matrix, *vectors;
    gsl_vector *values;
};

/* ---- strategy parameters (tutorial, table 1) ------------------------------------------------- */

int cmaes_default_population(int dimensions)
{
    return 4 + (int)(3 * real_log(dimensions));
}

/* The effective number of points `from` to `to` - 1; *sum of their weights. */
static double effective(const struct cmaes *c, int from, int to, double *sum)
{
    double sum2 = 0;
    *sum = 0;
    for (int i = from; i < to; i++) {
        *sum += c->weight[i];
        sum2 += c->weight[i] * c->weight[i];
    }
    return sum2 > 0 ? *sum * *sum / sum2 : 0;
}

static void choose_rates(struct cmaes *c)
{
    const double n = c->n, mu_eff = c->mu_eff;
    const double excess = sqrt((mu_eff - 1) / (n + 1)) - 1;
    c->c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    c->d_sigma = 1 + 2 * (excess > 0 ? excess : 0) + c->c_sigma;
    c->c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    c->c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
    c->c_mu = 2 * (0.25 + mu_eff - 2 + 1 / mu_eff) / ((n + 2) * (n + 2) + mu_eff);
    if (c->c_mu > 1 - c->c_1) c->c_mu = 1 - c->c_1;
    c->chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* The weights of the worse half are below 0 and bounded, so that C stays positive definite. */
static void choose_parameters(struct cmaes *c)
{
    double better, worse;
    for (int i = 0; i < c->lambda; i++)
        c->weight[i] = real_log((c->lambda + 1) / 2.0) - real_log(i + 1);
    c->mu_eff = effective(c, 0, c->mu, &better);
    const double mu_worse = effective(c, c->mu, c->lambda, &worse);
    choose_rates(c);
    const double most = least(least(1 + c->c_1 / c->c_mu, 1 + 2 * mu_worse / (c->mu_eff + 2)),
                              (1 - c->c_1 - c->c_mu) / (c->n * c->c_mu));
    for (int i = 0; i < c->lambda; i++)
        c->weight[i] *= i < c->mu ? 1 / better : worse < 0 ? -most / worse : 0;
    effective(c, 0, c->lambda, &c->weight_sum);
}

/* ---- life ------------------------------------------------------------------------------------ */

static bool allocate(struct cmaes *c)
{
    const size_t n = (size_t)c->n, lambda = (size_t)c->lambda;
    c->weight = malloc(lambda * sizeof *c->weight);
    c->z = malloc(lambda * n * sizeof *c->z);
    c->x = malloc(lambda * n * sizeof *c->x);
    c->rank = malloc(lambda * sizeof *c->rank);
    c->best = malloc((size_t)c->recent * sizeof *c->best);
    c->work = gsl_eigen_symmv_alloc(n);
    c->matrix = gsl_matrix_alloc(n, n);
    c->vectors = gsl_matrix_alloc(n, n);
    c->values = gsl_vector_alloc(n);
    return c->weight && c->z && c->x && c->rank && c->best && c->work && c->matrix && c->vectors &&
           c->values;
}

int cmaes_create(struct cmaes **out, const struct cmaes_options *o, struct error *e)
{
    struct cmaes *c = *out = calloc(1, sizeof *c);
    if (!c) return error_memory(e);
    const int lambda = o->population ? o->population : cmaes_default_population(o->dimensions);
    c->n = o->dimensions;
    c->lambda = lambda;
    c->mu = lambda / 2;
    c->seed = o->seed;
    c->first = o->first;
    c->recent = 10 + (30 * c->n + lambda - 1) / lambda;
    if (!allocate(c)) {
        cmaes_destroy(c);
        *out = NULL;
        return error_memory(e);
    }
    choose_parameters(c);
    memcpy(c->mean, o->start, (size_t)c->n * sizeof *c->mean);
    c->sigma = c->step0 = o->step;
    c->tol_x = o->tol_x;
    c->tol_cost = o->tol_cost;
    c->unbiased = 1;
    for (int i = 0; i < c->n; i++) c->C[i][i] = c->B[i][i] = c->D[i] = 1;
    return 0;
}

void cmaes_destroy(struct cmaes *c)
{
    if (!c) return;
    free(c->weight);
    free(c->z);
    free(c->x);
    free(c->rank);
    free(c->best);
    stagnation_free(&c->history);
    if (c->work) gsl_eigen_symmv_free(c->work);
    gsl_matrix_free(c->matrix);
    gsl_matrix_free(c->vectors);
    gsl_vector_free(c->values);
    free(c);
}

int cmaes_population(const struct cmaes *c)
{
    return c->lambda;
}

/* ---- ask: x = m + sigma B D z (tutorial, equations 38 to 40) --------------------------------- */

/* B D z, or B z where `scaled` is false. */
static void turn(const struct cmaes *c, const double *z, bool scaled, double *y)
{
    for (int i = 0; i < c->n; i++) {
        y[i] = 0;
        for (int k = 0; k < c->n; k++) y[i] += c->B[i][k] * (scaled ? c->D[k] * z[k] : z[k]);
    }
}

const double *cmaes_ask(struct cmaes *c)
{
    const int64_t number = c->first + c->generation * c->lambda;
    for (int k = 0; k < c->lambda; k++) {
        double *z = c->z + (size_t)k * (size_t)c->n, *x = c->x + (size_t)k * (size_t)c->n;
        for (int i = 0; i < c->n; i++)
            z[i] = normal_quantile(philox_unit(
                philox_bits(c->seed, STREAM_SEARCH, (uint64_t)(number + k), (uint32_t)i)));
        turn(c, z, true, x);
        for (int i = 0; i < c->n; i++) x[i] = c->mean[i] + c->sigma * x[i];
    }
    return c->x;
}

/* ---- tell ------------------------------------------------------------------------------------ */

static bool is_better(const double *cost, int a, int b)
{
    if (isnan(cost[a]) || isnan(cost[b]))
        return isnan(cost[a]) == isnan(cost[b]) ? a < b : isnan(cost[b]);
    return cost[a] != cost[b] ? cost[a] < cost[b] : a < b;
}

/* By halves, merged: equal costs stay in their order. */
static void sort_by_cost(int *rank, int *room, int count, const double *cost)
{
    if (count < 2) return;
    const int half = count / 2;
    sort_by_cost(rank, room, half, cost);
    sort_by_cost(rank + half, room, count - half, cost);
    memcpy(room, rank, (size_t)count * sizeof *room);
    for (int i = 0, a = 0, b = half; i < count; i++)
        rank[i] =
            b == count || (a < half && is_better(cost, room[a], room[b])) ? room[a++] : room[b++];
}

/* The weighted mean of the best mu deviates. */
static void recombine(const struct cmaes *c, double *z)
{
    memset(z, 0, (size_t)c->n * sizeof *z);
    for (int k = 0; k < c->mu; k++)
        for (int i = 0; i < c->n; i++)
            z[i] += c->weight[k] * c->z[(size_t)c->rank[k] * (size_t)c->n + (size_t)i];
}

static double length_of(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

/* Step size and both paths (equations 41 to 45); h_sigma, which stalls p_c where the step size has
 * to grow fast. C^(-1/2) B D z is B z. */
static bool follow_paths(struct cmaes *c, const double *z)
{
    double y[N], turned[N];
    turn(c, z, true, y);
    turn(c, z, false, turned);
    const double s = sqrt(c->c_sigma * (2 - c->c_sigma) * c->mu_eff),
                 t = sqrt(c->c_c * (2 - c->c_c) * c->mu_eff);
    for (int i = 0; i < c->n; i++) {
        c->mean[i] += c->sigma * y[i];
        c->p_sigma[i] = (1 - c->c_sigma) * c->p_sigma[i] + s * turned[i];
    }
    const double length = length_of(c->p_sigma, c->n);
    c->unbiased *= (1 - c->c_sigma) * (1 - c->c_sigma);
    const bool h = length / sqrt(1 - c->unbiased) < (1.4 + 2.0 / (c->n + 1)) * c->chi;
    for (int i = 0; i < c->n; i++) c->p_c[i] = (1 - c->c_c) * c->p_c[i] + (h ? t * y[i] : 0);
    const double growth = c->c_sigma / c->d_sigma * (length / c->chi - 1);
    c->sigma *= real_exp(growth < 1 ? growth : 1);
    return h;
}

/* Rank one and rank mu (equations 46 and 47). */
static void adapt(struct cmaes *c, bool h)
{
    const int n = c->n;
    const double stall = h ? 0 : c->c_1 * c->c_c * (2 - c->c_c),
                 keep = 1 + stall - c->c_1 - c->c_mu * c->weight_sum;
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++)
            c->C[i][k] = keep * c->C[i][k] + c->c_1 * c->p_c[i] * c->p_c[k];
    for (int m = 0; m < c->lambda; m++) {
        const double *z = c->z + (size_t)c->rank[m] * (size_t)n, length = length_of(z, n);
        const double shorten = m < c->mu ? 1 : n / (length * length);
        double y[N];
        turn(c, z, true, y);
        for (int i = 0; i < n; i++)
            for (int k = 0; k <= i; k++)
                c->C[i][k] += c->c_mu * c->weight[m] * shorten * y[i] * y[k];
    }
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) c->C[i][k] = c->C[k][i];
}

static int decompose(struct cmaes *c, struct error *e)
{
    const int n = c->n;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            if (!isfinite(c->C[i][k]))
                return error_failed(e, "the covariance matrix of the search is not finite");
            gsl_matrix_set(c->matrix, (size_t)i, (size_t)k, c->C[i][k]);
        }
    if (gsl_eigen_symmv(c->matrix, c->values, c->vectors, c->work))
        return error_failed(e, "the covariance matrix of the search has no eigenvectors");
    gsl_eigen_symmv_sort(c->values, c->vectors, GSL_EIGEN_SORT_VAL_DESC);
    for (int k = 0; k < n; k++) {
        const double value = gsl_vector_get(c->values, (size_t)k);
        c->D[k] = value > 0 ? sqrt(value) : 0;
        for (int i = 0; i < n; i++) c->B[i][k] = gsl_matrix_get(c->vectors, (size_t)i, (size_t)k);
    }
    return 0;
}

int cmaes_tell(struct cmaes *c, const double *cost, struct error *e)
{
    double z[N];
    int *room = malloc((size_t)c->lambda * sizeof *room);
    if (!room) return error_memory(e);
    for (int k = 0; k < c->lambda; k++) c->rank[k] = k;
    sort_by_cost(c->rank, room, c->lambda, cost);
    free(room);
    recombine(c, z);
    const bool h = follow_paths(c, z);
    adapt(c, h);
    c->best_now = cost[c->rank[0]];
    c->worst_now = cost[c->rank[c->lambda - 1]];
    c->best[c->generation++ % c->recent] = c->best_now;
    const double median = cost[c->rank[c->lambda / 2]];
    const int status = stagnation_note(&c->history, c->best_now, median, e);
    return status ? status : decompose(c, e);
}

/* ---- the end (tutorial, appendix B.3) -------------------------------------------------------- */

static double recent_range(const struct cmaes *c)
{
    double low = c->best[0], high = low;
    for (int i = 1; i < c->recent; i++) {
        if (c->best[i] < low) low = c->best[i];
        if (c->best[i] > high) high = c->best[i];
    }
    return high - low;
}

static bool steps_are_small(const struct cmaes *c)
{
    const double least = c->tol_x * c->step0;
    for (int i = 0; i < c->n; i++)
        if (c->sigma * fabs(c->p_c[i]) >= least || c->sigma * sqrt(c->C[i][i]) >= least)
            return false;
    return true;
}

static bool has_no_effect(const struct cmaes *c)
{
    const int axis = (int)(c->generation % c->n);
    bool none = true;
    for (int i = 0; i < c->n; i++) {
        const double mean = c->mean[i];
        if (mean == mean + 0.2 * c->sigma * sqrt(c->C[i][i])) return true;
        none = none && mean == mean + 0.1 * c->sigma * c->D[axis] * c->B[i][axis];
    }
    return none;
}

enum cmaes_stop cmaes_stop(const struct cmaes *c)
{
    if (!c->generation) return CMAES_CONTINUES;
    if (steps_are_small(c)) return CMAES_TOL_X;
    if (c->sigma * c->D[0] > GROWTH_MAX * c->step0) return CMAES_DIVERGED;
    if (c->D[0] * c->D[0] > CONDITION_MAX * (c->D[c->n - 1] * c->D[c->n - 1]))
        return CMAES_CONDITION;
    if (has_no_effect(c)) return CMAES_NO_EFFECT;
    if (c->generation < c->recent) return CMAES_CONTINUES;
    const double range = recent_range(c);
    if (range == 0) return CMAES_FLAT;
    if (range < c->tol_cost && c->worst_now - c->best_now < c->tol_cost) return CMAES_TOL_COST;
    const size_t least = 120 + (size_t)(30 * c->n / c->lambda);
    return stagnation_seen(&c->history, least) ? CMAES_STAGNATION : CMAES_CONTINUES;
}
