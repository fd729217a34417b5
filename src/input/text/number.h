/* number.h — decimal numbers in text, read and written in the same way in every locale. */
#pragma once

/* Reads one number that begins at `text`: digits with an optional sign, point and exponent, or nan, inf, infinity in
 * any case. Correctly rounded; too large gives infinity. Returns where the number stops, or NULL if there is none. */
const char *number_scan(const char *text, double *value);

/* How far two numbers that were meant to be `value` can lie apart: in files of single precision, after a conversion of
 * units, rounded to the lattice. A limit that a user gives includes numbers this near. */
double number_tolerance(double value);

/* The shortest text that number_scan() reads back as `value`; returns buffer. */
char *number_text(double value, char buffer[32]);
