#include "probability.h"
#include "roundnum.h"

#include "text/number.h"
#include "text/times.h"
#include "text/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DECIMALS = 6 };
static const double NOTHING = 1e-5; /* a smaller share of the members counts as 0 */
static const double powers[DECIMALS + 2] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

/* Rounds half up. The scripts of a page use the same operations, so they round to the same numbers. */
static double whole_of(double x, int decimals)
{
    return floor(x * powers[decimals] + 0.5);
}

/* The number of decimals that gives x two digits (beyond = 100) or three (beyond = 1000). The digits
 * are counted after rounding: 9.94 becomes 9.9, and 9.95 becomes 10. */
static int decimals_of(double x, double beyond)
{
    int n = 0;
    while (n < DECIMALS && whole_of(x, n + 1) < beyond) n++;
    return n;
}

static char *put_digits(char out[16], double x, int decimals)
{
    snprintf(out, 16, "%.*f", decimals, x);
    return out;
}

/* Writes a number without zeros at the end. */
static void put_short(char out[16], double x, int decimals)
{
    put_digits(out, x, decimals);
    if (!decimals) return;
    size_t end = strlen(out);
    while (out[end - 1] == '0') out[--end] = '\0';
    if (out[end - 1] == '.') out[end - 1] = '\0';
}

/* Writes x with two digits, or `from - x` if `from` is above 0. */
static void put_two_digits(char out[16], double x, double from)
{
    const int n = decimals_of(x, 100);
    const double rounded = whole_of(x, n) / powers[n];
    put_short(out, from > 0 ? from - rounded : rounded, n);
}

/* Rounds down or up, so that the written range includes the computed range. Differences below 1e-6 are rounding
 * errors. */
static double outward_of(double x, int decimals, bool up)
{
    x *= powers[decimals];
    return (up ? ceil(x - 1e-6) : floor(x + 1e-6)) / powers[decimals];
}

/* Writes the upper bound of a probability, in percent, for an event that happened in k < 1 members. The bound has two
 * digits, and is rounded up. If `from` is above 0, writes `from` minus the bound. */
static void put_bound(char out[16], double k, double members, double from)
{
    const double bound = 100 * probability_bound(k, members);
    const int n = decimals_of(bound, 100);
    const double up = outward_of(bound, n, true);
    put_short(out, from > 0 ? from - up : up, n);
}

/* Writes the end of a range with three digits, rounded up or down. */
static char *put_end(char out[16], double x, bool up)
{
    const int n = decimals_of(x, 1000);
    put_short(out, outward_of(x, n, up), n);
    return out;
}

/* For k = 0 the bound p solves (1 - p)^n = 0.05, so p is about 2.996 / n. For k = 1, p is about 4.744 / n. For k between
 * 0 and 1 the exponent is linear in k. n is the number of members. */
double probability_bound(double k, double members)
{
    return 1 - exp(-2.995732273553991 * (1 + 0.5835 * k) / members);
}

char *probability_pack(char out[PROBABILITY_TEXT], double p, double members)
{
    const double rest = fmin(p, 1 - p), k = rest * members;
    /* If `from` is 100, the text has 100 minus the percentage of `rest`. */
    const double from = p > 0.5 ? 100 : 0;
    char bound[16], percent[16];
    if (isnan(p) || !(members > 0)) return strcpy(out, "–");
    put_bound(bound, rest < NOTHING ? 0 : k, members, from);
    if (rest < NOTHING) {
        words_pack(out, PROBABILITY_TEXT,
                   from > 0 ? "all of %.0f (above %s %%)" : "none of %.0f (below %s %%)", members,
                   bound);
    } else if (isnan(probability_worded(p, members))) {
        if (k < 1 - 1e-9)
            words_pack(out, PROBABILITY_TEXT, from > 0 ? "above %s %%" : "below %s %%", bound);
        else
            words_pack(out, PROBABILITY_TEXT, "%.0f of %.0f", whole_of(p * members, 0),
                       whole_of(members, 0));
    } else if (k < 1 - 1e-9) {
        put_two_digits(percent, 100 * rest, from);
        words_pack(out, PROBABILITY_TEXT, from > 0 ? "%s %% (above %s %%)" : "%s %% (below %s %%)",
                   percent, bound);
    } else {
        const double error = 100 * sqrt(p * (1 - p) / members);
        const int n = decimals_of(error, 100);
        words_pack(out, PROBABILITY_TEXT, "%s %% ± %s",
                   put_digits(percent, whole_of(100 * p, n) / powers[n], n),
                   put_digits(bound, whole_of(error, n) / powers[n], n));
    }
    return out;
}

char *probability_range_pack(char out[PROBABILITY_TEXT], double p, double low, double high)
{
    const double none = 1e-5, all = 0.999;
    char middle[32], from[16], to[16];
    roundnum_brief(middle, 100 * p);
    put_end(from, 100 * fmin(low, all), false);
    put_end(to, 100 * fmax(high, none), true);
    if (low < none && high > all) return strcpy(out, "not known");
    if (p < none) words_pack(out, PROBABILITY_TEXT, "below %s %%", to);
    else if (p > all) words_pack(out, PROBABILITY_TEXT, "above %s %%", from);
    else if (low < none) words_pack(out, PROBABILITY_TEXT, "%s %% (below %s %%)", middle, to);
    else if (high > all) words_pack(out, PROBABILITY_TEXT, "%s %% (above %s %%)", middle, from);
    else words_pack(out, PROBABILITY_TEXT, "%s %% (%s to %s)", middle, from, to);
    return out;
}

double probability_worded(double p, double members)
{
    const double least = probability_bound(0, members);
    if (isnan(p) || !(members > 0) || (least > 0.33 && fmin(p, 1 - p) < least)) return NAN;
    return p > 0.5 ? fmin(p, 1 - least) : fmax(p, least);
}

const char *probability_word(double p, double members)
{
    if (isnan(p) || !(members > 0)) return "–";
    p = probability_worded(p, members);
    return isnan(p)   ? "not known"
           : p > 0.99 ? "virtually certain"
           : p > 0.9  ? "very likely"
           : p > 0.66 ? "likely"
           : p > 0.33 ? "about as likely as not"
           : p > 0.1  ? "unlikely"
           : p > 0.01 ? "very unlikely"
                      : "exceptionally unlikely";
}

char *probability_text(char out[PROBABILITY_TEXT], double p, double members)
{
    char packed[PROBABILITY_TEXT];
    return words_fill(out, PROBABILITY_TEXT, probability_pack(packed, p, members), NULL);
}

bool probability_is_none(double p)
{
    return p < NOTHING;
}

bool probability_tells_range(double members)
{
    return members > 2.999;
}

char *probability_reached_pack(char out[PROBABILITY_TEXT], double hours)
{
    char text[TIMES_TEXT];
    return words_pack(out, PROBABILITY_TEXT, "reached, seen at %s h",
                      times_hours_said(text, hours * 3600));
}

char *probability_difference_pack(char out[PROBABILITY_TEXT], double difference, double error,
                                  double members)
{
    char bound[16], points[24], about[24];
    if (isnan(difference) || !(members > 0)) return strcpy(out, "–");
    const int n = decimals_of(100 * error, 100);
    put_bound(bound, 0, members, 0);
    snprintf(points, sizeof points, "%+.*f", n, 100 * difference);
    snprintf(about, sizeof about, "%.*f", n, 100 * error);
    if (error > 0) words_pack(out, PROBABILITY_TEXT, "%s ± %s points", points, about);
    else if (difference == 0)
        words_pack(out, PROBABILITY_TEXT, "no difference in %.0f (below %s points)", members,
                   bound);
    else
        words_pack(out, PROBABILITY_TEXT, "%+.0f points in all of %.0f", 100 * difference, members);
    return out;
}

char *probability_difference_text(char out[PROBABILITY_TEXT], double difference, double error,
                                  double members)
{
    char packed[PROBABILITY_TEXT];
    probability_difference_pack(packed, difference, error, members);
    return words_fill(out, PROBABILITY_TEXT, packed, NULL);
}

char *probability_error_text(char out[PROBABILITY_TEXT], double error)
{
    *out = '\0';
    if (error > 0) snprintf(out, PROBABILITY_TEXT, " ± %.2g", error);
    return out;
}

char *probability_most_pack(char out[PROBABILITY_TEXT], double error)
{
    char points[16];
    *out = '\0';
    if (error > 0)
        words_pack(out, PROBABILITY_TEXT,
                   WORDS_PART ", standard error at most %.12s percentage points",
                   put_end(points, 100 * error, true));
    return out;
}

static void put_hours(char out[16], double hours, bool up)
{
    const int n = hours < 10 ? 2 : hours < 100 ? 1 : 0;
    put_short(out, outward_of(hours, n, up), n);
}

static void put_minute(char out[TIMES_TEXT], double hours, const char *start_time)
{
    times_date(out, start_time, 60 * floor(60 * hours + 0.5), TIMES_SAID);
}

char *arrival_range_pack(char out[ARRIVAL_TEXT], double low_h, double high_h,
                         const char *start_time)
{
    char low[16], high[16], from[TIMES_TEXT], to[TIMES_TEXT];
    if (isnan(low_h) || isnan(high_h)) return strcpy(out, "–");
    put_hours(low, low_h, false);
    put_hours(high, high_h, true);
    put_minute(from, low_h, start_time);
    put_minute(to, high_h, start_time);
    if (*from && *to)
        words_pack(out, ARRIVAL_TEXT, "%s to %s h, %.16s to %.20s", low, high, from, to);
    else words_pack(out, ARRIVAL_TEXT, "%s to %s h", low, high);
    return out;
}

char *arrival_range_text(char out[ARRIVAL_TEXT], double low_h, double high_h,
                         const char *start_time)
{
    char packed[ARRIVAL_TEXT];
    return words_fill(out, ARRIVAL_TEXT, arrival_range_pack(packed, low_h, high_h, start_time),
                      NULL);
}
