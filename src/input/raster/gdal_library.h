/* gdal_library.h — the functions of GDAL that are called, declared here: sciara is built without
 * GDAL, and loads the libgdal of the machine when a file needs it. Its C interface has had all of
 * these, with these types, since GDAL 3.0.
 *
 * GDAL and its hundred libraries take 60 ms to load, more than many runs take. */
#pragma once

#include <stdbool.h>

typedef void *GDALDriverH, *GDALDatasetH, *GDALRasterBandH, *OGRLayerH, *OGRFeatureH,
    *OGRFeatureDefnH, *OGRFieldDefnH, *OGRGeometryH, *OGRSpatialReferenceH;
typedef void gdal_error_handler(int class, int number, const char *text);

/* Values of GDAL's enumerations and flags, which are part of its binary interface */
enum {
    CE_Failure = 3,
    OGRERR_NONE = 0,
    GDT_Unknown = 0,
    GDT_Byte = 1,
    GDT_Float32 = 6,
    GDT_Float64 = 7,
    GDT_Int8 = 14,
    GF_Read = 0,
    GF_Write = 1,
    GMF_ALL_VALID = 1,
    GMF_ALPHA = 4,
    GMF_NODATA = 8,
    OAMS_TRADITIONAL_GIS_ORDER = 0,
    OFTReal = 2,
    OFTString = 4,
    GDAL_OF_READONLY = 0,
    GDAL_OF_RASTER = 2,
    GDAL_OF_VECTOR = 4,
    GDAL_OF_VERBOSE_ERROR = 64
};
enum {
    wkbPoint = 1,
    wkbLineString,
    wkbPolygon,
    wkbMultiPoint,
    wkbMultiLineString,
    wkbMultiPolygon,
    wkbGeometryCollection,
    wkbNone = 100
};

/* clang-format off */
#define GDAL_CALLS(each)                                                                           \
    each(void, CPLSetThreadLocalConfigOption, (const char *key, const char *value))                \
    each(void, CPLPushErrorHandlerEx, (gdal_error_handler *handler, void *data))                   \
    each(void, CPLPopErrorHandler, (void))                                                         \
    each(void, CPLErrorReset, (void))                                                              \
    each(int, CPLGetLastErrorType, (void))                                                         \
    each(const char *, CPLGetLastErrorMsg, (void))                                                 \
    each(void, VSIFree, (void *data))                                                              \
    each(int, VSIUnlink, (const char *file))                                                       \
    each(unsigned char *, VSIGetMemFileBuffer, (const char *file, unsigned long long *n, int take))\
    each(const char *, GDALVersionInfo, (const char *what))                                        \
    each(void, GDALAllRegister, (void))                                                            \
    each(void, RegisterOGRGeoPackage, (void))                                                      \
    each(void, GDALRegister_GTiff, (void))                                                         \
    each(GDALDriverH, GDALGetDriverByName, (const char *name))                                     \
    each(GDALDatasetH, GDALOpenEx, (const char *file, unsigned flags, const char *const *drivers,  \
                                    const char *const *options, const char *const *siblings))      \
    each(GDALDatasetH, GDALCreate, (GDALDriverH driver, const char *file, int cols, int rows,      \
                                    int bands, int type, const char *const *options))              \
    each(void, GDALClose, (GDALDatasetH data))                                                     \
    each(const char *, GDALGetMetadataItem, (void *object, const char *name, const char *domain)) \
    each(const char *, GDALGetProjectionRef, (GDALDatasetH data))                                  \
    each(int, GDALGetGeoTransform, (GDALDatasetH data, double *six))                               \
    each(int, GDALGetRasterXSize, (GDALDatasetH data))                                             \
    each(int, GDALGetRasterYSize, (GDALDatasetH data))                                             \
    each(int, GDALGetRasterCount, (GDALDatasetH data))                                             \
    each(GDALRasterBandH, GDALGetRasterBand, (GDALDatasetH data, int band))                        \
    each(int, GDALGetRasterDataType, (GDALRasterBandH band))                                       \
    each(int, GDALGetMaskFlags, (GDALRasterBandH band))                                            \
    each(double, GDALGetRasterNoDataValue, (GDALRasterBandH band, int *there))                     \
    each(double, GDALGetRasterScale, (GDALRasterBandH band, int *there))                           \
    each(double, GDALGetRasterOffset, (GDALRasterBandH band, int *there))                          \
    each(const char *, GDALGetRasterUnitType, (GDALRasterBandH band))                              \
    each(int, GDALRasterIOEx, (GDALRasterBandH band, int write, int col, int row, int cols,        \
                               int rows, void *out, int out_cols, int out_rows, int type,          \
                               long long cell_bytes, long long row_bytes, void *more))             \
    each(int, GDALSetGeoTransform, (GDALDatasetH data, const double *six))                         \
    each(int, GDALSetSpatialRef, (GDALDatasetH data, OGRSpatialReferenceH crs))                    \
    each(int, GDALSetRasterNoDataValue, (GDALRasterBandH band, double value))                      \
    each(int, GDALDatasetGetLayerCount, (GDALDatasetH data))                                       \
    each(OGRLayerH, GDALDatasetGetLayer, (GDALDatasetH data, int index))                           \
    each(OGRLayerH, GDALDatasetCreateLayer, (GDALDatasetH data, const char *name,                  \
                                             OGRSpatialReferenceH crs, int kind,                   \
                                             const char *const *options))                          \
    each(const char *, OGR_L_GetName, (OGRLayerH layer))                                           \
    each(int, OGR_L_GetGeomType, (OGRLayerH layer))                                                \
    each(long long, OGR_L_GetFeatureCount, (OGRLayerH layer, int force))                           \
    each(OGRSpatialReferenceH, OGR_L_GetSpatialRef, (OGRLayerH layer))                             \
    each(void, OGR_L_ResetReading, (OGRLayerH layer))                                              \
    each(OGRFeatureH, OGR_L_GetNextFeature, (OGRLayerH layer))                                     \
    each(OGRFeatureDefnH, OGR_L_GetLayerDefn, (OGRLayerH layer))                                   \
    each(int, OGR_L_CreateField, (OGRLayerH layer, OGRFieldDefnH field, int approximate))          \
    each(int, OGR_L_CreateFeature, (OGRLayerH layer, OGRFeatureH feature))                         \
    each(OGRFeatureH, OGR_F_Create, (OGRFeatureDefnH definition))                                  \
    each(void, OGR_F_Destroy, (OGRFeatureH feature))                                               \
    each(OGRGeometryH, OGR_F_GetGeometryRef, (OGRFeatureH feature))                                \
    each(int, OGR_F_GetFieldCount, (OGRFeatureH feature))                                          \
    each(OGRFieldDefnH, OGR_F_GetFieldDefnRef, (OGRFeatureH feature, int field))                   \
    each(int, OGR_F_IsFieldSetAndNotNull, (OGRFeatureH feature, int field))                        \
    each(const char *, OGR_F_GetFieldAsString, (OGRFeatureH feature, int field))                   \
    each(double, OGR_F_GetFieldAsDouble, (OGRFeatureH feature, int field))                         \
    each(void, OGR_F_SetFieldDouble, (OGRFeatureH feature, int field, double value))               \
    each(void, OGR_F_SetFieldString, (OGRFeatureH feature, int field, const char *value))          \
    each(int, OGR_F_SetGeometryDirectly, (OGRFeatureH feature, OGRGeometryH geometry))             \
    each(OGRFieldDefnH, OGR_Fld_Create, (const char *name, int type))                              \
    each(void, OGR_Fld_Destroy, (OGRFieldDefnH field))                                             \
    each(const char *, OGR_Fld_GetNameRef, (OGRFieldDefnH field))                                  \
    each(int, OGR_Fld_GetType, (OGRFieldDefnH field))                                              \
    each(int, OGR_G_GetGeometryType, (OGRGeometryH geometry))                                      \
    each(OGRGeometryH, OGR_G_GetLinearGeometry, (OGRGeometryH geometry, double degrees,            \
                                                 char **options))                                  \
    each(int, OGR_G_CreateFromWkb, (const void *wkb, OGRSpatialReferenceH crs,                     \
                                    OGRGeometryH *geometry, int size))                             \
    each(void, OGR_G_DestroyGeometry, (OGRGeometryH geometry))                                     \
    each(void, OGR_G_CloseRings, (OGRGeometryH geometry))                                          \
    each(int, OGR_G_IsEmpty, (OGRGeometryH geometry))                                              \
    each(int, OGR_G_GetGeometryCount, (OGRGeometryH geometry))                                     \
    each(OGRGeometryH, OGR_G_GetGeometryRef, (OGRGeometryH geometry, int part))                    \
    each(const char *, OGR_G_GetGeometryName, (OGRGeometryH geometry))                             \
    each(int, OGR_G_GetPointCount, (OGRGeometryH geometry))                                        \
    each(double, OGR_G_GetX, (OGRGeometryH geometry, int point))                                   \
    each(double, OGR_G_GetY, (OGRGeometryH geometry, int point))                                   \
    each(int, OGR_GT_Flatten, (int type))                                                          \
    each(OGRSpatialReferenceH, OSRNewSpatialReference, (const char *wkt))                          \
    each(void, OSRDestroySpatialReference, (OGRSpatialReferenceH crs))                             \
    each(int, OSRSetFromUserInput, (OGRSpatialReferenceH crs, const char *text))                   \
    each(void, OSRSetAxisMappingStrategy, (OGRSpatialReferenceH crs, int strategy))                \
    each(const char *, OSRGetAuthorityName, (OGRSpatialReferenceH crs, const char *key))           \
    each(const char *, OSRGetAuthorityCode, (OGRSpatialReferenceH crs, const char *key))           \
    each(const char *, OSRGetName, (OGRSpatialReferenceH crs))                                     \
    each(int, OSRIsLocal, (OGRSpatialReferenceH crs))                                              \
    each(int, OSRExportToWktEx, (OGRSpatialReferenceH crs, char **wkt, const char *const *options))
/* clang-format on */

#define GDAL_POINTER(type, name, parameters) type(*name) parameters;
struct gdal {
    void *library;
    char name[32]; /* "libgdal.so.32" */
    GDAL_CALLS(GDAL_POINTER)
};
#undef GDAL_POINTER

/* False: this machine has no libgdal, or none that can be loaded. It stays loaded. */
bool gdal_load(struct gdal *g);

/* Between these GDAL prints nothing, does no more than read a file, and knows all its formats. */
void gdal_enter(const struct gdal *g);
void gdal_leave(const struct gdal *g);

/* Whether something went wrong since gdal_enter(). */
bool gdal_failed(const struct gdal *g);

/* What GDAL says about it, or `otherwise`; returns out. */
char *gdal_reason(const struct gdal *g, const char *otherwise, char out[256]);

/* "libgdal.so.32 (GDAL 3.6.2)": what is loaded; false: none. */
bool gdal_version(char out[64]);
