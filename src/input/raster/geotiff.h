/* geotiff.h — writing one Float32 layer as a GeoTIFF: tiled, deflate with floating-point predictor,
 * written under a temporary name and renamed when whole. Memory is bounded by a few rows of tiles;
 * tiles are compressed on all OpenMP threads. */
#pragma once

#include "base/error.h"
#include "georef.h"

#include <stdbool.h>

struct geotiff_item {
    const char *name, *value; /* one GDAL metadata item of the data set */
};

struct geotiff_band {
    const char *description; /* "mobile lava thickness" */
    const char *unit;        /* "m" */
};

struct file_progress; /* file_progress.h */

struct geotiff_layer {
    int rows, cols;
    struct georef geo;
    double nodata;           /* declared as GDAL_NODATA */
    const char *description; /* of the band, e.g. "mobile lava thickness" */
    const char *unit;        /* of the band, e.g. "m" */
    int item_count;
    const struct geotiff_item *items;
    /* Fills out[0..cols) with row `row`. Called once per row, in any order, from several threads. */
    void (*row)(const void *context, int row, float *out);
    /* Makes rows row0 to row0 + rows - 1 ready before they are filled: called by one thread, from the north; NULL:
     * not needed. An error ends the writing. Not with geotiff_write_cloud(). */
    int (*ready)(const void *context, int row0, int rows, struct error *e);
    const void *context;
    struct file_progress *progress; /* NULL: none is kept */
    bool stored;                    /* tiles are stored without compression */
    /* geotiff_write_cloud() adds overviews only to a layer with more rows or columns than this; 0: than a tile has */
    int no_overviews_until;
};

/* Opens the library that writing needs (program/proj) now, not when a long run writes its first layer. */
void geotiff_prepare(void);

int geotiff_write(const char *path, const struct geotiff_layer *layer, struct error *e);

/* Writes a Cloud Optimized GeoTIFF: with overviews of half, a quarter, ... of its size (means of
 * the cells that have a value), all directories before all tiles, and the smallest overview's tiles
 * first, so that a reader gets any part at any size with few requests. */
int geotiff_write_cloud(const char *path, const struct geotiff_layer *layer, struct error *e);

/* Whether a file is a GeoTIFF that sciara wrote (item SOFTWARE). */
bool geotiff_is_ours(const char *path);
/* Whether a GeoTIFF by sciara names results with a digest other than this one. */
bool geotiff_is_of_others(const char *path, const char *digest);
