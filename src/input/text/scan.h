/* scan.h — strict reading of numbers and words: the whole text is the value, or it is refused. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Reads a finite decimal number ("-1.5", "5.68E-08"). Refuses blanks, trailing text, hexadecimal digits, infinity, NaN
 * and overflow. */
bool scan_real(const char *text, double *value);

/* Reads a whole decimal number ("-9999") within int64_t. */
bool scan_integer(const char *text, int64_t *value);

/* Whether a text is well-formed UTF-8. */
bool scan_utf8(const char *text);

/* Whether a text is well-formed UTF-8 without control characters (C0 and C1, which terminals obey). */
bool scan_printable(const char *text);

/* Whether a text can be the name of a file: it is printable, not empty, not "." or "..", and has no "/". */
bool scan_file_name(const char *text);

/* Makes a foreign text printable, in place. Tabs and ends of lines become blanks, all other unprintable characters
 * become "?". */
void scan_make_printable(char *text);

/* Whether a text shows nothing: blanks, and characters without a width. */
bool scan_blank(const char *text);

/* Encloses a name with right-to-left letters in Unicode isolates, so that it does not reorder the words next to it.
 * Returns out, or the name itself if it has no such letter. */
#define SCAN_ISOLATE "\xE2\x81\xA8"
const char *scan_isolated(char *out, size_t size, const char *name);

/* Returns the number of columns that a well-formed text takes on a terminal. */
int scan_columns(const char *text);

/* Removes an incomplete character of UTF-8 from the end of a text that was cut. */
void scan_cut(char *text);

/* The least number of insertions, removals, replacements and swaps of neighbours that turn a into b, ignoring case;
 * more than 64 if a text has more than 64 characters. */
int scan_distance(const char *a, const char *b);

/* Finds the name that a user probably meant. Begin with {.given = TEXT}, and call scan_nearest() for every candidate.
 * Then `name` is the nearest candidate that differs from `given` in at most about a third of the letters, or that is
 * `given` with a further part after an underscore or a hyphen. NULL: there is no such candidate. */
struct scan_nearest {
    const char *given, *name;
    int distance;
};
void scan_nearest(struct scan_nearest *n, const char *candidate);

/* Whether `given` is probably a mistaken form of `meant`, which has at least four letters. A mistaken form has one or
 * two wrong letters, is cut off, or has a unit. */
bool scan_misspelt(const char *given, const char *meant);

/* Writes a text for XML, to stand between tags or in double quotes. Control characters become blanks. Each
 * entity begins with `and`: "&", or "&amp;" in a text that is escaped twice. */
void scan_put_xml(FILE *f, const char *text, const char *and);

/* Copies at most 40 bytes of a text, for a message; returns out. */
char *scan_excerpt(char out[48], const char *text);
