/* scene.h — what a picture shows, without a format or a size. Studies and runs describe scenes, show/ paints them. */
#pragma once

#include "diagram.h"
#include "layer_set.h"
#include "map_scene.h"
#include "report_page.h"
#include "text_page.h"

/* An animation: maps of one size. `map` has what all frames share. Each frame has its own texts, and cells row by row. */
struct frame {
    const char *subtitle, *alert, *note;
};
struct frames {
    const struct map *map; /* has no cells; the frames have them */
    int count;
    const struct frame *frame;
    int (*begin)(const void *of, int i, struct error *e); /* called before row() for frame i */
    void (*row)(const void *of, int i, int row, double *elevation_m, double *value);
    const void *of;
};

struct scene {
    enum scene_kind {
        SCENE_MAP,
        SCENE_PLOTS, /* lines and points; several diagrams are one below the other */
        SCENE_CHART, /* bars */
        SCENE_CORNER,
        SCENE_PAGE,
        SCENE_LAYERS, /* all layers of a folder, for globes and GIS */
        SCENE_FRAMES,
        SCENE_REPORT /* report.html, with the layers and tables of its folder */
    } kind;
    int plots; /* number of diagrams of SCENE_PLOTS */
    /* depends on `kind`: struct map, struct plot, struct chart, struct corner, struct text_page, struct layer_set, struct
     * frames or struct report_page */
    const void *of;
    /* Language of the texts of diagrams; NULL: English. Each text is a row of words.tsv, or a text packed by
     * words_pack() (text/words.h). */
    const char *language;
};

/* Each scene_of_NAME() makes a scene that shows *of. The caller keeps *of as long as the scene. */
#define SCENE_OF(name, kind, type)                                                                 \
    static inline struct scene scene_of_##name(const struct type *of)                              \
    {                                                                                              \
        return (struct scene){kind, 0, of, NULL};                                                  \
    }
SCENE_OF(map, SCENE_MAP, map)
SCENE_OF(chart, SCENE_CHART, chart)
SCENE_OF(corner, SCENE_CORNER, corner)
SCENE_OF(page, SCENE_PAGE, text_page)
SCENE_OF(layers, SCENE_LAYERS, layer_set)
SCENE_OF(frames, SCENE_FRAMES, frames)
SCENE_OF(report, SCENE_REPORT, report_page)
#undef SCENE_OF
static inline struct scene scene_of_plots(const struct plot *p, int count)
{
    return (struct scene){SCENE_PLOTS, count, p, NULL};
}
