/* png_file.h — a canvas as a PNG file. */
#ifndef SCIARA_PNG_FILE_H
#define SCIARA_PNG_FILE_H

#include "canvas.h"
#include "base/error.h"

#include <stdbool.h>

/* Writes the picture with its title and resolution; the same picture gives the same bytes. The file
 * appears whole or not at all. An unwritable path is ERROR_FAILED or ERROR_INPUT (wholefile.h). */
int png_file_write(const char *path, const struct canvas *c, const char *title, struct error *e);

/* Whether a file is a PNG that says that sciara wrote it (keyword Software). */
bool png_file_is_ours(const char *path);

#endif
