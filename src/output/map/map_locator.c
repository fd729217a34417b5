/* map_locator.c — a small map of the whole domain, with a frame where the map is. */
#include "map_page.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { WIDE = 230, HIGH = 190, HEAD = 34, BELOW = 40 };

static bool is_part(const struct map_page *p)
{
    const struct map_crop *k = &p->grid.crop;
    return k->rows < 0.8 * p->m->rows || k->cols < 0.8 * p->m->cols;
}

double map_locator_height(const struct map_page *p)
{
    if (!is_part(p)) return 0;
    return HEAD + fmin(HIGH, (double)WIDE * p->m->rows / p->m->cols) + BELOW;
}

static void paint(cairo_surface_t *picture, const struct map_grid *g, const float *shade)
{
    const int stride = cairo_image_surface_get_stride(picture), n = g->enlarge;
    unsigned char *data = cairo_image_surface_get_data(picture);
    for (int y = 0; y < g->rows * n; y++)
        for (int x = 0; x < g->cols * n; x++) {
            const size_t i = (size_t)(y / n) * g->cols + (size_t)(x / n);
            const uint32_t grey =
                isnan(shade[i]) ? 235 : (uint32_t)(255 * (0.5f + 0.5f * shade[i]));
            *(uint32_t *)(void *)(data + (size_t)y * (size_t)stride + 4 * (size_t)x) =
                g->cover[i] ? 0xA01420 : grey << 16 | grey << 8 | grey;
        }
}

static int draw(struct map_page *p, const struct map_grid *g, double x, double y, struct error *e)
{
    const struct map_crop *k = &p->grid.crop;
    float *shade = malloc((size_t)g->rows * g->cols * sizeof *shade);
    cairo_surface_t *picture = canvas_picture_create(g->cols * g->enlarge, g->rows * g->enlarge, e);
    int status = ERROR_FAILED;
    if (picture && !shade) error_memory(e);
    if (picture && shade)
        status = hillshade(shade, g->elevation_m, g->rows, g->cols, p->m->geo.cell_m * g->block, e);
    if (!status) {
        const double unit = g->pixels / p->canvas.scale / g->block; /* of a cell */
        const double x1 = x + unit * p->m->cols, y1 = y + unit * p->m->rows;
        paint(picture, g, shade);
        canvas_clip(&p->canvas, x, y, x1, y1);
        canvas_picture(&p->canvas, picture, x, y, g->pixels / g->enlarge / p->canvas.scale);
        canvas_unclip(&p->canvas);
        canvas_frame(&p->canvas, x - 1, y - 1, x1 + 1, y1 + 1, 1.5, map_black);
        canvas_frame(&p->canvas, x + unit * k->col0 - 1, y + unit * k->row0 - 1,
                     x + unit * (k->col0 + k->cols) + 1, y + unit * (k->row0 + k->rows) + 1, 3,
                     map_alarm);
    }
    if (picture) cairo_surface_destroy(picture);
    free(shade);
    return status;
}

int map_locator(struct map_page *p, double x, double y, struct error *e)
{
    static const struct font heading = {18, FONT_BOLD, 0, 0};
    struct map whole = *p->m;
    struct map_grid g;
    const double scale = p->canvas.scale;
    if (!is_part(p)) return 0;
    whole.crop = (struct map_crop){0};
    whole.outline = whole.sea = NULL;
    int status = map_grid_create(
        &g, &whole, (struct map_room){(int)(WIDE * scale), (int)(HIGH * scale), true}, e);
    if (status) return status;
    font_write(&p->canvas, &heading, x, y + heading.size, map_black, "Location");
    status = draw(p, &g, canvas_snap(&p->canvas, x), canvas_snap(&p->canvas, y + HEAD), e);
    map_grid_free(&g);
    return status;
}
