#include "number.h"

#include "plain_locale.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *scan_word(const char *at, const char *end, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"infinity", INFINITY}, {"inf", INFINITY}, {"nan", NAN}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i].word);
        if ((size_t)(end - at) < n || strncasecmp(at, words[i].word, n) != 0) continue;
        *value = words[i].value;
        return at + n;
    }
    return NULL;
}

/* What the digits say: mantissa * 10^exponent, and where they stop. */
struct decimal {
    uint64_t mantissa;
    long exponent;
    bool exact; /* false: more digits than the mantissa holds */
    const char *stop;
};

static bool scan_decimal(const char *at, const char *end, struct decimal *d)
{
    bool any = false, point = false;
    *d = (struct decimal){.exact = true};
    for (; at < end; at++) {
        if (*at == '.' && !point) {
            point = true;
        } else if (is_digit(*at)) {
            any = true;
            if (d->mantissa <= (UINT64_MAX - 9) / 10) {
                d->mantissa = 10 * d->mantissa + (uint64_t)(*at - '0');
                d->exponent -= point;
            } else {
                d->exact = false;
            }
        } else {
            break;
        }
    }
    d->stop = at;
    if (!any || at == end || (*at != 'e' && *at != 'E')) return any;

    const char *p = at + 1;
    const bool negative = p < end && *p == '-';
    long exponent = 0;
    if (p < end && (*p == '+' || *p == '-')) p++;
    if (p == end || !is_digit(*p)) return true; /* the e belongs to what follows */
    for (; p < end && is_digit(*p); p++)
        if (exponent < 100000) exponent = 10 * exponent + (*p - '0');
    d->exponent += negative ? -exponent : exponent;
    d->stop = p;
    return true;
}

static bool scan_slowly(const char *text, const char *stop, double *value)
{
    char buffer[512];
    const size_t n = (size_t)(stop - text);
    if (n >= sizeof buffer) return false;
    memcpy(buffer, text, n);
    buffer[n] = '\0';
    const struct plain_locale locale = plain_locale_enter();
    *value = strtod(buffer, NULL);
    plain_locale_leave(locale);
    return true;
}

const char *number_scan(const char *text, const char *end, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = text;
    const bool negative = at < end && *at == '-';
    struct decimal d;
    double v;
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (!scan_decimal(at, end, &d)) {
        d.stop = scan_word(at, end, &v);
        if (!d.stop) return NULL;
        *value = negative ? -v : v;
        return d.stop;
    }
    while (d.mantissa > UINT64_C(1) << 53 && d.mantissa % 10 == 0) {
        d.mantissa /= 10;
        d.exponent++;
    }
    /* Both operands are exact in a double, so the one operation rounds correctly. */
    if (d.exact && d.mantissa <= UINT64_C(1) << 53 && d.exponent >= -22 && d.exponent <= 22) {
        v = (double)d.mantissa;
        v = d.exponent < 0 ? v / power[-d.exponent] : v * power[d.exponent];
        *value = negative ? -v : v;
        return d.stop;
    }
    return scan_slowly(text, d.stop, value) ? d.stop : NULL;
}

/* The second bound is above half a unit of the lattice, 2^-37 m (lattice.h). */
double number_tolerance(double value)
{
    return fmax(FLT_EPSILON * fabs(value), 1e-11);
}

char *number_text(double value, char buffer[32])
{

    if (isnan(value)) return strcpy(buffer, "nan");
    const struct plain_locale locale = plain_locale_enter();
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    plain_locale_leave(locale);
    return buffer;
}
