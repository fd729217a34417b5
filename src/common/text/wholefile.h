/* wholefile.h — a file that appears under its name whole or not at all: it is written under a
 * temporary name in the same folder and renamed at the end. */
#ifndef SCIARA_WHOLEFILE_H
#define SCIARA_WHOLEFILE_H

#include "base/error.h"

#include <stdio.h>

struct wholefile {
    FILE *stream;      /* write here; errors are looked for at the end */
    char *path, *temp; /* final and temporary name */
};

/* On an error *w is all zero and nothing is left behind. */
int wholefile_open(struct wholefile *w, const char *path, struct error *e);
int wholefile_finish(struct wholefile *w,
                     struct error *e);       /* close, rename; *w is all zero after it */
void wholefile_abandon(struct wholefile *w); /* remove the temporary file */

/* ERROR_FAILED with one line: why it cannot be written (errno `why`; where 0, the words), and a
 * remedy. */
int wholefile_failed(const char *path, int why, const char *words, struct error *e);

/* All of a text at once. */
int wholefile_text(const char *path, const char *text, struct error *e);

#endif
