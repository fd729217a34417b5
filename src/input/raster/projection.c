/* projection.c — asks PROJ about CRSs that are given as WKT, codes or GeoKeys. */
#include "projection.h"
#include "geotiff_crs.h"

#include "base/memory.h"
#include "text/remedy.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <geo_normalize.h>
#include <geo_simpletags.h>
#include <geokeys.h>
#include <geotiff.h>
#include <math.h>
#include <proj_experimental.h> /* proj_crs_demote_to_2D() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <xtiffio.h>

/* ---- a CRS from the WKT in NAME.aux.xml or in a .prj file ------------------------------------ */

/* A code that PROJ finds is used if PROJ's confidence is at least this number, in per cent. GDAL has the same limit. */
enum { SURE = 90 };

/* Reads the unit of an axis (its length and its name), and whether the axis points down. `unit`, `down` may be NULL. */
static bool read_axis(PJ_CONTEXT *context, const PJ *crs, int index, double *unit_m, char unit[64],
                      bool *down)
{
    FREED_BY(projection_free) PJ *cs = proj_crs_get_coordinate_system(context, crs);
    const char *direction = NULL, *name = NULL;
    double length = 0;
    const bool there = cs && proj_cs_get_axis_count(context, cs) > index &&
                       proj_cs_get_axis_info(context, cs, index, NULL, NULL, &direction, &length,
                                             &name, NULL, NULL);
    if (there) {
        *unit_m = length > 0 && isfinite(length) ? length : 0;
        if (unit) {
            snprintf(unit, 64, "%s", name ? name : "");
            scan_make_printable(unit);
        }
        if (down) *down = direction && strcmp(direction, "down") == 0;
    }
    return there;
}

static void take_name(char name[128], const PJ *crs, const char *otherwise)
{
    const char *found = proj_get_name(crs);
    snprintf(name, 128, "%s", found && *found ? found : otherwise);
    scan_make_printable(name);
}

/* Reads the third axis of a CRS, or the only axis of a vertical CRS. */
static void read_heights(struct vertical *v, PJ_CONTEXT *context, const PJ *crs, int axis)
{
    if (read_axis(context, crs, axis, &v->unit_m, v->unit, &v->depth))
        take_name(v->name, crs, "without a name");
}

static int epsg_of(const PJ *crs)
{
    const char *authority = proj_get_id_auth_name(crs, 0), *code = proj_get_id_code(crs, 0);
    const int n = authority && code && !strcmp(authority, "EPSG") ? atoi(code) : 0;
    return n > 0 && n < 32767 + 32768 ? n : 0;
}

/* Returns the code of a CRS, or of the same CRS in PROJ's database; 0: there is none. */
static int find_epsg(PJ_CONTEXT *context, const PJ *crs)
{
    int *confidence = NULL, epsg = epsg_of(crs);
    PJ_OBJ_LIST *list = epsg ? NULL : proj_identify(context, crs, "EPSG", NULL, &confidence);
    if (list && proj_list_get_count(list) > 0 && confidence && confidence[0] >= SURE) {
        FREED_BY(projection_free) PJ *same = proj_list_get(context, list, 0);
        if (same) epsg = epsg_of(same);
    }
    proj_int_list_destroy(confidence);
    proj_list_destroy(list);
    return epsg;
}

/* ---- a CRS of any type ----------------------------------------------------------------------- */

/* The file with the definition of a CRS, and the raster with this CRS, for messages. */
struct defined {
    const char *name, *path;
};

static int refuse_definition(const struct defined *by, const char *what, struct error *e)
{
    return remedy_refuse(e, by->path, "%s: %s; declare the CRS: " REMEDY_DEM, by->name, what,
                         DEM_FROM_CODE);
}

static int read_projected(struct crs *crs, struct vertical *v, PJ_CONTEXT *context, const PJ *pj,
                          const struct defined *by, struct error *e)
{
    static const char *const one_line[] = {"MULTILINE=NO", NULL};
    if (!read_axis(context, pj, 0, &crs->unit_m, NULL, NULL) || crs->unit_m == 0)
        return refuse_definition(by, "its projection has no unit of length", e);
    read_heights(v, context, pj, 2);
    take_name(crs->name, pj, "");
    if ((crs->epsg = find_epsg(context, pj))) return 0;
    FREED_BY(projection_free) PJ *flat = proj_crs_demote_to_2D(context, NULL, pj);
    const char *wkt = flat ? proj_as_wkt(context, flat, PJ_WKT1_ESRI, one_line) : NULL;
    if (!wkt && flat) wkt = proj_as_wkt(context, flat, PJ_WKT2_2019, one_line);
    if (wkt && geotiff_crs_from_wkt(crs, wkt)) return 0;
    return refuse_definition(by, "its CRS is too long to be stored", e);
}

static int read_crs(struct crs *crs, struct vertical *v, PJ_CONTEXT *context, const PJ *pj,
                    int depth, const struct defined *by, struct error *e)
{
    const PJ_TYPE type = proj_get_type(pj);
    int status = 0;
    if (type == PJ_TYPE_PROJECTED_CRS) return read_projected(crs, v, context, pj, by, e);
    if (type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS) {
        crs->geographic = true;
        crs->epsg_degrees = find_epsg(context, pj);
        take_name(crs->name, pj, "");
        read_heights(v, context, pj, 2);
    } else if (type == PJ_TYPE_VERTICAL_CRS) {
        read_heights(v, context, pj, 0);
    } else if (type == PJ_TYPE_BOUND_CRS || type == PJ_TYPE_COMPOUND_CRS) {
        for (int i = 0; i < (type == PJ_TYPE_BOUND_CRS ? 1 : 2) && !status && depth < 4; i++) {
            FREED_BY(projection_free)
            PJ *part = type == PJ_TYPE_BOUND_CRS ? proj_get_source_crs(context, pj)
                                                 : proj_crs_get_sub_crs(context, pj, i);
            if (part) status = read_crs(crs, v, context, part, depth + 1, by, e);
        }
    } else if (type == PJ_TYPE_ENGINEERING_CRS) {
        take_name(crs->name, pj, "");
        if (!read_axis(context, pj, 0, &crs->unit_m, NULL, NULL) || crs->unit_m == 0)
            crs->unit_m = 1;
    } else {
        status = refuse_definition(by, "its CRS is neither projected nor local nor in degrees", e);
    }
    return status;
}

/* ---- a .prj of ArcInfo, in key words ----------------------------------------------------------- */

/* Copies the word after a key; "": there is none. */
static void word_behind(char out[16], const char *text, const char *key)
{
    const size_t length = strlen(key);
    *out = '\0';
    for (; *text; text += strcspn(text, " "), text += strspn(text, " "))
        if (!strncasecmp(text, key, length) && text[length] == ' ') {
            sscanf(text + length, " %15s", out);
            return;
        }
}

/* Returns the code of "Projection UTM Zone 33 Datum WGS84 Units METERS ...", as GDAL reads it: UTM on three datums,
 * or degrees; 0: any other text. A shift of y means the southern hemisphere. */
static int epsg_of_key_words(const char *text)
{
    char projection[16], zone[16], datum[16], units[16], shift[16];
    word_behind(projection, text, "Projection");
    word_behind(zone, text, "Zone");
    word_behind(datum, text, "Datum");
    word_behind(units, text, "Units");
    word_behind(shift, text, "Yshift");
    const int n = atoi(zone);
    const bool wgs = !strcasecmp(datum, "WGS84");
    if (!strcasecmp(projection, "GEOGRAPHIC") && wgs && !strcasecmp(units, "DD")) return 4326;
    if (strcasecmp(projection, "UTM") || strcasecmp(units, "METERS") || n < 1 || n > 60) return 0;
    if (wgs) return (strtod(shift, NULL) != 0 ? 32700 : 32600) + n;
    if (strtod(shift, NULL) != 0 || n > 22) return 0;
    return !strcasecmp(datum, "NAD83") ? 26900 + n : !strcasecmp(datum, "NAD27") ? 26700 + n : 0;
}

static PJ *create_by_code(PJ_CONTEXT *context, int epsg)
{
    char code[24];
    snprintf(code, sizeof code, "EPSG:%d", epsg);
    return context ? proj_create(context, code) : NULL;
}

int projection_read(struct crs *crs, struct vertical *vertical, const char *wkt, const char *name,
                    const char *path, struct error *e)
{
    const struct defined by = {name, path};
    FREED_BY(projection_close) PJ_CONTEXT *context = projection_context();
    FREED_BY(projection_free)
    PJ *pj = context ? proj_create_from_wkt(context, wkt, NULL, NULL, NULL) : NULL;
    const int epsg = pj ? 0 : epsg_of_key_words(wkt);
    *crs = (struct crs){.unit_m = 1};
    *vertical = (struct vertical){0};
    if (!context) return error_memory(e);
    if (epsg) pj = create_by_code(context, epsg);
    if (pj) return read_crs(crs, vertical, context, pj, 0, &by, e);
    return projection_blame(refuse_definition(&by, "PROJ does not understand its CRS", e), name, e);
}

/* ---- by a code ------------------------------------------------------------------------------- */

void projection_vertical(struct vertical *vertical, int epsg)
{
    FREED_BY(projection_close) PJ_CONTEXT *context = projection_context();
    FREED_BY(projection_free) PJ *pj = create_by_code(context, epsg);
    *vertical = (struct vertical){0};
    const PJ_TYPE type = pj ? proj_get_type(pj) : PJ_TYPE_UNKNOWN;
    if (type == PJ_TYPE_VERTICAL_CRS) read_heights(vertical, context, pj, 0);
    if (type == PJ_TYPE_GEOGRAPHIC_3D_CRS || type == PJ_TYPE_PROJECTED_CRS)
        read_heights(vertical, context, pj, 2);
    snprintf(vertical->name, sizeof vertical->name, "EPSG:%d", epsg);
}

bool projection_known(int epsg, char name[128], int *unit)
{
    FREED_BY(projection_close) PJ_CONTEXT *context = projection_context();
    char *found = NULL;
    short length = 0;
    const bool there = context && GTIFGetPCSInfoEx(context, epsg, &found, NULL, &length, NULL);
    if (there && found) snprintf(name, 128, "%s", found);
    if (there) *unit = length;
    GTIFFreeMemory(found);
    return there;
}

double projection_unit(int epsg, char unit[64])
{
    FREED_BY(projection_close) PJ_CONTEXT *context = projection_context();
    const char *name = NULL, *category = NULL;
    char code[16];
    double metres = 0;
    unit[0] = '\0';
    snprintf(code, sizeof code, "%d", epsg);
    if (context &&
        proj_uom_get_info_from_database(context, "EPSG", code, &name, &metres, &category) &&
        category && !strcmp(category, "linear"))
        snprintf(unit, 64, "%s", name ? name : code);
    else metres = 0;
    if (metres == 0 && (epsg == 9002 || epsg == 9003)) { /* feet need no database */
        metres = epsg == 9002 ? 0.3048 : 1200.0 / 3937;
        snprintf(unit, 64, "%s", epsg == 9002 ? "foot" : "US survey foot");
    }
    return metres;
}

/* ---- a context that prints nothing ----------------------------------------------------------- */

static void say_nothing(void *unused, int level, const char *text) {}

PJ_CONTEXT *projection_context(void)
{
    PJ_CONTEXT *context = proj_context_create();
    if (!context) return NULL;
    proj_log_func(context, NULL, say_nothing); /* since copies of the context lose the log level */
    proj_log_level(context, PJ_LOG_NONE);
    proj_context_set_enable_network(context, 0); /* even if the environment enables it */
    return context;
}

/* ---- from a struct crs to PROJ --------------------------------------------------------------- */

/* Sets a key for libgeotiff. With a value of another type or length, or a number of 300 digits, libgeotiff would write
 * beyond its memory; so it gets only keys that define a projection, with the right type and a number below 1e9. */
static void set_key(GTIF *gtif, const struct crs *crs, const uint16_t k[4])
{
    const int id = k[0];
    const bool is_short = id == GTModelTypeGeoKey || id == GeographicTypeGeoKey ||
                          (id >= GeogGeodeticDatumGeoKey && id <= GeogLinearUnitsGeoKey) ||
                          id == GeogAngularUnitsGeoKey || id == GeogEllipsoidGeoKey ||
                          id == GeogAzimuthUnitsGeoKey || id == ProjectedCSTypeGeoKey ||
                          (id >= ProjectionGeoKey && id <= ProjLinearUnitsGeoKey);
    const bool is_double = id == GeogLinearUnitSizeGeoKey || id == GeogAngularUnitSizeGeoKey ||
                           (id >= GeogSemiMajorAxisGeoKey && id <= GeogInvFlatteningGeoKey) ||
                           id == GeogPrimeMeridianLongGeoKey ||
                           (id >= ProjLinearUnitSizeGeoKey && id <= ProjRectifiedGridAngleGeoKey);
    if (k[2] != 1) return;
    if (is_short && k[1] == 0) GTIFKeySet(gtif, (geokey_t)id, TYPE_SHORT, 1, k[3]);
    if (is_double && k[1] == TIFFTAG_GEODOUBLEPARAMS && fabs(crs->doubles[k[3]]) < 1e9)
        GTIFKeySet(gtif, (geokey_t)id, TYPE_DOUBLE, 1, crs->doubles[k[3]]);
}

/* Whether the angles of a CRS are in degrees. libgeotiff converts only some other units, and prints a message
 * about a unit that it does not know. */
static bool in_degrees(const struct crs *crs)
{
    for (int i = 0; i < crs->key_count; i++) {
        const uint16_t *k = crs->keys + 4 * i;
        if (k[0] == GeogAngularUnitsGeoKey && !(k[1] == 0 && (k[3] == 9102 || k[3] == 9122)))
            return false;
    }
    return true;
}

/* Creates a CRS by libgeotiff from the keys. */
static PJ *create_from_keys(PJ_CONTEXT *context, const struct crs *crs)
{
    if (!in_degrees(crs)) return NULL;
    ST_TIFF *tags = ST_Create();
    GTIFDefn *defn = GTIFAllocDefn();
    GTIF *gtif = tags && defn ? GTIFNewSimpleTags(tags) : NULL;
    char *string = NULL;
    PJ *made = NULL;

    if (gtif) GTIFAttachPROJContext(gtif, context);
    for (int i = 0; gtif && i < crs->key_count; i++) set_key(gtif, crs, crs->keys + 4 * i);
    if (gtif && GTIFGetDefn(gtif, defn) && (string = GTIFGetProj4Defn(defn)) != NULL) {
        FREED char *whole = text_format("%s +type=crs", string);
        if (whole && strncmp(whole, "+proj=", 6) == 0) made = proj_create(context, whole);
    }
    GTIFFreeMemory(string);
    if (gtif) GTIFFree(gtif);
    GTIFFreeDefn(defn);
    if (tags) ST_Destroy(tags);
    return made;
}

int projection_blame(int status, const char *name, struct error *e)
{
    /* PROJ has failed in a process that could still reserve 64 MiB, so the limit is higher. */
    enum { ENOUGH_BYTES = 128 << 20 };
    if (!status || memory_room() >= ENOUGH_BYTES) return status;
    return error_failed(e,
                        "%s: PROJ has too little memory to open its database of coordinate systems "
                        "(proj.db); raise `ulimit -v`",
                        name);
}

static PJ *create_transform(PJ_CONTEXT *context, const struct crs *crs)
{
    char text[CRS_MAX_TEXT];
    PJ *made = NULL;
    if (projection_is_utm(crs->epsg)) {
        snprintf(text, sizeof text, "+proj=utm +zone=%d%s +datum=WGS84 +type=crs", crs->epsg % 100,
                 crs->epsg / 100 == 327 ? " +south" : "");
        return proj_create(context, text);
    }
    if (crs->epsg && (made = create_by_code(context, crs->epsg)) != NULL) return made;
    if (geotiff_crs_wkt(crs, text)) return proj_create_from_wkt(context, text, NULL, NULL, NULL);
    return crs->key_count ? create_from_keys(context, crs) : NULL;
}

PJ *projection_create(PJ_CONTEXT *context, const struct crs *crs)
{
    PJ *made = create_transform(context, crs);
    if (made && proj_get_type(made) == PJ_TYPE_BOUND_CRS) {
        PJ *source = proj_get_source_crs(context, made);
        proj_destroy(made);
        made = source;
    }
    if (made && proj_get_type(made) == PJ_TYPE_PROJECTED_CRS) return made;
    proj_destroy(made);
    return NULL;
}

/* Creates a CRS, if possible from PROJ's database by its code, since that CRS has a name. */
static PJ *create_named(PJ_CONTEXT *context, const struct crs *crs)
{
    PJ *made = crs->epsg ? create_by_code(context, crs->epsg) : NULL;
    return made ? made : projection_create(context, crs);
}

char *projection_wkt(const struct crs *crs, enum projection_wkt form)
{
    /* GDAL always writes the names of axes, and needs them to recognise the code of a CRS. */
    static const char *const named[] = {"MULTILINE=NO", "OUTPUT_AXIS=YES", NULL};
    FREED_BY(projection_close)
    PJ_CONTEXT *context = crs_known(crs) ? projection_context() : NULL;
    FREED_BY(projection_free) PJ *known = context ? create_named(context, crs) : NULL;
    const PJ_WKT_TYPE type = form == PROJECTION_WKT1 ? PJ_WKT1_GDAL : PJ_WKT2_2019;
    const char *text = known ? proj_as_wkt(context, known, type, named) : NULL;
    return text ? strdup(text) : NULL;
}

PJ *projection_east_first(PJ_CONTEXT *context, PJ *given)
{
    PJ *made = given ? proj_normalize_for_visualization(context, given) : NULL;
    proj_destroy(given);
    return made;
}

PJ *projection_to_degrees(PJ_CONTEXT *context, const PJ *crs)
{
    FREED_BY(projection_free)
    PJ *geodetic = crs ? proj_crs_get_geodetic_crs(context, crs) : NULL;
    if (!geodetic) return NULL;
    return projection_east_first(
        context, proj_create_crs_to_crs_from_pj(context, crs, geodetic, NULL, NULL));
}

/* ---- any CRS --------------------------------------------------------------------------------- */

/* Reads the unit of the first axis: an angle in radians, or a length in metres. */
static void read_unit(struct flat_crs *flat, PJ_CONTEXT *context, const PJ *crs)
{
    double unit = 0;
    if (proj_get_type(crs) == PJ_TYPE_BOUND_CRS) {
        FREED_BY(projection_free) PJ *source = proj_get_source_crs(context, crs);
        if (source) read_unit(flat, context, source);
    } else if (read_axis(context, crs, 0, &unit, NULL, NULL) && unit > 0) {
        const bool angle = proj_get_type(crs) == PJ_TYPE_GEOGRAPHIC_2D_CRS;
        flat->turn = angle ? proj_torad(360) / unit : 0;
        flat->unit_m = angle ? 0 : unit;
    }
}

static void take_flat(struct flat_crs *flat, PJ_CONTEXT *context, const PJ *crs)
{
    static const char *const one_line[] = {"MULTILINE=NO", NULL};
    const int epsg = epsg_of(crs);
    if (epsg) snprintf(flat->called, sizeof flat->called, "EPSG:%d", epsg);
    else take_name(flat->called, crs, "a CRS without a name");
    /* PROJ may not recognise the datum of a file, as files spell it in many ways. So a CRS with a code is taken from
     * PROJ's database. PROJ finds the transformations of such a CRS. */
    FREED_BY(projection_free) PJ *known = epsg ? create_by_code(context, epsg) : NULL;
    const bool same = known && proj_get_type(known) == proj_get_type(crs);
    const char *wkt = proj_as_wkt(context, same ? known : crs, PJ_WKT2_2019, one_line);
    flat->wkt = wkt ? strdup(wkt) : NULL;
    read_unit(flat, context, crs);
}

int projection_flat(struct flat_crs *flat, const char *crs, const char *path, struct error *e)
{
    FREED_BY(projection_close) PJ_CONTEXT *context = projection_context();
    FREED_BY(projection_free)
    PJ *given = context ? proj_create(context, crs) : NULL,
       *level = given ? proj_crs_demote_to_2D(context, NULL, given) : NULL;
    const PJ_TYPE type = level ? proj_get_type(level) : PJ_TYPE_UNKNOWN;
    *flat = (struct flat_crs){0};
    if (type == PJ_TYPE_PROJECTED_CRS || type == PJ_TYPE_GEOGRAPHIC_2D_CRS ||
        type == PJ_TYPE_BOUND_CRS)
        take_flat(flat, context, level);
    if (flat->wkt) return 0;
    return projection_blame(error_input(e,
                                        "%s: its CRS is not a CRS of the Earth, or PROJ does not "
                                        "know it; name the right CRS",
                                        path),
                            path, e);
}

PJ *projection_between(PJ_CONTEXT *context, const char *from, const char *to, const double *area)
{
    PJ_AREA *places = area ? proj_area_create() : NULL;
    if (places) proj_area_set_bbox(places, area[0], area[1], area[2], area[3]);
    PJ *given = proj_create_crs_to_crs(context, from, to, places);
    if (places) proj_area_destroy(places);
    return projection_east_first(context, given);
}

/* ---- scale ----------------------------------------------------------------------------------- */

/* A CRS, its transformation to degrees, and its ellipsoid, on which lengths are measured. */
struct ground {
    PJ_CONTEXT *context;
    PJ *crs, *to_degrees, *ellipsoid;
};

static void ground_close(struct ground *w)
{
    proj_destroy(w->ellipsoid);
    proj_destroy(w->to_degrees);
    proj_destroy(w->crs);
    proj_context_destroy(w->context);
}

/* Creates an operation with the ellipsoid of a CRS, for proj_geod(). Before PROJ 8, proj_geod() finds no ellipsoid in
 * the CRS itself. */
static PJ *create_ellipsoid(PJ_CONTEXT *context, const PJ *crs)
{
    FREED_BY(projection_free) PJ *ellipsoid = proj_get_ellipsoid(context, crs);
    char text[96];
    double a, b, inverse_flattening;
    if (!ellipsoid ||
        !proj_ellipsoid_get_parameters(context, ellipsoid, &a, &b, NULL, &inverse_flattening))
        return NULL;
    if (inverse_flattening > 0)
        snprintf(text, sizeof text, "+proj=longlat +a=%.17g +rf=%.17g", a, inverse_flattening);
    else snprintf(text, sizeof text, "+proj=longlat +a=%.17g +b=%.17g", a, b);
    return proj_create(context, text);
}

static bool ground_open(struct ground *w, const struct crs *crs)
{
    *w = (struct ground){.context = projection_context()};
    w->crs = w->context ? projection_create(w->context, crs) : NULL;
    w->to_degrees = projection_to_degrees(w->context, w->crs);
    w->ellipsoid = w->to_degrees ? create_ellipsoid(w->context, w->crs) : NULL;
    return w->ellipsoid != NULL;
}

/* Returns a place in radians, longitude first. */
static PJ_COORD place_of(const struct ground *w, double x, double y)
{
    const PJ_LP deg = proj_trans(w->to_degrees, PJ_FWD, proj_coord(x, y, 0, 0)).lp;
    return proj_coord(proj_torad(deg.lam), proj_torad(deg.phi), 0, 0);
}

/* Finds two vectors on the ground, each with its parts to the east and to the north in m. v[0] belongs to a step of 1 m
 * along x in the CRS, v[1] to a step of 1 m along y. proj_factors() computes the same, but is wrong in some versions of
 * PROJ if the transformation from degrees to the CRS has two steps (OSGeo/PROJ#3824). */
static bool metres_at(double v[2][2], const struct ground *w, double x, double y)
{
    const double half_m = 5;
    for (int k = 0; k < 2; k++) {
        const double dx = k == 0 ? half_m : 0, dy = k == 1 ? half_m : 0;
        const PJ_COORD from = place_of(w, x - dx, y - dy), to = place_of(w, x + dx, y + dy);
        if (!(fabs(from.lp.phi) <= 2 && fabs(to.lp.phi) <= 2)) return false; /* not finite */
        const PJ_COORD line = proj_geod(w->ellipsoid, from, to); /* m, degrees from the north */
        v[k][0] = line.v[0] / (2 * half_m) * sin(proj_torad(line.v[1]));
        v[k][1] = line.v[0] / (2 * half_m) * cos(proj_torad(line.v[1]));
    }
    return true;
}

/* Returns x or, next to a pole, an x 20 km away. Next to a pole, north has another direction every few metres. The
 * scale 20 km away is nearly the scale at the pole. */
static double pass_pole(const struct ground *w, double x, double y)
{
    static const double near_deg = 89.9, farther_m = 20000;
    return fabs(proj_todeg(place_of(w, x, y).lp.phi)) > near_deg ? x + farther_m : x;
}

/* Widens the range *s so that it includes the scale at a place. The singular values of the matrix of metres_at() are the
 * extreme lengths of a metre of the CRS on the ground. They are 1 / the half axes of Tissot's ellipse. */
static bool add_place(struct ground_scale *s, const struct ground *w, double x, double y)
{
    double v[2][2];
    if (!metres_at(v, w, pass_pole(w, x, y), y)) return false;
    const double t = v[0][0] * v[0][0] + v[0][1] * v[0][1] + v[1][0] * v[1][0] + v[1][1] * v[1][1];
    const double det = fabs(v[0][0] * v[1][1] - v[0][1] * v[1][0]);
    const double most = sqrt((t + sqrt(fmax(0, t * t - 4 * det * det))) / 2), least = det / most;
    if (!(least > 0 && isfinite(most))) return false;
    s->least = fmin(s->least, 1 / most);
    s->greatest = fmax(s->greatest, 1 / least);
    return true;
}

bool projection_scale(struct ground_scale *s, const struct georef *geo, int rows, int cols)
{
    static const double corners[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    const double width = cols * geo->cell_m, height = rows * geo->cell_m;
    const double east = geo->west_m + width / 2, north = geo->south_m + height / 2;
    if (projection_scale_utm(s, geo, rows, cols)) return true;
    FREED_BY(ground_close) struct ground w = {0};
    *s = (struct ground_scale){.least = INFINITY};
    if (!ground_open(&w, &geo->crs) || !add_place(s, &w, east, north)) return false;
    const PJ_COORD centre = place_of(&w, east, north);
    s->east_deg = proj_todeg(centre.lp.lam);
    s->north_deg = proj_todeg(centre.lp.phi);
    for (int i = 0; i < 4; i++) /* a corner outside the projection does not count */
        add_place(s, &w, geo->west_m + corners[i][0] * width,
                  geo->south_m + corners[i][1] * height);
    return true;
}

double projection_north(const struct georef *geo, int rows, int cols)
{
    const double east = geo->west_m + cols * geo->cell_m / 2,
                 north = geo->south_m + rows * geo->cell_m / 2;
    double v[2][2], deg = 0;
    FREED_BY(ground_close) struct ground w = {0};
    if (ground_open(&w, &geo->crs) && metres_at(v, &w, east, north)) {
        /* a vector (x, y) of the CRS points north if x * v[0][0] + y * v[1][0], its eastward part, is 0 */
        const double side = v[0][0] * v[1][1] - v[0][1] * v[1][0] < 0 ? -1 : 1;
        deg = proj_todeg(atan2(-side * v[1][0], side * v[0][0]));
    }
    return isfinite(deg) ? deg : 0;
}

void projection_from_geographic(const struct crs *crs, double xy[2])
{
    FREED_BY(projection_close)
    PJ_CONTEXT *context = crs->epsg_degrees ? projection_context() : NULL;
    char code[24];
    snprintf(code, sizeof code, "EPSG:%d", crs->epsg_degrees);
    FREED_BY(projection_free)
    PJ *to = context ? projection_between(context, code, "EPSG:4326", NULL) : NULL;
    if (!to) return;
    const PJ_COORD there = proj_trans(to, PJ_FWD, proj_coord(xy[0], xy[1], 0, 0));
    if (!isfinite(there.xy.x) || !isfinite(there.xy.y)) return;
    xy[0] = there.xy.x;
    xy[1] = there.xy.y;
}
