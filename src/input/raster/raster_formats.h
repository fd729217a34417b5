/* raster_formats.h — the parts of raster_open(); internal.
 *
 * The reader of a format gets a file with an empty head. A reader that fails may leave the head partly
 * filled: raster_open() frees the head. */
#pragma once

#include "raster.h"
#include "text/textfile.h"
#include "tiff_band.h"

#include <stdbool.h>

/* A file from which windows are read, perhaps long after it was opened. */
struct raster_source {
    char *path;
    struct file_stamp stamp;
};

struct raster_file {
    char *path;
    int source_count; /* number of sources: the file, and the files that a VRT names */
    struct raster_source *source;
    struct raster head; /* head.value is set only if read() is NULL */
    struct file_progress *progress;
    int (*read)(struct raster_file *f, const struct raster_cells *to, size_t *missing,
                struct error *e);
    struct tiff_band band; /* in a GeoTIFF, how numbers are stored; in any format, what they mean */
    const char *needs_gdal; /* what GDAL has to read, such as "its mask"; NULL: nothing */
    char *entry;            /* name of the entry in an archive, malloc'ed; NULL: no archive */
    const char *wanted;     /* wanted entry, during opening; "": the only entry */
    char *beside;           /* the text of NAME.aux.xml, malloc'ed; NULL: there is none */
    struct gdal_raster *gdal;
    bool anywhere;     /* opened by raster_open_anywhere() */
    const char *named; /* name for GDAL, only during opening; NULL: `path` */
    bool network;      /* `named` is an address */
    bool absent;       /* the server has no such file */
};

/* Whether NAME.aux.xml next to the file contains `word`. */
bool raster_beside_has(const struct raster_file *f, const char *word);

/* Adds a file to the sources. ERROR_INPUT: there is no such file. */
int raster_add_source(struct raster_file *f, const char *path, struct error *e);

int asciigrid_open(struct raster_file *f, size_t max_cells, struct error *e);
int geotiff_open(struct raster_file *f, size_t max_cells, struct error *e);

/* Opens any other format through the GDAL of the machine, with these drivers (NULL after the last), and without the
 * network unless f->network is set. If there is no GDAL, the error names what to install. */
int gdal_raster_open(struct raster_file *f, const char *const *drivers, size_t max_cells,
                     struct error *e);
/* Whether a mask, not only a value, marks cells without data. */
bool gdal_raster_has_mask(const struct gdal_raster *d);
/* Adds files to the sources: the files that a VRT names, and the files that GDAL opens next to any raster.
 * ERROR_INPUT: one of these is not a raster file on this machine. */
int gdal_vrt_check(struct raster_file *f, bool is_vrt, struct error *e);
void gdal_raster_close(struct gdal_raster *d); /* NULL is fine */

/* Sets *g by a transform of GDAL (gdal_raster.h). The grid has to be north up with square cells. */
int raster_take_place(struct georef *g, const double transform[6], int rows, int cols,
                      const char *path, struct error *e);

/* ERROR_INPUT: a grid of that size cannot be read. Rows and columns have to be positive. Unless the grid is read in
 * windows (RASTER_ANY_SIZE), it has to have at most max_cells cells and fit the memory of this machine. */
int raster_check_size(const char *path, double rows, double cols, size_t max_cells,
                      struct error *e);

/* Sets rows and cols, which have been checked, and allocates `value` without filling it. */
int raster_allocate(struct raster *r, const char *path, int rows, int cols, struct error *e);

/* Returns ERROR_INPUT for a file in a format that is not read, with the command that converts the file. */
int raster_refuse_format(const char *path, struct error *e);
/* Whether a path has the ending of a case or of a vector file. */
bool raster_has_other_name(const char *path);

/* ERROR_INPUT for the infinite value that tiff_band_finish() has found in a row. */
int raster_refuse_infinite(const struct tiff_band *l, const double *v, int row, struct error *e);
