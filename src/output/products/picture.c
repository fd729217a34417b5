#include "picture.h"

#include "case/barriers.h"

#include "draw/plot.h"
#include "map/map.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    unsigned format;
    const char *ending;
} kinds[] = {{OUTPUT_PNG, ".png"}, {OUTPUT_SVG, ".svg"}, {OUTPUT_PDF, ".pdf"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

int output_draw_map(const char *path, const void *of, struct error *e)
{
    return map_write(path, of, e);
}

int output_draw_plot(const char *path, const void *of, struct error *e)
{
    return plot_write(path, of, e);
}

int output_picture_draw(const struct output_info *info, const struct sim_case *c, const char *name,
                        output_draw *draw, const void *of, struct error *e)
{
    int status = 0;
    for (int i = 0; i < KINDS; i++) {
        if (!(info->formats & kinds[i].format)) continue;
        struct error why = {0};
        char *path = text_format("%s/%s%s", info->directory, name, kinds[i].ending);
        int failed = path ? output_spare(c, path, &why) : error_memory(&why);
        if (!failed && (failed = draw(path, of, &why))) unlink(path); /* an earlier one's */
        free(path);
        if (failed && !status && e) *e = why;
        if (!status) status = failed;
    }
    return status;
}

int output_picture_done(const struct output_info *info, const char *name, int status,
                        struct error *e)
{
    const bool missed = status;
    if (missed) status = output_missed(info, name, status, e);
    for (int i = 0; i < KINDS && !status; i++) {
        if (!(info->formats & kinds[i].format)) continue;
        char *path = text_format("%s/%s%s", info->directory, name, kinds[i].ending);
        if (!path) status = error_memory(e);
        else if (!missed || access(path, F_OK) == 0) status = output_done(info, path, 0, e);
        free(path);
    }
    return status;
}

enum { DPI_LEAST = 30, DPI_MOST = 1200, PIXELS_LEAST = 300, PIXELS_MOST = 20000 };

int output_picture_page(struct output_pictures *p, double width_in, double height_in, double dpi,
                        struct error *e)
{
    const bool page = width_in != 0 || height_in != 0;
    if (dpi == 0) dpi = page ? 300 : 200;
    const double wide = width_in * dpi, high = height_in * dpi;
    if (!(dpi >= DPI_LEAST && dpi <= DPI_MOST))
        return error_input(e, "map_dpi: is %g; give %d to %d pixels per inch", dpi, DPI_LEAST,
                           DPI_MOST);
    if (page && !(wide >= PIXELS_LEAST && high >= PIXELS_LEAST && wide <= PIXELS_MOST &&
                  high <= PIXELS_MOST))
        return error_input(e, "map size: %.5g x %.5g pixels; give %d to %d on each side", wide,
                           high, PIXELS_LEAST, PIXELS_MOST);
    p->width_in = width_in;
    p->height_in = height_in;
    p->dpi = dpi;
    return 0;
}

unsigned output_picture_format(const char *file)
{
    const char *ending = strrchr(file, '.');
    for (int i = 0; i < KINDS && ending; i++)
        if (!strcmp(ending, kinds[i].ending)) return kinds[i].format;
    return 0;
}

/* ---- barriers ------------------------------------------------------------------------------------ */

/* The parts of a feature and their positions follow one another. */
static int place_of(struct map_place *t, const struct vectors *v, const struct vector_feature *f)
{
    int *size = malloc((size_t)f->count * sizeof *size);
    if (!size) return -1;
    for (int i = 0; i < f->count; i++) size[i] = v->part[f->first + i].count;
    *t = (struct map_place){.kind = f->kind == VECTOR_AREA ? MAP_AREA : MAP_LINE,
                            .label = "",
                            .parts = f->count,
                            .part_size = size,
                            .xy = (const double(*)[2])(v->xy + v->part[f->first].first)};
    return 0;
}

int output_barriers(struct map *m, const struct sim_case *c, struct error *e)
{
    const struct barriers *b = c->barriers;
    m->barriers = NULL;
    m->barrier_count = 0;
    if (!b) return 0;
    struct map_place *list = calloc((size_t)b->count, sizeof *list);
    int done = 0;
    while (list && done < b->count &&
           !place_of(&list[done], &b->from, &b->from.feature[b->item[done].feature]))
        done++;
    m->barriers = list;
    m->barrier_count = done;
    if (list && done == b->count) return 0;
    output_barriers_free(m);
    return error_memory(e);
}

void output_barriers_free(struct map *m)
{
    for (int i = 0; i < m->barrier_count; i++) free((int *)(size_t)m->barriers[i].part_size);
    free((struct map_place *)(size_t)m->barriers);
    m->barriers = NULL;
    m->barrier_count = 0;
}
