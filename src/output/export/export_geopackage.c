/* export_geopackage.c — terrain, isochrones, vents and outline as a GeoPackage in the CRS of the
 * terrain, made in memory by the GDAL of the machine (raster/gdal_library.h). */
#include "features.h"
#include "wkb.h"

#include "text/scan.h"
#include "text/textfile.h"
#include "raster/gdal_library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* wkbPoint, wkbLineString, wkbPolygon: the kind of the parts is 3 less than of the whole. */
static void put_geometry(FILE *to, const struct feature *f)
{
    const int whole = f->about->shape, part = whole - 3;
    if (f->area) {
        wkb_put_area(to, f->area);
        return;
    }
    wkb_put_kind(to, whole);
    wkb_put_count(to, part == wkbPoint ? f->path->count : f->paths);
    for (int i = 0; part == wkbPoint && i < f->path->count; i++) {
        wkb_put_kind(to, part);
        fwrite(f->path->xy[i], sizeof f->path->xy[i], 1, to);
    }
    for (int i = 0; part == wkbLineString && i < f->paths; i++) {
        wkb_put_kind(to, part);
        wkb_put_path(to, &f->path[i]);
    }
}

/* malloc'ed; NULL: out of memory. */
static unsigned char *make_wkb(const struct feature *f, size_t *size)
{
    char *data = NULL;
    FILE *to = open_memstream(&data, size);
    if (to) put_geometry(to, f);
    if (to && fclose(to) == 0) return (unsigned char *)data;
    free(data);
    return NULL;
}

/* ---- GDAL ---------------------------------------------------------------------------------- */

#define DATE    "2000-01-01T00:00:00.000Z"
#define TERRAIN "ground and solidified lava at the end, in metres"

struct package {
    struct gdal g;
    const char *name; /* in messages */
    char file[64];
    GDALDatasetH data;
    OGRSpatialReferenceH crs;
    OGRLayerH layer;
};

static int load(struct gdal *g, const char *name, struct error *e)
{
    if (gdal_load(g)) return 0;
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

static void set_options(const struct gdal *g, const char *date)
{
    g->CPLSetThreadLocalConfigOption("CPL_DEBUG", date ? "OFF" : NULL);
    g->CPLSetThreadLocalConfigOption("GDAL_DRIVER_PATH", date ? "disable" : NULL);
    g->CPLSetThreadLocalConfigOption("OGR_SQLITE_LOAD_EXTENSIONS", date ? "" : NULL);
    g->CPLSetThreadLocalConfigOption("PROJ_NETWORK", date ? "OFF" : NULL);
    g->CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", date);
}

static int failed(const struct package *p, struct error *e)
{
    char said[256];
    snprintf(said, sizeof said, "%.200s", p->g.CPLGetLastErrorMsg());
    scan_make_printable(said);
    return error_failed(e, "%s: GDAL does not write it: %s", p->name, said);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* By its EPSG code where there is one: GIS know it by that. */
static int set_crs(struct package *p, const struct crs *of, struct error *e)
{
    char *text = of->epsg ? text_format("EPSG:%d", of->epsg) : export_crs_wkt(of, EXPORT_WKT2);
    if (!text) return 0;
    p->crs = p->g.OSRNewSpatialReference(NULL);
    const int bad = p->g.OSRSetFromUserInput(p->crs, text);
    free(text);
    p->g.OSRSetAxisMappingStrategy(p->crs, OAMS_TRADITIONAL_GIS_ORDER);
    return bad == OGRERR_NONE ? 0 : failed(p, e);
}

/* With a grid `terrain` of these rows and columns of numbers, whose tiles are TIFFs; 0: without.
 * package_free() also after an error. */
static int package_open(struct package *p, const char *name, const struct crs *crs, int rows,
                        int cols, struct error *e)
{
    static const char *const options[] = {"RASTER_TABLE=terrain", "RASTER_DESCRIPTION=" TERRAIN,
                                          NULL};
    *p = (struct package){.name = name};
    int status = load(&p->g, name, e);
    if (status) return status;
    p->g.CPLPushErrorHandlerEx(print_nothing, NULL);
    set_options(&p->g, DATE);
    p->g.RegisterOGRGeoPackage();
    p->g.GDALRegister_GTiff();
    p->g.CPLErrorReset();
    /* One of that address alone: several runs may live in a process. */
    snprintf(p->file, sizeof p->file, "/vsimem/sciara-%p.gpkg", (void *)p);
    GDALDriverH driver = p->g.GDALGetDriverByName("GPKG");
    if (!driver) return error_input(e, "%s: the GDAL of this machine has no GeoPackage", name);
    if ((status = set_crs(p, crs, e))) return status;
    p->data = p->g.GDALCreate(driver, p->file, cols, rows, rows ? 1 : 0,
                              rows ? GDT_Float32 : GDT_Unknown, rows ? options : NULL);
    return p->data ? 0 : failed(p, e);
}

static void package_free(struct package *p)
{
    if (!*p->file) return;
    if (p->data) p->g.GDALClose(p->data);
    p->g.VSIUnlink(p->file);
    if (p->crs) p->g.OSRDestroySpatialReference(p->crs);
    set_options(&p->g, NULL);
    p->g.CPLPopErrorHandler();
}

static int package_write(struct package *p, const char *path, struct error *e)
{
    unsigned long long length = 0;
    p->g.CPLErrorReset();
    p->g.GDALClose(p->data);
    p->data = NULL;
    const unsigned char *held = p->g.VSIGetMemFileBuffer(p->file, &length, 0);
    return held && length ? export_bytes(path, held, length, e) : failed(p, e);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static int put_terrain(struct package *p, const struct export_run *r, struct error *e)
{
    const float none = -9999; /* no elevation is as low */
    const struct georef *geo = &r->geo;
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    const double six[] = {geo->west_m, geo->cell_m, 0, geo->south_m + r->rows * geo->cell_m,
                          0,           -geo->cell_m};
    float *value = malloc(cells * sizeof *value);
    if (!value) return error_memory(e);
    r->last_layer(r, "elevation_after_m", value);
    for (size_t i = 0; i < cells; i++)
        if (isnan(value[i])) value[i] = none;
    int bad = p->g.GDALSetGeoTransform(p->data, six);
    if (!bad && p->crs) bad = p->g.GDALSetSpatialRef(p->data, p->crs);
    GDALRasterBandH band = p->g.GDALGetRasterBand(p->data, 1);
    p->g.GDALSetRasterNoDataValue(band, none); /* GDAL 3.6 returns a failure, and sets it */
    if (!bad)
        bad = p->g.GDALRasterIOEx(band, GF_Write, 0, 0, r->cols, r->rows, value, r->cols, r->rows,
                                  GDT_Float32, 0, 0, NULL);
    free(value);
    return bad ? failed(p, e) : 0;
}

static int put_feature(void *to, const struct feature *f, struct error *e)
{
    struct package *p = to;
    OGRGeometryH geometry = NULL;
    size_t size;
    unsigned char *wkb = make_wkb(f, &size);
    if (!wkb) return error_memory(e);
    OGRFeatureH feature = p->g.OGR_F_Create(p->g.OGR_L_GetLayerDefn(p->layer));
    for (int i = 0; i < f->about->columns; i++)
        if (f->about->column[i].type != FEATURE_TEXT)
            p->g.OGR_F_SetFieldDouble(feature, i, f->value[i].number);
        else if (*f->value[i].text) p->g.OGR_F_SetFieldString(feature, i, f->value[i].text);
    int bad = p->g.OGR_G_CreateFromWkb(wkb, p->crs, &geometry, (int)size);
    if (bad == OGRERR_NONE) bad = p->g.OGR_F_SetGeometryDirectly(feature, geometry);
    if (bad == OGRERR_NONE) bad = p->g.OGR_L_CreateFeature(p->layer, feature);
    p->g.OGR_F_Destroy(feature);
    free(wkb);
    return bad == OGRERR_NONE ? 0 : failed(p, e);
}

static int begin_layer(struct package *p, const char *name, const char *description, int kind,
                       struct error *e)
{
    char said[256];
    const char *const options[] = {said, "SPATIAL_INDEX=NO", NULL};
    snprintf(said, sizeof said, "DESCRIPTION=%s", description);
    p->layer = p->g.GDALDatasetCreateLayer(p->data, name, p->crs, kind, options);
    return p->layer ? 0 : failed(p, e);
}

static int put_layer(struct package *p, const struct export_run *r, enum features what,
                     struct error *e)
{
    const struct features_about *about = &features_about[what];
    char words[200];
    snprintf(words, sizeof words, "%s. " EXPORT_MARK " %.60s", about->words, r->version);
    int status = begin_layer(p, about->name, words, (int)about->shape, e);
    for (int i = 0; i < about->columns && !status; i++) {
        const struct feature_column *c = &about->column[i];
        OGRFieldDefnH field =
            p->g.OGR_Fld_Create(c->name, c->type == FEATURE_TEXT ? OFTString : OFTReal);
        if (p->g.OGR_L_CreateField(p->layer, field, 1) != OGRERR_NONE) status = failed(p, e);
        p->g.OGR_Fld_Destroy(field);
    }
    return status ? status : features_visit(r, what, put_feature, p, e);
}

int export_geopackage(const struct export_run *r, enum features unused, const char *path,
                      struct error *e)
{
    struct package p;
    (void)unused;
    int status = package_open(&p, path, &r->geo.crs, r->rows, r->cols, e);
    if (!status) status = put_terrain(&p, r, e);
    for (enum features i = 0; i < FEATURES && !status; i++)
        if (features_there(r, i)) status = put_layer(&p, r, i, e);
    if (!status) status = package_write(&p, path, e);
    package_free(&p);
    return status;
}

/* One with a layer of nothing: without its database PROJ finds no CRS, and a GDAL may have no
 * GeoPackage. */
int export_check_geopackage(const struct sim_case *c, struct error *e)
{
    const char *name = *c->path ? c->path : c->name;
    struct package p;
    struct error why;
    if (load(&p.g, name, e)) return ERROR_INPUT;
    int status = package_open(&p, "gpkg", &c->geo.crs, 0, 0, &why);
    if (!status) status = begin_layer(&p, "bands", "", wkbMultiPolygon, &why);
    package_free(&p);
    if (!status) return 0;
    return error_input(e,
                       "%s: %.400s; correct the installation of GDAL and PROJ, or choose geojson",
                       name, why.text);
}
