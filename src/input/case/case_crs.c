/* case_crs.c — the CRS of a case: the CRS of the DEM, or the declared CRS if the DEM has none. */
#include "case_terrain.h"

#include "raster/geotiff_crs.h"
#include "raster/projection.h"

#include <math.h>
#include <stdio.h>

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
        "%s: its coordinates are degrees, not metres; warp it: " RASTER_WARP
        " -t_srs EPSG:%d -tr 10 10 -r bilinear in.tif out.tif",
        path,
        utm_of(geo->west_m + 0.5 * cols * geo->cell_m, geo->south_m + 0.5 * rows * geo->cell_m));
}

/* `at` names the DEM or the line that declares the CRS; the place in degrees selects the zone. */
static int refuse_metres(const char *at, const char *crs, double stretch, double east_deg,
                         double north_deg, struct error *e)
{
    return error_input(e,
                       "%s: %s has metres that differ from metres on the ground (%.2f times as "
                       "long here); warp the DEM: " RASTER_WARP
                       " -t_srs EPSG:%d -tr 10 10 -r bilinear in.tif out.tif",
                       at, crs, stretch, utm_of(east_deg, north_deg));
}

/* Web Mercator stretches by 1/cos(latitude): at Etna a cell "of 10 m" is 7.9 m wide, and a slope or
 * a volume computed from it is wrong by as much. It is recognised without its code and without
 * PROJ's database. */
static int refuse_web_mercator(const struct georef *geo, int rows, int cols, const char *at,
                               struct error *e)
{
    const double radius_m = 6378137, degree = acos(-1.0) / 180;
    const double x = (geo->west_m + 0.5 * cols * geo->cell_m) / radius_m;
    const double y = (geo->south_m + 0.5 * rows * geo->cell_m) / radius_m;
    return refuse_metres(at, "Web Mercator", cosh(y), x / degree, atan(sinh(y)) / degree, e);
}

/* UTM on WGS 84 has a name without asking a database. */
static void name_utm(struct crs *crs)
{
    int zone = crs->epsg % 100;
    if (!projection_is_utm(crs->epsg)) return;
    snprintf(crs->name, sizeof crs->name, "WGS 84 / UTM zone %d%c", zone,
             crs->epsg / 100 == 326 ? 'N' : 'S');
}

/* Checks the code if the database is present, that is if it knows a code that it must know. */
static int look_up(struct crs *crs, const char *at, struct error *e)
{
    enum { SURELY = 2154 /* RGF93 / Lambert-93; libgeotiff knows UTM by itself */ };
    char other[128];
    int unit;
    if (crs->name[0]) return 0;
    if (projection_known(crs->epsg, crs->name, &unit)) {
        if (unit == UOM_METRE) return 0;
        return error_input(e,
                           "%s: EPSG:%d is not in metres; warp the DEM to UTM: " RASTER_WARP_TO_UTM,
                           at, crs->epsg);
    }
    if (!projection_known(SURELY, other, &unit)) return 0;
    return projection_blame(
        error_input(e,
                    "%s: EPSG:%d is not a projected CRS; declare the CRS in which the DEM is in "
                    "metres, for example EPSG:32633",
                    at, crs->epsg),
        at, e);
}

/* A CRS declared as projected with which PROJ cannot compute: its metres may have any length. */
static int refuse_unknown_metres(const struct crs *crs, const char *at, struct error *e)
{
    char name[128];
    return projection_blame(
        error_input(
            e,
            "%s: its CRS (%s) may have metres that differ from metres on the ground, as "
            "PROJ does not know it (PROJ_DATA names the folder of proj.db); warp the DEM to "
            "UTM: " RASTER_WARP_TO_UTM,
            at, crs_text(crs, "", name)),
        at, e);
}

/* Slopes and volumes are in metres on the ground: a CRS whose metres differ from these by more than
 * 3 % anywhere on the DEM, such as World Mercator away from the equator, is refused. UTM is never
 * that far off in its zone. */
static int check_metres(struct sim_case *c, const char *at, struct error *e)
{
    const struct georef *geo = &c->geo;
    struct ground_scale s;
    if (!geotiff_crs_projected(&geo->crs)) return 0;
    if (!projection_scale(&s, geo, c->problem.rows, c->problem.cols))
        return refuse_unknown_metres(&geo->crs, at, e);
    c->crs_scale_least = s.least;
    c->crs_scale_greatest = s.greatest;
    double worst = fabs(s.least - 1) > fabs(s.greatest - 1) ? s.least : s.greatest;
    if (fabs(worst - 1) <= 0.03) return 0;
    char name[128];
    return refuse_metres(at, crs_text(&geo->crs, "a CRS without a name", name), worst, s.east_deg,
                         s.north_deg, e);
}

static int declare(struct crs *crs, int epsg, const char *dem_path, const char *at, struct error *e)
{
    if (crs->epsg == epsg) return 0;
    if (crs->epsg)
        return error_input(e,
                           "%s: declares EPSG:%d, but %s is in EPSG:%d; remove this line, or warp "
                           "the DEM: " RASTER_WARP " -t_srs EPSG:%d in.tif out.tif",
                           at, epsg, dem_path, crs->epsg, epsg);
    if (crs->key_count)
        return error_input(e, "%s: declares EPSG:%d, but %s has its own CRS (%s); remove this line",
                           at, epsg, dem_path, crs->name[0] ? crs->name : "without a name");
    crs->epsg = epsg;
    crs->unit_m = 1;
    if (epsg >= 4000 && epsg < 5000) /* EPSG codes of geographic systems */
        return error_input(e,
                           "%s: EPSG:%d is in degrees, not metres; declare the projected CRS of "
                           "the DEM, for example EPSG:32633",
                           at, epsg);
    name_utm(crs);
    return look_up(crs, at, e);
}

/* Without a CRS, degrees are told by what metres cannot be: cells finer than any but those of a
 * laboratory (0.000277 is one second of arc), in the range of longitudes and latitudes, and heights
 * that are many times the width of the whole grid. */
static bool look_like_degrees(const struct sim_case *c)
{
    const struct georef *g = &c->geo;
    const size_t n = (size_t)c->problem.rows * (size_t)c->problem.cols;
    double low = INFINITY, high = -INFINITY;
    if (!c->elevation_m || g->cell_m >= 0.1 || fabs(g->west_m) > 360 || fabs(g->south_m) > 90)
        return false;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, c->elevation_m[i]); /* passes over NaN */
        high = fmax(high, c->elevation_m[i]);
    }
    return high - low > 10 * g->cell_m * (c->problem.rows + c->problem.cols);
}

int crs_declare(struct sim_case *c, int epsg, const char *dem_path, const char *declared_at,
                struct error *e)
{
    struct georef *geo = &c->geo;
    const int rows = c->problem.rows, cols = c->problem.cols;
    const bool has_crs = epsg || geo->crs.epsg || geo->crs.key_count;
    if (geo->crs.geographic || (!has_crs && look_like_degrees(c)))
        return refuse_degrees(geo, rows, cols, dem_path, e);
    if (geo->crs.unit_m != 1 && geo->crs.unit_m != 0)
        return error_input(
            e, "%s: its unit of length is %.9g m, not the metre; warp it: " RASTER_WARP_TO_UTM,
            dem_path, geo->crs.unit_m);
    if (geotiff_crs_web_mercator(&geo->crs))
        return refuse_web_mercator(geo, rows, cols, dem_path, e);
    if (!(geo->cell_m >= 0.001 && geo->cell_m <= 1e5))
        return error_input(
            e, "%s: its cells are %.9g m wide; give a DEM with cells from 0.001 to 100000 m",
            dem_path, geo->cell_m);
    int status = epsg ? declare(&geo->crs, epsg, dem_path, declared_at, e) : 0;
    if (!status && geotiff_crs_web_mercator(&geo->crs))
        status = refuse_web_mercator(geo, rows, cols, declared_at, e);
    if (!status) status = check_metres(c, epsg ? declared_at : dem_path, e);
    return status;
}
