/* Members drawn anew (nowcast/rounds.h): by its equations, written down once more; weighted, they stand for the same
 * distributions, whatever they are drawn around, and have the posterior that is known for normal likelihoods. */
/* tests: study/nowcast */
#include "nowcast/rounds.h"
#include "unit.h"

#include "random/philox.h"
#include "random/quantile.h"

#include <math.h>
#include <omp.h>

enum { COUNT = 4000, D = 5 };

struct members {
    double z[COUNT * D], w[COUNT];
    uint64_t weight[COUNT];
};

static void draw_prior(struct members *s)
{
    for (int i = 0; i < COUNT * D; i++)
        s->z[i] = normal_quantile(philox_unit(philox_bits(3, 1, (uint64_t)i, 0)));
    for (int i = 0; i < COUNT; i++) s->w[i] = 1;
}

/* exp(-(z0 - 1.5)^2 / 2 v - (z1 + z2 - 1)^2 / 2 v) times w, as whole numbers. */
static void weigh(struct members *s, double v)
{
    double w[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const double *z = s->z + (ptrdiff_t)i * D;
        w[i] =
            s->w[i] *
            exp(-0.5 * ((z[0] - 1.5) * (z[0] - 1.5) + (z[1] + z[2] - 1) * (z[1] + z[2] - 1)) / v);
    }
    ask_round(s->weight, w, COUNT);
}

static void next_round(struct members *to, const struct members *from, int round)
{
    struct error e = {0};
    const struct rounds_from f = {COUNT, D, from->z, from->weight, 11, round};
    if (rounds_draw(to->z, to->w, &f, &e)) fail_msg("%s", e.text);
}

static double effective(const uint64_t *w)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < COUNT; i++) {
        sum += (double)w[i];
        squares += (double)w[i] * (double)w[i];
    }
    return sum * sum / squares;
}

/* Mean of (z - about)^power. */
static double moment(const struct members *s, const double *w, int k, int power, double about)
{
    double sum = 0, all = 0;
    for (int i = 0; i < COUNT; i++) {
        all += w[i];
        sum += w[i] * pow(s->z[i * D + k] - about, power);
    }
    return sum / all;
}

/* Whether that moment is the expected one, within four of the standard errors that weighted members have. */
static bool agrees(const struct members *s, const double *w, int k, int power, double about,
                   double expected)
{
    double all = 0, squares = 0;
    for (int i = 0; i < COUNT; i++) {
        const double off = pow(s->z[i * D + k] - about, power) - expected;
        all += w[i];
        squares += w[i] * w[i] * off * off;
    }
    return fabs(moment(s, w, k, power, about) - expected) < 4 * sqrt(squares) / all;
}

static struct members before, after, again;

/* ---- the equations --------------------------------------------------------------------------- */

/* A round by itself: what it draws around, and how widely. */
struct equations {
    int count, d, ancestor[COUNT]; /* of each member; -1: none, it draws its own */
    double width[D], z[COUNT * D], x[COUNT * D], w[COUNT];
};

/* Members of normal numbers, but for those of the last dimension, which agree; one in four has no weight. */
static void draw_around(struct equations *q, int count, int d, int kind)
{
    static double z[COUNT * D];
    static uint64_t weight[COUNT];
    struct error e = {0};
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t bits = philox_bits(8, 2, (uint64_t)i, (uint32_t)kind);
        weight[i] = bits % 4 ? 1 + bits % 1000 : 0;
        sum += (double)weight[i];
        squares += (double)weight[i] * (double)weight[i];
        for (int k = 0; k < d; k++)
            z[i * d + k] = d > 1 && k == d - 1
                               ? 0.25
                               : (1 + k) * normal_quantile(philox_unit(philox_bits(
                                               8, 3 + (uint32_t)kind, (uint64_t)i, (uint32_t)k)));
    }
    *q = (struct equations){.count = count, .d = d};
    const struct rounds_from from = {count, d, z, weight, 11, 1};
    must(rounds_draw(q->z, q->w, &from, &e), &e);

    const double n = sum * sum / squares, h = pow(4 / ((d + 2) * n), 1.0 / (d + 4));
    for (int k = 0; k < d; k++) {
        double mean = 0, variance = 0;
        for (int i = 0; i < count; i++) mean += (double)weight[i] * z[i * d + k] / sum;
        for (int i = 0; i < count; i++)
            variance += (double)weight[i] * pow(z[i * d + k] - mean, 2) / sum;
        q->width[k] = h * fmax(0.02, sqrt(variance));
    }
    const int drawn = count - (count + 4) / 5;
    double until = 0;
    for (int i = 0, follows = 0, at = -1; i < count; i++) {
        q->ancestor[i] = -1;
        if (i % 5 == 0) continue;
        while (until * drawn <= (follows + 0.5) * sum) until += (double)weight[++at];
        follows++;
        q->ancestor[i] = at;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < d; k++) {
            const int at = q->ancestor[i];
            q->x[i * d + k] =
                at < 0 ? q->z[i * d + k] : (q->z[i * d + k] - z[at * d + k]) / q->width[k];
        }
    for (int i = 0; i < count; i += 7) { /* its weight */
        double density = 0;
        for (int j = 0; j < count; j++) {
            double one = 1;
            for (int k = 0; k < d && q->ancestor[j] >= 0; k++) {
                const double here = q->z[i * d + k],
                             off = (here - z[q->ancestor[j] * d + k]) / q->width[k];
                one *= exp((here * here - off * off) / 2) / q->width[k];
            }
            density += q->ancestor[j] < 0 ? 0 : one / count;
        }
        assert_true(fabs(q->w[i] * ((count + 4) / 5 / (double)count + density) - 1) < 1e-9);
    }
}

/* By their widths, what members were drawn around differs by the same normal numbers, whatever the number of
 * members, of dimensions, and the weights. */
static void test_equations(void **state)
{
    static struct equations few, some, many;
    double squares = 0;
    draw_around(&few, 333, 1, 0);
    draw_around(&some, 500, 3, 1);
    draw_around(&many, COUNT, D, 2);
    for (int i = 0; i < 500; i++)
        for (int k = 0; k < 3; k++) {
            const double x = many.x[i * D + k];
            assert_true(fabs(some.x[i * 3 + k] - x) < 1e-7);
            assert_true(i >= 333 || k || fabs(few.x[i] - x) < 1e-7);
        }
    assert_true(many.width[D - 1] < 0.02 && many.width[0] > 0.2 && few.width[0] < some.width[0]);
    for (int i = 0; i < COUNT * D; i++) squares += many.x[i] * many.x[i] / (COUNT * D);
    assert_true(fabs(squares - 1) < 4 * sqrt(2.0 / (COUNT * D)));
}

/* ---- moments --------------------------------------------------------------------------------- */

static void test_stands_for_the_plan(void **state)
{
    double mean = 0, squares = 0, most = 0;
    draw_prior(&before);
    weigh(&before, 0.04);
    assert_true(effective(before.weight) < COUNT / 20.0); /* a few members are chosen */
    next_round(&after, &before, 1);
    for (int i = 0; i < COUNT; i++) {
        mean += after.w[i] / COUNT;
        squares += after.w[i] * after.w[i] / COUNT;
        most = fmax(most, after.w[i]);
        assert_true(after.w[i] > 0);
    }
    assert_true(most <= ROUNDS_OWN);
    /* the plan's density has the integral 1 */
    assert_true(fabs(mean - 1) < 4 * sqrt((squares - mean * mean) / COUNT));
    for (int k = 0; k < D; k++)
        assert_true(agrees(&after, after.w, k, 1, 0, 0) && agrees(&after, after.w, k, 2, 0, 1));
    /* Unweighted they lie around what was seen. */
    double one[COUNT];
    for (int i = 0; i < COUNT; i++) one[i] = 1;
    assert_true(moment(&after, one, 0, 1, 0) > 0.8);
}

/* The posterior of z0 is normal with mean 1.5 / (1 + v) and variance v / (1 + v). */
static void test_known_posterior(void **state)
{
    const double v = 0.04, mean = 1.5 / (1 + v), variance = v / (1 + v);
    double few, w[COUNT];
    draw_prior(&before);
    weigh(&before, v);
    few = effective(before.weight);
    for (int round = 1; round <= 2; round++) {
        next_round(&after, &before, round);
        weigh(&after, v);
        before = after;
    }
    assert_true(effective(after.weight) > 4 * few);
    for (int i = 0; i < COUNT; i++) w[i] = (double)after.weight[i];
    assert_true(agrees(&after, w, 0, 1, 0, mean) && agrees(&after, w, 0, 2, mean, variance));
    for (int k = 1; k < 3; k++) assert_true(agrees(&after, w, k, 1, 0, 1 / (2 + v)));
    for (int k = 3; k < D; k++) /* of which nothing was seen */
        assert_true(agrees(&after, w, k, 1, 0, 0) && agrees(&after, w, k, 2, 0, 1));
}

static void test_same_bits(void **state)
{
    draw_prior(&before);
    weigh(&before, 0.1);
    next_round(&after, &before, 1);
    omp_set_num_threads(3);
    next_round(&again, &before, 1);
    assert_memory_equal(again.z, after.z, sizeof again.z);
    assert_memory_equal(again.w, after.w, sizeof again.w);
    next_round(&again, &before, 2);
    assert_memory_not_equal(again.z, after.z, sizeof again.z);
}

/* One member, no number, one weight: nothing to choose from, and no fault. */
static void test_least(void **state)
{
    const double z[2] = {0.5, -0.5};
    const uint64_t one[2] = {7, 0};
    double out[2], w[2];
    struct error e = {0};
    const struct rounds_from alone = {1, 1, z, one, 1, 1}, none = {2, 0, z, one, 1, 1},
                             of_one = {2, 1, z, one, 1, 1};
    assert_int_equal(rounds_draw(out, w, &alone, &e), 0);
    assert_true(w[0] == 1);
    assert_int_equal(rounds_draw(out, w, &none, &e), 0);
    assert_true(w[0] == 1 && w[1] == 1);
    assert_int_equal(rounds_draw(out, w, &of_one, &e), 0);
    assert_true(w[0] > 0 && w[1] > 0 && fabs(out[1] - 0.5) < 0.2); /* around the one that counts */
}

int main(void)
{
    return UNIT_RUN(test_equations, test_stands_for_the_plan, test_known_posterior, test_same_bits,
                    test_least);
}
