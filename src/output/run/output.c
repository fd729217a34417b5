/* output.c — writes one state. */
#include "output_parts.h"

#include "export/export.h"
#include "text/textfile.h"
#include "base/file_progress.h"

#include <stdlib.h>

char *output_path(const struct output_info *info, const struct sim_case *c, const char *prefix,
                  int64_t step, const char *ending)
{
    char *name = export_layer_name(c, prefix, step, ending),
         *path = name ? text_format("%s/%s", info->directory, name) : NULL;
    free(name);
    return path;
}

struct georef output_georef(const struct sim_case *c, const struct window *w)
{
    struct georef geo = c->geo;
    geo.west_m += w->col0 * geo.cell_m;
    geo.south_m += (c->problem.rows - w->row0 - w->rows) * geo.cell_m;
    return geo;
}

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
