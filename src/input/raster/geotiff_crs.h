/* geotiff_crs.h — converts the GeoKeys of a TIFF to a struct crs, and back; internal. */
#pragma once

#include "base/error.h"
#include "raster.h"

#include <stdbool.h>
#include <tiffio.h>

/* Reads the keys. *point becomes true if positions are centres of cells. */
int geotiff_crs_read(struct crs *crs, struct vertical *vertical, bool *point, TIFF *tif,
                     const char *path, struct error *e);

/* Writes the keys of a CRS, with PixelIsArea and without keys of heights. Writes no keys if the CRS is not known. */
int geotiff_crs_write(TIFF *tif, const struct crs *crs, const char *path, struct error *e);

/* Whether the keys declare a projected CRS; false for a local grid or no CRS. */
bool geotiff_crs_projected(const struct crs *crs);

/* Copies the WKT of a CRS that keys cannot describe. Some programs write WKT as the name of a CRS. False: no WKT. */
bool geotiff_crs_wkt(const struct crs *crs, char wkt[CRS_MAX_TEXT]);

/* Makes keys with the WKT of a projected CRS in metres. False: the WKT is too long. */
bool geotiff_crs_from_wkt(struct crs *crs, const char *wkt);

/* Whether a CRS is Web Mercator (EPSG:3857), under any name or as a Mercator projection of a sphere. A metre on the
 * ground is 1/cos(latitude) metres of this CRS. */
bool geotiff_crs_web_mercator(const struct crs *crs);
