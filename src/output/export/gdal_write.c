#include "gdal_write.h"

#include "text/scan.h"
#include "vector/gdal_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gdal_package {
    struct gdal g;
    char name[256], file[64];
    GDALDatasetH data;
    OGRSpatialReferenceH crs;
    OGRLayerH layer;
    OGRFeatureH feature; /* the next one, begun */
};

int gdal_check(const char *name, struct error *e)
{
    struct gdal g;
    if (gdal_load(&g)) return 0;
    return error_input(e,
                       "%s: a GeoPackage is written through GDAL, and no libgdal is installed; "
                       "install it (Debian, Ubuntu: gdal-bin) or choose geojson",
                       name);
}

/* In place of what prints to stderr; GDAL keeps the last error all the same. */
static void print_nothing(int class, int number, const char *text)
{
    (void)class, (void)number, (void)text;
}

static void set_options(const struct gdal_package *p, const char *date)
{
    p->g.CPLSetThreadLocalConfigOption("CPL_DEBUG", date ? "OFF" : NULL);
    p->g.CPLSetThreadLocalConfigOption("GDAL_DRIVER_PATH", date ? "disable" : NULL);
    p->g.CPLSetThreadLocalConfigOption("OGR_SQLITE_LOAD_EXTENSIONS", date ? "NO" : NULL);
    p->g.CPLSetThreadLocalConfigOption("PROJ_NETWORK", date ? "OFF" : NULL);
    p->g.CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", date);
}

static int failed(const struct gdal_package *p, struct error *e)
{
    char said[256];
    snprintf(said, sizeof said, "%.200s", p->g.CPLGetLastErrorMsg());
    scan_make_printable(said);
    return error_failed(e, "%s: GDAL does not write it: %s", p->name, said);
}

/* ---- the file -------------------------------------------------------------------------------- */

static int begin(struct gdal_package *p, const char *crs, struct error *e)
{
    p->g.RegisterOGRGeoPackage();
    p->g.CPLErrorReset();
    GDALDriverH driver = p->g.GDALGetDriverByName("GPKG");
    if (!driver) return error_input(e, "%s: the GDAL of this machine has no GeoPackage", p->name);
    p->crs = p->g.OSRNewSpatialReference(NULL);
    if (crs && p->g.OSRSetFromUserInput(p->crs, crs) != OGRERR_NONE) return failed(p, e);
    p->g.OSRSetAxisMappingStrategy(p->crs, OAMS_TRADITIONAL_GIS_ORDER);
    if (!crs) {
        p->g.OSRDestroySpatialReference(p->crs);
        p->crs = NULL;
    }
    /* One of that address alone: several runs may live in a process. */
    snprintf(p->file, sizeof p->file, "/vsimem/sciara-%p.gpkg", (void *)p);
    p->data = p->g.GDALCreate(driver, p->file, 0, 0, 0, GDT_Unknown, NULL);
    return p->data ? 0 : failed(p, e);
}

int gdal_package_open(struct gdal_package **out, const char *name, const char *crs,
                      const char *date, struct error *e)
{
    struct gdal_package *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p) return error_memory(e);
    snprintf(p->name, sizeof p->name, "%s", name);
    if (!gdal_load(&p->g)) {
        free(p);
        return gdal_check(name, e);
    }
    p->g.CPLPushErrorHandlerEx(print_nothing, NULL);
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
    p->layer = p->g.GDALDatasetCreateLayer(p->data, layer, p->crs, kind, options);
    return p->layer ? 0 : failed(p, e);
}

int gdal_package_column(struct gdal_package *p, const char *column, bool text, struct error *e)
{
    OGRFieldDefnH field = p->g.OGR_Fld_Create(column, text ? OFTString : OFTReal);
    const int bad = p->g.OGR_L_CreateField(p->layer, field, 1);
    p->g.OGR_Fld_Destroy(field);
    return bad == OGRERR_NONE ? 0 : failed(p, e);
}

static OGRFeatureH begun(struct gdal_package *p)
{
    if (!p->feature) p->feature = p->g.OGR_F_Create(p->g.OGR_L_GetLayerDefn(p->layer));
    return p->feature;
}

void gdal_package_real(struct gdal_package *p, int column, double value)
{
    p->g.OGR_F_SetFieldDouble(begun(p), column, value);
}

void gdal_package_text(struct gdal_package *p, int column, const char *value)
{
    if (value && *value) p->g.OGR_F_SetFieldString(begun(p), column, value);
}

int gdal_package_feature(struct gdal_package *p, const unsigned char *wkb, size_t size,
                         struct error *e)
{
    OGRGeometryH geometry = NULL;
    int bad = p->g.OGR_G_CreateFromWkb(wkb, p->crs, &geometry, (int)size);
    if (bad == OGRERR_NONE) bad = p->g.OGR_F_SetGeometryDirectly(begun(p), geometry);
    if (bad == OGRERR_NONE) bad = p->g.OGR_L_CreateFeature(p->layer, p->feature);
    if (p->feature) p->g.OGR_F_Destroy(p->feature);
    p->feature = NULL;
    return bad == OGRERR_NONE ? 0 : failed(p, e);
}

int gdal_package_finish(struct gdal_package *p, unsigned char **data, size_t *size, struct error *e)
{
    unsigned long long length = 0;
    p->g.CPLErrorReset();
    p->g.GDALClose(p->data);
    p->data = NULL;
    unsigned char *held = p->g.VSIGetMemFileBuffer(p->file, &length, 0);
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
    if (p->feature) p->g.OGR_F_Destroy(p->feature);
    if (p->data) p->g.GDALClose(p->data);
    p->g.VSIUnlink(p->file);
    if (p->crs) p->g.OSRDestroySpatialReference(p->crs);
    set_options(p, NULL);
    p->g.CPLPopErrorHandler();
    free(p);
}
