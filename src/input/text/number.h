/* number.h — decimal numbers in text, read and written in the same way in every locale. */
#pragma once

/* Reads one number that begins at `text`: digits with an optional sign, point and exponent, or nan, inf, infinity in
 * any case. The value is correctly rounded, or infinite if it is too large. Returns the end of the number; NULL: `text`
 * does not begin with a number. */
const char *number_scan(const char *text, double *value);

/* Returns how far a number may differ from the intended `value` through single precision, conversion of units and
 * rounding to the lattice. A number this close to a user's limit counts as within the limit. */
double number_tolerance(double value);

/* The shortest text that number_scan() reads back as `value`; returns buffer. */
char *number_text(double value, char buffer[32]);
