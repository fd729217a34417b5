/* export_netcdf.c — a run as one file of NetCDF-4 with the CF conventions, for xarray and its like.
 */
#include "export_parts.h"
#include "netcdf_write.h"

#include "raster/projection.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NODATA (-9999.0f)

static const struct shown {
    const char *prefix, *name, *long_name, *units;
    bool in_time;
} layers[] = {
    {"thickness_m", "thickness", "mobile lava", "m", true},
    {"total_thickness_m", "total_thickness", "mobile and solidified lava", "m", true},
    {"temperature_K", "temperature", "temperature of the lava", "K", true},
    {"arrival_h", "arrival", "time from the start to the arrival of lava", "h", false},
    {"max_thickness_m", "max_thickness", "largest thickness of the lava so far", "m", false},
};
enum { LAYERS = sizeof layers / sizeof *layers };

struct making {
    const struct export_run *r;
    struct netcdf *n;
    int time, y, x; /* dimensions */
};

/* ---- coordinates ----------------------------------------------------------------------------- */

static void put_time(struct making *m, double *value)
{
    const struct export_run *r = m->r;
    const int id = netcdf_variable(m->n, "time", NETCDF_DOUBLE, 1, &m->time);
    char text[64];
    netcdf_text(m->n, id, "long_name", "time since the start of the eruption");
    netcdf_text(m->n, id, "axis", "T");
    if (*r->c->start_time) {
        snprintf(text, sizeof text, "seconds since %.19s", r->c->start_time);
        text[strcspn(text, "T")] = ' '; /* CF writes a blank; both are UTC */
        netcdf_text(m->n, id, "standard_name", "time");
        netcdf_text(m->n, id, "calendar", "proleptic_gregorian"); /* as all dates here */
        netcdf_text(m->n, id, "units", text);
    } else netcdf_text(m->n, id, "units", "s");
    for (int i = 0; i < r->step_count; i++) value[i] = export_time_s(r, r->step[i]);
    netcdf_doubles(m->n, id, value);
    const int step = netcdf_variable(m->n, "step", NETCDF_DOUBLE, 1, &m->time);
    netcdf_text(m->n, step, "long_name", "step of the computation");
    netcdf_text(m->n, step, "units", "1");
    for (int i = 0; i < r->step_count; i++) value[i] = (double)r->step[i];
    netcdf_doubles(m->n, step, value);
}

static void put_axis(struct making *m, const char *name, int dimension, double first, double step,
                     int count, double *value)
{
    const int id = netcdf_variable(m->n, name, NETCDF_DOUBLE, 1, &dimension);
    char text[64];
    snprintf(text, sizeof text, "projection_%s_coordinate", name);
    netcdf_text(m->n, id, "standard_name", text);
    snprintf(text, sizeof text, "%s of the centre of the cell", name);
    netcdf_text(m->n, id, "long_name", text);
    netcdf_text(m->n, id, "units", "m");
    netcdf_text(m->n, id, "axis", *name == 'x' ? "X" : "Y");
    for (int i = 0; i < count; i++) value[i] = first + i * step;
    netcdf_doubles(m->n, id, value);
}

static int put_coordinates(struct making *m, struct error *e)
{
    const struct georef *g = &m->r->geo;
    const int most = m->r->rows > m->r->cols ? m->r->rows : m->r->cols;
    double *value = malloc((size_t)(most + m->r->step_count) * sizeof *value);
    if (!value) return error_memory(e);
    put_time(m, value);
    put_axis(m, "y", m->y, g->south_m + (m->r->rows - 0.5) * g->cell_m, -g->cell_m, m->r->rows,
             value);
    put_axis(m, "x", m->x, g->west_m + 0.5 * g->cell_m, g->cell_m, m->r->cols, value);
    free(value);
    return 0;
}

/* ---- the CRS --------------------------------------------------------------------------------- */

/* UTM and its like have the attributes of CF; of others the definition has to do. */
static void put_mercator(struct netcdf *n, int id, PJ_CONTEXT *context, const PJ *crs)
{
    static const struct {
        const char *epsg, *cf;
    } of[] = {{"8801", "latitude_of_projection_origin"},
              {"8802", "longitude_of_central_meridian"},
              {"8805", "scale_factor_at_central_meridian"},
              {"8806", "false_easting"},
              {"8807", "false_northing"}};
    const char *method = NULL, *code = NULL;
    PJ *transform = proj_crs_get_coordoperation(context, crs);
    const bool known =
        transform && proj_coordoperation_get_method_info(context, transform, &method, NULL, NULL) &&
        method && !strcmp(method, "Transverse Mercator");
    if (known) netcdf_text(n, id, "grid_mapping_name", "transverse_mercator");
    for (int i = 0; known && i < proj_coordoperation_get_param_count(context, transform); i++) {
        double value, to_si;
        const char *unit;
        if (!proj_coordoperation_get_param(context, transform, i, NULL, NULL, &code, &value, NULL,
                                           &to_si, &unit, NULL, NULL, NULL) ||
            !code)
            continue;
        for (size_t k = 0; k < sizeof of / sizeof *of; k++)
            if (!strcmp(code, of[k].epsg)) netcdf_number(n, id, of[k].cf, value);
    }
    proj_destroy(transform);
}

static void put_ellipsoid(struct netcdf *n, int id, PJ_CONTEXT *context, const PJ *crs)
{
    double a, inverse;
    PJ *ellipsoid = proj_get_ellipsoid(context, crs);
    if (ellipsoid && proj_ellipsoid_get_parameters(context, ellipsoid, &a, NULL, NULL, &inverse)) {
        netcdf_number(n, id, "semi_major_axis", a);
        netcdf_number(n, id, "inverse_flattening", inverse);
    }
    proj_destroy(ellipsoid);
}

/* False: the case has no CRS. */
static bool put_crs(struct making *m)
{
    const struct georef *g = &m->r->geo;
    char *wkt = export_crs_wkt(&g->crs, EXPORT_WKT2), *old = export_crs_wkt(&g->crs, EXPORT_WKT1),
         text[160];
    if (!wkt) {
        free(old);
        return false;
    }
    const int id = netcdf_variable(m->n, "crs", NETCDF_INT, 0, NULL);
    PJ_CONTEXT *context = projection_context();
    PJ *crs = context ? projection_create(context, &g->crs) : NULL;
    if (crs) {
        put_mercator(m->n, id, context, crs);
        put_ellipsoid(m->n, id, context, crs);
    }
    proj_destroy(crs);
    if (context) proj_context_destroy(context);
    netcdf_text(m->n, id, "crs_wkt", wkt);
    netcdf_text(m->n, id, "spatial_ref", old ? old : wkt); /* as GDAL has it */
    snprintf(text, sizeof text, "%.17g %.17g 0 %.17g 0 %.17g", g->west_m, g->cell_m,
             g->south_m + m->r->rows * g->cell_m, -g->cell_m);
    netcdf_text(m->n, id, "GeoTransform", text);
    free(wkt);
    free(old);
    return true;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static int put_values(struct making *m, const struct shown *s, int id, int at, struct error *e)
{
    const struct export_run *r = m->r;
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    const int64_t step = s->in_time ? r->step[at] : r->step[r->step_count - 1];
    float *value;
    const int status = export_layer(&value, r, s->prefix, step, e);
    for (size_t i = 0; i < cells && !status; i++)
        if (isnan(value[i])) value[i] = NODATA;
    if (!status)
        netcdf_put(m->n, &(struct netcdf_slice){.variable = id,
                                                .at = s->in_time ? at : -1,
                                                .rows = r->rows,
                                                .cols = r->cols,
                                                .fill = NODATA,
                                                .value = value});
    free(value);
    return status;
}

static int put_layer(struct making *m, const struct shown *s, bool crs, struct error *e)
{
    const int dimensions[3] = {m->time, m->y, m->x};
    const int first = s->in_time ? 0 : 1;
    const int id =
        netcdf_packed(m->n, s->name, 3 - first, dimensions + first, m->r->rows, m->r->cols, NODATA);
    int status = 0;
    netcdf_text(m->n, id, "long_name", s->long_name);
    netcdf_text(m->n, id, "units", s->units);
    if (crs) netcdf_text(m->n, id, "grid_mapping", "crs");
    for (int at = 0; at < (s->in_time ? m->r->step_count : 1) && !status; at++)
        status = put_values(m, s, id, at, e);
    return status;
}

static void put_about(struct making *m)
{
    const struct export_run *r = m->r;
    char text[128];
    netcdf_text(m->n, NETCDF_GLOBAL, "Conventions", "CF-1.8");
    netcdf_text(m->n, NETCDF_GLOBAL, "title", r->c->title);
    snprintf(text, sizeof text, "%s %.80s", EXPORT_MARK, r->version);
    netcdf_text(m->n, NETCDF_GLOBAL, "source", text);
    netcdf_text(m->n, NETCDF_GLOBAL, "case", r->c->name);
    netcdf_text(m->n, NETCDF_GLOBAL, "terrain", r->c->terrain_source);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)r->digest);
    netcdf_text(m->n, NETCDF_GLOBAL, "state_digest", text);
}

int export_netcdf(const struct export_run *r, const char *path, struct error *e)
{
    struct making m = {.r = r};
    void *data = NULL;
    size_t size = 0;
    int status = netcdf_open(&m.n, path, e);
    if (status) return status;
    m.time = netcdf_dimension(m.n, "time", r->step_count);
    m.y = netcdf_dimension(m.n, "y", r->rows);
    m.x = netcdf_dimension(m.n, "x", r->cols);
    put_about(&m);
    status = put_coordinates(&m, e);
    const bool crs = !status && put_crs(&m);
    for (int i = 0; i < LAYERS && !status; i++) status = put_layer(&m, &layers[i], crs, e);
    if (!status) status = netcdf_finish(m.n, &data, &size, e);
    netcdf_free(m.n);
    if (!status) status = export_bytes(path, data, size, e);
    free(data);
    return status;
}

void export_formats(char out[96])
{
    char version[32];
    const bool there = netcdf_version(version);
    snprintf(out, 96, "NetCDF%s%s", there ? " through " : ": no libnetcdf is installed",
             there ? version : "");
}

/* A file with a packed variable: a libnetcdf may have no NetCDF-4, or not pack. */
int export_check_netcdf(const struct sim_case *c, struct error *e)
{
    const char *name = *c->path ? c->path : c->name;
    struct netcdf *n;
    struct error why;
    void *data = NULL;
    size_t size;
    if (netcdf_check(name, e)) return ERROR_INPUT;
    int status = netcdf_open(&n, "netcdf", &why);
    if (!status) {
        const int dimension[2] = {netcdf_dimension(n, "y", 1), netcdf_dimension(n, "x", 1)};
        netcdf_packed(n, layers[0].name, 2, dimension, 1, 1, NODATA);
        status = netcdf_finish(n, &data, &size, &why);
    }
    netcdf_free(n);
    free(data);
    if (!status) return 0;
    return error_input(e, "%s: %.400s; correct its installation, or take geotiff", name, why.text);
}
