/* gis.h — the layers of a folder for globes and GIS: a KMZ, a project of QGIS, its styles. */
#pragma once

#include "record/layer_set.h"
#include "text/words.h"

#include "base/error.h"

#include <math.h>

/* A file, and of a style what it is of: a quantity, or else a vector file. */
struct layer_file {
    char *name;
    const struct layer_quantity *of;
    int vector;
};
/* One of a set that is complete; whole or not at all. */
int gis_write(const char *path, const struct layer_file *file, const struct layer_set *s,
              struct error *e);
int kmz_write(const char *path, const struct layer_set *s, struct error *e);
int qgis_project(const char *path, const struct layer_set *s, struct error *e);
int qgis_style(const char *path, const struct layer_file *file, const struct layer_set *s,
               struct error *e);

/* ---- what they share --------------------------------------------------------------------------- */

/* A box in the CRS of the layers; x0 > x1: nothing. */
struct gis_box {
    double x0, y0, x1, y1;
};
static const struct gis_box gis_nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};
void gis_include(struct gis_box *b, double x, double y);
/* The lava of a run with a cell around it, all of the grid. */
struct gis_box gis_lava(const struct layer_set *s), gis_grid(const struct layer_set *s);

/* "Thickness of the lava, 2006-07-15 08:00 UTC" in its language, or with the time since the start. */
char *gis_name(char out[WORDS_TEXT], const struct layer_set *s, const struct layer_quantity *k,
               int time);

/* A packed text in its language, in a room that lasts to the end of the block. */
#define GIS_WORDS(s, packed) words_fill((char[WORDS_TEXT]){0}, WORDS_TEXT, packed, (s)->language)

/* The document of that template, with title and software added, as the file of an archive that ends with the mark of sciara. */
struct zip_pack;
struct template;
struct cJSON;
int gis_finish(struct zip_pack *zip, const char *file, const struct template *t,
               struct cJSON *values, const char *path, const struct layer_set *s, struct error *e);

/* The templates NAME.xml, made by the build */
extern const char kml_text[], kml_area_text[], qgis_project_text[], qgis_style_text[],
    qgis_symbols_text[];
