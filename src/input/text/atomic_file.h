/* atomic_file.h — a file that appears whole under its final name or not at all: it is written under a temporary name
 * in the same folder, and renamed at the end.
 *
 * Temporary names are ".sciara-" and 16 random hexadecimal digits. They are always created,
 * never opened: an existing link is not followed. The writer holds a lock on its file until it
 * ends, which distinguishes files left by a killed process from files being written. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct atomic_file {
    FILE *stream;      /* write here; errors are checked at the end */
    char *path, *temp; /* final and temporary name */
};

/* On an error *w is all zero and nothing is left behind. */
int atomic_file_open(struct atomic_file *w, const char *path, struct error *e);
/* Closes the file and gives it its name. Afterwards *w is all zero, also on an error. */
int atomic_file_finish(struct atomic_file *w, struct error *e);
/* As atomic_file_finish(), but the content is on the disk before the file has its name. */
int atomic_file_finish_on_disk(struct atomic_file *w, struct error *e);
/* Removes the temporary file. */
void atomic_file_abandon(struct atomic_file *w);

/* ERROR_FAILED with one line: why the file cannot be written (errno `why`; if 0, `words`), and a remedy. */
int atomic_file_failed(const char *path, int why, const char *words, struct error *e);

/* Writes a whole text, forced to disk before it gets its name: for the file that describes the
 * others (summary.json has their sizes and checksums, which show damage by a crash). */
int atomic_file_text(const char *path, const char *text, struct error *e);

/* Writes a file of these bytes. */
int atomic_file_bytes(const char *path, const void *data, size_t size, struct error *e);

/* Whether a file can be created in that folder; false: errno has the reason. Leaves no file. */
bool atomic_file_possible(const char *folder);

/* Removes the temporary files of killed processes from a folder. */
void atomic_file_sweep(const char *folder);
