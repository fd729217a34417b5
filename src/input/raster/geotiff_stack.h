/* geotiff_stack.h — several Float64 bands in one GeoTIFF, without a loss, and sealed: tiled, band
 * after band, deflate with floating-point predictor; behind the TIFF stands the CRC-32 of all of
 * it, so that a reader knows whether every byte is as it was written. NaN is nodata. */
#pragma once

#include "geotiff.h"
#include "tiff_band.h"

struct geotiff_stack {
    int rows, cols, band_count;
    struct georef geo;
    const struct geotiff_band *band; /* band_count of them */
    const char *about;               /* a text: tag ImageDescription */
    int item_count;
    const struct geotiff_item *items;
    /* Fills out[0..cols), of doubles, with a row of a band; from several threads. */
    void (*row)(const void *context, int band, int row, void *out);
    const void *context;
};

/* Appears whole or not at all, and is on the disk then. */
int geotiff_stack_write(const char *path, const struct geotiff_stack *s, struct error *e);

/* The header of a file. */
struct geotiff_stack_head {
    int rows, cols, band_count;
    char *about;             /* malloc'ed */
    struct tiff_band layout; /* of the first band; each of the others has the same */
};

/* ERROR_INPUT: no such file, none of these, truncated or changed; *h is all zero then. `path` has
 * to outlive *h. */
int geotiff_stack_open(struct geotiff_stack_head *h, const char *path, struct error *e);
void geotiff_stack_close(struct geotiff_stack_head *h); /* all-zero is fine */

/* The numbers of a band, from 0, into rows * cols doubles; NaN as it comes. */
int geotiff_stack_read(const struct geotiff_stack_head *h, int band, double *out, struct error *e);
