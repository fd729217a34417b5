/* double_double.h — numbers with twice the digits of a double, as sums of two doubles. They convert rates in
 * m3/s to quanta with the same result on every machine. Each operation errs by a few parts in 2^104 at most (T. J.
 * Dekker, Numerische Mathematik 18 (1971) 224-242). Arguments are positive and far from the ends of the range of
 * doubles. */
#pragma once

#include "model/lanes.h"

struct double_double {
    double high, low; /* |low| is at most half a unit in the last place of high */
};

/* Returns a + b exactly. */
INLINE struct double_double double_double_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (struct double_double){sum, (a - (sum - part)) + (b - part)};
}

/* Returns the product a * b exactly. */
INLINE struct double_double double_double_product(double a, double b)
{
    double product = a * b;
    return (struct double_double){product, fused(a, b, -product)};
}

INLINE struct double_double double_double_times(struct double_double a, double b)
{
    struct double_double p = double_double_product(a.high, b);
    return double_double_sum(p.high, p.low + a.low * b);
}

INLINE struct double_double double_double_minus(struct double_double a, struct double_double b)
{
    struct double_double d = double_double_sum(a.high, -b.high);
    return double_double_sum(d.high, d.low + (a.low - b.low));
}

INLINE struct double_double double_double_over(struct double_double a, struct double_double b)
{
    double first = a.high / b.high;
    double rest = fused(-first, b.high, a.high) + (a.low - first * b.low);
    return double_double_sum(first, rest / b.high);
}
