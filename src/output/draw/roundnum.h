/* roundnum.h — round numbers for people: steps of axes and the text of their values. */
#ifndef SCIARA_ROUNDNUM_H
#define SCIARA_ROUNDNUM_H

/* The number 1, 2 or 5 times a power of ten next at or above v (> 0). */
double roundnum_above(double v);

/* The same at or below v. */
double roundnum_below(double v);

/* v with as many decimals as multiples of `step` need, and a true minus sign. Returns buffer. */
const char *roundnum_text(char buffer[32], double v, double step);

/* Roughly three significant digits, for a single value. */
const char *roundnum_brief(char buffer[32], double v);

/* One of these with a comma before each three digits of its whole part, as a page has it; for
 * quantities, not for coordinates. Returns buffer. */
const char *roundnum_grouped(char buffer[32]);

#endif
