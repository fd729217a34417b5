/* export.c — what all files for other programs share. */
#include "export.h"

#include "record/picture_mark.h"
#include "raster/projection.h"
#include "raster/raster.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/times.h"
#include "text/atomic_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the mark -------------------------------------------------------------------------------- */

bool export_is_ours(const char *path)
{
    const size_t length = strlen(EXPORT_MARK);
    FILE *f = file_open_regular(path);
    if (!f) return false;
    const bool found =
        picture_has(f, 1 << 16, EXPORT_MARK, length) || picture_has(f, -4096, EXPORT_MARK, length);
    fclose(f);
    return found;
}

/* ---- times ----------------------------------------------------------------------------------- */

double export_time_s(const struct export_run *r, int64_t step)
{
    return (double)step * r->c->problem.params.clock_s;
}

char *export_date(char out[32], const struct export_run *r, double time_s)
{
    return times_date(out, r->c->start_time, time_s, TIMES_ISO);
}

/* ---- degrees --------------------------------------------------------------------------------- */

/* A terrain is less than half the way round the Earth. */
static int check_corners(const struct transform *w, const struct sim_case *c, const char *name,
                         const char *what, struct error *e)
{
    const double width = c->problem.cols * c->geo.cell_m, height = c->problem.rows * c->geo.cell_m;
    double first = 0;
    for (int i = 0; i < 4; i++) {
        double xy[2] = {c->geo.west_m + (i & 1 ? width : 0), c->geo.south_m + (i & 2 ? height : 0)};
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
                "to -180; leave that format out (qgis stays in its own CRS)",
                name, what);
    }
    return 0;
}

static int open_transform(struct transform **w, const struct sim_case *c, const char *what,
                          struct error *e)
{
    const char *name = *c->path ? c->path : c->name;
    *w = NULL;
    if (!crs_known(&c->geo.crs))
        return error_input(e,
                           "%s: %s needs longitude and latitude, and the terrain names no CRS; "
                           "give it with 'crs EPSG:n' in the case, or omit that format",
                           name, what);
    int status = transform_open(w, CRS_DEGREES, &c->geo.crs, name, e);
    if (!status && !*w) status = error_failed(e, "%s: its CRS is in degrees", name);
    if (!status) status = check_corners(*w, c, name, what, e);
    if (!status) return 0;
    transform_close(*w);
    *w = NULL;
    return status;
}

struct transform *export_transform(const struct sim_case *c)
{
    struct transform *w;
    open_transform(&w, c, "", NULL);
    return w;
}

int export_check_degrees(const struct sim_case *c, const char *what, struct error *e)
{
    struct transform *w;
    const int status = open_transform(&w, c, what, e);
    transform_close(w);
    return status;
}

/* From the database, which has its name, if it is there. */
static PJ *create_named(PJ_CONTEXT *context, const struct crs *crs)
{
    char code[32];
    snprintf(code, sizeof code, "EPSG:%d", crs->epsg);
    PJ *made = crs->epsg ? proj_create(context, code) : NULL;
    return made ? made : projection_create(context, crs);
}

char *export_crs_wkt(const struct crs *crs, enum export_wkt form)
{
    /* (GDAL always names the axes, and knows a code again by them) */
    static const char *const named[] = {"MULTILINE=NO", "OUTPUT_AXIS=YES", NULL};
    const bool old = form == EXPORT_WKT1;
    PJ_CONTEXT *context = crs_known(crs) ? projection_context() : NULL;
    PJ *known = context ? create_named(context, crs) : NULL;
    const char *text =
        known ? proj_as_wkt(context, known, old ? PJ_WKT1_GDAL : PJ_WKT2_2019, named) : NULL;
    char *copy = text ? text_format("%s", text) : NULL;
    proj_destroy(known);
    if (context) proj_context_destroy(context);
    return copy;
}

int export_bytes(const char *path, const void *data, size_t size, struct error *e)
{
    struct atomic_file w;
    const int status = atomic_file_open(&w, path, e);
    if (status) return status;
    fwrite(data, 1, size, w.stream); /* atomic_file_finish() finds errors */
    return atomic_file_finish(&w, e);
}

struct rgb export_band_colour(const struct export_run *r, int band)
{
    const int count = r->isochrones->count;
    return colours_at(&r->scale[COLOURS_TIME], count > 1 ? (double)band / (count - 1) : 0);
}

/* ---- texts ----------------------------------------------------------------------------------- */

void export_xml(FILE *f, const char *text)
{
    scan_put_xml(f, text, "&");
}

void export_html(FILE *f, const char *text)
{
    scan_put_xml(f, text, "&amp;");
}

/* ---- layers ---------------------------------------------------------------------------------- */

char *export_layer_name(const struct sim_case *c, const char *prefix, int64_t step,
                        const char *ending)
{
    char date[TIMES_TEXT];
    times_date(date, c->start_time, (double)step * c->problem.params.clock_s, TIMES_STAMP);
    return text_format("%s_%06lld%s%s%s", prefix, (long long)step, *date ? "_" : "", date, ending);
}

static int read_layer(float *out, const struct export_run *r, const char *prefix, int64_t step,
                      struct error *e)
{
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    FREED_BY(raster_free) struct raster layer = {0};
    FREED char *name = export_layer_name(r->c, prefix, step, ".tif");
    FREED char *path = name ? text_format("%s/%s", r->folder, name) : NULL;
    int status = path ? raster_read(&layer, path, 0, e) : error_memory(e);
    const struct raster grid = {.rows = r->rows, .cols = r->cols, .geo = r->geo};
    if (!status) status = raster_move(&layer, path, &grid, "the last state", e);
    for (size_t i = 0; i < cells && !status; i++) out[i] = (float)layer.value[i];
    return status;
}

int export_layer(float **out, const struct export_run *r, const char *prefix, int64_t step,
                 struct error *e)
{
    int status = 0;
    *out = malloc((size_t)r->rows * (size_t)r->cols * sizeof **out);
    if (!*out) return error_memory(e);
    if (step == r->step[r->step_count - 1]) r->last_layer(r, prefix, *out);
    else status = read_layer(*out, r, prefix, step, e);
    if (!status) return 0;
    free(*out);
    *out = NULL;
    return status;
}

bool export_vent_is_first(const struct problem *p, int vent)
{
    for (int i = 0; i < vent; i++)
        if (p->vents[i].id == p->vents[vent].id) return false;
    return true;
}

/* ---- the outline ----------------------------------------------------------------------------- */

int export_outline_area(struct isochrones *out, const struct export_run *r, struct error *e)
{
    const struct problem *p = &r->c->problem;
    const size_t cells = (size_t)p->rows * (size_t)p->cols;
    struct isochrones_input in = {.rows = p->rows, .cols = p->cols, .geo = r->c->geo};
    FREED float *inside = malloc(cells * sizeof *inside);
    *out = (struct isochrones){0};
    if (!inside) return error_memory(e);
    for (size_t i = 0; i < cells; i++) inside[i] = r->outline[i] ? 1 : NAN;
    in.arrival_h = inside;
    return isochrones_create(out, &in, e);
}
