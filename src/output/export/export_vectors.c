/* export_vectors.c — isochrones, vents, the outline and the background as GeoJSON (RFC 7946) or, with the terrain, as a
 * GeoPackage. */
#include "export.h"
#include "isochrones/wkb.h"

#include "case/case_background.h"
#include "raster/gdal_library.h"
#include "raster/projection.h"
#include "record/json_number.h"
#include "record/picture_mark.h"
#include "sim/vent.h"
#include "text/atomic_file.h"
#include "text/textfile.h"
#include "text/times.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The values are the type numbers of multi-geometries in well-known binary. FEATURE_ANY: a layer may have geometries of
 * all kinds. */
enum feature_shape { FEATURE_ANY, FEATURE_POINTS = 4, FEATURE_LINES = 5, FEATURE_AREAS = 6 };

enum { FEATURE_COLUMNS_MOST = 8 };
struct feature_column {
    const char *name;
    enum { FEATURE_TEXT, FEATURE_REAL, FEATURE_WHOLE, FEATURE_YES } type;
};

struct features_about {
    const char *name, *words;
    enum feature_shape shape;
    int columns;
    struct feature_column column[FEATURE_COLUMNS_MOST];
};

/* A feature. Its geometry is an area, lines, or a path with points. Coordinates are those of the terrain. */
struct feature {
    const struct features_about *about;
    enum feature_shape shape;
    struct {
        char text[64];
        double number; /* FEATURE_YES: 0 or 1 */
    } value[FEATURE_COLUMNS_MOST];
    const struct isochrone_area *area;
    int paths;
    const struct isochrone_path *path;
};

/* A function that receives each feature. After an error it receives no more features. */
typedef int feature_visit(void *to, const struct feature *f, struct error *e);

/* clang-format off */
#define ISOCHRONE                                                                                  \
    {"label", FEATURE_TEXT}, {"time_h", FEATURE_REAL}, {"date", FEATURE_TEXT},                     \
    {"from_h", FEATURE_REAL}, {"from_date", FEATURE_TEXT}, {"band_m2", FEATURE_REAL},              \
    {"reached_m2", FEATURE_REAL}
/* clang-format on */

static const struct features_about features_about[FEATURES] = {
    [FEATURES_BANDS] = {"bands", "bands of arrival of lava", FEATURE_AREAS, 7, {ISOCHRONE}},
    [FEATURES_REACHED] =
        {"reached", "all cells that lava had reached by a time", FEATURE_AREAS, 7, {ISOCHRONE}},
    [FEATURES_LINES] =
        {"lines", "fronts of the lava", FEATURE_LINES, 8, {ISOCHRONE, {"outline", FEATURE_YES}}},
    [FEATURES_VENTS] = {"vents",
                        "cells of vents",
                        FEATURE_POINTS,
                        3,
                        {{"vent", FEATURE_WHOLE},
                         {"cells", FEATURE_WHOLE},
                         {"emitted_m3", FEATURE_REAL}}},
    [FEATURES_OUTLINE] =
        {"outline", "observed outline", FEATURE_AREAS, 1, {{"area_m2", FEATURE_REAL}}},
    [FEATURES_BACKGROUND] = {"background",
                             "roads, rivers, buildings, the coast and names",
                             FEATURE_ANY,
                             2,
                             {{"kind", FEATURE_TEXT}, {"name", FEATURE_TEXT}}},
};

bool features_there(const struct export_run *r, enum features what)
{
    if (what == FEATURES_VENTS) return r->c->problem.vent_count > 0;
    if (what == FEATURES_BACKGROUND) return case_background_of(r->c);
    return what != FEATURES_OUTLINE || r->outline;
}

static int visit_isochrones(const struct export_run *r, enum features what, feature_visit *visit,
                            void *to, struct error *e)
{
    const double cell_m2 = r->geo.cell_m * r->geo.cell_m;
    int status = 0;
    for (int i = 0; i < r->isochrones->count && !status; i++) {
        const struct isochrone *at = &r->isochrones->at[i];
        struct feature f = {.about = &features_about[what], .shape = features_about[what].shape};
        if (what == FEATURES_LINES) f.path = at->line, f.paths = at->line_count;
        else f.area = what == FEATURES_BANDS ? &at->band : &at->reached;
        if (f.area ? what == FEATURES_BANDS && !f.area->count : !f.paths) continue;
        isochrones_time_text(f.value[0].text, at->time_h);
        f.value[1].number = at->time_h;
        times_date(f.value[2].text, r->c->start_time, at->time_h * 3600, TIMES_ISO);
        f.value[3].number = at->from_h;
        times_date(f.value[4].text, r->c->start_time, at->from_h * 3600, TIMES_ISO);
        f.value[5].number = (double)at->band.cells * cell_m2;
        f.value[6].number = (double)at->raster_cells * cell_m2;
        f.value[7].number = i == r->isochrones->count - 1;
        status = visit(to, &f, e);
    }
    return status;
}

/* Calls visit() for a vent; the points of the feature are all cells of the vent. A fissure is one vent with several
 * cells. */
static int visit_vent(const struct export_run *r, int id, double (*xy)[2], feature_visit *visit,
                      void *to, struct error *e)
{
    const struct problem *p = &r->c->problem;
    const struct georef *geo = &r->c->geo;
    const int64_t last = r->step[r->step_count - 1];
    struct isochrone_path points = {.xy = xy};
    double volume_m = 0;
    for (int v = 0; v < p->vent_count; v++) {
        if (p->vents[v].id != id) continue;
        volume_m += vent_sum_m(&p->vents[v], p->first_step + 1, last);
        xy[points.count][0] = geo->west_m + (p->vents[v].col + 0.5) * geo->cell_m;
        xy[points.count++][1] = geo->south_m + (p->rows - p->vents[v].row - 0.5) * geo->cell_m;
    }
    const struct feature f = {.about = &features_about[FEATURES_VENTS],
                              .shape = FEATURE_POINTS,
                              .value = {{.number = id},
                                        {.number = points.count},
                                        {.number = volume_m * geo->cell_m * geo->cell_m}},
                              .paths = 1,
                              .path = &points};
    return visit(to, &f, e);
}

static int visit_vents(const struct export_run *r, feature_visit *visit, void *to, struct error *e)
{
    const struct problem *p = &r->c->problem;
    FREED double(*xy)[2] = malloc((size_t)(p->vent_count + 1) * sizeof *xy);
    int status = xy ? 0 : error_memory(e);
    for (int v = 0; v < p->vent_count && !status; v++)
        if (export_vent_is_first(p, v)) status = visit_vent(r, p->vents[v].id, xy, visit, to, e);
    return status;
}

static int visit_outline(const struct export_run *r, feature_visit *visit, void *to,
                         struct error *e)
{
    const double cell_m2 = r->c->geo.cell_m * r->c->geo.cell_m;
    FREED_BY(isochrones_free) struct isochrones outline = {0};
    const int status = isochrones_of_mask(&outline, r->outline, r->c->problem.rows,
                                          r->c->problem.cols, &r->c->geo, e);
    if (status) return status;
    if (!outline.count) return 0;
    const struct feature f = {.about = &features_about[FEATURES_OUTLINE],
                              .shape = FEATURE_AREAS,
                              .value = {{.number = (double)outline.at[0].raster_cells * cell_m2}},
                              .area = &outline.at[0].reached};
    return visit(to, &f, e);
}

/* Makes a path of a ring: an outer ring counterclockwise, a hole clockwise. */
static void take_ring(struct isochrone_path *p, double (*room)[2], const double (*xy)[2], int count,
                      bool outer)
{
    double twice_m2 = 0;
    *p = (struct isochrone_path){count - 1, true, room}; /* the last position repeats the first */
    for (int i = 1; i < count; i++)
        twice_m2 += (xy[i - 1][0] - xy[0][0]) * (xy[i][1] - xy[0][1]) -
                    (xy[i][0] - xy[0][0]) * (xy[i - 1][1] - xy[0][1]);
    for (int i = 0; i < count - 1; i++)
        memcpy(room[i], xy[(twice_m2 > 0) == outer ? i : count - 1 - i], sizeof *room);
}

/* Calls visit() for a shape of the background. The first ring of an area is its edge, all other rings are holes. Points
 * become one path. */
static int visit_shape(struct feature *f, const struct map_place *t, feature_visit *visit, void *to,
                       struct error *e)
{
    int positions = 0;
    for (int i = 0; i < t->parts; i++) positions += t->part_size[i];
    FREED struct isochrone_path *path = malloc((size_t)t->parts * sizeof *path);
    FREED double(*room)[2] = malloc((size_t)positions * sizeof *room);
    if (!path || !room) return error_memory(e);
    const double(*xy)[2] = t->xy;
    double(*free_room)[2] = room;
    for (int i = 0; i < t->parts; i++) {
        const int count = t->part_size[i];
        if (t->kind == MAP_AREA) take_ring(&path[i], free_room, xy, count, !i);
        else
            path[i] = (struct isochrone_path){count, false,
                                              memcpy(free_room, xy, (size_t)count * sizeof *xy)};
        xy += count;
        free_room += count;
    }
    if (t->kind == MAP_POINT) path[0].count = positions;
    struct isochrone_polygon polygon = {t->parts, path};
    const struct isochrone_area area = {.count = 1, .polygon = &polygon};
    f->paths = t->kind == MAP_POINT ? 1 : t->parts;
    f->path = path;
    f->area = t->kind == MAP_AREA ? &area : NULL;
    return visit(to, f, e);
}

static int visit_background(const struct export_run *r, feature_visit *visit, void *to,
                            struct error *e)
{
    static const enum feature_shape shapes[] = {
        [MAP_POINT] = FEATURE_POINTS, [MAP_LINE] = FEATURE_LINES, [MAP_AREA] = FEATURE_AREAS};
    const struct map_background *b = case_background_of(r->c);
    int status = 0;
    for (int i = 0; i < b->count && !status; i++) {
        const struct map_place *t = &b->feature[i].shape;
        struct feature f = {.about = &features_about[FEATURES_BACKGROUND],
                            .shape = shapes[t->kind]};
        snprintf(f.value[0].text, sizeof f.value[0].text, "%s",
                 background_looks[b->feature[i].kind].name);
        snprintf(f.value[1].text, sizeof f.value[1].text, "%s", t->label);
        status = visit_shape(&f, t, visit, to, e);
    }
    return status;
}

static int features_visit(const struct export_run *r, enum features what, feature_visit *visit,
                          void *to, struct error *e)
{
    if (what == FEATURES_VENTS) return visit_vents(r, visit, to, e);
    if (what == FEATURES_OUTLINE) return visit_outline(r, visit, to, e);
    if (what == FEATURES_BACKGROUND) return visit_background(r, visit, to, e);
    return visit_isochrones(r, what, visit, to, e);
}

struct geojson {
    const struct export_run *r;
    struct atomic_file file;
    FILE *f;
    /* number of decimals of degrees; the last decimal is about 0.01 m or, with cells below 1 m, 0.01 mm */
    int digits;
    int features;
    bool lost; /* a position has no longitude and latitude */
};

/* ---- numbers and texts ----------------------------------------------------------------------- */

static void put_degrees(struct geojson *g, double degrees)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%.*f", g->digits, degrees);
    while (text[n - 1] == '0') n--;
    if (text[n - 1] == '.') n--;
    fwrite(text, 1, (size_t)n, g->f);
}

static void put_position(struct geojson *g, const double xy[2])
{
    double there[2] = {xy[0], xy[1]};
    if (!transform_back(g->r->transform, there)) g->lost = true;
    putc('[', g->f);
    put_degrees(g, there[0]);
    putc(',', g->f);
    put_degrees(g, there[1]);
    putc(']', g->f);
}

static void put_path(struct geojson *g, const struct isochrone_path *p)
{
    putc('[', g->f);
    for (int i = 0; i < p->count + p->closed; i++) {
        if (i) putc(',', g->f);
        put_position(g, p->xy[i % p->count]);
    }
    putc(']', g->f);
}

static void put_area(struct geojson *g, const struct isochrone_area *a)
{
    fputs("{\"type\":\"MultiPolygon\",\"coordinates\":[", g->f);
    for (int i = 0; i < a->count; i++) {
        fputs(i ? ",\n[" : "[", g->f);
        for (int k = 0; k < a->polygon[i].count; k++) {
            if (k) putc(',', g->f);
            put_path(g, &a->polygon[i].ring[k]);
        }
        putc(']', g->f);
    }
    fputs("]}", g->f);
}

/* Writes ,"name":"..."; nothing for an empty text. */
static void put_text(struct geojson *g, const char *name, const char *text)
{
    FREED_BY(json_free_at) cJSON *string = *text ? cJSON_CreateString(text) : NULL;
    json_clean(string);
    FREED char *printed = string ? cJSON_PrintUnformatted(string) : NULL;
    if (printed) fprintf(g->f, ",\"%s\":%s", name, printed);
}

static void put_real(struct geojson *g, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.10g", value);
    fprintf(g->f, ",\"%s\":%s%s", name, text, strpbrk(text, ".e") ? "" : ".0"); /* a real */
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Writes a geometry with the name and the brackets of its shape. */
static void put_geometry(struct geojson *g, const struct feature *f)
{
    if (f->area) {
        put_area(g, f->area);
        return;
    }
    fputs(f->shape == FEATURE_POINTS ? "{\"type\":\"MultiPoint\",\"coordinates\":"
                                     : "{\"type\":\"MultiLineString\",\"coordinates\":[",
          g->f);
    for (int k = 0; k < f->paths; k++) {
        if (k) fputs(",\n", g->f);
        put_path(g, &f->path[k]);
    }
    fputs(f->shape == FEATURE_POINTS ? "}" : "]}", g->f);
}

static int put_feature(void *to, const struct feature *f, struct error *e)
{
    struct geojson *g = to;
    fprintf(g->f, "%s\n{\"type\":\"Feature\",\"id\":%d,\"properties\":{\"id\":%d",
            g->features ? "," : "", g->features + 1, g->features + 1);
    g->features++;
    for (int i = 0; i < f->about->columns; i++) {
        const struct feature_column *c = &f->about->column[i];
        const double v = f->value[i].number;
        if (c->type == FEATURE_TEXT) put_text(g, c->name, f->value[i].text);
        else if (c->type == FEATURE_REAL) put_real(g, c->name, v);
        else if (c->type == FEATURE_WHOLE) fprintf(g->f, ",\"%s\":%.0f", c->name, v);
        else fprintf(g->f, ",\"%s\":%s", c->name, v > 0 ? "true" : "false");
    }
    fputs("},\n\"geometry\":", g->f);
    put_geometry(g, f);
    putc('}', g->f);
    return 0;
}

int export_geojson(const struct export_run *r, enum features what, const char *path,
                   struct error *e)
{
    const char *file = path_name(path);
    struct geojson g = {.r = r, .digits = r->geo.cell_m < 1 ? 10 : 7};
    int status = atomic_file_open(&g.file, path, e);
    if (status) return status;
    g.f = g.file.stream;
    fprintf(g.f, "{\"type\":\"FeatureCollection\",\"name\":\"%.*s\",\"generator\":\"%s %s\"",
            path_stem(file), file, MADE_BY_SCIARA, r->version);
    put_text(&g, "case", r->c->title);
    fprintf(g.f, ",\n\"features\":[");
    status = features_visit(r, what, put_feature, &g, e);
    fputs("]}\n", g.f);
    if (!status && g.lost)
        status =
            error_failed(e, "%s: PROJ cannot transform a position to longitude and latitude", path);
    if (!status) return atomic_file_finish(&g.file, e);
    atomic_file_abandon(&g.file);
    return status;
}

/* ---- a GeoPackage, by GDAL ------------------------------------------------------------------- */

/* The GDAL of the machine (raster/gdal_library.h) makes the package in memory: terrain, isochrones, vents, outline and
 * background in the CRS of the terrain. */

static int refuse_without(const char *name, struct error *e)
{
    return error_input(e,
                       "%s: a GeoPackage is written through GDAL, and " GDAL_NONE "; " GDAL_GET
                       " or choose geojson",
                       name);
}

#ifdef SCIARA_WITH_GDAL
/* Writes a multi-geometry. Its type number is 3 more than the type number of a part: wkbPoint, wkbLineString or
 * wkbPolygon. */
static void put_multi(FILE *to, const struct feature *f)
{
    const int whole = f->shape, part = whole - 3;
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

/* The geometry of *f as WKB, malloc'ed; NULL: out of memory. */
static unsigned char *make_wkb(const struct feature *f, size_t *size)
{
    char *data = NULL;
    FILE *to = open_memstream(&data, size);
    if (to) put_multi(to, f);
    if (to && fclose(to) == 0) return (unsigned char *)data;
    free(data);
    return NULL;
}

#define DATE    "2000-01-01T00:00:00.000Z"
#define TERRAIN "ground and solidified lava at the end, in metres"

struct package {
    struct gdal g;
    const char *name; /* the name of the file for messages */
    char file[64];
    GDALDatasetH data;
    OGRSpatialReferenceH crs;
    OGRLayerH layer;
};

static int package_failed(const struct package *p, struct error *e)
{
    char said[256];
    return error_failed(e, "%s: GDAL does not write it: %s", p->name,
                        gdal_reason(&p->g, "GDAL gives no reason", said));
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Sets the CRS by its EPSG code, if there is one, because GIS recognise the code. */
static int set_crs(struct package *p, const struct crs *of, struct error *e)
{
    FREED char *text =
        of->epsg ? text_format("EPSG:%d", of->epsg) : projection_wkt(of, PROJECTION_WKT2);
    if (!text) return 0;
    p->crs = p->g.OSRNewSpatialReference(NULL);
    const int bad = p->g.OSRSetFromUserInput(p->crs, text);
    p->g.OSRSetAxisMappingStrategy(p->crs, OAMS_TRADITIONAL_GIS_ORDER);
    return bad == OGRERR_NONE ? 0 : package_failed(p, e);
}

/* Opens a package with a grid `terrain` of rows x cols numbers, in tiles of the format TIFF; rows 0: no grid. The
 * caller calls package_free(), also after an error. */
static int package_open(struct package *p, const char *name, const struct crs *crs, int rows,
                        int cols, struct error *e)
{
    static const char *const options[] = {"RASTER_TABLE=terrain", "RASTER_DESCRIPTION=" TERRAIN,
                                          NULL};
    *p = (struct package){.name = name};
    if (!gdal_load(&p->g)) return refuse_without(name, e);
    gdal_enter(&p->g);
    p->g.CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", DATE);
    /* The pointer to the package makes the name unique, because a process may have several runs. */
    snprintf(p->file, sizeof p->file, "/vsimem/sciara-%p.gpkg", (void *)p);
    GDALDriverH driver = p->g.GDALGetDriverByName("GPKG");
    if (!driver) return error_input(e, "%s: the GDAL of this machine has no GeoPackage", name);
    int status = set_crs(p, crs, e);
    if (status) return status;
    p->data =
        p->g.GDALCreate(driver, p->file, cols, rows, rows ? 1 : 0, rows ? GDT_Float32 : GDT_Unknown,
                        rows ? (CSLConstList)options : NULL);
    return p->data ? 0 : package_failed(p, e);
}

static void package_free(struct package *p)
{
    if (!*p->file) return;
    if (p->data) p->g.GDALClose(p->data);
    p->g.VSIUnlink(p->file);
    if (p->crs) p->g.OSRDestroySpatialReference(p->crs);
    p->g.CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", NULL);
    gdal_leave(&p->g);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static int put_terrain(struct package *p, const struct export_run *r, struct error *e)
{
    const float none = -9999; /* stands for no data, because no elevation is as low */
    const struct georef *geo = &r->geo;
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    double six[] = {geo->west_m, geo->cell_m, 0, geo->south_m + r->rows * geo->cell_m,
                    0,           -geo->cell_m};
    FREED float *value = malloc(cells * sizeof *value);
    if (!value) return error_memory(e);
    r->last_layer(r, "elevation_after_m", value);
    for (size_t i = 0; i < cells; i++)
        if (isnan(value[i])) value[i] = none;
    int bad = p->g.GDALSetGeoTransform(p->data, six);
    if (!bad && p->crs) bad = p->g.GDALSetSpatialRef(p->data, p->crs);
    GDALRasterBandH band = p->g.GDALGetRasterBand(p->data, 1);
    p->g.GDALSetRasterNoDataValue(band, none); /* GDAL 3.6 sets the value, but returns a failure */
    if (!bad)
        bad = p->g.GDALRasterIOEx(band, GF_Write, 0, 0, r->cols, r->rows, value, r->cols, r->rows,
                                  GDT_Float32, 0, 0, NULL);
    return bad ? package_failed(p, e) : 0;
}

static int put_row(void *to, const struct feature *f, struct error *e)
{
    struct package *p = to;
    OGRGeometryH geometry = NULL;
    size_t size;
    FREED unsigned char *wkb = make_wkb(f, &size);
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
    return bad == OGRERR_NONE ? 0 : package_failed(p, e);
}

static int begin_layer(struct package *p, const char *name, const char *description,
                       OGRwkbGeometryType kind, struct error *e)
{
    char said[256];
    const char *const options[] = {said, "SPATIAL_INDEX=NO", NULL};
    snprintf(said, sizeof said, "DESCRIPTION=%s", description);
    p->layer = p->g.GDALDatasetCreateLayer(p->data, name, p->crs, kind, (CSLConstList)options);
    return p->layer ? 0 : package_failed(p, e);
}

static int put_layer(struct package *p, const struct export_run *r, enum features what,
                     struct error *e)
{
    const struct features_about *about = &features_about[what];
    char words[200];
    snprintf(words, sizeof words, "%s. " MADE_BY_SCIARA " %.60s", about->words, r->version);
    int status = begin_layer(p, about->name, words, (OGRwkbGeometryType)about->shape, e);
    for (int i = 0; i < about->columns && !status; i++) {
        const struct feature_column *c = &about->column[i];
        OGRFieldDefnH field =
            p->g.OGR_Fld_Create(c->name, c->type == FEATURE_TEXT ? OFTString : OFTReal);
        if (p->g.OGR_L_CreateField(p->layer, field, 1) != OGRERR_NONE)
            status = package_failed(p, e);
        p->g.OGR_Fld_Destroy(field);
    }
    return status ? status : features_visit(r, what, put_row, p, e);
}

int export_geopackage(const struct export_run *r, enum features unused, const char *path,
                      struct error *e)
{
    FREED_BY(package_free) struct package p;
    int status = package_open(&p, path, &r->geo.crs, r->rows, r->cols, e);
    if (!status) status = put_terrain(&p, r, e);
    for (enum features i = 0; i < FEATURES && !status; i++)
        if (features_there(r, i)) status = put_layer(&p, r, i, e);
    if (status) return status;
    unsigned long long length = 0;
    p.g.CPLErrorReset();
    p.g.GDALClose(p.data);
    p.data = NULL;
    const unsigned char *held = p.g.VSIGetMemFileBuffer(p.file, &length, 0);
    return held && length ? atomic_file_bytes(path, held, length, e) : package_failed(&p, e);
}

/* Makes a package with an empty layer in memory as a test. GDAL may lack GeoPackage; PROJ may lack its database and
 * find no CRS. */
int export_check_geopackage(const struct sim_case *c, const char *what, struct error *e)
{
    const char *name = *c->path ? c->path : c->name;
    struct package p;
    struct error why;
    if (!gdal_load(&p.g)) return refuse_without(name, e);
    int status = package_open(&p, what, &c->geo.crs, 0, 0, &why);
    if (!status) status = begin_layer(&p, "bands", "", wkbMultiPolygon, &why);
    package_free(&p);
    if (!status) return 0;
    return error_input(e,
                       "%s: %.400s; correct the installation of GDAL and PROJ, or choose geojson",
                       name, why.text);
}

#else
int export_geopackage(const struct export_run *r, enum features unused, const char *path,
                      struct error *e)
{
    return refuse_without(path, e);
}

int export_check_geopackage(const struct sim_case *c, const char *what, struct error *e)
{
    return refuse_without(*c->path ? c->path : c->name, e);
}
#endif
