/* gis.h — the layers of a folder for globes and GIS: a KMZ, a project of QGIS, its styles. */
#pragma once

#include "record/layer_set.h"
#include "text/words.h"

#include "base/error.h"

#include <math.h>

/* A file to be written. A style is for the layer `of` or, if `of` is NULL, for the vector file `vector` (enum
 * layer_vectors). */
struct layer_file {
    char *name;
    const struct layer_quantity *of;
    int vector;
};
/* Writes one file, whole or not at all, for a set that layer_set_complete() has completed. */
int gis_write(const char *path, const struct layer_file *file, const struct layer_set *s,
              struct error *e);
int kmz_write(const char *path, const struct layer_set *s, struct error *e);
int qgis_project(const char *path, const struct layer_set *s, struct error *e);
int qgis_style(const char *path, const struct layer_file *file, const struct layer_set *s,
               struct error *e);

/* ---- what all formats share ---------------------------------------------------------------------- */

/* A box in the CRS of the layers; x0 > x1: nothing. */
struct gis_box {
    double x0, y0, x1, y1;
};
static const struct gis_box gis_nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};
void gis_include(struct gis_box *b, double x, double y);
/* gis_lava(): the box of the lava of a run, with a margin of one cell. gis_grid(): the box of the whole grid. */
struct gis_box gis_lava(const struct layer_set *s), gis_grid(const struct layer_set *s);

/* The name of a layer in the language of the set: "Thickness of the lava, 2006-07-15 08:00 UTC", or without a date "..., 6 h". */
char *gis_name(char out[WORDS_TEXT], const struct layer_set *s, const struct layer_quantity *k,
               int time);

/* A packed text in the language of the set, in memory that lasts to the end of the block. */
#define GIS_WORDS(s, packed) words_fill((char[WORDS_TEXT]){0}, WORDS_TEXT, packed, (s)->language)

/* Adds title and software to the values, fills a template with the values, and stores the text as a file of the archive.
 * Then writes the archive, with the mark of sciara at its end. */
struct zip_pack;
struct template;
struct cJSON;
int gis_finish(struct zip_pack *zip, const char *file, const struct template *t,
               struct cJSON *values, const char *path, const struct layer_set *s, struct error *e);

/* The texts of the templates NAME.xml, which the build compiles into the program. */
extern const char kml_text[], kml_area_text[], qgis_project_text[], qgis_style_text[],
    qgis_symbols_text[];
