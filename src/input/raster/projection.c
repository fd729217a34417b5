/* How long the metres of a CRS are, from the projection itself. */
#include "projection.h"

#include "base/memory.h"
#include "geotiff_crs.h"
#include "text/textfile.h"

#include <geo_normalize.h>
#include <geo_simpletags.h>
#include <geokeys.h>
#include <geotiff.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xtiffio.h>

static void say_nothing(void *unused, int level, const char *text)
{
    (void)unused, (void)level, (void)text;
}

PJ_CONTEXT *projection_context(void)
{
    PJ_CONTEXT *context = proj_context_create();
    if (!context) return NULL;
    proj_log_func(context, NULL, say_nothing); /* a level alone is forgotten by copies it makes */
    proj_log_level(context, PJ_LOG_NONE);
    proj_context_set_enable_network(context, 0); /* also where the environment enables it */
    return context;
}

/* ---- from a struct crs to PROJ --------------------------------------------------------------- */

/* libgeotiff writes a value of another type or length over what lies behind it, and a number of 300
 * digits too: it is given the keys that make a projection, each as it has to be, and no other. */
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

/* libgeotiff converts other angles than degrees not everywhere, and prints where it does not know
 * them. */
static bool in_degrees(const struct crs *crs)
{
    for (int i = 0; i < crs->key_count; i++) {
        const uint16_t *k = crs->keys + 4 * i;
        if (k[0] == GeogAngularUnitsGeoKey && !(k[1] == 0 && (k[3] == 9102 || k[3] == 9122)))
            return false;
    }
    return true;
}

/* What libgeotiff makes of the keys. */
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
        char *whole = text_format("%s +type=crs", string);
        if (whole && strncmp(whole, "+proj=", 6) == 0) made = proj_create(context, whole);
        free(whole);
    }
    GTIFFreeMemory(string);
    if (gtif) GTIFFree(gtif);
    GTIFFreeDefn(defn);
    if (tags) ST_Destroy(tags);
    return made;
}

int projection_blame(int status, const char *name, struct error *e)
{
    enum { ENOUGH_BYTES = 64 << 20 };
    if (!status || memory_room() >= ENOUGH_BYTES) return status;
    return error_failed(e,
                        "%s: PROJ has too little memory to open its database of coordinate "
                        "systems (proj.db); raise `ulimit -v`",
                        name);
}

bool projection_is_utm(int epsg)
{
    return (epsg / 100 == 326 || epsg / 100 == 327) && epsg % 100 >= 1 && epsg % 100 <= 60;
}

static PJ *create(PJ_CONTEXT *context, const struct crs *crs)
{
    char text[CRS_MAX_TEXT];
    PJ *made = NULL;
    if (projection_is_utm(crs->epsg)) {
        snprintf(text, sizeof text, "+proj=utm +zone=%d%s +datum=WGS84 +type=crs", crs->epsg % 100,
                 crs->epsg / 100 == 327 ? " +south" : "");
        return proj_create(context, text);
    }
    if (crs->epsg) {
        snprintf(text, sizeof text, "EPSG:%d", crs->epsg);
        if ((made = proj_create(context, text)) != NULL) return made;
    }
    if (geotiff_crs_wkt(crs, text)) return proj_create_from_wkt(context, text, NULL, NULL, NULL);
    return crs->key_count ? create_from_keys(context, crs) : NULL;
}

PJ *projection_create(PJ_CONTEXT *context, const struct crs *crs)
{
    PJ *made = create(context, crs);
    if (made && proj_get_type(made) == PJ_TYPE_BOUND_CRS) {
        PJ *source = proj_get_source_crs(context, made);
        proj_destroy(made);
        made = source;
    }
    if (made && proj_get_type(made) == PJ_TYPE_PROJECTED_CRS) return made;
    proj_destroy(made);
    return NULL;
}

PJ *projection_to_degrees(PJ_CONTEXT *context, const PJ *crs)
{
    PJ *geodetic = crs ? proj_crs_get_geodetic_crs(context, crs) : NULL;
    PJ *given =
        geodetic ? proj_create_crs_to_crs_from_pj(context, crs, geodetic, NULL, NULL) : NULL;
    PJ *made = given ? proj_normalize_for_visualization(context, given) : NULL;
    proj_destroy(given);
    proj_destroy(geodetic);
    return made;
}

/* ---- scale ----------------------------------------------------------------------------------- */

/* A CRS, the transformation to degrees, and the ellipsoid on which lengths are taken. */
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

/* proj_geod() has no ellipsoid for a CRS before PROJ 8, but always for an operation. */
static PJ *create_ellipsoid(PJ_CONTEXT *context, const PJ *crs)
{
    PJ *ellipsoid = proj_get_ellipsoid(context, crs), *made = NULL;
    char text[96];
    double a, b, inverse_flattening;
    if (ellipsoid &&
        proj_ellipsoid_get_parameters(context, ellipsoid, &a, &b, NULL, &inverse_flattening)) {
        if (inverse_flattening > 0)
            snprintf(text, sizeof text, "+proj=longlat +a=%.17g +rf=%.17g", a, inverse_flattening);
        else snprintf(text, sizeof text, "+proj=longlat +a=%.17g +b=%.17g", a, b);
        made = proj_create(context, text);
    }
    proj_destroy(ellipsoid);
    return made;
}

static bool ground_open(struct ground *w, const struct crs *crs)
{
    *w = (struct ground){.context = projection_context()};
    w->crs = w->context ? projection_create(w->context, crs) : NULL;
    w->to_degrees = projection_to_degrees(w->context, w->crs);
    w->ellipsoid = w->to_degrees ? create_ellipsoid(w->context, w->crs) : NULL;
    return w->ellipsoid != NULL;
}

/* In radians, longitude first. */
static PJ_COORD place_of(const struct ground *w, double x, double y)
{
    const PJ_LP deg = proj_trans(w->to_degrees, PJ_FWD, proj_coord(x, y, 0, 0)).lp;
    return proj_coord(proj_torad(deg.lam), proj_torad(deg.phi), 0, 0);
}

/* A metre of the CRS towards its east, and one towards its north, as vectors (east, north) on the
 * ground: the columns of a matrix. proj_factors() computes the same, but some versions are wrong
 * for a CRS whose transformation from degrees has two steps (OSGeo/PROJ#3824). */
static bool metres_at(double v[2][2], const struct ground *w, double x, double y)
{
    const double half_m = 5;
    for (int k = 0; k < 2; k++) {
        const double dx = k == 0 ? half_m : 0, dy = k == 1 ? half_m : 0;
        const PJ_COORD from = place_of(w, x - dx, y - dy), to = place_of(w, x + dx, y + dy);
        if (!(fabs(from.lp.phi) <= 2 && fabs(to.lp.phi) <= 2)) return false; /* infinite */
        const PJ_COORD line = proj_geod(w->ellipsoid, from, to); /* m, degrees from the north */
        v[k][0] = line.v[0] / (2 * half_m) * sin(proj_torad(line.v[1]));
        v[k][1] = line.v[0] / (2 * half_m) * cos(proj_torad(line.v[1]));
    }
    return true;
}

/* Widens *s by the scale at a place. The singular values of that matrix are how long a metre of the
 * CRS is on the ground at most and at least (the half axes of Tissot's ellipse, inverted). */
static bool add_place(struct ground_scale *s, const struct ground *w, double x, double y)
{
    double v[2][2];
    if (!metres_at(v, w, x, y)) return false;
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
    struct ground w;
    bool known = ground_open(&w, &geo->crs);
    *s = (struct ground_scale){.least = INFINITY};
    if (known && (known = add_place(s, &w, east, north))) {
        const PJ_COORD centre = place_of(&w, east, north);
        s->east_deg = proj_todeg(centre.lp.lam);
        s->north_deg = proj_todeg(centre.lp.phi);
        for (int i = 0; i < 4; i++) /* a corner outside the projection does not count */
            add_place(s, &w, geo->west_m + corners[i][0] * width,
                      geo->south_m + corners[i][1] * height);
    }
    ground_close(&w);
    return known;
}

double projection_north(const struct georef *geo, int rows, int cols)
{
    const double east = geo->west_m + cols * geo->cell_m / 2,
                 north = geo->south_m + rows * geo->cell_m / 2;
    double v[2][2], deg = 0;
    struct ground w;
    if (ground_open(&w, &geo->crs) && metres_at(v, &w, east, north)) {
        /* (a, b) metres of the CRS are north on the ground where their parts to the east cancel */
        const double side = v[0][0] * v[1][1] - v[0][1] * v[1][0] < 0 ? -1 : 1;
        deg = proj_todeg(atan2(-side * v[1][0], side * v[0][0]));
    }
    ground_close(&w);
    return isfinite(deg) ? deg : 0;
}
