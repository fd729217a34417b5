/* overlay.c — a layer as a coloured picture in degrees, for KMZ. */
#include "kml.h"

#include "draw/colours.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS_MOST = 2048, OPACITY = 217 };

static void include(struct overlay_box *b, double x, double y)
{
    b->x0 = fmin(b->x0, x);
    b->y0 = fmin(b->y0, y);
    b->x1 = fmax(b->x1, x);
    b->y1 = fmax(b->y1, y);
}

static const struct overlay_box nothing = {INFINITY, INFINITY, -INFINITY, -INFINITY};

struct overlay_box overlay_around_lava(const struct export_run *r)
{
    struct overlay_box b = nothing;
    const int last = r->isochrones ? r->isochrones->count - 1 : -1;
    if (last < 0) return b;
    const struct isochrone_area *a = &r->isochrones->at[last].reached;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->polygon[i].ring[0].count; k++)
            include(&b, a->polygon[i].ring[0].xy[k][0], a->polygon[i].ring[0].xy[k][1]);
    const double cell = r->geo.cell_m;
    return (struct overlay_box){b.x0 - cell, b.y0 - cell, b.x1 + cell, b.y1 + cell};
}

/* Its edges are curved in degrees. */
static bool to_degrees(struct overlay_box *to, const struct overlay_box *b,
                       const struct transform *transform)
{
    enum { PARTS = 16 };
    *to = nothing;
    for (int i = 0; i <= PARTS; i++) {
        const double x = b->x0 + (b->x1 - b->x0) * i / PARTS,
                     y = b->y0 + (b->y1 - b->y0) * i / PARTS;
        double edge[4][2] = {{x, b->y0}, {x, b->y1}, {b->x0, y}, {b->x1, y}};
        for (int k = 0; k < 4; k++) {
            if (!transform_back(transform, edge[k])) return false;
            include(to, edge[k][0], edge[k][1]);
        }
    }
    return true;
}

/* ---- which cell is where ---------------------------------------------------------------------
 *
 * A projection is nearly linear over a few pixels, so PROJ is asked at the corners of squares of
 * STRIDE pixels alone; in between, the two are within centimetres. */

enum { STRIDE = 16 };

static bool ask(double xy[2], const struct overlay *o, const struct transform *transform, int col,
                int row)
{
    const char *why;
    xy[0] = o->west + (o->east - o->west) * (col + 0.5) / o->width;
    xy[1] = o->north + (o->south - o->north) * (row + 0.5) / o->height;
    return transform_apply(transform, xy, &why);
}

static int32_t cell_at(const struct export_run *r, double x, double y)
{
    const double col = floor((x - r->geo.west_m) / r->geo.cell_m),
                 row = r->rows - 1 - floor((y - r->geo.south_m) / r->geo.cell_m);
    if (!(col >= 0 && row >= 0 && col < r->cols && row < r->rows)) return -1;
    return (int32_t)((int64_t)row * r->cols + (int64_t)col);
}

static bool fill_square(struct overlay *o, const struct export_run *r, int row0, int col0)
{
    double corner[4][2];
    for (int k = 0; k < 4; k++)
        if (!ask(corner[k], o, r->transform, col0 + (k & 1) * STRIDE, row0 + (k >> 1) * STRIDE))
            return false;
    for (int row = row0; row < o->height && row < row0 + STRIDE; row++)
        for (int col = col0; col < o->width && col < col0 + STRIDE; col++) {
            const double u = (double)(col - col0) / STRIDE, v = (double)(row - row0) / STRIDE;
            double xy[2];
            for (int k = 0; k < 2; k++)
                xy[k] = (1 - v) * ((1 - u) * corner[0][k] + u * corner[1][k]) +
                        v * ((1 - u) * corner[2][k] + u * corner[3][k]);
            o->cell[(size_t)row * (size_t)o->width + (size_t)col] = cell_at(r, xy[0], xy[1]);
        }
    return true;
}

/* Of those cells and a cell around them. */
static struct overlay_box around_cells(const struct export_run *r, const struct overlay_cells *k)
{
    const struct georef *g = &r->geo;
    const double north = g->south_m + r->rows * g->cell_m;
    return (struct overlay_box){
        g->west_m + (k->col0 - 1) * g->cell_m, north - (k->row1 + 2) * g->cell_m,
        g->west_m + (k->col1 + 2) * g->cell_m, north - (k->row0 - 1) * g->cell_m};
}

int overlay_create(struct overlay *o, const struct export_run *r, const struct overlay_cells *cells,
                   struct error *e)
{
    const struct overlay_box lava = cells ? around_cells(r, cells) : overlay_around_lava(r);
    struct overlay_box degrees;
    *o = (struct overlay){0};
    if (!(lava.x0 < lava.x1)) return 0;
    bool known = to_degrees(&degrees, &lava, r->transform);
    const double width = 2 * (lava.x1 - lava.x0) / r->geo.cell_m,
                 height = 2 * (lava.y1 - lava.y0) / r->geo.cell_m,
                 shrink = fmin(1, PIXELS_MOST / fmax(width, height));
    *o = (struct overlay){.width = (int)ceil(width * shrink),
                          .height = (int)ceil(height * shrink),
                          .west = degrees.x0,
                          .south = degrees.y0,
                          .east = degrees.x1,
                          .north = degrees.y1};
    o->cell = malloc((size_t)o->width * (size_t)o->height * sizeof *o->cell);
    if (!o->cell) return error_memory(e);
    for (int row = 0; row < o->height && known; row += STRIDE)
        for (int col = 0; col < o->width && known; col += STRIDE)
            known = fill_square(o, r, row, col);
    if (known) return 0;
    overlay_free(o);
    return error_failed(e, "PROJ cannot transform the lava to longitude and latitude");
}

void overlay_free(struct overlay *o)
{
    free(o->cell);
    *o = (struct overlay){0};
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* Index 0 is clear; 1 to 255 are the scale. */
static unsigned char index_of(const void *of, double thickness_m)
{
    const struct export_run *r = of;
    if (!case_shows(r->c, thickness_m)) return 0; /* NaN, too */
    const double t = (thickness_m - r->scale_low_m) / (r->scale_high_m - r->scale_low_m);
    return (unsigned char)(t < 1 ? 1 + (t > 0 ? (int)(t * 254 + 0.5) : 0) : 255);
}

void overlay_lava(struct overlay_colours *c, const struct export_run *r)
{
    *c = (struct overlay_colours){.index = index_of, .of = r};
    for (int i = 1; i < 256; i++)
        c->colour[i] = colours_at(&r->scale[COLOURS_LAVA], (i - 1) / 254.0);
}

int overlay_png(const struct overlay *o, const struct overlay_colours *c, const float *value,
                void **data, size_t *size, struct error *e)
{
    const size_t count = (size_t)o->width * (size_t)o->height;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)o->width,
                       .height = (png_uint_32)o->height,
                       .format = PNG_FORMAT_RGBA_COLORMAP,
                       .flags = PNG_IMAGE_FLAG_FAST,
                       .colormap_entries = 256};
    unsigned char palette[256][4] = {{0}}, *pixel = malloc(count);
    char *bytes = NULL;
    FILE *stream = pixel ? open_memstream(&bytes, size) : NULL;
    bool done = stream != NULL;
    *data = NULL;
    if (done) {
        for (int i = 1; i < 256; i++) {
            const struct rgb p = c->colour[i];
            memcpy(palette[i], (const unsigned char[4]){p.r, p.g, p.b, OPACITY}, 4);
        }
        for (size_t i = 0; i < count; i++)
            pixel[i] = o->cell[i] < 0 ? 0 : c->index(c->of, (double)value[o->cell[i]]);
        done = png_image_write_to_stdio(&image, stream, 0, pixel, 0, palette);
        if (fclose(stream) != 0) done = false;
    }
    free(pixel);
    if (done) *data = bytes;
    else free(bytes);
    return done ? 0 : error_memory(e);
}
