/* raster.h — reading grids of numbers, whole or in windows: GeoTIFF (through libgeotiff/libtiff) and
 * Arc/Info ASCII.
 *
 * The format is recognised by content, not by name. Every malformed, truncated or oversized file
 * gives ERROR_INPUT with one line; nothing is leaked then and *r is all zero. */
#pragma once

#include "base/error.h"
#include "georef.h"
#include "sim/problem.h"

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
    double *value;        /* rows*cols, row-major from the north-west; NaN where there is no data */
    struct georef geo;    /* geo.crs.epsg == 0 if the file names no CRS */
    size_t missing;       /* how many cells have no data */
    double nodata;        /* the value that marked them; NaN where none was declared */
    bool nodata_usual;    /* it is not declared: -9999 of a text grid */
    double scale, offset; /* value = stored number * scale + offset; scale 0: they are the same */
    int band_count;       /* the values are of the first */
    bool bytes;           /* they have 8 bits each */
    bool terrain;         /* by who reads it: messages propose what is for heights */
    char unit[64];        /* of the band, as declared; may be empty */
    char band_unit[64];   /* the same, also once the values are in metres */
    struct vertical vertical;
    char terrain_source[256]; /* metadata item TERRAIN of a GeoTIFF (or "# TERRAIN ..." none); may
                                 be empty */
};

/* Memory on the host that a run takes for each cell of its grid: input, state, output.
 * Measured: 9.06 GB for a run of the reference on 8,192 x 8,192 cells. */
enum { RASTER_RUN_BYTES = 136 };

enum { RASTER_UNIT_SAID = 112 };

/* A raster that is open, of which windows are read: of a GeoTIFF only the tiles or strips that a
 * window touches, and no overviews; an ASCII grid is read when it is opened. */
struct raster_file;

/* Cells of a raster and their place in memory: the first cell of the window at value, each row of it
 * `stride` cells after the one before. */
struct raster_cells {
    struct window window;
    double *value;
    size_t stride;
};

/* How rasters in an archive end; NULL behind the last. */
extern const char *const raster_entries[];

/* Any number of cells, for a raster that is read in windows. */
#define RASTER_ANY_SIZE SIZE_MAX

/* *f: NULL on an error. max_cells as in raster_read(), or RASTER_ANY_SIZE. */
int raster_open(struct raster_file **f, const char *path, size_t max_cells,
                struct file_progress *progress, struct error *e);

/* Opens a raster of any format through GDAL, wherever its cells lie: in degrees, not square, turned, south up. Its head
 * has no place; gdal_raster.h has it. */
int raster_open_anywhere(struct raster_file **f, const char *path, struct error *e);

/* What GDAL opens under another name than `path`, which is that of messages: the text of a VRT without sources, or the
 * address of a GeoTIFF (/vsicurl/..., `network`). *absent: the server has no such file, which is an error, too. */
struct raster_name {
    const char *path, *named;
    bool network;
};
int raster_open_named(struct raster_file **f, const struct raster_name *name, bool *absent,
                      struct error *e);

/* Returns all that is known of a raster before its cells are read: all but value and, unless it is
 * an ASCII grid, missing. */
const struct raster *raster_head(const struct raster_file *f);

/* Reads a window that lies in the raster, and counts its cells without data (missing: may be NULL).
 * One thread at a time. */
int raster_read_window(struct raster_file *f, const struct raster_cells *to, size_t *missing,
                       struct error *e);

/* Keeps no progress from now on: what was given to raster_open() may end. NULL is fine. */
void raster_forget_progress(struct raster_file *f);

/* Reads all of it, once. The caller frees *r, which is all zero on an error. */
int raster_read_rest(struct raster_file *f, struct raster *r, struct error *e);
void raster_close(struct raster_file *f); /* NULL is fine */

/* Opens, reads band 1, closes. The caller frees. A grid of more than max_cells (0: no limit), on which nothing
 * could be computed for want of memory or of indices, is refused before anything of its size is
 * allocated. */
int raster_read(struct raster *r, const char *path, size_t max_cells, struct error *e);
/* raster_read() with progress. */
int raster_read_watched(struct raster *r, const char *path, size_t max_cells,
                        struct file_progress *progress, struct error *e);
void raster_free(struct raster *r); /* NULL and all-zero are fine */

/* A unit of length: value * times / per is in metres. */
struct raster_unit {
    double times, per;
};

/* The unit of elevations or thicknesses that the band or the vertical CRS declares, and its name in
 * `said` (readable; may be NULL). Without a declaration it is the metre. ERROR_INPUT for depths,
 * unknown units and contradicting declarations; the line names the command that corrects it. */
int raster_find_unit(struct raster_unit *u, const struct raster *head, char said[RASTER_UNIT_SAID],
                     const char *path, struct error *e);
/* The unit of heights that may be depths, and whether the values count downwards. `heights`: the unit of a file
 * that declares none, or contradicting ones; NULL: as above. */
int raster_find_heights(struct raster_unit *u, bool *depth, const struct raster *head,
                        const char *heights, char said[RASTER_UNIT_SAID], const char *path,
                        struct error *e);
bool raster_unit_known(const char *name); /* "ft", "US survey foot", or its length in metres */
void raster_convert(const struct raster_unit *u, const struct raster_cells *cells);

/* Converts all values to metres. */
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

/* The command that makes metres of the heights in a file, on its grid where that is in metres, with further words (remedy.h).
 * r: its head; NULL: as the file has it ("": it cannot be read). */
enum { RASTER_COMMAND = 900 };
void raster_dem_command(char out[RASTER_COMMAND], const struct raster *r, const char *more,
                        const char *path);

/* The command that declares a value as no data; `unit` made it of what a file of heights has, NULL: these are none. */
void raster_nodata_command(char out[RASTER_COMMAND], const struct raster *r,
                           const struct raster_unit *unit, double value, const char *path);

/* ERROR_INPUT where a value is not from least to most, as a mark of no data that is not declared.
 */
int raster_check_values(const struct raster *r, const char *path, double least, double most,
                        struct error *e);

/* 0 if both grids have the same size, corner and cell (within a thousandth of a cell); otherwise
 * ERROR_INPUT with a line that names both paths and the difference. */
int raster_same_grid(const struct raster *a, const char *path_a, const struct raster *b,
                     const char *path_b, struct error *e);

/* ---- parts of one grid; of it count rows, cols and geo --------------------------------------- */

/* Where the north-west corner of *b lies in the grid of *a, in its cells; false: the cells of both are
 * not the same (to a thousandth of a cell). */
bool raster_offset(const struct raster *a, const struct raster *b, int *row0, int *col0);

/* The smallest grid with the cells of both, or with their common cells, which may be none. They are
 * the same cells by raster_offset(). */
struct raster raster_join(const struct raster *a, const struct raster *b, bool common);

/* Moves *r to another grid of the same cells: NaN where it has none there. Otherwise ERROR_INPUT as
 * raster_same_grid(). */
int raster_move(struct raster *r, const char *path, const struct raster *grid, const char *name,
                struct error *e);
