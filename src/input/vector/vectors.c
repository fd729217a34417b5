#include "vectors.h"
#include "build.h"
#include "draw_cells.h"

#include "raster/gdal_library.h"
#include "raster/projection.h"
#include "text/archive.h"
#include "text/remedy.h"
#include "text/scan.h"

#include <math.h>
#include <proj_experimental.h> /* proj_crs_demote_to_2D() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct transform {
    PJ_CONTEXT *context;
    PJ *there;
    bool degrees;
};

/* ---- definitions ----------------------------------------------------------------------------- */

/* Creates the CRS of longitude and latitude on WGS 84, even without PROJ's database. EPSG:4326 gives the
 * transformations of ogr2ogr; the transformations of OGC:CRS84 differ by 2 m in Hawaii. */
static PJ *create_degrees(PJ_CONTEXT *context)
{
    PJ *made = proj_create(context, "EPSG:4326");
    return made ? made : proj_create(context, "+proj=longlat +datum=WGS84 +type=crs");
}

/* Returns a CRS without its heights, and destroys `crs`; NULL is fine. */
static PJ *flatten(PJ_CONTEXT *context, PJ *crs)
{
    PJ *part = NULL;
    if (crs && proj_get_type(crs) == PJ_TYPE_COMPOUND_CRS) {
        part = proj_crs_get_sub_crs(context, crs, 0);
        proj_destroy(crs);
        crs = part;
    }
    part = crs ? proj_crs_demote_to_2D(context, NULL, crs) : NULL;
    if (!part) return crs;
    proj_destroy(crs);
    return part;
}

static PJ *create_source(PJ_CONTEXT *context, const char *from)
{
    struct crs utm = {0};
    const int code = strncmp(from, "EPSG:", 5) == 0 ? atoi(from + 5) : 0;
    if (!strcmp(from, CRS_DEGREES) || code == 4326 || code == 4979) return create_degrees(context);
    utm.epsg = code;
    if (projection_is_utm(code)) return projection_create(context, &utm);
    return flatten(context, code ? proj_create(context, from)
                                 : proj_create_from_wkt(context, from, NULL, NULL, NULL));
}

static bool is_geographic(PJ_CONTEXT *context, const PJ *crs)
{
    PJ_TYPE type = proj_get_type(crs);
    FREED_BY(projection_free)
    PJ *source = type == PJ_TYPE_BOUND_CRS ? proj_get_source_crs(context, crs) : NULL;
    if (source) type = proj_get_type(source);
    return type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS;
}

/* Whether a definition is a geographic CRS, in degrees. */
static bool crs_is_geographic(const char *from)
{
    FREED_BY(projection_close) PJ_CONTEXT *context = projection_context();
    FREED_BY(projection_free) PJ *crs = context ? create_source(context, from) : NULL;
    return crs && is_geographic(context, crs);
}

/* ---- the transformation ---------------------------------------------------------------------- */

static bool is_code_of(const char *from, const struct crs *to)
{
    char code[32];
    snprintf(code, sizeof code, "EPSG:%d", to->epsg);
    return !strcmp(code, from);
}

static bool same_crs(const char *from, const PJ *source, const struct crs *to, const PJ *target)
{
    return is_code_of(from, to) || proj_is_equivalent_to(source, target, PJ_COMP_EQUIVALENT);
}

static int find_way(struct transform *w, bool *nothing, const char *from, const struct crs *to,
                    const char *name, struct error *e)
{
    char target_name[128];
    int status = 0;
    crs_text(to, CRS_OF_THE_DEM, target_name);
    FREED_BY(projection_free)
    PJ *target = projection_create(w->context, to), *source = create_source(w->context, from);
    if (!target)
        status = error_input(
            e, "%s: PROJ does not know the CRS of the DEM (%s); give the coordinates in that CRS",
            name, target_name);
    else if (!source)
        status = error_input(e,
                             "%s: PROJ does not know its CRS (%.60s); give the coordinates in the "
                             "CRS of the DEM (%s)",
                             name, from, target_name);
    else if (same_crs(from, source, to, target)) *nothing = true;
    else {
        w->there = projection_east_first(
            w->context, proj_create_crs_to_crs_from_pj(w->context, source, target, NULL, NULL));
        w->degrees = is_geographic(w->context, source);
        if (!w->there)
            status = error_input(e,
                                 "%s: PROJ finds no transformation from its CRS to the CRS of the "
                                 "DEM (%s); give the coordinates in that CRS",
                                 name, target_name);
    }
    return projection_blame(status, name, e);
}

int transform_open(struct transform **w, const char *from, const struct crs *to, const char *name,
                   struct error *e)
{
    bool nothing = false;
    *w = calloc(1, sizeof **w);
    if (*w) (*w)->context = projection_context();
    int status = *w && (*w)->context ? find_way(*w, &nothing, from, to, name, e) : error_memory(e);
    if (!status && !nothing) return 0;
    transform_close(*w);
    *w = NULL;
    return status;
}

/* Refuses a grid across the antimeridian. A terrain spans less than 180 degrees. If two of its corners have longitudes
 * that differ by more than 180, it lies across the antimeridian. */
static int check_corners(const struct transform *w, const struct georef *geo, int rows, int cols,
                         const char *name, const char *what, struct error *e)
{
    const double width = cols * geo->cell_m, height = rows * geo->cell_m;
    double first = 0;
    for (int i = 0; i < 4; i++) {
        double xy[2] = {geo->west_m + (i & 1 ? width : 0), geo->south_m + (i & 2 ? height : 0)};
        if (!transform_back(w, xy))
            return error_input(e,
                               "%s: %s: a corner of the terrain has no longitude and latitude in "
                               "its CRS; correct the CRS, or omit that format",
                               name, what);
        if (i == 0) first = xy[0];
        else if (fabs(xy[0] - first) > 180)
            return error_input(
                e,
                "%s: %s: the terrain lies across the antimeridian, where longitude jumps from 180 "
                "to -180; omit that format (format qgis stays in the CRS of the terrain)",
                name, what);
    }
    return 0;
}

int transform_degrees(struct transform **w, const struct georef *geo, int rows, int cols,
                      const char *name, const char *what, struct error *e)
{
    *w = NULL;
    if (!crs_known(&geo->crs))
        return error_input(e,
                           "%s: %s needs longitude and latitude, and the terrain names no CRS; "
                           "give it with 'crs EPSG:n' in the case, or omit that format",
                           name, what);
    int status = transform_open(w, CRS_DEGREES, &geo->crs, name, e);
    if (!status && !*w) status = error_failed(e, "%s: its CRS is in degrees", name);
    if (!status) status = check_corners(*w, geo, rows, cols, name, what, e);
    if (!status) return 0;
    transform_close(*w);
    *w = NULL;
    return status;
}

void transform_close(struct transform *w)
{
    if (!w) return;
    proj_destroy(w->there);
    proj_context_destroy(w->context);
    free(w);
}

/* Whether the inverse transformation leads back to `from`. Far outside its area, a projection returns positions of
 * other places, and their inverse is not `from`. */
static bool comes_back(const struct transform *w, const double from[2], PJ_COORD there)
{
    const double near = w->degrees ? 1e-3 : 100;
    const PJ_COORD back = proj_trans(w->there, PJ_INV, there);
    const double across = w->degrees ? remainder(back.xy.x - from[0], 360) : back.xy.x - from[0];
    return fabs(across) <= near && fabs(back.xy.y - from[1]) <= near;
}

bool transform_apply(const struct transform *w, double xy[2], const char **why)
{
    if (w->degrees && !(fabs(xy[0]) <= 360 && fabs(xy[1]) <= 90)) {
        *why = "is not a longitude and a latitude in degrees";
        return false;
    }
    if (w->degrees && fabs(xy[1]) == 90) {
        *why = "is a pole, which has no longitude";
        return false;
    }
    const PJ_COORD there = proj_trans(w->there, PJ_FWD, proj_coord(xy[0], xy[1], 0, 0));
    if (!(fabs(there.xy.x) <= 1e9 && fabs(there.xy.y) <= 1e9) || !comes_back(w, xy, there)) {
        *why = "is too far away for the CRS of the DEM";
        return false;
    }
    xy[0] = there.xy.x;
    xy[1] = there.xy.y;
    return true;
}

bool transform_back(const struct transform *w, double xy[2])
{
    const PJ_COORD there = proj_trans(w->there, PJ_INV, proj_coord(xy[0], xy[1], 0, 0));
    if (!isfinite(there.xy.x) || !isfinite(there.xy.y)) return false;
    xy[0] = there.xy.x;
    xy[1] = there.xy.y;
    return true;
}

/* ---- features of a file ---------------------------------------------------------------------- */

void vectors_free(struct vectors *v)
{
    for (int i = 0; v->value && i < v->features * v->wanted; i++) free(v->value[i]);
    RELEASE(v, v->feature, v->part, v->xy, v->value);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_there(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0;
}

/* Removes ":LAYER" from the end of a malloc'ed path, and returns the path; NULL is fine. The path ends before any
 * word `layer` or `where`. */
static char *file_of(char *path)
{
    char *last = path ? strrchr(path, ':') : NULL;
    if (!last || is_there(path)) return path;
    /* Names of layers and files may have colons. The layer follows the first colon before which the
     * text names an existing file. If there is no such colon, the layer follows the last colon. */
    for (char *colon = strchr(path, ':'); colon < last; colon = strchr(colon + 1, ':')) {
        *colon = '\0';
        if (is_there(path)) return path;
        *colon = ':';
    }
    *last = '\0';
    return path;
}

static const char words[][8] = {" layer ", " where "};
enum { WORD = sizeof words[0] - 1 };

/* Returns the first word "layer" or "where" after `from`; the end of the text if there is none. */
static const char *find_word(const char *from)
{
    const char *at = from + strlen(from), *found;
    for (int i = 0; i < 2; i++)
        if ((found = strstr(from, words[i])) && found < at) at = found;
    return at;
}

char *vectors_file_of(const char *path)
{
    const char *first = find_word(path);
    char *file = NULL;
    if (is_there(path)) return text_format("%s", path);
    /* The name of a file may contain "layer" or "where". */
    for (const char *at = first; *at; at = find_word(at + 1)) {
        free(file);
        file = file_of(text_format("%.*s", (int)(at - path), path));
        if (!file || is_there(file)) return file;
    }
    free(file);
    return file_of(text_format("%.*s", (int)(first - path), path));
}

/* Reads the value after `layer` or `where`, without the quotes around it. Two quotes within the value mean one quote.
 * *at moves past the value. */
static char *take_value(const char **at, bool sql)
{
    const char quote = **at == '\'' || **at == '"' ? **at : '\0', *end = *at + 1;
    char *value = text_format("%s", *at), *to = value;
    while (quote && *end && (*end != quote || end[1] == quote)) {
        if (to) *to++ = *end;
        end += *end == quote ? 2 : 1;
    }
    if (to > value && *end && (!end[1] || find_word(end + 1) == end + 1)) {
        *to = '\0';
        *at = end + 1;
        return value;
    }
    end = sql ? *at + strlen(*at) : find_word(*at);
    free(value);
    value = text_format("%.*s", (int)(end - *at), *at);
    *at = end;
    return value;
}

/* Reads the text after the file in a path: ":LAYER", " layer LAYER", " where SQL". False: out of memory. */
static bool take_words(const char *rest, char **layer, char **where)
{
    if (*rest == ':') {
        const char *end = find_word(rest);
        *layer = text_format("%.*s", (int)(end - rest - 1), rest + 1);
        if (!*layer) return false;
        rest = end;
    }
    while (*rest) {
        const bool sql = !strncmp(rest, words[1], WORD);
        char **to = sql ? where : layer;
        rest += WORD;
        free(*to);
        if (!(*to = take_value(&rest, sql))) return false;
    }
    return true;
}

/* ---- formats --------------------------------------------------------------------------------- */

static enum vector_format format_of_head(const char *head, size_t size)
{
    enum { APPLICATION_AT = 68 };
    static const char *const applications[] = {"GPKG", "GP10", "GP11"};
    const char *first = head + (strncmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    if (size >= 4 && !memcmp(head, "\0\0\x27\x0a", 4)) return VECTOR_FORMAT_SHAPEFILE;
    if (size >= 16 && !memcmp(head, "SQLite format 3", 16)) {
        for (size_t i = 0; i < sizeof applications / sizeof *applications; i++)
            if (size >= APPLICATION_AT + 4 && !memcmp(head + APPLICATION_AT, applications[i], 4))
                return VECTOR_FORMAT_GEOPACKAGE;
        return VECTOR_FORMAT_NONE;
    }
    first += strspn(first, " \t\r\n");
    if (*first == '{') return VECTOR_FORMAT_GEOJSON;
    /* XML counts as KML, even if a long comment hides its first element. XML with an element of GML or GPX does not. */
    return *first == '<' && (strstr(first, "<kml") ||
                             (!strncmp(first, "<?xml", 5) && !strstr(first, "opengis.net/gml") &&
                              !strstr(first, "<gpx")))
               ? VECTOR_FORMAT_KML
               : VECTOR_FORMAT_NONE;
}

static enum vector_format vector_format_of(const char *path)
{
    char head[1025];
    FREED char *file = vectors_file_of(path);
    const size_t size = file ? file_head(head, sizeof head, file) : 0;
    return size ? format_of_head(head, size) : VECTOR_FORMAT_NONE;
}

#define OF_EVENT "*observed*vent*" /* observedEventA, observed_event_a */
static const char *const vector_entries[] = {".shp", ".kml", ".geojson", ".json", NULL};
static const char *const row_entries[] = {".dbf", ".geojson", ".json", NULL};
static const char *const table_entries[] = {".csv", NULL};

/* An archive with exactly one raster counts as that raster. Any other archive counts as a vector file if it has vector
 * files, or no file that this program can read. */
static bool is_archive_of_vectors(const char *path, const char *file)
{
    const char *rest = path + strlen(file), *wanted = *rest == ':' ? rest + 1 : "";
    const int rasters = archive_count(file, raster_entries, wanted);
    return rasters != 1 && (archive_count(file, vector_entries, wanted) ||
                            (!rasters && !archive_count(file, table_entries, wanted)));
}

bool vectors_are_in(const char *path)
{
    static const char *const endings[] = {".geojson", ".shp", ".shx", ".dbf", ".gpkg",
                                          ".kml",     ".kmz", ".zip", NULL};
    if (!strncmp(path, "/vsi", 4) || vector_format_of(path) != VECTOR_FORMAT_NONE) return true;
    FREED char *file = vectors_file_of(path);
    if (file && *find_word(path + strlen(file))) return true; /* a raster has no layer */
    if (file && archive_is(file)) return is_archive_of_vectors(path, file);
    return file && text_find_extension(file, endings) >= 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

bool vectors_each_file(const char *path, void (*each)(void *self, const char *file), void *self)
{
    static const char *const parts[] = {"shx", "SHX", "dbf", "DBF", "prj", "PRJ", "cpg", "CPG"};
    FREED char *file = vectors_file_of(path);
    if (!file) return false;
    if (is_there(file)) each(self, file);
    bool whole = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && text_has_extension(file, ".shp"); i++) {
        FREED char *part = text_format("%.*s%s", (int)strlen(file) - 3, file, parts[i]);
        if (part && is_there(part)) each(self, part);
        whole = whole && part;
    }
    return whole;
}

/* Chooses the entry of an archive, and its format. The text after the colon is the name of the entry, or a layer of
 * the only entry. Without a colon, an archive of several entries is read as a package of the Copernicus Emergency
 * Management Service: the entry is its observed event. */
static int choose_entry(struct build *b)
{
    const bool rows = b->take == VECTORS_TAKE_ROWS;
    const char *const *endings = rows ? row_entries : vector_entries, *meant = b->layer;
    if (!*meant && archive_count(b->file, endings, "") > 1 &&
        archive_count(b->file, endings, OF_EVENT) == 1)
        meant = OF_EVENT;
    if (*meant && !archive_count(b->file, endings, meant) &&
        archive_count(b->file, endings, "") == 1)
        meant = "";
    else b->layer = "";
    int status = archive_find(&b->entry, b->file, endings, meant, b->e);
    if (!status)
        b->format = text_has_extension(b->entry, ".kml")                   ? VECTOR_FORMAT_KML
                    : text_has_extension(b->entry, rows ? ".dbf" : ".shp") ? VECTOR_FORMAT_SHAPEFILE
                                                                           : VECTOR_FORMAT_GEOJSON;
    return status;
}

static int read_geojson(struct build *b)
{
    FREED_BY(textfile_close) struct textfile t = {0};
    FREED char *text = NULL;
    int status =
        b->entry ? archive_text(&text, b->file, b->entry, b->e) : textfile_open(&t, b->file, b->e);
    if (!status && b->entry) status = textfile_of_text(&t, b->path, text, b->e);
    return status ? status : geojson_read(b, t.next ? t.next : "");
}

static int refuse_format(const struct build *b)
{
    const char *path = is_there(b->file) ? b->file : b->path;
    struct error *e = b->e;
    if (text_ends(path, ".shx") || text_ends(path, ".dbf"))
        return error_input(e, "%s: is a part of a Shapefile; name its .shp", path);
    static const char formats[] = "GeoJSON, Shapefile, GeoPackage and KML";
    char head[8];
    const int status = remedy_check_utf16(path, ".geojson", e);
    if (status) return status;
    if (file_head(head, sizeof head, path) && text_is_archive(head))
        return error_input(e,
                           "%s: is " TEXT_ARCHIVE
                           "; save its table as CSV, and name that, or unpack it (unzip)",
                           path);
    if (text_has_extension(path, ".csv"))
        return remedy_refuse(
            e, path,
            "%s: is not one of %s%s; convert it (X, Y: its columns of coordinates, CODE: their "
            "CRS, 4326 for longitude and latitude): " REMEDY_TABLE,
            path, formats, b->where ? ", which a condition (where) needs" : "");
    return remedy_refuse(e, path,
                         "%s: is not one of %s; if " REMEDY_LAYERS
                         " knows it, convert it: " REMEDY_FEATURES,
                         path, formats, "", "");
}

static int read_file(struct build *b)
{
    /* An address, such as https://..., has a colon but no layer, so the message shows the whole text. */
    int status =
        textfile_check_regular(is_there(b->file) ? b->file : b->path, "a vector file", b->e);
    if (status) return status;
    if (archive_is(b->file) && (status = choose_entry(b))) return status;
    if (!strncmp(b->path, "/vsi", 4) || b->format == VECTOR_FORMAT_NONE) return refuse_format(b);
    if (b->format != VECTOR_FORMAT_GEOJSON) return ogr_read(b);
    if (!*b->layer) return read_geojson(b);
    return error_input(b->e, "%s: GeoJSON has no layers; name the file alone", b->path);
}

/* ---- CRS ------------------------------------------------------------------------------------- */

static bool are_degrees(const struct vectors *v)
{
    for (int i = 0; i < v->positions; i++)
        if (!(fabs(v->xy[i][0]) <= 180 && fabs(v->xy[i][1]) <= 90)) return false;
    return true;
}

/* Whether coordinates of the grid, in metres, can be as small as degrees, as in a local grid. */
static bool grid_may_be_degrees(const struct vector_grid *g)
{
    const struct georef *o = g->geo;
    return o->west_m <= 180 && o->west_m + g->cols * o->cell_m >= -180 && o->south_m <= 90 &&
           o->south_m + g->rows * o->cell_m >= -90;
}

static int refuse_degrees(struct build *b, const char *crs)
{
    return error_input(
        b->e,
        "%s: is in degrees (%s), and the DEM names no CRS; declare its CRS in the case: crs EPSG:n",
        b->path, crs);
}

/* Decides the CRS of a file that names none: the size of its numbers shows degrees or metres. RFC 7946 allows only
 * longitude and latitude, but many GeoJSON files have metres and do not name a CRS. */
static int assume_crs(struct build *b, const struct vector_grid *g, struct transform **w)
{
    const bool standard = b->format == VECTOR_FORMAT_GEOJSON;
    struct vectors_about *a = &b->v->about;
    snprintf(a->crs, sizeof a->crs, "not named");
    if (!are_degrees(b->v) || grid_may_be_degrees(g)) {
        snprintf(a->assumed, sizeof a->assumed,
                 "names no CRS: its coordinates are read as coordinates of the DEM");
        return 0;
    }
    if (!crs_known(&g->geo->crs)) return refuse_degrees(b, "by the size of its numbers");
    snprintf(a->assumed, sizeof a->assumed, "%s",
             standard
                 ? ""
                 : "names no CRS: its coordinates are read as longitude and latitude (WGS 84)");
    if (standard) snprintf(a->crs, sizeof a->crs, "longitude and latitude (RFC 7946)");
    return transform_open(w, CRS_DEGREES, &g->geo->crs, b->path, b->e);
}

static int choose_transform(struct build *b, const struct vector_grid *g, struct transform **w)
{
    struct vectors_about *a = &b->v->about;
    const char *from = b->crs.definition;
    snprintf(a->crs, sizeof a->crs, "%s", from ? b->crs.name : "not named");
    if (!g) return 0;
    if (!from) return assume_crs(b, g, w);
    if (is_code_of(from, &g->geo->crs)) return 0; /* PROJ is not needed */
    if (crs_known(&g->geo->crs)) return transform_open(w, from, &g->geo->crs, b->path, b->e);
    if (crs_is_geographic(from)) return refuse_degrees(b, a->crs);
    snprintf(a->assumed, sizeof a->assumed, "the DEM names no CRS: %.80s is used for the DEM, too",
             a->crs);
    return 0;
}

/* ---- places ---------------------------------------------------------------------------------- */

static int refuse_place(struct build *b, const struct vector_feature *f, const double xy[2],
                        const char *why)
{
    FREED char *layer = build_layer_word(b);
    if (!layer) return error_memory(b->e);
    return remedy_refuse(b->e, b->file,
                         "%s: feature %d has the position %.10g, %.10g, which %s (its CRS: %s); "
                         "correct its CRS: " REMEDY_OF_CRS "; or clip it: " REMEDY_CLIP,
                         b->path, f->number, xy[0], xy[1], why, b->v->about.crs, layer, layer);
}

static int refuse_round(struct build *b, const struct vector_feature *f)
{
    FREED char *layer = build_layer_word(b);
    if (!layer) return error_memory(b->e);
    return remedy_refuse(b->e, b->file,
                         "%s: feature %d: a line spans more than 180 degrees of longitude, across "
                         "the antimeridian or round a pole; cut it there: " REMEDY_DATE_LINE,
                         b->path, f->number, layer);
}

static int project_part(struct build *b, const struct transform *w, const struct vector_feature *f,
                        const struct vector_part *p)
{
    double before = NAN;
    for (int i = p->first; i < p->first + p->count; i++) {
        const char *why = "";
        double *xy = b->v->xy[i];
        const double longitude = xy[0], from[2] = {xy[0], xy[1]};
        if (!transform_apply(w, xy, &why)) return refuse_place(b, f, from, why);
        if (w->degrees && fabs(longitude - before) > 180) return refuse_round(b, f);
        before = longitude;
    }
    return 0;
}

static int project(struct build *b, const struct vector_grid *g, const struct transform *w)
{
    const struct vectors *v = b->v;
    int status = 0;
    if (!w) return 0;
    crs_text(&g->geo->crs, CRS_OF_THE_DEM, b->v->about.projected_to);
    for (int i = 0; i < v->features && !status; i++)
        for (int k = 0; k < v->feature[i].count && !status; k++)
            status = project_part(b, w, &v->feature[i], &v->part[v->feature[i].first + k]);
    return status;
}

/* Refuses a file outside the terrain. The message shows the CRS and the extent of the file, so that the user finds the
 * mistake. */
static int check_reach(const struct build *b, const struct vector_grid *g, bool degrees)
{
    const struct vectors_about *a = &b->v->about;
    const struct georef *o = g->geo;
    const double east = o->west_m + g->cols * o->cell_m, north = o->south_m + g->rows * o->cell_m;
    if (a->west <= east && a->east >= o->west_m && a->south <= north && a->north >= o->south_m)
        return 0; /* a line on the edge of the terrain touches cells */
    FREED char *layer = build_layer_word(b);
    if (!layer) return error_memory(b->e);
    return remedy_refuse(b->e, b->file,
                         "%s: lies outside the terrain: it reaches from %.10g, %.10g to %.10g, "
                         "%.10g (its CRS: %s%s%s%s), the DEM from %.10g, %.10g to %.10g, %.10g%s; "
                         "name another file, or correct its CRS: " REMEDY_OF_CRS,
                         b->path, a->west, a->south, a->east, a->north, a->crs,
                         *a->projected_to ? ", transformed to " : "", a->projected_to,
                         *a->projected_to ? "" : ", not transformed", o->west_m, o->south_m, east,
                         north, degrees && !*a->projected_to ? "; these look like degrees" : "",
                         layer);
}

int build_place(struct build *b, const struct vector_grid *g)
{
    struct transform *w = NULL;
    const bool degrees = are_degrees(b->v);
    int status = choose_transform(b, g, &w);
    if (!status && g) status = project(b, g, w);
    if (!status) status = measure(b->v, g, b->e);
    if (!status && g) status = check_reach(b, g, degrees);
    transform_close(w);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

int vectors_read(struct vectors *v, const char *path, const struct vector_grid *grid, int take,
                 const char *const *wanted, struct error *e)
{
    FREED char *file = vectors_file_of(path), *layer = NULL, *where = NULL;
    *v = (struct vectors){0};
    if (!file || !take_words(path + strlen(file), &layer, &where)) return error_memory(e);
    struct build b = {.v = v,
                      .path = path,
                      .file = file,
                      .layer = layer ? layer : "",
                      .format = vector_format_of(file),
                      .wanted = wanted,
                      .take = take,
                      .e = e};
    file_stamp_of(&v->about.stamp, file);
    while (wanted && wanted[v->wanted]) v->wanted++;
    if (grid && grid->geo->crs.epsg)
        snprintf(b.target, sizeof b.target, "EPSG:%d", grid->geo->crs.epsg);
    int status = where ? where_open(&b.where, where, &b) : 0;
    if (!status) status = read_file(&b);
    if (!status && !v->features && where) status = where_refuse_all(&b);
    else if (!status && !v->features)
        status = error_input(e, "%s: has no features with a geometry; draw some, or omit the file",
                             path);
    if (!status && take != VECTORS_TAKE_ROWS) status = build_place(&b, grid);
    if (!status) build_doubt(&b);
    free(b.crs.definition);
    free(b.entry);
    where_close(b.where);
    if (status) vectors_free(v);
    return status;
}

bool vectors_any_has(const struct vectors *v, int wanted)
{
    for (int i = 0; i < v->features; i++)
        if (vectors_value(v, i, wanted)) return true;
    return false;
}

const char *vectors_value(const struct vectors *v, int feature, int wanted)
{
    return v->value[feature * v->wanted + wanted];
}

void vectors_name(char *out, size_t size, const struct vectors *v, int feature, int first, int last)
{
    *out = '\0';
    for (int k = first; k <= last && !*out; k++) {
        const char *name = vectors_value(v, feature, k);
        snprintf(out, size, "%.60s", name ? name : "");
        scan_cut(out);
        scan_make_printable(out);
        if (scan_blank(out)) *out = '\0';
    }
    if (!*out) snprintf(out, size, "%d", v->feature[feature].number);
}

int vectors_real(const struct vectors *v, int feature, int wanted, const char *path,
                 const char *name, double *value, struct error *e)
{
    const char *text = vectors_value(v, feature, wanted);
    char excerpt[48];
    if (!text || scan_real(text, value)) return 0;
    return error_input(e, "%s: feature %d: %s is '%s'; give one finite number", path,
                       v->feature[feature].number, name, scan_excerpt(excerpt, text));
}

double vectors_lost_share(const struct vectors_about *a)
{
    for (int k = VECTOR_KINDS; k--;)
        if (a->size[k] > 0) return fmax(0, 1 - a->inside[k] / a->size[k]);
    return 0;
}

void vectors_lost(const struct vectors_about *a, const char *path, char *sentence, size_t size)
{
    static const char *const what[VECTOR_KINDS] = {"points", "length", "area"};
    /* a smaller share than 1 / ROUNDING is an error of rounding */
    enum { ROUNDING = 1000000000 };
    int last = VECTOR_AREA;
    *sentence = '\0';
    for (int k = VECTOR_KINDS; k-- && a->placed;) {
        const double lost = a->size[k] > 0 ? 1 - a->inside[k] / a->size[k] : 0;
        if (!(lost * ROUNDING > 1)) continue;
        const size_t used = strlen(sentence);
        if (!used) snprintf(sentence, size, "%.200s: ", path);
        snprintf(sentence + strlen(sentence), size - strlen(sentence), "%s%.3g %% of its %s",
                 used ? ", " : "", 100 * lost, what[k]);
        last = k;
    }
    const size_t used = strlen(sentence);
    if (!used) return;
    snprintf(sentence + used, size - used, " %s outside the terrain and skipped",
             last == VECTOR_POINT ? "are" : "is");
    if (a->outside)
        snprintf(sentence + strlen(sentence), size - strlen(sentence),
                 " (all of %d of %d features)", a->outside, a->features);
}

void vectors_formats(char out[160])
{
    char version[64];
    const bool there = gdal_version(version);
    snprintf(out, 160, "vector files: GeoJSON%s%s",
             there ? "; Shapefile, GeoPackage and KML through " : " alone: " GDAL_NONE,
             there ? version : "");
}
