/* archive.h — finds a file in a ZIP or KMZ archive by the ending of the file's name.
 *
 * An archive may come from an unknown source. These functions refuse an archive that unpacks to more than ARCHIVE_GIB
 * or has more than ARCHIVE_ENTRIES entries. They also refuse files, such as .vrt, from which GDAL would open other
 * files. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

enum { ARCHIVE_GIB = 4, ARCHIVE_ENTRIES = 10000 };

/* Whether a file begins as a ZIP archive and its name ends in .zip or .kmz. Spreadsheets and documents are ZIP
 * archives with other endings. */
bool archive_is(const char *path);

/* Returns "archive.zip" for "archive.zip:entry", and a copy of any other path. malloc'ed; NULL: out of memory. */
char *archive_file_of(const char *path);

/* Finds the only entry with a name that ends in one of `endings` (NULL after the last). *entry is malloc'ed. If
 * `wanted` is not "", the entry also has to fit `wanted`: its name, with or without folders and ending, or a pattern
 * ("*_event_*"). Entries that differ only in their ending count as one, with the ending that is first in `endings`.
 * ERROR_INPUT: no entry fits, or several do. */
int archive_find(char **entry, const char *path, const char *const *endings, const char *wanted,
                 struct error *e);

/* Appends "archive:entry" to the list for each entry with one of `endings`. The caller frees the texts and the list. */
int archive_list(char ***list, int *count, const char *path, const char *const *endings,
                 struct error *e);

/* The number of entries that archive_find() would consider. */
int archive_count(const char *path, const char *const *endings, const char *wanted);

/* Reads an entry of at most 64 MiB as a text, which the caller frees. */
int archive_text(char **text, const char *path, const char *entry, struct error *e);
