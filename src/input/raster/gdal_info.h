/* gdal_info.h — GDAL's XML about a raster in the GDAL_METADATA tag of a GeoTIFF; internal. */
#pragma once

#include "geotiff.h"

#include <stdbool.h>

struct gdal_info {
    double scale, offset; /* of band 1: finite; 1 and 0 where not declared */
    char unit[64];        /* of band 1; may be empty; texts can be printed */
    bool alpha;           /* one of the bands is an opacity */
    char terrain[256];    /* item TERRAIN, may be empty */
    char software[64];    /* item SOFTWARE, may be empty */
    char digest[20]; /* item STATE_DIGEST, ENSEMBLE_DIGEST, ...: of the results; may be empty */
};

/* Fills in *g; `name` is the name of the file in messages. */
int gdal_info_read(struct gdal_info *g, const char *xml, const char *name, struct error *e);

/* The XML for the tag, of items of the data set and the description and unit of each band.
 * malloc'ed; NULL: no memory. */
char *gdal_metadata_text(const struct geotiff_item *items, int item_count,
                         const struct geotiff_band *bands, int band_count);
