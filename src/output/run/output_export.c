/* output_export.c — the files for other programs, at the end of a run. */
#include "output.h"

#include "base/file_progress.h"
#include "base/order.h"
#include "record/runfolder.h"
#include "export/export.h"
#include "record/layer_set.h"
#include "text/grow.h"
#include "text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW(file, FORMAT, function, features)                                                      \
    {PRODUCT_FILE, file, .formats = OUTPUT_##FORMAT, .export = function, .what = features},
#define PAINTED_ROW(NAME, word, needs, about, painter, ending, other)                              \
    ROW("run" ending, NAME, NULL, FEATURES)
static const struct product rows[] = {EXPORT_FILES(ROW) PAINTED_LAYERS_LIST(PAINTED_ROW)};
#undef ROW
#undef PAINTED_ROW
enum { FILES = sizeof rows / sizeof *rows };
const struct product_table output_export_files = {PRODUCT_TABLE_OF(rows),
                                                  .next = &output_other_files};

/* ---- formats --------------------------------------------------------------------------------- */

static const struct format {
    unsigned bit, needs;
    const char *word;
    int (*check)(const struct sim_case *c, const char *word, struct error *e);
} formats[] = {
#define ROW(NAME, word, needs, about, check) {SCIARA_##NAME, needs, word, check},
#define PAINTED_ROW(NAME, word, needs, ...)  {SCIARA_##NAME, needs, word, NULL},
    OUTPUT_WRITTEN_LIST(ROW) PAINTED_STUDY_LIST(PAINTED_ROW)};
enum { FORMATS = sizeof formats / sizeof *formats };

unsigned output_formats_whole(unsigned all, const struct sim_case *c)
{
    unsigned needs = 0;
    for (int i = 0; i < FORMATS; i++)
        if (all & formats[i].bit) needs |= formats[i].needs;
    if (needs & NEEDS_LAYERS) all |= OUTPUT_GEOTIFF;
    if (needs & NEEDS_VECTORS && !export_check_degrees(c, "", NULL)) all |= OUTPUT_GEOJSON;
    return all;
}

int output_export_check(unsigned all, const struct sim_case *c, struct error *e)
{
    int status = 0;
    for (int i = 0; i < FORMATS && !status; i++) {
        const struct format *f = &formats[i];
        if (!(all & f->bit)) continue;
        if (f->needs & NEEDS_DEGREES) status = export_check_degrees(c, f->word, e);
        if (!status && f->check) status = f->check(c, f->word, e);
    }
    return status;
}

/* ---- what is there to show ------------------------------------------------------------------- */

/* Lists the steps that have layers in the folder, and the last step. */
static int find_steps(int64_t **step, int *count, const struct output_info *info,
                      const struct fields *f, struct error *e)
{
    const char *prefix = output_layer_prefix(OUTPUT_TOTAL);
    const struct output_folder *folder = info->folder;
    *step = NULL;
    *count = 0;
    if (!APPEND(*step, *count, f->step)) return error_memory(e);
    for (int i = 0; folder && i < folder->count; i++) {
        const int64_t at = runfolder_layer_step(folder->file[i].name, prefix, ".tif");
        if (at >= 0 && at < f->step && !APPEND(*step, *count, at)) return error_memory(e);
    }
    qsort(*step, (size_t)*count, sizeof **step, order_words);
    return 0;
}

int output_bands(struct bands *out, const struct output_cut *x, struct error *e)
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
    return bands_create(out, &in, c->start_time, e);
}

static void last_layer(const struct export_run *r, const char *prefix, float *out)
{
    const double step_h = r->c->problem.params.clock_s / 3600;
    for (int k = 0; k < OUTPUT_LAYERS; k++)
        if (!strcmp(prefix, output_layer_prefix((enum output_layer)k)))
            output_layer_values((enum output_layer)k, r->last, step_h, out);
}

static int write_all(const struct output_info *info, const struct export_run *r, struct error *e)
{
    int status = 0;
    for (int i = 0; i < FILES && !status; i++) {
        if (!rows[i].export || !(rows[i].formats & info->formats) ||
            !features_there(r, rows[i].what))
            continue;
        if (file_progress_cancelled(info->progress)) return error_cancelled(e);
        FREED char *path = output_file_path(info, r->c, rows[i].name, e);
        status = path ? rows[i].export(r, rows[i].what, path, e) : (int)e->code;
        status = output_done(info, path, status, e);
    }
    return status;
}

static int export_formats_of(const struct output_info *info, const struct output_cut *x,
                             const int64_t *step, int steps, struct error *e)
{
    const struct sim_case *c = &x->part.c;
    FREED_BY(bands_free) struct bands bands = {0};
    struct export_run r = {.c = c,
                           .folder = info->directory,
                           .version = info->version,
                           .digest = x->digest,
                           .rows = c->problem.rows,
                           .cols = c->problem.cols,
                           .geo = c->geo,
                           .isochrones = &bands.lines,
                           .step_count = steps,
                           .step = step,
                           .last_layer = last_layer,
                           .last = x,
                           .outline = x->outline};
    int status = info->formats & OUTPUT_GEOJSON ? export_degrees(&r.transform, c, "geojson", e) : 0;
    if (!status) status = output_bands(&bands, x, e);
    if (!status) status = write_all(info, &r, e);
    transform_close(r.transform);
    return status;
}

/* ---- what globes and GIS show of its layers -------------------------------------------------- */

/* The layers as a GIS lists them, from the top down. */
static const struct {
    enum output_layer layer;
    const char *about;
    enum layer_use use;
    enum colours colours;
} shown[] = {
    {OUTPUT_TOTAL, "Thickness of the lava", LAYER_TIMES, COLOURS_LAVA},
    {OUTPUT_ARRIVAL, "Time of arrival", LAYER_ARRIVAL, COLOURS_TIME},
    {OUTPUT_MEDIAN, "Thickness, medians of 3 x 3 cells", LAYER_LAST, COLOURS_LAVA},
    {OUTPUT_MAX_THICKNESS, "Largest thickness", LAYER_LAST, COLOURS_LAVA},
    {OUTPUT_THICKNESS, "Mobile lava", LAYER_LAST, COLOURS_LAVA},
    {OUTPUT_SOLIDIFIED, "Solidified lava", LAYER_LAST, COLOURS_LAVA},
    {OUTPUT_TEMPERATURE, "Temperature", LAYER_LAST, COLOURS_HEAT},
    {OUTPUT_MAX_TEMPERATURE, "Largest temperature", LAYER_LAST, COLOURS_HEAT},
    {OUTPUT_ELEVATION, "Terrain", LAYER_RELIEF, COLOURS_LAVA},
};
enum { SHOWN = sizeof shown / sizeof *shown };

/* Lists the layers. Thickness has the same scale as on maps: the scale of the case or, if the case has none, from 0 to
 * the greatest thickness of all steps. */
static int take_kinds(struct layer_quantity kind[SHOWN], const struct output_info *info,
                      const struct sim_case *c)
{
    const struct params *p = &c->problem.params;
    int count = 0;
    for (int i = 0; i < SHOWN; i++) {
        if (!output_layer_asked(info, shown[i].layer)) continue;
        struct layer_quantity *k = &kind[count++];
        struct legend *l = &k->legend;
        *k = (struct layer_quantity){.name = output_layer_prefix(shown[i].layer),
                                     .about = shown[i].about,
                                     .use = shown[i].use,
                                     .legend = {.colours = shown[i].colours, .unit = "m"}};
        if (l->colours == COLOURS_HEAT) {
            l->unit = "\xC2\xB0\x43";
            l->zero = 273.15;
            l->low = p->temp_sol_K;
            l->high = p->temp_vent_K;
        } else if (l->colours == COLOURS_TIME) {
            l->unit = "h";
        } else if (k->use != LAYER_RELIEF && c->display.scale_m[1] > 0) {
            l->low = c->display.scale_m[0];
            l->high = c->display.scale_m[1];
        } else if (k->use != LAYER_RELIEF) {
            k->scale_of = output_layer_prefix(OUTPUT_TOTAL);
        }
    }
    return count;
}

/* Finds the cell at which a vent is shown: the cell that is nearest to the middle of all cells of the vent. */
static struct layer_vent vent_of(const struct sim_case *c, int id)
{
    const struct problem *p = &c->problem;
    double row = 0, col = 0, nearest = INFINITY;
    struct layer_vent out = {.id = id};
    for (int v = 0; v < p->vent_count; v++) {
        if (p->vents[v].id != id) continue;
        row += p->vents[v].row;
        col += p->vents[v].col;
        out.cells++;
    }
    for (int v = 0; v < p->vent_count; v++) {
        const struct vent *at = &p->vents[v];
        const double d = hypot(at->row - row / out.cells, at->col - col / out.cells);
        if (at->id != id || d >= nearest) continue;
        nearest = d;
        out.x = c->geo.west_m + (at->col + 0.5) * c->geo.cell_m;
        out.y = c->geo.south_m + (p->rows - at->row - 0.5) * c->geo.cell_m;
    }
    return out;
}

static int show_layers(const struct output_info *info, const struct output_cut *x,
                       const int64_t *step, int steps, struct error *e)
{
    const struct sim_case *c = &x->part.c;
    const struct output_painting to = {.info = info, .c = c};
    const double least_m = c->display.visual_threshold_m, clock_s = c->problem.params.clock_s;
    struct layer_quantity kind[SHOWN];
    FREED struct layer_time *time = calloc((size_t)steps, sizeof *time);
    FREED struct layer_vent *vent = calloc((size_t)c->problem.vent_count + 1, sizeof *vent);
    struct layer_set s = {.start_time = *c->start_time ? c->start_time : NULL,
                          .least = least_m - number_tolerance(least_m),
                          .step_h = clock_s / 3600,
                          .times = steps,
                          .kind = kind,
                          .time = time,
                          .vent = vent,
                          .vent_name = "Vent",
                          .outline = x->outline};
    if (!time || !vent) return error_memory(e);
    s.kinds = take_kinds(kind, info, c);
    for (int i = 0; i < steps; i++) {
        FREED char *stamp = export_layer_name(c, "", step[i], "");
        if (!stamp) return error_memory(e);
        snprintf(time[i].stamp, sizeof time[i].stamp, "%s", stamp);
        time[i].time_s = (double)step[i] * clock_s;
    }
    for (int v = 0; v < c->problem.vent_count; v++)
        if (export_vent_is_first(&c->problem, v))
            vent[s.vents++] = vent_of(c, c->problem.vents[v].id);
    return output_layers_paint(&to, "run", &s, x->digest, e);
}

int output_export(const struct output_info *info, const struct output_cut *x, struct error *e)
{
    FREED int64_t *step = NULL;
    struct error mine = {0};
    int steps, status = 0;
    if (!(info->formats & (OUTPUT_EXPORTS | OUTPUT_GEOTIFF))) return 0;
    status = find_steps(&step, &steps, info, x->f, &mine);
    if (!status && info->formats & OUTPUT_EXPORTS & ~PAINTED_LAYERS)
        status = export_formats_of(info, x, step, steps, &mine);
    if (!status && info->formats & OUTPUT_GEOTIFF)
        status = show_layers(info, x, step, steps, &mine);
    if (status && e) *e = mine;
    return status;
}
