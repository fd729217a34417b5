/* Times as people write them: dates against a calendar that is counted day by day, spans, what they
 * are in an eruption, and the refusal of everything else. */
/* tests: input/eruption */
/* run: plain, sanitized */
#include "effort.h"
#include "eruption/rates.h"
#include "text/times.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t date(const char *text)
{
    int64_t unix_s = INT64_MIN;
    if (!times_date_scan(text, &unix_s)) fail_msg("'%s' is no date", text);
    return unix_s;
}

static const char *iso(int64_t unix_s)
{
    static char text[TIMES_TEXT];
    return times_date_text(text, unix_s, TIMES_ISO);
}

/* ---- dates ----------------------------------------------------------------------------------- */

static void dates_known(void **state)
{
    assert_int_equal(date("1970-01-01"), 0);
    assert_int_equal(date("2001-09-09T01:46:40"), 1000000000); /* the billionth second of Unix */
    assert_int_equal(date("2038-01-19 03:14:07Z"), INT32_MAX);
    assert_int_equal(date("0000-01-01"), -62167219200);
    assert_int_equal(date("9999-12-31T23:59:59"), 253402300799);
    assert_int_equal(date("2006-07-14"), date("2006-07-14T00:00"));
    assert_int_equal(date("2006-07-14Z"), date("2006-07-14 00:00:00"));
    assert_string_equal(iso(date("2006-07-14 22:00")), "2006-07-14T22:00:00Z");
}

static void dates_have_zones(void **state)
{
    const int64_t noon = date("2006-07-12T12:00Z");
    assert_int_equal(date("2006-07-12T14:00+02:00"), noon);
    assert_int_equal(date("2006-07-12T14:00:00+02:00"), noon);
    assert_int_equal(date("2006-07-12T08:30-03:30"), noon);
    assert_int_equal(date("2006-07-12T12:00-00:00"), noon);
    assert_int_equal(date("2006-07-13+12:00"), noon);
    assert_int_equal(date("2004-03-01T00:30+01:00"), date("2004-02-29T23:30"));
    assert_int_equal(date("1999-12-31T23:30-01:00"), date("2000-01-01T00:30"));
}

/* Each form of a table is the date that it would be in a key. */
static void dates_of_tables(void **state)
{
    static const char *const same[][2] = {
        {"20060714", "2006-07-14"},
        {"2006/07/14", "2006-07-14"},
        {"200607142205", "1976-05-10T20:12:22"}, /* (of 12 digits: milliseconds) */
        {"20060714T2205Z", "2006-07-14T22:05"},
        {"20060714220509", "2006-07-14T22:05:09"},
        {"2.0060714220509e+13", "2006-07-14T22:05:09"},
        {"2006/07/14 22:05:09+02", "2006-07-14T20:05:09"},
        {"2006-07-14 22:05:09.999+02:00", "2006-07-14T20:05:09"},
        {"2006-07-14T22:05Z", "2006-07-14T22:05"},
        {"1152914709999", "2006-07-14T22:05:09"},
        {"1152914709", ""},
        {"14/07/2006", ""},
        {"2006-07", ""},
        {"2006-07-14T25:00", ""},
        {"20060732", ""},
        {"2006/07/14 22:05:09 CEST", ""},
        {"-1152914709999", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        int64_t unix_s = 0;
        if (times_stamp_scan(same[i][0], &unix_s) != (*same[i][1] != '\0') ||
            (*same[i][1] && unix_s != date(same[i][1])))
            fail_msg("'%s' is not '%s' but %s", same[i][0], same[i][1], iso(unix_s));
    }
}

/* Every day of ten thousand years: the next date is a day later, and each is read as written. */
static void dates_follow_the_calendar(void **state)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t expected = -62167219200;
    for (int year = 0; year < 10000; year++) {
        const bool leap = year % 400 == 0 || (year % 100 != 0 && year % 4 == 0);
        for (int month = 1; month <= 12; month++) {
            const int last = days[month - 1] + (month == 2 && leap);
            char text[64];
            int64_t unix_s;
            for (int day = 1; day <= last; day++, expected += 86400) {
                if (SANITIZED(day > 1 && day < last, false)) continue;
                snprintf(text, sizeof text, "%04d-%02d-%02dT00:00:00Z", year, month, day);
                if (date(text) != expected) fail_msg("%s", text);
                if (strcmp(iso(expected), text) != 0) fail_msg("%s is %s", text, iso(expected));
            }
            snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, last + 1);
            if (times_date_scan(text, &unix_s)) fail_msg("%s", text);
        }
    }
    assert_int_equal(expected, 253402300800);
}

/* Any second and any zone. */
static void dates_come_back(void **state)
{
    uint64_t draw = 1;
    for (int i = 0; i < SANITIZED(20000, 200000); i++) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        const int64_t unix_s = -62167219200 + 86400 + (int64_t)((draw >> 20) % 315569347200);
        const int ahead_min = (int)((draw >> 8) % (2 * 1440 - 1)) - 1439;
        char text[64], zone[16];
        assert_int_equal(date(iso(unix_s)), unix_s);
        snprintf(zone, sizeof zone, "%c%02d:%02d", ahead_min < 0 ? '-' : '+', abs(ahead_min) / 60,
                 abs(ahead_min) % 60);
        snprintf(text, sizeof text, "%.19s%s", iso(unix_s + 60 * ahead_min), zone);
        assert_int_equal(date(text), unix_s);
    }
}

static void dates_end_with_the_years(void **state)
{
    int64_t unix_s;
    assert_false(times_date_scan("0000-01-01T00:59+01:00", &unix_s));
    assert_false(times_date_scan("9999-12-31T23:00-01:00", &unix_s));
    assert_int_equal(date("0000-01-01T01:00+01:00"), date("0000-01-01"));
    assert_string_equal(iso(253402300800), "");
    assert_string_equal(iso(-62167219201), "");
    assert_string_equal(iso(INT64_MAX), "");
    assert_string_equal(iso(INT64_MIN), "");
}

static void dates_in_other_styles(void **state)
{
    char out[TIMES_TEXT];
    const char *start = "2006-07-12T22:00:00Z";
    assert_string_equal(times_date(out, start, 7205.5, TIMES_ISO), "2006-07-13T00:00:05Z");
    assert_string_equal(times_date(out, start, 7205.5, TIMES_SAID), "2006-07-13 00:00 UTC");
    assert_string_equal(times_date(out, start, 7205.5, TIMES_STAMP), "20060713T0000Z");
    assert_string_equal(times_date(out, start, 30 * 0.1 - 1e-13, TIMES_ISO),
                        "2006-07-12T22:00:03Z");
    assert_string_equal(times_date(out, start, -0.4, TIMES_ISO), "2006-07-12T21:59:59Z");
    assert_string_equal(times_date(out, start, -60, TIMES_ISO), "2006-07-12T21:59:00Z");
    assert_string_equal(times_date(out, "", 0, TIMES_ISO), "");
    assert_string_equal(times_date(out, start, 1e12, TIMES_ISO), "");
    assert_string_equal(times_date(out, start, 1e300, TIMES_ISO), "");
}

static void dates_refused(void **state)
{
    static const char *const bad[] = {"2006",
                                      "2006-07",
                                      "2006-7-14",
                                      "2006-07-14T",
                                      "2006-07-14T22",
                                      "2006-07-14T22:00:",
                                      "2006-07-14T22:00:60",
                                      "2006-07-14T24:00",
                                      "2006-07-14T22:60",
                                      "2006-07-14T22:00:00.5",
                                      "2006-07-14t22:00",
                                      "2006-07-14T22:00z",
                                      "2006-07-14T22:00 Z",
                                      "2006-07-14  22:00",
                                      "2006-07-14T22:00ZZ",
                                      "2006-07-14T22:00+",
                                      "2006-07-14T22:00+2",
                                      "2006-07-14T22:00+24:00",
                                      "2006-07-14T22:00+02:60",
                                      "2006-07-14T22:00+02:00Z",
                                      " 2006-07-14",
                                      "2006-07-14 ",
                                      "2006-00-14",
                                      "2006-13-14",
                                      "2006-07-00",
                                      "2006-02-29",
                                      "1900-02-29",
                                      "2006-02-29T00:00+14:00",
                                      "02006-07-14",
                                      "-006-07-14",
                                      "14-07-2006",
                                      "2006/07/14",
                                      "20060714T2200Z",
                                      "2006-W28-5",
                                      "2006-195",
                                      ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t unix_s;
        char out[32] = "as it was";
        if (times_date_scan(bad[i], &unix_s)) fail_msg("'%s' is read", bad[i]);
        assert_false(times_start(bad[i], out));
        assert_string_equal(out, "as it was");
    }
    int64_t unix_s;
    assert_true(times_date_scan("2000-02-29", &unix_s)); /* which 1900 does not have */
}

/* ---- spans ----------------------------------------------------------------------------------- */

static double span(const char *text, enum times_plain plain)
{
    double time_s = -1;
    struct error e;
    if (times_span(&time_s, text, plain, &e)) fail_msg("'%s': %s", text, e.text);
    return time_s;
}

static void spans_known(void **state)
{
    assert_true(span("90s", TIMES_HOURS) == 90);
    assert_true(span("30min", TIMES_HOURS) == 1800);
    assert_true(span("6h", TIMES_SECONDS) == 21600);
    assert_true(span("2d", TIMES_NONE) == 172800);
    assert_true(span("0s", TIMES_NONE) == 0);
    assert_true(span("1.5h", TIMES_NONE) == 5400);
    assert_true(span("0.25s", TIMES_NONE) == 0.25);
    assert_true(span("0.00001h", TIMES_NONE) == 0.036);
    assert_true(span("1000000000000s", TIMES_NONE) == 1e12);
    assert_true(span("6", TIMES_HOURS) == 21600);
    assert_true(span("6", TIMES_MINUTES) == 360);
    assert_true(span("6", TIMES_SECONDS) == 6);
    assert_true(span("-6", TIMES_HOURS) == -21600);
    assert_true(span("1e2", TIMES_HOURS) == 360000);
    assert_true(span("1e12", TIMES_HOURS) == 3.6e15); /* whose range its key checks */
    assert_true(span("0.123456789", TIMES_HOURS) == 0.123456789 * 3600);
}

/* As doubles 1.1 * 3600 is more than 3960. */
static void spans_are_exact(void **state)
{
    double wrong = 0;
    for (int minute = 0; minute < SANITIZED(10000, 100000); minute++) {
        char hours[32], minutes[32];
        snprintf(minutes, sizeof minutes, "%dmin", 6 * minute);
        snprintf(hours, sizeof hours, "%d.%d", minute / 10, minute % 10);
        wrong += strtod(hours, NULL) * 3600 != 360.0 * minute;
        assert_true(span(minutes, TIMES_NONE) == 360.0 * minute);
        assert_true(span(hours, TIMES_HOURS) == 360.0 * minute);
        assert_true(span(strcat(hours, "h"), TIMES_NONE) == 360.0 * minute);
    }
    assert_true(wrong > 0); /* so this is about something */
}

static void spans_come_back(void **state)
{
    uint64_t draw = 7;
    char text[TIMES_TEXT];
    for (int i = 0; i < SANITIZED(20000, 200000); i++) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        const double time_s = (double)((draw >> 11) % 1000000000000001 >> draw % 40) / 1000;
        snprintf(text, sizeof text, "%.3fs", time_s);
        if (span(text, TIMES_NONE) != time_s) fail_msg("%s", text);
    }
}

static void assert_refused(const char *text, enum times_plain plain, const char *start,
                           const char *because)
{
    double time_s = -1;
    struct error e = {0};
    if (times_moment(&time_s, text, plain, start, &e) != ERROR_INPUT)
        fail_msg("'%s' is read as %g", text, time_s);
    if (!strstr(e.text, because)) fail_msg("'%s': %s", text, e.text);
    assert_null(strchr(e.text, '\n'));
    assert_true(time_s == -1);
}

/* The end of a whole number of steps, written as the end of a case: not a step more. */
static void hours_come_back(void **state)
{
    static const double clock_s[] = {120, 60, 300, 1068.48, 0.5, 119.76};
    char text[TIMES_TEXT];
    assert_string_equal(times_hours_text(text, 259200), "72");
    assert_string_equal(times_hours_text(text, 900), "0.25");
    assert_string_equal(times_hours_text(text, 100), "100s");
    assert_string_equal(times_hours_said(text, 259200), "72");
    assert_string_equal(times_hours_said(text, 2400), "0.6667");
    assert_string_equal(times_hours_said(text, 360.36), "0.1001");
    for (int i = 0; i < 6; i++)
        for (int steps = 1; steps < 30000; steps += 1 + steps / 7) {
            double time_s = -1;
            const char *hours = times_hours_text(text, steps * clock_s[i] / 3600 * 3600);
            assert_int_equal(times_moment(&time_s, hours, TIMES_HOURS, "", NULL), 0);
            assert_true(fabs(time_s - steps * clock_s[i]) < 1e-6);
            assert_int_equal(rates_first_step(time_s, 1, clock_s[i]), steps);
        }
}

static void spans_refused(void **state)
{
    static const char *const bad[] = {
        "",     "h",     "6hours", "6H",   "6m",  "6hh", "6h30min", "-6h",  "+6h",  "1e2h",
        ".h",   "1..5h", "1.5.h",  "6h ",  " 6h", "six", "0x6h",    "infh", "nan",  "inf",
        "6,5h", "6h,",   "\xffh",  "6\nh", "6µs", "6ms", "1/2h",    "PT6H", "06:00"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused(bad[i], TIMES_HOURS, "", "give hours since the start, a time with its unit");
        assert_refused(bad[i], TIMES_NONE, "2006-07-12T06:00:00Z", "give a time with its unit");
    }
    assert_refused("6", TIMES_NONE, "", "give a time with its unit");
    assert_refused("6 h", TIMES_HOURS, "", "a time is one word; write 6h");
    assert_refused("0.1 \tmin", TIMES_NONE, "", "a time is one word; write 0.1min");
    assert_refused(" h", TIMES_HOURS, "", "give hours");
    assert_refused("6 hours", TIMES_HOURS, "", "give hours");
    assert_refused("0.0001s", TIMES_HOURS, "", "milliseconds");
    assert_refused("0.000001min", TIMES_HOURS, "", "milliseconds");
    assert_refused("0.000000000001h", TIMES_HOURS, "", "milliseconds");
    assert_refused("1000000000001s", TIMES_HOURS, "", "too long");
    assert_refused("1000000000000.001s", TIMES_HOURS, "", "too long");
    assert_refused("11574075d", TIMES_HOURS, "", "too long");
    assert_refused("99999999999999999999999999d", TIMES_HOURS, "", "too long");
    struct error e;
    double time_s;
    assert_int_equal(times_span(&time_s, "2006-07-12", TIMES_HOURS, &e), ERROR_INPUT);
    assert_string_equal(e.text, "give hours, or a time with its unit (90s, 30min, 6h, 2d)");
}

/* ---- moments --------------------------------------------------------------------------------- */

static void moments_of_an_eruption(void **state)
{
    static const struct {
        const char *text;
        double time_s;
    } known[] = {{"2006-07-12T06:00", 0},
                 {"2006-07-12T06:00:01Z", 1},
                 {"2006-07-12T08:00+02:00", 0},
                 {"2006-07-12T08:00:01.000+0200", 1},
                 {"2006-07-12T06:00:00.000Z", 0},
                 {"2006-07-12 08:00+02", 0},
                 {"2006-07-12 06:00 UTC", 0},
                 {"2006-07-13 UTC", 18 * 3600},
                 {"2006-07-13", 18 * 3600},
                 {"2006-07-12T00:00-12:00", 21600},
                 {"6", 21600},
                 {"6h", 21600},
                 {"9999-12-31", 252249530400.0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double time_s = -1;
        assert_int_equal(
            times_moment(&time_s, known[i].text, TIMES_HOURS, "2006-07-12T06:00:00Z", NULL), 0);
        if (time_s != known[i].time_s) fail_msg("%s: %.0f", known[i].text, time_s);
    }
}

static void moments_refused(void **state)
{
    const char *start = "2006-07-12T06:00:00Z";
    assert_refused("2006-07-13", TIMES_HOURS, "", "a date needs start_time");
    assert_refused("2006-07-12T05:59:59", TIMES_HOURS, start, "before start_time 2006-07-12T06:00");
    assert_refused("2006-07-12T07:59+02:00", TIMES_HOURS, start, "before start_time");
    assert_refused("2006-02-30", TIMES_HOURS, start, "the date does not exist");
    assert_refused("2006-07-12T06:00:00.5", TIMES_HOURS, start,
                   "the end of the date, '.5', cannot be read");
    assert_refused("2006-07-12T06:00 CEST", TIMES_HOURS, start,
                   "the end of the date, ' CEST', cannot be read");
    assert_refused("2006-07-12T06:00+2", TIMES_HOURS, start,
                   "the end of the date, '+2', cannot be read");
    assert_refused("2006-07-12T06:00+02:60", TIMES_HOURS, start,
                   "the end of the date, '+02:60', cannot be read");
    assert_refused("2006-07-12-05", TIMES_HOURS, start,
                   "the end of the date, '-05', cannot be read");
    assert_refused("2006-07-12T2200", TIMES_HOURS, start,
                   "the end of the date, 'T2200', cannot be read");
    assert_refused("2006-07-12T22", TIMES_HOURS, start,
                   "the end of the date, 'T22', cannot be read");
    assert_refused("2006-07-12T24:00", TIMES_HOURS, start, "the date does not exist");
    assert_refused("14-07-2006", TIMES_NONE, start, "the date does not exist");
}

/* The clocks of a zone are ahead by what the same date without the zone is later. */
static void zones_are_what_they_shift(void **state)
{
    static const char *const zone[] = {"",       "Z",     " UTC",  "+02:00",
                                       "-03:30", "+0530", "-0330", "+02"};
    char date[64];
    int64_t plain_s, zoned_s;
    (void)state;
    assert_true(times_date_scan("2026-11-25T05:00", &plain_s));
    for (size_t i = 0; i < sizeof zone / sizeof *zone; i++) {
        snprintf(date, sizeof date, "2026-11-25T05:00%s", zone[i]);
        assert_true(times_date_scan(date, &zoned_s));
        assert_int_equal(times_ahead_s(date), plain_s - zoned_s);
    }
    assert_int_equal(times_ahead_s("2026-11-25T05:00+05:30"), 19800);
    assert_int_equal(times_ahead_s("48h"), 0);
}

int main(void)
{
    return UNIT_RUN(dates_known, dates_of_tables, dates_have_zones, zones_are_what_they_shift,
                    dates_follow_the_calendar, dates_come_back, dates_end_with_the_years,
                    dates_in_other_styles, dates_refused, spans_known, spans_are_exact,
                    spans_come_back, hours_come_back, spans_refused, moments_of_an_eruption,
                    moments_refused);
}
