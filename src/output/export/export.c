/* export.c — what all files for other programs share. */
#include "export.h"

#include "raster/raster.h"
#include "text/textfile.h"
#include "text/times.h"

#include "record/painters.h"

#include <stdlib.h>

int export_check_degrees(const struct sim_case *c, const char *what, struct error *e)
{
    struct transform *w;
    const int status = export_degrees(&w, c, what, e);
    transform_close(w);
    return status;
}

int export_check_painted(const struct sim_case *c, unsigned formats, struct error *e)
{
    const struct painted_format *f = painted_needing(formats, NEEDS_DEGREES);
    return f ? export_check_degrees(c, f->word, e) : 0;
}

/* ---- layers ---------------------------------------------------------------------------------- */

char *export_layer_name(const struct sim_case *c, const char *prefix, int64_t step,
                        const char *ending)
{
    char date[TIMES_TEXT];
    times_date(date, c->start_time, (double)step * c->problem.params.clock_s, TIMES_STAMP);
    return text_format("%s_%06lld%s%s%s", prefix, (long long)step, *date ? "_" : "", date, ending);
}

static int read_layer(float *out, const struct export_run *r, const char *prefix, int64_t step,
                      struct error *e)
{
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    FREED_BY(raster_free) struct raster layer = {0};
    FREED char *name = export_layer_name(r->c, prefix, step, ".tif");
    FREED char *path = name ? text_format("%s/%s", r->folder, name) : NULL;
    int status = path ? raster_read(&layer, path, 0, e) : error_memory(e);
    const struct raster grid = {.rows = r->rows, .cols = r->cols, .geo = r->geo};
    if (!status) status = raster_move(&layer, path, &grid, "the last state", e);
    for (size_t i = 0; i < cells && !status; i++) out[i] = (float)layer.value[i];
    return status;
}

int export_layer(float **out, const struct export_run *r, const char *prefix, int64_t step,
                 struct error *e)
{
    int status = 0;
    *out = malloc((size_t)r->rows * (size_t)r->cols * sizeof **out);
    if (!*out) return error_memory(e);
    if (step == r->step[r->step_count - 1]) r->last_layer(r, prefix, *out);
    else status = read_layer(*out, r, prefix, step, e);
    if (!status) return 0;
    free(*out);
    *out = NULL;
    return status;
}

bool export_vent_is_first(const struct problem *p, int vent)
{
    for (int i = 0; i < vent; i++)
        if (p->vents[i].id == p->vents[vent].id) return false;
    return true;
}
