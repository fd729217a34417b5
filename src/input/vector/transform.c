#include "transform.h"

#include "raster/projection.h"

#include <math.h>
#include <proj_experimental.h> /* proj_crs_demote_to_2D() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct transform {
    PJ_CONTEXT *context;
    PJ *there;
    bool degrees;
};

/* ---- definitions ----------------------------------------------------------------------------- */

/* Longitude and latitude need no database. */
static PJ *create_degrees(PJ_CONTEXT *context)
{
    PJ *made = proj_create(context, CRS_DEGREES);
    return made ? made : proj_create(context, "+proj=longlat +datum=WGS84 +type=crs");
}

/* The horizontal part of a compound CRS, and of one with heights. */
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
    PJ *source = type == PJ_TYPE_BOUND_CRS ? proj_get_source_crs(context, crs) : NULL;
    if (source) type = proj_get_type(source);
    proj_destroy(source);
    return type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS;
}

bool crs_is_geographic(const char *from)
{
    PJ_CONTEXT *context = projection_context();
    PJ *crs = context ? create_source(context, from) : NULL;
    const bool yes = crs && is_geographic(context, crs);
    proj_destroy(crs);
    proj_context_destroy(context);
    return yes;
}

void crs_name(const struct crs *crs, char out[128])
{
    if (crs->epsg) snprintf(out, 128, "EPSG:%d", crs->epsg);
    else snprintf(out, 128, "%s", *crs->name ? crs->name : "the CRS of the DEM");
}

/* ---- the transformation ---------------------------------------------------------------------- */

static bool same(const char *from, const PJ *source, const struct crs *to, const PJ *target)
{
    char code[32];
    snprintf(code, sizeof code, "EPSG:%d", to->epsg);
    return !strcmp(code, from) || proj_is_equivalent_to(source, target, PJ_COMP_EQUIVALENT);
}

static int find(struct transform *w, bool *nothing, const char *from, const struct crs *to,
                const char *name, struct error *e)
{
    char target_name[128];
    int status = 0;
    crs_name(to, target_name);
    PJ *target = projection_create(w->context, to), *source = create_source(w->context, from),
       *given = NULL;
    if (!target)
        status = error_input(
            e, "%s: PROJ does not know the CRS of the DEM (%s); give the coordinates in that CRS",
            name, target_name);
    else if (!source)
        status = error_input(e,
                             "%s: PROJ does not know its CRS (%.60s); transform the file: ogr2ogr "
                             "-t_srs %s out.geojson FILE",
                             name, from, target_name);
    else if (same(from, source, to, target)) *nothing = true;
    else {
        given = proj_create_crs_to_crs_from_pj(w->context, source, target, NULL, NULL);
        w->there = given ? proj_normalize_for_visualization(w->context, given) : NULL;
        w->degrees = is_geographic(w->context, source);
        if (!w->there)
            status = error_input(
                e,
                "%s: PROJ finds no transformation from its CRS to the CRS of the DEM (%s); give "
                "the coordinates in that CRS",
                name, target_name);
    }
    proj_destroy(given);
    proj_destroy(source);
    proj_destroy(target);
    return projection_blame(status, name, e);
}

int transform_open(struct transform **w, const char *from, const struct crs *to, const char *name,
                   struct error *e)
{
    bool nothing = false;
    *w = calloc(1, sizeof **w);
    if (*w) (*w)->context = projection_context();
    int status = *w && (*w)->context ? find(*w, &nothing, from, to, name, e) : error_memory(e);
    if (!status && !nothing) return 0;
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

bool transform_from_degrees(const struct transform *w)
{
    return w && w->degrees;
}

/* Far outside its area a projection gives positions of other places: then the inverse leads
 * elsewhere. */
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
        *why = "is too far away to have a place in the CRS of the DEM";
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
