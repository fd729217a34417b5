/* output_export.c — the files for other programs, at the end of a run. */
#include "output.h"

#include "base/file_progress.h"
#include "base/order.h"
#include "record/runfolder.h"
#include "export/export.h"
#include "record/map_scene.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW(file, FORMAT, function, features)                                                      \
    {PRODUCT_FILE, file, .formats = OUTPUT_##FORMAT, .export = function, .what = features},
static const struct product rows[] = {EXPORT_FILES(ROW)};
#undef ROW
enum { FILES = sizeof rows / sizeof *rows };
const struct product_table output_export_files = {PRODUCT_TABLE_OF(rows),
                                                  .next = &output_other_files};

/* ---- formats --------------------------------------------------------------------------------- */

static const struct format {
    unsigned bit, needs;
    const char *word;
    int (*check)(const struct sim_case *c, const char *word, struct error *e);
} formats[] = {
#define ROW(NAME, word, needs, check, about) {SCIARA_##NAME, needs, word, check},
    OUTPUT_FORMAT_LIST(ROW)};
enum { FORMATS = sizeof formats / sizeof *formats };

unsigned output_formats_whole(unsigned all, const struct sim_case *c)
{
    for (int i = 0; i < FORMATS; i++)
        if (all & formats[i].bit) all |= formats[i].needs;
    if (all & OUTPUT_QGIS && !export_check_degrees(c, "", NULL)) all |= OUTPUT_GEOJSON;
    return all;
}

int output_export_check(unsigned all, const struct sim_case *c, struct error *e)
{
    int status = 0;
    for (int i = 0; i < FORMATS && !status; i++)
        if (all & formats[i].bit && formats[i].check)
            status = formats[i].check(c, formats[i].word, e);
    return status;
}

/* ---- what is there to show ------------------------------------------------------------------- */

/* The steps with layers in the folder, and the last step. */
static int find_steps(int64_t **step, int *count, const struct output_info *info,
                      const struct fields *f, struct error *e)
{
    const char *prefix = output_layer_prefix(OUTPUT_THICKNESS);
    const struct output_folder *folder = info->folder;
    *step = NULL;
    *count = 0;
    for (int i = -1; i < (folder ? folder->count : 0); i++) {
        const int64_t at =
            i < 0 ? f->step : runfolder_layer_step(folder->file[i].name, prefix, ".tif");
        if (at < 0 || at > f->step || (i >= 0 && at == f->step)) continue;
        if (!APPEND(*step, *count, at)) return error_memory(e);
    }
    qsort(*step, (size_t)*count, sizeof **step, order_words);
    return 0;
}

int output_isochrones(struct isochrones *out, const struct output_cut *x, struct error *e)
{
    const struct sim_case *c = &x->part.c;
    struct isochrones_input in = {
        .rows = c->problem.rows,
        .cols = c->problem.cols,
        .geo = c->geo,
        .step_h = c->problem.params.clock_s / 3600,
    };
    FREED float *arrival_h = malloc((size_t)in.rows * (size_t)in.cols * sizeof *arrival_h);
    if (!arrival_h) return error_memory(e);
    output_layer_values(OUTPUT_ARRIVAL, x, in.step_h, arrival_h);
    in.arrival_h = arrival_h;
    return isochrones_create(out, &in, e);
}

static void last_layer(const struct export_run *r, const char *prefix, float *out)
{
    const double step_h = r->c->problem.params.clock_s / 3600;
    for (int k = 0; k < OUTPUT_LAYERS; k++)
        if (!strcmp(prefix, output_layer_prefix((enum output_layer)k)))
            output_layer_values((enum output_layer)k, r->last, step_h, out);
}

/* As on the maps: of the case, or from 0 to the thickest of all steps. */
static int find_scale(struct export_run *r, struct error *e)
{
    const struct sim_case *c = r->c;
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    r->scale_low_m = c->display.scale_m[0];
    r->scale_high_m = c->display.scale_m[1];
    if (r->scale_high_m > 0) return 0;
    FREED double *total_m = malloc(cells * sizeof *total_m);
    double low_m, high_m;
    int status = total_m ? 0 : error_memory(e);
    for (int i = 0; i < r->step_count && !status; i++) {
        FREED float *layer = NULL;
        status = export_layer(&layer, r, "total_thickness_m", r->step[i], e);
        for (size_t k = 0; k < cells && !status; k++)
            total_m[k] = case_shows(c, (double)layer[k]) ? (double)layer[k] : (double)NAN;
        if (!status) map_range(total_m, cells, &low_m, &high_m);
        if (!status) r->scale_high_m = fmax(r->scale_high_m, high_m);
    }
    r->scale_low_m = 0;
    if (!(r->scale_high_m > 0)) r->scale_high_m = 1; /* no lava */
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Beside each layer. */
static int write_styles(const struct output_info *info, const struct export_run *r, struct error *e)
{
    int status = 0;
    for (int i = 0; i < r->step_count; i++)
        for (int k = 0; k < OUTPUT_LAYERS && !status; k++) {
            const char *prefix = output_layer_prefix((enum output_layer)k);
            FREED char *name = export_layer_name(r->c, prefix, r->step[i], ".qml");
            FREED char *path = name ? output_file_path(info, r->c, name, e) : NULL;
            status = path ? export_raster_style(r, prefix, path, e) : ERROR_FAILED;
            status = output_done(info, path, status, e);
        }
    return status;
}

static int write_all(const struct output_info *info, const struct export_run *r, struct error *e)
{
    int status = 0;
    for (int i = 0; i < FILES && !status; i++) {
        if (!(rows[i].formats & info->formats) || !features_there(r, rows[i].what)) continue;
        if (file_progress_cancelled(info->progress)) return error_cancelled(e);
        FREED char *path = output_file_path(info, r->c, rows[i].name, e);
        status = path ? rows[i].export(r, rows[i].what, path, e) : (int)e->code;
        status = output_done(info, path, status, e);
    }
    return status;
}

int output_export(const struct output_info *info, const struct output_cut *x, struct error *e)
{
    const struct sim_case *c = &x->part.c;
    struct isochrones isochrones = {0};
    struct colour_scale scale[COLOURS_SCALES];
    int64_t *step = NULL;
    struct export_run r = {.c = c,
                           .folder = info->directory,
                           .version = info->version,
                           .digest = x->digest,
                           .rows = c->problem.rows,
                           .cols = c->problem.cols,
                           .geo = c->geo,
                           .isochrones = &isochrones,
                           .scale = scale,
                           .last_layer = last_layer,
                           .last = x,
                           .outline = x->outline};
    if (!(info->formats & OUTPUT_EXPORTS)) return 0;
    struct error mine = {0};
    if (info->formats & (OUTPUT_GEOJSON | OUTPUT_KMZ | OUTPUT_QGIS))
        r.transform = export_transform(c);
    const bool lost =
        info->formats & (OUTPUT_GEOJSON | OUTPUT_KMZ) && !r.transform; /* (it was found) */
    int status = lost ? error_memory(&mine) : 0;
    if (!status) status = find_steps(&step, &r.step_count, info, x->f, &mine);
    if (!status) status = output_isochrones(&isochrones, x, &mine);
    if (!status) {
        for (int i = 0; i < COLOURS_SCALES; i++) colours_fill(&scale[i], (enum colours)i);
        r.step = step;
        status = find_scale(&r, &mine);
    }
    if (!status) {
        status = info->formats & OUTPUT_QGIS ? write_styles(info, &r, &mine) : 0;
        if (!status) status = write_all(info, &r, &mine);
    }
    isochrones_free(&isochrones);
    transform_close(r.transform);
    free(step);
    if (status && e) *e = mine;
    return status;
}
