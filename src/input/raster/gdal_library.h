/* gdal_library.h — loads the GDAL of the machine when a file needs it. So programs run with any GDAL from 3.0 on, and
 * without GDAL. The headers of GDAL give the types of its functions. If sciara is built without these headers,
 * SCIARA_WITH_GDAL is not defined, and nothing is read or written through GDAL.
 *
 * GDAL and the hundred libraries that it needs take 60 ms to load, longer than many runs. */
#pragma once

#include <stdbool.h>

/* Why there is no GDAL, and what to do about it, for messages */
#ifdef SCIARA_WITH_GDAL
#define GDAL_NONE "no libgdal is installed"
#define GDAL_GET  "install it (Debian, Ubuntu: gdal-bin)"
#else
#define GDAL_NONE "this sciara was built without GDAL"
#define GDAL_GET  "install its headers (Debian, Ubuntu: libgdal-dev) and build again"
#endif

/* Writes the name of the loaded library, "libgdal.so.32 (GDAL 3.6.2)"; false: there is no GDAL. */
bool gdal_version(char out[64]);

#ifdef SCIARA_WITH_GDAL
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gdal_utils.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

/* clang-format off */
#define GDAL_CALLS(each) \
    each(CPLSetThreadLocalConfigOption) each(CPLPushErrorHandlerEx) each(CPLPopErrorHandler) \
    each(CPLErrorReset) each(CPLGetLastErrorType) each(CPLGetLastErrorMsg) each(VSIFree) \
    each(VSIUnlink) each(VSIGetMemFileBuffer) each(GDALVersionInfo) each(GDALAllRegister) \
    each(GDALGetDriverByName) each(GDALOpenEx) each(GDALCreate) each(GDALClose) \
    each(GDALGetMetadata) each(GDALGetMetadataItem) each(GDALGetProjectionRef) each(GDALGetGeoTransform) \
    each(GDALGetRasterXSize) each(GDALGetRasterYSize) each(GDALGetRasterCount) \
    each(GDALGetRasterBand) each(GDALGetRasterDataType) each(GDALGetMaskFlags) \
    each(GDALGetMaskBand) each(GDALGetRasterColorInterpretation) each(GDALGetRasterNoDataValue) \
    each(GDALGetRasterScale) each(GDALGetRasterOffset) each(GDALGetRasterUnitType) \
    each(GDALRasterIOEx) each(GDALSetGeoTransform) each(GDALSetSpatialRef) \
    each(GDALSetRasterNoDataValue) each(GDALDatasetGetLayerCount) each(GDALDatasetGetLayer) \
    each(GDALDatasetCreateLayer) each(OGR_L_GetName) each(OGR_L_GetGeomType) \
    each(OGR_L_GetFeatureCount) each(OGR_L_GetSpatialRef) each(OGR_L_ResetReading) \
    each(OGR_L_GetNextFeature) each(OGR_L_GetLayerDefn) each(OGR_L_CreateField) \
    each(OGR_L_CreateFeature) each(OGR_FD_GetFieldCount) each(OGR_FD_GetFieldDefn) each(OGR_F_Create) each(OGR_F_Destroy) each(OGR_F_GetGeometryRef) \
    each(OGR_F_GetFieldCount) each(OGR_F_GetFieldDefnRef) each(OGR_F_IsFieldSetAndNotNull) \
    each(OGR_F_GetFieldAsString) each(OGR_F_GetFieldAsDouble) each(OGR_F_SetFieldDouble) \
    each(OGR_F_SetFieldString) each(OGR_F_SetGeometryDirectly) each(OGR_Fld_Create) \
    each(OGR_Fld_Destroy) each(OGR_Fld_GetNameRef) each(OGR_Fld_GetType) \
    each(OGR_G_GetGeometryType) each(OGR_G_GetLinearGeometry) each(OGR_G_CreateFromWkb) \
    each(OGR_G_DestroyGeometry) each(OGR_G_CloseRings) each(OGR_G_IsEmpty) \
    each(OGR_G_GetGeometryCount) each(OGR_G_GetGeometryRef) each(OGR_G_GetGeometryName) \
    each(OGR_G_GetPointCount) each(OGR_G_GetX) each(OGR_G_GetY) each(OGR_GT_Flatten) \
    each(OSRNewSpatialReference) each(OSRDestroySpatialReference) each(OSRSetFromUserInput) \
    each(OSRSetAxisMappingStrategy) each(OSRGetAuthorityName) each(OSRGetAuthorityCode) \
    each(OSRGetName) each(OSRIsLocal) each(OSRExportToWktEx) each(GDALSetCacheMax64) \
    each(GDALWarpAppOptionsNew) each(GDALWarpAppOptionsFree) \
    each(GDALWarpAppOptionsSetProgress) each(GDALWarp)
/* clang-format on */

#define GDAL_POINTER(name) __typeof__(name) *name;
struct gdal {
    void *library;
    char name[32]; /* "libgdal.so.32" */
    bool network;  /* GDAL may read GeoTIFFs at addresses between gdal_enter() and gdal_leave() */
    GDAL_CALLS(GDAL_POINTER)
};
#undef GDAL_POINTER

/* Loads libgdal, which stays loaded. False: this machine has no libgdal that can be loaded. */
bool gdal_load(struct gdal *g);

/* Between these calls GDAL prints nothing, only reads files, and knows all its formats. With g->network GDAL may use
 * the network: it opens addresses that end in .tif or .tiff, and no files next to them. It tries a server twice, and
 * ends a try if the server sends nothing for 10 s. */
void gdal_enter(const struct gdal *g);
void gdal_leave(const struct gdal *g);

/* Whether GDAL has reported an error since gdal_enter(). */
bool gdal_failed(const struct gdal *g);

/* Writes GDAL's last error message, or `otherwise` if there is none; returns out. */
char *gdal_reason(const struct gdal *g, const char *otherwise, char out[256]);
#endif
