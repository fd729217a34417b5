/* archive.h — the file that is meant in a ZIP archive (or KMZ, which is one), found by the ending of its name.
 *
 * Archives come from anywhere: one that unpacks to more than ARCHIVE_GIB, has more than ARCHIVE_ENTRIES, or holds
 * files that GDAL would follow beside another one, is refused. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

enum { ARCHIVE_GIB = 4, ARCHIVE_ENTRIES = 10000 };

/* Whether the file begins as one and is named .zip or .kmz; others are spreadsheets and documents. */
bool archive_is(const char *path);

/* The archive of "archive.zip:entry"; any other path as it is. malloc'ed; NULL: out of memory. */
char *archive_file_of(const char *path);

/* *entry, malloc'ed: the only one whose name ends in one of `endings` (NULL behind the last) and, unless `wanted` is
 * "", is that, with its folders or without, or that with an ending (or matches it: "*_event_*"); of several that differ in their ending, the one with
 * the first of these. ERROR_INPUT: there is none, or several. */
int archive_find(char **entry, const char *path, const char *const *endings, const char *wanted,
                 struct error *e);

/* Appends "archive:entry" (malloc'ed, as the list is) of each such entry: as many as there are. */
int archive_list(char ***list, int *count, const char *path, const char *const *endings,
                 struct error *e);

/* How many there are. */
int archive_count(const char *path, const char *const *endings, const char *wanted);

/* The bytes of an entry as a text; the caller frees it. */
int archive_text(char **text, const char *path, const char *entry, struct error *e);
