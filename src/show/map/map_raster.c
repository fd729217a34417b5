/* map_raster.c — paints relief and layer of a map, pixel by pixel. */
/* build: optimized */
#include "map_page.h"

#include "text/words.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- the layer on the relief ----------------------------------------------------------------- */

/* The colour of cells without terrain: flat pale grey with thin diagonal lines, unlike any
 * relief. */
static struct rgb missing_colour(int x, int y, double scale)
{
    const int period = (int)(12 * scale + 0.5);
    const bool line = 6 * ((x + y) % period) < period;
    return line ? (struct rgb){196, 198, 204} : colours_missing;
}

/* Gives each node without terrain the mean shade of its neighbours, because the pixels of a neighbour mix the shades of
 * both nodes. Another colour covers the node without terrain. */
static void bleed(float *full, const float *shade, int rows, int cols)
{
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            float sum = 0, count = 0;
            size_t i = (size_t)row * cols + col;
            full[i] = shade[i];
            if (!isnan(shade[i])) continue;
            for (int k = 0; k < 9; k++) {
                int r = row + k / 3 - 1, c = col + k % 3 - 1;
                if (r < 0 || r >= rows || c < 0 || c >= cols) continue;
                float s = shade[(size_t)r * cols + c];
                if (!isnan(s)) sum += s, count++;
            }
            full[i] = count ? sum / count : HILLSHADE_FLAT;
        }
    }
}

/* Finds the weights of three nodes of a row or column, whose values a pixel mixes. The pixel is
 * number p of the n pixels of a node; w[0]: the node before this node; w[1]: this node; w[2]: the
 * next node. The weights are a quadratic B-spline, which has no creases along the nodes and never
 * overshoots. */
static void spline(float w[3], int p, int n)
{
    float u = ((float)p + 0.5f) / (float)n - 0.5f;
    w[0] = 0.5f * (0.5f - u) * (0.5f - u);
    w[1] = 0.75f - u * u;
    w[2] = 0.5f * (0.5f + u) * (0.5f + u);
    if (n == 1) w[0] = w[2] = 0, w[1] = 1; /* one pixel per node: as sharp as the data */
}

/* Finds the layer's colour in a node, before shading. Returns its opacity. */
static float layer_colour(const struct map_page *p, size_t i, float rgb[3])
{
    const struct map *m = p->m;
    if (!p->grid.cover[i]) return 0;
    const struct rgb c =
        m->kind == MAP_CLASSES
            ? m->classes[(int)p->grid.value[i] - 1].rgb
            : colours_at(&p->scale, (p->grid.value[i] - p->grid.lo) / (p->grid.hi - p->grid.lo));
    rgb[0] = c.r, rgb[1] = c.g, rgb[2] = c.b;
    /* lava narrower than a pixel has to be seen, too */
    return 0.92f * fmaxf(0.55f, (float)p->grid.cover[i] / 255);
}

static uint32_t byte_of(float v)
{
    return (uint32_t)int_within((int)(v + 0.5f), 255);
}

/* Makes an opaque pixel. In RGB24 cairo ignores the highest byte, but mixed() reads it. */
static uint32_t pixel_of(float r, float g, float b)
{
    return 0xff000000 | byte_of(r) << 16 | byte_of(g) << 8 | byte_of(b);
}

static uint32_t relief(float shade)
{
    const float grey = 0.34f + 0.66f * shade;
    return pixel_of(map_paper.r * grey, map_paper.g * grey, map_paper.b * grey);
}

/* Paints a colour of opacity `alpha` over a pixel, which may be transparent itself. Cairo stores colours multiplied by
 * opacity, so no colour may be larger than the opacity. */
static uint32_t mixed(uint32_t ground, const float colour[3], float alpha)
{
    float v[4] = {255};
    for (int k = 0; k < 4; k++) {
        const float below = (float)(ground >> (24 - 8 * k) & 255), above = k ? colour[k - 1] : 255;
        v[k] = fminf(v[0], below + alpha * (above - below));
    }
    return (byte_of(v[0]) << 24) | (pixel_of(v[1], v[2], v[3]) & 0xffffff);
}

static uint32_t lava(uint32_t ground, float shade, const float layer[3], float alpha)
{
    const float tone = 0.76f + 0.24f * shade / HILLSHADE_FLAT; /* a weak relief on lava */
    const float lit[3] = {layer[0] * tone, layer[1] * tone, layer[2] * tone};
    return mixed(ground, lit, alpha);
}

uint32_t map_pixel(struct rgb c)
{
    return pixel_of(c.r, c.g, c.b);
}

/* The picture that is painted, with enlarge x enlarge pixels for each node. */
struct raster {
    const struct map_page *page;
    cairo_surface_t *picture;
    const float *shade, (*weight)[3];
};

static uint32_t *row_of(const struct raster *t, int y)
{
    return (uint32_t *)(void *)(cairo_image_surface_get_data(t->picture) +
                                (size_t)y * (size_t)cairo_image_surface_get_stride(t->picture));
}

/* The shades of a row of nodes and of the rows above and below. For a row of pixels, the weights `v` mix these three rows. */
struct light {
    const float *here, *above, *below, *v;
    int cols;
};

static struct light light_of(const struct raster *t, int y)
{
    const struct map_grid *g = &t->page->grid;
    const int row = y / g->enlarge;
    const float *here = t->shade + (size_t)row * g->cols;
    return (struct light){here, row ? here - g->cols : here,
                          row + 1 < g->rows ? here + g->cols : here, t->weight[y % g->enlarge],
                          g->cols};
}

static float light_at(const struct light *l, int col)
{
    const int i = int_within(col, l->cols - 1);
    return l->v[0] * l->above[i] + l->v[1] * l->here[i] + l->v[2] * l->below[i];
}

static void paint_ground(const struct raster *t, int y)
{
    const struct map_grid *g = &t->page->grid;
    const struct light l = light_of(t, y);
    const int n = g->enlarge, row = y / n;
    uint32_t *out = row_of(t, y);
    float before = light_at(&l, -1), now = before, after;
    for (int col = 0; col < g->cols; col++, before = now, now = after) {
        const size_t i = (size_t)row * g->cols + col;
        const bool missing = isnan(g->elevation_m[i]), sea = missing && g->sea && g->sea[i];
        after = light_at(&l, col + 1);
        for (int k = 0; k < n; k++, out++) {
            const float *w = t->weight[k];
            *out = sea       ? map_pixel(colours_sea)
                   : missing ? map_pixel(missing_colour(col * n + k, y, t->page->canvas.scale))
                             : relief(w[0] * before + w[1] * now + w[2] * after);
        }
    }
}

static void paint_layer(const struct raster *t, int y)
{
    const struct map_grid *g = &t->page->grid;
    const struct light l = light_of(t, y);
    const int n = g->enlarge, row = y / n;
    uint32_t *out = row_of(t, y);
    float layer[3] = {0};
    for (int col = 0; col < g->cols; col++) {
        const size_t i = (size_t)row * g->cols + col;
        if (!g->cover[i]) continue;
        const float alpha = layer_colour(t->page, i, layer);
        const float before = light_at(&l, col - 1), now = light_at(&l, col),
                    after = light_at(&l, col + 1);
        for (int k = 0; k < n; k++) {
            const float *w = t->weight[k];
            uint32_t *p = out + col * n + k;
            *p = lava(*p, w[0] * before + w[1] * now + w[2] * after, layer, alpha);
        }
    }
}

static bool covered(const struct map_grid *g, int row, int col)
{
    return row >= 0 && col >= 0 && row < g->rows && col < g->cols &&
           g->cover[(size_t)row * g->cols + col];
}

/* Paints a dark edge around the layer, so that pale lava does not fade into pale ground. The edge is on the ground, so no
 * cell of the layer gets smaller or darker. */
static void paint_rim(const struct raster *t, int y)
{
    static const float dark[3] = {25, 25, 28};
    const struct map_grid *g = &t->page->grid;
    const int n = g->enlarge, row = y / n, in_row = y % n;
    const int wide = (int)fmax(1, 1.6 * t->page->canvas.scale + 0.5), rim = wide < n ? wide : n;
    const int up = in_row < rim ? row - 1 : row, down = in_row >= n - rim ? row + 1 : row;
    uint32_t *out = row_of(t, y);
    for (int col = 0; col < g->cols; col++) {
        if (covered(g, row, col)) continue;
        const bool west =
            covered(g, up, col - 1) || covered(g, down, col - 1) || covered(g, row, col - 1);
        const bool east =
            covered(g, up, col + 1) || covered(g, down, col + 1) || covered(g, row, col + 1);
        const bool across = covered(g, up, col) || covered(g, down, col);
        if (!west && !east && !across) continue;
        for (int k = 0; k < n; k++)
            if (across || (west && k < rim) || (east && k >= n - rim))
                out[col * n + k] = mixed(out[col * n + k], dark, 0.6f);
    }
}

static void paint_rows(const struct raster *t, void (*row)(const struct raster *, int))
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < t->page->grid.rows * t->page->grid.enlarge; y++) row(t, y);
    cairo_surface_mark_dirty(t->picture);
}

/* Writes large letters across the whole map, so that it is not mistaken for the map of a real forecast. */
static void draw_watermark(struct map_page *p, cairo_surface_t *picture)
{
    const char *text = words_of(p->m->warning, p->m->language);
    const double wide = p->map.x1 - p->map.x0, high = p->map.y1 - p->map.y0;
    struct font f = {28, FONT_BOLD, atan2(high, wide), 0.5};
    const double width = fmax(1, font_width(&p->canvas, &f, text));
    f.size *= fmin(0.7 * hypot(wide, high) / width, 0.2 * fmin(wide, high) / f.size);
    cairo_t *cr = cairo_create(picture);
    cairo_scale(cr, p->canvas.scale, p->canvas.scale);
    font_picture(&p->canvas, cr, &f, wide / 2 + sin(f.angle) * f.size / 2,
                 high / 2 + cos(f.angle) * f.size / 2, canvas_alarm, 0.22, text);
    cairo_destroy(cr);
}

/* Paints the background. In a PNG the background is a part of the picture. In SVG and PDF it is drawn between two
 * pictures: the complete picture of the ground, and a new picture for the layer. */
static int paint_background(struct map_page *p, struct raster *t, struct error *e)
{
    const struct map_grid *g = &p->grid;
    struct canvas *c = &p->canvas;
    if (!p->m->background) return 0;
    if (c->format == CANVAS_PNG) {
        cairo_t *page = c->cr;
        const double pixels_per_unit = g->enlarge / p->node;
        c->cr = cairo_create(t->picture);
        cairo_scale(c->cr, pixels_per_unit, pixels_per_unit);
        cairo_translate(c->cr, -p->map.x0, -p->map.y0);
        map_background(p);
        cairo_destroy(c->cr);
        c->cr = page;
        cairo_surface_flush(t->picture);
        return 0;
    }
    canvas_picture(c, t->picture, p->map.x0, p->map.y0, p->node / g->enlarge);
    canvas_clip(c, p->map.x0, p->map.y0, p->map.x1, p->map.y1);
    map_background(p);
    canvas_unclip(c);
    cairo_surface_destroy(t->picture);
    t->picture =
        canvas_picture_create(CAIRO_FORMAT_ARGB32, g->cols * g->enlarge, g->rows * g->enlarge, e);
    return t->picture ? 0 : ERROR_FAILED;
}

static int paint_all(struct map_page *p, struct raster *t, float *shade, struct error *e)
{
    const struct map_grid *g = &p->grid;
    const size_t n = (size_t)g->rows * g->cols;
    int status = hillshade(shade, g->elevation_m, g->rows, g->cols, p->m->geo.cell_m * g->block, e);
    if (status) return status;
    bleed(shade + n, shade, g->rows, g->cols);
    t->shade = shade + n;
    paint_rows(t, paint_ground);
    status = paint_background(p, t, e);
    if (status) return status;
    paint_rows(t, paint_rim);
    paint_rows(t, paint_layer);
    if (p->m->warning && *p->m->warning) draw_watermark(p, t->picture);
    canvas_picture(&p->canvas, t->picture, p->map.x0, p->map.y0, p->node / g->enlarge);
    return 0;
}

/* Paints ground, background, rim, layer and watermark, in this order. */
int map_raster(struct map_page *p, struct error *e)
{
    const struct map_grid *g = &p->grid;
    FREED float *shade = malloc(2 * (size_t)g->rows * g->cols * sizeof *shade);
    FREED float(*weight)[3] = malloc((size_t)g->enlarge * sizeof *weight);
    struct raster t = {.page = p, .weight = (const float(*)[3])weight};
    int status = ERROR_FAILED;
    t.picture =
        canvas_picture_create(CAIRO_FORMAT_RGB24, g->cols * g->enlarge, g->rows * g->enlarge, e);
    if (t.picture && shade && weight) {
        for (int k = 0; k < g->enlarge; k++) spline(weight[k], k, g->enlarge);
        status = paint_all(p, &t, shade, e);
    } else if (t.picture) {
        error_memory(e);
    }
    if (t.picture) cairo_surface_destroy(t.picture);
    return status;
}

void map_missing_sample(struct map_page *p, double x0, double y0, double x1, double y1)
{
    canvas_clip(&p->canvas, x0, y0, x1, y1);
    canvas_rectangle(&p->canvas, x0, y0, x1, y1);
    canvas_ink(&p->canvas, missing_colour(6, 0, 1), 1);
    for (double x = x0; x < x1 + y1 - y0; x += 12)
        canvas_segment(&p->canvas, x, y0, x - (y1 - y0), y1);
    canvas_stroke(&p->canvas, 1.5, missing_colour(0, 0, 1), 1);
    canvas_unclip(&p->canvas);
}

void map_sea_sample(struct map_page *p, double x0, double y0, double x1, double y1)
{
    canvas_rectangle(&p->canvas, x0, y0, x1, y1);
    canvas_ink(&p->canvas, colours_sea, 1);
}
