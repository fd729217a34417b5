/* realmath.h — the three transcendental functions that the model needs, made only of operations that IEEE 754 rounds
 * correctly. So every processor gets the same bits. 10^x and x^(-1/3) are at most 2 ulp from the true value, log10 is
 * at most 4 ulp from it (tests/common/test_realmath.c, against long double). */
#ifndef SCIARA_REALMATH_H
#define SCIARA_REALMATH_H

#include "lattice.h"

/* The coefficients of the polynomial q in real_pow10(), then log2(10), log10(2) in two parts, and ln(10). GPU
 * instructions take operands from constant memory. Literals would have to be moved into registers first. */
#define REAL_POW10_CONSTANTS                                                                       \
    {                                                                                              \
        0x1.0000000000001p-1, 0x1.5555555555556p-3, 0x1.5555555553d63p-5, 0x1.11111111109b3p-7,    \
            0x1.6c16c1788bd90p-10, 0x1.a01a01a7c41d5p-13, 0x1.a019b90d2ae7ap-16,                   \
            0x1.71de0dae63bb3p-19, 0x1.289185613a3d6p-22, 0x1.af38a9b0ec855p-26,                   \
            3.3219280948873623, 0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59, 2.302585092994045684 \
    }
#if defined(__CUDACC__)
static __device__ __constant__ double real_pow10_c[] = REAL_POW10_CONSTANTS;
#endif

/* 10^x for x in [-300, 300]; outside this range, the value at its nearer end.
 *
 * 10^x = 2^k e^t with k the integer nearest to x log2(10) and |t| <= ln(2)/2. e^t = 1 + t + t^2
 * q(t), where q is a polynomial through the Chebyshev nodes of the interval of t, with an error
 * below 2^-55. The terms of q are added in pairs of pairs (Estrin). Their chains of operations are
 * short, and latency costs more than the number of operations. */
INLINE real real_pow10(real x)
{
#if defined(__CUDA_ARCH__)
    const double *c = real_pow10_c;
#else
    const double c[] = REAL_POW10_CONSTANTS;
#endif
    const double log2_of_10 = c[10], log10_of_2_high = c[11], log10_of_2_low = c[12], ln_10 = c[13];
    x = select_lanes(magnitude(x) > 300.0,
                     real_of(bits_of(broadcast(300.0)) | (bits_of(x) & INT64_MIN)), x);

    real shifted = fused_small(x, broadcast(log2_of_10), broadcast(ROUND_TO_INT)),
         k = shifted - ROUND_TO_INT;
    /* `rest` is exact. If k = 0, `rest` is x. If not, x and the rounded product are multiples of 2^-55, and their
     * difference is less than 2^-2. */
    real rest = fused_rest(-k, broadcast(log10_of_2_high), x);
    real t = fused_small(-k, broadcast(log10_of_2_low), rest) * ln_10;
    real t2 = t * t, t4 = t2 * t2;
    real q01 = fused(t, broadcast(c[1]), broadcast(c[0])),
         q23 = fused(t, broadcast(c[3]), broadcast(c[2]));
    real q45 = fused(t, broadcast(c[5]), broadcast(c[4])),
         q67 = fused(t, broadcast(c[7]), broadcast(c[6]));
    real q89 = fused(t, broadcast(c[9]), broadcast(c[8]));
    real q =
        fused_small(t4, fused_small(t4, q89, fused_small(t2, q67, q45)), fused_small(t2, q23, q01));
    real power = 1.0 + fused(t2, q, t);
    return real_of(bits_of(power) + (bits_of(shifted) - ROUND_TO_INT_BITS) * (1LL << 52));
}

/* Corrects w, an approximation of x^(-1/3). near: the error of w, and so the correction, is small
 * enough for fused_small(). */
INLINE real real_rcbrt_step(real x, real w, bool near)
{
    const real third = broadcast(1.0 / 3.0), two_9ths = broadcast(2.0 / 9.0);
    real e = fused_rest(-(x * w), w * w, broadcast(1.0));
    real series = near ? fused_small(e, two_9ths, third) : fused(e, two_9ths, third);
    series = fused_small(e * e, broadcast(14.0 / 81.0), series);
    return near ? fused_small(w * e, series, w) : fused(w * e, series, w);
}

/* x^(-1/3) for positive normal x.
 *
 * The bits of x, read as an integer n, are nearly 2^52 (log2(x) + 1023). The bits of a first value w
 * are nearly 4/3 * 2^52 * 1023 - n / 3. Then |1 - x w^3| < 0.11. Each of the two
 * corrections is the series of (1 - e)^(-1/3) up to e^3. A correction raises the error to its
 * fourth power. */
INLINE real real_rcbrt(real x)
{
    real third = real_of_small(shift_right(bits_of(x), 20)) * (1.0 / 3.0);
    ints guess = 0x553ee978d4fdf3b7LL - small_count(third) * (1LL << 20);
    return real_rcbrt_step(x, real_rcbrt_step(x, real_of(guess), false), true);
}

/* log10(x) for positive normal x. Only the host computes it, once per parameter. x = 2^e m with m
 * in [sqrt(1/2), sqrt(2)) and ln m = 2 atanh((m - 1) / (m + 1)). */
INLINE double real_log10(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t e = (bits - 0x3fe6a09e667f3bcdLL) >> 52;
    bits -= e * (1LL << 52);
    double m;
    memcpy(&m, &bits, sizeof m);

    double s = (m - 1.0) / (m + 1.0), s2 = s * s, series = 0.0;
    for (int n = 25; n >= 3; n -= 2) series = (series + 1.0 / n) * s2;
    const double two_over_ln_10 = 0.86858896380650365530;
    const double log10_of_2_high = 0x1.34413509f78p-2, log10_of_2_low = 0x1.fef311f12b358p-46;
    double fraction = (s + s * series) * two_over_ln_10;
    return (double)e * log10_of_2_high + ((double)e * log10_of_2_low + fraction);
}

#endif
