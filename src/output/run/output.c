/* output.c — writes one state. */
#include "output_map.h"

#include "compare/outline.h"
#include "export/export.h"
#include "text/textfile.h"
#include "base/file_progress.h"

#include <stdlib.h>

/* ---- the files of a run ---------------------------------------------------------------------- */

static bool is_state(const struct sim_case *c, const char *name)
{
    (void)c;
    return restart_is_name(name, NULL);
}

static const struct product rows[] = {
    {.kind = PRODUCT_TABLE, .name = "timeline.csv", .head = output_timeline_head},
    {.kind = PRODUCT_DIAGRAM, .name = "timeline"},
    {.kind = PRODUCT_TABLE,
     .name = OUTPUT_ASSETS,
     .wanted = PRODUCT_OF_ASSETS,
     .head = output_assets_head},
    {.kind = PRODUCT_FILE, .name = "animation.webp", .wanted = PRODUCT_OF_FRAMES},
    {.kind = PRODUCT_FILE, .name = "animation.mp4", .wanted = PRODUCT_OF_FILM},
    {.kind = PRODUCT_FILE,
     .name = "state",
     .wanted = PRODUCT_OF_STATES,
     .is = is_state,
     .of_steps = true},
    {.kind = PRODUCT_FILE,
     .name = "original",
     .formats = OUTPUT_ORIGINAL,
     .is = output_is_original,
     .of_steps = true},
};
const struct product_table output_other_files = {PRODUCT_TABLE_OF(rows)};

/* ---- a state --------------------------------------------------------------------------------- */

int output_outline(unsigned char **outline, const struct sim_case *c, struct error *e)
{
    *outline = NULL;
    if (!c->outline_path) return 0;
    return outline_read(outline, c->outline_path, c->problem.rows, c->problem.cols, &c->geo, e);
}

int output_state_files(const struct output_info *info, const struct sim_case *c,
                       const struct fields *f, struct error *e)
{
    int status = 0;
    file_progress_begin(info->progress);
    if (info->formats & OUTPUT_GEOTIFF) status = output_layers(info, c, f, e);
    if (!status && file_progress_cancelled(info->progress)) status = error_cancelled(e);
    if (!status && (info->formats & OUTPUT_ORIGINAL)) {
        file_progress_begin_file(info->progress, 0);
        status = output_original(info, c, f, e);
    }
    return status;
}

int output_state(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                 struct error *e)
{
    unsigned char *outline = NULL;
    int status = output_state_files(info, c, f, e);
    if (!status && file_progress_cancelled(info->progress)) status = error_cancelled(e);
    if (!status && info->formats & OUTPUT_PICTURES) {
        status = output_outline(&outline, c, e);
        if (!status) status = output_maps_of_state(info, c, f, outline, e);
    }
    free(outline);
    return status;
}
