/* raster.h — reads grids of numbers, or windows of them, from GeoTIFF (through libgeotiff and libtiff) and Arc/Info
 * ASCII grids.
 *
 * The format is recognised by content, not by name. Every malformed, truncated or oversized file gives ERROR_INPUT with
 * one line. After an error *r is all zero, and no memory is leaked. */
#pragma once

#include "base/error.h"
#include "georef.h"
#include "sim/problem.h"

#include <stdbool.h>
#include <stddef.h>

struct file_progress; /* file_progress.h */

/* The heights in the CRS of a raster: the vertical part of a compound CRS, or the third axis. */
struct vertical {
    char name[128]; /* name of the vertical CRS, or its code; empty: the CRS has no heights */
    char unit[64];  /* PROJ's name of the unit; empty: not known */
    double unit_m;  /* metres of a unit; 0: not known */
    bool depth;     /* values count downwards */
};

struct raster {
    int rows, cols;
    double *value; /* rows*cols, row-major from the north-west; NaN where there is no data */
    struct georef geo;
    size_t missing;    /* number of cells without data */
    double nodata;     /* the value that marks cells without data; NaN: none is declared */
    bool nodata_usual; /* a text grid declares no mark, so nodata is -9999 */
    /* value = stored number * scale + offset; scale 0: value = stored number */
    double scale, offset;
    int band_count;     /* number of bands; values are from the first */
    bool bytes;         /* samples have 8 bits */
    bool terrain;       /* set by the caller: messages propose remedies for heights */
    char unit[64];      /* declared unit, or "m" after raster_to_metres(); may be empty */
    char band_unit[64]; /* declared unit, even after raster_to_metres(); may be empty */
    struct vertical vertical;
    char terrain_source[256]; /* metadata item TERRAIN of a GeoTIFF; "": there is none */
};

/* Memory on the host that a run takes for each cell of its grid: input, state, output.
 * Measured: 9.06 GB for a run of the reference on 8,192 x 8,192 cells. */
enum { RASTER_RUN_BYTES = 136 };

enum { RASTER_UNIT_SAID = 112 };

/* An open raster, which is read in windows. For a window of a GeoTIFF, only the tiles or strips with its cells are
 * read, and no overviews. All of an ASCII grid is read when it is opened. */
struct raster_file;

/* Cells of a raster and their place in memory: the first cell of the window is at `value`, each row `stride` cells
 * after the one before. */
struct raster_cells {
    struct window window;
    double *value;
    size_t stride;
};

/* Endings of the names of rasters in an archive; NULL behind the last. */
extern const char *const raster_entries[];

/* No limit on cells, for a raster that is read in windows. */
#define RASTER_ANY_SIZE SIZE_MAX

/* Opens a raster and reads its head. max_cells: as in raster_read(), or RASTER_ANY_SIZE. On an error *f is NULL. */
int raster_open(struct raster_file **f, const char *path, size_t max_cells,
                struct file_progress *progress, struct error *e);

/* Opens a raster of any format through GDAL. Its cells may be in degrees, rotated, south up or not square, which
 * raster_head() cannot express. So struct gdal_raster has the georeference. */
int raster_open_anywhere(struct raster_file **f, const char *path, struct error *e);

/* A raster that has another name for GDAL than in messages. */
struct raster_name {
    const char *path; /* name in messages */
    /* for GDAL: the text of a VRT without sources, or the address of a GeoTIFF (/vsicurl/...) */
    const char *named;
    bool network; /* `named` is an address */
};
/* Opens a raster by a struct raster_name. If the server has no such file, also sets *absent. */
int raster_open_named(struct raster_file **f, const struct raster_name *name, bool *absent,
                      struct error *e);

/* Returns the head of a raster: all members except `value` and, unless the file is an ASCII grid, `missing`. */
const struct raster *raster_head(const struct raster_file *f);

/* Reads a window that is inside the raster. *missing becomes the number of its cells without data; `missing` may be
 * NULL. Only one thread at a time may read a file. */
int raster_read_window(struct raster_file *f, const struct raster_cells *to, size_t *missing,
                       struct error *e);

/* After this call, *f no longer uses the `progress` given to raster_open(), so `progress` may end. NULL is fine. */
void raster_forget_progress(struct raster_file *f);

/* Reads the whole raster; only one call for a file is possible. The caller frees *r, which is all zero on an error. */
int raster_read_rest(struct raster_file *f, struct raster *r, struct error *e);
void raster_close(struct raster_file *f); /* NULL is fine */

/* Opens a raster, reads band 1, and closes it. The caller frees *r. A grid of more than max_cells (0: no limit), or
 * too large for memory or indices, is refused before memory for it is allocated. */
int raster_read(struct raster *r, const char *path, size_t max_cells, struct error *e);
/* Like raster_read(), and keeps progress. */
int raster_read_watched(struct raster *r, const char *path, size_t max_cells,
                        struct file_progress *progress, struct error *e);
void raster_free(struct raster *r); /* NULL and all-zero are fine */

/* A unit of length: value * times / per is in metres. */
struct raster_unit {
    double times, per;
};

/* Finds the unit of elevations or thicknesses that the band or the vertical CRS declares; without a declaration, the
 * metre. `said` gets the name of the unit for messages, and may be NULL. ERROR_INPUT for depths, unknown units and
 * contradicting declarations; the message has the command that converts the file. */
int raster_find_unit(struct raster_unit *u, const struct raster *head, char said[RASTER_UNIT_SAID],
                     const char *path, struct error *e);
/* Finds the unit of values that may be depths: *depth becomes true if they count downwards. `heights`: a unit that the
 * user gives for a file that declares no unit, or two different units; NULL: none is given. */
int raster_find_heights(struct raster_unit *u, bool *depth, const struct raster *head,
                        const char *heights, char said[RASTER_UNIT_SAID], const char *path,
                        struct error *e);
/* Whether the text is the name of a known unit, such as "ft", or a number above 0, the length of a unit in metres. */
bool raster_unit_known(const char *name);
void raster_convert(const struct raster_unit *u, const struct raster_cells *cells);

/* Converts all values to metres. */
int raster_to_metres(struct raster *r, char said[RASTER_UNIT_SAID], const char *path,
                     struct error *e);

/* Returns the value of the cell with the position x, y; NaN: no cell, or no data. */
double raster_at(const struct raster *r, double x, double y);

/* ERROR_INPUT: the CRS of the raster is not the CRS of the grid. Their codes differ or, if one has no code, the same
 * coordinates are different places. */
int raster_check_crs(const struct raster *r, const char *path, const struct georef *grid,
                     struct error *e);

/* A larger number marks a cell without data. */
#define RASTER_VALUE_MAX 1e30

/* Writes the command of `sciara dem` that converts the heights of a file to metres. The command keeps the grid of the
 * file if this grid is in metres. `more`: further options of the command (remedy.h). `r`: the head of the file. If `r`
 * is NULL, the function reads the head; if the head cannot be read, `out` becomes "". */
enum { RASTER_COMMAND = 900 };
void raster_dem_command(char out[RASTER_COMMAND], const struct raster *r, const char *more,
                        const char *path);

/* Writes the command that declares a value as no data. `unit`: the unit from which the value was converted to metres;
 * NULL: the value is not a height. */
void raster_nodata_command(char out[RASTER_COMMAND], const struct raster *r,
                           const struct raster_unit *unit, double value, const char *path);

/* Returns ERROR_INPUT if a value is less than `least` or greater than `most`, such as an undeclared mark of no data. */
int raster_check_values(const struct raster *r, const char *path, double least, double most,
                        struct error *e);

/* Returns 0 if both grids have the same size, corner and cell (within a thousandth of a cell). Otherwise returns
 * ERROR_INPUT with a line that names both paths and the difference. */
int raster_same_grid(const struct raster *a, const char *path_a, const struct raster *b,
                     const char *path_b, struct error *e);

/* ---- parts of one grid: only rows, cols and geo of a raster count ---------------------------- */

/* Finds the north-west corner of *b in the grid of *a, in cells. False: the grids do not have the same cells (to a
 * thousandth of a cell). */
bool raster_offset(const struct raster *a, const struct raster *b, int *row0, int *col0);

/* Returns the smallest grid with all cells of *a and *b. If `common`, returns the grid of the cells that both have,
 * which may be empty. raster_offset() has to return true for *a and *b. */
struct raster raster_join(const struct raster *a, const struct raster *b, bool common);

/* Moves *r to another grid of the same cells, with NaN where *r has no cell. ERROR_INPUT, as in raster_same_grid():
 * the grids do not have the same cells. */
int raster_move(struct raster *r, const char *path, const struct raster *grid, const char *name,
                struct error *e);
