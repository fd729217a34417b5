/* paint.c — the only name that libsciara_show.so exports. */
#include "paint.h"

#include "draw/animation.h"
#include "draw/font.h"
#include "draw/legend.h"
#include "draw/plot.h"
#include "map/map.h"

#include "sciara.h"

static int paint(const char *path, const struct scene *s, struct error *e)
{
    switch (s->kind) {
    case SCENE_MAP:
        return map_write(path, s->of, e);
    case SCENE_PLOTS:
        return plots_write(path, s->of, s->plots, e);
    case SCENE_CHART:
        return chart_bars(path, s->of, e);
    case SCENE_CORNER:
        return corner_write(path, s->of, e);
    case SCENE_PAGE:
        return text_page_write(path, s->of, e);
    case SCENE_LEGEND:
        break;
    }
    return error_failed(e, "%s: a legend has no file of its own", path);
}

static int paint_bytes(char **bytes, size_t *size, const struct scene *s, double dpi,
                       struct error *e)
{
    return s->kind == SCENE_LEGEND ? legend_bytes(bytes, size, s->of, dpi, e)
                                   : error_failed(e, "only a legend is painted into memory");
}

extern const struct painters sciara_painters;
const struct painters sciara_painters = {
    .version = SCIARA_VERSION,
    .paint = paint,
    .bytes = paint_bytes,
    .animate = animate_frames,
    .film_possible = film_possible,
    .prepare = font_prepare,
    .complaint = font_complaint,
};
