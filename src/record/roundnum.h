/* roundnum.h — round numbers for people: steps of axes and the text of their values. */
#pragma once

/* The number 1, 2 or 5 times a power of ten next at or above v (> 0). */
double roundnum_above(double v);

/* The number 1, 2 or 5 times a power of ten next at or below v. */
double roundnum_below(double v);

/* Round numbers in low..high for an axis of about `parts` parts: (index + i) * step for i < count.
 * count is 0 where the bounds are not finite, or so near that no number of the axis differs. */
struct roundnum_ticks {
    double index, step;
    int count;
};
struct roundnum_ticks roundnum_ticks(double low, double high, double parts);

/* v with as many decimals as multiples of `step` need, and a true minus sign. Returns buffer. */
char *roundnum_text(char buffer[32], double v, double step);

/* Roughly three significant digits and grouped, for a single value. */
char *roundnum_brief(char buffer[32], double v);

/* The text with a comma before each three digits of its whole part, as a page has it; for
 * quantities, not for coordinates. Returns buffer. */
char *roundnum_grouped(char buffer[32]);
