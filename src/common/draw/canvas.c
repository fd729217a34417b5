#include "canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct box nothing = {1 << 30, 1 << 30, -1, -1};

int canvas_create(struct canvas *c, int width, int height, struct error *e)
{
    size_t pixels = (size_t)width * height;
    *c = (struct canvas){width, height, malloc(3 * pixels), calloc(pixels, 1), {0}, nothing};
    if (!c->pixel || !c->mask) {
        canvas_free(c);
        return error_failed(e, "no memory for a picture of %d x %d pixels", width, height);
    }
    memset(c->pixel, 255, 3 * pixels);
    canvas_unclip(c);
    return 0;
}

void canvas_free(struct canvas *c)
{
    free(c->pixel);
    free(c->mask);
    *c = (struct canvas){0};
}

static int limit(double v, int lo, int hi)
{
    return v > lo ? (v < hi ? (int)v : hi) : lo;
}

void canvas_clip(struct canvas *c, int x0, int y0, int x1, int y1)
{
    c->clip = (struct box){limit(x0, 0, c->width), limit(y0, 0, c->height), limit(x1, 0, c->width),
                           limit(y1, 0, c->height)};
}

void canvas_unclip(struct canvas *c)
{
    canvas_clip(c, 0, 0, c->width, c->height);
}

/* The pixels inside the clip that a shape between these coordinates can touch. */
static struct box touched(const struct canvas *c, double x0, double y0, double x1, double y1)
{
    return (struct box){
        limit(floor(x0), c->clip.x0, c->clip.x1), limit(floor(y0), c->clip.y0, c->clip.y1),
        limit(ceil(x1), c->clip.x0, c->clip.x1), limit(ceil(y1), c->clip.y0, c->clip.y1)};
}

static void mark_dirty(struct canvas *c, struct box b)
{
    struct box *d = &c->dirty;
    if (b.x0 >= b.x1 || b.y0 >= b.y1) return;
    if (b.x0 < d->x0) d->x0 = b.x0;
    if (b.y0 < d->y0) d->y0 = b.y0;
    if (b.x1 > d->x1) d->x1 = b.x1;
    if (b.y1 > d->y1) d->y1 = b.y1;
}

static void cover(struct canvas *c, int x, int y, float coverage)
{
    unsigned char *m = &c->mask[(size_t)y * c->width + x];
    int v = coverage >= 1 ? 255 : (int)(255 * coverage + 0.5f);
    if (v > *m) *m = (unsigned char)v;
}

void canvas_segment(struct canvas *c, double x0, double y0, double x1, double y1, double width_px)
{
    double reach = width_px / 2 + 0.5, dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
    double per_length2 = length2 > 0 ? 1 / length2 : 0;
    float strength = width_px < 1 ? (float)width_px : 1;
    struct box b = touched(c, fmin(x0, x1) - reach, fmin(y0, y1) - reach, fmax(x0, x1) + reach,
                           fmax(y0, y1) + reach);
    mark_dirty(c, b);
    for (int y = b.y0; y < b.y1; y++) {
        /* Only the part of the segment that passes within reach of this row matters here. */
        double py = y + 0.5, xa = x0, xb = x1;
        if (fabs(dy) > 1e-9) {
            double ta = (py - reach - y0) / dy, tb = (py + reach - y0) / dy;
            xa = x0 + dx * fmin(1, fmax(0, ta));
            xb = x0 + dx * fmin(1, fmax(0, tb));
        }
        int first = limit(floor(fmin(xa, xb) - reach), b.x0, b.x1);
        int last = limit(ceil(fmax(xa, xb) + reach), b.x0, b.x1);
        for (int x = first; x < last; x++) {
            double px = x + 0.5 - x0, qy = py - y0, t;
            t = (px * dx + qy * dy) * per_length2;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double ex = px - t * dx, ey = qy - t * dy, d2 = ex * ex + ey * ey;
            if (d2 >= reach * reach) continue;
            double inside = reach - sqrt(d2);
            cover(c, x, y, strength * (float)(inside < 1 ? inside : 1));
        }
    }
}

void canvas_disc(struct canvas *c, double x, double y, double radius_px)
{
    canvas_segment(c, x, y, x, y, 2 * radius_px);
}

static int by_value(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Adds to row[] (one float per pixel of the box) what the polygon covers on the scan line y. */
static void scan(float *row, struct box b, double y, const double (*corner)[2], int n, float weight)
{
    enum { MOST = 64 };
    double cross[MOST];
    int count = 0;
    for (int i = 0; i < n && count < MOST; i++) {
        const double *p = corner[i], *q = corner[(i + 1) % n];
        if ((p[1] <= y) != (q[1] <= y))
            cross[count++] = p[0] + (y - p[1]) * (q[0] - p[0]) / (q[1] - p[1]);
    }
    qsort(cross, (size_t)count, sizeof *cross, by_value);
    for (int i = 0; i + 1 < count; i += 2) {
        int first = limit(floor(cross[i]), b.x0, b.x1),
            last = limit(ceil(cross[i + 1]), b.x0, b.x1);
        for (int x = first; x < last; x++)
            row[x - b.x0] += weight * (float)(fmin(cross[i + 1], x + 1) - fmax(cross[i], x));
    }
}

void canvas_polygon(struct canvas *c, const double (*corner)[2], int n)
{
    enum { LINES = 8, WIDEST = 4096 }; /* scan lines per pixel; exact coverage along them */
    float row[WIDEST];
    double lo[2] = {1e30, 1e30}, hi[2] = {-1e30, -1e30};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) {
            lo[k] = fmin(lo[k], corner[i][k]);
            hi[k] = fmax(hi[k], corner[i][k]);
        }
    }
    struct box b = touched(c, lo[0], lo[1], hi[0], hi[1]);
    if (b.x1 > b.x0 + WIDEST) b.x1 = b.x0 + WIDEST;
    mark_dirty(c, b);
    for (int y = b.y0; y < b.y1; y++) {
        memset(row, 0, sizeof *row * (size_t)(b.x1 - b.x0));
        for (int k = 0; k < LINES; k++)
            scan(row, b, y + (k + 0.5) / LINES, corner, n, 1.0f / LINES);
        for (int x = b.x0; x < b.x1; x++) cover(c, x, y, row[x - b.x0]);
    }
}

void canvas_rectangle(struct canvas *c, double x0, double y0, double x1, double y1)
{
    struct box b = touched(c, x0, y0, x1, y1);
    mark_dirty(c, b);
    for (int y = b.y0; y < b.y1; y++) {
        double high = fmin(y1, y + 1) - fmax(y0, y);
        for (int x = b.x0; x < b.x1; x++)
            cover(c, x, y, (float)(high * (fmin(x1, x + 1) - fmax(x0, x))));
    }
}

void canvas_frame(struct canvas *c, double x0, double y0, double x1, double y1, double width_px)
{
    double w = width_px;
    canvas_rectangle(c, x0, y0, x1, y0 + w);
    canvas_rectangle(c, x0, y1 - w, x1, y1);
    canvas_rectangle(c, x0, y0, x0 + w, y1);
    canvas_rectangle(c, x1 - w, y0, x1, y1);
}

static void mix(unsigned char *channel, int ink, int part /* of 65025 */)
{
    *channel = (unsigned char)((*channel * (65025 - part) + ink * part + 32512) / 65025);
}

void canvas_ink(struct canvas *c, struct rgb colour, double alpha)
{
    int strength = (int)(255 * fmin(1, fmax(0, alpha)) + 0.5);
    struct box d = c->dirty;
    c->dirty = nothing;
    for (int y = d.y0; y < d.y1; y++) {
        unsigned char *m = c->mask + (size_t)y * c->width, *p = canvas_at(c, 0, y);
        for (int x = d.x0; x < d.x1; x++) {
            if (!m[x]) continue;
            int part = m[x] * strength;
            mix(p + 3 * x, colour.r, part);
            mix(p + 3 * x + 1, colour.g, part);
            mix(p + 3 * x + 2, colour.b, part);
            m[x] = 0;
        }
    }
}
