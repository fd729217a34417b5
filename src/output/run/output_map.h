/* output_map.h — the maps of a run. output_map.c draws one map, and keeps snapshots until the end.
 * output_writer.c draws all maps, and the frames of the animation. */
#pragma once

#include "record/painters.h"
#include "output.h"

/* What all maps of a run have in common: the ends of the scale of thickness, and the shown part of the domain. */
struct output_view {
    double scale_low_m, scale_high_m;
    struct window crop;
    unsigned char *reached;   /* reached cells; owned */
    struct map_around around; /* the locator; rows 0: maps have no locator; owned */
    /* the longest texts of all frames; each frame leaves room for them; NULL: none */
    const char *room_subtitle, *room_alert;
};
void output_view_free(struct output_view *v); /* all-zero is fine */

struct output_kept_cell; /* a cell with lava, or with other ground than at the start */

/* A state as maps show it: the last state, or an earlier state that is kept until the end, when the scale and the shown
 * part of the domain are known. A kept state has only the cells that differ from the terrain of the case. Each kept
 * cell has its index in the whole domain, because a later extent may be larger. */
struct output_sheet {
    int64_t step;
    uint64_t digest;                 /* digest of the state */
    char subtitle[600], alert[1000]; /* packed texts (text/words.h) */
    size_t count;
    /* row by row; NULL: the sheet shows the cells of the extent (struct output_scene) */
    struct output_kept_cell *cell;
};

/* Makes the view that the case specifies or, by default, a view of all lava of the state. The
 * default scale ends at scale_high_m. Unless `fixed`, thicker lava of the state extends it. */
int output_view_of(struct output_view *v, double scale_high_m, bool fixed,
                   const struct output_cut *x, struct error *e);

/* Makes a sheet that has no cells, but the texts about the whole state *f. digest: the digest of the state; told: the
 * warnings about the run, or NULL. */
struct output_sheet output_sheet_of(const struct sim_case *c, const struct fields *f,
                                    uint64_t digest, const struct warnings *told);
/* Makes a sheet with its cells, and extends the scale of the view to these cells. On an error *s is all zero. */
int output_sheet_keep(struct output_sheet *s, struct output_view *v, const struct sim_case *c,
                      const struct fields *f, struct error *e);
void output_sheet_free(struct output_sheet *s); /* all-zero is fine */

/* What the drawing of each map of a run needs. */
struct output_scene {
    const struct output_info *info;
    const struct output_cut *x;
    const struct output_view *view;
};
/* Calls `use` with the map of a sheet. */
int output_sheet_with_map(const struct output_sheet *s, enum output_map kind,
                          const struct output_scene *at, map_use *use, void *to, struct error *e);
/* Paints the map of a sheet in all requested formats. *scale_denominator becomes n of the scale 1 : n; it may be NULL. */
int output_sheet_paint(const struct output_sheet *s, enum output_map kind,
                       const struct output_scene *at, double *scale_denominator, struct error *e);

/* Fills a row of cells of the map of a sheet. The kind must not be arrival. */
void output_sheet_row(const struct output_sheet *s, enum output_map kind,
                      const struct output_cut *x, int row, double *elevation_m, double *value);
/* The small print of a map, malloc'ed; NULL: out of memory. */
char *output_sheet_note(const struct output_sheet *s, enum output_map kind,
                        const struct output_scene *at);

/* Notes the files of a map and their scale (0: unknown), or the failure `status` with *e. output_sheet_paint() does not
 * note them, because several threads may paint. */
int output_sheet_done(const struct output_scene *at, enum output_map kind, int64_t step,
                      double scale_denominator, int status, struct error *e);

/* Draws all maps of a single state. */
int output_maps_of_state(const struct output_info *info, const struct output_cut *x,
                         struct error *e);

/* ---- frames ---------------------------------------------------------------------------------- */

enum { FRAMES_MOST = 240 };

struct output_frames {
    struct output_sheet kept[FRAMES_MOST];
    int count;
    int64_t every; /* steps between kept frames; 0: as requested */
    struct output_view view;
};

/* Adds a state as a frame. If there are too many frames, every second frame is dropped, and the caller should add later
 * frames only at multiples of `every`. */
int output_frames_add(struct output_frames *all, const struct output_info *info,
                      const struct sim_case *c, const struct fields *f, struct error *e);
void output_frames_free(struct output_frames *all);
