/* raster_formats.h — the parts of raster_open(); internal.
 *
 * The reader of a format is given a file whose head is empty. It may leave it partly filled when it fails:
 * raster_open() frees it. */
#pragma once

#include "raster.h"
#include "text/textfile.h"
#include "tiff_band.h"

#include <stdbool.h>

/* A file that windows are read from, perhaps long after it was opened. */
struct raster_source {
    char *path;
    struct file_stamp stamp;
};

struct raster_file {
    char *path;
    int source_count; /* itself and, of a VRT, those that it names */
    struct raster_source *source;
    struct raster head; /* has values only if there is no read() */
    struct file_progress *progress;
    int (*read)(struct raster_file *f, const struct raster_cells *to, size_t *missing,
                struct error *e);
    struct tiff_band band; /* of a GeoTIFF; of any: what its numbers mean */
    const char *
        needs_gdal; /* "its mask": what GDAL has to read of a format that is read here; NULL: nothing */
    char *entry;        /* of an archive, malloc'ed; NULL: it is none */
    const char *wanted; /* of it, while it is opened; "": the only one */
    char *beside;       /* the text of NAME.aux.xml, malloc'ed; NULL: there is none */
    struct gdal_raster *gdal;
    bool anywhere;     /* of any place: raster_open_anywhere() */
    const char *named; /* what GDAL opens, while it is opened; NULL: the file */
    bool network;      /* that is an address, */
    bool absent;       /* of nothing: the server answers 404 */
};

bool raster_beside_has(const struct raster_file *f, const char *word);

/* ERROR_INPUT: there is no such file. */
int raster_add_source(struct raster_file *f, const char *path, struct error *e);

int asciigrid_open(struct raster_file *f, size_t max_cells, struct error *e);
int geotiff_open(struct raster_file *f, size_t max_cells, struct error *e);

/* Any other format, through the GDAL of the machine, with these drivers (NULL behind the last) and no
 * network; without a GDAL it says what to install. */
int gdal_raster_open(struct raster_file *f, const char *const *drivers, size_t max_cells,
                     struct error *e);
bool gdal_raster_has_mask(
    const struct gdal_raster *d); /* cells without data are marked by more than a value */
/* Adds what a VRT names to the sources, and what GDAL opens beside any raster. ERROR_INPUT: that is more than files of numbers on this machine. */
int gdal_vrt_check(struct raster_file *f, bool is_vrt, struct error *e);
void gdal_raster_close(struct gdal_raster *d); /* NULL is fine */

/* Takes a place as GDAL gives it (x, dx per column, dx per row, y, dy per column, dy per row): north up, with
 * square cells. */
int raster_take_place(struct georef *g, const double transform[6], int rows, int cols,
                      const char *path, struct error *e);

/* Whether a grid of that size may be read at all: its sizes are positive, and unless it is read in
 * windows (RASTER_ANY_SIZE), it has at most max_cells cells, and they fit the memory of this machine. */
int raster_check_size(const char *path, double rows, double cols, size_t max_cells,
                      struct error *e);

/* Sets rows and cols, checked before, and allocates value (not set). */
int raster_allocate(struct raster *r, const char *path, int rows, int cols, struct error *e);

/* ERROR_INPUT for a file of no format that is read, with what makes one of it. */
int raster_refuse_format(const char *path, struct error *e);
bool raster_has_other_name(const char *path); /* of a case, or of a format for vector files */

/* ERROR_INPUT for the infinite value that tiff_band_finish() has found in a row. */
int raster_refuse_infinite(const struct tiff_band *l, const double *v, int row, struct error *e);
