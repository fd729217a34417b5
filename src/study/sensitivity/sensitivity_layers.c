/* sensitivity_layers.c — of each cell, the indices of whether lava comes there, as GeoTIFFs. */
#include "sensitivity_report.h"

#include "calibration/calibration_report.h"
#include "raster/geotiff.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double NODATA = -9999;

struct layer {
    struct cell_view v;
    int cols, coordinate;
    double (*value)(const struct layer *l, const int64_t *sum);
};

static double probability(const struct layer *l, const int64_t *sum)
{
    return cell_probability(&l->v, sum);
}

static double first_order(const struct layer *l, const int64_t *sum)
{
    return cell_first_order(&l->v, sum, l->coordinate);
}

static double total(const struct layer *l, const int64_t *sum)
{
    return cell_total(&l->v, sum, l->coordinate);
}

static double mu_star(const struct layer *l, const int64_t *sum)
{
    return cell_mu_star(&l->v, sum, l->coordinate);
}

static double dominating(const struct layer *l, const int64_t *sum)
{
    const int best = cell_dominating(&l->v, sum);
    return best < 0 ? (double)NAN : best + 1;
}

static void fill_row(const void *context, int row, float *out)
{
    const struct layer *l = context;
    for (int col = 0; col < l->cols; col++) {
        const int64_t *sum = cells_at(l->v.c, (size_t)row * (size_t)l->cols + (size_t)col);
        const double value = sum ? l->value(l, sum) : (double)NAN;
        out[col] = (float)(isnan(value) ? NODATA : value);
    }
}

/* What every layer says of itself. */
struct labels {
    char software[64], digest[20], effort[96], names[FITS_MAX * 40];
    struct geotiff_item item[8];
    int count;
};

static void add_item(struct labels *a, const char *name, const char *value)
{
    if (value && *value) a->item[a->count++] = (struct geotiff_item){name, value};
}

static void label(struct labels *a, const struct sensitivity_report *r, int stage)
{
    const struct sensitivity *x = r->x;
    int n = 0;
    a->count = 0;
    snprintf(a->software, sizeof a->software, "sciara %s", r->info->version);
    snprintf(a->digest, sizeof a->digest, "%016" PRIx64, sensitivity_digest(x));
    sensitivity_effort(x, stage, a->effort);
    for (int i = 0; i < x->fits; i++)
        n += snprintf(a->names + n, sizeof a->names - (size_t)n, "%s%d %s", i ? ", " : "", i + 1,
                      sensitivity_name(x, i));
    add_item(a, "SOFTWARE", a->software);
    add_item(a, "CASE", x->plan->base.name);
    add_item(a, "TERRAIN", x->plan->base.terrain_source);
    add_item(a, "RUNS", a->effort);
    add_item(a, "PARAMETERS", a->names);
    add_item(a, "SENSITIVITY_DIGEST", a->digest);
}

/* Numbers of parameters have no means: such a layer has no overviews. */
static int write(const struct sensitivity_report *r, int stage, const char *name, const char *about,
                 const struct layer *l, const struct labels *labels, struct error *e)
{
    const struct sim_case *c = &r->x->plan->base;
    char file[96];
    snprintf(file, sizeof file, "%s_%s.tif", stage_names[stage], name);
    char *path = output_file_path(r->info, c, file, e);
    if (!path) return ERROR_FAILED;
    const struct geotiff_layer out = {.rows = c->problem.rows,
                                      .cols = c->problem.cols,
                                      .geo = c->geo,
                                      .nodata = NODATA,
                                      .description = about,
                                      .unit = "",
                                      .item_count = labels->count,
                                      .items = labels->item,
                                      .row = fill_row,
                                      .context = l,
                                      .watch = r->info->watch};
    int status =
        l->value == dominating ? geotiff_write(path, &out, e) : geotiff_write_cloud(path, &out, e);
    status = output_done(r->info, path, status, e);
    free(path);
    return status;
}

static int write_parameter(const struct sensitivity_report *r, int stage, struct layer *l,
                           const struct labels *labels, struct error *e)
{
    const char *parameter = sensitivity_name(r->x, l->coordinate);
    char word[FIT_NAME], name[FIT_NAME + 32], about[160];
    calibration_file_word(parameter, word);
    if (stage == STAGE_MORRIS) {
        snprintf(name, sizeof name, "mu_star_%s", word);
        snprintf(about, sizeof about, "mu_star of %s on whether lava comes", parameter);
        l->value = mu_star;
        return write(r, stage, name, about, l, labels, e);
    }
    snprintf(name, sizeof name, "S1_%s", word);
    snprintf(about, sizeof about, "first-order Sobol index of %s on whether lava comes", parameter);
    l->value = first_order;
    int status = write(r, stage, name, about, l, labels, e);
    if (status) return status;
    snprintf(name, sizeof name, "ST_%s", word);
    snprintf(about, sizeof about, "total Sobol index of %s on whether lava comes", parameter);
    l->value = total;
    return write(r, stage, name, about, l, labels, e);
}

int sensitivity_layers(const struct sensitivity_report *r, int stage, struct error *e)
{
    const struct sensitivity *x = r->x;
    struct layer l = {.v = stage_cells(x, &x->stage[stage]), .cols = x->plan->base.problem.cols};
    struct labels labels;
    char about[sizeof labels.names + 80];
    label(&labels, r, stage);
    l.value = probability;
    int status = write(r, stage, "probability", "probability that lava comes, between the bounds",
                       &l, &labels, e);
    snprintf(about, sizeof about, "parameter that decides most whether lava comes: %s",
             labels.names);
    l.value = dominating;
    if (!status) status = write(r, stage, "dominating", about, &l, &labels, e);
    for (l.coordinate = 0; l.coordinate < x->fits && !status; l.coordinate++)
        status = write_parameter(r, stage, &l, &labels, e);
    return status;
}
