/* overlay.h — a layer as a picture in longitude and latitude, as globes lay it on the ground. */
#ifndef SCIARA_EXPORT_OVERLAY_H
#define SCIARA_EXPORT_OVERLAY_H

#include "export.h"

#include <stdint.h>

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

/* Around that lava; *o has no pixels where there is none. Two pixels for a cell,
 * as far as 2,048 pixels go, which every globe can show. */
int overlay_create(struct overlay *o, const struct export_run *r, struct error *e);
/* The same around these cells, and a cell around them: the first ones and the last. */
struct overlay_cells {
    int row0, col0, row1, col1;
};
int overlay_create_around(struct overlay *o, const struct export_run *r,
                          const struct overlay_cells *cells, struct error *e);
void overlay_free(struct overlay *o); /* all-zero is fine */

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

#endif
