#include "sampling.h"

#include "philox.h"

#include <gsl/gsl_qrng.h>

enum { FEISTEL_ROUNDS = 6 };

int sampling_prepare(struct sampling *s, struct error *e)
{
    if (s->kind != SAMPLING_SOBOL || !s->dimensions) return 0;
    if (s->dimensions > SOBOL_DIMENSIONS)
        return error_input(e,
                           "%d numbers are drawn for each member, but Sobol's points have at most "
                           "%d coordinates; vary fewer, or set 'sampling latin'",
                           s->dimensions, SOBOL_DIMENSIONS);
    return sobol_create(&s->sobol, s->dimensions, s->count, e);
}

/* Entry n of a permutation of 0 to count - 1; each stream has its own permutation. A Feistel network permutes the
 * numbers 0 to 4^half - 1. It is applied again until the result is below count. `half` is at least 3. With a smaller
 * `half` some permutations would be more frequent than others (tests/study/test_sampling.c). */
static int64_t permuted(const struct sampling *s, uint32_t stream, int64_t n)
{
    int half = 3;
    while ((int64_t)1 << 2 * half < s->count) half++;
    const uint32_t lower = ((uint32_t)1 << half) - 1;
    uint64_t x = (uint64_t)n;
    do {
        uint32_t left = (uint32_t)(x >> half), right = (uint32_t)x & lower;
        for (uint32_t round = 0; round < FEISTEL_ROUNDS; round++) {
            const uint64_t mixed = philox_bits(s->seed, STREAM_PERMUTED + stream, right, round);
            const uint32_t next = left ^ ((uint32_t)mixed & lower);
            left = right;
            right = next;
        }
        x = (uint64_t)left << half | right;
    } while ((int64_t)x >= s->count);
    return (int64_t)x;
}

/* Stratum k is from k / count to (k + 1) / count. The position in the stratum has 24 bits, so the sum is exact. The
 * exact quotient is at least one ulp (2^-52) below the next stratum, so the rounded quotient remains in stratum k. */
static double latin(const struct sampling *s, uint32_t stream, int64_t n)
{
    const uint64_t bits = philox_bits(s->seed, stream, (uint64_t)n, 0);
    const double within = (double)(int64_t)(bits >> 41 << 1 | 1) * 0x1p-24;
    return ((double)permuted(s, stream, n) + within) / (double)s->count;
}

/* A digital shift: an exclusive or with random bits that all members share. It keeps the even spacing of the points,
 * makes each of them uniform, and moves the first point away from the origin. */
static double shifted(const struct sampling *s, int dimension, int64_t n)
{
    const uint32_t stream = STREAM_SHIFTED + (uint32_t)s->stream[dimension];
    const uint64_t point = (uint64_t)sobol_point(&s->sobol, n, dimension) << (64 - SOBOL_BITS);
    return philox_unit(point ^ philox_bits(s->seed, stream, 0, 0));
}

double sampling_unit(const struct sampling *s, int64_t n, int i)
{
    const uint32_t stream = (uint32_t)s->stream[i];
    switch (s->kind) {
    case SAMPLING_LATIN:
        return latin(s, stream, n);
    case SAMPLING_SOBOL:
        return shifted(s, i, n);
    default:
        return philox_unit(philox_bits(s->seed, stream, (uint64_t)n, 0));
    }
}

/* Direction number k is the exclusive or of points 2^k and 2^k - 1, because Gray code changes one bit at each step. */
static void read_directions(struct sobol *s, gsl_qrng *points)
{
    double x[SOBOL_DIMENSIONS];
    uint32_t before[SOBOL_DIMENSIONS] = {0};
    for (int64_t n = 1, k = 0; k < s->bits; n++) {
        gsl_qrng_get(points, x);
        const int power = (n & (n - 1)) == 0;
        for (int d = 0; d < s->dimensions; d++) {
            const uint32_t now = (uint32_t)(x[d] * 0x1p30);
            if (power) s->direction[d][k] = now ^ before[d];
            before[d] = now;
        }
        k += power;
    }
}

int sobol_create(struct sobol *s, int dimensions, int64_t count, struct error *e)
{
    *s = (struct sobol){.dimensions = dimensions};
    while (s->bits < SOBOL_BITS && (int64_t)1 << s->bits < count) s->bits++;
    gsl_qrng *points = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)dimensions);
    if (!points) return error_memory(e);
    read_directions(s, points);
    gsl_qrng_free(points);
    return 0;
}

uint32_t sobol_point(const struct sobol *s, int64_t n, int dimension)
{
    uint32_t x = 0;
    for (int64_t k = 0, gray = n ^ n >> 1; gray >> k; k++)
        if (gray >> k & 1) x ^= s->direction[dimension][k];
    return x;
}
