/* kml.h — parts of a KMZ, of one run or many: texts, areas, the archive. */
#ifndef SCIARA_EXPORT_KML_H
#define SCIARA_EXPORT_KML_H

#include "overlay.h"
#include "zip_pack.h"

#include <stdbool.h>
#include <stdio.h>

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
void kml_position(struct kmz *k, const double xy[2], char after);
void kml_cell(struct kmz *k, const struct georef *geo, int rows, int row, int col); /* its middle */
void kml_area(struct kmz *k, const struct isochrone_area *a);
int kml_outline(struct kmz *k, struct error *e); /* the observed one, if there is one */

#endif
