/* Members drawn anew (nowcast/rounds.h): weighted, they stand for the same distributions, whatever they are drawn
 * around, and have the posterior that is known for normal likelihoods. */
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

static struct members before, after, again;

static void test_stands_for_the_plan(void **state)
{
    double mean = 0, most = 0;
    draw_prior(&before);
    weigh(&before, 0.04);
    assert_true(effective(before.weight) < COUNT / 20.0); /* a few members are chosen */
    next_round(&after, &before, 1);
    for (int i = 0; i < COUNT; i++) {
        mean += after.w[i] / COUNT;
        most = fmax(most, after.w[i]);
        assert_true(after.w[i] > 0);
    }
    assert_true(most <= ROUNDS_OWN);
    assert_true(fabs(mean - 1) < 0.1); /* the plan's density has the integral 1 */
    for (int k = 0; k < D; k++) {
        assert_true(fabs(moment(&after, after.w, k, 1, 0)) < 0.15);
        assert_true(fabs(moment(&after, after.w, k, 2, 0) - 1) < 0.15);
    }
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
    assert_true(fabs(moment(&after, w, 0, 1, 0) - mean) < 0.03);
    assert_true(fabs(moment(&after, w, 0, 2, mean) / variance - 1) < 0.2);
    assert_true(fabs(moment(&after, w, 1, 1, 0) - 1 / (2 + v)) <
                0.08);                                    /* by symmetry, (z1 + z2) / 2 */
    assert_true(fabs(moment(&after, w, 3, 1, 0)) < 0.12); /* of which nothing was seen */
    assert_true(fabs(moment(&after, w, 3, 2, 0) - 1) < 0.2);
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
    return UNIT_RUN(test_stands_for_the_plan, test_known_posterior, test_same_bits, test_least);
}
