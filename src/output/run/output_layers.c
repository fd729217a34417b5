/* output_layers.c — writes one state as Float32 GeoTIFF layers. */
#include "output.h"

#include "base/loops.h"
#include "case/resolution.h"
#include "export/export.h"
#include "text/textfile.h"
#include "text/times.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct layer_context {
    const struct output_cut *x;
    double time_per_step;
    float none; /* stands for no value */
};

static double positive(double x)
{
    return x > 0 ? x : (double)NAN;
}

static double total_m(const struct output_cell *c)
{
    return c->thickness_m + c->solid_m;
}

/* The total thickness of a cell with lava, without the noise from cell to cell (docs/validation.md): the median of the
 * cell and its eight neighbours. */
static double median_m(const struct output_cut *x, int row, int col)
{
    const struct output_cell here = output_cell(x, row, col);
    double sorted[9];
    if (!(total_m(&here) > 0)) return 0;
    for (int n = 0; n < 9; n++) {
        const int r = row + n / 3 - 1, c = col + n % 3 - 1;
        const bool inside = r >= 0 && r < x->window.rows && c >= 0 && c < x->window.cols;
        const struct output_cell near = inside ? output_cell(x, r, c) : (struct output_cell){0};
        const double h = total_m(&near);
        int k = n;
        for (; k > 0 && sorted[k - 1] > h; k--) sorted[k] = sorted[k - 1];
        sorted[k] = h;
    }
    return sorted[4];
}

/* Defines the function that fills a row of a layer. value_of: the value of cell c; NaN: none. */
#define DEFINE_ROW(name, value_of)                                                                 \
    static void row_##name(const void *context, int row, float *out)                               \
    {                                                                                              \
        const struct layer_context *k = context;                                                   \
        for (int col = 0; col < k->x->window.cols; col++) {                                        \
            const struct output_cell c = output_cell(k->x, row, col);                              \
            const double value = value_of;                                                         \
            out[col] = isnan(value) || isnan(c.elevation_m) ? k->none : (float)value;              \
        }                                                                                          \
    }

DEFINE_ROW(thickness, positive(c.thickness_m))
/* A cell has the temperature of its lava, mobile or solidified. A cell that lava has left has no temperature. */
DEFINE_ROW(temp, c.thickness_m + c.solid_m > 0 ? positive(c.temp_K) : (double)NAN)
DEFINE_ROW(solid, positive(c.solid_m))
DEFINE_ROW(total, positive(c.thickness_m + c.solid_m))
DEFINE_ROW(elevation, c.elevation_m)
DEFINE_ROW(arrival, c.arrival == ARRIVAL_NEVER ? (double)NAN : c.arrival * k->time_per_step)
DEFINE_ROW(max_thickness, positive(c.max_thickness_m))
DEFINE_ROW(max_temp, positive(c.max_temp_K))
DEFINE_ROW(median, positive(median_m(k->x, row, col)))

#define LAYER(name, unit, about, row, ...)                                                         \
    {                                                                                              \
        PRODUCT_LAYER, name, unit, about, .of_steps = true, .formats = OUTPUT_GEOTIFF,             \
                                          .fill = row, __VA_ARGS__                                 \
    }
#define USUAL         .by = 0
#define FURTHER       .further = true
#define FURTHER_BY(F) .further = true, .by = OUTPUT_##F
static const struct product rows[OUTPUT_LAYERS] = {
    [OUTPUT_THICKNESS] =
        LAYER("thickness_m", "m", "mobile lava thickness", row_thickness, FURTHER_BY(NETCDF)),
    [OUTPUT_TEMPERATURE] =
        LAYER("temperature_K", "K", "lava temperature", row_temp, FURTHER_BY(NETCDF)),
    [OUTPUT_SOLIDIFIED] =
        LAYER("solidified_m", "m", "solidified lava thickness", row_solid, FURTHER),
    [OUTPUT_TOTAL] = LAYER("total_thickness_m", "m", "total lava thickness, mobile and solidified",
                           row_total, USUAL),
    [OUTPUT_ELEVATION] =
        LAYER("elevation_after_m", "m", "elevation of the ground with what has solidified",
              row_elevation, FURTHER_BY(QGIS)),
    [OUTPUT_ARRIVAL] =
        LAYER("arrival_h", "h", "time of first arrival of lava since start", row_arrival, USUAL),
    [OUTPUT_MAX_THICKNESS] = LAYER("max_thickness_m", "m", "largest total lava thickness so far",
                                   row_max_thickness, USUAL),
    [OUTPUT_MAX_TEMPERATURE] =
        LAYER("max_temperature_K", "K", "largest lava temperature so far", row_max_temp, FURTHER),
    [OUTPUT_MEDIAN] = LAYER("median_thickness_m", "m",
                            "total lava thickness, median of 3 x 3 cells", row_median, FURTHER),
};
const struct product_table output_files = {PRODUCT_TABLE_OF(rows), .styled = true,
                                           .next = &output_map_files};

const char *output_layer_prefix(enum output_layer layer)
{
    return rows[layer].name;
}

bool output_layer_asked(const struct output_info *info, enum output_layer layer)
{
    return product_asked(info, &rows[layer], rows[layer].name);
}

void output_layer_values(enum output_layer layer, const struct output_cut *x, double time_per_step,
                         float *out)
{
    const struct layer_context context = {x, time_per_step, NAN};
    const size_t cols = (size_t)x->window.cols;
#pragma omp parallel for schedule(static)
    for (int row = 0; row < x->window.rows; row++)
        rows[layer].fill(&context, row, out + (size_t)row * cols);
}

/* A layer with at most this many rows and columns has few tiles, so it gets no overviews. Overviews would take a third
 * of the writing time. */
enum { OVERVIEWS_FROM = 1024 };

/* Metadata that all layers of a state share. */
static void items_fill(struct product_items *m, const struct output_info *info,
                       const struct output_cut *x)
{
    const struct sim_case *c = &x->part.c;
    const double time_s = (double)x->f->step * c->problem.params.clock_s;
    char date[TIMES_TEXT], parameters[512];
    const size_t size = sizeof parameters;
    const struct params *p = resolution_given(c);
    size_t n = 0;
    for (int i = 0; i < PARAMETERS && n < size; i++)
        n += (size_t)snprintf(parameters + n, size - n, "%s%s=%.12g", i ? " " : "",
                              params_table[i].name, params_value(p, &params_table[i]));
    if (c->calibrated_cell_m > 0 && n < size)
        snprintf(parameters + n, size - n, " calibrated_cell_m=%.12g", c->calibrated_cell_m);
    product_item(m, "CASE", "%s", c->name);
    product_item(m, "STEP", "%" PRId64, x->f->step);
    product_item(m, "TIME_S", "%.15g", time_s);
    product_item(m, "START_TIME", "%s", c->start_time);
    product_item(m, "DATE", "%s", times_date(date, c->start_time, time_s, TIMES_ISO));
    product_item(m, "VARIANT", "%s", info->variant ? info->variant : "");
    product_item(m, "DEVICE", "%s", info->device ? info->device : "");
    product_item(m, "SCIARA_VERSION", "%s", info->version ? info->version : "");
    product_item(m, "STATE_DIGEST", "%016" PRIx64, x->digest);
    product_item(m, "TERRAIN", "%s", c->terrain_source);
    product_item(m, "PARAMETERS", "%s", parameters);
    product_item(m, "SOFTWARE", "sciara %s", info->version);
}

struct layers {
    const struct output_info *info;
    const struct output_cut *x;
    struct product_items items;
    int count;
    enum output_layer layer[OUTPUT_LAYERS]; /* the requested layers */
    char *path[OUTPUT_LAYERS];
    int status[OUTPUT_LAYERS];
    struct error error[OUTPUT_LAYERS];
};

static void write_layer(void *layers, int i)
{
    struct layers *all = layers;
    const struct product *row = &rows[all->layer[i]];
    const struct sim_case *c = &all->x->part.c;
    const struct layer_context context = {all->x, c->problem.params.clock_s / 3600.0,
                                          (float)OUTPUT_NODATA};
    const struct geotiff_layer layer = {
        .rows = c->problem.rows,
        .cols = c->problem.cols,
        .geo = c->geo,
        .nodata = OUTPUT_NODATA,
        .description = row->about,
        .unit = row->unit,
        .item_count = all->items.count,
        .items = all->items.item,
        .row = row->fill,
        .context = &context,
        .progress = all->info->progress,
        .no_overviews_until = OVERVIEWS_FROM,
    };
    all->status[i] = geotiff_write_cloud(all->path[i], &layer, &all->error[i]);
}

/* Names the layers. Before any layer is written, checks that no layer is an input of the run. */
static int name_layers(struct layers *all, struct error *e)
{
    const struct sim_case *c = &all->x->part.c;
    int status = 0;
    for (int k = 0; k < OUTPUT_LAYERS && !status; k++) {
        if (!output_layer_asked(all->info, (enum output_layer)k)) continue;
        FREED char *name = export_layer_name(c, rows[k].name, all->x->f->step, ".tif");
        char *path = name ? text_format("%s/%s", all->info->directory, name) : NULL;
        status = path ? output_spare(c, path, e) : error_memory(e);
        all->layer[all->count] = (enum output_layer)k;
        all->path[all->count++] = path;
    }
    return status;
}

/* Notes layer i. status: the status of the layers before it. After an error that ends the run, removes the layer. */
static int note_layer(struct layers *all, int i, int status, struct error *e)
{
    if (!status) {
        status = output_done(all->info, all->path[i], all->status[i], &all->error[i]);
        if (status && e) *e = all->error[i];
    } else if (!all->status[i]) {
        unlink(all->path[i]);
    }
    return status;
}

/* Small layers are written at the same time. Large layers are written one after the other, each with all threads and all
 * memory. */
int output_layers(const struct output_info *info, const struct output_cut *x, struct error *e)
{
    const struct problem *p = &x->part.c.problem;
    const bool large = p->rows > OVERVIEWS_FROM || p->cols > OVERVIEWS_FROM;
    struct layers all = {.info = info, .x = x};
    int status = name_layers(&all, e);
    const int count = status ? 0 : all.count;
    items_fill(&all.items, info, x);
    if (!large) jobs_run(count, write_layer, &all);
    for (int i = 0; i < count && !(large && status); i++) {
        if (large) write_layer(&all, i);
        status = note_layer(&all, i, status, e);
    }
    for (int i = 0; i < all.count; i++) free(all.path[i]);
    return status;
}
