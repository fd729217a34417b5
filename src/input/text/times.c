#define _DEFAULT_SOURCE /* timegm */
#include "times.h"

#include "number.h"
#include "scan.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const int64_t MOST_MS = 1000000000000000; /* 1e12 s */

/* ---- dates ----------------------------------------------------------------------------------- */

/* The years 0000 to 9999, in seconds since 1970. */
static const int64_t BEGIN_S = -62167219200, END_S = 253402300800;

/* Reads `count` digits at *text as a number, and moves *text past them; -1: they are not there. */
static int take_digits(const char **text, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++, ++*text) {
        if (!isdigit((unsigned char)**text)) return -1;
        n = 10 * n + (**text - '0');
    }
    return n;
}

static bool take_character(const char **text, char c)
{
    if (**text != c) return false;
    ++*text;
    return true;
}

/* Reads "hh:mm" in minutes; -1: it is not there. */
static int take_clock(const char **text)
{
    const int hour = take_digits(text, 2);
    const int minute = hour < 0 || !take_character(text, ':') ? -1 : take_digits(text, 2);
    return minute < 0 || hour > 23 || minute > 59 ? -1 : 60 * hour + minute;
}

/* Reads "", "T22:00", " 22:00:05" or "T22:00:05.000" in seconds; -1: it is another text. */
static int take_time_of_day(const char **text)
{
    int seconds = 0;
    const char *zone = " UTC"; /* may follow a day without a time */
    if (!strcmp(*text, zone) || (!take_character(text, 'T') && !take_character(text, ' ')))
        return 0;
    const int minutes = take_clock(text);
    if (minutes < 0 ||
        (take_character(text, ':') && ((seconds = take_digits(text, 2)) < 0 || seconds > 59)))
        return -1;
    /* A fraction of zeros is accepted. */
    const size_t zeros = **text == '.' ? strspn(*text + 1, "0") : 0;
    if (zeros && !isdigit((unsigned char)(*text)[1 + zeros])) *text += 1 + zeros;
    return 60 * minutes + seconds;
}

/* Whether a text has the form of a time of day, whatever its numbers are. */
static bool is_like_a_clock(const char *text)
{
    static const char form[] = " 00:00";
    for (int i = 1; form[i]; i++)
        if (form[i] == ':' ? text[i] != ':' : !isdigit((unsigned char)text[i])) return false;
    return true;
}

/* Reads a zone as the seconds by which its clocks are ahead of UTC. A zone is "", "Z", "UTC" or "+02:00"; after a time
 * of day (`timed`) also "+0200" or "+02". False: the text is no zone. */
static bool take_zone(const char **text, bool timed, int *ahead_s)
{
    const char *at = *text;
    *ahead_s = 0;
    if (*at == '+' || *at == '-') {
        const int sign = *at++ == '-' ? -1 : 1, hours = take_digits(&at, 2);
        int minutes = 0;
        const bool colon = take_character(&at, ':');
        if (colon || isdigit((unsigned char)*at)) minutes = take_digits(&at, 2);
        *ahead_s = sign * 60 * (60 * hours + minutes);
        if (!(colon || timed) || hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
            return false;
    } else if (!take_character(&at, 'Z')) {
        const char *name = at + (*at == ' ');
        if (!strcmp(name, "UTC")) at = name + strlen(name);
    }
    if (!*at) *text = at;
    return !*at;
}

/* Reads a date. If unreadable text, such as a fraction, follows a good day or time, *rest becomes that text; else "".
 * *ahead_s: seconds by which the clocks of the date's zone are ahead of UTC. */
static bool scan_date(const char *text, int64_t *unix_s, int *ahead_s, const char **rest)
{
    *rest = "";
    const int year = take_digits(&text, 4);
    const int month = year < 0 || !take_character(&text, '-') ? -1 : take_digits(&text, 2);
    const int day = month < 0 || !take_character(&text, '-') ? -1 : take_digits(&text, 2);
    const char *behind_day = text;
    const int time_s = day < 0 ? -1 : take_time_of_day(&text);
    if (time_s < 0) {
        if (day >= 0 && *behind_day && !is_like_a_clock(behind_day)) *rest = behind_day;
        return false;
    }
    if (!take_zone(&text, text > behind_day, ahead_s)) {
        *rest = text;
        return false;
    }
    struct tm t = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};
    *unix_s = (int64_t)timegm(&t) + time_s - *ahead_s; /* timegm() has changed 31 June to 1 July */
    if (t.tm_mon != month - 1 || t.tm_mday != day) return false;
    return *unix_s >= BEGIN_S && *unix_s < END_S;
}

bool times_date_scan(const char *text, int64_t *unix_s)
{
    const char *rest;
    return scan_date(text, unix_s, &(int){0}, &rest);
}

int times_ahead_s(const char *date)
{
    const char *rest;
    int ahead_s;
    return scan_date(date, &(int64_t){0}, &ahead_s, &rest) ? ahead_s : 0;
}

/* Copies two digits, and then `mark`. */
static bool copy_pair(char **to, const char **text, char mark)
{
    if (!isdigit((unsigned char)(*text)[0]) || !isdigit((unsigned char)(*text)[1])) return false;
    *(*to)++ = *(*text)++;
    *(*to)++ = *(*text)++;
    if (mark) *(*to)++ = mark;
    return true;
}

bool times_stamp_scan(const char *text, int64_t *unix_s)
{
    char date[TIMES_TEXT + 8], *to = date, plain[TIMES_TEXT];
    double number;
    if (scan_real(text, &number) && number >= 0 && number < 1e15) { /* 1.6320654e+12 */
        snprintf(plain, sizeof plain, "%.0f", number);
        text = plain;
    }
    const size_t digits = strspn(text, "0123456789"), all = strlen(text);
    const char mark = digits == 4 && text[4] == '/' ? '/' : '-';
    if (digits == all && (all == 12 || all == 13) && scan_integer(text, unix_s)) {
        *unix_s /= 1000;
        return true;
    }
    if (all >= TIMES_TEXT || !copy_pair(&to, &text, '\0')) return false;
    for (int i = 0; i < 3; i++) {
        if (!copy_pair(&to, &text, i < 2 ? '-' : '\0')) return false;
        if (i < 2) take_character(&text, mark);
    }
    if (take_character(&text, 'T') || take_character(&text, ' ') || isdigit((unsigned char)*text)) {
        *to++ = 'T';
        if (!copy_pair(&to, &text, ':')) return false;
        take_character(&text, ':');
        if (!copy_pair(&to, &text, '\0')) return false;
        if (take_character(&text, ':') || isdigit((unsigned char)*text)) {
            *to++ = ':';
            if (!copy_pair(&to, &text, '\0')) return false;
        }
        if (*text == '.' && isdigit((unsigned char)text[1]))
            text += 1 + strspn(text + 1, "0123456789");
    }
    strcpy(to, text); /* the zone */
    return times_date_scan(date, unix_s);
}

bool times_has_date(const char *text)
{
    for (const char *p = text + strspn(text, " \t"); *p; p += strspn(p, " \t")) {
        char word[TIMES_TEXT] = "";
        const size_t length = strcspn(p, " \t");
        int64_t unix_s;
        if (length < sizeof word) memcpy(word, p, length);
        if (times_date_scan(word, &unix_s)) return true;
        p += length;
    }
    return false;
}

char *times_date_text(char out[TIMES_TEXT], int64_t unix_s, enum times_style style)
{
    static const char *const forms[] = {
        [TIMES_ISO] = "%04d-%02d-%02dT%02d:%02d:%02dZ",
        [TIMES_SAID] = "%04d-%02d-%02d %02d:%02d UTC",
        [TIMES_STAMP] = "%04d%02d%02dT%02d%02dZ",
    };
    const time_t time_s = (time_t)unix_s;
    struct tm t;
    *out = '\0';
    if (unix_s < BEGIN_S || unix_s >= END_S || !gmtime_r(&time_s, &t)) return out;
    snprintf(out, TIMES_TEXT, forms[style], (t.tm_year + 1900) % 10000, (t.tm_mon + 1) % 100,
             t.tm_mday % 100, t.tm_hour % 100, t.tm_min % 100, t.tm_sec % 100);
    return out;
}

char *times_date(char out[TIMES_TEXT], const char *start_time, double time_s,
                 enum times_style style)
{
    int64_t start_s;
    *out = '\0';
    if (!times_date_scan(start_time, &start_s) || !(fabs(time_s) <= 1e12)) return out;
    /* Rounds, since a sum of steps of 0.1 s can be a little too small. */
    const int64_t ms = llround(1000 * time_s);
    return times_date_text(out, start_s + (ms - (ms % 1000 + 1000) % 1000) / 1000, style);
}

bool times_start(const char *text, char out[32])
{
    int64_t unix_s;
    return times_date_scan(text, &unix_s) && *times_date_text(out, unix_s, TIMES_ISO);
}

/* ---- spans ----------------------------------------------------------------------------------- */

/* Units of time; those of enum times_plain come first. */
static const struct unit {
    const char *name;
    int64_t ms;
} units[] = {{"s", 1000}, {"min", 60000}, {"h", 3600000}, {"d", 86400000}};
enum { UNITS = sizeof units / sizeof *units };

enum reading { EXACT, ODD, TOO_LONG, TOO_FINE };

/* Reads digits, perhaps with a point, that end at `end`, and multiplies them by a unit. A day has 2^10 * 5^5 * 27 ms,
 * so whole milliseconds, in days, have at most 10 decimals. 11 decimals times the ms of a day fit in an int64_t. */
static enum reading read_exactly(const char *text, const char *end, int64_t unit_ms, int64_t *ms)
{
    enum { DECIMALS = 11 };
    int64_t whole = 0, part = 0, scale = 1;
    bool any = false;
    for (; text < end && isdigit((unsigned char)*text); text++, any = true) {
        whole = 10 * whole + (*text - '0');
        if (whole > MOST_MS / unit_ms) return TOO_LONG;
    }
    if (text < end && *text == '.') text++;
    while (end > text && end[-1] == '0') end--, any = true;
    for (int i = 0; text < end && isdigit((unsigned char)*text); text++, any = true, i++) {
        if (i == DECIMALS) return TOO_FINE;
        part = 10 * part + (*text - '0');
        scale *= 10;
    }
    if (!any || text != end) return ODD;
    if (part * unit_ms % scale) return TOO_FINE;
    *ms = whole * unit_ms + part * unit_ms / scale;
    return *ms > MOST_MS ? TOO_LONG : EXACT;
}

static double in_seconds(int64_t ms)
{
    return (double)ms / 1000; /* ms is exact, so this is the double nearest to the time */
}

/* Reads a number without a unit. Unlike in other forms, fractions of a millisecond are kept. */
static double read_plain(const char *text, double value, enum times_plain plain)
{
    const struct unit *u = &units[plain];
    const bool negative = *text == '-';
    int64_t ms;
    text += negative || *text == '+';
    if (read_exactly(text, text + strlen(text), u->ms, &ms) == EXACT)
        return negative ? -in_seconds(ms) : in_seconds(ms);
    return value * times_unit_s(plain);
}

char *times_hours_text(char out[TIMES_TEXT], double time_s)
{
    const double ms = round(time_s * 1000), hundredths = ms / 36000;
    const bool short_text = hundredths == floor(hundredths);
    snprintf(out, TIMES_TEXT, short_text ? "%.15g" : "%.15gs",
             short_text ? hundredths / 100 : ms / 1000);
    return out;
}

char *times_hours_said(char out[TIMES_TEXT], double time_s)
{
    return number_text(round(time_s / 0.36) / 10000, out);
}

double times_unit_s(enum times_plain plain)
{
    return in_seconds(units[plain].ms);
}

static const char *const plain_names[] = {
    [TIMES_SECONDS] = "seconds", [TIMES_MINUTES] = "minutes", [TIMES_HOURS] = "hours"};

static int refuse_form(enum times_plain plain, bool moment, struct error *why)
{
    const bool named = plain != TIMES_NONE;
    return error_input(why, "give %s%s%sa time with its unit (90s, 30min, 6h, 2d)%s",
                       named ? plain_names[plain] : "", named && moment ? " since the start" : "",
                       !named   ? ""
                       : moment ? ", "
                                : ", or ",
                       moment ? ", or a date and time such as 2006-07-12T06:00Z" : "");
}

static const struct unit *find_unit(const char *name)
{
    int i = 0;
    while (i < UNITS && strcmp(units[i].name, name)) i++;
    return i < UNITS ? &units[i] : NULL;
}

static int read_span(double *time_s, const char *text, enum times_plain plain, bool moment,
                     struct error *why)
{
    double value;
    int64_t ms;
    if (plain != TIMES_NONE && scan_real(text, &value)) {
        *time_s = read_plain(text, value, plain);
        return 0;
    }
    const char *name = text + strspn(text, "0123456789."), *apart = name + strspn(name, " \t");
    const struct unit *u = find_unit(name);
    const enum reading r = u ? read_exactly(text, name, u->ms, &ms) : ODD;
    if (text < name && name < apart && find_unit(apart) && name - text < TIMES_TEXT)
        return error_input(why, "a time is one word; write %.*s%s", (int)(name - text), text,
                           apart);
    if (r == ODD) return refuse_form(plain, moment, why);
    if (r == TOO_LONG) return error_input(why, "the time is too long; give at most 1e12 s");
    if (r == TOO_FINE)
        return error_input(why,
                           "the time is not a whole number of milliseconds; give fewer digits");
    *time_s = in_seconds(ms);
    return 0;
}

/* Whether a text is meant as a date: it begins with digits and a -, which is not the sign of an exponent. */
static bool is_like_a_date(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits && text[digits] == '-';
}

int times_moment(double *time_s, const char *text, enum times_plain plain, const char *start_time,
                 struct error *why)
{
    int64_t date_s, start_s;
    const char *rest;
    if (!start_time || !is_like_a_date(text))
        return read_span(time_s, text, plain, start_time != NULL, why);
    if (!scan_date(text, &date_s, &(int){0}, &rest) && *rest)
        return error_input(
            why,
            "the end of the date, '%.*s', cannot be read; write 2006-07-12T06:00:00, with whole "
            "seconds, in UTC or with its zone, 2006-07-12T08:00:00+02:00",
            (int)fmin(strcspn(rest, "\r\n"), 24), rest);
    if (!times_date_scan(text, &date_s))
        return error_input(why, "the date does not exist; give one such as 2006-07-12T06:00 in "
                                "UTC, or with its zone, 2006-07-12T08:00+02:00");
    if (!times_date_scan(start_time, &start_s))
        return error_input(why, "a date needs start_time in the case; add a line such as "
                                "'start_time 2006-07-12T06:00', or count from the start");
    if (date_s < start_s)
        return error_input(
            why, "the date is before start_time %s; give a later date, or an earlier start_time",
            start_time);
    *time_s = (double)(date_s - start_s);
    return 0;
}

int times_span(double *time_s, const char *text, enum times_plain plain, struct error *why)
{
    return times_moment(time_s, text, plain, NULL, why);
}
