/* pairs_layers.c — what the pairs say as Cloud Optimized GeoTIFFs. */
#include "pairs_report.h"

#include "raster/geotiff.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double NODATA = -9999;

struct layer {
    const struct pairs *x;
    const char *name, *unit, *about;
    double (*value)(const struct pair_said *said);
};

static double with(const struct pair_said *s)
{
    return s->with > 0 ? s->with : (double)NAN;
}
static double without(const struct pair_said *s)
{
    return s->without > 0 ? s->without : (double)NAN;
}
static double difference(const struct pair_said *s)
{
    return s->difference;
}
static double difference_error(const struct pair_said *s)
{
    return s->error;
}
static double later(const struct pair_said *s)
{
    return s->later_h;
}
static double later_error(const struct pair_said *s)
{
    return s->later_error_h;
}

static const struct layer layers[] = {
    {NULL, "probability_with", "", "probability that lava comes, with the barriers", with},
    {NULL, "probability_without", "", "probability that lava comes, without the barriers", without},
    {NULL, "probability_difference", "", "probability with the barriers less that without",
     difference},
    {NULL, "probability_difference_error", "",
     "standard error of the difference of probabilities, of pairs", difference_error},
    {NULL, "arrival_difference_h", "h",
     "mean by which lava comes later with the barriers, where it comes in both", later},
    {NULL, "arrival_difference_error_h", "h", "standard error of the difference of arrival",
     later_error},
};
enum { LAYERS = sizeof layers / sizeof *layers };

static void fill_row(const void *context, int row, float *out)
{
    const struct layer *l = context;
    const size_t cols = (size_t)plan_case(l->x->plan)->problem.cols, first = (size_t)row * cols;
    for (size_t col = 0; col < cols; col++) {
        const struct pair_count *c = pair_sums_at(&l->x->cells, first + col);
        const struct pair_said said = pair_sums_say(&l->x->cells, c, l->x->class_h);
        const double value = c ? l->value(&said) : (double)NAN;
        out[col] = (float)(isnan(value) ? NODATA : value);
    }
}

static int write(const struct pairs_report *r, struct layer layer, struct error *e)
{
    const struct sim_case *c = plan_case(r->x->plan);
    char file[80], software[64], digest[20], pairs[32];
    layer.x = r->x;
    snprintf(file, sizeof file, "%s.tif", layer.name);
    snprintf(software, sizeof software, "sciara %s", r->info->version);
    snprintf(digest, sizeof digest, "%016" PRIx64, pairs_digest(r->x));
    snprintf(pairs, sizeof pairs, "%" PRId64, r->x->done);
    const struct geotiff_item items[] = {{"SOFTWARE", software},
                                         {"CASE", c->name},
                                         {"PAIRS", pairs},
                                         {"PAIRS_DIGEST", digest},
                                         {"TERRAIN", c->terrain_source}};
    const int count = (int)(sizeof items / sizeof *items) - !*c->terrain_source;
    const struct geotiff_layer out = {.rows = c->problem.rows,
                                      .cols = c->problem.cols,
                                      .geo = c->geo,
                                      .nodata = NODATA,
                                      .description = layer.about,
                                      .unit = layer.unit,
                                      .item_count = count,
                                      .items = items,
                                      .row = fill_row,
                                      .context = &layer,
                                      .watch = r->info->watch};
    char *path = output_file_path(r->info, c, file, e);
    if (!path) return ERROR_FAILED;
    int status = geotiff_write_cloud(path, &out, e);
    status = output_done(r->info, path, status, e);
    free(path);
    return status;
}

int pairs_layers(const struct pairs_report *r, struct error *e)
{
    int status = 0;
    for (int i = 0; i < LAYERS && !status; i++) status = write(r, layers[i], e);
    return status;
}
