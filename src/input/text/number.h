/* number.h — decimal numbers in text, read and written in the same way in every locale. */
#pragma once

/* Reads one number that begins at `text`: digits with an optional sign, point and exponent, or nan, inf, infinity in any
 * case. It is correctly rounded, or infinite if it is too large. Returns the end of the number; NULL: there is none. */
const char *number_scan(const char *text, double *value);

/* How far numbers that were meant to be `value` may differ from it, in files of single precision, after a conversion
 * of units, rounded to the lattice. A limit by a user includes numbers this near. */
double number_tolerance(double value);

/* The shortest text that number_scan() reads back as `value`; returns buffer. */
char *number_text(double value, char buffer[32]);
