/* gdal_raster.h — a raster that is open through GDAL, for who asks GDAL for more than its windows; internal.
 *
 * Empty without the headers of GDAL: then raster_open_anywhere() refuses. */
#pragma once

#include "gdal_library.h"

#ifdef SCIARA_WITH_GDAL
struct gdal_raster {
    struct gdal g;
    char *name; /* as GDAL opens it: with /vsizip/ in front of an archive */
    GDALDatasetH data;
    GDALRasterBandH band; /* the first */
    GDALRasterBandH mask; /* of it, 0: no data; NULL: none but the value for no data */
    bool is_signed;       /* bytes that GDAL before 3.7 reads as unsigned */
    bool placed;          /* it has a georeference: */
    double transform[6];  /* as GDAL gives it */
};
#endif
