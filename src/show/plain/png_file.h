/* png_file.h — a picture as PNG: a file, or bytes for a file of another format. */
#pragma once

#include "base/error.h"

#include <stddef.h>

/* Rows of pixels, each RRGGBB in the lower bytes of a uint32_t, from the top; the first of a row is `stride` bytes after that of the row
 * before. */
struct png_pixels {
    const unsigned char *data;
    int width, height;
    size_t stride;
};

/* Writes a picture with its title (UTF-8), the digest of what it shows (NULL: none) and resolution; the
 * same picture gives the same bytes. The file appears whole or not at all. An unwritable path is ERROR_FAILED or
 * ERROR_INPUT (atomic_file.h). */
int png_file_write(const char *path, const struct png_pixels *picture, const char *title,
                   const char *of, double dpi, struct error *e);

/* The bytes of a PNG without title, malloc'ed; NULL: no memory. */
char *png_file_bytes(const struct png_pixels *picture, double dpi, size_t *size);
