/* pictures.c — the maps, diagrams and pages of a record as PNG, SVG and PDF, and its animations as WebP. */
#include "paint.h"

#include "draw/plot.h"
#include "map/map.h"

#include "sciara.h"

#include <stdlib.h>
#include <string.h>

static bool is_asked(const struct paint_run *r, int i, int kind)
{
    const struct painted_format *f = &painted_formats[kind];
    return r->of->formats & f->format && record_moves(r->of->record, i) == f->moves;
}

static int paint_scene(void *scene, const char *path, double *scale_denominator, struct error *e)
{
    const struct scene *s = scene;
    switch (s->kind) {
    case SCENE_MAP:
        return map_write(path, s->of, scale_denominator, e);
    case SCENE_PLOTS:
        return plots_write(path, s->of, s->plots, e);
    case SCENE_CHART:
        return chart_bars(path, s->of, e);
    case SCENE_CORNER:
        return corner_write(path, s->of, e);
    case SCENE_PAGE:
        return text_page_write(path, s->of, e);
    case SCENE_FRAMES:
        return animate_frames(s->of, path, e);
    case SCENE_LAYERS:
    case SCENE_REPORT:
        break;
    }
    return error_failed(e, "%s: is not painted as a picture", path);
}

/* As asked for. */
static int read_picture(struct record_scene *s, const struct painting *p, int i, struct error *e)
{
    int status = record_scene(s, p->record, i, e);
    if (!status && s->scene.kind == SCENE_PAGE && p->paper.dpi > 0)
        ((struct text_page *)(size_t)s->scene.of)->dpi = p->paper.dpi;
    return status || !s->map ? status : paint_as_asked(s->map, p, e);
}

static int paint_picture(struct paint_run *r, int i, struct error *e)
{
    const struct painting *p = r->of;
    bool any = false;
    for (int k = 0; k < PAINTED_FORMATS; k++) any |= is_asked(r, i, k);
    if (!any) return 0;
    FREED_BY(record_release) struct record_scene s = {0};
    int status = read_picture(&s, p, i, e);
    if (status) return status;
    const char *note = s.scene.kind == SCENE_PAGE ? paint_text_note(p, s.scene.of) : "";
    for (int k = 0; k < PAINTED_FORMATS && !status; k++) {
        if (!is_asked(r, i, k)) continue;
        FREED char *path = paint_path(r, i, painted_formats[k].ending, e);
        status = path ? paint_file(r, path, note, paint_scene, &s.scene, e) : ERROR_FAILED;
    }
    return status;
}

/* A picture may be damaged, or have no room for the page that is asked for: all are read before one is painted. */
static int check_picture(struct paint_run *r, int i, struct error *e)
{
    bool any = false;
    int status = 0;
    for (int k = 0; k < PAINTED_FORMATS && !status; k++) {
        if (!is_asked(r, i, k)) continue;
        FREED char *path = paint_path(r, i, painted_formats[k].ending, e);
        status = path ? paint_count(r, path, e) : ERROR_FAILED;
        any = true;
    }
    if (status || !any || !r->of->before) return status;
    FREED_BY(record_release) struct record_scene s = {0};
    return read_picture(&s, r->of, i, e);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int each(struct paint_run *r, bool paints, struct error *e)
{
    int status = 0;
    for (int i = 0; i < record_count(r->of->record) && !status; i++)
        if (paint_asks(r, i) && !record_is_layers(r->of->record, i) &&
            strcmp(record_name(r->of->record, i), REPORT_NAME) != 0)
            status = (paints ? paint_picture : check_picture)(r, i, e);
    return status;
}

const struct painter paint_pictures = {SCIARA_PNG | SCIARA_SVG | SCIARA_PDF | SCIARA_WEBP, each};
