/* picture.h — a picture in all formats that are asked for: NAME.png, NAME.svg, NAME.pdf. */
#ifndef SCIARA_OUTPUT_PICTURE_H
#define SCIARA_OUTPUT_PICTURE_H

#include "files.h"

/* Draws *of, whatever that is, to a path whose ending is the format. */
typedef int output_draw(const char *path, const void *of, struct error *e);
output_draw output_draw_map;  /* a struct map */
output_draw output_draw_plot; /* a struct plot */

/* Draws *of as NAME in the folder, once for each of info->formats, and notes these files, or why
 * there are none (output_done()). ERROR_INPUT if one of them is an input of *c, others as those of
 * `draw`. */
int output_picture(const struct output_info *info, const struct sim_case *c, const char *name,
                   output_draw *draw, const void *of, struct error *e);

/* Its parts: several threads may draw, and one of them notes; status and *e: those of drawing. A
 * format that fails does not keep the others from being drawn. */
int output_picture_draw(const struct output_info *info, const struct sim_case *c, const char *name,
                        output_draw *draw, const void *of, struct error *e);
int output_picture_done(const struct output_info *info, const char *name, int status,
                        struct error *e);

/* Takes the page of maps: 0 x 0 inches is as large as a map needs, 0 dpi 200, or 300 of a page.
 * ERROR_INPUT where it has too few pixels for a map's text, or more than a picture should have. */
int output_picture_page(struct output_pictures *p, double width_in, double height_in, double dpi,
                        struct error *e);
struct map_paper output_paper(const struct output_info *info); /* the same, for a struct map */

/* The one of OUTPUT_PICTURES of which a file is by its name; 0: of none. */
unsigned output_picture_format(const char *file);
/* Whether that is NAME.png, NAME.svg or NAME.pdf. */
bool output_picture_is(const char *file, const char *name);

/* The barriers of a case, for a map; to be freed. */
struct map;
int output_barriers(struct map *m, const struct sim_case *c, struct error *e);
void output_barriers_free(struct map *m);

#endif
