/* geotiff_crs.h — struct crs from and to the GeoKeys of a TIFF; internal. */
#pragma once

#include "base/error.h"
#include "raster.h"

#include <stdbool.h>
#include <tiffio.h>

/* Reads the keys; *point: positions mean centres of cells. */
int geotiff_crs_read(struct crs *crs, struct vertical *vertical, bool *point, TIFF *tif,
                     const char *path, struct error *e);

/* Sets the keys, always with PixelIsArea and without any of heights; none where the CRS is unknown.
 */
int geotiff_crs_write(TIFF *tif, const struct crs *crs, const char *path, struct error *e);

/* Whether its keys declare a projected CRS; false for a local grid and without a CRS. */
bool geotiff_crs_projected(const struct crs *crs);

/* Copies the WKT that some programs put into the name of a CRS that no key can describe; false:
 * there is none. */
bool geotiff_crs_wkt(const struct crs *crs, char wkt[CRS_MAX_TEXT]);

/* Makes keys that carry the WKT of a projected CRS in metres in that way. False: it is too long. */
bool geotiff_crs_from_wkt(struct crs *crs, const char *wkt);

/* Whether it is Web Mercator (EPSG:3857), under whatever name or as a Mercator projection of a
 * sphere: in metres by the letter, but those are 1/cos(latitude) times as long as metres on the
 * ground. */
bool geotiff_crs_web_mercator(const struct crs *crs);
