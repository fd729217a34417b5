/* ogr.c — reads Shapefiles, GeoPackages and KML through GDAL. */
#include "build.h"

#include "raster/gdal_library.h"
#include "text/archive.h"
#include "text/number.h"
#include "text/remedy.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WITHOUT "which needs GDAL, but " GDAL_NONE "; " GDAL_GET ", or"

/* Refuses a file that cannot be read here. If `why` ends with "or" or ";", the message has the command that converts
 * flow.shp to flow.geojson. */
static int refuse_file(const struct build *b, const char *why)
{
    static const char *const names[] = {[VECTOR_FORMAT_SHAPEFILE] = "a Shapefile",
                                        [VECTOR_FORMAT_GEOPACKAGE] = "a GeoPackage",
                                        [VECTOR_FORMAT_KML] = "KML"};
    FREED char *layer = build_layer_word(b);
    char to[32] = "";
    if (!layer) return error_memory(b->e);
    if (*b->target) snprintf(to, sizeof to, "-t_srs %s ", b->target);
    return remedy_refuse(b->e, b->file,
                         "%s: %s, %s convert it and name the result: " REMEDY_FEATURES, b->path,
                         names[b->format], why, to, layer);
}

#ifdef SCIARA_WITH_GDAL
/* ---- whether the views of a GeoPackage end --------------------------------------------------- */

/* A view is a query that the file contains. A recursive view may have rows without end, and GDAL would read them for
 * ever. So SQLite first computes each view, with a limit on the number of its instructions. */

/* A view may use INSTRUCTIONS_AT_ONCE * CALLS_MAX instructions, which take some seconds. A view of a million rows
 * needs a fifth of them. */
enum { INSTRUCTIONS_AT_ONCE = 100000, CALLS_MAX = 1000 };

static int count_down(void *calls_left)
{
    int *left = calls_left;
    return --*left < 0;
}

/* Whether SQLite computes all rows of a query within the limit of instructions. */
static bool ends(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *rows = NULL;
    int result = sqlite3_prepare_v2(db, sql, -1, &rows, NULL);
    if (result == SQLITE_OK) do
            result = sqlite3_step(rows);
        while (result == SQLITE_ROW);
    sqlite3_finalize(rows);
    return result == SQLITE_DONE;
}

static bool all_end(sqlite3 *db, char name[64])
{
    static const char views[] = "SELECT 'SELECT * FROM \"' || replace(name, '\"', '\"\"') || '\"', "
                                "name FROM sqlite_master WHERE type = 'view'";
    sqlite3_stmt *list = NULL;
    bool good = true;
    if (sqlite3_prepare_v2(db, views, -1, &list, NULL) == SQLITE_OK)
        while (good && sqlite3_step(list) == SQLITE_ROW) {
            const char *sql = (const char *)sqlite3_column_text(list, 0);
            good = sql && ends(db, sql);
            if (!good) snprintf(name, 64, "%.50s", (const char *)sqlite3_column_text(list, 1));
        }
    sqlite3_finalize(list);
    return good;
}

/* ERROR_INPUT: a view of the GeoPackage exceeds the limit of instructions. */
static int package_check_views(const struct build *b)
{
    sqlite3 *db = NULL;
    int calls_left = CALLS_MAX;
    char view[64] = "";
    bool good = true;
    if (sqlite3_open_v2(b->file, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK) {
        sqlite3_progress_handler(db, INSTRUCTIONS_AT_ONCE, count_down, &calls_left);
        good = all_end(db, view);
    }
    sqlite3_close(db);
    if (good) return 0;
    scan_make_printable(view);
    return remedy_refuse(b->e, b->file,
                         "%s: its view '%s' does not end, or is not plain SQL; copy the layer "
                         "without views: " REMEDY_LAYER,
                         b->path, view);
}

/* A file being read. */
struct reading {
    struct gdal g;
    struct build *b;
    GDALDatasetH data;
    OGRLayerH layer;
};

/* ---- GDAL ------------------------------------------------------------------------------------ */

static int refuse_damaged(struct reading *r)
{
    char said[256];
    return error_input(
        r->b->e, "%s: cannot be read: %s; export it again", r->b->path,
        gdal_reason(&r->g, "its content is not of the format that its first bytes name", said));
}

/* ---- geometry -------------------------------------------------------------------------------- */

static int add_part(struct reading *r, OGRGeometryH geometry, enum vector_kind kind)
{
    const struct gdal *g = &r->g;
    const int count = g->OGR_G_GetPointCount(geometry);
    int status = build_part(r->b, kind);
    for (int i = 0; i < count && !status; i++)
        status = build_position(r->b, g->OGR_G_GetX(geometry, i), g->OGR_G_GetY(geometry, i));
    return status ? status : build_part_end(r->b);
}

static int add_parts(struct reading *r, OGRGeometryH geometry, int depth);

static int add_each(struct reading *r, OGRGeometryH geometry, bool rings, int depth)
{
    int status = 0;
    if (rings) r->b->polygons++;
    for (int i = 0; i < r->g.OGR_G_GetGeometryCount(geometry) && !status; i++) {
        OGRGeometryH part = r->g.OGR_G_GetGeometryRef(geometry, i);
        status = rings ? add_part(r, part, VECTOR_AREA) : add_parts(r, part, depth + 1);
    }
    return status;
}

static int add_parts(struct reading *r, OGRGeometryH geometry, int depth)
{
    enum { DEPTH_MAX = 100 };
    char what[128];
    if (r->g.OGR_G_IsEmpty(geometry)) return 0;
    switch (r->g.OGR_GT_Flatten(r->g.OGR_G_GetGeometryType(geometry))) {
    case wkbPoint:
        return add_part(r, geometry, VECTOR_POINT);
    case wkbLineString:
        return add_part(r, geometry, VECTOR_LINE);
    case wkbPolygon:
        return add_each(r, geometry, true, depth);
    case wkbMultiPoint:
    case wkbMultiLineString:
    case wkbMultiPolygon:
    case wkbGeometryCollection:
        if (depth < DEPTH_MAX) return add_each(r, geometry, false, depth);
        break;
    default:
        break;
    }
    snprintf(what, sizeof what, "is a %.40s, neither point, line nor polygon; give one of them",
             r->g.OGR_G_GetGeometryName(geometry));
    return build_refuse(r->b, what);
}

/* Adds a geometry. GDAL converts an arc to straight lines, and chooses how many. */
static int add_geometry(struct reading *r, OGRGeometryH geometry)
{
    OGRGeometryH straight = r->g.OGR_G_GetLinearGeometry(geometry, 0, NULL);
    if (!straight) return refuse_damaged(r);
    r->g.OGR_G_CloseRings(straight);
    int status = add_parts(r, straight, 0);
    r->g.OGR_G_DestroyGeometry(straight);
    return status;
}

/* ---- features -------------------------------------------------------------------------------- */

/* Converts GDAL's 2021/10/01 12:00:00+00 to ISO 8601: such dates can be compared as texts, and SQLite reads them. */
static const char *date_text(const char *text, char out[64])
{
    const size_t length = strlen(text);
    const bool zone = strchr(text, ':') && length > 3 && strchr("+-", text[length - 3]);
    snprintf(out, 64, "%.60s%s", text, zone ? ":00" : "");
    for (char *c = out; (c = strchr(c, '/'));) *c = '-';
    return out;
}

static int add_values(struct reading *r, OGRFeatureH feature)
{
    const struct gdal *g = &r->g;
    int status = 0;
    for (int i = 0; i < g->OGR_F_GetFieldCount(feature) && !status; i++) {
        OGRFieldDefnH field = g->OGR_F_GetFieldDefnRef(feature, i);
        const char *name = g->OGR_Fld_GetNameRef(field);
        const OGRFieldType type = g->OGR_Fld_GetType(field);
        char number[32], date[64];
        if (!(build_wants(r->b, name) || where_uses(r->b->where, name)) ||
            !g->OGR_F_IsFieldSetAndNotNull(feature, i))
            continue;
        const char *text = type == OFTReal
                               ? number_text(g->OGR_F_GetFieldAsDouble(feature, i), number)
                               : g->OGR_F_GetFieldAsString(feature, i);
        if (type == OFTDate || type == OFTDateTime) text = date_text(text, date);
        if (*text) status = build_value(r->b, name, text);
    }
    return status;
}

static int add_feature(struct reading *r, OGRFeatureH feature)
{
    OGRGeometryH geometry = r->g.OGR_F_GetGeometryRef(feature);
    bool holds = true;
    int status = build_begin(r->b);
    if (!status) status = add_values(r, feature);
    if (!status) status = build_holds(r->b, &holds);
    if (status || !holds) return status;
    if (geometry && r->b->take != VECTORS_TAKE_ROWS) status = add_geometry(r, geometry);
    return status ? status : build_end(r->b);
}

static int add_columns(struct reading *r)
{
    const struct gdal *g = &r->g;
    OGRFeatureDefnH layer = g->OGR_L_GetLayerDefn(r->layer);
    int status = 0;
    for (int i = 0; i < g->OGR_FD_GetFieldCount(layer) && !status; i++)
        status = where_column(r->b, g->OGR_Fld_GetNameRef(g->OGR_FD_GetFieldDefn(layer, i)));
    return status ? status : where_prepare(r->b);
}

static int add_features(struct reading *r)
{
    int status = r->b->where ? add_columns(r) : 0;
    r->g.OGR_L_ResetReading(r->layer);
    while (!status) {
        OGRFeatureH feature = r->g.OGR_L_GetNextFeature(r->layer);
        if (gdal_failed(&r->g)) status = refuse_damaged(r);
        else if (feature) status = add_feature(r, feature);
        if (!feature) break;
        r->g.OGR_F_Destroy(feature);
    }
    return status;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static bool has_geometry(const struct reading *r, OGRLayerH layer)
{
    return (r->g.OGR_L_GetGeomType(layer) != wkbNone || r->b->take == VECTORS_TAKE_ROWS) &&
           r->g.OGR_L_GetFeatureCount(layer, 1) > 0;
}

static int refuse_layers(struct reading *r, int count)
{
    char names[512] = "", name[64];
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(names);
        OGRLayerH layer = r->g.GDALDatasetGetLayer(r->data, i);
        if (!layer || !has_geometry(r, layer)) continue;
        snprintf(name, sizeof name, "%.50s", r->g.OGR_L_GetName(layer));
        scan_make_printable(name);
        if (used + strlen(name) + 8 > sizeof names) {
            snprintf(names + used, sizeof names - used, ", ...");
            break;
        }
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", name);
    }
    if (!*names)
        return error_input(r->b->e,
                           "%s: has no layer with a geometry; draw features, or name another file",
                           r->b->path);
    return error_input(r->b->e, "%s: %s; name one of its layers as %.200s:LAYER: %s", r->b->path,
                       *r->b->layer ? "has no layer of that name with a geometry"
                                    : "has several layers",
                       r->b->file, names);
}

/* Finds the named layer, or the only layer with a geometry. */
static int find_layer(struct reading *r)
{
    const int count = r->g.GDALDatasetGetLayerCount(r->data);
    int found = 0;
    for (int i = 0; i < count; i++) {
        OGRLayerH layer = r->g.GDALDatasetGetLayer(r->data, i);
        if (!layer || !has_geometry(r, layer)) continue;
        if (*r->b->layer && strcmp(r->g.OGR_L_GetName(layer), r->b->layer)) continue;
        r->layer = layer;
        found++;
    }
    if (gdal_failed(&r->g)) return refuse_damaged(r);
    if (found != 1) return refuse_layers(r, count);
    char *name = r->b->v->about.layer;
    snprintf(name, sizeof r->b->v->about.layer, "%.120s", r->g.OGR_L_GetName(r->layer));
    scan_make_printable(name);
    return 0;
}

/* ---- CRS ------------------------------------------------------------------------------------- */

/* Refuses a .prj that GDAL does not understand. A missing .prj is fine. */
static int check_prj(struct reading *r)
{
    const char *const endings[] = {"prj", "PRJ"};
    const int stem = (int)strlen(r->b->file) - 3;
    bool there = false;
    for (int i = 0; i < 2 && r->b->format == VECTOR_FORMAT_SHAPEFILE && !r->b->entry && stem > 0;
         i++) {
        FREED char *prj = text_format("%.*s%s", stem, r->b->file, endings[i]);
        there = there || (prj && access(prj, F_OK) == 0);
    }
    if (!there) return 0;
    return remedy_refuse(r->b->e, r->b->file,
                         "%s: GDAL does not know the CRS in its .prj; declare it: " REMEDY_OF_CRS,
                         r->b->path, "");
}

static int take_crs(struct reading *r)
{
    const struct gdal *g = &r->g;
    const char *const options[] = {"FORMAT=WKT2_2018", NULL};
    struct vector_crs *crs = &r->b->crs;
    OGRSpatialReferenceH srs = g->OGR_L_GetSpatialRef(r->layer);
    char *wkt = NULL;
    const char *name = srs ? g->OSRGetName(srs) : NULL;
    g->CPLErrorReset(); /* GDAL reports an unknown .prj as an error; check_prj() decides instead */
    if (!srs || g->OSRIsLocal(srs) || (name && !strncmp(name, "Undefined", 9))) return check_prj(r);
    const char *authority = g->OSRGetAuthorityName(srs, NULL),
               *code = g->OSRGetAuthorityCode(srs, NULL);
    if (authority && code && !strcmp(authority, "EPSG") && atoi(code) > 0) {
        snprintf(crs->name, sizeof crs->name, "EPSG:%d", atoi(code));
        crs->definition = text_format("%s", crs->name);
    } else if (g->OSRExportToWktEx(srs, &wkt, options) == OGRERR_NONE && wkt) {
        snprintf(crs->name, sizeof crs->name, "%.120s", name ? name : "without a name");
        scan_make_printable(crs->name);
        crs->definition = text_format("%s", wkt);
    }
    g->VSIFree(wkt);
    return crs->definition ? 0 : error_memory(r->b->e);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Refuses KML with entities. Refuses KML with attributes if GDAL has only the driver KML, which reads no attributes. */
static int check_kml(struct reading *r)
{
    FREED char *text = NULL;
    size_t size;
    int status = r->b->entry ? archive_text(&text, r->b->file, r->b->entry, r->b->e)
                             : textfile_load(&text, &size, r->b->file, r->b->e);
    if (status) return status;
    if (strstr(text, "<!ENTITY") || strstr(text, "<!DOCTYPE"))
        return error_input(r->b->e, "%s: the KML declares XML entities; export it without them",
                           r->b->path);
    if (!r->b->v->wanted || !strstr(text, "<ExtendedData") || r->g.GDALGetDriverByName("LIBKML"))
        return 0;
    return refuse_file(r->b,
                       "with attributes that the GDAL of this machine reads only with LIBKML;");
}

/* Opens a file. The name for GDAL begins with ./ or /, since GDAL does not read some other names as files. */
static int open_file(struct reading *r)
{
    static const char *const drivers[][3] = {[VECTOR_FORMAT_SHAPEFILE] = {"ESRI Shapefile"},
                                             [VECTOR_FORMAT_GEOPACKAGE] = {"GPKG"},
                                             [VECTOR_FORMAT_KML] = {"LIBKML", "KML"}};
    const enum vector_format format = r->b->format;
    int status = format == VECTOR_FORMAT_KML          ? check_kml(r)
                 : format == VECTOR_FORMAT_GEOPACKAGE ? package_check_views(r->b)
                                                      : 0;
    if (status) return status;
    const char *entry = r->b->entry;
    FREED char *name =
        text_format("%s%s%s%s%s", entry ? "/vsizip/" : "", *r->b->file == '/' ? "" : "./",
                    r->b->file, entry ? "/" : "", entry ? entry : "");
    if (!name) return error_memory(r->b->e);
    r->data = r->g.GDALOpenEx(name, GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                              drivers[format], NULL, NULL);
    return r->data ? 0 : refuse_damaged(r);
}

int ogr_read(struct build *b)
{
    struct reading r = {.b = b};
    if (!gdal_load(&r.g)) return refuse_file(b, WITHOUT);
    gdal_enter(&r.g);
    int status = open_file(&r);
    if (!status) status = find_layer(&r);
    if (!status) status = take_crs(&r);
    if (!status) status = add_features(&r);
    if (r.data) r.g.GDALClose(r.data);
    gdal_leave(&r.g);
    return status;
}

#else
int ogr_read(struct build *b)
{
    return refuse_file(b, WITHOUT);
}
#endif
