/* twofold.h — numbers of twice the digits of a double, as the sum of two: for converting rates in
 * m3/s to quanta, which has to give the same result on every machine and be right over thousands of
 * steps. Each operation errs by a few parts in 2^104 at most (T. J. Dekker, Numerische Mathematik
 * 18 (1971) 224-242). Arguments are positive and far from the ends of the range of doubles. */
#ifndef SCIARA_TWOFOLD_H
#define SCIARA_TWOFOLD_H

#include "model/lanes.h"

struct twofold {
    double high, low; /* |low| is at most half a unit in the last place of high */
};

/* a + b exactly. */
INLINE struct twofold twofold_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (struct twofold){sum, (a - (sum - part)) + (b - part)};
}

/* a b exactly. */
INLINE struct twofold twofold_product(double a, double b)
{
    double product = a * b;
    return (struct twofold){product, fused(a, b, -product)};
}

INLINE struct twofold twofold_times(struct twofold a, double b)
{
    struct twofold p = twofold_product(a.high, b);
    return twofold_sum(p.high, p.low + a.low * b);
}

INLINE struct twofold twofold_minus(struct twofold a, struct twofold b)
{
    struct twofold d = twofold_sum(a.high, -b.high);
    return twofold_sum(d.high, d.low + (a.low - b.low));
}

INLINE struct twofold twofold_over(struct twofold a, struct twofold b)
{
    double first = a.high / b.high;
    double rest = fused(-first, b.high, a.high) + (a.low - first * b.low);
    return twofold_sum(first, rest / b.high);
}

#endif
