/* gdal_info.h — the tag GDAL_METADATA of a GeoTIFF: XML in which GDAL describes the raster; internal. */
#pragma once

#include "geotiff.h"

#include <stdbool.h>

struct gdal_info {
    double scale, offset; /* scale and offset of band 1: finite; by default 1 and 0 */
    char unit[64];        /* unit of band 1, printable; may be empty */
    bool alpha;           /* one of the bands is an opacity */
    char terrain[256];    /* item TERRAIN, may be empty */
    char software[64];    /* item SOFTWARE, may be empty */
    char digest[20]; /* digest of the results, from an item such as STATE_DIGEST; may be empty */
};

/* Fills in *g; `name` is the name of the file in messages. */
int gdal_info_read(struct gdal_info *g, const char *xml, const char *name, struct error *e);

/* Makes the XML of the tag GDAL_METADATA. malloc'ed; NULL: no memory. */
char *gdal_metadata_text(const struct geotiff_item *items, int item_count,
                         const struct geotiff_band *bands, int band_count);
