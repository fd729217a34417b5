/* scene.h — what one picture shows, without its format, size of letters or language: the studies and runs describe it, and
 * show/ paints it. */
#pragma once

#include "diagram.h"
#include "layer_set.h"
#include "map_scene.h"
#include "report_page.h"
#include "text_page.h"

/* The frames of an animation, maps of one size: what all have in common, and of each its texts and, row by row, its
 * cells. */
struct frame {
    const char *subtitle, *alert, *note;
};
struct frames {
    const struct map *map; /* its cells are those of a frame */
    int count;
    const struct frame *frame;
    int (*begin)(const void *of, int i, struct error *e); /* is called before rows of frame i */
    void (*row)(const void *of, int i, int row, double *elevation_m, double *value);
    const void *of;
};

struct scene {
    enum scene_kind {
        SCENE_MAP,
        SCENE_PLOTS, /* lines and points; several below one another */
        SCENE_CHART, /* bars */
        SCENE_CORNER,
        SCENE_PAGE,
        SCENE_LAYERS, /* of a folder, for globes and GIS */
        SCENE_FRAMES,
        SCENE_REPORT /* report.html, with the layers and tables of its folder */
    } kind;
    int plots; /* of SCENE_PLOTS */
    const void *
        of; /* struct map, struct plot, struct chart, struct corner, struct text_page, struct layer_set, struct frames,
           struct report_page */
};

static inline struct scene scene_of_map(const struct map *m)
{
    return (struct scene){SCENE_MAP, 0, m};
}
static inline struct scene scene_of_plots(const struct plot *p, int count)
{
    return (struct scene){SCENE_PLOTS, count, p};
}
static inline struct scene scene_of_chart(const struct chart *c)
{
    return (struct scene){SCENE_CHART, 0, c};
}
static inline struct scene scene_of_page(const struct text_page *p)
{
    return (struct scene){SCENE_PAGE, 0, p};
}
static inline struct scene scene_of_layers(const struct layer_set *l)
{
    return (struct scene){SCENE_LAYERS, 0, l};
}
static inline struct scene scene_of_corner(const struct corner *c)
{
    return (struct scene){SCENE_CORNER, 0, c};
}
static inline struct scene scene_of_frames(const struct frames *f)
{
    return (struct scene){SCENE_FRAMES, 0, f};
}
static inline struct scene scene_of_report(const struct report_page *p)
{
    return (struct scene){SCENE_REPORT, 0, p};
}
