#include "number.h"

#include "plain_locale.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads most numbers of grids: without an exponent, and with digits that make an integer of at most 2^53. The integer
 * and the power of ten are exact in a double, so the single division rounds correctly. NULL: strtod() has to read the
 * number. */
static const char *scan_short(const char *text, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                   1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
    enum { DIGITS = sizeof power / sizeof *power - 1 }; /* `whole` has room for this many digits */
    const char *const first = text + (*text == '-' || *text == '+'), *at = first;
    uint64_t whole = 0;
    for (; is_digit(*at); at++) whole = 10 * whole + (uint64_t)(*at - '0');
    ptrdiff_t digits = at - first, decimals = 0;
    if (*at == '.') {
        for (at++; is_digit(*at); at++) whole = 10 * whole + (uint64_t)(*at - '0');
        decimals = at - first - digits - 1;
        digits += decimals;
    }
    if (!digits || digits > DIGITS || whole > UINT64_C(1) << 53) return NULL;
    if ((*at | 32) == 'e' || (*at | 32) == 'x') return NULL;
    const double size = (double)whole / power[decimals];
    *value = *text == '-' ? -size : size;
    return at;
}

/* strtod() also accepts leading blanks, hexadecimal digits and nan(1), which this function does not read. */
const char *number_scan(const char *text, double *value)
{
    const char *first = text + (*text == '-' || *text == '+');
    const char *stop = scan_short(text, value);
    char *end = NULL;
    if (stop) return stop;
    if (isspace((unsigned char)*text)) return NULL;
    if (*first == '0' && (first[1] == 'x' || first[1] == 'X')) {
        *value = *text == '-' ? -0.0 : 0.0;
        return first + 1;
    }
    IN_PLAIN_LOCALE;
    *value = strtod(text, &end);
    if (end == text) return NULL;
    return isnan(*value) ? first + strlen("nan") : end;
}

/* 1e-11 m is more than the error of rounding to the lattice, 2^-37 m (lattice.h). */
double number_tolerance(double value)
{
    return fmax(FLT_EPSILON * fabs(value), 1e-11);
}

char *number_text(double value, char buffer[32])
{
    if (isnan(value)) return strcpy(buffer, "nan");
    IN_PLAIN_LOCALE;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    return buffer;
}
