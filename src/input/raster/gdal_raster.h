/* gdal_raster.h — a raster that is open through GDAL, for callers that need more than windows; internal.
 *
 * Without the headers of GDAL it is empty, and raster_open_anywhere() refuses every file. */
#pragma once

#include "gdal_library.h"

#ifdef SCIARA_WITH_GDAL
struct gdal_raster {
    struct gdal g;
    char *name; /* for GDAL: with /vsizip/ in front of an archive */
    GDALDatasetH data;
    GDALRasterBandH band; /* the first */
    GDALRasterBandH mask; /* its 0 is no data; NULL: only a value marks no data */
    bool is_signed;       /* bytes that GDAL before 3.7 reads as unsigned */
    bool placed;          /* it has a georeference, which is in `transform` */
    double transform[6];  /* x, dx per column, dx per row, y, dy per column, dy per row */
};
#endif
