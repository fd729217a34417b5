/* report_layers.c — what the counters say as Cloud Optimized GeoTIFFs. */
#include "report.h"

#include "raster/geotiff.h"
#include "text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double NODATA = -9999;

/* A layer: what it says of the counters of a cell, with a number that it needs. */
struct layer {
    const struct ensemble *s;
    double (*value)(const struct layer *l, const uint64_t *c);
    int number; /* of an edge or a percentage */
    uint64_t (*weight)(const struct statistics *s, const uint64_t *c, int edge); /* NULL: came */
};

static uint64_t weight_of(const struct layer *l, const uint64_t *c)
{
    return l->weight ? l->weight(&l->s->cells, c, l->number) : statistics_reached(&l->s->cells, c);
}

static double probability(const struct layer *l, const uint64_t *c)
{
    return statistics_probability(&l->s->cells, weight_of(l, c));
}

static double probability_error(const struct layer *l, const uint64_t *c)
{
    return statistics_error(&l->s->cells, weight_of(l, c));
}

static double arrival(const struct layer *l, const uint64_t *c)
{
    return report_arrival_h(l->s, statistics_arrival_class(&l->s->cells, c, l->number));
}

static double thickness(const struct layer *l, const uint64_t *c)
{
    return report_thickness_m(l->s, statistics_thickness_class(&l->s->cells, c, l->number));
}

static double mean_thickness(const struct layer *l, const uint64_t *c)
{
    return statistics_mean_thickness_m(&l->s->cells, c);
}

static void fill_row(const void *context, int row, float *out)
{
    const struct layer *l = context;
    const size_t cols = (size_t)l->s->source->base->problem.cols, first = (size_t)row * cols;
    for (size_t col = 0; col < cols; col++) {
        const uint64_t *c = statistics_at(&l->s->cells, first + col);
        const bool any = statistics_reached(&l->s->cells, c) > 0;
        out[col] = (float)(any ? l->value(l, c) : NODATA);
    }
}

/* What every layer says of itself. */
struct labels {
    char digest[20], members[32], effective[32], resolution[96];
    struct geotiff_item item[8];
    int count;
};

static void add_item(struct labels *a, const char *name, const char *value)
{
    if (value && *value) a->item[a->count++] = (struct geotiff_item){name, value};
}

static void label(struct labels *a, const struct report *r, char software[64])
{
    const struct ensemble *s = r->s;
    const struct statistics_request *w = &s->source->request;
    snprintf(software, 64, "sciara %s", r->info->version);
    snprintf(a->digest, sizeof a->digest, "%016" PRIx64, r->digest);
    snprintf(a->members, sizeof a->members, "%" PRId64, s->done);
    snprintf(a->effective, sizeof a->effective, "%.6g", statistics_effective(&s->cells));
    snprintf(a->resolution, sizeof a->resolution, "thickness %g m, arrival %g h",
             w->thickness_step_m, w->arrival_step_s / 3600);
    add_item(a, "SOFTWARE", software);
    add_item(a, "CASE", s->source->base->name);
    add_item(a, "TERRAIN", s->source->base->terrain_source);
    add_item(a, "MEMBERS", a->members);
    add_item(a, "EFFECTIVE_MEMBERS", a->effective);
    add_item(a, "RESOLUTION", a->resolution);
    add_item(a, "ENSEMBLE_DIGEST", a->digest);
}

static enum report_kind kind_of(const struct layer *l)
{
    return l->value == probability         ? REPORT_PROBABILITY
           : l->value == probability_error ? REPORT_ERROR
           : l->value == arrival           ? REPORT_ARRIVAL
                                           : REPORT_THICKNESS;
}

static int write(struct report_exports *x, const char *name, const char *unit, const char *about,
                 const struct layer *layer, struct error *e)
{
    const struct report *r = x->r;
    char file[160], software[64];
    struct labels labels = {.count = 0};
    const struct sim_case *c = r->s->source->base;
    snprintf(file, sizeof file, "%s.tif", name);
    char *path = report_path(r, file, e);
    if (!path) return ERROR_FAILED;
    label(&labels, r, software);
    const struct geotiff_layer out = {
        .rows = c->problem.rows,
        .cols = c->problem.cols,
        .geo = c->geo,
        .nodata = NODATA,
        .description = about,
        .unit = unit,
        .item_count = labels.count,
        .items = labels.item,
        .row = fill_row,
        .context = layer,
        .progress = r->info->progress,
    };
    int status = geotiff_write_cloud(path, &out, e);
    status = output_done(r->info, path, status, e);
    free(path);
    return status ? status : report_export(x, kind_of(layer), name, &out, e);
}

/* A probability and its standard error. */
static int write_pair(struct report_exports *x, const char *name, const char *about,
                      struct layer layer, struct error *e)
{
    char error_name[96], error_about[200];
    layer.value = probability;
    int status = write(x, name, "", about, &layer, e);
    snprintf(error_name, sizeof error_name, "%s_error", name);
    snprintf(error_about, sizeof error_about, "standard error of the %s", about);
    layer.value = probability_error;
    return status ? status : write(x, error_name, "", error_about, &layer, e);
}

static int write_probabilities(struct report_exports *x, struct error *e)
{
    const struct ensemble *s = x->r->s;
    const struct statistics_request *w = &s->source->request;
    char name[80], about[120], number[32];
    int status =
        write_pair(x, "probability", "probability that lava comes", (struct layer){.s = s}, e);
    for (int i = 0; !status && i < w->threshold_count; i++) {
        number_text(w->threshold_m[i], number);
        snprintf(name, sizeof name, "probability_above_%sm", number);
        snprintf(about, sizeof about, "probability that lava gets thicker than %s m", number);
        status = write_pair(x, name, about,
                            (struct layer){.s = s,
                                           .weight = statistics_exceeding,
                                           .number = axis_edge(&s->thickness_m, w->threshold_m[i])},
                            e);
    }
    for (int i = 0; !status && i < w->time_count; i++) {
        number_text(w->time_s[i] / 3600, number);
        snprintf(name, sizeof name, "probability_within_%sh", number);
        snprintf(about, sizeof about, "probability that lava comes within %s h", number);
        status = write_pair(x, name, about,
                            (struct layer){.s = s,
                                           .weight = statistics_within,
                                           .number = axis_edge(&s->arrival_s, w->time_s[i])},
                            e);
    }
    return status;
}

static int write_layers(struct report_exports *x, struct error *e)
{
    const struct ensemble *s = x->r->s;
    char name[80], about[120];
    int status = write_probabilities(x, e);
    if (!status)
        status = write(x, "arrival_first_h", "h", "earliest arrival of lava in any member",
                       &(struct layer){.s = s, .value = arrival}, e);
    if (!status)
        status = write(x, "thickness_mean_m", "m",
                       "mean of the greatest thickness, of members whose lava comes",
                       &(struct layer){.s = s, .value = mean_thickness}, e);
    for (int i = 0; !status && i < REPORT_PERCENTS; i++) {
        const int percent = report_percents[i];
        snprintf(name, sizeof name, "arrival_p%02d_h", percent);
        snprintf(about, sizeof about, "arrival in %d %% of the members whose lava comes", percent);
        status = write(x, name, "h", about,
                       &(struct layer){.s = s, .value = arrival, .number = percent}, e);
        snprintf(name, sizeof name, "thickness_p%02d_m", percent);
        snprintf(about, sizeof about,
                 "greatest thickness, not exceeded in %d %% of the members whose lava comes",
                 percent);
        if (!status)
            status = write(x, name, "m", about,
                           &(struct layer){.s = s, .value = thickness, .number = percent}, e);
    }
    return status;
}

int report_layers(const struct report *r, struct error *e)
{
    struct report_exports x;
    report_exports_open(&x, r);
    const int status = write_layers(&x, e);
    return report_exports_close(&x, status, e);
}
