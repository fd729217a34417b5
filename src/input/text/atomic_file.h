/* atomic_file.h — a file that gets its final name only when it is complete: it is written under a temporary name in the
 * same folder, and renamed at the end.
 *
 * A temporary name is ".sciara-" and 16 random hexadecimal digits. A temporary file is always created anew, so an
 * existing link is never followed. The writer holds a lock on the file. If a process is killed, the lock of its file
 * becomes free, and atomic_file_sweep() removes the file. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct atomic_file {
    FILE *stream;      /* write here; errors are checked at the end */
    char *path, *temp; /* final and temporary name */
};

/* Creates the temporary file. On an error *w is all zero, and no file remains. */
int atomic_file_open(struct atomic_file *w, const char *path, struct error *e);
/* Closes the file and gives it its name. Afterwards *w is all zero, also on an error. */
int atomic_file_finish(struct atomic_file *w, struct error *e);
/* Like atomic_file_finish(), but forces the content to the disk before the file gets its name. */
int atomic_file_finish_on_disk(struct atomic_file *w, struct error *e);
/* Removes the temporary file; all-zero is fine. */
void atomic_file_abandon(struct atomic_file *w);

/* Returns ERROR_FAILED with one line: why the file cannot be written, and a remedy. `why` is an errno; if it is 0,
 * `words` is the reason. */
int atomic_file_failed(const char *path, int why, const char *words, struct error *e);

/* Writes a whole text, and forces it to the disk before the file gets its name. summary.json is written this way:
 * after a crash, its sizes and checksums of the other files show what is damaged. */
int atomic_file_text(const char *path, const char *text, struct error *e);

/* Writes a file of these bytes. */
int atomic_file_bytes(const char *path, const void *data, size_t size, struct error *e);

/* Whether a file can be created in that folder; false: errno has the reason. Leaves no file. */
bool atomic_file_possible(const char *folder);

/* Removes the temporary files of killed processes from a folder. */
void atomic_file_sweep(const char *folder);
