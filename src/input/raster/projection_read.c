/* projection_read.c — a CRS from the WKT in NAME.aux.xml or in a .prj file. */
#include "projection.h"

#include "geotiff_crs.h"
#include "text/scan.h"

#include <math.h>
#include <proj_experimental.h> /* proj_crs_demote_to_2D() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SURE = 90 }; /* per cent, from where on PROJ's guess at a code is taken, as GDAL does */

/* ---- parts of a CRS -------------------------------------------------------------------------- */

/* Unit and direction of an axis; its name and length where they are asked for. */
static bool read_axis(PJ_CONTEXT *context, const PJ *crs, int index, double *unit_m, char unit[64],
                      bool *down)
{
    PJ *cs = proj_crs_get_coordinate_system(context, crs);
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
    proj_destroy(cs);
    return there;
}

static void take_name(char name[128], const PJ *crs, const char *otherwise)
{
    const char *found = proj_get_name(crs);
    snprintf(name, 128, "%s", found && *found ? found : otherwise);
    scan_make_printable(name);
}

/* The third axis of a CRS, or the only one of a vertical CRS. */
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

/* The code that it has, or that PROJ's database has for the same CRS. */
static int find_epsg(PJ_CONTEXT *context, const PJ *crs)
{
    int *confidence = NULL, epsg = epsg_of(crs);
    PJ_OBJ_LIST *list = epsg ? NULL : proj_identify(context, crs, "EPSG", NULL, &confidence);
    if (list && proj_list_get_count(list) > 0 && confidence && confidence[0] >= SURE) {
        PJ *same = proj_list_get(context, list, 0);
        if (same) epsg = epsg_of(same);
        proj_destroy(same);
    }
    proj_int_list_destroy(confidence);
    proj_list_destroy(list);
    return epsg;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int refuse(const char *name, const char *what, struct error *e)
{
    return error_input(e, "%s: %s; declare the CRS: gdal_edit.py -a_srs EPSG:CODE FILE", name,
                       what);
}

static int read_projected(struct crs *crs, struct vertical *v, PJ_CONTEXT *context, const PJ *pj,
                          const char *name, struct error *e)
{
    static const char *const one_line[] = {"MULTILINE=NO", NULL};
    if (!read_axis(context, pj, 0, &crs->unit_m, NULL, NULL) || crs->unit_m == 0)
        return refuse(name, "a projection without a unit of length", e);
    read_heights(v, context, pj, 2);
    take_name(crs->name, pj, "");
    if ((crs->epsg = find_epsg(context, pj))) return 0;
    PJ *flat = proj_crs_demote_to_2D(context, NULL, pj);
    const char *wkt = flat ? proj_as_wkt(context, flat, PJ_WKT1_ESRI, one_line) : NULL;
    if (!wkt && flat) wkt = proj_as_wkt(context, flat, PJ_WKT2_2019, one_line);
    const bool good = wkt && geotiff_crs_from_wkt(crs, wkt);
    proj_destroy(flat);
    return good ? 0 : refuse(name, "its CRS is too long to be stored", e);
}

static int read_crs(struct crs *crs, struct vertical *v, PJ_CONTEXT *context, const PJ *pj,
                    int depth, const char *name, struct error *e)
{
    const PJ_TYPE type = proj_get_type(pj);
    int status = 0;
    if (type == PJ_TYPE_PROJECTED_CRS) return read_projected(crs, v, context, pj, name, e);
    if (type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS) {
        crs->geographic = true;
        take_name(crs->name, pj, "");
        read_heights(v, context, pj, 2);
    } else if (type == PJ_TYPE_VERTICAL_CRS) {
        read_heights(v, context, pj, 0);
    } else if (type == PJ_TYPE_BOUND_CRS || type == PJ_TYPE_COMPOUND_CRS) {
        for (int i = 0; i < (type == PJ_TYPE_BOUND_CRS ? 1 : 2) && !status && depth < 4; i++) {
            PJ *part = type == PJ_TYPE_BOUND_CRS ? proj_get_source_crs(context, pj)
                                                 : proj_crs_get_sub_crs(context, pj, i);
            if (part) status = read_crs(crs, v, context, part, depth + 1, name, e);
            proj_destroy(part);
        }
    } else if (type == PJ_TYPE_ENGINEERING_CRS) {
        take_name(crs->name, pj, "");
        if (!read_axis(context, pj, 0, &crs->unit_m, NULL, NULL) || crs->unit_m == 0)
            crs->unit_m = 1;
    } else {
        status = refuse(name, "a CRS that is neither projected nor local nor in degrees", e);
    }
    return status;
}

int projection_read(struct crs *crs, struct vertical *vertical, const char *wkt, const char *name,
                    struct error *e)
{
    PJ_CONTEXT *context = projection_context();
    PJ *pj = context ? proj_create_from_wkt(context, wkt, NULL, NULL, NULL) : NULL;
    int status;
    *crs = (struct crs){.unit_m = 1};
    *vertical = (struct vertical){0};
    if (!context) status = error_memory(e);
    else if (!pj)
        status = projection_blame(refuse(name, "a CRS that PROJ does not understand", e), name, e);
    else status = read_crs(crs, vertical, context, pj, 0, name, e);
    proj_destroy(pj);
    proj_context_destroy(context);
    return status;
}

/* ---- by a code ------------------------------------------------------------------------------- */

void projection_vertical(struct vertical *vertical, int epsg)
{
    PJ_CONTEXT *context = projection_context();
    char code[16];
    *vertical = (struct vertical){0};
    snprintf(code, sizeof code, "EPSG:%d", epsg);
    PJ *pj = context ? proj_create(context, code) : NULL;
    const PJ_TYPE type = pj ? proj_get_type(pj) : PJ_TYPE_UNKNOWN;
    if (type == PJ_TYPE_VERTICAL_CRS) read_heights(vertical, context, pj, 0);
    if (type == PJ_TYPE_GEOGRAPHIC_3D_CRS || type == PJ_TYPE_PROJECTED_CRS)
        read_heights(vertical, context, pj, 2);
    snprintf(vertical->name, sizeof vertical->name, "%s", code);
    proj_destroy(pj);
    proj_context_destroy(context);
}

double projection_unit(int epsg, char unit[64])
{
    PJ_CONTEXT *context = projection_context();
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
    proj_context_destroy(context);
    if (metres == 0 && (epsg == 9002 || epsg == 9003)) { /* without a database too */
        metres = epsg == 9002 ? 0.3048 : 1200.0 / 3937;
        snprintf(unit, 64, "%s", epsg == 9002 ? "foot" : "US survey foot");
    }
    return metres;
}
