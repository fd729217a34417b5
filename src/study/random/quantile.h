/* quantile.h — functions for distributions, made of operations that IEEE 754 rounds exactly (realmath.h): the same bits
 * on every machine.
 *
 * normal_quantile(u): x = q P(w) with q = 2 u - 1 and w = -ln(1 - q^2) = -ln(4 u (1 - u)). w takes up the singularities
 * of the quantile at u = 0 and 1, so P is smooth (M. Giles, GPU Computing Gems 2, 2011, chapter 10). P is three
 * polynomials through Chebyshev nodes: one in w up to w = 5, two in sqrt(w) above. The relative error of the quantile
 * is below 8e-16 (tests/study/test_quantile.c). */
#pragma once

#include "model/realmath.h"

#include <math.h>

#define QUANTILE_LN_10   2.302585092994045684
#define QUANTILE_LOG10_E 0.43429448190325182765
#define QUANTILE_MOST    8.21 /* |normal_quantile(2^-53)| is less than this */
#define QUANTILE_FEWEST  0x1p-53

INLINE double real_exp(double x)
{
    return real_pow10(x * QUANTILE_LOG10_E);
}
INLINE double real_log(double x)
{
    return real_log10(x) * QUANTILE_LN_10;
}

INLINE double quantile_polynomial(const double *c, int count, double x)
{
    double sum = c[count - 1];
    for (int i = count - 2; i >= 0; i--) sum = sum * x + c[i];
    return sum;
}

/* The standard normal quantile at u in [2^-53, 1 - 2^-53]. If 1 - u is exact, normal_quantile(1 - u) has exactly the
 * bits of -normal_quantile(u). */
INLINE double normal_quantile(double u)
{
    static const double near[22] = {
        0x1.0fc8bc55fe004p+1,   0x1.be777285dcd79p-1,   -0x1.2e78594700fccp-5,
        -0x1.c587595cb0fc3p-6,  0x1.8b133ef32f762p-7,   -0x1.69c13ae05f869p-11,
        -0x1.353cb2ddba3f3p-10, 0x1.b14ae84249eecp-12,  0x1.e5bd5911f88d8p-16,
        -0x1.eb853a7cfafcdp-15, 0x1.9a9a9296a6e12p-17,  0x1.0ea3f1af67de1p-18,
        -0x1.5ff246852560bp-19, 0x1.9c7b9d3c4c4aap-23,  0x1.2fdfb05756d4dp-22,
        -0x1.ae85a51669e16p-24, -0x1.6771fef640578p-27, 0x1.0bdf6596af7abp-26,
        -0x1.1ebf95d1b1c1dp-29, -0x1.78d38d972d290p-30, 0x1.66f4cbb8a0f69p-32,
        0x1.d15f324c7a11dp-35}; /* w in [0, 5] */
    static const double far[24] = {
        0x1.097c5f03858c4p+2,  0x1.46eda7f6e4a99p+0,   0x1.1805f1c89e821p-7,
        -0x1.80e432910724bp-8, 0x1.f53bb55552fa0p-9,   -0x1.28f9d1d920544p-9,
        0x1.035d24aa5f944p-10, -0x1.b450419cb7b79p-13, -0x1.37177003311d4p-14,
        0x1.5aaa2b2ae213cp-14, -0x1.e7bc1cd3eeca3p-16, -0x1.70b7efb3e8b0bp-21,
        0x1.698d475d60d2ap-18, -0x1.3b06c57180284p-19, 0x1.896bd5bd053c0p-23,
        0x1.30f6cd9873dc2p-22, -0x1.4a5c46a79695ap-23, 0x1.c604ab242cb1cp-26,
        0x1.8cade695e7dfep-27, -0x1.445ebac560412p-27, 0x1.2949b0b3126f8p-29,
        0x1.28ae7eca088b1p-31, -0x1.a6c77920be756p-32, 0x1.ca33b6ed24e7ep-35}; /* s in [2.2, 4] */
    static const double end[20] = {
        0x1.c01b8324131f4p+2,   0x1.9254c4674e3bap+0,   -0x1.64d11732cb716p-12,
        -0x1.702179e17875bp-12, 0x1.22102a67c985dp-13,  -0x1.47e87da6050dep-15,
        0x1.470314e2bb44dp-17,  -0x1.33680fe79a277p-19, 0x1.238b5075fc3a3p-21,
        -0x1.454e913c8dd93p-23, 0x1.04adba1cb3bc9p-24,  -0x1.1ad4ab696560fp-25,
        0x1.467b19934cb5bp-26,  -0x1.564168f6a6f37p-27, 0x1.2ca12ea2ff1b9p-28,
        -0x1.bebf12a7f047fp-30, 0x1.1cae4f3c77a25p-31,  -0x1.410710c5b8bcfp-35,
        -0x1.9883b22cc8a61p-34, 0x1.3acc46ed4158fp-35}; /* s in [4, 6.2] */
    const double q = 2 * u - 1, w = -real_log(4 * u * (1 - u));
    if (w < 5) return q * quantile_polynomial(near, 22, (w - 2.5) * 0.4);
    const double s = sqrt(w);
    if (s < 4) return q * quantile_polynomial(far, 24, (s - 3.1) * (1 / 0.9));
    return q * quantile_polynomial(end, 20, (s - 5.1) * (1 / 1.1));
}

/* The probability that a normal number is below x, as a multiple of 2^-53. Bisects normal_quantile(). */
INLINE double normal_probability(double x)
{
    int64_t low = 0, high = (int64_t)1 << 53; /* u = middle * 2^-53 */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (normal_quantile((double)middle * 0x1p-53) <= x) low = middle;
        else high = middle;
    }
    return (double)(low ? low : 1) * 0x1p-53;
}

/* Sine and cosine of an angle in degrees, |degrees| <= 3600. */
INLINE void real_turn(double degrees, double *sine, double *cosine)
{
    const int64_t quarter =
        (int64_t)(degrees / 90 +
                  /* The nearest multiple of 90, or rarely the second nearest. */
                  (degrees < 0 ? -0.5 : 0.5));
    const double x = (degrees - 90 * (double)quarter) * 0.017453292519943295769, x2 = x * x;
    double s = 0, c = 0;
    for (int n = 21; n >= 3; n -= 2) {
        s = (1 - s) * x2 / (n * (n - 1));
        c = (1 - c) * x2 / ((n - 1) * (n - 2));
    }
    s = x - x * s;
    c = 1 - c;
    const int turn = (int)(((quarter % 4) + 4) % 4);
    *sine = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
    *cosine = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
}
