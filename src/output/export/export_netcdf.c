/* export_netcdf.c — a run as one file of NetCDF-4 with the CF conventions, for xarray and similar programs.
 *
 * The libnetcdf of the machine makes the file in memory; netcdf_open() loads the library. Other
 * threads wait in netcdf_open() until netcdf_free(). After the first error nothing more is written;
 * netcdf_finish() reports this error. */
#include "export.h"

#ifdef SCIARA_WITH_NETCDF
#define NETCDF_NONE "libnetcdf, which is not installed"
#define NETCDF_GET  "install it (Debian, Ubuntu: netcdf-bin)"
#else
#define NETCDF_NONE "libnetcdf, but this sciara was built without it"
#define NETCDF_GET  "install its headers (Debian, Ubuntu: libnetcdf-dev) and build again"
#endif

static int refuse_without(const char *name, struct error *e)
{
    return error_input(
        e, "%s: NetCDF is written through " NETCDF_NONE "; " NETCDF_GET " or choose geotiff", name);
}

#ifdef SCIARA_WITH_NETCDF
#include "base/loaded.h"
#include "raster/projection.h"
#include "record/picture_mark.h"
#include "text/atomic_file.h"

#include <math.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- libnetcdf ------------------------------------------------------------------------------- */

/* libnetcdf.so.13 is NetCDF 4.6.2, the first version with files in memory */
enum { OLDEST = 13, NEWEST = 40 };

/* clang-format off */
#define CALLS(each) \
    each(nc_create_mem) each(nc_close_memio) each(nc_abort) each(nc_strerror) each(nc_def_dim) \
    each(nc_def_var) each(nc_def_var_chunking) each(nc_def_var_deflate) each(nc_def_var_fill) \
    each(nc_put_att_text) each(nc_put_att_double) each(nc_put_var_double) each(nc_put_vara_float)
/* clang-format on */

#define POINTER(name) __typeof__(name) *name;
struct netcdf {
    void *library;
    CALLS(POINTER)
    char name[256];
    int id;
    bool open;
    int bad; /* the first error of the library; 0: none */
};
#undef POINTER

enum { CHUNK = 128, LEVEL = 1 };
#define NODATA (-9999.0f)

/* Only one thread at a time may call libnetcdf and HDF5, and a process may have several runs. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static bool load_netcdf(struct netcdf *n, char name[32])
{
    n->library = loaded_newest("libnetcdf", NEWEST, OLDEST, name);
    bool all = n->library != NULL;
#define FIND(call) all = all && loaded_find(n->library, #call, &n->call);
    CALLS(FIND)
#undef FIND
    return all;
}

static int netcdf_failed(const struct netcdf *n, struct error *e)
{
    return error_failed(e, "%s: libnetcdf does not write it: %s", n->name, n->nc_strerror(n->bad));
}

/* Whether all has gone well so far. After an error nothing more is added to the file. */
static bool good(const struct netcdf *n)
{
    return n->open && !n->bad;
}

#define TRY(n, call, ...)                                                                          \
    do                                                                                             \
        if (good(n)) (n)->bad = (n)->call((n)->id, __VA_ARGS__);                                   \
    while (false)

static void netcdf_free(struct netcdf *n)
{
    if (!n) return;
    if (n->open) n->nc_abort(n->id);
    pthread_mutex_unlock(&one_at_a_time);
    free(n);
}

static int netcdf_open(struct netcdf **out, const char *name, struct error *e)
{
    struct netcdf *n = calloc(1, sizeof *n);
    char version[32];
    *out = NULL;
    if (!n) return error_memory(e);
    snprintf(n->name, sizeof n->name, "%s", name);
    if (!load_netcdf(n, version)) {
        free(n);
        return refuse_without(name, e);
    }
    pthread_mutex_lock(&one_at_a_time);
    /* libnetcdf needs a name, but writes no file of this name */
    n->bad = n->nc_create_mem("sciara.nc", NC_NETCDF4, 1 << 20, &n->id);
    n->open = !n->bad;
    const int status = n->bad ? netcdf_failed(n, e) : 0;
    if (status) netcdf_free(n);
    else *out = n;
    return status;
}

static int netcdf_dimension(struct netcdf *n, const char *name, int size)
{
    int id = 0;
    TRY(n, nc_def_dim, name, (size_t)size, &id);
    return id;
}

static int netcdf_variable(struct netcdf *n, const char *name, int type, int dimensions,
                           const int *dimension)
{
    int id = 0;
    TRY(n, nc_def_var, name, type, dimensions, dimension, &id);
    return id;
}

static int netcdf_packed(struct netcdf *n, const char *name, int dimensions, const int *dimension,
                         int rows, int cols)
{
    const size_t chunk[3] = {1, (size_t)int_least(rows, CHUNK), (size_t)int_least(cols, CHUNK)};
    const float fill = NODATA;
    const int id = netcdf_variable(n, name, NC_FLOAT, dimensions, dimension);
    TRY(n, nc_def_var_chunking, id, NC_CHUNKED, chunk + 3 - dimensions);
    TRY(n, nc_def_var_deflate, id, 1, 1, LEVEL);
    TRY(n, nc_def_var_fill, id, 0, &fill);
    return id;
}

static void netcdf_text(struct netcdf *n, int variable, const char *name, const char *text)
{
    if (*text) TRY(n, nc_put_att_text, variable, name, strlen(text), text);
}

static void netcdf_number(struct netcdf *n, int variable, const char *name, double value)
{
    TRY(n, nc_put_att_double, variable, name, NC_DOUBLE, 1, &value);
}

/* Writes one chunk. A chunk without values is not stored. */
static void put_chunk(struct netcdf *n, int variable, int at, const struct export_run *r,
                      const float *value, int row0, int col0)
{
    const int rows = int_least(r->rows - row0, CHUNK), cols = int_least(r->cols - col0, CHUNK);
    const size_t start[3] = {at < 0 ? 0 : (size_t)at, (size_t)row0, (size_t)col0},
                 count[3] = {1, (size_t)rows, (size_t)cols};
    const int first = at < 0;
    float chunk[CHUNK * CHUNK];
    bool any = false;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            const float x = value[(size_t)(row0 + row) * (size_t)r->cols + (size_t)(col0 + col)];
            chunk[row * cols + col] = x;
            any = any || x != NODATA;
        }
    if (any) TRY(n, nc_put_vara_float, variable, start + first, count + first, chunk);
}

/* Writes all cells of a packed variable. at: index of the time; < 0: the variable has no time. */
static void netcdf_put(struct netcdf *n, int variable, int at, const struct export_run *r,
                       const float *value)
{
    for (int row = 0; row < r->rows; row += CHUNK)
        for (int col = 0; col < r->cols; col += CHUNK)
            put_chunk(n, variable, at, r, value, row, col);
}

static int netcdf_finish(struct netcdf *n, void **data, size_t *size, struct error *e)
{
    NC_memio memory = {0};
    if (!good(n)) return netcdf_failed(n, e);
    n->bad = n->nc_close_memio(n->id, &memory);
    n->open = false;
    if (n->bad) return netcdf_failed(n, e);
    *data = memory.memory;
    *size = memory.size;
    return 0;
}

/* ---- what is in the file --------------------------------------------------------------------- */

static const struct shown {
    const char *prefix, *name, *long_name, *units;
    bool in_time;
} layers[] = {
    {"thickness_m", "thickness", "mobile lava", "m", true},
    {"total_thickness_m", "total_thickness", "mobile and solidified lava", "m", true},
    {"temperature_K", "temperature", "temperature of the lava", "K", true},
    {"arrival_h", "arrival", "time from the start to the arrival of lava", "h", false},
    {"max_thickness_m", "max_thickness", "largest thickness of the lava so far", "m", false},
    {"elevation_after_m", "elevation", "ground and solidified lava at the end", "m", false},
};
enum { LAYERS = sizeof layers / sizeof *layers };

struct making {
    const struct export_run *r;
    struct netcdf *n;
    int time, y, x; /* dimensions */
};

/* ---- coordinates ----------------------------------------------------------------------------- */

static void put_list(struct making *m, const char *name, const char *words, const char *units,
                     int dimension, const double *value)
{
    const int id = netcdf_variable(m->n, name, NC_DOUBLE, 1, &dimension);
    netcdf_text(m->n, id, "long_name", words);
    netcdf_text(m->n, id, "units", units);
    TRY(m->n, nc_put_var_double, id, value);
}

static void put_time(struct making *m, double *value)
{
    const struct export_run *r = m->r;
    const int id = netcdf_variable(m->n, "time", NC_DOUBLE, 1, &m->time);
    char text[64];
    netcdf_text(m->n, id, "long_name", "time since the start of the eruption");
    netcdf_text(m->n, id, "axis", "T");
    if (*r->c->start_time) {
        snprintf(text, sizeof text, "seconds since %.19s", r->c->start_time);
        text[strcspn(text, "T")] = ' '; /* CF has a blank in place of the T */
        netcdf_text(m->n, id, "standard_name", "time");
        netcdf_text(m->n, id, "calendar", "proleptic_gregorian");
        netcdf_text(m->n, id, "units", text);
    } else netcdf_text(m->n, id, "units", "s");
    for (int i = 0; i < r->step_count; i++)
        value[i] = (double)r->step[i] * r->c->problem.params.clock_s;
    TRY(m->n, nc_put_var_double, id, value);
    for (int i = 0; i < r->step_count; i++) value[i] = (double)r->step[i];
    put_list(m, "step", "step of the computation", "1", m->time, value);
}

static void put_axis(struct making *m, const char *name, int dimension, double first, double step,
                     int count, double *value)
{
    const int id = netcdf_variable(m->n, name, NC_DOUBLE, 1, &dimension);
    char text[64];
    snprintf(text, sizeof text, "projection_%s_coordinate", name);
    netcdf_text(m->n, id, "standard_name", text);
    snprintf(text, sizeof text, "%s of the centre of the cell", name);
    netcdf_text(m->n, id, "long_name", text);
    netcdf_text(m->n, id, "units", "m");
    netcdf_text(m->n, id, "axis", *name == 'x' ? "X" : "Y");
    for (int i = 0; i < count; i++) value[i] = first + i * step;
    TRY(m->n, nc_put_var_double, id, value);
}

static int put_coordinates(struct making *m, struct error *e)
{
    const struct georef *g = &m->r->geo;
    const int most = m->r->rows > m->r->cols ? m->r->rows : m->r->cols;
    FREED double *value = malloc((size_t)(most + m->r->step_count) * sizeof *value);
    if (!value) return error_memory(e);
    put_time(m, value);
    put_axis(m, "y", m->y, g->south_m + (m->r->rows - 0.5) * g->cell_m, -g->cell_m, m->r->rows,
             value);
    put_axis(m, "x", m->x, g->west_m + 0.5 * g->cell_m, g->cell_m, m->r->cols, value);
    return 0;
}

/* ---- the CRS --------------------------------------------------------------------------------- */

/* Writes the CF attributes of a transverse Mercator projection such as UTM. Other projections have only their definition
 * as text. */
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

/* Writes the CRS. False: the case has no CRS. */
static bool put_crs(struct making *m)
{
    const struct georef *g = &m->r->geo;
    FREED char *wkt = projection_wkt(&g->crs, PROJECTION_WKT2);
    FREED char *old = projection_wkt(&g->crs, PROJECTION_WKT1);
    char text[160];
    if (!wkt) return false;
    const int id = netcdf_variable(m->n, "crs", NC_INT, 0, NULL);
    PJ_CONTEXT *context = projection_context();
    PJ *crs = context ? projection_create(context, &g->crs) : NULL;
    if (crs) {
        put_mercator(m->n, id, context, crs);
        put_ellipsoid(m->n, id, context, crs);
    }
    proj_destroy(crs);
    if (context) proj_context_destroy(context);
    netcdf_text(m->n, id, "crs_wkt", wkt);
    netcdf_text(m->n, id, "spatial_ref", old ? old : wkt); /* GDAL reads this attribute */
    snprintf(text, sizeof text, "%.17g %.17g 0 %.17g 0 %.17g", g->west_m, g->cell_m,
             g->south_m + m->r->rows * g->cell_m, -g->cell_m);
    netcdf_text(m->n, id, "GeoTransform", text);
    return true;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static int put_values(struct making *m, const struct shown *s, int id, int at, struct error *e)
{
    const struct export_run *r = m->r;
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    const int64_t step = s->in_time ? r->step[at] : r->step[r->step_count - 1];
    FREED float *value = NULL;
    const int status = export_layer(&value, r, s->prefix, step, e);
    for (size_t i = 0; i < cells && !status; i++)
        if (isnan(value[i])) value[i] = NODATA;
    if (!status) netcdf_put(m->n, id, s->in_time ? at : -1, r, value);
    return status;
}

static int make_layer(struct making *m, const struct shown *s, bool crs)
{
    const int dimensions[3] = {m->time, m->y, m->x}, first = s->in_time ? 0 : 1;
    const int id =
        netcdf_packed(m->n, s->name, 3 - first, dimensions + first, m->r->rows, m->r->cols);
    netcdf_text(m->n, id, "long_name", s->long_name);
    netcdf_text(m->n, id, "units", s->units);
    if (crs) netcdf_text(m->n, id, "grid_mapping", "crs");
    return id;
}

static int put_layer(struct making *m, const struct shown *s, bool crs, struct error *e)
{
    const int id = make_layer(m, s, crs);
    int status = 0;
    for (int at = 0; at < (s->in_time ? m->r->step_count : 1) && !status; at++)
        status = put_values(m, s, id, at, e);
    return status;
}

/* Writes 1 in the cells of the observed outline. */
static int put_outline(struct making *m, bool crs, struct error *e)
{
    static const struct shown observed = {NULL, "observed", "1 inside the observed outline", "1",
                                          false};
    const struct export_run *r = m->r;
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    FREED float *value = r->outline ? malloc(cells * sizeof *value) : NULL;
    if (!value) return r->outline ? error_memory(e) : 0;
    const int id = make_layer(m, &observed, crs);
    for (size_t i = 0; i < cells; i++) value[i] = r->outline[i] ? 1 : NODATA;
    netcdf_put(m->n, id, -1, r, value);
    return 0;
}

/* Writes position and vent number of each cell that emits. */
static int put_vents(struct making *m, struct error *e)
{
    const struct problem *p = &m->r->c->problem;
    const struct georef *g = &m->r->c->geo;
    FREED double *value = p->vent_count ? malloc(3 * (size_t)p->vent_count * sizeof *value) : NULL;
    if (!value) return p->vent_count ? error_memory(e) : 0;
    double *x = value, *y = value + p->vent_count, *number = y + p->vent_count;
    for (int i = 0; i < p->vent_count; i++) {
        x[i] = g->west_m + (p->vents[i].col + 0.5) * g->cell_m;
        y[i] = g->south_m + (p->rows - p->vents[i].row - 0.5) * g->cell_m;
        number[i] = p->vents[i].id;
    }
    const int dimension = netcdf_dimension(m->n, "vent_cell", p->vent_count);
    put_list(m, "vent_x", "x of the cell of a vent", "m", dimension, x);
    put_list(m, "vent_y", "y of the cell of a vent", "m", dimension, y);
    put_list(m, "vent", "number of the vent", "1", dimension, number);
    return 0;
}

static void put_about(struct making *m)
{
    const struct export_run *r = m->r;
    char text[128];
    netcdf_text(m->n, NC_GLOBAL, "Conventions", "CF-1.8");
    netcdf_text(m->n, NC_GLOBAL, "title", r->c->title);
    snprintf(text, sizeof text, "%s %.80s", MADE_BY_SCIARA, r->version);
    netcdf_text(m->n, NC_GLOBAL, "source", text);
    netcdf_text(m->n, NC_GLOBAL, "case", r->c->name);
    netcdf_text(m->n, NC_GLOBAL, "terrain", r->c->terrain_source);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)r->digest);
    netcdf_text(m->n, NC_GLOBAL, "state_digest", text);
}

int export_netcdf(const struct export_run *r, enum features unused, const char *path,
                  struct error *e)
{
    struct making m = {.r = r};
    FREED void *data = NULL;
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
    if (!status) status = put_outline(&m, crs, e);
    if (!status) status = put_vents(&m, e);
    if (!status) status = netcdf_finish(m.n, &data, &size, e);
    netcdf_free(m.n);
    return status ? status : atomic_file_bytes(path, data, size, e);
}

void export_formats(char out[96])
{
    char version[32];
    struct netcdf n;
    const bool there = load_netcdf(&n, version);
    snprintf(out, 96, "NetCDF%s%s", there ? " through " : ": no libnetcdf is installed",
             there ? version : "");
}

/* Makes a file with a packed variable in memory as a test, because a libnetcdf may lack NetCDF-4 or packing. */
int export_check_netcdf(const struct sim_case *c, const char *what, struct error *e)
{
    const char *name = *c->path ? c->path : c->name;
    struct netcdf *n;
    struct error why;
    FREED void *data = NULL;
    size_t size;
    char version[32];
    struct netcdf probe;
    if (!load_netcdf(&probe, version)) return refuse_without(name, e);
    int status = netcdf_open(&n, what, &why);
    if (!status) {
        const int dimension[2] = {netcdf_dimension(n, "y", 1), netcdf_dimension(n, "x", 1)};
        netcdf_packed(n, layers[0].name, 2, dimension, 1, 1);
        status = netcdf_finish(n, &data, &size, &why);
    }
    netcdf_free(n);
    if (!status) return 0;
    return error_input(e, "%s: %.400s; correct its installation, or choose geotiff", name,
                       why.text);
}

#else
int export_netcdf(const struct export_run *r, enum features unused, const char *path,
                  struct error *e)
{
    return refuse_without(path, e);
}

void export_formats(char out[96])
{
    snprintf(out, 96, "NetCDF: built without libnetcdf");
}

int export_check_netcdf(const struct sim_case *c, const char *what, struct error *e)
{
    return refuse_without(*c->path ? c->path : c->name, e);
}
#endif
