/* output_layers.c — one state as eight Float32 GeoTIFF layers. */
#include "output_parts.h"

#include "case/resolution.h"
#include "compare/runfolder.h"
#include "raster/geotiff.h"
#include "text/times.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct layer_context {
    const struct fields *f;
    double time_per_step;
    float none; /* where the layer has no value */
};

/* Each value_* gives the value of cell i, or NaN where the layer has none. */
static double positive(double x)
{
    return x > 0 ? x : (double)NAN;
}

static double value_thickness(const struct layer_context *k, size_t i)
{
    return positive(k->f->thickness_m[i]);
}

/* Of the lava that lies here, mobile or solid; a cell that lava has left again has none. */
static double value_temp(const struct layer_context *k, size_t i)
{
    return k->f->thickness_m[i] + k->f->solid_m[i] > 0 ? positive(k->f->temp_K[i]) : (double)NAN;
}

static double value_solid(const struct layer_context *k, size_t i)
{
    return positive(k->f->solid_m[i]);
}

static double value_total(const struct layer_context *k, size_t i)
{
    return positive(k->f->thickness_m[i] + k->f->solid_m[i]);
}

static double value_elevation(const struct layer_context *k, size_t i)
{
    return k->f->elevation_m[i];
}

static double value_arrival(const struct layer_context *k, size_t i)
{
    const int32_t step = k->f->arrival[i];
    return step == ARRIVAL_NEVER ? (double)NAN : step * k->time_per_step;
}

static double value_max_thickness(const struct layer_context *k, size_t i)
{
    return positive(k->f->max_thickness_m[i]);
}

static double value_max_temp(const struct layer_context *k, size_t i)
{
    return positive(k->f->max_temp_K[i]);
}

/* A row function per layer, so that the loop over a row has its value function inlined. */
#define DEFINE_ROW(name)                                                                           \
    static void row_##name(const void *context, int row, float *out)                               \
    {                                                                                              \
        const struct layer_context *k = context;                                                   \
        const size_t cols = (size_t)k->f->window.cols, first = (size_t)row * cols;                 \
        for (size_t col = 0; col < cols; col++) {                                                  \
            const double value = value_##name(k, first + col);                                     \
            out[col] =                                                                             \
                isnan(value) || isnan(k->f->elevation_m[first + col]) ? k->none : (float)value;    \
        }                                                                                          \
    }

DEFINE_ROW(thickness)
DEFINE_ROW(temp)
DEFINE_ROW(solid)
DEFINE_ROW(total)
DEFINE_ROW(elevation)
DEFINE_ROW(arrival)
DEFINE_ROW(max_thickness)
DEFINE_ROW(max_temp)

static const struct layer_kind {
    const char *prefix, *description, *unit;
    void (*row)(const void *context, int row, float *out);
} kinds[OUTPUT_LAYERS] = {
    [OUTPUT_THICKNESS] = {"thickness_m", "mobile lava thickness", "m", row_thickness},
    [OUTPUT_TEMPERATURE] = {"temperature_K", "lava temperature", "K", row_temp},
    [OUTPUT_SOLIDIFIED] = {"solidified_m", "solidified lava thickness", "m", row_solid},
    [OUTPUT_TOTAL] = {"total_thickness_m", "total lava thickness, mobile and solidified", "m",
                      row_total},
    [OUTPUT_ELEVATION] = {"elevation_after_m", "elevation of the ground with what has solidified",
                          "m", row_elevation},
    [OUTPUT_ARRIVAL] = {"arrival_h", "time of first arrival of lava since start", "h", row_arrival},
    [OUTPUT_MAX_THICKNESS] = {"max_thickness_m", "largest total lava thickness so far", "m",
                              row_max_thickness},
    [OUTPUT_MAX_TEMPERATURE] = {"max_temperature_K", "largest lava temperature so far", "K",
                                row_max_temp},
};

const char *output_layer_prefix(enum output_layer layer)
{
    return kinds[layer].prefix;
}

void output_layer_values(enum output_layer layer, const struct fields *f, double time_per_step,
                         float *out)
{
    const struct layer_context context = {f, time_per_step, NAN};
    const size_t cols = (size_t)f->window.cols;
#pragma omp parallel for schedule(static)
    for (int row = 0; row < f->window.rows; row++)
        kinds[layer].row(&context, row, out + (size_t)row * cols);
}

/* Smaller layers are few tiles, and overviews would take half of the time again. */
enum { OVERVIEWS_FROM = 1024, ITEMS_MAX = 12 };

/* Metadata that all layers of a state share, with the text that the items point to. */
struct items {
    struct geotiff_item item[ITEMS_MAX];
    int count;
    char step[24], time_s[32], date[TIMES_TEXT], digest[20], software[64], parameters[512];
};

static void add_item(struct items *m, const char *name, const char *value)
{
    if (value && *value) m->item[m->count++] = (struct geotiff_item){name, value};
}

static void parameters_text(char *out, size_t size, const struct sim_case *c)
{
    const struct params *p = resolution_given(c);
    size_t n = 0;
    for (int i = 0; i < PARAMETERS && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%s=%.12g", i ? " " : "", params_table[i].name,
                              params_value(p, &params_table[i]));
    if (c->calibrated_cell_m > 0 && n < size)
        snprintf(out + n, size - n, " calibrated_cell_m=%.12g", c->calibrated_cell_m);
}

static void items_fill(struct items *m, const struct output_info *info, const struct sim_case *c,
                       const struct fields *f)
{
    m->count = 0;
    snprintf(m->step, sizeof m->step, "%lld", (long long)f->step);
    snprintf(m->time_s, sizeof m->time_s, "%.15g", (double)f->step * c->problem.params.clock_s);
    times_date(m->date, c->start_time, (double)f->step * c->problem.params.clock_s, TIMES_ISO);
    snprintf(m->digest, sizeof m->digest, "%016" PRIx64, fields_digest(f));
    snprintf(m->software, sizeof m->software, "sciara %s", info->version);
    parameters_text(m->parameters, sizeof m->parameters, c);
    add_item(m, "CASE", c->name);
    add_item(m, "STEP", m->step);
    add_item(m, "TIME_S", m->time_s);
    add_item(m, "START_TIME", c->start_time);
    add_item(m, "DATE", m->date);
    add_item(m, "VARIANT", info->variant);
    add_item(m, "DEVICE", info->device);
    add_item(m, "SCIARA_VERSION", info->version);
    add_item(m, "STATE_DIGEST", m->digest);
    add_item(m, "TERRAIN", c->terrain_source);
    add_item(m, "PARAMETERS", m->parameters);
    add_item(m, "SOFTWARE", m->software);
}

bool output_is_layer(const char *name)
{
    for (int k = 0; k < OUTPUT_LAYERS; k++)
        if (runfolder_layer_step(name, kinds[k].prefix, ".tif") >= 0) return true;
    return false;
}

int output_layers(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e)
{
    const struct layer_context context = {f, c->problem.params.clock_s / 3600.0,
                                          (float)OUTPUT_NODATA};
    struct items items;
    int status = 0;
    items_fill(&items, info, c, f);
    for (int k = 0; k < OUTPUT_LAYERS && !status; k++) {
        const struct geotiff_layer layer = {
            .rows = f->window.rows,
            .cols = f->window.cols,
            .geo = output_georef(c, &f->window),
            .nodata = OUTPUT_NODATA,
            .description = kinds[k].description,
            .unit = kinds[k].unit,
            .item_count = items.count,
            .items = items.item,
            .row = kinds[k].row,
            .context = &context,
            .progress = info->progress,
            .no_overviews_until = OVERVIEWS_FROM,
        };
        char *path = output_path(info, c, kinds[k].prefix, f->step, ".tif");
        status = path ? output_spare(c, path, e) : error_memory(e);
        if (!status) status = geotiff_write_cloud(path, &layer, e);
        status = output_done(info, path, status, e);
        free(path);
    }
    return status;
}
