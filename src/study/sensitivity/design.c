#include "design.h"

#include "random/philox.h"
#include "random/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Streams of random numbers (philox.h). Terrain errors of members come from other streams of the same seed. */
enum { STREAM_LEVEL = 96, STREAM_DIRECTION, STREAM_ORDER, STREAM_SALTELLI = 128 };

int design_prepare(struct design *d, struct error *e)
{
    if (d->method == METHOD_MORRIS) {
        d->points = d->dimensions + 1;
        return 0;
    }
    d->points = (d->second_order ? 2 : 1) * d->dimensions + 2;
    for (int i = 0; i < 2 * d->dimensions; i++) d->stream[i] = STREAM_SALTELLI + i;
    d->sampling = (struct sampling){.kind = SAMPLING_SOBOL,
                                    .seed = d->seed,
                                    .count = d->groups,
                                    .dimensions = 2 * d->dimensions,
                                    .stream = d->stream};
    return sampling_prepare(&d->sampling, e);
}

double design_delta(const struct design *d)
{
    return (double)d->levels / (2.0 * (d->levels - 1));
}

/* Draws a number from 0 to n - 1. Probabilities are equal to within n / 2^64. */
static uint64_t draw_below(const struct design *d, uint32_t stream, int64_t g, int i, uint64_t n)
{
    return philox_bits(d->seed, stream, (uint64_t)g, (uint32_t)i) % n;
}

static int direction(const struct design *d, int64_t g, int i)
{
    return draw_below(d, STREAM_DIRECTION, g, i, 2) ? 1 : -1;
}

/* Draws the order in which a trajectory changes its coordinates (Fisher and Yates). */
static void shuffle(const struct design *d, int64_t g, int order[DESIGN_DIMENSIONS_MAX])
{
    for (int i = 0; i < d->dimensions; i++) {
        const int k = (int)draw_below(d, STREAM_ORDER, g, i, (uint64_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
}

int design_step(const struct design *d, int64_t g, int s, int *sign)
{
    int order[DESIGN_DIMENSIONS_MAX] = {0};
    shuffle(d, g, order);
    *sign = direction(d, g, order[s]);
    return order[s];
}

/* Makes point p of trajectory g. Each step changes one coordinate by half of the number of levels. A coordinate that
 * rises begins in the lower half of the levels, a coordinate that falls in the upper half, so the step ends on a level. */
static void point_of_morris(const struct design *d, int64_t g, int p, double *x)
{
    int order[DESIGN_DIMENSIONS_MAX] = {0};
    const int half = d->levels / 2;
    shuffle(d, g, order);
    for (int s = 0; s < d->dimensions; s++) {
        const int i = order[s];
        const bool upper = (direction(d, g, i) > 0) == (s < p);
        const int level =
            (int)draw_below(d, STREAM_LEVEL, g, i, (uint64_t)half) + (upper ? half : 0);
        x[i] = (double)level / (d->levels - 1);
    }
}

static void point_of_sobol(const struct design *d, int64_t g, int p, double *x)
{
    const int k = d->dimensions;
    /* of_b: the point is B or a BA_i; otherwise the point is A or an AB_i. */
    const bool of_b = p > k;
    const int other = p == 0 || p == design_b(d) ? -1 : of_b ? p - design_ba(d, 0) : p - 1;
    for (int i = 0; i < k; i++) {
        const bool b = of_b != (i == other);
        x[i] = sampling_unit(&d->sampling, g, b ? k + i : i);
    }
}

void design_point(const struct design *d, int64_t g, int p, double *x)
{
    if (d->method == METHOD_MORRIS) point_of_morris(d, g, p, x);
    else point_of_sobol(d, g, p, x);
}

/* ---- indices --------------------------------------------------------------------------------- */

enum { STREAM_RESAMPLED = 100, K = DESIGN_DIMENSIONS_MAX, PAIRS = K * (K - 1) / 2 };
enum { TERMS_MAX = 2 + 2 * K + PAIRS, RESULTS_MAX = 2 * K + PAIRS };

const char *const morris_columns[INDEX_COLUMNS] = {"mu", "mu_star", "sigma", "mu_star_conf"};
const char *const sobol_columns[INDEX_COLUMNS] = {"S1", "S1_conf", "ST", "ST_conf"};

/* Terms of each group; indices follow from the means of terms over all groups (symbols: design.h):
 *
 *     Morris    |EE| for each coordinate
 *     Sobol     a + b; a^2 + b^2; for each coordinate: b (ab_i - a), (ab_i - a)^2; for each pair: ba_i ab_j - a b */
struct terms {
    int count, results;
    const struct design *d;
    double *term; /* groups * count */
    double least; /* a resample with a smaller variance has no indices */
    double mean;  /* mean of all values; a, b, ab and ba are differences from it */
};

/* ---- Sobol ----------------------------------------------------------------------------------- */

static void terms_of_sobol(const struct terms *t, const double *y, double *out)
{
    const struct design *d = t->d;
    const int k = d->dimensions;
    const double a = y[0] - t->mean, b = y[design_b(d)] - t->mean;
    *out++ = a + b;
    *out++ = a * a + b * b;
    for (int i = 0; i < k; i++) {
        const double change = y[design_ab(i)] - y[0];
        *out++ = b * change;
        *out++ = change * change;
    }
    for (int i = 0; i < k && d->second_order; i++)
        for (int j = i + 1; j < k; j++)
            *out++ = (y[design_ba(d, i)] - t->mean) * (y[design_ab(j)] - t->mean) - a * b;
}

/* Computes the results from the sums of all terms: S1 and ST of each coordinate, then S2 of each pair. False: the
 * variance is 0. */
static bool results_of_sobol(const struct terms *t, const double *sum, double *out,
                             double *variance)
{
    const double n = (double)t->d->groups, mean = sum[0] / (2 * n);
    const int k = t->d->dimensions;
    *variance = sum[1] / (2 * n) - mean * mean;
    if (!(*variance > t->least)) return false;
    for (int i = 0; i < k; i++) {
        out[2 * i] = sum[2 + 2 * i] / n / *variance;
        out[2 * i + 1] = sum[3 + 2 * i] / (2 * n) / *variance;
    }
    for (int i = 0, p = 2 * k; i < k && t->d->second_order; i++)
        for (int j = i + 1; j < k; j++, p++)
            out[p] = sum[p + 2] / n / *variance - out[2 * i] - out[2 * j];
    return true;
}

/* ---- Morris ---------------------------------------------------------------------------------- */

static void effects_of(const struct design *d, const double *y, int64_t g, double *effect)
{
    const double delta = design_delta(d);
    for (int s = 0; s < d->dimensions; s++) {
        int sign;
        const int i = design_step(d, g, s, &sign);
        effect[i] = sign * (y[s + 1] - y[s]) / delta;
    }
}

static void moments_of_morris(struct indices *x, const struct design *d, const double *y)
{
    const double n = (double)d->groups;
    double sum[K] = {0}, squares[K] = {0}, effect[K] = {0};
    for (int64_t g = 0; g < d->groups; g++) {
        effects_of(d, y + g * d->points, g, effect);
        for (int i = 0; i < d->dimensions; i++) sum[i] += effect[i];
    }
    for (int64_t g = 0; g < d->groups; g++) {
        effects_of(d, y + g * d->points, g, effect);
        for (int i = 0; i < d->dimensions; i++)
            squares[i] += (effect[i] - sum[i] / n) * (effect[i] - sum[i] / n);
    }
    for (int i = 0; i < d->dimensions; i++) {
        x->of[MORRIS_MU][i] = sum[i] / n;
        x->of[MORRIS_SIGMA][i] = sqrt(squares[i] / (n - 1));
    }
}

static void terms_of_morris(const struct terms *t, const double *y, int64_t g, double *out)
{
    effects_of(t->d, y, g, out);
    for (int i = 0; i < t->count; i++) out[i] = fabs(out[i]);
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool results_of(const struct terms *t, const double *sum, double *out)
{
    double variance;
    if (t->d->method == METHOD_SOBOL) return results_of_sobol(t, sum, out, &variance);
    for (int i = 0; i < t->count; i++) out[i] = sum[i] / (double)t->d->groups;
    return true;
}

static void add_up(const struct terms *t, const uint32_t *times, double *sum)
{
    memset(sum, 0, (size_t)t->count * sizeof *sum);
    for (int64_t g = 0; g < t->d->groups; g++) {
        const double *term = t->term + g * t->count, n = times ? times[g] : 1;
        if (n > 0)
            for (int i = 0; i < t->count; i++) sum[i] += n * term[i];
    }
}

static int make_terms(struct terms *t, const double *y, struct error *e)
{
    const struct design *d = t->d;
    const int k = d->dimensions;
    const bool sobol = d->method == METHOD_SOBOL;
    t->results = sobol ? 2 * k + (d->second_order ? k * (k - 1) / 2 : 0) : k;
    t->count = sobol ? t->results + 2 : k;
    t->term = malloc((size_t)d->groups * (size_t)t->count * sizeof *t->term);
    if (!t->term) return error_memory(e);
    for (int64_t g = 0; g < d->groups; g++)
        if (sobol) terms_of_sobol(t, y + g * d->points, t->term + g * t->count);
        else terms_of_morris(t, y + g * d->points, g, t->term + g * t->count);
    return 0;
}

/* ---- resamples ------------------------------------------------------------------------------- */

/* Draws resample b. times[g]: how often group g is in the resample. */
static void draw_resample(const struct terms *t, int64_t b, uint32_t *times)
{
    const struct design *d = t->d;
    memset(times, 0, (size_t)d->groups * sizeof *times);
    for (int64_t g = 0; g < d->groups; g++)
        times[philox_bits(d->seed, (uint32_t)(STREAM_RESAMPLED + d->method), (uint64_t)b,
                          (uint32_t)g) %
              (uint64_t)d->groups]++;
}

static bool resample_terms(const struct terms *t, int64_t b, double *out)
{
    double sum[TERMS_MAX];
    FREED uint32_t *times = malloc((size_t)t->d->groups * sizeof *times);
    if (!times) return false;
    draw_resample(t, b, times);
    add_up(t, times, sum);
    if (!results_of(t, sum, out))
        for (int i = 0; i < t->results; i++) out[i] = NAN;
    return true;
}

/* The standard deviation of a result over the resamples in which it has a value. */
static double deviation(const double *list, int64_t count, int stride)
{
    double sum = 0, squares = 0, n = 0;
    for (int64_t b = 0; b < count; b++)
        if (!isnan(list[b * stride])) sum += list[b * stride], n++;
    for (int64_t b = 0; b < count; b++)
        if (!isnan(list[b * stride]))
            squares += (list[b * stride] - sum / n) * (list[b * stride] - sum / n);
    return n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
}

static int widths(const struct terms *t, const struct resampling *r, double *width, struct error *e)
{
    const double z = normal_quantile(0.5 + r->confidence / 2);
    FREED double *list = malloc((size_t)r->count * (size_t)t->results * sizeof *list);
    bool whole = list != NULL;
#pragma omp parallel for reduction(&& : whole) if (list)
    for (int64_t b = 0; b < (list ? r->count : 0); b++)
        whole = resample_terms(t, b, list + b * t->results) && whole;
    for (int i = 0; i < t->results && whole; i++)
        width[i] = z * deviation(list + i, r->count, t->results);
    return whole ? 0 : error_memory(e);
}

static void set_moments(struct indices *x, struct terms *t, const double *y)
{
    const struct design *d = t->d;
    const int64_t count = d->groups * d->points;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += y[i];
        x->varies = x->varies || y[i] != y[0];
    }
    t->mean = x->mean = sum / (double)count;
    for (int64_t i = 0; i < count; i++) squares += (y[i] - t->mean) * (y[i] - t->mean);
    x->variance = x->varies ? squares / (double)count : 0;
    t->least = 1e-12 * x->variance; /* a smaller variance comes from rounding */
}

static void put_sobol(struct indices *x, const struct terms *t, const double *result,
                      const double *width)
{
    const int k = t->d->dimensions;
    for (int i = 0; i < k; i++) {
        x->of[SOBOL_S1][i] = result[2 * i];
        x->of[SOBOL_S1_CONF][i] = width[2 * i];
        x->of[SOBOL_ST][i] = result[2 * i + 1];
        x->of[SOBOL_ST_CONF][i] = width[2 * i + 1];
    }
    for (int i = 0, p = 2 * k; i < k && t->d->second_order; i++)
        for (int j = i + 1; j < k; j++, p++) {
            x->S2[i][j] = result[p];
            x->S2_conf[i][j] = width[p];
        }
}

static void put_morris(struct indices *x, const struct terms *t, const double *y,
                       const double *result, const double *width)
{
    moments_of_morris(x, t->d, y);
    for (int i = 0; i < t->d->dimensions; i++) {
        x->of[MORRIS_MU_STAR][i] = result[i];
        x->of[MORRIS_MU_STAR_CONF][i] = width[i];
    }
}

int indices_compute(struct indices *x, const struct design *d, const double *y,
                    const struct resampling *r, struct error *e)
{
    struct terms t = {.d = d};
    double sum[TERMS_MAX], result[RESULTS_MAX], width[RESULTS_MAX];
    const bool sobol = d->method == METHOD_SOBOL;
    *x = (struct indices){0};
    for (int i = 0; i < K; i++) {
        for (int c = 0; c < INDEX_COLUMNS; c++) x->of[c][i] = NAN;
        for (int j = 0; j < K; j++) x->S2[i][j] = x->S2_conf[i][j] = NAN;
    }
    set_moments(x, &t, y);
    if (sobol && !x->varies) return 0;
    int status = make_terms(&t, y, e);
    if (!status) {
        add_up(&t, NULL, sum);
        const bool defined =
            sobol ? results_of_sobol(&t, sum, result, &x->variance) : results_of(&t, sum, result);
        x->varies = x->varies && defined;
        if (!defined) x->variance = 0;
        if (sobol) x->mean += sum[0] / (2 * (double)d->groups);
        if (defined) status = widths(&t, r, width, e);
        if (!status && defined) {
            if (sobol) put_sobol(x, &t, result, width);
            else put_morris(x, &t, y, result, width);
        }
    }
    free(t.term);
    return status;
}
