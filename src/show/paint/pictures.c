/* pictures.c — paints the maps, diagrams and pages of a record as PNG, SVG and PDF, and its animations as WebP. */
#include "paint.h"

#include "draw/plot.h"
#include "map/map.h"

#include "sciara.h"

#include <stdlib.h>
#include <string.h>

/* The requested formats that picture i can have. */
static unsigned formats_of(const struct paint_run *r, int i, unsigned asked)
{
    return asked & (record_is(r->of->record, i, SCENE_FRAMES) ? PAINTED_FRAMES : PAINTED_PICTURES);
}

static int paint_scene(void *scene, const char *path, double *scale_denominator, struct error *e)
{
    const struct scene *s = scene;
    switch (s->kind) {
    case SCENE_MAP:
        return map_write(path, s->of, scale_denominator, e);
    case SCENE_PLOTS:
        return plots_write(path, s->of, s->plots, s->language, e);
    case SCENE_CHART:
        return chart_bars(path, s->of, s->language, e);
    case SCENE_CORNER:
        return corner_write(path, s->of, s->language, e);
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

/* Reads a picture and sets the requested language and size. */
static int read_picture(struct record_scene *s, const struct painting *p, int i, struct error *e)
{
    int status = record_scene(s, p->record, i, e);
    if (p->language) s->scene.language = p->language;
    if (!status && s->scene.kind == SCENE_PAGE && p->paper.dpi > 0)
        ((struct text_page *)(size_t)s->scene.of)->dpi = p->paper.dpi;
    return status || !s->map ? status : paint_as_asked(s->map, p, e);
}

/* Paints or checks a picture. All pictures are checked before the first picture is painted, because a picture may be
 * damaged, or have no room on the requested page. */
static int show_picture(struct paint_run *r, int i, unsigned formats, bool paints, struct error *e)
{
    FREED_BY(record_release) struct record_scene s = {0};
    int status = paints || r->of->before ? read_picture(&s, r->of, i, e) : 0;
    const char *note =
        paints && s.scene.kind == SCENE_PAGE ? paint_text_note(r->of, s.scene.of) : "";
    for (int k = 0; k < PAINTED_FORMATS && !status; k++) {
        if (!(formats & painted_formats[k].format)) continue;
        FREED char *path = paint_path(r, i, painted_formats[k].ending, e);
        if (!path) status = ERROR_FAILED;
        else if (!paints) status = paint_count(r, path, e);
        else status = paint_file(r, path, note, paint_scene, &s.scene, e);
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

int paint_pictures(struct paint_run *r, unsigned asked, bool paints, struct error *e)
{
    int status = 0;
    for (int i = 0; i < record_count(r->of->record) && !status; i++) {
        const unsigned formats = formats_of(r, i, asked);
        if (formats && paint_asks(r, i) && !record_is(r->of->record, i, SCENE_LAYERS) &&
            strcmp(record_name(r->of->record, i), REPORT_NAME) != 0)
            status = show_picture(r, i, formats, paints, e);
    }
    return status;
}
