/* gdal_raster.h — GDAL's handles of an open raster, and the georeference of the raster; internal.
 *
 * Without the headers of GDAL this header is empty, and raster_open_anywhere() refuses every file. */
#pragma once

#include "gdal_library.h"

#ifdef SCIARA_WITH_GDAL
struct gdal_raster {
    struct gdal g;
    char *name; /* GDAL's name of the file, with /vsizip/ before an archive */
    GDALDatasetH data;
    GDALRasterBandH band; /* band 1 */
    GDALRasterBandH mask; /* 0 in the mask is no data; NULL: only a value marks no data */
    bool is_signed;       /* the bytes are signed, but GDAL before 3.7 reads them as unsigned */
    bool placed;          /* false: the file has no georeference, so `transform` has no meaning */
    double transform[6];  /* x = [0] + [1] * col + [2] * row; y = [3] + [4] * col + [5] * row */
};
#endif
