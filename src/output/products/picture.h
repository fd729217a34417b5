/* picture.h — a picture in all requested formats: NAME.png, NAME.svg, NAME.pdf. */
#pragma once

#include "files.h"
#include "record/scene.h"

/* Adds what a picture shows to the record of the folder, under the picture's name without ending; *s is not needed any
 * more. */
struct record;
int output_picture_describe(struct record **r, const struct output_info *info, const char *name,
                            const struct scene *s, struct error *e);
/* Paints a picture from its record in each of info->formats that can show it, and closes *r. After
 * a failure the other formats are painted all the same, and the record keeps the picture. ERROR_INPUT: a file is an input of
 * *c, or refused by `spare`; other errors are of painting. Several threads may paint. *scale_denominator: n of the scale
 * 1 : n of a map; may be NULL. */
struct output_painting {
    const struct output_info *info;
    const struct sim_case *c;
    int (*spare)(const void *of, const char *path, struct error *e); /* may be NULL */
    const void *of;
    bool recorded; /* painted only when somebody asks for it: until then only the record has it */
};
int output_picture_paint(const struct output_painting *to, struct record *r,
                         double *scale_denominator, struct error *e);
/* Describes and paints a picture. */
int output_picture(const struct output_painting *to, const char *name, const struct scene *s,
                   struct error *e);
/* Notes the files of a picture, or the failure to draw it by status and *e (output_done()); one
 * thread at a time. */
int output_picture_done(const struct output_info *info, const char *name, int status,
                        struct error *e);

/* Adds the layers of the folder, of results with that digest, to the record, as NAME, and writes the files of info->formats that
 * show them, each noted as output_done() does. Of *s it fills in what case and folder tell: folder, title,
 * software, of, terrain, rows, cols. One thread at a time. */
int output_layers_paint(const struct output_painting *to, const char *name, struct layer_set *s,
                        uint64_t digest, struct error *e);

/* Writes record.zip (record/record.h) of the pictures so far, of results with that digest, and notes it as
 * output_done() does. Writes nothing if there are no pictures. */
int output_picture_record(const struct output_info *info, const struct sim_case *c, uint64_t digest,
                          struct error *e);

/* Adds *page, without its grid and places, to the record: of the case that the layers show, with these places, NULL: none. */
struct assets;
struct report_page;
int output_record_page(const struct output_info *info, const struct sim_case *c,
                       const struct assets *places, const struct report_page *page,
                       struct error *e);

/* output_report() paints report.html of a folder that has all other files. ERROR_INPUT: another file has that name;
 * output_report_check() finds that before, also if the folder does not exist yet. */
int output_report_check(const char *folder, struct error *e);
int output_report(const char *folder, const char *version, struct error *e);

/* Sets the page of maps. 0 x 0 inches: as large as a map needs; 0 dpi: 200, or 300 on a page.
 * ERROR_INPUT if it has too few pixels for the text of a map, or too many for a picture. */
int output_picture_page(struct output_pictures *p, double width_in, double height_in, double dpi,
                        struct error *e);

/* The whole domain around a map of a part of it; lava is at the `reached` cells of the part. Terrain
 * that is read in tiles does not appear. rows 0: the part is the whole. */
struct map;
struct map_around;
struct case_cut;
int output_around(struct map_around *a, const struct case_cut *part, const unsigned char *reached,
                  struct error *e);
void output_around_free(struct map_around *a); /* all-zero is fine */

/* The barriers of a case, for a map; to be freed. */
int output_barriers(struct map *m, const struct sim_case *c, struct error *e);
void output_barriers_free(struct map *m);

/* A place of interest (case/assets.h); shares its positions and label. */
struct asset;
struct map_place map_place_of(const struct asset *a, const char *label);
