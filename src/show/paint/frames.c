/* frames.c — paints animations: maps one after the other. */
#include "paint.h"

#include "draw/animation.h"
#include "map/map.h"

enum { SHORTEST_MS = 40, ALL_MS = 10000, LAST_MS = 2500 };

struct shown {
    const struct frames *frames;
    int i;
};

static void show_row(const void *shown, int row, double *elevation_m, double *value)
{
    const struct shown *s = shown;
    s->frames->row(s->frames->of, s->i, row, elevation_m, value);
}

static int paint_frame(struct animation **webp, const struct frames *f, int i, struct error *e)
{
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
    if (!status && !*webp) status = animation_create(webp, picture, e);
    if (!status) status = animation_add(*webp, picture, i + 1 == f->count ? LAST_MS : share, e);
    if (picture) cairo_surface_destroy(picture);
    return status;
}

int animate_frames(const struct frames *f, const char *path, struct error *e)
{
    struct animation *webp = NULL;
    int status = 0;
    for (int i = 0; i < f->count && !status; i++) status = paint_frame(&webp, f, i, e);
    if (!status) status = animation_write(webp, path, e);
    animation_free(webp);
    return status;
}
