/* dem_vertical.c — shifts heights to another vertical CRS, by PROJ; places stay where they are. */
#include "dem_parts.h"

#include "base/order.h"
#include "text/grow.h"

#include <math.h>
#include <proj_experimental.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shift is interpolated between places at this distance: grids of geoids are linear over kilometres. */
#define APART_M 300.0

/* Returns the CRS of the heights of `crs`: a vertical CRS, or a geographic CRS with three dimensions; NULL: `crs` has
 * no heights. */
static PJ *heights_of(PJ_CONTEXT *context, const char *crs)
{
    PJ *given = proj_create(context, crs);
    if (given && proj_get_type(given) == PJ_TYPE_COMPOUND_CRS) {
        PJ *part = proj_crs_get_sub_crs(context, given, 1);
        proj_destroy(given);
        given = part;
    }
    const PJ_TYPE type = given ? proj_get_type(given) : PJ_TYPE_UNKNOWN;
    if (type == PJ_TYPE_VERTICAL_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS) return given;
    proj_destroy(given);
    return NULL;
}

/* Returns the unit of heights in metres, negative if heights count downwards. */
static double metres_of(PJ_CONTEXT *context, const PJ *heights)
{
    double unit = 1;
    const char *direction = "up";
    FREED_BY(projection_free)
    PJ *axes = proj_get_type(heights) == PJ_TYPE_VERTICAL_CRS
                   ? proj_crs_get_coordinate_system(context, heights)
                   : NULL;
    if (axes)
        proj_cs_get_axis_info(context, axes, 0, NULL, NULL, &direction, &unit, NULL, NULL, NULL);
    return strcmp(direction, "down") ? unit : -unit;
}

/* Creates a CRS from the CRS of the terrain and a CRS of heights. */
static PJ *create_with(PJ_CONTEXT *context, const char *flat, PJ *heights)
{
    FREED_BY(projection_free) PJ *level = proj_create(context, flat);
    if (!level) return NULL;
    return proj_get_type(heights) == PJ_TYPE_VERTICAL_CRS
               ? proj_create_compound_crs(context, "terrain", level, heights)
               : proj_crs_promote_to_3D(context, NULL, level);
}

/* ERROR_INPUT: a grid that the transformation needs is not on this machine. */
static int check_grids(PJ_CONTEXT *context, const PJ *way, struct error *e)
{
    const int count = proj_coordoperation_get_grid_used_count(context, way);
    for (int i = 0; i < count; i++) {
        const char *name = NULL, *full = NULL, *package = NULL, *url = NULL;
        int direct = 0, open = 0, there = 0;
        if (proj_coordoperation_get_grid_used(context, way, i, &name, &full, &package, &url,
                                              &direct, &open, &there) &&
            !there)
            return error_input(e,
                               "dem: option 'vertical' needs the grid %s, which is not in a folder "
                               "of PROJ (PROJ_DATA); fetch it with projsync",
                               name);
    }
    return 0;
}

/* Finds the best transformation, with grids or without. */
static int find_way(struct dem *d, const PJ *from, const PJ *to, struct error *e)
{
    PJ_OPERATION_FACTORY_CONTEXT *how = proj_create_operation_factory_context(d->context, NULL);
    const double *a = d->area;
    int status = 0;
    proj_operation_factory_context_set_area_of_interest(d->context, how, a[0], a[1], a[2], a[3]);
    proj_operation_factory_context_set_spatial_criterion(
        d->context, how, PROJ_SPATIAL_CRITERION_PARTIAL_INTERSECTION);
    proj_operation_factory_context_set_grid_availability_use(d->context, how,
                                                             PROJ_GRID_AVAILABILITY_IGNORED);
    proj_operation_factory_context_set_allow_ballpark_transformations(d->context, how, 0);
    PJ_OBJ_LIST *ways = proj_create_operations(d->context, from, to, how);
    PJ *best = ways && proj_list_get_count(ways) ? proj_list_get(d->context, ways, 0) : NULL;
    if (!best)
        status = error_input(
            e,
            "dem: option 'vertical': PROJ knows no transformation from the heights of the "
            "sources to EPSG:%d here",
            d->q->vertical);
    else status = check_grids(d->context, best, e);
    if (status) proj_destroy(best);
    else d->vertical.way = projection_east_first(d->context, best);
    proj_list_destroy(ways);
    proj_operation_factory_context_destroy(how);
    if (status || d->vertical.way) return status;
    return error_failed(e, "dem: PROJ cannot compute the transformation between vertical CRSs");
}

/* Finds the CRS of the sources' heights, which has to be the same for all sources. */
static int find_from(const struct dem *d, PJ **heights, struct error *e)
{
    char code[24];
    snprintf(code, sizeof code, "EPSG:%d", d->q->source_vertical);
    *heights = NULL;
    for (int i = 0; i < d->r->sources; i++) {
        const struct dem_source *s = &d->source[i];
        if (!s->file) continue;
        PJ *own = heights_of(d->context, d->q->source_vertical ? code : s->named);
        if (!own)
            return error_input(
                e, "%s: names no vertical CRS; give option 'source_vertical' EPSG:CODE", s->path);
        const bool other = *heights && !proj_is_equivalent_to(*heights, own, PJ_COMP_EQUIVALENT);
        if (!*heights) *heights = own;
        else proj_destroy(own);
        if (other)
            return error_input(e, "%s: has another vertical CRS than %s; make a terrain of each",
                               s->path, d->source[0].path);
    }
    return 0;
}

int dem_vertical_settle(struct dem *d, struct error *e)
{
    if (!d->q->vertical) return 0;
    char code[24];
    snprintf(code, sizeof code, "EPSG:%d", d->q->vertical);
    FREED_BY(projection_free)
    PJ *own = NULL, *other = heights_of(d->context, code), *from = NULL, *to = NULL;
    if (!other)
        return error_input(e, "dem: option 'vertical': %s has no heights; give a vertical CRS",
                           code);
    const int status = find_from(d, &own, e);
    if (status) return status;
    d->vertical.unit_m = metres_of(d->context, other);
    from = create_with(d->context, d->crs, own);
    to = create_with(d->context, d->crs, other);
    return from && to ? find_way(d, from, to, e) : error_memory(e);
}

/* The shift is the height, above the new datum, of a point with height 0 above the old one. */
double dem_vertical_shift(const struct dem *d, double x, double y)
{
    if (!d->vertical.way) return 0;
    const PJ_COORD at = proj_trans(d->vertical.way, PJ_FWD, proj_coord(x, y, 0, 0));
    return isfinite(at.xyz.z) ? at.xyz.z * d->vertical.unit_m : (double)NAN;
}

int dem_vertical_rows(struct dem *d, float *cell, int row0, int rows, struct error *e)
{
    const struct georef *g = &d->r->geo;
    const int cols = d->r->cols, step = (int)fmax(1, floor(APART_M / g->cell_m));
    if (!d->vertical.way) return 0;
    for (int row = row0; row < row0 + rows; row++) {
        const double y = g->south_m + (d->r->rows - row - 0.5) * g->cell_m;
        double left = dem_vertical_shift(d, g->west_m + 0.5 * g->cell_m, y);
        for (int col = 0; col < cols; col += step) {
            const double right =
                dem_vertical_shift(d, g->west_m + (col + step + 0.5) * g->cell_m, y);
            for (int j = 0; j < step && col + j < cols; j++) {
                float *at = &cell[(size_t)(row - row0) * (size_t)cols + (size_t)(col + j)];
                if (*at == DEM_NO_DATA) continue;
                const double shift = j ? left + (right - left) * j / step : left;
                if (isnan(shift))
                    return error_input(
                        e, "dem: option 'vertical': the grid of EPSG:%d does not cover the terrain",
                        d->q->vertical);
                *at += (float)shift;
                d->r->shift_least_m = fmin(d->r->shift_least_m, shift);
                d->r->shift_greatest_m = fmax(d->r->shift_greatest_m, shift);
            }
            left = right;
        }
    }
    return 0;
}
