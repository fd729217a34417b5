/* archive.h — finds the wanted file in a ZIP archive (KMZ is one, too) by the ending of its name.
 *
 * Archives come from anywhere. Refused is one that unpacks to more than ARCHIVE_GIB, has more than ARCHIVE_ENTRIES,
 * or has files from which GDAL would open others. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

enum { ARCHIVE_GIB = 4, ARCHIVE_ENTRIES = 10000 };

/* Whether a file begins as an archive and is named .zip or .kmz; other archives are spreadsheets and documents. */
bool archive_is(const char *path);

/* The archive of "archive.zip:entry"; any other path as it is. malloc'ed; NULL: out of memory. */
char *archive_file_of(const char *path);

/* Finds the only entry with a name that ends in one of `endings` (NULL after the last); *entry is malloc'ed. Unless
 * `wanted` is "", the name also has to be `wanted`, with or without its folders and ending, or match it
 * ("*_event_*"). Of entries that differ only in their ending, the one with the earliest in `endings` counts.
 * ERROR_INPUT: there is none, or several. */
int archive_find(char **entry, const char *path, const char *const *endings, const char *wanted,
                 struct error *e);

/* Appends "archive:entry" of each entry with one of `endings`; both texts and list are malloc'ed. */
int archive_list(char ***list, int *count, const char *path, const char *const *endings,
                 struct error *e);

/* The number of entries that archive_find() would consider. */
int archive_count(const char *path, const char *const *endings, const char *wanted);

/* The bytes of an entry as a text; the caller frees it. */
int archive_text(char **text, const char *path, const char *entry, struct error *e);
