/* map_locator.c — a small map of the whole domain, with a frame where the map is. */
#include "map_page.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { WIDE = 230, HIGH = 190, HEAD = 34, BELOW = 40 };

static int domain_rows(const struct map *m)
{
    return m->around ? m->around->domain_rows : m->rows;
}

static int domain_cols(const struct map *m)
{
    return m->around ? m->around->domain_cols : m->cols;
}

static bool is_part(const struct map_page *p)
{
    const struct map_crop *k = &p->grid.crop;
    return k->rows < 0.8 * domain_rows(p->m) || k->cols < 0.8 * domain_cols(p->m);
}

double map_locator_height(const struct map_page *p)
{
    if (!is_part(p)) return 0;
    return HEAD + fmin(HIGH, (double)WIDE * domain_rows(p->m) / domain_cols(p->m)) + BELOW;
}

static struct map domain_of(const struct map *m)
{
    struct map whole = *m;
    const struct map_around *a = m->around;
    whole.crop = (struct map_crop){0};
    whole.outline = whole.sea = NULL;
    if (!a) return whole;
    whole.rows = a->rows;
    whole.cols = a->cols;
    whole.geo.cell_m *= a->every;
    whole.elevation_m = a->elevation_m;
    whole.value = a->value;
    whole.row = NULL;
    whole.kind = MAP_SEQUENTIAL;
    return whole;
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

static int draw(struct map_page *p, const struct map_grid *g, double cell_m, double x, double y,
                struct error *e)
{
    static const struct map_around none = {.every = 1};
    const struct map_around *a = p->m->around ? p->m->around : &none;
    const struct map_crop *k = &p->grid.crop;
    float *shade = malloc((size_t)g->rows * g->cols * sizeof *shade);
    cairo_surface_t *picture = canvas_picture_create(g->cols * g->enlarge, g->rows * g->enlarge, e);
    int status = ERROR_FAILED;
    if (picture && !shade) error_memory(e);
    if (picture && shade)
        status = hillshade(shade, g->elevation_m, g->rows, g->cols, cell_m * g->block, e);
    if (!status) {
        const double unit = g->pixels / p->canvas.scale / g->block / a->every; /* of a cell */
        const double x1 = x + unit * domain_cols(p->m), y1 = y + unit * domain_rows(p->m);
        const int row0 = a->row0 + k->row0, col0 = a->col0 + k->col0;
        paint(picture, g, shade);
        canvas_clip(&p->canvas, x, y, x1, y1);
        canvas_picture(&p->canvas, picture, x, y, g->pixels / g->enlarge / p->canvas.scale);
        canvas_unclip(&p->canvas);
        canvas_frame(&p->canvas, x - 1, y - 1, x1 + 1, y1 + 1, 1.5, map_black);
        canvas_frame(&p->canvas, x + unit * col0 - 1, y + unit * row0 - 1,
                     x + unit * (col0 + k->cols) + 1, y + unit * (row0 + k->rows) + 1, 3,
                     map_alarm);
    }
    if (picture) cairo_surface_destroy(picture);
    free(shade);
    return status;
}

int map_locator(struct map_page *p, double x, double y, struct error *e)
{
    static const struct font heading = {18, FONT_BOLD, 0, 0};
    const struct map whole = domain_of(p->m);
    struct map_grid g;
    const double scale = p->canvas.scale;
    if (!is_part(p)) return 0;
    int status = map_grid_create(
        &g, &whole, (struct map_room){(int)(WIDE * scale), (int)(HIGH * scale), true}, e);
    if (status) return status;
    font_write(&p->canvas, &heading, x, y + heading.size, map_black, "Location");
    status = draw(p, &g, whole.geo.cell_m, canvas_snap(&p->canvas, x),
                  canvas_snap(&p->canvas, y + HEAD), e);
    map_grid_free(&g);
    return status;
}
