/* gdal_metadata.h — the XML text for a GeoTIFF's GDAL_METADATA tag; internal. gdal_info.h reads it.
 */
#ifndef SCIARA_GDAL_METADATA_H
#define SCIARA_GDAL_METADATA_H

#include "geotiff.h"

/* The XML for items of the data set, and the description and unit of each band. malloc'ed; NULL: no
 * memory. */
char *gdal_metadata_text(const struct geotiff_item *items, int item_count,
                         const struct geotiff_band *bands, int band_count);

#endif
