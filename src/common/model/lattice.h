/* lattice.h — the numbers on which the model is exact (docs/model.md, section 4).
 *
 * Lengths are multiples of lambda = 2^-36 m, held in doubles: below 2^17 m every sum and difference
 * of them is exact. Heat (thickness times temperature) is a 64-bit count of eta = 2^-40 K m. So
 * sums of either are exact in any order.
 *
 * Adding and subtracting 1.5 * 2^(52 - n) rounds a double to a multiple of 2^-n, ties to even, with
 * two exactly rounded additions; unlike rint(), each is one instruction on every processor, also
 * for a vector. No compiler may simplify it away: the project is built without fast-math. */
#ifndef SCIARA_LATTICE_H
#define SCIARA_LATTICE_H

#include "lanes.h"

#define LATTICE_PER_M     68719476736.0 /* 2^36 */
#define LATTICE_M         (1.0 / LATTICE_PER_M)
#define HEAT_PER_KM       1099511627776.0    /* 2^40 */
#define ROUND_TO_LATTICE  98304.0            /* 1.5 * 2^(52 - 36) */
#define ROUND_TO_INT      6755399441055744.0 /* 1.5 * 2^52 */
#define ROUND_TO_INT_BITS 0x4338000000000000LL

/* Nearest multiple of lambda; |x_m| < 2^15. */
INLINE real lattice_round(real x_m)
{
    return (x_m + ROUND_TO_LATTICE) - ROUND_TO_LATTICE;
}

/* The same of a product, rounded once from its exact value; |a b| < 2^15. */
INLINE real lattice_round_product(real a, real b)
{
    return fused_small(a, b, broadcast(ROUND_TO_LATTICE)) - ROUND_TO_LATTICE;
}

/* Largest multiple of lambda that is <= the exact value of a b; |a b| < 2^15. */
INLINE real lattice_floor_of_product(real a, real b)
{
#if defined(__CUDA_ARCH__)
    return __fma_rd(a, b, ROUND_TO_LATTICE) -
           ROUND_TO_LATTICE; /* the same, rounding down at once */
#elif defined(VECTORS_AVX512)
    return (real)_mm512_fmadd_round_pd((__m512d)a, (__m512d)b, _mm512_set1_pd(ROUND_TO_LATTICE),
                                       _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC) -
           ROUND_TO_LATTICE;
#elif defined(FUSED_COMPOSED)
    /* Rounding keeps order, and a multiple of lambda is a double: the product lies where the rounded
     * one does, unless that is a multiple. */
    real product = a * b, nearest = lattice_round(product), above = product - nearest;
    if (any_lane(magnitude(above) < magnitude(product) * 0x1p-60))
        above = fused_to_odd(a, b, -nearest);
    return nearest - select(above < 0.0, broadcast(LATTICE_M), broadcast(0.0));
#else
    real nearest = fused(a, b, broadcast(ROUND_TO_LATTICE)) - ROUND_TO_LATTICE;
    return nearest - select(fused(a, b, -nearest) < 0.0, broadcast(LATTICE_M), broadcast(0.0));
#endif
}

/* n x + c rounded once, for n in 0 ... 9, |x| < 2^15 and c on the lattice, if that is below 2^17;
 * else a number at least about as large, of the same sign. */
INLINE real lattice_multiple(real n, real x, real c)
{
#if defined(FUSED_COMPOSED)
    /* x = high + low, multiples of 2^-32 and of lambda: their products with n are exact, and so is
     * the first sum if it is below 2^17. */
    real high = (x + 0x1.8p20) - 0x1.8p20;
    return (n * high + c) + n * (x - high);
#else
    return fused(n, x, c);
#endif
}

/* A small count, 0 <= n < 2^52, as a double. */
INLINE real real_of_small(ints n)
{
    return real_of(n | 0x4330000000000000LL) - 4503599627370496.0;
}

INLINE real real_of_tally(tally n)
{
#if defined(__CUDA_ARCH__)
    return __hiloint2double(0x43300000, n) - 4503599627370496.0;
#elif defined(SCIARA_LANES)
    return real_of_small(n);
#else
    return n;
#endif
}

/* The nearest integer to x as a count; |x| < 2^51. */
INLINE ints small_count(real x)
{
    return bits_of(x + ROUND_TO_INT) - ROUND_TO_INT_BITS;
}

#if defined(__CUDA_ARCH__)

/* One instruction each: slow, but an integer replacement needs many operations. */
INLINE ints count_of(real x)
{
    return __double2ll_rn(x);
}
INLINE real real_of_count(ints n)
{
    return __ll2double_rn(n);
}

#elif defined(VECTORS_AVX512)

INLINE ints count_of(real x)
{
    return (ints)_mm512_cvtpd_epi64((__m512d)x);
}
INLINE real real_of_count(ints n)
{
    return (real)_mm512_cvtepi64_pd((__m512i)n);
}

#else

/* The nearest integer to x, |x| < 2^63 - 2^31, as llrint(): the high 32 bits are split off exactly,
 * the rest is rounded. Ties stay ties, since the high part is even. The shift by 32 removes the
 * bits above the high part in its double. */
INLINE ints count_of(real x)
{
    const double two32 = 4294967296.0;
#if defined(__FMA__) /* the products are exact */
    real high = fused(x, broadcast(1.0 / two32), broadcast(ROUND_TO_INT));
    real low = fused(ROUND_TO_INT - high, broadcast(two32), x);
#else
    real high = x * (1.0 / two32) + ROUND_TO_INT, low = x - (high - ROUND_TO_INT) * two32;
#endif
    return shift_left(bits_of(high), 32) + small_count(low);
}

/* The double nearest to n, |n| < 2^63. Its halves, the high one moved up by 2^31 to be positive,
 * become the significands of 2^84 and 2^52; these are subtracted again exactly, and one sum is
 * rounded. */
INLINE real real_of_count(ints n)
{
    real low = real_of((n & 0xffffffffLL) | 0x4330000000000000LL);
    real high = real_of(shift_right(n ^ INT64_MIN, 32) | 0x4530000000000000LL);
    return (high - (0x1p84 + 0x1p63 + 0x1p52)) + low;
}

#endif

/* Lava of this thickness at up to HEAT_MAX_K has a heat of less than 2^63 eta, 2^23 K m: a cell may
 * hold 4,000 m, and vents may add 100 m in a step. Input lava is at most 2,000 K hot, and rounding
 * adds little to that. */
#define HEAT_MAX_M 4100.0
#define HEAT_MAX_K 2045.0

/* Heat of a thickness at a temperature: the double product, rounded once to a count of eta. x_m <=
 * HEAT_MAX_M, temp_K <= HEAT_MAX_K. */
INLINE ints heat_of(real x_m, real temp_K)
{
    return count_of(x_m * (temp_K * HEAT_PER_KM));
}

/* x / y of positive normal numbers, correctly rounded: the quotient from the inverse, and one
 * correction, where this is cheaper.
 *
 * Scale x and y by powers of 2 so that 1 <= y < 2 and 1 <= x / y < 2, and let u = 2^-52. The inverse
 * is off by at most 2^-54, so its product with x by at most x 2^-54 < u before and 3u/2 after
 * rounding, and the corrected sum of both, before it is rounded, by less than 2^-54 |rest| + 2^-106
 * (where the rest is so large that it is rounded itself), less than 2^-51 u. It is rounded as x / y is
 * unless a number m half-way between two doubles lies between: x / y is never m, and differs from it
 * by at least 2^-105 / y, 2^-53 u / y. If the first quotient is one of the two doubles beside m,
 * |rest| is y u / 2, and 2^-54 y u / 2 is less than that. It is another only if x 2^-54 is nearly u,
 * x within 4 and y within 3 last places of 4 and of 2: the test tries them all. */
INLINE real quotient_of(real x, real y)
{
#if defined(FUSED_COMPOSED)
    return x / y;
#else
    real inverse = 1.0 / y, quotient = x * inverse;
    return fused(fused(-quotient, y, x), inverse, quotient);
#endif
}

/* Temperature of thickness_m > 0 that holds that heat. */
INLINE real temp_of(ints heat, real thickness_m)
{
    return quotient_of(real_of_count(heat) * (1.0 / HEAT_PER_KM), thickness_m);
}

#endif
