/* kml.h — parts of a KMZ, of one run or many: texts, areas, the archive. */
#pragma once

#include "export.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- a zip archive, through libzip; the same files make the same bytes ----------------------- */

struct zip_pack;

int zip_pack_open(struct zip_pack **z, struct error *e);
/* A file in it; the data, malloc'ed, is the archive's from now on, also after an error. */
int zip_pack_add(struct zip_pack *z, const char *name, void *data, size_t size, bool compress,
                 struct error *e);
/* Writes it, whole or not at all, with a comment. */
int zip_pack_write(struct zip_pack *z, const char *path, const char *comment, struct error *e);
void zip_pack_free(struct zip_pack *z); /* NULL is fine */

/* ---- a layer as a picture in longitude and latitude, as globes lay it on the ground ---------- */

/* The pixels of a rectangle, rows from the north; each shows the cell in which its centre lies. */
struct overlay {
    int width, height;
    double west, south, east, north; /* degrees, of its edges */
    int32_t *cell;                   /* width * height indices of a layer; -1: outside */
};

/* The lava of the isochrones with a cell around it, map coordinates; x0 > x1 where there is none. */
struct overlay_box {
    double x0, y0, x1, y1;
};
struct overlay_box overlay_around_lava(const struct export_run *r);

/* Around these cells, the first ones and the last; NULL: around that lava, and *o has no pixels where
 * there is none. Two pixels for a cell, as far as 2,048 pixels go, which every globe can show. */
struct overlay_cells {
    int row0, col0, row1, col1;
};

/* Colours of a picture: 0 is clear. */
struct overlay_colours {
    struct rgb colour[256];
    unsigned char (*index)(const void *of, double value);
    const void *of;
};

/* A PNG of the values of cells, malloc'ed. */
int overlay_png(const struct overlay *o, const struct overlay_colours *c, const float *value,
                void **data, size_t *size, struct error *e);

/* Of thicknesses, with the colours of the map, clear where there is no value, or one below the
 * visual threshold of the case. */
void overlay_lava(struct overlay_colours *c, const struct export_run *r);

/* ---- the document ---------------------------------------------------------------------------- */

struct kmz {
    const struct export_run *r;
    struct overlay overlay;
    struct zip_pack *zip;
    FILE *f; /* doc.kml */
    char *text;
    size_t size;
    bool lost; /* a position has no longitude and latitude */
};

/* Overlays lie around those cells, NULL: around the lava of the isochrones, if there are any.
 * kmz_free() also after an error. */
int kmz_open(struct kmz *k, const struct export_run *r, const struct overlay_cells *cells,
             struct error *e);
/* The document ends, and the archive is written. */
int kmz_finish(struct kmz *k, const char *path, struct error *e);
void kmz_free(struct kmz *k);

/* The head of the document as far as into its description. */
void kml_begin(const struct kmz *k);
void kml_name(const struct kmz *k, const char *before, const char *name);
void kml_colour(const struct kmz *k, struct rgb c, int alpha);
/* A picture of the colours at the left edge of the screen; a scale begins at `low`. */
int kml_legend(struct kmz *k, const char *picture, const char *title,
               const struct export_colours *of, double low, struct error *e);
void kml_styles(const struct kmz *k); /* of outline and vents */
void kml_view(struct kmz *k);
void kml_end_overlay(const struct kmz *k, const char *picture); /* a file of the archive */
void kml_cell(struct kmz *k, const struct georef *geo, int rows, int row, int col); /* its middle */
void kml_area(struct kmz *k, const struct isochrone_area *a);
int kml_outline(struct kmz *k, struct error *e); /* the observed one, if there is one */
