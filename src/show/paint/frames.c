/* frames.c — animations: maps one after the other. */
#include "paint.h"

#include "draw/animation.h"
#include "map/map.h"

enum { SHORTEST_MS = 40, ALL_MS = 10000, LAST_MS = 2500 };

struct moving {
    const struct frames *frames;
    int width, height; /* size of the first picture, and so of all */
    struct animation *webp;
};

static int begin_animation(struct moving *m, cairo_surface_t *first, struct error *e)
{
    m->width = cairo_image_surface_get_width(first);
    m->height = cairo_image_surface_get_height(first);
    return animation_create(&m->webp, m->width, m->height, e);
}

/* The picture in the size of the first one: where its legend or texts made it another size, it is cut or padded. */
static cairo_surface_t *fitted(const struct moving *m, cairo_surface_t *picture)
{
    if (cairo_image_surface_get_width(picture) == m->width &&
        cairo_image_surface_get_height(picture) == m->height)
        return cairo_surface_reference(picture);
    cairo_surface_t *fit = cairo_image_surface_create(CAIRO_FORMAT_RGB24, m->width, m->height);
    cairo_t *cr = cairo_create(fit);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_set_source_surface(cr, picture, 0, 0);
    cairo_paint(cr);
    cairo_destroy(cr);
    cairo_surface_flush(fit);
    return fit;
}

static int add_frame(struct moving *m, cairo_surface_t *picture, int milliseconds, struct error *e)
{
    int status = m->width ? 0 : begin_animation(m, picture, e);
    if (status) return status;
    cairo_surface_t *fit = fitted(m, picture);
    if (cairo_surface_status(fit)) status = error_memory(e);
    if (!status) status = animation_add(m->webp, fit, milliseconds, e);
    cairo_surface_destroy(fit);
    return status;
}

struct shown {
    const struct frames *frames;
    int i;
};

static void show_row(const void *shown, int row, double *elevation_m, double *value)
{
    const struct shown *s = shown;
    s->frames->row(s->frames->of, s->i, row, elevation_m, value);
}

static int paint_frame(struct moving *m, int i, struct error *e)
{
    const struct frames *f = m->frames;
    const struct shown shown = {f, i};
    const int share = int_most(ALL_MS / f->count, SHORTEST_MS);
    struct map map = *f->map;
    map.subtitle = f->frame[i].subtitle;
    map.alert = f->frame[i].alert;
    map.note = f->frame[i].note;
    map.row = show_row;
    map.row_of = &shown;
    cairo_surface_t *picture = NULL;
    int status = f->begin(f->of, i, e);
    if (!status) status = map_picture(&picture, &map, e);
    if (!status) status = add_frame(m, picture, i + 1 == f->count ? LAST_MS : share, e);
    if (picture) cairo_surface_destroy(picture);
    return status;
}

int animate_frames(const struct frames *f, const char *path, struct error *e)
{
    struct moving m = {.frames = f};
    int status = 0;
    for (int i = 0; i < f->count && !status; i++) status = paint_frame(&m, i, e);
    if (!status) status = animation_write(m.webp, path, e);
    animation_free(m.webp);
    return status;
}
