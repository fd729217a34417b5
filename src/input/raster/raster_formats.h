/* raster_formats.h — the parts of raster_read(); internal.
 *
 * A format reader is given an all-zero *r and a regular file of its format. It may leave *r partly
 * filled when it fails: raster_read() frees it. */
#ifndef SCIARA_RASTER_FORMATS_H
#define SCIARA_RASTER_FORMATS_H

#include "raster.h"

#include <stdbool.h>
#include <stdint.h>

int asciigrid_read(struct raster *r, const char *path, size_t max_cells,
                   struct file_progress *progress, struct error *e);
int geotiff_read(struct raster *r, const char *path, size_t max_cells,
                 struct file_progress *progress, struct error *e);

/* Whether a grid of that size may be read at all: its sizes are positive, it has at most max_cells
 * cells, and they fit the memory of this machine. */
int raster_check_size(const char *path, double rows, double cols, size_t max_cells,
                      struct error *e);

/* Sets rows and cols, checked before, and allocates value (not set). */
int raster_allocate(struct raster *r, const char *path, int rows, int cols, struct error *e);

/* Takes CRS and heights from the WKT in a NAME.aux.xml. */
int raster_read_srs(struct raster *r, const char *wkt, const char *path, struct error *e);

/* ERROR_INPUT for `what`, a mask or (`band`) an alpha band, which nodata has to replace. */
int raster_refuse_mask(const char *path, const char *what, bool band, struct error *e);

#endif
