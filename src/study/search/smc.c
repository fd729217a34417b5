#include "smc.h"

#include "eigen.h"
#include "base/order.h"
#include "random/philox.h"
#include "random/quantile.h"
#include "random/sampling.h"
#include "text/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_FROM = 69, STREAM_STEP, STREAM_FIRST = 128, N = SMC_DIMENSIONS_MAX };
static const double TWO_PI = 6.283185307179586477, CONDITION_MAX = 1e14, SPREAD_MIN = 1e-12;

/* The distribution from which a population is drawn: a member is drawn by its weight, and a normal step is added. Steps
 * have the covariance B D^2 B^T; the columns of B are eigenvectors. */
struct kernel {
    double B[N][N], D[N];
    int members;
    double *x, *y;          /* n coordinates of each member; y = D^-1 B^T x */
    double *weight, *up_to; /* weights of members; their cumulative sums */
    double scale;           /* 1 / (sum of weights * (2 pi)^(n/2) |D|) */
    double drawn;           /* number of points drawn, including those outside the cube */
};

struct smc {
    struct smc_options options;
    int n;
    bool asked;
    double *point;        /* 2 * members * n: the points asked for */
    int64_t count, drawn; /* count: points given to smc_tell(); drawn: calls of draw_step() */
    int members;
    struct smc_member *member;
    enum smc_stop stopped;
    int generations;
    struct smc_generation *generation;
    struct kernel *kernel; /* kernel[k] draws population k + 1; population 0 is a Latin hypercube */
};

int smc_create(struct smc **out, const struct smc_options *o, struct error *e)
{
    struct smc *s = *out = calloc(1, sizeof *s);
    if (!s) return error_memory(e);
    s->options = *o;
    s->n = o->dimensions;
    s->point = malloc(2 * (size_t)o->members * (size_t)s->n * sizeof *s->point);
    if (s->point) return 0;
    smc_destroy(s);
    *out = NULL;
    return error_memory(e);
}

void smc_destroy(struct smc *s)
{
    if (!s) return;
    for (struct kernel *q = s->kernel; q < s->kernel + s->generations; q++)
        FREE_ALL(q->x, q->y, q->weight, q->up_to);
    FREE_ALL(s->kernel, s->point, s->member, s->generation, s);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static double weights_of(const struct smc *s, double *squares)
{
    double sum = 0;
    *squares = 0;
    for (int k = 0; k < s->members; k++) {
        sum += s->member[k].weight;
        *squares += s->member[k].weight * s->member[k].weight;
    }
    return sum;
}

/* C is twice the weighted covariance of the members. */
static void find_covariance(const struct smc *s, double weight_sum, double C[N][N])
{
    double mean[N] = {0};
    for (int k = 0; k < s->members; k++)
        for (int i = 0; i < s->n; i++)
            mean[i] += s->member[k].weight / weight_sum * s->member[k].unit[i];
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < s->members; k++) {
                const double *x = s->member[k].unit;
                sum += s->member[k].weight / weight_sum * (x[i] - mean[i]) * (x[j] - mean[j]);
            }
            C[i][j] = C[j][i] = 2 * sum;
        }
}

/* Sets the axes of steps. False: in some direction the members hardly differ, or GSL has failed. Eigenvectors are
 * used, because GSL ends the process if a matrix has no Cholesky factorisation. */
static bool set_axes(const struct smc *s, struct kernel *q, double weight_sum)
{
    double C[N][N], value[N];
    find_covariance(s, weight_sum, C);
    if (!eigen(C, s->n, value, q->B)) return false;
    for (int k = 0; k < s->n; k++) {
        if (!(value[k] > SPREAD_MIN * SPREAD_MIN && value[k] * CONDITION_MAX > value[0]))
            return false;
        q->D[k] = sqrt(value[k]);
    }
    return true;
}

/* Sets y to D^-1 B^T x. In these coordinates steps have variance 1 in all directions. */
static void straighten_point(const struct kernel *q, int n, const double *x, double *y)
{
    for (int k = 0; k < n; k++) {
        y[k] = 0;
        for (int i = 0; i < n; i++) y[k] += q->B[i][k] * x[i];
        y[k] /= q->D[k];
    }
}

static int set_members(const struct smc *s, struct kernel *q, double weight_sum, struct error *e)
{
    const size_t members = (size_t)s->members, n = (size_t)s->n;
    double until = 0;
    q->members = s->members;
    q->x = malloc(members * n * sizeof *q->x);
    q->y = malloc(members * n * sizeof *q->y);
    q->weight = malloc(members * sizeof *q->weight);
    q->up_to = malloc(members * sizeof *q->up_to);
    if (!q->x || !q->y || !q->weight || !q->up_to) return error_memory(e);
    q->scale = 1 / weight_sum;
    for (int k = 0; k < s->n; k++) q->scale /= sqrt(TWO_PI) * q->D[k];
    for (int k = 0; k < s->members; k++) {
        double *x = q->x + (size_t)k * n;
        memcpy(x, s->member[k].unit, n * sizeof *x);
        straighten_point(q, s->n, x, q->y + (size_t)k * n);
        q->weight[k] = s->member[k].weight;
        q->up_to[k] = until += q->weight[k];
    }
    return 0;
}

/* Prepares the steps of the next population in the last entry of s->kernel. */
static int prepare_steps(struct smc *s, struct error *e)
{
    double squares;
    const double sum = weights_of(s, &squares);
    struct kernel *q = &s->kernel[s->generations - 1];
    *q = (struct kernel){0};
    if (set_axes(s, q, sum)) return set_members(s, q, sum, e);
    s->stopped = SMC_COLLAPSED;
    return 0;
}

/* The density at x of all points that were drawn from this kernel. */
static double density_at(const struct kernel *q, int n, const double *x)
{
    double y[N], sum = 0;
    straighten_point(q, n, x, y);
    for (int k = 0; k < q->members; k++) {
        const double *at = q->y + (size_t)k * (size_t)n;
        double length2 = 0;
        for (int i = 0; i < n; i++) length2 += (y[i] - at[i]) * (y[i] - at[i]);
        sum += q->weight[k] * real_exp(-length2 / 2);
    }
    return sum * q->scale * q->drawn;
}

/* ---- ask ------------------------------------------------------------------------------------- */

int smc_population(const struct smc *s)
{
    return s->generations ? s->options.members : 2 * s->options.members;
}

static void draw_first(struct smc *s)
{
    int stream[N];
    for (int i = 0; i < s->n; i++) stream[i] = STREAM_FIRST + i;
    const struct sampling hypercube = {.kind = SAMPLING_LATIN,
                                       .seed = s->options.seed,
                                       .count = smc_population(s),
                                       .dimensions = s->n,
                                       .stream = stream};
    for (int k = 0; k < smc_population(s); k++)
        for (int i = 0; i < s->n; i++)
            s->point[(size_t)k * (size_t)s->n + (size_t)i] = sampling_unit(&hypercube, k, i);
}

/* Draws a member and adds a step to it. Returns whether the point x is in the cube. */
static bool draw_step(struct smc *s, const struct kernel *q, double *x)
{
    const uint64_t seed = s->options.seed, number = (uint64_t)s->drawn++;
    const double u = philox_unit(philox_bits(seed, STREAM_FROM, number, 0));
    const int last = q->members - 1, from = order_above(q->up_to, last, u * q->up_to[last]);
    double z[N];
    bool inside = true;
    for (int k = 0; k < s->n; k++)
        z[k] = q->D[k] *
               normal_quantile(philox_unit(philox_bits(seed, STREAM_STEP, number, (uint32_t)k)));
    for (int i = 0; i < s->n; i++) {
        x[i] = q->x[(size_t)from * (size_t)s->n + (size_t)i];
        for (int k = 0; k < s->n; k++) x[i] += q->B[i][k] * z[k];
        inside = inside && x[i] >= 0 && x[i] <= 1;
    }
    return inside;
}

/* Draws a population. The prior is 0 outside the cube, so steps that leave the cube are drawn again. */
static void draw_next(struct smc *s)
{
    struct kernel *q = &s->kernel[s->generations - 1];
    const int64_t before = s->drawn;
    for (int k = 0; k < smc_population(s); k++)
        while (!draw_step(s, q, s->point + (size_t)k * (size_t)s->n)) {
        }
    q->drawn = (double)(s->drawn - before);
}

const double *smc_ask(struct smc *s)
{
    if (!s->asked && s->generations) draw_next(s);
    else if (!s->asked) draw_first(s);
    s->asked = true;
    return s->point;
}

ORDER_MEMBERS(by_distance, struct smc_member, distance, number)

/* Updates the weight of a member. m->drawn already includes the kernels before `from`. */
static void weigh_member(const struct smc *s, struct smc_member *m, int from)
{
    for (int t = from; t < s->generations; t++)
        m->drawn += density_at(&s->kernel[t], s->n, m->unit);
    m->weight = 1 / m->drawn;
}

/* Adds the points of the last population to the members, and sorts all by distance. */
static int add_member(struct smc *s, const double *distance, struct error *e)
{
    const int count = smc_population(s), last = s->generations - 1;
    struct smc_member *more = realloc(s->member, (size_t)(s->members + count) * sizeof *s->member);
    if (!more) return error_memory(e);
    s->member = more;
    const int before = s->members;
    for (int k = 0; k < count; k++) {
        struct smc_member *m = &more[s->members];
        if (isnan(distance[k])) continue;
        *m = (struct smc_member){.number = s->count + k,
                                 .distance = distance[k],
                                 .drawn = 2.0 * s->options.members}; /* density of population 0 */
        memcpy(m->unit, s->point + (size_t)k * (size_t)s->n, (size_t)s->n * sizeof *m->unit);
        s->members++;
    }
#pragma omp parallel for schedule(dynamic, 16) if (s->members >= 512)
    for (int k = 0; k < s->members; k++) weigh_member(s, &more[k], k < before ? last : 0);
    if (!s->members)
        return error_input(e, "none of %d points can be run; give other bounds", count);
    qsort(more, (size_t)s->members, sizeof *more, by_distance);
    return 0;
}

/* Keeps the nearest options.members points, and further points that are as near as the last of these. If
 * options.tolerance is set, all points within it remain. */
static void choose_members(struct smc *s)
{
    const int wanted = s->options.members < s->members ? s->options.members : s->members;
    double tolerance = s->member[wanted - 1].distance;
    if (tolerance < s->options.tolerance) tolerance = s->options.tolerance;
    int count = 0;
    while (count < s->members && s->member[count].distance <= tolerance) count++;
    s->members = count;
}

/* Describes a population. `accepted`: number of its points within the previous tolerance. */
static void note_population(struct smc *s, int accepted)
{
    double squares;
    const double sum = weights_of(s, &squares);
    struct smc_generation *g = &s->generation[s->generations];
    *g = (struct smc_generation){.asked = smc_population(s),
                                 .accepted = s->generations ? accepted : s->members,
                                 .members = s->members,
                                 .least = s->member[0].distance,
                                 .tolerance = s->member[s->members - 1].distance,
                                 .effective = sum * sum / squares};
    s->stopped = SMC_CONTINUES;
    if (s->options.tolerance > 0 && g->tolerance <= s->options.tolerance)
        s->stopped = SMC_TOLERANCE;
    else if (s->generations && g->accepted < s->options.acceptance * g->asked)
        s->stopped = SMC_ACCEPTANCE;
}

int smc_tell(struct smc *s, const double *distance, struct error *e)
{
    const double before = s->generations ? s->generation[s->generations - 1].tolerance : 0;
    const int count = smc_population(s);
    int accepted = 0;
    /* Room for one more generation. */
    const bool room = GROW(s->generation, s->generations) && GROW(s->kernel, s->generations);
    int status = room ? 0 : error_memory(e);
    if (!status) status = add_member(s, distance, e);
    if (status) return status;
    for (int k = 0; k < count; k++) accepted += distance[k] <= before;
    choose_members(s);
    note_population(s, accepted);
    s->generations++;
    s->count += count;
    s->asked = false;
    /* The caller may ask for more points even after smc_stop() has told it to end. */
    return prepare_steps(s, e);
}

enum smc_stop smc_stop(const struct smc *s)
{
    return s->stopped;
}

const struct smc_member *smc_members(const struct smc *s, int *count)
{
    *count = s->members;
    return s->member;
}

const struct smc_generation *smc_generations(const struct smc *s, int *count)
{
    *count = s->generations;
    return s->generation;
}
