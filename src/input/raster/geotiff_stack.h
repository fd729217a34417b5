/* geotiff_stack.h — several Float64 bands in one GeoTIFF, lossless and sealed: tiled, band after band, deflate with
 * floating-point predictor. The CRC-32 of all bytes follows the TIFF, so that a reader finds any change. NaN is
 * nodata. */
#pragma once

#include "geotiff.h"
#include "tiff_band.h"

struct geotiff_stack {
    int rows, cols, band_count;
    struct georef geo;
    const struct geotiff_band *band; /* band_count of them */
    const char *about;               /* text of the tag ImageDescription */
    int item_count;
    const struct geotiff_item *items;
    /* Fills out[0..cols) with a row of a band, as doubles. Several threads call this function. */
    void (*row)(const void *context, int band, int row, void *out);
    const void *context;
};

/* Writes the file. It gets its name only when all of it is on the disk. */
int geotiff_stack_write(const char *path, const struct geotiff_stack *s, struct error *e);

/* The header of a file. */
struct geotiff_stack_head {
    int rows, cols, band_count;
    char *about;             /* malloc'ed */
    struct tiff_band layout; /* layout of the first band; all bands have the same layout */
};

/* ERROR_INPUT: the file is missing, of another kind, cut or changed; *h is then all zero. `path` has to outlive *h. */
int geotiff_stack_open(struct geotiff_stack_head *h, const char *path, struct error *e);
void geotiff_stack_close(struct geotiff_stack_head *h); /* all-zero is fine */

/* Reads a band, counted from 0, into rows * cols doubles; NaN: no data. */
int geotiff_stack_read(const struct geotiff_stack_head *h, int band, double *out, struct error *e);
