/* png_file.h — a picture as PNG: a file, or bytes for a file of another format. */
#pragma once

#include "base/error.h"

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes a picture of format RGB24 with its title (UTF-8), the digest of what it shows (NULL: none) and resolution; the
 * same picture gives the same bytes. The file appears whole or not at all. An unwritable path is ERROR_FAILED or
 * ERROR_INPUT (atomic_file.h). */
int png_file_write(const char *path, cairo_surface_t *picture, const char *title, const char *of,
                   double dpi, struct error *e);

/* The same as bytes, malloc'ed, without title; NULL: no memory. */
char *png_file_bytes(cairo_surface_t *picture, double dpi, size_t *size);

/* The mark of the pictures that sciara draws: a keyword in a PNG, a comment in the others. */
#define PICTURE_MARK_SVG "<!-- Software: sciara -->\n"
#define PICTURE_MARK_PDF "% Software: sciara\n"
#define PICTURE_MARK_XMP                                                                           \
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "                                                \
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "       \
    "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreatorTool='sciara'/></rdf:RDF></x:xmpmeta>\n"

/* Whether the first bytes of a file, or with a negative room its last, have these among them. */
bool picture_has(FILE *f, long room, const char *bytes, size_t length);

/* Whether a file is a picture with the mark of sciara. */
bool picture_is_ours(const char *path);
/* Whether it is one that shows the results with that digest. */
bool picture_is_of(const char *path, const char *of);
