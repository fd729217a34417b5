#include "roundnum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double roundnum_above(double v)
{
    /* products and quotients instead of pow(), so that 1, 2, 5 ... are exact */
    double p = 1;
    while (p < v && p < 1e300) p *= 10;
    while (p / 10 >= v && p > 1e-300) p /= 10;
    const double slack = 1 + 1e-9; /* 0.2 plus a rounding error gives 0.2, not 0.5 */
    if (v <= p / 5 * slack) return p / 5;
    return v <= p / 2 * slack ? p / 2 : p;
}

double roundnum_below(double v)
{
    double above = roundnum_above(v);
    return above <= v * (1 + 1e-9) ? above : roundnum_above(0.4 * above); /* 10 -> 5 -> 2 -> 1 */
}

struct roundnum_ticks roundnum_ticks(double low, double high, double parts)
{
    struct roundnum_ticks t = {0};
    const double size = fmax(fabs(low), fabs(high));
    if (!(size < 1e290 && high - low > 1e-12 * size)) return t;
    t.step = roundnum_above((high - low) / parts);
    t.index = ceil(low / t.step - 1e-9);
    t.count = (int)floor(high / t.step - t.index + 1e-9) + 1;
    return t;
}

static int decimals_for(double step)
{
    int n = 0;
    for (double s = step; n < 9 && fabs(s - floor(s + 0.5)) > 1e-6 * s; s *= 10) n++;
    return n;
}

/* Turns "-0" into "0", and the hyphen into a minus sign, which is as wide as a plus. */
static char *dress(char buffer[32])
{
    char plain[32];
    strcpy(plain, buffer);
    if (plain[0] != '-') return buffer;
    if (strspn(plain, "-0.") == strlen(plain)) strcpy(buffer, plain + 1);
    else snprintf(buffer, 32, "\xE2\x88\x92%.28s", plain + 1);
    return buffer;
}

char *roundnum_text(char buffer[32], double v, double step)
{
    if (fabs(v) >= 1e12 || step < 1e-9) snprintf(buffer, 32, "%.4g", v);
    else snprintf(buffer, 32, "%.*f", decimals_for(step), v);
    return dress(buffer);
}

char *roundnum_grouped(char buffer[32])
{
    const size_t sign = strcspn(buffer, "0123456789");
    const size_t digits = strspn(buffer + sign, "0123456789");
    char plain[32], *to = buffer + sign;
    if (strlen(buffer) + digits / 3 >= 32) return buffer;
    strcpy(plain, buffer);
    for (size_t i = 0; i < digits; i++) {
        if (i && (digits - i) % 3 == 0) *to++ = ',';
        *to++ = plain[sign + i];
    }
    strcpy(to, plain + sign + digits);
    return buffer;
}

char *roundnum_brief(char buffer[32], double v)
{
    double size = fabs(v);
    if (size >= 100 && size < 1e9) snprintf(buffer, 32, "%.0f", v);
    else snprintf(buffer, 32, "%.3g", v);
    return roundnum_grouped(dress(buffer));
}
