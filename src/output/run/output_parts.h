/* output_parts.h — the pieces of output.h among themselves. */
#ifndef SCIARA_OUTPUT_PARTS_H
#define SCIARA_OUTPUT_PARTS_H

#include "compare/outline.h"
#include "map/map.h"
#include "output.h"
#include "products/products.h"

#define OUTPUT_NODATA (-9999.0)

int output_layers(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e);
/* ERROR_INPUT where its rates cannot be written in that format. */
int output_original_check(const struct sim_case *c, struct error *e);
int output_original(const struct output_info *info, const struct sim_case *c,
                    const struct fields *f, struct error *e);

/* ---- maps: output_map.c draws one, output_maps.c those of a run ------------------------------ */

/* What all maps of a run have in common: the ends of the scale of thickness, and the part of the
 * domain that they show. */
struct output_view {
    double scale_low_m, scale_high_m;
    struct map_crop crop;
    unsigned char *reached;                 /* cells that lava has ever come to; owned */
    const char *room_subtitle, *room_alert; /* of maps of one size (map.h); NULL: of any */
};
void output_view_free(struct output_view *v); /* all-zero is fine */

/* A state as maps show it. */
struct output_sheet {
    int64_t step;
    struct window window;
    const double *terrain;  /* of the window; NaN: nothing there */
    double *value, *filled; /* of one map after the other; the terrain, where it is not borrowed */
    char subtitle[600], alert[160];
    double scale_denominator; /* of the map that was drawn last */
};

/* Where the case does not say it, what is shown follows from the state, and the scale has no end
 * yet. */
int output_view_of(struct output_view *v, const struct sim_case *c, const struct fields *f,
                   const unsigned char *outline, struct error *e);
/* Whether the case says all of it. */
bool output_view_given(const struct sim_case *c);

/* Borrows the elevations of *f. */
int output_sheet_create(struct output_sheet *s, const struct sim_case *c, const struct fields *f,
                        struct error *e);
void output_sheet_free(struct output_sheet *s); /* all-zero is fine */

/* The kinds of maps (OUTPUT_MAP_...), each into output_sheet.value. */
void output_sheet_take(struct output_sheet *s, enum output_map kind, const struct sim_case *c,
                       const struct fields *f);
/* The scale becomes one for these thicknesses, too. */
void output_view_widen(struct output_view *v, const struct output_sheet *s);
/* Draws what s->value has, in all formats that info asks for. outline: of the whole domain, nonzero
 * inside; NULL: none to draw. */
int output_sheet_draw(const struct output_info *info, const struct sim_case *c,
                      struct output_sheet *s, enum output_map kind, const struct output_view *v,
                      const unsigned char *outline, struct error *e);

/* Notes those files in the folder of the run, and their scale, 0: another one; or by status and *e
 * why there are none. output_sheet_draw() does not, since several threads may draw. */
int output_sheet_done(const struct output_info *info, const struct sim_case *c,
                      enum output_map kind, int64_t step, double scale_denominator, int status,
                      struct error *e);
/* The same as a picture, to be freed by cairo_surface_destroy(). */
int output_sheet_picture(cairo_surface_t **picture, const struct output_info *info,
                         const struct sim_case *c, struct output_sheet *s, enum output_map kind,
                         const struct output_view *v, const unsigned char *outline,
                         struct error *e);

/* "22 days 5 h 20 min since start, step 16000: 2.1 km2 covered, 4.7 million m3 erupted" */
void output_map_subtitle(char *out, size_t size, const struct sim_case *c, const struct fields *f);
/* "97 % of the lava (2.8 million m3) has left the terrain" */
void output_map_alert(char *out, size_t size, const struct sim_case *c, const struct fields *f);

/* All maps of one state, by itself. */
int output_maps_of_state(const struct output_info *info, const struct sim_case *c,
                         const struct fields *f, const unsigned char *outline, struct error *e);

/* The maps of a run: those of snapshots wait for its end, where the view is known. */
struct output_maps;
int output_maps_create(struct output_maps **m, const struct output_info *info,
                       const struct sim_case *c, const unsigned char *outline, struct error *e);
void output_maps_free(struct output_maps *m); /* NULL is fine */
/* A snapshot; its maps are kept, or drawn where the case says the view. */
int output_maps_add(struct output_maps *m, const struct fields *f, struct error *e);
/* A frame of the animation: FRAMES_MOST at most, beyond which every second one goes. */
int output_maps_frame(struct output_maps *m, const struct fields *f, struct error *e);
/* The last state, all that were kept, and the animation. */
int output_maps_end(struct output_maps *m, const struct fields *f, struct error *e);

/* Of a state: all but its maps. */
int output_state_files(const struct output_info *info, const struct sim_case *c,
                       const struct fields *f, struct error *e);

/* assets.csv, of a case that names places of interest; else nothing. */
#define OUTPUT_ASSETS "assets.csv"
struct map_place *output_places(const struct assets *a); /* for its maps; malloc'ed, or NULL */
int output_assets(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e);

/* Writes what info->formats has of OUTPUT_EXPORTS, of a run whose last state is *f. */
int output_export(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  const unsigned char *outline, struct error *e);

/* The observed outline of the case on its grid, malloc'ed; NULL where the case has none. */
int output_outline(unsigned char **outline, const struct sim_case *c, struct error *e);

/* Whether a file's name is the name of a file in the original format of a step after the first of
 * *c. */
bool output_is_original(const struct sim_case *c, const char *name);

/* All files of a run, as rows (products.h): layers and the tables that follow them. */
#define output_files output_layer_files
extern const struct product_table output_layer_files, output_map_files, output_export_files,
    output_other_files;
extern const char output_timeline_head[], output_assets_head[]; /* how these tables begin */

/* "DIRECTORY/PREFIX_016000.ENDING", or with its date, where the case has start_time,
 * "DIRECTORY/PREFIX_016000_20060803T2120Z.ENDING" (runfolder_layer_step() reads it), malloc'ed;
 * NULL: out of memory. */
char *output_path(const struct output_info *info, const struct sim_case *c, const char *prefix,
                  int64_t step, const char *ending);

/* Where a window lies. */
struct georef output_georef(const struct sim_case *c, const struct window *w);

#endif
