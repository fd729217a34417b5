/* output_animation.c — frames of the animation, drawn at the end with the scale of all. */
#include "output_map.h"

#include "base/file_progress.h"
#include "draw/animation.h"

#include <stdlib.h>
#include <string.h>

enum { SHORTEST_MS = 40, ALL_MS = 10000, LAST_MS = 2500, DPI = 100 };

static void thin_out(struct output_frames *all)
{
    int kept = 0;
    all->every *= 2;
    for (int i = 0; i < all->count; i++) {
        if (all->kept[i].sheet.step % all->every) output_kept_free(&all->kept[i]);
        else all->kept[kept++] = all->kept[i];
    }
    all->count = kept;
}

int output_frames_add(struct output_frames *all, const struct output_info *info,
                      const struct sim_case *c, const struct fields *f, struct error *e)
{
    if (!all->every) all->every = info->pictures.frame_every;
    if (all->count && all->kept[all->count - 1].sheet.step == f->step) return 0;
    while (all->count >= FRAMES_MOST - 1) thin_out(all);
    int status = output_kept_take(&all->kept[all->count], &all->view, c, f, e);
    if (!status) all->count++;
    return status;
}

void output_frames_free(struct output_frames *all)
{
    for (int i = 0; i < all->count; i++) output_kept_free(&all->kept[i]);
    all->count = 0;
}

/* The files that the frames go to. */
struct moving {
    char *webp_path, *film_path; /* NULL: no film */
    int width, height;           /* of the first frame, and so of all */
    struct animation *webp;
    struct film *film;
};

static int begin(struct moving *m, cairo_surface_t *first, int milliseconds, struct error *e)
{
    m->width = cairo_image_surface_get_width(first);
    m->height = cairo_image_surface_get_height(first);
    int status = animation_create(&m->webp, m->width, m->height, e);
    if (status || !m->film_path) return status;
    return film_create(&m->film, m->film_path, m->width, m->height, milliseconds, e);
}

/* The picture, or where its legend or texts made it another size than the first one, as much of it
 * as that has room for. */
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

/* A film shows each picture for the same time, so the last one comes several times. */
static int add_frame(struct moving *m, cairo_surface_t *picture, int milliseconds, bool last,
                     struct error *e)
{
    int status = m->webp ? 0 : begin(m, picture, milliseconds, e);
    if (status) return status;
    cairo_surface_t *fit = fitted(m, picture);
    if (cairo_surface_status(fit)) status = error_memory(e);
    if (!status) status = animation_add(m->webp, fit, last ? LAST_MS : milliseconds, e);
    const int times = last ? LAST_MS / milliseconds : 1;
    for (int i = 0; i < times && m->film && !status; i++) status = film_add(m->film, fit, e);
    cairo_surface_destroy(fit);
    return status;
}

static int finish(struct moving *m, const struct output_info *info, struct error *e)
{
    int status = animation_write(m->webp, m->webp_path, e);
    if (!status) status = output_wrote(info, m->webp_path, e);
    if (status || !m->film) return status;
    status = film_finish(m->film, e);
    m->film = NULL;
    return status ? status : output_wrote(info, m->film_path, e);
}

static int draw_all(struct moving *m, struct output_frames *all, const struct output_scene *at,
                    struct error *e)
{
    const int share = ALL_MS / all->count, milliseconds = share < SHORTEST_MS ? SHORTEST_MS : share;
    int status = 0;
    for (int i = 0; i < all->count && !status; i++) {
        cairo_surface_t *picture = NULL;
        if (file_progress_cancelled(at->info->progress)) return error_cancelled(e);
        file_progress_begin_file(at->info->progress, 0);
        status = output_kept_draw(&all->kept[i], OUTPUT_MAP_THICKNESS, at, &picture, e);
        if (!status) status = add_frame(m, picture, milliseconds, i + 1 == all->count, e);
        if (picture) cairo_surface_destroy(picture);
    }
    return status;
}

/* Frames have the size of that with the longest texts, and the map is at the same place in all. */
static struct output_view view_of(const struct output_frames *all, const struct output_view *v)
{
    struct output_view with = *v;
    with.room_subtitle = with.room_alert = "";
    for (int i = 0; i < all->count; i++) {
        const struct output_sheet *s = &all->kept[i].sheet;
        if (strlen(s->subtitle) > strlen(with.room_subtitle)) with.room_subtitle = s->subtitle;
        if (strlen(s->alert) > strlen(with.room_alert)) with.room_alert = s->alert;
    }
    return with;
}

int output_animation(struct output_frames *all, const struct output_scene *at, struct error *e)
{
    const struct output_info *info = at->info;
    const struct output_view view = view_of(all, at->view);
    struct output_info drawn = *info;
    const struct output_scene scene = {&drawn, at->x, &view};
    struct moving m = {0};
    int status = 0;
    if (!(info->pictures.width_in > 0)) drawn.pictures.dpi = DPI; /* smaller than on paper */
    if (!all->count) return 0;
    m.webp_path = output_file_path(info, &at->x->part.c, "animation.webp", e);
    if (info->pictures.film)
        m.film_path = output_file_path(info, &at->x->part.c, "animation.mp4", e);
    if (!m.webp_path || (info->pictures.film && !m.film_path)) status = ERROR_FAILED;
    if (!status) status = draw_all(&m, all, &scene, e);
    if (!status) status = finish(&m, info, e);
    film_abandon(m.film);
    animation_free(m.webp);
    free(m.webp_path);
    free(m.film_path);
    return status;
}
