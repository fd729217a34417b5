/* realmath.h — the three transcendental functions that the model needs, made only of operations that
 * IEEE 754 rounds exactly, so that every processor gets the same bits. 10^x and x^(-1/3) are at
 * most 2 ulp from the true value, log10 4 ulp (tests/test_realmath.c, against long double). */
#ifndef SCIARA_REALMATH_H
#define SCIARA_REALMATH_H

#include "lattice.h"

/* 10^x for x in [-300, 300]; beyond, the value at the end of the range.
 *
 * 10^x = 2^k e^t with k the integer nearest to x log2(10) and |t| <= ln(2)/2. k log10(2) is subtracted
 * in two pieces, the first with so few bits that its product with k is exact. The series of e^t ends
 * where the next term is below 2^-57. */
HD real real_pow10(real x)
{
    const double log2_of_10 = 3.3219280948873623, ln_10 = 2.302585092994045684;
    const double log10_of_2_high = 0x1.34413509f78p-2, log10_of_2_low = 0x1.fef311f12b358p-46;
    x = pick(x > 300.0, all_of(300.0), pick(x < -300.0, all_of(-300.0), x));

    real shifted = x * log2_of_10 + ROUND_TO_INT;
    real k = shifted - ROUND_TO_INT;
    real t = ((x - k * log10_of_2_high) - k * log10_of_2_low) * ln_10;

    /* The series in halves of halves (Estrin): short chains, for processors wait for one operation's result
     * longer than for the operation. */
    real t2 = t * t, t4 = t2 * t2;
    real a = (1.0 / 2.0 + t * (1.0 / 6.0)) + t2 * (1.0 / 24.0 + t * (1.0 / 120.0));
    real b = (1.0 / 720.0 + t * (1.0 / 5040.0)) + t2 * (1.0 / 40320.0 + t * (1.0 / 362880.0));
    real c = (1.0 / 3628800.0 + t * (1.0 / 39916800.0)) +
             t2 * (1.0 / 479001600.0 + t * (1.0 / 6227020800.0));
    real power = 1.0 + (t + t2 * ((a + t4 * b) + (t4 * t4) * c));
    return real_of(bits_of(power) + (bits_of(shifted) - ROUND_TO_INT_BITS) * (1LL << 52));
}

/* x^(-1/3) for positive normal x.
 *
 * The bits of x, read as an integer, are nearly 2^52 (log2(x) + 1023); taking a third of that from
 * 4/3 of 2^52 * 1023 gives a first value with |1 - x w^3| < 0.11. Each of the two corrections is the
 * series of (1 - e)^(-1/3) up to e^3 and raises the error to its fourth power. */
HD real real_rcbrt(real x)
{
    real third = real_of_small(shift_right(bits_of(x), 20)) * (1.0 / 3.0);
    ints guess = 0x553ee978d4fdf3b7LL - small_count(third) * (1LL << 20);
    real w = real_of(guess);
    for (int i = 0; i < 2; i++) {
        real e = 1.0 - x * w * (w * w);
        w = w + (w * e) * ((1.0 / 3.0 + e * (2.0 / 9.0)) + (e * e) * (14.0 / 81.0));
    }
    return w;
}

/* log10(x) for positive normal x: on the host, once per parameter. x = 2^e m with m in
 * [sqrt(1/2), sqrt(2)) and ln m = 2 atanh((m - 1) / (m + 1)). */
static inline double real_log10(double x)
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
