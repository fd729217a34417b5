/* case_crs.c — the CRS of a case: the DEM's own, or the declared one where the DEM has none. */
#include "case_parts.h"

#include "raster/geotiff_crs.h"

#include <geo_normalize.h>
#include <math.h>
#include <proj.h>
#include <stdio.h>
#include <string.h>

enum { UOM_METRE = 9001 };

/* Which UTM zone on WGS 84 a place in degrees lies in, as an EPSG code. */
static int utm_of(double east_deg, double north_deg)
{
    int zone = (int)floor((east_deg + 180) / 6) + 1;
    if (zone < 1) zone = 1;
    if (zone > 60) zone = 60;
    return (north_deg < 0 ? 32700 : 32600) + zone;
}

static int refuse_degrees(const struct georef *geo, int rows, int cols, const char *path,
                          struct error *e)
{
    return error_input(
        e,
        "%s: its coordinates are degrees, not metres; warp it: gdalwarp -t_srs EPSG:%d "
        "-tr 10 10 -r bilinear in.tif out.tif",
        path,
        utm_of(geo->west_m + 0.5 * cols * geo->cell_m, geo->south_m + 0.5 * rows * geo->cell_m));
}

/* `at` names what says so: the DEM or a line; the place in degrees chooses the zone. */
static int refuse_metres(const char *at, const char *crs, double stretch, double east_deg,
                         double north_deg, struct error *e)
{
    return error_input(
        e,
        "%s: %s, whose metres are not those on the ground (%.2f times as long here); "
        "warp the DEM: gdalwarp -t_srs EPSG:%d -tr 10 10 -r bilinear in.tif out.tif",
        at, crs, stretch, utm_of(east_deg, north_deg));
}

/* Web Mercator stretches by 1/cos(latitude): at Etna a cell "of 10 m" is 7.9 m wide, and a slope or
 * a volume computed from it is wrong by as much. Known by more than its code, and without PROJ's
 * database. */
static int refuse_web_mercator(const struct georef *geo, int rows, int cols, const char *at,
                               struct error *e)
{
    const double radius_m = 6378137, degree = acos(-1.0) / 180;
    const double x = (geo->west_m + 0.5 * cols * geo->cell_m) / radius_m;
    const double y = (geo->south_m + 0.5 * rows * geo->cell_m) / radius_m;
    return refuse_metres(at, "Web Mercator", cosh(y), x / degree, atan(sinh(y)) / degree, e);
}

static bool is_utm(int epsg)
{
    return (epsg / 100 == 326 || epsg / 100 == 327) && epsg % 100 >= 1 && epsg % 100 <= 60;
}

/* UTM on WGS 84 has a name without asking a database. */
static void name_utm(struct crs *crs)
{
    int zone = crs->epsg % 100;
    if (!is_utm(crs->epsg)) return;
    snprintf(crs->name, sizeof crs->name, "WGS 84 / UTM zone %d%c", zone,
             crs->epsg / 100 == 326 ? 'N' : 'S');
}

/* What the database of projections says of a projected CRS: its name, and whether it is in metres.
 */
static bool known(int epsg, char *name, size_t size, bool *metres)
{
    PJ_CONTEXT *context = proj_context_create();
    char *found = NULL;
    short unit = 0;
    proj_log_level(context, PJ_LOG_NONE); /* a library does not print */
    bool there = GTIFGetPCSInfoEx(context, epsg, &found, NULL, &unit, NULL);
    proj_context_destroy(context);
    if (there && found) snprintf(name, size, "%s", found);
    GTIFFreeMemory(found);
    *metres = unit == UOM_METRE;
    return there;
}

/* Checks the code where the database is there at all: where it knows a code that it must know. */
static int look_up(struct crs *crs, const char *at, struct error *e)
{
    bool metres;
    char other[8];
    if (crs->name[0]) return 0;
    if (known(crs->epsg, crs->name, sizeof crs->name, &metres)) {
        if (metres) return 0;
        return error_input(e,
                           "%s: EPSG:%d does not count in metres; warp the DEM to UTM: gdalwarp "
                           "-t_srs EPSG:326xx -tr 10 10 -r bilinear in.tif out.tif",
                           at, crs->epsg);
    }
    if (!known(32633, other, sizeof other, &metres)) return 0;
    return error_input(e,
                       "%s: EPSG:%d is not a projected CRS; declare the one in which the DEM is in "
                       "metres, as in EPSG:32633",
                       at, crs->epsg);
}

/* How many metres of the CRS a metre on the ground is at a place, towards the east and towards the
 * north, and where that is; false where PROJ cannot tell. */
static bool metres_at(int epsg, double east_m, double north_m, double stretch[2], PJ_LP *place_deg)
{
    const double way_m = 1000;
    char code[16];
    snprintf(code, sizeof code, "EPSG:%d", epsg);
    PJ_CONTEXT *context = proj_context_create();
    proj_log_level(context, PJ_LOG_NONE);
    PJ *crs = proj_create(context, code);
    PJ *degrees = crs ? proj_crs_get_geodetic_crs(context, crs) : NULL;
    PJ *given = degrees ? proj_create_crs_to_crs_from_pj(context, crs, degrees, NULL, NULL) : NULL;
    PJ *to_degrees = given ? proj_normalize_for_visualization(context, given) : NULL;
    bool known = to_degrees != NULL;
    for (int towards = 0; known && towards < 2; towards++) {
        PJ_COORD ends[2];
        for (int i = 0; i < 2; i++) {
            double moved = (i - 0.5) * way_m;
            ends[i] = proj_trans(to_degrees, PJ_FWD,
                                 proj_coord(east_m + (towards == 0 ? moved : 0),
                                            north_m + (towards == 1 ? moved : 0), 0, 0));
            if (towards == 0 && i == 0) *place_deg = ends[i].lp;
            ends[i] = proj_coord(proj_torad(ends[i].lp.lam), proj_torad(ends[i].lp.phi), 0, 0);
        }
        stretch[towards] = way_m / proj_lp_dist(degrees, ends[0], ends[1]);
        known = isfinite(stretch[towards]) && stretch[towards] > 0;
    }
    proj_destroy(to_degrees);
    proj_destroy(given);
    proj_destroy(degrees);
    proj_destroy(crs);
    proj_context_destroy(context);
    return known;
}

/* Slopes and volumes count in metres on the ground: a CRS whose own differ by more than 3 % at the
 * DEM, as those of World Mercator do away from the equator, is refused. UTM never is so far off in
 * its zone. */
static int check_metres(const struct georef *geo, int rows, int cols, const char *at,
                        struct error *e)
{
    double stretch[2];
    PJ_LP place = {0, 0};
    if (geo->crs.epsg == 0 || is_utm(geo->crs.epsg)) return 0;
    if (!metres_at(geo->crs.epsg, geo->west_m + 0.5 * cols * geo->cell_m,
                   geo->south_m + 0.5 * rows * geo->cell_m, stretch, &place))
        return 0;
    double worst = fabs(stretch[0] - 1) > fabs(stretch[1] - 1) ? stretch[0] : stretch[1];
    if (fabs(worst - 1) <= 0.03) return 0;
    char crs[16];
    snprintf(crs, sizeof crs, "EPSG:%d", geo->crs.epsg);
    return refuse_metres(at, crs, worst, place.lam, place.phi, e);
}

static int declare(struct crs *crs, int epsg, const char *dem_path, const char *at, struct error *e)
{
    if (crs->epsg == epsg) return 0;
    if (crs->epsg)
        return error_input(
            e,
            "%s: declares EPSG:%d, but %s is in EPSG:%d; take this line out, or warp "
            "the DEM with gdalwarp",
            at, epsg, dem_path, crs->epsg);
    if (crs->key_count)
        return error_input(e,
                           "%s: declares EPSG:%d, but %s has a CRS of its own (%s); take this line "
                           "out",
                           at, epsg, dem_path, crs->name[0] ? crs->name : "without a name");
    crs->epsg = epsg;
    crs->unit_m = 1;
    if (epsg >= 4000 && epsg < 5000) /* EPSG keeps its geographic systems there */
        return error_input(
            e,
            "%s: EPSG:%d is in degrees, not metres; declare the projected CRS of the "
            "DEM, as in EPSG:32633",
            at, epsg);
    name_utm(crs);
    return look_up(crs, at, e);
}

int crs_declare(struct georef *geo, int rows, int cols, int epsg, const char *dem_path,
                const char *declared_at, struct error *e)
{
    bool degrees = geo->crs.geographic ||
                   /* no CRS, but cells finer than any DEM of lava: 0.000277 is one second of arc */
                   (geo->cell_m < 0.02 && fabs(geo->west_m) <= 360 && fabs(geo->south_m) <= 90);
    if (degrees) return refuse_degrees(geo, rows, cols, dem_path, e);
    if (geo->crs.unit_m != 1 && geo->crs.unit_m != 0)
        return error_input(
            e,
            "%s: its unit of length is %.9g m, not the metre; warp it: gdalwarp -t_srs "
            "EPSG:326xx -tr 10 10 -r bilinear in.tif out.tif",
            dem_path, geo->crs.unit_m);
    if (geotiff_crs_web_mercator(&geo->crs))
        return refuse_web_mercator(geo, rows, cols, dem_path, e);
    if (!(geo->cell_m >= 0.1 && geo->cell_m <= 1e5))
        return error_input(
            e, "%s: its cells are %.9g m wide; give a DEM with cells from 0.1 to 100000 m",
            dem_path, geo->cell_m);
    int status = epsg ? declare(&geo->crs, epsg, dem_path, declared_at, e) : 0;
    if (!status && geotiff_crs_web_mercator(&geo->crs))
        status = refuse_web_mercator(geo, rows, cols, declared_at, e);
    if (!status) status = check_metres(geo, rows, cols, epsg ? declared_at : dem_path, e);
    return status;
}
