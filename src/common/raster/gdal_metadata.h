/* gdal_metadata.h — the XML text for a GeoTIFF's GDAL_METADATA tag; internal. gdal_info.h reads it.
 */
#ifndef SCIARA_GDAL_METADATA_H
#define SCIARA_GDAL_METADATA_H

#include "geotiff.h"

/* The XML for the layer's items, description and unit. malloc'ed; NULL: no memory. */
char *gdal_metadata_text(const struct geotiff_layer *layer);

#endif
