/* overlay.h — a layer as a picture in longitude and latitude, as globes lay it on the ground. */
#ifndef SCIARA_EXPORT_OVERLAY_H
#define SCIARA_EXPORT_OVERLAY_H

#include "export_parts.h"

#include <stdint.h>

/* The pixels of a rectangle, rows from the north; each shows the cell in which its centre lies. */
struct overlay {
    int width, height;
    double west, south, east, north; /* degrees, of its edges */
    int32_t *cell;                   /* width * height indices of a layer; -1: outside */
};

/* Around the lava of the isochrones; *o has no pixels where there is none. Two pixels for a cell,
 * as far as 2,048 pixels go, which every globe can show. */
int overlay_create(struct overlay *o, const struct export_run *r, struct error *e);
void overlay_free(struct overlay *o); /* all-zero is fine */

/* A PNG of thicknesses with the colours of the map, clear where there is no value, or one below the
 * visual threshold of the case; malloc'ed. */
int overlay_png(const struct overlay *o, const struct export_run *r, const float *thickness_m,
                void **data, size_t *size, struct error *e);

#endif
