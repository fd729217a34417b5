#include "output_animation.h"

#include "base/watch.h"
#include "draw/animation.h"

#include <stdlib.h>

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

/* Smaller than a map on paper, unless a size is asked for. */
static struct output_info info_of(const struct output_info *info)
{
    struct output_info with = *info;
    if (!(info->pictures.width_in > 0)) with.pictures.dpi = DPI;
    return with;
}

static int draw_frame(cairo_surface_t **picture, struct output_kept *k,
                      const struct output_info *info, const struct sim_case *c,
                      const struct output_view *v, const unsigned char *outline, struct error *e)
{
    const struct output_info with = info_of(info);
    int status = output_kept_unfold(k, c, e);
    if (status) return status;
    output_kept_values(k, OUTPUT_MAP_THICKNESS);
    status =
        output_sheet_picture(picture, &with, c, &k->sheet, OUTPUT_MAP_THICKNESS, v, outline, e);
    output_sheet_free(&k->sheet);
    return status;
}

static int add_frame(struct animation **a, cairo_surface_t *picture, int milliseconds,
                     struct error *e)
{
    int status = *a ? 0
                    : animation_create(a, cairo_image_surface_get_width(picture),
                                       cairo_image_surface_get_height(picture), e);
    return status ? status : animation_add(*a, picture, milliseconds, e);
}

int output_animation(struct output_frames *all, const struct output_info *info,
                     const struct sim_case *c, const struct output_view *v,
                     const unsigned char *outline, struct error *e)
{
    struct animation *a = NULL;
    char *path = output_file_path(info, c, "animation.webp", e);
    int status = path ? 0 : ERROR_FAILED;
    for (int i = 0; i < all->count && !status; i++) {
        cairo_surface_t *picture = NULL;
        const int share = ALL_MS / all->count;
        watch_file(info->watch, 0);
        status = watch_cancelled(info->watch)
                     ? error_cancelled(e)
                     : draw_frame(&picture, &all->kept[i], info, c, v, outline, e);
        if (!status)
            status = add_frame(&a, picture,
                               i + 1 == all->count   ? LAST_MS
                               : share < SHORTEST_MS ? SHORTEST_MS
                                                     : share,
                               e);
        if (picture) cairo_surface_destroy(picture);
    }
    if (!status && a) status = animation_write(a, path, e);
    if (!status && a) status = output_wrote(info, path, e);
    animation_free(a);
    free(path);
    return status;
}
