/* wholefile.h — a file that appears under its name whole or not at all: it is written under a
 * temporary name in the same folder and renamed at the end.
 *
 * Temporary names are ".sciara-" and 16 random hexadecimal digits. They are created anew, never
 * opened: a link that somebody has put there is not followed. As long as the writer lives it holds
 * a lock on its file, so what a killed process left can be told from what is being written. */
#ifndef SCIARA_WHOLEFILE_H
#define SCIARA_WHOLEFILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct wholefile {
    FILE *stream;      /* write here; errors are looked for at the end */
    char *path, *temp; /* final and temporary name */
};

/* On an error *w is all zero and nothing is left behind. */
int wholefile_open(struct wholefile *w, const char *path, struct error *e);
int wholefile_finish(struct wholefile *w,
                     struct error *e); /* close, rename; *w is all zero after it */
/* The same, and what it holds is on the disk before it has its name. */
int wholefile_finish_on_disk(struct wholefile *w, struct error *e);
void wholefile_abandon(struct wholefile *w); /* remove the temporary file */

/* ERROR_FAILED with one line: why it cannot be written (errno `why`; where 0, the words), and a
 * remedy. */
int wholefile_failed(const char *path, int why, const char *words, struct error *e);

/* All of a text at once, on the disk before it has its name: for the one file that says what the
 * others are (summary.json has their sizes and sums, so that what a crash took from them shows). */
int wholefile_text(const char *path, const char *text, struct error *e);

/* Whether a file can be made in that folder; errno says why not. Leaves none. */
bool wholefile_possible(const char *folder);

/* Removes the temporary files of killed processes from a folder. */
void wholefile_sweep(const char *folder);

#endif
