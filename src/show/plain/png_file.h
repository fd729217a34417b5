/* png_file.h — writes a picture as PNG: a file, or bytes for a file of another format. */
#pragma once

#include "base/error.h"

#include <stddef.h>

/* Rows of pixels from the top, each pixel RRGGBB in the lower bytes of a uint32_t; rows are `stride` bytes apart. */
struct png_pixels {
    const unsigned char *data;
    int width, height;
    size_t stride;
};

/* Writes a picture, its title in UTF-8, the digest of the shown results and the resolution, whole or not at all. `of`:
 * the digest; NULL: none. Equal pictures give equal bytes. ERROR_FAILED or ERROR_INPUT: the path cannot be written
 * (atomic_file.h). */
int png_file_write(const char *path, const struct png_pixels *picture, const char *title,
                   const char *of, double dpi, struct error *e);

/* The bytes of a PNG without a title, malloc'ed; NULL: no memory. */
char *png_file_bytes(const struct png_pixels *picture, double dpi, size_t *size);
