/* gdal_info.h — GDAL's XML about a raster: the GDAL_METADATA tag in a GeoTIFF, and the file
 * NAME.aux.xml that GDAL, QGIS and ArcGIS write next to a raster of any format; internal. */
#pragma once

#include "geotiff.h"

#include <stdbool.h>
#include <stddef.h>

struct gdal_info {
    /* Of band 1 */
    bool has_nodata, has_scale, has_offset;
    double nodata;
    double scale, offset; /* finite; 1 and 0 where not declared */
    char unit[64];        /* may be empty; texts can be printed */
    /* Of the data set */
    bool alpha; /* one of its bands is an opacity */
    bool has_transform;
    double transform[6]; /* x, dx per column, dx per row, y, dy per column, dy per row; finite */
    char terrain[256];   /* item TERRAIN, may be empty */
    char software[64];   /* item SOFTWARE of a tag, may be empty */
    char *srs;           /* malloc'ed WKT, NULL: none */
};

/* Each fills in *g, and leaves it all zero on an error. `name` is the name of the file in
 * messages. */

int gdal_info_of_tag(struct gdal_info *g, const char *xml, const char *name, struct error *e);
/* The text of a NAME.aux.xml of `size` bytes, which is changed; a NUL stands behind it. */
int gdal_info_of_sidecar(struct gdal_info *g, char *xml, size_t size, const char *name,
                         struct error *e);
/* PATH.aux.xml, if it is there. */
int gdal_info_beside(struct gdal_info *g, const char *path, struct error *e);

void gdal_info_free(struct gdal_info *g); /* all-zero is fine */

/* The XML for the tag, of items of the data set and the description and unit of each band.
 * malloc'ed; NULL: no memory. */
char *gdal_metadata_text(const struct geotiff_item *items, int item_count,
                         const struct geotiff_band *bands, int band_count);
