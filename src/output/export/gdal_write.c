#include "gdal_write.h"

#ifdef SCIARA_GDAL

#include "base/loaded.h"
#include "text/scan.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* (in a header of GDAL for C++ alone) */
void CPL_DLL RegisterOGRGeoPackage(void);

#define CALLS(each)                                                                                \
    each(CPLSetThreadLocalConfigOption) each(CPLPushErrorHandlerEx) each(CPLPopErrorHandler)       \
        each(CPLErrorReset) each(CPLGetLastErrorMsg) each(RegisterOGRGeoPackage)                   \
            each(GDALGetDriverByName) each(GDALCreate) each(GDALClose)                             \
                each(GDALDatasetCreateLayer) each(OGR_L_CreateField) each(OGR_L_GetLayerDefn)      \
                    each(OGR_L_CreateFeature) each(OGR_Fld_Create) each(OGR_Fld_Destroy)           \
                        each(OGR_F_Create) each(OGR_F_Destroy) each(OGR_F_SetFieldDouble)          \
                            each(OGR_F_SetFieldString) each(OGR_F_SetGeometryDirectly)             \
                                each(OGR_G_CreateFromWkb) each(OSRNewSpatialReference)             \
                                    each(OSRSetFromUserInput) each(OSRSetAxisMappingStrategy)      \
                                        each(OSRDestroySpatialReference) each(VSIGetMemFileBuffer) \
                                            each(VSIUnlink) each(VSIFree)

#define POINTER(name) __typeof__(name) *name;
struct gdal_package {
    void *library;
    CALLS(POINTER)
    char name[256], file[64];
    GDALDatasetH data;
    OGRSpatialReferenceH crs;
    OGRLayerH layer;
    OGRFeatureH feature; /* the next one, begun */
};
#undef POINTER

static bool load(struct gdal_package *p)
{
    p->library = loaded_open(SCIARA_GDAL);
    bool all = p->library != NULL;
#define FIND(call) all = all && loaded_find(p->library, #call, &p->call);
    CALLS(FIND)
#undef FIND
    return all;
}

int gdal_check(const char *name, struct error *e)
{
    void *library = loaded_open(SCIARA_GDAL);
    if (!library)
        return error_input(e, "%s: a GeoPackage needs %s, which is not here; take geojson", name,
                           SCIARA_GDAL);
    dlclose(library);
    return 0;
}

/* In place of what prints to stderr; GDAL keeps the last error all the same. */
static void CPL_STDCALL say_nothing(CPLErr class, CPLErrorNum number, const char *text)
{
    (void)class, (void)number, (void)text;
}

static void set_options(const struct gdal_package *p, const char *date)
{
    p->CPLSetThreadLocalConfigOption("CPL_DEBUG", date ? "OFF" : NULL);
    p->CPLSetThreadLocalConfigOption("GDAL_DRIVER_PATH", date ? "disable" : NULL);
    p->CPLSetThreadLocalConfigOption("OGR_SQLITE_LOAD_EXTENSIONS", date ? "NO" : NULL);
    p->CPLSetThreadLocalConfigOption("PROJ_NETWORK", date ? "OFF" : NULL);
    p->CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", date);
}

static int failed(const struct gdal_package *p, struct error *e)
{
    char said[256];
    snprintf(said, sizeof said, "%.200s", p->CPLGetLastErrorMsg());
    scan_make_printable(said);
    return error_failed(e, "%s: GDAL does not write it: %s", p->name, said);
}

/* ---- the file -------------------------------------------------------------------------------- */

static int begin(struct gdal_package *p, const char *crs, struct error *e)
{
    p->RegisterOGRGeoPackage();
    p->CPLErrorReset();
    GDALDriverH driver = p->GDALGetDriverByName("GPKG");
    if (!driver) return error_input(e, "%s: the GDAL of this machine has no GeoPackage", p->name);
    p->crs = p->OSRNewSpatialReference(NULL);
    if (crs && p->OSRSetFromUserInput(p->crs, crs) != OGRERR_NONE) return failed(p, e);
    p->OSRSetAxisMappingStrategy(p->crs, OAMS_TRADITIONAL_GIS_ORDER);
    if (!crs) {
        p->OSRDestroySpatialReference(p->crs);
        p->crs = NULL;
    }
    /* One of that address alone: several runs may live in a process. */
    snprintf(p->file, sizeof p->file, "/vsimem/sciara-%p.gpkg", (void *)p);
    p->data = p->GDALCreate(driver, p->file, 0, 0, 0, GDT_Unknown, NULL);
    return p->data ? 0 : failed(p, e);
}

int gdal_package_open(struct gdal_package **out, const char *name, const char *crs,
                      const char *date, struct error *e)
{
    struct gdal_package *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p) return error_memory(e);
    snprintf(p->name, sizeof p->name, "%s", name);
    if (!load(p)) {
        free(p);
        return gdal_check(name, e) ? ERROR_INPUT
                                   : error_input(e, "%s: this GDAL lacks a function", name);
    }
    p->CPLPushErrorHandlerEx(say_nothing, NULL);
    set_options(p, date);
    const int status = begin(p, crs, e);
    if (status) gdal_package_free(p);
    else *out = p;
    return status;
}

int gdal_package_layer(struct gdal_package *p, const char *layer, const char *description, int kind,
                       struct error *e)
{
    char said[256];
    const char *const options[] = {said, "SPATIAL_INDEX=NO", NULL};
    snprintf(said, sizeof said, "DESCRIPTION=%s", description);
    p->layer = p->GDALDatasetCreateLayer(p->data, layer, p->crs, (OGRwkbGeometryType)kind,
                                         (char **)(void *)options);
    return p->layer ? 0 : failed(p, e);
}

int gdal_package_column(struct gdal_package *p, const char *column, bool text, struct error *e)
{
    OGRFieldDefnH field = p->OGR_Fld_Create(column, text ? OFTString : OFTReal);
    const OGRErr bad = p->OGR_L_CreateField(p->layer, field, 1);
    p->OGR_Fld_Destroy(field);
    return bad == OGRERR_NONE ? 0 : failed(p, e);
}

static OGRFeatureH begun(struct gdal_package *p)
{
    if (!p->feature) p->feature = p->OGR_F_Create(p->OGR_L_GetLayerDefn(p->layer));
    return p->feature;
}

void gdal_package_real(struct gdal_package *p, int column, double value)
{
    p->OGR_F_SetFieldDouble(begun(p), column, value);
}

void gdal_package_text(struct gdal_package *p, int column, const char *value)
{
    if (value && *value) p->OGR_F_SetFieldString(begun(p), column, value);
}

int gdal_package_feature(struct gdal_package *p, const unsigned char *wkb, size_t size,
                         struct error *e)
{
    OGRGeometryH geometry = NULL;
    OGRErr bad = p->OGR_G_CreateFromWkb(wkb, p->crs, &geometry, (int)size);
    if (bad == OGRERR_NONE) bad = p->OGR_F_SetGeometryDirectly(begun(p), geometry);
    if (bad == OGRERR_NONE) bad = p->OGR_L_CreateFeature(p->layer, p->feature);
    if (p->feature) p->OGR_F_Destroy(p->feature);
    p->feature = NULL;
    return bad == OGRERR_NONE ? 0 : failed(p, e);
}

int gdal_package_finish(struct gdal_package *p, unsigned char **data, size_t *size, struct error *e)
{
    vsi_l_offset length = 0;
    p->CPLErrorReset();
    p->GDALClose(p->data);
    p->data = NULL;
    unsigned char *held = p->VSIGetMemFileBuffer(p->file, &length, FALSE);
    if (!held || !length) return failed(p, e);
    *data = malloc(length);
    *size = length;
    if (!*data) return error_memory(e);
    memcpy(*data, held, length);
    return 0;
}

void gdal_package_free(struct gdal_package *p)
{
    if (!p) return;
    if (p->feature) p->OGR_F_Destroy(p->feature);
    if (p->data) p->GDALClose(p->data);
    p->VSIUnlink(p->file);
    if (p->crs) p->OSRDestroySpatialReference(p->crs);
    set_options(p, NULL);
    p->CPLPopErrorHandler();
    dlclose(p->library);
    free(p);
}

#endif
