/* roundnum.h — round numbers for people: the steps of axes and how values are written. */
#pragma once

/* The least number of the form 1, 2 or 5 times a power of ten that is >= v (> 0). */
double roundnum_above(double v);

/* The largest number of the form 1, 2 or 5 times a power of ten that is <= v (> 0). */
double roundnum_below(double v);

/* Round numbers in low..high for an axis of about `parts` parts: (index + i) * step for i < count. count is 0 if a bound
 * is not finite, or if the bounds are too near to each other. */
struct roundnum_ticks {
    double index, step;
    int count;
};
struct roundnum_ticks roundnum_ticks(double low, double high, double parts);

/* Writes v with as many decimals as `step` has, and a true minus sign. Returns buffer. */
char *roundnum_text(char buffer[32], double v, double step);

/* Writes a single value with about three significant digits and with commas (roundnum_grouped()). Returns buffer. */
char *roundnum_brief(char buffer[32], double v);

/* Inserts a comma before every three digits of the whole part. Quantities have commas, coordinates do not. Returns
 * buffer. */
char *roundnum_grouped(char buffer[32]);
