/* dem_marks.c — finds undeclared marks of no data in a source. Looks at the numbers of the source, since resampling
 * would average marks into heights. */
#include "dem_parts.h"

#include "base/file_progress.h"
#include "raster/marks.h"
#include "raster/raster_formats.h"
#include "text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SCIARA_WITH_GDAL
#include "raster/gdal_raster.h"

/* Adds the numbers of a window; value[] and mask[] have room for its cells. */
static int add_rows(struct raster_marks *m, const struct dem *d, const struct dem_source *s,
                    struct window w, double *value, double *mask, struct error *e)
{
    const struct gdal *g = &s->file->gdal->g;
    char said[256];
    gdal_enter(g);
    const bool good = dem_source_read(s, w, d->q->nodata, value, mask);
    gdal_reason(g, "GDAL gives no reason", said);
    gdal_leave(g);
    if (!good)
        return error_input(e, "%s: cannot be read through GDAL: %s; fetch or write it again",
                           s->path, said);
    raster_marks_add(m, value, (size_t)w.rows * (size_t)w.cols);
    return file_progress_cancelled(d->q->progress) ? error_cancelled(e) : 0;
}

/* Refuses a source; the message names the command that declares the mark. */
static int refuse_mark(const struct dem *d, const struct dem_source *s,
                       const struct raster_extreme *x, struct error *e)
{
    enum { COMMAND_MOST = 600 };
    static const char program[] = "sciara dem";
    const struct dem_request *q = d->q;
    char value[32], what[512];
    number_text(x->value, value);
    snprintf(what, sizeof what, "%.300s: %zu cell%s %s %s, and %s", s->path, x->cells,
             x->cells == 1 ? "" : "s", x->cells == 1 ? "is" : "are", value,
             x->next > x->value ? "no other is as low" : "no other is as high");
    if (!isnan(q->nodata))
        return error_input(e,
                           "%s: if both this number and %.9g mark no data, replace one of them by "
                           "the other in the file",
                           what, q->nodata);
    if (!q->again || strncmp(q->again, program, strlen(program)) || strlen(q->again) > COMMAND_MOST)
        return error_input(e,
                           "%s: if this number marks no data, give option 'nodata' %s; if it is a "
                           "height, 'nodata' none",
                           what, value);
    return error_input(e,
                       "%s; if this number is a height, give option 'nodata' none; if it marks no "
                       "data: %s option 'nodata' %s%s",
                       what, program, value, q->again + strlen(program));
}

int dem_marks_check(const struct dem *d, int source, struct window w, struct error *e)
{
    enum { ROWS = 64, CELLS = 1 << 22 };
    const struct dem_source *s = &d->source[source];
    /* a source on a network is not read twice; dem_check.c finds its marks in the terrain */
    if (d->q->trusted || s->file->gdal->g.network || w.rows < 1 || w.cols < 1) return 0;
    struct raster_marks m = RASTER_MARKS_NONE;
    const int most = CELLS / w.cols, at_once = most < 1 ? 1 : most < ROWS ? most : ROWS;
    const size_t cells = (size_t)at_once * (size_t)w.cols;
    FREED double *value = malloc(2 * cells * sizeof *value);
    int status = value ? 0 : error_memory(e);
    for (int i = 0; i < w.rows && !status; i += at_once) {
        const int rows = w.rows - i < at_once ? w.rows - i : at_once;
        status = add_rows(&m, d, s, (struct window){w.row0 + i, w.col0, rows, w.cols}, value,
                          value + cells, e);
    }
    if (status) return status;
    const struct raster_extreme *x =
        raster_marks_find(&m, s->ratio, d->r->source[source].cell_m, true);
    return x ? refuse_mark(d, s, x, e) : 0;
}
#else
int dem_marks_check(const struct dem *d, int source, struct window w, struct error *e)
{
    return 0;
}
#endif
