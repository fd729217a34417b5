/* report_exports.c — the layers of an ensemble for other programs: a QGIS style of each, and
 * all but the errors in a KMZ. */
#include "report.h"

#include "export/export.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>

/* Layers of one quantity have one scale: of those that are largest, nearly or all of the way. */
static void find_scales(struct report_exports *x)
{
    const struct ensemble *s = x->r->s;
    const int last = report_percents[REPORT_PERCENTS - 1];
    STATISTICS_EACH (&s->cells, i, c) {
        if (!statistics_reached(&s->cells, c)) continue;
        const double arrival = report_arrival_h(s, statistics_arrival_class(&s->cells, c, last)),
                     thick = report_thickness_m(s, statistics_thickness_class(&s->cells, c, last));
        x->arrival_h = fmax(x->arrival_h, arrival);
        x->thickness_m = fmax(x->thickness_m, thick);
    }
    /* (nothing arrives later than at 0 h, or no lava is anywhere) */
    if (!(x->arrival_h > 0)) x->arrival_h = 1;
    if (!(x->thickness_m > 0)) x->thickness_m = 1;
}

static void fill_classes(struct export_class class[REPORT_CLASSES])
{
    for (int i = 0; i < REPORT_CLASSES; i++) {
        const struct map_class *c = &report_classes[i];
        class[i] = (struct export_class){report_upper_percent[i] / 100, c->rgb, c->label};
    }
}

static struct export_colours colours_of(const struct report_exports *x, enum report_kind kind,
                                        const struct export_class *class)
{
    const double error = 0.5 / sqrt(statistics_effective(&x->r->s->cells)); /* no larger one */
    switch (kind) {
    case REPORT_PROBABILITY:
        return (struct export_colours){REPORT_CLASSES, class, NULL, 0, ""};
    case REPORT_ERROR:
        return (struct export_colours){0, NULL, &x->scale[COLOURS_LAVA], error, ""};
    case REPORT_ARRIVAL:
        return (struct export_colours){0, NULL, &x->scale[COLOURS_TIME], x->arrival_h, "h"};
    default:
        return (struct export_colours){0, NULL, &x->scale[COLOURS_LAVA], x->thickness_m, "m"};
    }
}

static int write_style(const struct product_at *at, const struct export_colours *c, struct error *e)
{
    const struct output_info *info = at->all->info;
    char *file = text_format("%s.qml", at->name);
    char *path = file ? product_path(at->all, file, e) : NULL;
    int status = path ? export_layer_style(c, info->version, path, e) : ERROR_FAILED;
    status = output_done(info, path, status, e);
    free(path);
    free(file);
    return status;
}

static int add_overlay(struct report_exports *x, const char *name, const struct geotiff_layer *l,
                       const struct export_colours *c, struct error *e)
{
    const size_t cols = (size_t)l->cols, cells = (size_t)l->rows * cols;
    float *value = malloc(cells * sizeof *value);
    if (!value) return error_memory(e);
    for (int row = 0; row < l->rows; row++) l->row(l->context, row, value + (size_t)row * cols);
    for (size_t i = 0; i < cells; i++)
        if (value[i] == (float)l->nodata) value[i] = NAN;
    const int status = globe_add(x->globe, name, l->description, c, value, e);
    free(value);
    return status;
}

/* More pins would hide the lava. */
enum { VENTS_MOST = 20 };

int report_export(struct report_exports *x, const struct product_at *at, enum report_kind kind,
                  const struct geotiff_layer *layer, struct error *e)
{
    struct export_class class[REPORT_CLASSES];
    fill_classes(class);
    const struct export_colours colours = colours_of(x, kind, class);
    int status = at->all->info->formats & OUTPUT_QGIS ? write_style(at, &colours, e) : 0;
    if (!status && x->globe && kind != REPORT_ERROR &&
        add_overlay(x, at->name, layer, &colours, NULL)) {
        globe_free(x->globe); /* a KMZ that lacks a layer is not written */
        x->globe = NULL;
    }
    return status;
}

int report_kmz(const struct product_at *at, const char *path, struct error *e)
{
    struct report_exports *x = ((const struct report_view *)at->of)->exports;
    return x->globe ? globe_finish(x->globe, path, e) : error_memory(e);
}

void report_exports_open(struct report_exports *x, const struct report *r, const struct products *p)
{
    const struct ensemble *s = r->s;
    const struct sim_case *c = p->c;
    *x = (struct report_exports){.r = r};
    if (!(r->job->info.formats & (OUTPUT_KMZ | OUTPUT_QGIS))) return;
    for (int i = 0; i < COLOURS_SCALES; i++) colours_fill(&x->scale[i], (enum colours)i);
    find_scales(x);
    if (!(r->job->info.formats & OUTPUT_KMZ)) return;
    x->transform = export_transform(c);
    const struct export_run run = {.c = c,
                                   .version = r->job->info.version,
                                   .digest = r->digest,
                                   .rows = c->problem.rows,
                                   .cols = c->problem.cols,
                                   .geo = c->geo,
                                   .outline = p->outline,
                                   .transform = x->transform};
    const struct globe_vents vents = {s->source->chosen ? "Possible vent" : "Vent", p->vent,
                                      s->source->vents <= VENTS_MOST ? s->source->vents : 0};
    if (x->transform) globe_open(&x->globe, &run, &vents, NULL);
}

void report_exports_close(struct report_exports *x)
{
    globe_free(x->globe);
    transform_close(x->transform);
}
