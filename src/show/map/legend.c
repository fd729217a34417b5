/* build: optimized */
/* legend.c — a legend without a map. */
#include "map_page.h"

#include "record/layer_set.h"

#include <stdio.h>

enum { MARGIN = 18, BAR_HIGH = 204 };

/* Draws a title such as "Thickness of the lava (m)", and the key of a map. Returns the y below the key. */
static double draw_legend(struct map_page *p)
{
    return MARGIN - 8 + map_key(p, MARGIN, MARGIN, BAR_HIGH);
}

int map_legend(char **bytes, size_t *size, const struct legend *l, const char *title,
               const char *language, struct error *e)
{
    enum { SCREEN_DPI = 96 };
    const struct map m = {.kind = l->count ? MAP_CLASSES : MAP_SEQUENTIAL,
                          .class_count = l->count,
                          .classes = l->classes,
                          .quantity = title,
                          .unit = l->unit,
                          .language = language};
    struct map_page p = {.m = &m, .grid = {.lo = l->low - l->zero, .hi = l->high - l->zero}};
    colours_fill(&p.scale, l->colours);
    int status = canvas_create(&p.canvas, "legend.png", 0, 1, e);
    if (status) return status;
    status = canvas_page(&p.canvas, MAP_SIDE_WIDTH + 2 * MARGIN, draw_legend(&p), e);
    if (!status) draw_legend(&p);
    *bytes = NULL;
    if (!status) {
        const struct png_pixels all = canvas_pixels(cairo_get_target(p.canvas.cr));
        *bytes = png_file_bytes(&all, SCREEN_DPI, size);
    }
    canvas_free(&p.canvas);
    return status || *bytes ? status : error_memory(e);
}
