#include "layer_set.h"

#include "text/textfile.h"

#include "sciara.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const layer_vectors[LAYER_VECTORS] = {"vents", "outline", "isochrone_lines",
                                                  "isochrones"};

const struct layer_quantity *layer_set_find(const struct layer_set *s, enum layer_use use)
{
    for (int i = 0; i < s->kinds; i++)
        if (s->kind[i].use == use) return &s->kind[i];
    return NULL;
}

bool layer_set_is_run(const struct layer_set *s)
{
    return layer_set_find(s, LAYER_ARRIVAL) && layer_set_find(s, LAYER_TIMES);
}

/* ---- files ------------------------------------------------------------------------------------- */

char *layer_set_file(const struct layer_set *s, const struct layer_quantity *k, int time,
                     const char *ending)
{
    return text_format("%s%s%s", k->name, s->time[time].stamp, ending);
}

bool layer_set_has(const struct layer_set *s, enum layer_vectors what)
{
    return layer_set_is_run(s) && (what != LAYER_VENTS || s->vents) &&
           (what != LAYER_OUTLINE || s->outline);
}

/* ---- values ------------------------------------------------------------------------------------ */

static int read_file(struct raster *r, char **path, const struct layer_set *s,
                     const struct layer_quantity *k, int time, struct error *e)
{
    FREED char *file = layer_set_file(s, k, time, ".tif");
    *path = file ? text_format("%s/%s", s->folder, file) : NULL;
    return *path ? raster_read(r, *path, 0, e) : error_memory(e);
}

int layer_set_read(struct raster *r, const struct layer_set *s, const struct layer_quantity *k,
                   int time, struct error *e)
{
    FREED char *path = NULL;
    const struct raster grid = {.rows = s->rows, .cols = s->cols, .geo = s->geo};
    *r = (struct raster){0};
    int status = read_file(r, &path, s, k, time, e);
    if (!status) status = raster_move(r, path, &grid, "the layers of the last time", e);
    if (status) raster_free(r);
    return status;
}

int layer_set_read_shown(struct raster *r, const struct layer_set *s,
                         const struct layer_quantity *k, int time, struct error *e)
{
    const int status = layer_set_read(r, s, k, time, e);
    for (size_t i = 0; !status && k->use == LAYER_TIMES && i < (size_t)r->rows * (size_t)r->cols;
         i++)
        if (!layer_set_shows(s, r->value[i])) r->value[i] = NAN;
    return status;
}

/* Takes the grid and the bands from the layer of LAYER_ARRIVAL at the last time. If there is no such layer, takes the
 * grid from the first layer. */
static int read_last(struct layer_set *s, struct error *e)
{
    const struct layer_quantity *arrival = layer_set_find(s, LAYER_ARRIVAL);
    FREED_BY(raster_free) struct raster r = {0};
    FREED char *path = NULL;
    int status = read_file(&r, &path, s, arrival ? arrival : s->kind, s->times - 1, e);
    if (status) return status;
    if (s->outline && (r.rows != s->rows || r.cols != s->cols))
        return error_input(e, "%s: has another size than in the record; make the results again",
                           path);
    s->rows = r.rows;
    s->cols = r.cols;
    s->geo = r.geo;
    if (!arrival) return 0;
    const size_t cells = (size_t)r.rows * (size_t)r.cols;
    FREED float *hours = malloc(cells * sizeof *hours);
    if (!hours) return error_memory(e);
    for (size_t i = 0; i < cells; i++) hours[i] = (float)r.value[i];
    const struct isochrones_input in = {
        .arrival_h = hours, .rows = r.rows, .cols = r.cols, .geo = r.geo, .step_h = s->step_h};
    return bands_create(&s->bands, &in, s->start_time ? s->start_time : "", e);
}

/* Raises *high to the largest value of a layer. For the layers of a single run, raises *high to the end of the scale
 * that a map of the layer has (map_range_ends()). */
static int widen_scale(double *high, const struct layer_set *s, const struct layer_quantity *k,
                       int time, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    double low, top;
    const int status = layer_set_read_shown(&r, s, k, time, e);
    if (status) return status;
    const struct map all = {.rows = r.rows, .cols = r.cols, .value = r.value};
    const struct map_range range = map_range_of(&all, NULL);
    map_range_ends(&range, &low, &top);
    *high = fmax(*high, layer_set_is_run(s) ? top : range.most);
    return 0;
}

static int find_scale(double *high, const struct layer_set *s, const struct layer_quantity *k,
                      struct error *e)
{
    int status = 0;
    *high = 0;
    for (int t = 0; t < s->times && !status; t++) status = widen_scale(high, s, k, t, e);
    if (!(*high > 0)) *high = 1; /* no lava */
    return status;
}

/* The layer that decides the scale of *k by its values. It is the layer that k->scale_of names or, if the folder
 * lacks that layer, *k itself. */
static const struct layer_quantity *scale_from(const struct layer_set *s,
                                               const struct layer_quantity *k)
{
    for (int i = 0; i < s->kinds; i++)
        if (!strcmp(s->kind[i].name, k->scale_of)) return &s->kind[i];
    return k;
}

int layer_set_complete(struct layer_set *s, struct error *e)
{
    const struct layer_quantity *known = NULL; /* the layer that decided `high` */
    double high = 0;
    int status = s->kinds ? read_last(s, e) : 0;
    for (int i = 0; i < s->kinds && !status; i++) {
        struct layer_quantity *k = &s->kind[i];
        if (k->use == LAYER_ARRIVAL) {
            k->legend.count = s->bands.lines.count;
            k->legend.classes = s->bands.class;
            k->legend.low = -1; /* so that cells with lava at 0 h are shown, too */
        }
        if (!k->scale_of) continue;
        const struct layer_quantity *from = scale_from(s, k);
        if (from != known) status = find_scale(&high, s, from, e);
        known = from;
        k->legend.high = high;
    }
    return status;
}

int layer_set_outline(struct isochrones *out, const struct layer_set *s, struct error *e)
{
    return isochrones_of_mask(out, s->outline, s->rows, s->cols, &s->geo, e);
}

void layer_set_free(struct layer_set *s)
{
    bands_free(&s->bands);
}
