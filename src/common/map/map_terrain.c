/* map_terrain.c — what lies inside the frame of a map. */
#include "map_page.h"

#include "hillshade.h"
#include "isolines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For cells without terrain: flat pale grey with thin diagonal lines, unlike any relief. */
static struct rgb missing_colour(int x, int y)
{
    bool line = (x + y) % 12 < 2;
    return line ? (struct rgb){196, 198, 204} : (struct rgb){226, 228, 232};
}

static const struct rgb sea_colour = {211, 227, 238};

static struct rgb hole_colour(const struct map_grid *g, size_t i, int x, int y)
{
    return g->sea && g->sea[i] ? sea_colour : missing_colour(x, y);
}

/* Nodes without terrain take over their neighbours' mean shade, so that interpolation up to the
 * edge of the data has something to hold on to; they are painted over. */
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

/* Weights of the node before, of this one and of the one after at part p of n: a quadratic
 * B-spline, which is smooth (no creases along the nodes) and never overshoots. */
static void spline(float w[3], int p, int n)
{
    float u = ((float)p + 0.5f) / (float)n - 0.5f;
    w[0] = 0.5f * (0.5f - u) * (0.5f - u);
    w[1] = 0.75f - u * u;
    w[2] = 0.5f * (0.5f + u) * (0.5f + u);
    if (n == 1) w[0] = w[2] = 0, w[1] = 1; /* one pixel per node: as sharp as the data */
}

/* Colour of the layer in a node and its opacity, before the relief shows through. */
static float layer_colour(const struct map_page *p, size_t i, float rgb[3])
{
    const struct map *m = p->m;
    struct rgb c;
    if (!p->grid.cover[i]) return 0;
    if (m->kind == MAP_SEQUENTIAL) {
        c = colours_at(&p->scale, (p->grid.value[i] - p->lo) / (p->hi - p->lo));
    } else {
        const unsigned char *k = m->classes[(int)p->grid.value[i] - 1].rgb;
        c = (struct rgb){k[0], k[1], k[2]};
    }
    rgb[0] = c.r, rgb[1] = c.g, rgb[2] = c.b;
    /* a thread of lava thinner than a pixel must still be seen */
    return 0.92f * fmaxf(0.4f, (float)p->grid.cover[i] / 255);
}

static void put(unsigned char *out, float v)
{
    *out = (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v + 0.5f);
}

static void paint_relief(unsigned char *out, float shade)
{
    const float grey = 0.34f + 0.66f * shade;
    put(out, map_paper.r * grey);
    put(out + 1, map_paper.g * grey);
    put(out + 2, map_paper.b * grey);
}

static void paint_layer(unsigned char *out, float shade, const float layer[3], float alpha)
{
    const float tone = 0.76f + 0.24f * shade / HILLSHADE_FLAT; /* relief on the lava: gently */
    for (int k = 0; k < 3; k++) put(out + k, out[k] + alpha * (layer[k] * tone - out[k]));
}

/* The ground is painted first, then what lies between, then the layer. */
enum coat { GROUND, LAYER };

/* One row of pixels. */
static void paint_row(struct map_page *p, enum coat coat, const float *shade,
                      const float (*weight)[3], int y)
{
    const struct map_grid *g = &p->grid;
    int n = g->enlarge, row = y / n, x = p->map.x0;
    const float *here = shade + (size_t)row * g->cols;
    const float *above = row ? here - g->cols : here;
    const float *below = row + 1 < g->rows ? here + g->cols : here;
    const float *v = weight[y % n];
    float before, now, after, layer[3] = {0};
    now = before = v[0] * above[0] + v[1] * here[0] + v[2] * below[0];
    for (int col = 0; col < g->cols; col++, before = now, now = after) {
        int next = col + 1 < g->cols ? col + 1 : col;
        size_t i = (size_t)row * g->cols + col;
        bool missing = isnan(g->elevation_m[i]);
        float alpha = coat == LAYER ? layer_colour(p, i, layer) : 0;
        after = v[0] * above[next] + v[1] * here[next] + v[2] * below[next];
        for (int k = 0; k < n; k++, x++) {
            unsigned char *out = canvas_at(&p->canvas, x, p->map.y0 + y);
            const float *w = weight[k];
            const float light = w[0] * before + w[1] * now + w[2] * after;
            if (coat == LAYER) {
                if (alpha > 0) paint_layer(out, light, layer, alpha);
            } else if (missing) {
                const struct rgb c = hole_colour(g, i, x, p->map.y0 + y);
                out[0] = c.r, out[1] = c.g, out[2] = c.b;
            } else {
                paint_relief(out, light);
            }
        }
    }
}

static void paint(struct map_page *p, enum coat coat, const float *shade, const float (*weight)[3])
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < p->grid.rows * p->grid.enlarge; y++) paint_row(p, coat, shade, weight, y);
}

/* So that the map is not mistaken for a real one: large letters across the ground, below the
 * data. */
static void draw_watermark(struct map_page *p)
{
    const char *text = p->m->warning;
    double wide = p->map.x1 - p->map.x0, high = p->map.y1 - p->map.y0;
    struct font f = {28, FONT_BOLD, atan2(high, wide), 0.5};
    f.size_px *=
        fmin(0.7 * hypot(wide, high) / font_width(&f, text), 0.2 * fmin(wide, high) / f.size_px);
    double x = (p->map.x0 + p->map.x1) / 2.0 + sin(f.angle) * f.size_px / 2;
    double y = (p->map.y0 + p->map.y1) / 2.0 + cos(f.angle) * f.size_px / 2;
    font_draw(&p->canvas, &f, x, y, text);
    canvas_ink(&p->canvas, map_alarm, 0.22);
}

/* A dark edge on the ground around the layer: pale thick lava would fade into pale ground. It lies
 * outside, and under the layer, so that no cell of the layer gets smaller or darker. */
static void draw_rim(struct map_page *p)
{
    const struct map_grid *g = &p->grid;
    const double n = g->enlarge, rim = g->enlarge > 1 ? 1.6 : 1;
    for (int row = 0; row < g->rows; row++) {
        for (int col = 0; col < g->cols; col++) {
            if (!g->cover[(size_t)row * g->cols + col]) continue;
            const double x = p->map.x0 + n * col, y = p->map.y0 + n * row;
            for (int k = 0; k < 9; k++) {
                const int up = k / 3 - 1, right = k % 3 - 1, r = row + up, c = col + right;
                if (r < 0 || c < 0 || r >= g->rows || c >= g->cols ||
                    g->cover[(size_t)r * g->cols + c])
                    continue;
                canvas_rectangle(&p->canvas,
                                 right > 0   ? x + n
                                 : right < 0 ? x - rim
                                             : x,
                                 up > 0   ? y + n
                                 : up < 0 ? y - rim
                                          : y,
                                 right > 0   ? x + n + rim
                                 : right < 0 ? x
                                             : x + n,
                                 up > 0   ? y + n + rim
                                 : up < 0 ? y
                                          : y + n);
            }
        }
    }
    canvas_ink(&p->canvas, map_black, 0.6);
}

/* Ground, watermark, rim, layer. */
static int paint_all(struct map_page *p, struct error *e)
{
    const struct map_grid *g = &p->grid;
    size_t n = (size_t)g->rows * g->cols;
    float *shade = malloc(2 * n * sizeof *shade),
          (*weight)[3] = malloc(g->enlarge * sizeof *weight);
    if (!shade || !weight) {
        free(shade);
        free(weight);
        return error_failed(e, "no memory for the relief of a map");
    }
    for (int k = 0; k < g->enlarge; k++) spline(weight[k], k, g->enlarge);
    int status = hillshade(shade, g->elevation_m, g->rows, g->cols, p->m->geo.cell_m * g->block, e);
    if (!status) {
        bleed(shade + n, shade, g->rows, g->cols);
        paint(p, GROUND, shade + n, weight);
        if (p->m->warning && *p->m->warning) draw_watermark(p);
        draw_rim(p);
        paint(p, LAYER, shade + n, weight);
    }
    free(shade);
    free(weight);
    return status;
}

/* Softened by half towards the neighbours, so that single rough cells do not make a line tremble.
 */
static void soften(float *soft, const float *v, int rows, int cols)
{
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            const float *here = v + (size_t)row * cols + col;
            float n[4] = {row ? here[-cols] : *here, row + 1 < rows ? here[cols] : *here,
                          col ? here[-1] : *here, col + 1 < cols ? here[1] : *here};
            for (int k = 0; k < 4; k++)
                if (isnan(n[k])) n[k] = *here;
            soft[here - v] = 0.5f * *here + 0.125f * (n[0] + n[1] + n[2] + n[3]);
        }
    }
}

/* Blue is far from every colour of the lava scale, but classes may have any. */
static struct rgb outline_colour(const struct map_page *p)
{
    const unsigned char *k = p->m->outline_rgb;
    if (k) return (struct rgb){k[0], k[1], k[2]};
    return p->m->kind == MAP_CLASSES ? map_black : map_blue;
}

static void draw_outline(struct map_page *p, const float *soft)
{
    struct isolines lines = {soft,      p->grid.rows, p->grid.cols,
                             p->map.x0, p->map.y0,    p->grid.enlarge};
    for (int pass = 0; pass < 2; pass++) { /* a pale casing, then the line */
        isolines_draw(&p->canvas, &lines, 0.499, 10, 1, pass ? 2.6 : 5.4);
        canvas_ink(&p->canvas, pass ? outline_colour(p) : map_white, pass ? 1 : 0.6);
    }
}

void map_outline_sample(struct map_page *p, double x, double y, double width)
{
    canvas_segment(&p->canvas, x, y, x + width, y, 2.8);
    canvas_ink(&p->canvas, outline_colour(p), 1);
}

static void draw_dot(struct map_page *p, double x, double y)
{
    canvas_disc(&p->canvas, x, y, 5);
    canvas_ink(&p->canvas, map_black, 1);
    canvas_disc(&p->canvas, x, y, 3);
    canvas_ink(&p->canvas, map_white, 1);
}

void map_vent_symbol(struct map_page *p, double x, double y)
{
    if (p->m->mark_small) {
        draw_dot(p, x, y);
        return;
    }
    const double w = 9.5, up = 11, down = 6;
    const double corner[3][2] = {{x - w, y + down}, {x, y - up}, {x + w, y + down}};
    canvas_polygon(&p->canvas, corner, 3);
    canvas_ink(&p->canvas, map_white, 1);
    for (int i = 0; i < 3; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 3];
        canvas_segment(&p->canvas, a[0], a[1], b[0], b[1], 2.6);
    }
    canvas_ink(&p->canvas, map_black, 1);
}

void map_missing_sample(struct map_page *p, int x0, int y0, int x1, int y1)
{
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            struct rgb c = missing_colour(x, y);
            memcpy(canvas_at(&p->canvas, x, y), (unsigned char[]){c.r, c.g, c.b}, 3);
        }
    }
}

void map_sea_sample(struct map_page *p, int x0, int y0, int x1, int y1)
{
    canvas_rectangle(&p->canvas, x0, y0, x1, y1);
    canvas_ink(&p->canvas, sea_colour, 1);
}

static void draw_vents(struct map_page *p)
{
    const struct map *m = p->m;
    double zoom = (double)p->grid.enlarge / p->grid.block;
    for (int row = 0; row < m->rows; row++)
        for (int col = 0; col < m->cols; col++)
            if (m->mark[(size_t)row * m->cols + col])
                map_vent_symbol(p, p->map.x0 + zoom * (col + 0.5), p->map.y0 + zoom * (row + 0.5));
}

int map_terrain(struct map_page *p, struct error *e)
{
    const struct map_grid *g = &p->grid;
    float *soft = malloc((size_t)g->rows * g->cols * sizeof *soft);
    if (!soft) return error_failed(e, "no memory for the lines of a map");
    canvas_clip(&p->canvas, p->map.x0, p->map.y0, p->map.x1, p->map.y1);
    int status = paint_all(p, e);
    if (!status && p->contour_m > 0) {
        soften(soft, g->elevation_m, g->rows, g->cols);
        map_contours(p, soft);
    }
    if (!status && g->inside) {
        soften(soft, g->inside, g->rows, g->cols);
        draw_outline(p, soft);
    }
    if (!status && p->m->mark) draw_vents(p);
    if (!status) map_things(p);
    canvas_unclip(&p->canvas);
    free(soft);
    return status;
}
