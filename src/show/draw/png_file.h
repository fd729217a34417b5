/* png_file.h — a picture as PNG: a file, or bytes for a file of another format. */
#pragma once

#include "base/error.h"

#include <cairo.h>
#include <stddef.h>
#include <stdio.h>

/* Writes a picture of format RGB24 with its title (UTF-8), the digest of what it shows (NULL: none) and resolution; the
 * same picture gives the same bytes. The file appears whole or not at all. An unwritable path is ERROR_FAILED or
 * ERROR_INPUT (atomic_file.h). */
int png_file_write(const char *path, cairo_surface_t *picture, const char *title, const char *of,
                   double dpi, struct error *e);

/* The same as bytes, malloc'ed, without title; NULL: no memory. */
char *png_file_bytes(cairo_surface_t *picture, double dpi, size_t *size);
