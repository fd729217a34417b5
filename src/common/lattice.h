/* lattice.h — the numbers on which the model is exact (docs/model.md, section 4).
 *
 * Lengths are multiples of lambda = 2^-36 m, held in doubles: below 2^17 m every sum and difference of
 * them is exact. Heat (thickness times temperature) is a 64-bit count of eta = 2^-40 K m. Sums of either
 * therefore have no rounding and no order.
 *
 * Adding and subtracting 1.5 * 2^(52 - n) rounds a double to a multiple of 2^-n, ties to even, with two
 * exactly rounded additions; unlike rint() that is one instruction each on every processor, and a vector
 * of them too. No compiler may simplify it away: the project is built without fast-math. */
#ifndef SCIARA_LATTICE_H
#define SCIARA_LATTICE_H

#include "lanes.h"

#define LATTICE_PER_M 68719476736.0 /* 2^36 */
#define LATTICE_M (1.0 / LATTICE_PER_M)
#define HEAT_PER_KM 1099511627776.0 /* 2^40 */
#define ROUND_TO_LATTICE 98304.0    /* 1.5 * 2^(52 - 36) */
#define ROUND_TO_INT 6755399441055744.0 /* 1.5 * 2^52 */
#define ROUND_TO_INT_BITS 0x4338000000000000LL

/* Nearest multiple of lambda; |x_m| < 2^15. */
HD real lattice_round(real x_m) { return (x_m + ROUND_TO_LATTICE) - ROUND_TO_LATTICE; }

/* Largest multiple of lambda that is <= x_m; |x_m| < 2^15. */
HD real lattice_floor(real x_m)
{
#if defined(__CUDA_ARCH__)
    return __dadd_rd(x_m, ROUND_TO_LATTICE) - ROUND_TO_LATTICE; /* the same, rounding down at once */
#else
    real nearest = lattice_round(x_m);
    return nearest - pick(nearest > x_m, all_of(LATTICE_M), all_of(0.0));
#endif
}

/* A small count, 0 <= n < 2^52, as a double. */
HD real real_of_small(ints n) { return real_of(n | 0x4330000000000000LL) - 4503599627370496.0; }

/* The nearest integer to x as a count; |x| < 2^51. */
HD ints small_count(real x) { return bits_of(x + ROUND_TO_INT) - ROUND_TO_INT_BITS; }

#if defined(__CUDA_ARCH__)

HD ints count_of(real x) { return __double2ll_rn(x); }
HD real real_of_count(ints n) { return __ll2double_rn(n); }

#else

/* The nearest integer to x, |x| < 2^63 - 2^31, as llrint(): the high 32 bits split off exactly, the rest
 * rounded. Ties stay ties, since the high part is even. */
HD ints count_of(real x)
{
    const double two32 = 4294967296.0;
    if (!some((x >= 2251799813685248.0) | (x <= -2251799813685248.0))) return small_count(x);
    real high = (x * (1.0 / two32) + ROUND_TO_INT) - ROUND_TO_INT;
    return small_count(high) * 4294967296LL + small_count(x - high * two32);
}

/* The double nearest to n, |n| < 2^63: both halves are exact, their sum is rounded once. */
HD real real_of_count(ints n)
{
    ints low = n & 0xffffffffLL;
    real low_real = real_of_small(low);
    /* the high half with its sign, moved to be positive: n >> 32, plus 2^31 */
    ints high = shift_right(n ^ INT64_MIN, 32);
    real high_real = real_of(high | 0x4330000000000000LL) - (4503599627370496.0 + 2147483648.0);
    return high_real * 4294967296.0 + low_real;
}

#endif

/* Heat of a thickness at a temperature: the double product, rounded once to a count of eta.
 * x_m * temp_K < 2^23 K m, i.e. 4,000 m at 2,000 K. */
HD ints heat_of(real x_m, real temp_K) { return count_of(x_m * temp_K * HEAT_PER_KM); }

/* Temperature of thickness_m > 0 that holds that heat. */
HD real temp_of(ints heat, real thickness_m)
{
    return real_of_count(heat) * (1.0 / HEAT_PER_KM) / thickness_m;
}

#endif
