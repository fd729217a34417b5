/* lattice.h — the numbers on which the model is exact (docs/model.md, section 4).
 *
 * Lengths are multiples of lambda = 2^-36 m in doubles: their sums and differences are exact below
 * 2^17 m. Heat (thickness times temperature) is a 64-bit count of eta = 2^-40 K m. So sums of
 * lengths and sums of heat are exact in any order.
 *
 * Adding and then subtracting 1.5 * 2^(52 - n) rounds a double to a multiple of 2^-n, ties to even.
 * Every processor has instructions for these two additions, also of vectors. Not every processor has rint().
 * The project is built without fast-math, so no compiler may remove the additions. */
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

/* Nearest multiple of lambda to the exact value of a b; |a b| < 2^15. */
INLINE real lattice_round_product(real a, real b)
{
    return fused_small(a, b, broadcast(ROUND_TO_LATTICE)) - ROUND_TO_LATTICE;
}

/* Largest multiple of lambda that is <= the exact value of a b; |a b| < 2^15. */
INLINE real lattice_floor_of_product(real a, real b)
{
#if defined(__CUDA_ARCH__)
    return __fma_rd(a, b, ROUND_TO_LATTICE) - ROUND_TO_LATTICE; /* rounds down at once */
#elif defined(VECTORS_AVX512)
    return (real)_mm512_fmadd_round_pd((__m512d)a, (__m512d)b, _mm512_set1_pd(ROUND_TO_LATTICE),
                                       _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC) -
           ROUND_TO_LATTICE;
#elif defined(FUSED_COMPOSED)
    /* Rounding keeps order, and a multiple of lambda is a double. So a b and its rounded product lie between the same
     * multiples, unless the rounded product is a multiple itself. */
    real product = a * b, nearest = lattice_round(product), above = product - nearest;
    if (any_lane(magnitude(above) < magnitude(product) * 0x1p-60))
        above = fused_to_odd(a, b, -nearest);
    return nearest - select_lanes(above < 0.0, broadcast(LATTICE_M), broadcast(0.0));
#else
    real nearest = fused(a, b, broadcast(ROUND_TO_LATTICE)) - ROUND_TO_LATTICE;
    return nearest -
           select_lanes(fused(a, b, -nearest) < 0.0, broadcast(LATTICE_M), broadcast(0.0));
#endif
}

/* n x + c, rounded once, if |n x + c| < 2^17. n is in 0 ... 9, |x| < 2^15, and c is a multiple of
 * lambda. If |n x + c| >= 2^17, the result has the sign of n x + c, and its magnitude is about as
 * large or larger. */
INLINE real lattice_multiple(real n, real x, real c)
{
#if defined(FUSED_COMPOSED)
    /* x = high + low, with high a multiple of 2^-32 and low a multiple of lambda. The products with
     * n are exact. The first sum is exact too if it is below 2^17. */
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

/* Each conversion is one slow instruction, in place of many integer operations. */
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

/* The nearest integer to x, like llrint(); |x| < 2^63 - 2^31. x is split exactly into 2^32 times an integer, and
 * `low`. Only `low` is rounded. A tie of `low` rounds as the tie of x would, because 2^32 times an integer is even. The
 * shift to the left by 32 removes the upper half of the double `high`, which is not part of the integer. */
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

/* The double nearest to n; |n| < 2^63. Adding 2^31 to the high half of n makes it positive. The
 * high half is written into the significand of 2^84, the low half into the significand of 2^52.
 * Both powers and the added 2^31 are subtracted again exactly, so only the last sum is rounded. */
INLINE real real_of_count(ints n)
{
    real low = real_of((n & 0xffffffffLL) | 0x4330000000000000LL);
    real high = real_of(shift_right(n ^ INT64_MIN, 32) | 0x4530000000000000LL);
    return (high - (0x1p84 + 0x1p63 + 0x1p52)) + low;
}

#endif

/* HEAT_MAX_M of lava at up to HEAT_MAX_K has less heat than 2^63 eta, which is 2^23 K m. A cell may
 * hold 4,000 m, and vents may add 100 m in a step. Input lava is at most 2,000 K hot, and rounding
 * adds little to its temperature. */
#define HEAT_MAX_M 4100.0
#define HEAT_MAX_K 2045.0

/* Heat of a thickness at a temperature: the double product, rounded once to a count of eta. x_m <=
 * HEAT_MAX_M, temp_K <= HEAT_MAX_K. */
INLINE ints heat_of(real x_m, real temp_K)
{
    return count_of(x_m * (temp_K * HEAT_PER_KM));
}

/* x / y of positive normal numbers, correctly rounded. If fused() is one instruction, it is cheaper to multiply x by
 * the inverse of y, and to correct this first quotient once.
 *
 * Scale x and y by powers of 2 so that 1 <= y < 2 and 1 <= x / y < 2, and let u = 2^-52. The inverse has an error of
 * at most 2^-54. So its product with x has an error of at most x 2^-54 < u before rounding, and 3u/2 after rounding.
 * The error of the corrected quotient, before its rounding, is less than 2^-54 |rest| + 2^-106 < 2^-51 u. The second
 * term counts if the rest is so large that it is rounded itself. The corrected quotient rounds as x / y does, unless
 * a number m half-way between two doubles lies between the corrected quotient and x / y. But x / y differs from m by
 * at least 2^-105 / y = 2^-53 u / y. If the first quotient is one of the two doubles next to m, |rest| is y u / 2.
 * The error 2^-54 y u / 2 is then less than this difference. The first quotient is another double only if x 2^-54 is
 * nearly u. Then x is within 4 last places of 4, and y within 3 last places of 2. A test tries all such x and y. */
INLINE real quotient_of(real x, real y)
{
#if defined(FUSED_COMPOSED)
    return x / y;
#else
    real inverse = 1.0 / y, quotient = x * inverse;
    return fused(fused(-quotient, y, x), inverse, quotient);
#endif
}

/* Temperature of lava with this heat and thickness_m > 0. */
INLINE real temp_of(ints heat, real thickness_m)
{
    return quotient_of(real_of_count(heat) * (1.0 / HEAT_PER_KM), thickness_m);
}

#endif
