/* export_geopackage.c — terrain, isochrones, vents and outline as a GeoPackage in the CRS of the
 * terrain, made in memory by the GDAL of the machine (raster/gdal_library.h). */
#include "features.h"

#include "text/atomic_file.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "raster/gdal_library.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- well-known binary ----------------------------------------------------------------------- */

struct wkb {
    unsigned char *data;
    size_t size, room;
    bool no_memory;
};

static void put(struct wkb *w, const void *bytes, size_t count)
{
    if (w->size + count > w->room) {
        const size_t room = 2 * (w->size + count) + 1024;
        unsigned char *more = w->no_memory ? NULL : realloc(w->data, room);
        if (!more) {
            w->no_memory = true;
            return;
        }
        w->data = more;
        w->room = room;
    }
    memcpy(w->data + w->size, bytes, count);
    w->size += count;
}

static void put_count(struct wkb *w, int count)
{
    const uint32_t n = (uint32_t)count;
    put(w, &n, sizeof n);
}

/* In the order of bytes of this machine. */
static void put_kind(struct wkb *w, int kind)
{
    const uint16_t one = 1;
    put(w, &one, 1); /* its first byte: 1 where the least comes first, as WKB has it */
    put_count(w, kind);
}

static void put_path(struct wkb *w, const struct isochrone_path *p)
{
    put_count(w, p->count + p->closed);
    put(w, p->xy, (size_t)p->count * sizeof *p->xy);
    if (p->closed) put(w, p->xy[0], sizeof *p->xy);
}

/* wkbPoint, wkbLineString, wkbPolygon: the kind of the parts is 3 less than of the whole. */
static void put_geometry(struct wkb *w, const struct feature *f)
{
    const int whole = f->about->shape, part = whole - 3;
    w->size = 0;
    put_kind(w, whole);
    put_count(w, f->area ? f->area->count : part == wkbPoint ? f->path->count : f->paths);
    for (int i = 0; f->area && i < f->area->count; i++) {
        const struct isochrone_polygon *p = &f->area->polygon[i];
        put_kind(w, part);
        put_count(w, p->count);
        for (int k = 0; k < p->count; k++) put_path(w, &p->ring[k]);
    }
    for (int i = 0; part == wkbPoint && i < f->path->count; i++) {
        put_kind(w, part);
        put(w, f->path->xy[i], sizeof f->path->xy[i]);
    }
    for (int i = 0; part == wkbLineString && i < f->paths; i++) {
        put_kind(w, part);
        put_path(w, &f->path[i]);
    }
}

/* ---- GDAL ---------------------------------------------------------------------------------- */

#define DATE    "2000-01-01T00:00:00.000Z"
#define TERRAIN "ground and solidified lava at the end, in metres"

struct gdal_package {
    struct gdal g;
    char name[256], file[64];
    GDALDatasetH data;
    OGRSpatialReferenceH crs;
    OGRLayerH layer;
    OGRFeatureH feature; /* the next one, begun */
};

static int gdal_check(const char *name, struct error *e)
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
    p->g.CPLSetThreadLocalConfigOption("OGR_SQLITE_LOAD_EXTENSIONS", date ? "" : NULL);
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

/* With a grid `terrain` of these rows and columns of numbers, whose tiles are TIFFs; 0: without. */
static int begin(struct gdal_package *p, const char *crs, int rows, int cols, struct error *e)
{
    static const char *const options[] = {"RASTER_TABLE=terrain", "RASTER_DESCRIPTION=" TERRAIN,
                                          NULL};
    p->g.RegisterOGRGeoPackage();
    p->g.GDALRegister_GTiff();
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
    p->data = p->g.GDALCreate(driver, p->file, cols, rows, rows ? 1 : 0,
                              rows ? GDT_Float32 : GDT_Unknown, rows ? options : NULL);
    return p->data ? 0 : failed(p, e);
}

static void gdal_package_free(struct gdal_package *p)
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

static int gdal_package_open(struct gdal_package **out, const char *name, const char *crs, int rows,
                             int cols, struct error *e)
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
    set_options(p, DATE);
    const int status = begin(p, crs, rows, cols, e);
    if (status) gdal_package_free(p);
    else *out = p;
    return status;
}

/* NaN: no data. */
static int gdal_package_grid(struct gdal_package *p, const struct georef *geo, int rows, int cols,
                             float *value, struct error *e)
{
    const float none = -9999; /* no elevation is as low */
    const double six[] = {geo->west_m, geo->cell_m, 0, geo->south_m + rows * geo->cell_m,
                          0,           -geo->cell_m};
    for (size_t i = 0; i < (size_t)rows * (size_t)cols; i++)
        if (isnan(value[i])) value[i] = none;
    int bad = p->g.GDALSetGeoTransform(p->data, six);
    if (!bad && p->crs) bad = p->g.GDALSetSpatialRef(p->data, p->crs);
    GDALRasterBandH band = p->g.GDALGetRasterBand(p->data, 1);
    p->g.GDALSetRasterNoDataValue(band, none); /* GDAL 3.6 returns a failure, and sets it */
    if (!bad)
        bad = p->g.GDALRasterIOEx(band, GF_Write, 0, 0, cols, rows, value, cols, rows, GDT_Float32,
                                  0, 0, NULL);
    return bad ? failed(p, e) : 0;
}

static int gdal_package_layer(struct gdal_package *p, const char *layer, const char *description,
                              int kind, struct error *e)
{
    char said[256];
    const char *const options[] = {said, "SPATIAL_INDEX=NO", NULL};
    snprintf(said, sizeof said, "DESCRIPTION=%s", description);
    p->layer = p->g.GDALDatasetCreateLayer(p->data, layer, p->crs, kind, options);
    return p->layer ? 0 : failed(p, e);
}

static int gdal_package_column(struct gdal_package *p, const char *column, bool text,
                               struct error *e)
{
    OGRFieldDefnH field = p->g.OGR_Fld_Create(column, text ? OFTString : OFTReal);
    const int bad = p->g.OGR_L_CreateField(p->layer, field, 1);
    p->g.OGR_Fld_Destroy(field);
    return bad == OGRERR_NONE ? 0 : failed(p, e);
}

static int gdal_package_feature(struct gdal_package *p, const unsigned char *wkb, size_t size,
                                struct error *e)
{
    OGRGeometryH geometry = NULL;
    int bad = p->g.OGR_G_CreateFromWkb(wkb, p->crs, &geometry, (int)size);
    if (bad == OGRERR_NONE) bad = p->g.OGR_F_SetGeometryDirectly(p->feature, geometry);
    if (bad == OGRERR_NONE) bad = p->g.OGR_L_CreateFeature(p->layer, p->feature);
    p->g.OGR_F_Destroy(p->feature);
    p->feature = NULL;
    return bad == OGRERR_NONE ? 0 : failed(p, e);
}

static int gdal_package_finish(struct gdal_package *p, unsigned char **data, size_t *size,
                               struct error *e)
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

/* ---- layers ---------------------------------------------------------------------------------- */

struct target {
    struct gdal_package *package;
    struct wkb w;
};

static int put_feature(void *to, const struct feature *f, struct error *e)
{
    struct target *t = to;
    struct gdal_package *p = t->package;
    put_geometry(&t->w, f);
    if (t->w.no_memory) return error_memory(e);
    p->feature = p->g.OGR_F_Create(p->g.OGR_L_GetLayerDefn(p->layer));
    for (int i = 0; i < f->about->columns; i++)
        if (f->about->column[i].type != FEATURE_TEXT)
            p->g.OGR_F_SetFieldDouble(p->feature, i, f->value[i].number);
        else if (*f->value[i].text) p->g.OGR_F_SetFieldString(p->feature, i, f->value[i].text);
    return gdal_package_feature(p, t->w.data, t->w.size, e);
}

static int put_layer(struct target *t, const struct export_run *r, enum features what,
                     struct error *e)
{
    const struct features_about *about = &features_about[what];
    char words[200];
    snprintf(words, sizeof words, "%s. " EXPORT_MARK " %.60s", about->words, r->version);
    int status = gdal_package_layer(t->package, about->name, words, (int)about->shape, e);
    for (int i = 0; i < about->columns && !status; i++)
        status = gdal_package_column(t->package, about->column[i].name,
                                     about->column[i].type == FEATURE_TEXT, e);
    return status ? status : features_visit(r, what, put_feature, t, e);
}

static int put_terrain(struct gdal_package *p, const struct export_run *r, struct error *e)
{
    float *value = malloc((size_t)r->rows * (size_t)r->cols * sizeof *value);
    if (!value) return error_memory(e);
    r->last_layer(r, "elevation_after_m", value);
    int status = gdal_package_grid(p, &r->geo, r->rows, r->cols, value, e);
    free(value);
    return status;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* The EPSG code where there is one: GIS know it by that. */
static char *crs_text(const struct crs *crs)
{
    return crs->epsg ? text_format("EPSG:%d", crs->epsg) : export_crs_wkt(crs, EXPORT_WKT2);
}

int export_geopackage(const struct export_run *r, const char *path, struct error *e)
{
    struct target t = {0};
    unsigned char *data = NULL;
    size_t size = 0;
    char *crs = crs_text(&r->geo.crs);
    int status = gdal_package_open(&t.package, path, crs, r->rows, r->cols, e);
    if (!status) status = put_terrain(t.package, r, e);
    for (int i = 0; i < FEATURES && !status; i++)
        if (features_there(r, (enum features)i)) status = put_layer(&t, r, (enum features)i, e);
    if (!status) status = gdal_package_finish(t.package, &data, &size, e);
    gdal_package_free(t.package);
    if (!status) status = export_bytes(path, data, size, e);
    free(data);
    free(t.w.data);
    free(crs);
    return status;
}

/* One with a layer of nothing: without its database PROJ finds no CRS, and a GDAL may have no
 * GeoPackage. */
int export_check_geopackage(const struct sim_case *c, struct error *e)
{
    const char *name = *c->path ? c->path : c->name;
    struct gdal_package *p;
    struct error why;
    if (gdal_check(name, e)) return ERROR_INPUT;
    char *crs = crs_text(&c->geo.crs);
    int status = gdal_package_open(&p, "gpkg", crs, 0, 0, &why);
    if (!status) status = gdal_package_layer(p, "bands", "", wkbMultiPolygon, &why);
    gdal_package_free(p);
    free(crs);
    if (!status) return 0;
    return error_input(e,
                       "%s: %.400s; correct the installation of GDAL and PROJ, or choose geojson",
                       name, why.text);
}
