#include "compare_side.h"

#include "run/output.h"
#include "restart/restart.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool side_is_run(const char *path)
{
    return runfolder_is(path) || restart_is(path);
}

static char *layer_name(enum output_layer layer, int64_t step)
{
    return text_format("%s_%06lld.tif", output_layer_prefix(layer), (long long)step);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What runfolder_open() would find if the layers had been written. */
static int list_layers(struct runfolder *r, const struct restart *state, const char *path,
                       struct error *e)
{
    char digest[20];
    *r = (struct runfolder){.path = text_format("%s", path), .step = state->step};
    r->name = calloc(OUTPUT_LAYERS, sizeof *r->name);
    r->summary = cJSON_CreateObject();
    bool good = r->path && r->name && r->summary;
    for (int k = 0; good && k < OUTPUT_LAYERS; k++) {
        good = (r->name[k] = layer_name((enum output_layer)k, state->step)) != NULL;
        r->count += good;
    }
    if (!good) return error_memory(e);
    qsort(r->name, (size_t)r->count, sizeof *r->name, by_name);
    snprintf(digest, sizeof digest, "%016" PRIx64, state->digest);
    cJSON_AddStringToObject(r->summary, "digest", digest);
    cJSON *run = cJSON_AddObjectToObject(r->summary, "run");
    cJSON_AddNumberToObject(run, "step", (double)state->step);
    return 0;
}

static int open_state(struct compare_side *s, const char *path, struct error *e)
{
    struct restart r;
    int status = restart_read(&r, &s->f, path, e);
    if (status) return status;
    const struct identity *id = &r.identity;
    s->state = true;
    s->geo.cell_m = id->cell_m;
    s->geo.west_m = id->west_m + id->window.col0 * id->cell_m;
    s->geo.south_m = id->south_m + (id->rows - id->window.row0 - id->window.rows) * id->cell_m;
    s->hours_per_step = id->parameter[0] / 3600.0; /* Pclock */
    status = list_layers(&s->folder, &r, path, e);
    restart_free(&r);
    return status;
}

int side_open(struct compare_side *s, const char *path, struct error *e)
{
    *s = (struct compare_side){0};
    int status = runfolder_is(path) ? runfolder_open(&s->folder, path, e) : open_state(s, path, e);
    if (status) side_close(s);
    return status;
}

void side_close(struct compare_side *s)
{
    runfolder_close(&s->folder);
    fields_free(&s->f);
    *s = (struct compare_side){0};
}

char *side_path(const struct compare_side *s, const char *name)
{
    if (s->file || s->state) return text_format("%s", s->file ? s->file : s->folder.path);
    return text_format("%s/%s", s->folder.path, name);
}

static bool is_layer(enum output_layer layer, int64_t step, const char *name)
{
    char *own = layer_name(layer, step);
    const bool same = own && strcmp(own, name) == 0;
    free(own);
    return same;
}

/* The layer as its file would have it. */
static int make_raster(const struct compare_side *s, const char *name, struct raster *r,
                       struct error *e)
{
    const size_t n = (size_t)s->f.window.rows * (size_t)s->f.window.cols;
    float *value = malloc(n * sizeof *value);
    int layer = 0;
    *r = (struct raster){.rows = s->f.window.rows, .cols = s->f.window.cols, .geo = s->geo};
    r->value = malloc(n * sizeof *r->value);
    if (!value || !r->value) {
        free(value);
        raster_free(r);
        return error_memory(e);
    }
    while (layer < OUTPUT_LAYERS - 1 && !is_layer((enum output_layer)layer, s->f.step, name))
        layer++;
    output_layer_values((enum output_layer)layer, &s->f, s->hours_per_step, value);
    for (size_t i = 0; i < n; i++) r->value[i] = value[i];
    free(value);
    return 0;
}

int side_raster(const struct compare_side *s, const char *name, const char *path, struct raster *r,
                struct error *e)
{
    return s->state ? make_raster(s, name, r, e) : raster_read(r, path, 0, e);
}
