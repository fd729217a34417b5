/* Random numbers, Latin hypercubes and Sobol's points: published points, every stratum once, each
 * member alone as among others. */
/* tests: study/random */
/* run: plain, sanitized */
#include "effort.h"
#include "random/sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random/philox.h"
#include "unit.h"

static struct sampling prepare(enum sampling_kind kind, uint64_t seed, int64_t count, int *stream,
                               int dimensions)
{
    struct sampling s = {kind, seed, count, dimensions, stream, {0}};
    struct error e = {0};
    for (int i = 0; i < dimensions; i++) stream[i] = i;
    assert_int_equal(sampling_prepare(&s, &e), 0);
    return s;
}

/* The points of the sequence in the order of Antonov and Saleev (USSR Comput. Math. 19 (1980)
 * 252-256) as the literature prints them: 1/2, 3/4, 1/4, 3/8, ... */
static void published_sobol_points(void **state)
{
    static const double two[][2] = {
        {0, 0},           {0.5, 0.5},       {0.75, 0.25},     {0.25, 0.75},
        {0.375, 0.375},   {0.875, 0.875},   {0.625, 0.125},   {0.125, 0.625},
        {0.1875, 0.3125}, {0.6875, 0.8125}, {0.9375, 0.0625}, {0.4375, 0.5625},
        {0.3125, 0.1875}, {0.8125, 0.6875}, {0.5625, 0.4375}, {0.0625, 0.9375}};
    struct sobol s;
    struct error e = {0};
    assert_int_equal(sobol_create(&s, 2, 16, &e), 0);
    for (int n = 0; n < 16; n++) {
        assert_true(sobol_point(&s, n, 0) * 0x1p-30 == two[n][0]);
        assert_true(sobol_point(&s, n, 1) * 0x1p-30 == two[n][1]);
    }
}

/* Dimensions 3 to 7 from the primitive polynomials and first direction numbers that Bratley and Fox
 * print (ACM TOMS 14 (1988) 88-100, table 2): m_i = 2 a_1 m_(i-1) ^ ... ^ 2^d m_(i-d) ^ m_(i-d),
 * and point n is the exclusive or of m_i / 2^i over the bits i of n ^ n / 2. */
static void published_sobol_directions(void **state)
{
    static const struct {
        int polynomial, degree;
        uint32_t m[4];
    } table[] = {{7, 2, {1, 1}},
                 {11, 3, {1, 3, 7}},
                 {13, 3, {1, 1, 5}},
                 {19, 4, {1, 3, 1, 1}},
                 {25, 4, {1, 1, 3, 7}}};
    enum { BITS = 12 };
    struct sobol s;
    struct error e = {0};
    assert_int_equal(sobol_create(&s, 7, 1 << BITS, &e), 0);
    for (int t = 0; t < 5; t++) {
        const int degree = table[t].degree;
        uint32_t m[BITS];
        memcpy(m, table[t].m, (size_t)degree * sizeof *m);
        for (int i = degree; i < BITS; i++) {
            m[i] = m[i - degree] ^ m[i - degree] << degree;
            for (int k = 1; k < degree; k++)
                if (table[t].polynomial >> (degree - k) & 1) m[i] ^= m[i - k] << k;
        }
        for (int n = 0; n < 1 << BITS; n++) {
            uint32_t x = 0;
            for (int i = 0; i < BITS; i++)
                if ((n ^ n >> 1) >> i & 1) x ^= m[i] << (BITS - 1 - i);
            assert_true(sobol_point(&s, n, t + 2) == x << (SOBOL_BITS - BITS));
        }
    }
}

/* In all 40 dimensions the first 2^k points have one in each interval of 2^-k, whatever the shift;
 * in the first two dimensions one in each of the boxes of area 2^-k, too. */
static void sobol_points_are_even(void **state)
{
    enum { BITS = 10, COUNT = 1 << BITS };
    int stream[SOBOL_DIMENSIONS];
    for (uint64_t seed = 0; seed < 3; seed++) {
        const struct sampling s = prepare(SAMPLING_SOBOL, seed, COUNT, stream, SOBOL_DIMENSIONS);
        for (int d = 0; d < SOBOL_DIMENSIONS; d++) {
            char hit[COUNT] = {0};
            for (int n = 0; n < COUNT; n++) hit[(int)(sampling_unit(&s, n, d) * COUNT)]++;
            for (int k = 0; k < COUNT; k++) assert_int_equal(hit[k], 1);
        }
        for (int across = 0; across <= BITS; across++) {
            char hit[COUNT] = {0};
            const int cols = 1 << across, rows = COUNT / cols;
            for (int n = 0; n < COUNT; n++)
                hit[(int)(sampling_unit(&s, n, 0) * cols) * rows +
                    (int)(sampling_unit(&s, n, 1) * rows)]++;
            for (int k = 0; k < COUNT; k++) assert_int_equal(hit[k], 1);
        }
    }
}

/* Point n does not depend on how many there are to be. */
static void sobol_points_without_order(void **state)
{
    struct sobol few, many;
    struct error e = {0};
    assert_int_equal(sobol_create(&few, 7, 100, &e), 0);
    assert_int_equal(sobol_create(&many, 40, 70000, &e), 0);
    for (int n = 99; n >= 0; n--)
        for (int d = 0; d < 7; d++)
            assert_true(sobol_point(&few, n, d) == sobol_point(&many, n, d));
    assert_true(sobol_point(&many, 69999, 39) != sobol_point(&many, 69998, 39));
}

/* Each stratum once in every dimension, for counts of all kinds. */
static void latin_strata_once(void **state)
{
    static const int counts[] = {1, 2, 3, 4, 5, 7, 10, 64, 100, 1000, 10007};
    int stream[3];
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const int count = counts[i];
        char *hit = malloc((size_t)count);
        assert_non_null(hit);
        for (uint64_t seed = 0; seed < 4; seed++) {
            const struct sampling s = prepare(SAMPLING_LATIN, seed, count, stream, 3);
            for (int d = 0; d < 3; d++) {
                memset(hit, 0, (size_t)count);
                for (int n = 0; n < count; n++) {
                    const double u = sampling_unit(&s, n, d);
                    int k = (int)(u * count);
                    if (u < (double)k / count) k--;
                    assert_true(u > 0 && u < 1 && k < count);
                    assert_true(u >= (double)k / count && u < (k + 1.0) / count);
                    hit[k]++;
                }
                for (int k = 0; k < count; k++) assert_int_equal(hit[k], 1);
            }
        }
        free(hit);
    }
}

/* Anywhere in its stratum: of 4,096 places, the share below each eighth is within four deviations. */
static void latin_strata_are_filled(void **state)
{
    enum { COUNT = 4096, PARTS = 8 };
    int stream[1], below[PARTS] = {0};
    const struct sampling s = prepare(SAMPLING_LATIN, 3, COUNT, stream, 1);
    for (int n = 0; n < COUNT; n++) {
        const double u = sampling_unit(&s, n, 0) * COUNT, within = u - floor(u);
        for (int k = 0; k < PARTS; k++) below[k] += within < (k + 1.0) / PARTS;
    }
    for (int k = 0; k < PARTS; k++) {
        const double p = (k + 1.0) / PARTS;
        assert_true(fabs(below[k] - COUNT * p) <= 4 * sqrt(COUNT * p * (1 - p)));
    }
}

/* The bits in which a coordinate differs from Sobol's are the same for all points, and others for each
 * coordinate. */
static void sobol_coordinates_are_shifted_apart(void **state)
{
    enum { COUNT = 64 };
    int stream[SOBOL_DIMENSIONS];
    uint32_t shift[SOBOL_DIMENSIONS];
    const struct sampling s = prepare(SAMPLING_SOBOL, 1, COUNT, stream, SOBOL_DIMENSIONS);
    for (int d = 0; d < SOBOL_DIMENSIONS; d++) {
        for (int n = 0; n < COUNT; n++) {
            const uint32_t bits =
                (uint32_t)ldexp(sampling_unit(&s, n, d), SOBOL_BITS) ^ sobol_point(&s.sobol, n, d);
            if (!n) shift[d] = bits;
            assert_int_equal(bits, shift[d]);
        }
        for (int k = 0; k < d; k++) assert_true(shift[k] != shift[d]);
    }
}

/* Over many seeds, each of the 24 orders of four members comes as often as the others: chi^2 with
 * 23 degrees of freedom is above 60 once in 30,000 times. */
static void latin_orders_are_alike(void **state)
{
    enum { SEEDS = 24000 };
    int stream[1], count[256] = {0};
    double chi2 = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct sampling s = prepare(SAMPLING_LATIN, seed, 4, stream, 1);
        int order = 0;
        for (int n = 0; n < 4; n++) order = order << 2 | (int)(sampling_unit(&s, n, 0) * 4);
        count[order]++;
    }
    int orders = 0;
    for (int i = 0; i < 256; i++) {
        orders += count[i] > 0;
        if (count[i])
            chi2 += (count[i] - SEEDS / 24.0) * (count[i] - SEEDS / 24.0) / (SEEDS / 24.0);
    }
    print_message("24 orders: chi^2 = %.1f\n", chi2);
    assert_int_equal(orders, 24);
    assert_true(chi2 > 1 && chi2 < 60);
}

/* Dimensions do not depend on one another, nor one seed on the next: correlations of n = 100,000
 * are within 5 / sqrt(n). */
static void streams_are_independent(void **state)
{
    enum { COUNT = SANITIZED(10000, 100000) };
    int stream[2];
    for (int kind = SAMPLING_RANDOM; kind <= SAMPLING_LATIN; kind++) {
        const struct sampling s = prepare(kind, 5, COUNT, stream, 2);
        int other[2];
        const struct sampling next = prepare(kind, 6, COUNT, other, 2);
        double streams = 0, seeds = 0, neighbours = 0, squares = 0;
        for (int n = 0; n < COUNT; n++) {
            const double u = sampling_unit(&s, n, 0) - 0.5;
            squares += u * u;
            streams += u * (sampling_unit(&s, n, 1) - 0.5);
            seeds += u * (sampling_unit(&next, n, 0) - 0.5);
            neighbours += u * (sampling_unit(&s, (n + 1) % COUNT, 0) - 0.5);
        }
        assert_true(fabs(squares / COUNT - 1 / 12.0) < 0.3 / sqrt(COUNT));
        const double least = 5 / sqrt(COUNT) * squares;
        assert_true(fabs(streams) < least && fabs(seeds) < least && fabs(neighbours) < least);
    }
}

int main(void)
{
    return UNIT_RUN(published_sobol_points, published_sobol_directions, sobol_points_are_even,
                    sobol_points_without_order, latin_strata_once, latin_strata_are_filled,
                    sobol_coordinates_are_shifted_apart, latin_orders_are_alike,
                    streams_are_independent);
}
