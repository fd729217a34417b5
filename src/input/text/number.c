#include "number.h"

#include "plain_locale.h"

#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t made = PTHREAD_ONCE_INIT;
static locale_t plain; /* stays until the end */

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* strtod() reads more than that: blanks in front, hexadecimal digits, nan(1). */
const char *number_scan(const char *text, double *value)
{
    const char *first = text + (*text == '-' || *text == '+');
    char *end = NULL;
    pthread_once(&made, make_plain);
    if (isspace((unsigned char)*text)) return NULL;
    if (*first == '0' && (first[1] == 'x' || first[1] == 'X')) {
        *value = *text == '-' ? -0.0 : 0.0;
        return first + 1;
    }
    const locale_t before = uselocale(plain);
    *value = strtod(text, &end);
    uselocale(before);
    if (end == text) return NULL;
    return isnan(*value) ? first + strlen("nan") : end;
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
