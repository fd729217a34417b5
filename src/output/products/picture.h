/* picture.h — a picture in all requested formats: NAME.png, NAME.svg, NAME.pdf. */
#pragma once

#include "files.h"
#include "record/scene.h"

/* Describes a picture for the record of the folder (record_describe()). name: without ending. *s is not needed afterwards. */
struct record;
int output_picture_describe(struct record **r, const struct output_info *info, const char *name,
                            const struct scene *s, struct error *e);
/* output_picture_paint() paints a picture from its record, in each of info->formats that can show it. Then it adds the
 * picture to the record of the folder and closes *r. After a failure it still paints the other formats. ERROR_INPUT: a
 * file is an input of *c, or `spare` refuses it; other errors come from painting. Several threads may paint.
 * *scale_denominator: n of the scale 1 : n of a map; may be NULL. */
struct output_painting {
    const struct output_info *info;
    const struct sim_case *c;
    int (*spare)(const void *of, const char *path, struct error *e); /* may be NULL */
    const void *of;
    bool recorded; /* the picture is only recorded; no file is painted */
};
int output_picture_paint(const struct output_painting *to, struct record *r,
                         double *scale_denominator, struct error *e);
/* Describes and paints a picture. */
int output_picture(const struct output_painting *to, const char *name, const struct scene *s,
                   struct error *e);
/* Notes the files of a picture or, if status is not 0, the failure *e (output_done()). Only one thread at a time may call
 * this. */
int output_picture_done(const struct output_info *info, const char *name, int status,
                        struct error *e);

/* Adds the layers of the folder to the record as `name`, writes the files of info->formats that show the layers, and
 * notes each file (output_done()). digest: the digest of the results. Sets the members of *s that follow from case and
 * folder: folder, title, software, of, terrain, rows, cols. Only one thread at a time may call this. */
int output_layers_paint(const struct output_painting *to, const char *name, struct layer_set *s,
                        uint64_t digest, struct error *e);

/* Writes record.zip (record/record.h) with the pictures so far, and notes the file (output_done()). digest: the digest of
 * the results. Writes nothing if there are no pictures. */
int output_picture_record(const struct output_info *info, const struct sim_case *c, uint64_t digest,
                          struct error *e);

/* Adds *page to the record. The grid is that of the case *c, which has to be the grid of the layers. *places has the
 * places of interest; NULL: none. The caller sets all other members of *page. */
struct assets;
struct report_page;
int output_record_page(const struct output_info *info, const struct sim_case *c,
                       const struct assets *places, const struct report_page *page,
                       struct error *e);

/* output_report() paints report.html of a folder that has all other files. ERROR_INPUT: a file that sciara did not write
 * has this name. output_report_check() only checks this; the folder need not exist. */
int output_report_check(const char *folder, struct error *e);
int output_report(const char *folder, const char *version, struct error *e);

/* Sets the page of maps. 0 x 0 inches: as large as a map needs; 0 dpi: 200 or, with a page size, 300. ERROR_INPUT: the
 * page has too few pixels for the text of a map, or too many for a picture. */
int output_picture_page(struct output_pictures *p, double width_in, double height_in, double dpi,
                        struct error *e);

/* Fills *a with the whole domain, for the locator of a map that shows only `part` of the domain. Lava is in the `reached`
 * cells of the part. Terrain that is read in tiles is not shown. a->rows 0: the part is the whole domain. */
struct map;
struct map_around;
struct case_cut;
int output_around(struct map_around *a, const struct case_cut *part, const unsigned char *reached,
                  struct error *e);
void output_around_free(struct map_around *a); /* all-zero is fine */

/* Sets the barriers of a map from a case. output_barriers_free() frees them. */
int output_barriers(struct map *m, const struct sim_case *c, struct error *e);
void output_barriers_free(struct map *m);

/* Makes a place of a map from a place of interest (case/assets.h). It borrows `label` and the positions of *a. */
struct asset;
struct map_place map_place_of(const struct asset *a, const char *label);
