/* raster.h — reading grids of numbers: GeoTIFF (through libgeotiff/libtiff) and Arc/Info ASCII.
 *
 * The format is recognised by content, not by name. Every malformed, truncated or oversized file
 * gives ERROR_INPUT with one line; nothing is leaked then and *r is all zero. */
#ifndef SCIARA_RASTER_H
#define SCIARA_RASTER_H

#include "base/error.h"
#include "georef.h"

#include <stdbool.h>
#include <stddef.h>

struct file_progress; /* file_progress.h */

/* The heights in the CRS of a raster: the vertical part of a compound CRS, or the third axis.  */
struct vertical {
    char name[128]; /* of the vertical CRS, or its code; empty: the CRS has no heights */
    char unit[64];  /* as PROJ calls it; empty: not known */
    double unit_m;  /* metres of a unit; 0: not known */
    bool depth;     /* counts downwards */
};

struct raster {
    int rows, cols;
    double *value;     /* rows*cols, row-major from the north-west; NaN where there is no data */
    struct georef geo; /* geo.crs.epsg == 0 if the file names no CRS */
    size_t missing;    /* how many cells have no data */
    double nodata;     /* the value that marked them; NaN where none was declared */
    int band_count;    /* the values are of the first */
    bool bytes;        /* they have 8 bits each */
    char unit[64];     /* of the band, as declared; may be empty */
    struct vertical vertical;
    char terrain_source[256]; /* metadata item TERRAIN of a GeoTIFF (or "# TERRAIN ..." none); may
                                 be empty */
};

/* Memory on the host that a run takes for each cell of its grid: input, state, output.
 * Measured: 9.06 GB for a run of the reference on 8,192 x 8,192 cells. */
enum { RASTER_RUN_BYTES = 136 };

enum { RASTER_UNIT_SAID = 112 };

/* The command for resampling in messages and documents. Without nodata, gdalwarp fills corners that
 * the source does not cover with 0: land at sea level. Without Float32, whole metres become
 * terraces. */
#define RASTER_WARP        "gdalwarp -ot Float32 -dstnodata -9999"
#define RASTER_WARP_TO_UTM RASTER_WARP " -t_srs EPSG:326xx -tr 10 10 -r bilinear in.tif out.tif"
#define RASTER_CROP                                                                                \
    "crop it (gdal_translate -projwin WEST NORTH EAST SOUTH in.tif out.tif) or coarsen it "        \
    "(" RASTER_WARP " -tr CELL CELL -r average in.tif out.tif)"

/* Reads band 1. The caller frees. A grid of more than max_cells (0: no limit), on which nothing
 * could be computed for want of memory or of indices, is refused before anything of its size is
 * allocated. */
int raster_read(struct raster *r, const char *path, size_t max_cells, struct error *e);
/* The same, with progress. */
int raster_read_watched(struct raster *r, const char *path, size_t max_cells,
                        struct file_progress *progress, struct error *e);
void raster_free(struct raster *r); /* NULL and all-zero are fine */

/* Converts elevations or thicknesses to metres: multiplies by the length of the unit that the band
 * or the vertical CRS declares, and writes the unit into `said` (readable; may be NULL). Without a
 * declaration it is the metre. ERROR_INPUT for depths, unknown units and contradicting
 * declarations; the line names the command that corrects it. */
int raster_to_metres(struct raster *r, char said[RASTER_UNIT_SAID], const char *path,
                     struct error *e);

/* The value of the cell in which a place lies, NaN: none, or one without data. */
double raster_at(const struct raster *r, double x, double y);

/* ERROR_INPUT where the raster is in another CRS than the grid: with another code or, where one
 * of them has no code, with other places for the same coordinates. */
int raster_check_crs(const struct raster *r, const char *path, const struct georef *grid,
                     struct error *e);

/* Larger numbers mark cells without data. */
#define RASTER_VALUE_MAX 1e30

/* ERROR_INPUT where a value is not from least to most, as a mark of no data that is not declared.
 */
int raster_check_values(const struct raster *r, const char *path, double least, double most,
                        struct error *e);

/* 0 if both grids have the same size, corner and cell (within a thousandth of a cell); otherwise
 * ERROR_INPUT with a line that names both paths and the difference. */
int raster_same_grid(const struct raster *a, const char *path_a, const struct raster *b,
                     const char *path_b, struct error *e);

#endif
