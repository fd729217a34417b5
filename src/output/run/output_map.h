/* output_map.h — the maps of a run: one map, and snapshots that are kept until the end (output_map.c); all maps, and the
 * frames of the animation (output_writer.c). */
#pragma once

#include "record/painters.h"
#include "output.h"

/* What all maps of a run have in common: the ends of the scale of thickness, and the part of the
 * domain that they show. */
struct output_view {
    double scale_low_m, scale_high_m;
    struct window crop;
    unsigned char *reached;                 /* reached cells; owned */
    struct map_around around;               /* rows 0: the maps have the whole domain; owned */
    const char *room_subtitle, *room_alert; /* leave room for these texts, too; NULL: none */
};
void output_view_free(struct output_view *v); /* all-zero is fine */

struct output_kept_cell; /* a cell with lava, or with other ground than at the start */

/* A state as maps show it: the last one, or one that is kept until the end, when the scale and the part of the domain are
 * known. It is kept as the cells where it differs from the terrain of the case, by their places in the whole domain: a later
 * extent may be larger. */
struct output_sheet {
    int64_t step;
    uint64_t digest;                 /* of the state */
    char subtitle[600], alert[1000]; /* packed */
    size_t count;
    struct output_kept_cell *cell; /* row by row; NULL: it is the state of the scene */
};

/* Makes the view that the case gives or, without one, the view of the state. Its scale then ends at scale_high_m or, unless
 * `fixed`, at the thickest lava of the state if that is more. */
int output_view_of(struct output_view *v, double scale_high_m, bool fixed,
                   const struct output_cut *x, struct error *e);

/* Makes a sheet with its texts only, about the whole case. digest: of the state; told: as in
 * info. */
struct output_sheet output_sheet_of(const struct sim_case *c, const struct fields *f,
                                    uint64_t digest, const struct warnings *told);
/* Makes a sheet with its cells, and extends the scale of the view to them. On an error *s is all zero. */
int output_sheet_keep(struct output_sheet *s, struct output_view *v, const struct sim_case *c,
                      const struct fields *f, struct error *e);
void output_sheet_free(struct output_sheet *s); /* all-zero is fine */

/* What all maps of a run are drawn with. */
struct output_scene {
    const struct output_info *info;
    const struct output_cut *x;
    const struct output_view *view;
};
/* Gives the map of a sheet to `use`. */
int output_sheet_with_map(const struct output_sheet *s, enum output_map kind,
                          const struct output_scene *at, map_use *use, void *to, struct error *e);
/* Paints it in all requested formats. *scale_denominator is set as that of a map; it may be NULL. */
int output_sheet_paint(const struct output_sheet *s, enum output_map kind,
                       const struct output_scene *at, double *scale_denominator, struct error *e);

/* Gives the cells in a row of a map of a sheet, of any kind but arrival. */
void output_sheet_row(const struct output_sheet *s, enum output_map kind,
                      const struct output_cut *x, int row, double *elevation_m, double *value);
/* The small print of a map, malloc'ed; NULL: no memory. */
char *output_sheet_note(const struct output_sheet *s, enum output_map kind,
                        const struct output_scene *at);

/* Notes the files of a map and their scale (0: unknown), or the failure by status and *e.
 * output_sheet_paint() does not, since several threads may paint. */
int output_sheet_done(const struct output_scene *at, enum output_map kind, int64_t step,
                      double scale_denominator, int status, struct error *e);

/* Draws all maps of one state by itself. */
int output_maps_of_state(const struct output_info *info, const struct output_cut *x,
                         struct error *e);

/* ---- frames ---------------------------------------------------------------------------------- */

enum { FRAMES_MOST = 240 };

struct output_frames {
    struct output_sheet kept[FRAMES_MOST];
    int count;
    int64_t every; /* steps between the frames that are kept; 0: as asked */
    struct output_view view;
};

/* Adds a state as a frame. If there are too many frames, every second one is dropped, and later
 * frames should come at multiples of `every`. */
int output_frames_add(struct output_frames *all, const struct output_info *info,
                      const struct sim_case *c, const struct fields *f, struct error *e);
void output_frames_free(struct output_frames *all);
