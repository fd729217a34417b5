/* number.h — decimal numbers in text, read and written in the same way in every locale. */
#pragma once

/* Reads one number that begins at `text`: digits with an optional sign, point and exponent, or nan, inf, infinity in any
 * case. It is correctly rounded, or infinite if it is too large. Returns the end of the number; NULL: there is none. */
const char *number_scan(const char *text, double *value);

/* How far a number that was meant to be `value` may differ from it, by single precision, a conversion of units and
 * rounding to the lattice. Numbers this near to a user's limit are within it. */
double number_tolerance(double value);

/* The shortest text that number_scan() reads back as `value`; returns buffer. */
char *number_text(double value, char buffer[32]);
