/* case_crs.c — the CRS of a case: the CRS of the DEM, or the declared CRS if the DEM has none. */
#include "case_terrain.h"

#include "raster/geotiff_crs.h"
#include "raster/projection.h"
#include "raster/raster.h"
#include "text/remedy.h"
#include "text/textfile.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UOM_METRE = 9001 };

/* ---- messages about a DEM that has to be warped ---------------------------------------------- */

/* Rounds the side of a cell to two digits: 90.7 m becomes 91 m. */
static double two_digits(double cell_m)
{
    char text[32];
    snprintf(text, sizeof text, "%.2g", cell_m);
    return strtod(text, NULL);
}

/* What a warp to a UTM zone needs: the file and place of the DEM, and the side of its cells on the ground. `from`: the
 * EPSG code that the case declares for a DEM without a CRS, else 0. */
struct warp {
    const char *path;
    double east_deg, north_deg, cell_m;
    int from;
};

/* Refuses a terrain. If it comes from a file, the message has the command that warps the file. A CRS in feet often
 * means heights in feet. If the unit of the heights is not declared, the command has UNIT for the user to replace. */
ERROR_FORMAT(4, 5)
static int refuse_unwarped(const struct sim_case *c, const struct warp *w, struct error *e,
                           const char *fmt, ...)
{
    static const char undeclared[] = "metre (not declared)";
    const bool feet = fabs(c->geo.crs.unit_m - 1) > 1e-3 && !strcmp(c->height_unit, undeclared);
    char what[768], from[48] = "", more[128];
    struct raster_file *f;
    va_list values;
    va_start(values, fmt);
    vsnprintf(what, sizeof what, fmt, values);
    va_end(values);
    const int to = projection_utm(w->east_deg, w->north_deg);
    if (raster_open(&f, w->path, RASTER_ANY_SIZE, NULL, NULL))
        return error_input(e, "%s; give it in UTM (EPSG:%d)", what, to);
    raster_close(f);
    if (w->from) snprintf(from, sizeof from, DEM_FROM, w->from);
    snprintf(more, sizeof more, "%s%s" DEM_TO, from, feet ? DEM_HEIGHTS "UNIT" : "", to,
             two_digits(w->cell_m));
    return remedy_refuse(
        e, w->path, "%s%s; prepare it: " REMEDY_DEM, what,
        feet ? ", and the unit of its heights is not declared (UNIT: m, ft or us-ft)" : "", more);
}

static int refuse_degrees(const struct sim_case *c, const char *path, bool named, struct error *e)
{
    const struct georef *geo = &c->geo;
    const double east = geo->west_m + 0.5 * c->problem.cols * geo->cell_m,
                 north = geo->south_m + 0.5 * c->problem.rows * geo->cell_m;
    double here[2] = {east, north}, next[2] = {east + geo->cell_m, north + geo->cell_m};
    char name[128];
    projection_from_geographic(&geo->crs, here);
    projection_from_geographic(&geo->crs, next);
    if (!(fabs(here[0]) <= 360 && fabs(here[1]) <= 90))
        return remedy_refuse(e, path,
                             "%s: its CRS (%s) is in degrees, but its centre is at %.10g, %.10g, "
                             "not a longitude and latitude; give the right CRS: " REMEDY_DEM,
                             path, crs_text(&geo->crs, "without a name", name), east, north,
                             DEM_FROM_CODE);
    const double degree_m = 111195, up = fabs(next[1] - here[1]) * degree_m,
                 across = fabs(next[0] - here[0]) * degree_m * cos(here[1] * acos(-1.0) / 180);
    const struct warp w = {path, here[0], here[1], sqrt(up * across), named ? 0 : 4326};
    return refuse_unwarped(c, &w, e, "%.400s: its coordinates are degrees, not metres", path);
}

/* Refuses a CRS with metres that differ from metres on the ground; `at` names the DEM or the line that declares the
 * CRS. */
static int refuse_metres(const struct sim_case *c, const char *at, const char *crs, double stretch,
                         const struct warp *w, struct error *e)
{
    return refuse_unwarped(
        c, w, e,
        "%.400s: %s has metres that differ from metres on the ground (%.2f times as long here)", at,
        crs, stretch);
}

/* Refuses Web Mercator, which stretches by 1/cos(latitude): at Etna a cell "of 10 m" is 7.9 m wide on the ground, so
 * slopes and volumes would be wrong. Web Mercator is recognised without its EPSG code or PROJ's database. */
static int refuse_web_mercator(const struct sim_case *c, const char *path, const char *at, int from,
                               struct error *e)
{
    const double radius_m = 6378137, degree = acos(-1.0) / 180;
    const struct georef *geo = &c->geo;
    const double x = (geo->west_m + 0.5 * c->problem.cols * geo->cell_m) / radius_m;
    const double y = (geo->south_m + 0.5 * c->problem.rows * geo->cell_m) / radius_m;
    const struct warp w = {path, x / degree, atan(sinh(y)) / degree, geo->cell_m / cosh(y), from};
    return refuse_metres(c, at, "Web Mercator", cosh(y), &w, e);
}

/* Names the CRS if it is UTM on WGS 84, which needs no database. */
static void name_utm(struct crs *crs)
{
    int zone = crs->epsg % 100;
    if (!projection_is_utm(crs->epsg)) return;
    snprintf(crs->name, sizeof crs->name, "WGS 84 / UTM zone %d%c", zone,
             crs->epsg / 100 == 326 ? 'N' : 'S');
}

/* Refuses a CRS with another unit of length than the metre. `from`: the EPSG code of a CRS that the case declares; 0:
 * the DEM has the CRS. */
static int refuse_unit(struct sim_case *c, const char *at, const char *path, int from,
                       struct error *e)
{
    struct ground_scale s = {0};
    const double unit_m = c->geo.crs.unit_m;
    if (!projection_scale(&s, &c->geo, c->problem.rows, c->problem.cols))
        return error_input(
            e, "%s: its unit of length is %.9g m, not the metre; give a DEM in metres", at, unit_m);
    const struct warp w = {path, s.east_deg, s.north_deg, c->geo.cell_m * unit_m, from};
    if (from) return refuse_unwarped(c, &w, e, "%.400s: EPSG:%d is not in metres", at, from);
    return refuse_unwarped(c, &w, e, "%.400s: its unit of length is %.9g m, not the metre", at,
                           unit_m);
}

/* Checks the EPSG code if PROJ has its database. To find out whether it has, the code looks for SURELY, which is in each
 * version of the database. */
static int look_up(struct sim_case *c, const char *path, const char *at, struct error *e)
{
    /* RGF93 / Lambert-93. A code of UTM would not do: libgeotiff knows these codes without the database. */
    enum { SURELY = 2154 };
    struct crs *crs = &c->geo.crs;
    char other[128];
    int unit;
    if (crs->name[0]) return 0;
    if (projection_known(crs->epsg, crs->name, &unit)) {
        if (unit == UOM_METRE) return 0;
        crs->unit_m = projection_unit(unit, other);
        return refuse_unit(c, at, path, crs->epsg, e);
    }
    if (!projection_known(SURELY, other, &unit)) return 0;
    return projection_blame(error_input(e,
                                        "%s: EPSG:%d is not a projected CRS; declare the CRS in "
                                        "which the DEM is in metres, for example EPSG:32633",
                                        at, crs->epsg),
                            at, e);
}

/* Refuses a CRS that is declared as projected, but that PROJ cannot use: its metres may have any length on the
 * ground. */
static int refuse_unknown_metres(const struct crs *crs, const char *path, const char *at,
                                 struct error *e)
{
    char name[128];
    return projection_blame(
        remedy_refuse(
            e, path,
            "%s: PROJ does not know its CRS (%s), so its metres may differ from metres on "
            "the ground; declare it by a code that PROJ knows (PROJ_DATA names the "
            "folder of proj.db): " REMEDY_DEM,
            at, crs_text(crs, "", name), DEM_FROM_CODE),
        at, e);
}

/* Refuses a CRS with metres that differ by more than 3 % from metres on the ground, anywhere on the DEM. Slopes and
 * volumes would be wrong. World Mercator is refused far from the equator, UTM never in its zone. */
static int check_metres(struct sim_case *c, int from, const char *path, const char *at,
                        struct error *e)
{
    const struct georef *geo = &c->geo;
    struct ground_scale s;
    if (!geotiff_crs_projected(&geo->crs)) return 0;
    if (!projection_scale(&s, geo, c->problem.rows, c->problem.cols))
        return refuse_unknown_metres(&geo->crs, path, at, e);
    c->crs_scale_least = s.least;
    c->crs_scale_greatest = s.greatest;
    double worst = fabs(s.least - 1) > fabs(s.greatest - 1) ? s.least : s.greatest;
    if (fabs(worst - 1) <= 0.03) return 0;
    char name[128];
    const struct warp w = {path, s.east_deg, s.north_deg, geo->cell_m / worst, from};
    return refuse_metres(c, at, crs_text(&geo->crs, "a CRS without a name", name), worst, &w, e);
}

/* Whether a DEM could be warped to a CRS: it is in metres, and is not Web Mercator. */
static bool is_for_terrain(int epsg)
{
    const struct crs crs = {.epsg = epsg};
    char name[128];
    int unit = 0;
    return projection_is_utm(epsg) || (projection_known(epsg, name, &unit) && unit == UOM_METRE &&
                                       !geotiff_crs_web_mercator(&crs));
}

static int declare(struct sim_case *c, int epsg, const char *dem_path, const char *at,
                   struct error *e)
{
    struct crs *crs = &c->geo.crs;
    const double cell_m = c->geo.cell_m;
    char to[24], more[64];
    snprintf(to, sizeof to, "EPSG:%d", epsg);
    snprintf(more, sizeof more, DEM_TO, epsg, cell_m);
    if (crs->epsg == epsg) return 0;
    if (crs->epsg && !is_for_terrain(epsg))
        return error_input(e, "%s: declares %s, but %s is in EPSG:%d; remove this line", at, to,
                           dem_path, crs->epsg);
    if (crs->epsg)
        return remedy_refuse(e, dem_path,
                             "%s: declares %s, but %s is in EPSG:%d; remove this line, or prepare "
                             "the DEM: " REMEDY_DEM,
                             at, to, dem_path, crs->epsg, more);
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
    return look_up(c, dem_path, at, e);
}

/* Whether a grid without a CRS is probably in degrees: its coordinates can be longitudes and latitudes. In metres, the
 * cells would be tiny (one second of arc is 0.000277 degrees), and the relief many times the width of the grid. */
static bool look_like_degrees(const struct sim_case *c)
{
    const struct georef *g = &c->geo;
    const size_t n = (size_t)c->problem.rows * (size_t)c->problem.cols;
    double low = INFINITY, high = -INFINITY;
    if (!c->elevation_m || g->cell_m >= 0.1 || fabs(g->west_m) > 360 || fabs(g->south_m) > 90)
        return false;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, c->elevation_m[i]); /* fmin() ignores NaN */
        high = fmax(high, c->elevation_m[i]);
    }
    return high - low > 10 * g->cell_m * (c->problem.rows + c->problem.cols);
}

int crs_declare(struct sim_case *c, int epsg, const char *dem_path, const char *declared_at,
                struct error *e)
{
    struct georef *geo = &c->geo;
    const bool has_crs = epsg || geo->crs.epsg || geo->crs.key_count;
    if (geo->crs.geographic || (!has_crs && look_like_degrees(c)))
        return refuse_degrees(c, dem_path, geo->crs.geographic, e);
    if (geo->crs.unit_m != 1 && geo->crs.unit_m != 0)
        return refuse_unit(c, dem_path, dem_path, 0, e);
    if (geotiff_crs_web_mercator(&geo->crs))
        return refuse_web_mercator(c, dem_path, dem_path, 0, e);
    if (!(geo->cell_m >= 0.001 && geo->cell_m <= 1e5))
        return error_input(
            e, "%s: its cells are %.9g m wide; give a DEM with cells from 0.001 to 100000 m",
            dem_path, geo->cell_m);
    int status = epsg ? declare(c, epsg, dem_path, declared_at, e) : 0;
    if (!status && geotiff_crs_web_mercator(&geo->crs))
        status = refuse_web_mercator(c, dem_path, declared_at, epsg, e);
    if (!status) status = check_metres(c, epsg, dem_path, epsg ? declared_at : dem_path, e);
    return status;
}
