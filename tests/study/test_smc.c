/* The sampler of posteriors where they have a closed form: normal ones, ones that bounds cut, ones
 * of which a part cannot be simulated; and what it promises of its members. */
/* tests: study/search */
/* run: plain, sanitized */
#include "search/smc.h"
#include "random/philox.h"
#include "random/quantile.h"
#include "effort.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 3, SEEDS = SANITIZED(3, 10), MEMBERS = 120 };

/* How far the simulation of a point is away. `number`: its own noise. */
typedef double simulation(const double *x, uint64_t seed, uint64_t number);

struct sample {
    int count, asked;
    double mean[N_MAX], var[N_MAX], covariance; /* that of the first two */
    double effective, tolerance;
    enum smc_stop stopped;
};

static double noise(uint64_t seed, uint64_t number, uint32_t which)
{
    return normal_quantile(philox_unit(philox_bits(seed + 1000, 9, number, which)));
}

static void take_moments(struct sample *r, const struct smc_member *m, int count, int n)
{
    double sum = 0;
    r->count = count;
    for (int k = 0; k < count; k++) sum += m[k].weight;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n; i++) r->mean[i] += m[k].weight / sum * m[k].unit[i];
    for (int k = 0; k < count; k++) {
        double d[N_MAX] = {0};
        for (int i = 0; i < n; i++) {
            d[i] = m[k].unit[i] - r->mean[i];
            r->var[i] += m[k].weight / sum * d[i] * d[i];
        }
        r->covariance += m[k].weight / sum * d[0] * d[1];
    }
}

/* All that are near enough remain, of all populations, and nothing else. */
static void check_members(const struct smc *s, const double *distance, int told)
{
    int count, generations, near = 0;
    const struct smc_member *m = smc_members(s, &count);
    const struct smc_generation *g = smc_generations(s, &generations) + generations - 1;
    for (int i = 0; i < told; i++) near += distance[i] <= g->tolerance;
    assert_int_equal(near, count);
    assert_int_equal(g->members, count);
    assert_true(g->effective <= count * (1 + 1e-12) && g->least == m[0].distance);
    for (int k = 0; k < count; k++) {
        assert_true(m[k].weight > 0 && isfinite(m[k].weight));
        assert_true(m[k].distance == distance[m[k].number]);
        assert_true(!k || m[k - 1].distance <= m[k].distance);
    }
    if (generations > 1) assert_true(g[-1].tolerance >= g->tolerance);
}

static struct sample run(simulation *f, const struct smc_options *o)
{
    struct sample r = {0};
    struct error e = {0};
    struct smc *s;
    double *distance = NULL;
    assert_int_equal(smc_create(&s, o, &e), 0);
    while (!smc_stop(s)) {
        const int count = smc_population(s);
        const double *x = smc_ask(s);
        assert_ptr_equal(smc_ask(s), x);
        distance = realloc(distance, (size_t)(r.asked + count) * sizeof *distance);
        assert_non_null(distance);
        for (int k = 0; k < count; k++) {
            const double *at = x + k * o->dimensions;
            for (int i = 0; i < o->dimensions; i++) assert_true(at[i] >= 0 && at[i] <= 1);
            distance[r.asked + k] = f(at, o->seed, (uint64_t)(r.asked + k));
        }
        assert_int_equal(smc_tell(s, distance + r.asked, &e), 0);
        r.asked += count;
        check_members(s, distance, r.asked);
    }
    int count, generations;
    const struct smc_member *m = smc_members(s, &count);
    const struct smc_generation *g = smc_generations(s, &generations) + generations - 1;
    assert_true(generations > 3);
    take_moments(&r, m, count, o->dimensions);
    r.effective = g->effective;
    r.tolerance = g->tolerance;
    r.stopped = smc_stop(s);
    smc_destroy(s);
    free(distance);
    return r;
}

/* Of a mean over all seeds, in standard errors. */
struct comparison {
    double sum, variance;
};

static void compare(struct comparison *c, double found, double expected, double error)
{
    c->sum += (found - expected) / error;
    c->variance += (found - expected) * (found - expected) / (error * error);
}

/* 3.5 of them: one in two thousand. What is found may scatter little more than as many independent
 * draws would: members have come from each other. */
static void check(const struct comparison *c, const char *what)
{
    print_message("%s: off by %.2f, scatter %.2f\n", what, c->sum / sqrt(SEEDS),
                  sqrt(c->variance / SEEDS));
    assert_true(fabs(c->sum) / sqrt(SEEDS) < 3.5);
    assert_true(c->variance / SEEDS < 4);
}

/* ---- normal ---------------------------------------------------------------------------------- */

/* One observation, 0.55, of a normal number with the mean x: within the tolerance e the posterior
 * is normal convolved with uniform, its variance S^2 + e^2 / 3. */
static const double S = 0.08;

static double observe(const double *x, uint64_t seed, uint64_t number)
{
    return fabs(x[0] + S * noise(seed, number, 0) - 0.55);
}

static void finds_a_normal_posterior(void **state)
{
    struct comparison mean = {0}, var = {0};
    for (int i = 0; i < SEEDS; i++) {
        const struct smc_options o = {
            .dimensions = 1, .members = MEMBERS, .tolerance = 0.06, .seed = (uint64_t)i};
        const struct sample r = run(observe, &o);
        const double expected = S * S + r.tolerance * r.tolerance / 3;
        assert_int_equal(r.stopped, SMC_TOLERANCE);
        assert_true(r.count >= MEMBERS && r.effective > 0.8 * r.count);
        compare(&mean, r.mean[0], 0.55, sqrt(expected / r.effective));
        compare(&var, r.var[0], expected, expected * sqrt(2 / r.effective));
    }
    check(&mean, "mean");
    check(&var, "variance");
}

/* Two numbers whose errors are correlated by R. The distance is that of Mahalanobis, so the
 * covariance is that of the errors times 1 + e^2 / 4. */
static const double R = 0.9;

static double observe_two(const double *x, uint64_t seed, uint64_t number)
{
    const double a = noise(seed, number, 0), b = R * a + sqrt(1 - R * R) * noise(seed, number, 1);
    const double u = (x[0] + S * a - 0.5) / S, v = (x[1] + S * b - 0.5) / S;
    return sqrt((u * u - 2 * R * u * v + v * v) / (1 - R * R));
}

static void finds_correlations(void **state)
{
    struct comparison mean = {0}, var = {0}, covariance = {0};
    for (int i = 0; i < SEEDS; i++) {
        const struct smc_options o = {
            .dimensions = 2, .members = MEMBERS, .tolerance = 1, .seed = (uint64_t)i};
        const struct sample r = run(observe_two, &o);
        const double expected = S * S * (1 + r.tolerance * r.tolerance / 4);
        compare(&mean, r.mean[1], 0.5, sqrt(expected / r.effective));
        compare(&var, r.var[0], expected, expected * sqrt(2 / r.effective));
        compare(&covariance, r.covariance, R * expected,
                expected * sqrt((1 + R * R) / r.effective));
    }
    check(&mean, "mean");
    check(&var, "variance");
    check(&covariance, "covariance");
}

/* ---- cut ------------------------------------------------------------------------------------- */

/* Without noise: all that is within an ellipsoid alike, of which a face of the cube leaves a half.
 * Its mean is 3/8 of the axis there, its variances are (1/5 - 9/64) and 1/5 of the axes' squares.
 */
static double distance_to_face(const double *x, uint64_t seed, uint64_t number)
{
    const double a = x[0] / 0.9, b = (x[1] - 0.5) / 0.3, c = (x[2] - 0.4) / 0.2;
    (void)seed, (void)number;
    return sqrt(a * a + b * b + c * c);
}

static void keeps_to_the_bounds(void **state)
{
    struct comparison mean[N_MAX] = {{0}}, var[N_MAX] = {{0}};
    for (int i = 0; i < SEEDS; i++) {
        const struct smc_options o = {
            .dimensions = 3, .members = MEMBERS, .tolerance = 0.25, .seed = (uint64_t)i};
        const struct sample r = run(distance_to_face, &o);
        const double axis[] = {0.9 * r.tolerance, 0.3 * r.tolerance, 0.2 * r.tolerance};
        const double middle[] = {axis[0] * 3 / 8, 0.5, 0.4};
        for (int k = 0; k < 3; k++) {
            const double expected = axis[k] * axis[k] * (k ? 0.2 : 0.2 - 9.0 / 64);
            compare(&mean[k], r.mean[k], middle[k], sqrt(expected / r.effective));
            compare(&var[k], r.var[k], expected, expected * sqrt(1.2 / r.effective));
        }
    }
    for (int k = 0; k < 3; k++) check(&mean[k], "mean"), check(&var[k], "variance");
}

/* Where a half cannot be simulated the rest is as it was: a disc without its right half. */
static double distance_on_the_left(const double *x, uint64_t seed, uint64_t number)
{
    (void)seed, (void)number;
    const double a = x[0] - 0.5, b = x[1] - 0.5;
    return a > 0 ? (double)NAN : sqrt(a * a + b * b);
}

static void passes_over_what_cannot_be(void **state)
{
    struct comparison mean = {0}, other = {0};
    for (int i = 0; i < SEEDS; i++) {
        const struct smc_options o = {
            .dimensions = 2, .members = MEMBERS, .tolerance = 0.1, .seed = (uint64_t)i};
        const struct sample r = run(distance_on_the_left, &o);
        const double radius = r.tolerance, way = radius * 0.42441318157838756; /* 4 / (3 pi) */
        compare(&mean, r.mean[0], 0.5 - way, sqrt((radius * radius / 4 - way * way) / r.effective));
        compare(&other, r.mean[1], 0.5, radius / 2 / sqrt(r.effective));
    }
    check(&mean, "mean");
    check(&other, "mean beside");
}

/* ---- steps and weights ------------------------------------------------------------------------ */

struct population {
    int count;
    double weight, covariance[3]; /* sum of the weights; twice: of x, of x and y, of y */
    struct smc_member member[4 * MEMBERS];
};

static void remember(struct population *p, const struct smc *s)
{
    double mean[2] = {0};
    const struct smc_member *m = smc_members(s, &p->count);
    assert_true(p->count <= 4 * MEMBERS);
    memcpy(p->member, m, (size_t)p->count * sizeof *m);
    p->weight = 0;
    memset(p->covariance, 0, sizeof p->covariance);
    for (int k = 0; k < p->count; k++) p->weight += m[k].weight;
    for (int k = 0; k < p->count; k++)
        for (int i = 0; i < 2; i++) mean[i] += m[k].weight / p->weight * m[k].unit[i];
    for (int k = 0; k < p->count; k++) {
        const double a = m[k].unit[0] - mean[0], b = m[k].unit[1] - mean[1],
                     w = 2 * m[k].weight / p->weight;
        p->covariance[0] += w * a * a, p->covariance[1] += w * a * b, p->covariance[2] += w * b * b;
    }
}

/* The squared length of a step in units of the covariance. */
static double mahalanobis(const struct population *p, const double *from, const double *to)
{
    const double a = to[0] - from[0], b = to[1] - from[1], *c = p->covariance;
    return (c[2] * a * a - 2 * c[1] * a * b + c[0] * b * b) / (c[0] * c[2] - c[1] * c[1]);
}

/* Which member a draw begins at, by the weights. */
static const double *member_drawn(const struct population *p, uint64_t seed, uint64_t number)
{
    const double at = p->weight * philox_unit(philox_bits(seed, 69, number, 0));
    double sum = 0;
    for (int k = 0; k < p->count; k++)
        if ((sum += p->member[k].weight) > at) return p->member[k].unit;
    return p->member[p->count - 1].unit;
}

/* Draws until one is the point: those between have left the square. */
static void find_draw(const struct population *p, uint64_t seed, const double *x, uint64_t *number)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        const uint64_t now = (*number)++;
        double length2 = 0;
        for (uint32_t i = 0; i < 2; i++) {
            const double z = normal_quantile(philox_unit(philox_bits(seed, 70, now, i)));
            length2 += z * z;
        }
        if (fabs(mahalanobis(p, member_drawn(p, seed, now), x) - length2) < 1e-9 * (1 + length2))
            return;
    }
    fail_msg("no draw gives the point (%g, %g)", x[0], x[1]);
}

/* Of all points that were drawn from a population, at a place. */
static double density_at(const struct population *p, const double *x, double drawn)
{
    const double *c = p->covariance, determinant = c[0] * c[2] - c[1] * c[1];
    double sum = 0;
    for (int k = 0; k < p->count; k++)
        sum += p->member[k].weight / p->weight * exp(-mahalanobis(p, p->member[k].unit, x) / 2);
    return drawn * sum / (2 * 3.14159265358979323846 * sqrt(determinant));
}

static double distance_to_corner(const double *x, int k)
{
    return hypot(x[0] - 0.1, (x[1] - 0.2) / 3) + 1e-9 * k;
}

/* Two populations from the second on are drawn as smc.h says, to the digits of sums in another
 * order, and the weight of each member that remains is 1 over the density of all points drawn. */
static void draws_and_weighs_as_described(void **state)
{
    const struct smc_options o = {.dimensions = 2, .members = MEMBERS, .seed = 4};
    static struct population before[2];
    double distance[2 * MEMBERS], drawn[2];
    uint64_t number = 0;
    struct error e = {0};
    struct smc *s;
    int count;
    assert_int_equal(smc_create(&s, &o, &e), 0);
    for (int t = 0; t < 3; t++) {
        const uint64_t first = number;
        const double *x = smc_ask(s);
        for (int k = 0; k < smc_population(s); k++) {
            if (t) find_draw(&before[t - 1], o.seed, x + 2 * k, &number);
            distance[k] = distance_to_corner(x + 2 * k, k);
        }
        if (t) drawn[t - 1] = (double)(number - first);
        assert_int_equal(smc_tell(s, distance, &e), 0);
        if (t < 2) remember(&before[t], s);
    }
    assert_true(drawn[0] > MEMBERS + 10 && drawn[1] > MEMBERS);
    const struct smc_member *m = smc_members(s, &count);
    double low = INFINITY, high = 0;
    for (int k = 0; k < count; k++) {
        double all = 2 * MEMBERS;
        for (int t = 0; t < 2; t++) all += density_at(&before[t], m[k].unit, drawn[t]);
        assert_true(fabs(m[k].weight * all - 1) < 1e-9);
        low = fmin(low, m[k].weight), high = fmax(high, m[k].weight);
    }
    assert_true(high > 1.2 * low);
    smc_destroy(s);
}

/* ---- ends ------------------------------------------------------------------------------------ */

static double none(const double *x, uint64_t seed, uint64_t number)
{
    (void)x, (void)seed, (void)number;
    return (double)NAN;
}

static void says_that_nothing_can_be(void **state)
{
    const struct smc_options o = {.dimensions = 2, .members = 10};
    struct smc *s;
    struct error e = {0};
    double distance[20];
    assert_int_equal(smc_create(&s, &o, &e), 0);
    const double *x = smc_ask(s);
    for (int k = 0; k < 20; k++) distance[k] = none(x + 2 * k, 0, 0);
    assert_int_equal(smc_tell(s, distance, &e), ERROR_INPUT);
    assert_string_equal(e.text, "none of 20 points can be run; give other bounds");
    smc_destroy(s);
}

/* Two that can be run are in a line. */
static void ends_in_a_plane(void **state)
{
    const struct smc_options o = {.dimensions = 2, .members = 10};
    struct smc *s;
    struct error e = {0};
    double distance[20];
    int count;
    assert_int_equal(smc_create(&s, &o, &e), 0);
    smc_ask(s);
    for (int k = 0; k < 20; k++) distance[k] = k < 2 ? 0.5 : (double)NAN;
    assert_int_equal(smc_tell(s, distance, &e), 0);
    assert_int_equal(smc_stop(s), SMC_COLLAPSED);
    smc_members(s, &count);
    assert_int_equal(count, 2);
    smc_destroy(s);
}

/* Distances that have nothing to do with the points: of each population fewer are accepted. */
static void ends_when_few_are_accepted(void **state)
{
    const struct smc_options o = {
        .dimensions = 1, .members = MEMBERS, .acceptance = 0.2, .seed = 8};
    struct smc *s;
    struct error e = {0};
    double distance[2 * MEMBERS];
    int generations = 0, asked = 0;
    assert_int_equal(smc_create(&s, &o, &e), 0);
    while (!smc_stop(s)) {
        int accepted = 0, count = smc_population(s);
        const struct smc_generation *g = smc_generations(s, &generations);
        const double before = generations ? g[generations - 1].tolerance : INFINITY;
        smc_ask(s);
        for (int k = 0; k < count; k++) {
            distance[k] = philox_unit(philox_bits(o.seed, 9, (uint64_t)asked++, 0));
            accepted += distance[k] <= before;
        }
        assert_int_equal(smc_tell(s, distance, &e), 0);
        g = smc_generations(s, &generations) + generations - 1;
        if (generations == 1) continue;
        assert_int_equal(g->accepted, accepted);
        assert_int_equal(smc_stop(s), accepted < 0.2 * count ? SMC_ACCEPTANCE : SMC_CONTINUES);
    }
    assert_true(generations > 2);
    smc_destroy(s);
}

int main(void)
{
    return UNIT_RUN(finds_a_normal_posterior, finds_correlations, keeps_to_the_bounds,
                    passes_over_what_cannot_be, says_that_nothing_can_be, ends_in_a_plane,
                    ends_when_few_are_accepted, draws_and_weighs_as_described);
}
