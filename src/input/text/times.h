/* times.h — times as people write them: "90s", "30min", "6h", "2d", "2006-07-12T08:00+02:00".
 *
 * All times are read here: durations with times_span(), moments of an eruption with times_moment(). A number without a
 * unit has the unit of its key or column. Whole milliseconds are read exactly: "1.1" in a key in hours, "1.1h",
 * "66min" and the date 66 minutes after the start give the same number, to the last bit. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* The unit of a number that is written without a unit; TIMES_NONE: the number is refused. */
enum times_plain { TIMES_SECONDS, TIMES_MINUTES, TIMES_HOURS, TIMES_NONE };

/* Reads a duration. ERROR_INPUT: *why has the remedy, and the caller adds the line or key of the text. A number
 * without a unit may be negative and of any size, since the caller checks its range; all other times are from 0 to
 * 1e12 s. */
int times_span(double *time_s, const char *text, enum times_plain plain, struct error *why);

/* Reads a time since the start of the eruption, or a date that is not before the start.
 * `start_time`: the start of the case, as times_start() writes it. "": the case has no start, and a date is refused.
 * NULL: only a duration is read. */
int times_moment(double *time_s, const char *text, enum times_plain plain, const char *start_time,
                 struct error *why);

/* Returns the seconds of a unit. */
double times_unit_s(enum times_plain plain);

/* Writes a time so that a key in hours reads it back to the millisecond: "72", "0.25", or "100s". */
enum { TIMES_TEXT = 32 };
char *times_hours_text(char out[TIMES_TEXT], double time_s);
/* Writes a time for names and sentences: hours with at most 4 decimals, "0.6667". */
char *times_hours_said(char out[TIMES_TEXT], double time_s);

/* Reads a date and time for start_time, and writes it to `out` as "2006-07-14T22:00:00Z". False: it is no date and
 * time. */
bool times_start(const char *text, char out[32]);
#define TIMES_START_REMEDY                                                                         \
    "give a date and time in UTC, for example 2006-07-14T22:00Z, or with its zone, "               \
    "2006-07-15T00:00+02:00"

/* ---- dates ----------------------------------------------------------------------------------- */

/* Reads "2006-07-14", "2006-07-14T22:00" or "2006-07-14 22:00:05" as seconds since 1970, without leap seconds. A date
 * without a zone, or with a Z, is in UTC. A zone is the time by which its clocks are ahead of UTC: +02:00, -03:30. Years
 * are 0000 to 9999 of the Gregorian calendar. */
bool times_date_scan(const char *text, int64_t *unix_s);
/* The seconds by which the clocks of the date's zone are ahead of UTC; 0 also for a text that is no date. */
int times_ahead_s(const char *date);

/* Reads a date as services and programs write it into tables: as times_date_scan() does, and also "20060714",
 * "2006/07/14 22:00:05+00", "20060714T220005Z" and milliseconds since 1970 with 12 or 13 digits. Fractions of a second
 * are cut off. */
bool times_stamp_scan(const char *text, int64_t *unix_s);
#define TIMES_STAMP_REMEDY                                                                         \
    "give dates such as 2006-07-14, 20060714, 2006-07-14T22:00Z, or milliseconds since 1970"

enum times_style {
    TIMES_ISO,  /* 2006-07-14T22:00:00Z */
    TIMES_SAID, /* 2006-07-14 22:00 UTC */
    TIMES_STAMP /* 20060714T2200Z, for names of files */
};

/* Whether any of the words of a text is a date. */
bool times_has_date(const char *text);

/* Writes a date; "" if its year is not 0000 to 9999. Returns out. */
char *times_date_text(char out[TIMES_TEXT], int64_t unix_s, enum times_style style);

/* Writes the date `time_s` seconds after start_time; "" without a start_time. Returns out. */
char *times_date(char out[TIMES_TEXT], const char *start_time, double time_s,
                 enum times_style style);
