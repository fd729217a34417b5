/* geotiff.h — writes one Float32 layer as a GeoTIFF, in tiles, with deflate and the floating-point predictor. The file
 * has a temporary name until it is complete. Writing needs memory for a few rows of tiles. All OpenMP threads compress
 * tiles. */
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
    const char *description; /* name of the band, e.g. "mobile lava thickness" */
    const char *unit;        /* unit of the band, e.g. "m" */
    int item_count;
    const struct geotiff_item *items;
    /* Fills out[0..cols) with row `row`. Called once per row, in any order, from several threads. */
    void (*row)(const void *context, int row, float *out);
    /* Prepares rows row0 to row0 + rows - 1 before row() fills them. One thread calls it, from north to south. NULL:
     * not needed. An error ends the writing. geotiff_write_cloud() needs NULL. */
    int (*ready)(const void *context, int row0, int rows, struct error *e);
    const void *context;
    struct file_progress *progress; /* NULL: no progress is kept */
    bool stored;                    /* tiles are stored without compression */
    /* a layer with at most this number of rows and of columns gets no overviews; 0: the side of a tile */
    int no_overviews_until;
};

/* Opens libgeotiff, which writing needs (program/late/late.h). So a run finds a missing library at its start, not at
 * its first layer. */
void geotiff_prepare(void);

int geotiff_write(const char *path, const struct geotiff_layer *layer, struct error *e);

/* Writes a Cloud Optimized GeoTIFF. Its overviews have half, a quarter, ... of the rows and columns; their cells are
 * means of the cells that have a value. All directories come before all tiles, and the tiles of the smallest overview
 * come first. So a program reads any part at any resolution with few requests. */
int geotiff_write_cloud(const char *path, const struct geotiff_layer *layer, struct error *e);

/* Whether a file is a GeoTIFF that sciara wrote (item SOFTWARE). */
bool geotiff_is_ours(const char *path);
/* Whether sciara wrote a GeoTIFF for results with another digest. */
bool geotiff_is_of_others(const char *path, const char *digest);
