/* tiff_io.h — libtiff handles that know the GeoTIFF and GDAL tags and print nothing; internal. */
#pragma once

#include <stdbool.h>
#include <tiffio.h>
#include <xtiffio.h>

#ifndef TIFFTAG_GDAL_METADATA /* libtiff's header may name the tags, but libtiff lacks their types */
#define TIFFTAG_GDAL_METADATA 42112
#define TIFFTAG_GDAL_NODATA   42113
#endif

/* Mode for reading without a memory map: if a mapped file shrinks, the process is killed. */
#define TIFF_READ "rm"

/* The first error that libtiff had with a handle, in one line; empty: none. */
struct tiff_log {
    const char *path; /* path as given to tiff_open(); removed from the start of messages */
    char text[256];
    bool tag_lost; /* a tag was ignored: the file ends before its value */
};

/* Prepares libtiff, once for the process. tiff_open() calls it, too. */
void tiff_prepare(void);

/* Opens a file like TIFFOpen(), and empties *log, which belongs to this handle alone and has to outlive it. Only one
 * thread at a time may use a handle. The caller closes it with TIFFClose(). */
TIFF *tiff_open(const char *path, const char *mode, struct tiff_log *log);

/* Returns the error of libtiff, or "libtiff gives no reason". */
const char *tiff_reason(const struct tiff_log *log);
