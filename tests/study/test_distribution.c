/* Distributions against their closed forms: moments, quantiles, the whole distribution function;
 * and what a plan cannot say. */
/* tests: study/plan, study/random */
/* run: plain */
/* build: optimized */
#include "random/choice.h"
#include "random/distribution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random/philox.h"
#include "random/quantile.h"
#include "scratch.h"
#include "unit.h"

static struct distribution parse(const char *text)
{
    struct distribution d;
    struct error e = {0};
    if (distribution_parse(&d, text, "plan.cfg:3: vary_Pcool", &e)) fail_msg("%s", e.text);
    return d;
}

/* ---- closed forms: the part of all values that are at most x --------------------------------- */

static double phi(double x)
{
    return (double)(erfcl(-x / sqrtl(2)) / 2);
}
static double uniform_below(double x)
{
    return (x - 2) / 3;
}
static double normal_below(double x)
{
    return phi((x - 2.8) / 0.3);
}
static double lognormal_below(double x)
{
    return phi(log(x / 1.5) / log(2));
}
static double triangular_below(double x)
{
    return x < 3 ? (x - 2) * (x - 2) / 8 : 1 - (10 - x) * (10 - x) / 56;
}
static double cut_normal_below(double x)
{
    return (phi((x - 2.8) / 0.3) - phi(-1 / 0.3)) / (phi(0.1 / 0.3) - phi(-1 / 0.3));
}
static double cut_lognormal_below(double x)
{
    const double low = lognormal_below(0.5), high = lognormal_below(4);
    return (lognormal_below(x) - low) / (high - low);
}

static const struct form {
    const char *text;
    double (*below)(double x);
    double mean, sd; /* NaN: not checked */
} forms[] = {
    {"uniform 2 5", uniform_below, 3.5, 0.86602540378443865},
    {"normal 2.8 0.3", normal_below, 2.8, 0.3},
    /* median exp(s^2 / 2), and mean sqrt(exp(s^2) - 1), with s = ln 2 */
    {"lognormal 1.5 2", lognormal_below, 1.9072864450395397, 1.4966164286906147},
    /* (a + b + c) / 3, sqrt((a^2 + b^2 + c^2 - a b - a c - b c) / 18) */
    {"triangular 2 3 10", triangular_below, 5, 1.7795130420052185},
    {"normal 2.8 0.3 from 1.8 to 2.9", cut_normal_below, (double)NAN, (double)NAN},
    {"lognormal 1.5 2 from 0.5 to 4", cut_lognormal_below, (double)NAN, (double)NAN},
};
enum { FORMS = sizeof forms / sizeof *forms, SAMPLES = 1000000 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The greatest distance D between the samples' distribution function and the closed form. By the
 * inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, P(D > d) <= 2 exp(-2 n
 * d^2): for n = 10^6 and d = 0.0026 that is 3e-6, for each of the 6 forms. The samples are the same
 * on every machine, so this either holds for ever or never. */
static void samples_follow_the_closed_form(void **state)
{
    double *x = malloc(SAMPLES * sizeof *x);
    assert_non_null(x);
    for (int f = 0; f < FORMS; f++) {
        const struct distribution d = parse(forms[f].text);
        double sum = 0, squares = 0, distance = 0;
        for (int i = 0; i < SAMPLES; i++) {
            x[i] =
                distribution_quantile(&d, philox_unit(philox_bits(7, (uint32_t)f, (uint64_t)i, 0)));
            assert_true(x[i] >= d.low && x[i] <= d.high);
            sum += x[i];
        }
        const double mean = sum / SAMPLES;
        for (int i = 0; i < SAMPLES; i++) squares += (x[i] - mean) * (x[i] - mean);
        qsort(x, SAMPLES, sizeof *x, by_size);
        for (int i = 0; i < SAMPLES; i++) {
            const double below = forms[f].below(x[i]);
            distance = fmax(distance, fmax(fabs(below - (double)i / SAMPLES),
                                           fabs(below - (i + 1.0) / SAMPLES)));
        }
        print_message("%s: Kolmogorov's distance %.5f\n", forms[f].text, distance);
        assert_true(distance > 1e-5 && distance < 0.0026);
        if (isnan(forms[f].mean)) continue;
        /* Five standard errors; that of the standard deviation is at most 5 sd / sqrt(n) for a
         * kurtosis of up to 100. */
        const double sd = sqrt(squares / SAMPLES), error = 5 * forms[f].sd / sqrt(SAMPLES);
        assert_true(fabs(mean - forms[f].mean) < error);
        assert_true(fabs(sd - forms[f].sd) < 5 * error);
    }
    free(x);
}

/* F(Q(u)) = u up to rounding, from the ends inwards. */
static void quantiles_invert_the_closed_form(void **state)
{
    for (int f = 0; f < FORMS; f++) {
        const struct distribution d = parse(forms[f].text);
        double before = -INFINITY;
        for (int i = 1; i < 4096; i++) {
            const double u = i / 4096.0, x = distribution_quantile(&d, u);
            assert_true(x > before);
            assert_true(fabs(forms[f].below(x) - u) < 1e-13);
            before = x;
        }
        assert_true(distribution_quantile(&d, 0x1p-53) >= d.low);
        assert_true(distribution_quantile(&d, 1 - 0x1p-53) <= d.high);
    }
    const struct distribution log = parse("lognormal 1.5 2"), plain = parse("normal 2.8 0.3");
    assert_true(distribution_quantile(&log, 0.5) == 1.5 &&
                distribution_quantile(&plain, 0.5) == 2.8);
    assert_true(fabs(distribution_quantile(&log, phi(1)) - 3) < 1e-13);
}

static void discrete_values_have_their_shares(void **state)
{
    const struct distribution d = parse("discrete 3:0.25 1:0.5 2:0.25"),
                              even = parse("discrete 5 9");
    int count[4] = {0};
    for (int i = 0; i < 1024; i++) count[(int)distribution_quantile(&d, (2 * i + 1) / 2048.0)]++;
    assert_true(count[1] == 512 && count[2] == 256 && count[3] == 256);
    const struct distribution sorted = parse("discrete 1:0.5 2:0.3 4:0.2"),
                              unsorted = parse("discrete 4:0.2 2:0.3 1:0.5");
    for (int i = 0; i < 1024; i++) {
        const double u = (2 * i + 1) / 2048.0;
        assert_true(distribution_quantile(&unsorted, u) == distribution_quantile(&sorted, u));
    }
    assert_true(d.low == 1 && d.high == 3);
    assert_true(distribution_quantile(&even, 0.4999) == 5 &&
                distribution_quantile(&even, 0.5) == 9);
    const struct distribution one = parse("discrete 4");
    assert_true(distribution_quantile(&one, 0x1p-53) == 4 &&
                distribution_quantile(&one, 0.99) == 4);
}

/* Through a normal number, as correlated variables are drawn: the same value but for rounding. */
static void normal_numbers_give_the_same(void **state)
{
    for (int f = 0; f < FORMS; f++) {
        const struct distribution d = parse(forms[f].text);
        for (int i = 1; i < 256; i++) {
            const double u = i / 256.0, x = distribution_quantile(&d, u);
            assert_true(fabs(distribution_of_normal(&d, normal_quantile(u)) - x) < 1e-13);
        }
    }
}

/* What makes normal numbers correlated is linear: a matrix L, whose columns are what becomes of unit vectors, and
 * L L^T is the table. */
static void correlations_are_those_of_the_table(void **state)
{
    enum { N = 4 };
    static const double table[N][N] = {
        {1, 0.5, -0.3, 0.2}, {0.5, 1, 0.1, 0.6}, {-0.3, 0.1, 1, -0.4}, {0.2, 0.6, -0.4, 1}};
    static const char *const name[N] = {"Pcool", "rate_factor", "Prho", "Pcv"};
    double l[N][N], product[N][N] = {{0}};
    struct correlation c;
    struct error e = {0};
    struct scratch dir;
    scratch_create(&dir);
    FILE *f = fopen(scratch_file(&dir, "correlation.csv"), "w");
    assert_non_null(f);
    fprintf(f, "name,%s,%s,%s,%s\n", name[0], name[1], name[2], name[3]);
    for (int i = 0; i < N; i++)
        fprintf(f, "%s,%g,%g,%g,%g\n", name[i], table[i][0], table[i][1], table[i][2], table[i][3]);
    assert_int_equal(fclose(f), 0);
    must(correlation_read(&c, scratch_file(&dir, "correlation.csv"), &e), &e);
    for (int k = 0; k < N; k++) {
        double z[N] = {0};
        z[k] = 1;
        correlation_apply(&c, z);
        for (int i = 0; i < N; i++) l[i][k] = z[i];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < N; k++) product[i][j] += l[i][k] * l[j][k];
            assert_true(fabs(product[i][j] - table[i][j]) < 1e-12);
        }
    scratch_remove(&dir);
}

/* One of several has the part of all numbers that is its share, from its beginning on; as whole numbers shares are
 * rounded to the nearest, but not to 0. */
static void choices_have_their_shares(void **state)
{
    static const double share[] = {16 / 64.0, 9 / 64.0, 11 / 64.0, 20 / 64.0, 7 / 64.0, 1 / 64.0};
    enum { COUNT = sizeof share / sizeof *share, BITS = 4 };
    struct choice c = {.kind = CHOICE_PROBABILITIES};
    struct error e = {0};
    double from = 0;
    for (int i = 0; i < COUNT; i++) must(choice_add(&c, share[i], "list.csv:2", &e), &e);
    must(choice_finish(&c, "list.csv", &e), &e);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(choice_of(&c, from), i); /* (all sums are exact) */
        assert_int_equal(choice_of(&c, from + 0.01 * share[i]), i);
        assert_int_equal(choice_of(&c, from + 0.99 * share[i]), i);
        from += share[i];
    }
    choice_units(&c, BITS);
    for (int i = 0; i < COUNT; i++)
        assert_true(fabs((double)c.weight[i] - fmax(1, ldexp(share[i], BITS))) <= 0.5);
    choice_free(&c);
}

static void refusals(void **state)
{
    static const struct {
        const char *text, *what;
    } bad[] = {
        {"", "empty"},
        {"  ", "empty"},
        {"gauss 1 2", "unknown distribution 'gauss'"},
        {"uniform", "give 'uniform LOW HIGH'"},
        {"uniform 1 2 3", "give 'uniform LOW HIGH'"},
        {"uniform 2 2", "not below"},
        {"uniform 3 2", "not below"},
        {"uniform 1 x", "'x' is not a number"},
        {"uniform nan 2", "'nan' is not a number"},
        {"normal 2", "give 'normal MEAN SD"},
        {"normal 2 0", "give a number above 0"},
        {"normal 2 -1", "give a number above 0"},
        {"normal 2 1 from 3", "give 'normal MEAN SD"},
        {"normal 2 1 from 3 till 4", "give 'normal MEAN SD"},
        {"normal 2 1 from 3 to 3", "swap"},
        {"normal 2 1 from 30 to 40", "less than a millionth"},
        {"lognormal 0 2", "median above 0"},
        {"lognormal 1 1", "factor above 1"},
        {"lognormal 1 2 from -2 to -1", "less than a millionth"},
        {"triangular 1 2", "give 'triangular LOW MODE HIGH'"},
        {"triangular 1 0 2", "do not increase"},
        {"triangular 1 1 1", "do not increase"},
        {"discrete", "give 'discrete VALUE..."},
        {"discrete 1:0.5 2", "give 'discrete VALUE..."},
        {"discrete 1:0.5 2:0.4", "sum up to 0.9"},
        {"discrete 1:1.5 2:-0.5", "is not a number; give one from 0 to 1"},
        {"discrete 1:x", "is not a number; give one from 0 to 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct distribution d;
        struct error e = {0};
        const int status = distribution_parse(&d, bad[i].text, "plan.cfg:3: vary_Pcool", &e);
        if (status != ERROR_INPUT || !strstr(e.text, bad[i].what) ||
            strncmp(e.text, "plan.cfg:3: vary_Pcool: ", 24) || strchr(e.text, '\n'))
            fail_msg("'%s' gave %d: '%s'", bad[i].text, status, e.text);
    }
    char many[1024] = "discrete";
    for (int i = 0; i < 65; i++) sprintf(many + strlen(many), " %d", i);
    struct distribution d;
    struct error e = {0};
    assert_int_equal(distribution_parse(&d, many, "plan.cfg:3: vary_Pcool", &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "more than 64 values"));
}

int main(void)
{
    return UNIT_RUN(samples_follow_the_closed_form, quantiles_invert_the_closed_form,
                    discrete_values_have_their_shares, normal_numbers_give_the_same,
                    correlations_are_those_of_the_table, choices_have_their_shares, refusals);
}
