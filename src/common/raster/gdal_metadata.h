/* gdal_metadata.h — the XML text of a GeoTIFF's GDAL_METADATA tag; internal. */
#ifndef SCIARA_GDAL_METADATA_H
#define SCIARA_GDAL_METADATA_H

#include "geotiff.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds the item `name` of the data set (role NULL), or the item with that role of the first band
 * (name NULL), and writes its text without markup into out, cut to size (at a character's border)
 * and with blanks for control characters. False: there is none. */
bool gdal_metadata_find(const char *xml, const char *name, const char *role, char *out,
                        size_t size);

/* The XML for the layer's items, description and unit. malloc'ed; NULL: no memory. */
char *gdal_metadata_text(const struct geotiff_layer *layer);

#endif
