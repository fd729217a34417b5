/* geotiff_crs.h — struct crs from and to the GeoKeys of a TIFF; internal. */
#ifndef SCIARA_GEOTIFF_CRS_H
#define SCIARA_GEOTIFF_CRS_H

#include "base/error.h"
#include "georef.h"

#include <stdbool.h>
#include <tiffio.h>

/* Reads the keys into the all-zero *crs; *point says whether positions mean centres of cells. */
int geotiff_crs_read(struct crs *crs, bool *point, TIFF *tif, const char *path, struct error *e);

/* Sets the keys, always with PixelIsArea; none where the CRS is unknown. */
int geotiff_crs_write(TIFF *tif, const struct crs *crs, const char *path, struct error *e);

/* Whether it is Web Mercator (EPSG:3857), under whatever name or as a Mercator projection of a
 * sphere: in metres by the letter, but those are 1/cos(latitude) times as long as metres on the
 * ground. */
bool geotiff_crs_web_mercator(const struct crs *crs);

#endif
