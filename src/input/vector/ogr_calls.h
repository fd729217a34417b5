/* ogr_calls.h — the functions of GDAL that are used, found when they are needed; for ogr.c. */
#ifndef SCIARA_VECTOR_OGR_CALLS_H
#define SCIARA_VECTOR_OGR_CALLS_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#define OGR_CALLS(each)                                                                            \
    each(CPLSetThreadLocalConfigOption) each(CPLPushErrorHandlerEx) each(CPLPopErrorHandler)       \
        each(CPLErrorReset) each(CPLGetLastErrorType) each(CPLGetLastErrorMsg) each(VSIFree) each( \
            GDALAllRegister) each(GDALGetDriverByName) each(GDALOpenEx) each(GDALClose)            \
            each(GDALDatasetGetLayerCount) each(GDALDatasetGetLayer) each(OGR_L_GetName) each(     \
                OGR_L_GetGeomType) each(OGR_L_GetFeatureCount) each(OGR_L_GetSpatialRef)           \
                each(OGR_L_ResetReading) each(OGR_L_GetNextFeature) each(OGR_F_Destroy) each(      \
                    OGR_F_GetGeometryRef) each(OGR_F_GetFieldCount) each(OGR_F_GetFieldDefnRef)    \
                    each(OGR_F_IsFieldSetAndNotNull) each(OGR_F_GetFieldAsString)                  \
                        each(OGR_F_GetFieldAsDouble) each(OGR_Fld_GetNameRef)                      \
                            each(OGR_Fld_GetType) each(OGR_G_GetGeometryType)                      \
                                each(OGR_G_GetLinearGeometry) each(OGR_G_DestroyGeometry)          \
                                    each(OGR_G_CloseRings) each(OGR_G_IsEmpty)                     \
                                        each(OGR_G_GetGeometryCount) each(OGR_G_GetGeometryRef)    \
                                            each(OGR_G_GetGeometryName) each(OGR_G_GetPointCount)  \
                                                each(OGR_G_GetX) each(OGR_G_GetY)                  \
                                                    each(OGR_GT_Flatten) each(OSRGetAuthorityName) \
                                                        each(OSRGetAuthorityCode) each(OSRGetName) \
                                                            each(OSRIsLocal)                       \
                                                                each(OSRExportToWktEx)

/* GDAL as loaded: a pointer for each, of its declared type. */
#define OGR_POINTER(name) __typeof__(name) *name;
struct gdal {
    void *library;
    OGR_CALLS(OGR_POINTER)
};
#undef OGR_POINTER

#endif
