/* raster.h — reading grids of numbers: GeoTIFF (through libgeotiff/libtiff) and Arc/Info ASCII.
 *
 * The format is told from the content, not from the name. Every malformed, truncated or oversized
 * file gives ERROR_INPUT with one line; nothing is leaked then and *r is all zero. */
#ifndef SCIARA_RASTER_H
#define SCIARA_RASTER_H

#include "base/error.h"
#include "georef.h"

#include <stddef.h>

struct watch; /* watch.h */

struct raster {
    int rows, cols;
    double *value;     /* rows*cols, row-major from the north-west; NaN where there is no data */
    struct georef geo; /* geo.crs.epsg == 0 where the file names no CRS */
    size_t missing;    /* how many cells have no data */
    double nodata;     /* the value that marked them; NaN where none was declared */
    char terrain_source[256]; /* metadata item TERRAIN of a GeoTIFF (or "# TERRAIN ..." none); may
                                 be empty */
};

/* Memory on the host that a run takes for each cell of its grid: input, state, output.
 * Measured: 9.06 GB for a run of the reference on 8,192 x 8,192 cells. */
enum { RASTER_RUN_BYTES = 136 };

/* Reads band 1. The caller frees. A grid of more than max_cells (0: no limit), on which nothing
 * could be computed for want of memory or of indices, is refused before anything of its size is
 * allocated. */
int raster_read(struct raster *r, const char *path, size_t max_cells, struct error *e);
/* The same; says how far it is. */
int raster_read_watched(struct raster *r, const char *path, size_t max_cells, struct watch *watch,
                        struct error *e);
void raster_free(struct raster *r); /* NULL and all-zero are fine */

/* 0 if both grids have the same size, corner and cell (within a thousandth of a cell); otherwise
 * ERROR_INPUT with a line that names both paths and says what differs. */
int raster_same_grid(const struct raster *a, const char *path_a, const struct raster *b,
                     const char *path_b, struct error *e);

#endif
