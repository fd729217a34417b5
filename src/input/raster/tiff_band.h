/* tiff_band.h — how the numbers of a band of a TIFF, usually the first, are stored and decoded; internal. */
#pragma once

#include "raster.h"
#include "tiff_io.h"

#include <stdbool.h>
#include <stdint.h>

/* Larger strips are read line by line, larger tiles are refused. The blocks of all threads together have at most eight
 * times this number of bytes. */
#define BLOCK_BYTES_MAX ((size_t)128 << 20)

enum tiff_sample { U8, S8, U16, S16, U32, S32, U64, S64, F32, F64, SAMPLE_KINDS };

/* The storage of a band. A block is a tile or a strip. */
struct tiff_band {
    const char *path; /* borrowed */
    uint32_t width, height;
    enum tiff_sample sample;
    int band_count;
    int stride; /* samples from one pixel to the next: the number of bands if they are interleaved, else 1 */
    size_t pixel_bytes;
    bool tiled, by_line;
    /* what only GDAL can read in this file, for a message: "its samples"; NULL: libtiff reads all of it */
    const char *unusual;
    uint32_t block_width, block_height;
    uint32_t blocks_across, block_count;
    /* first block of the band: 0, unless bands are stored one after the other */
    uint32_t first_block;
    size_t block_bytes; /* bytes of a decoded block or, if by_line, of a decoded line */
    /* The caller sets all members below. They say what the numbers mean. */
    bool has_nodata, scaled;
    double nodata; /* mark of no data; rounded to a float if samples are floats */
    double scale, offset;
    const char *unit;               /* unit of the values; borrowed; NULL: none */
    struct file_progress *progress; /* borrowed; NULL: none */
};

/* Fills in how band 1 is stored. Refuses a file that cannot be read, is truncated, or is not a grid of at most
 * max_cells numbers. If l->unusual is set, GDAL may still read the file. Allocates nothing. */
int tiff_band_describe(struct tiff_band *l, TIFF *tif, const char *path, size_t max_cells,
                       struct error *e);

/* Decodes the blocks that have cells of a window, on all OpenMP threads, each with its own handle of the file. Sets
 * *missing to the window's number of cells without data. */
int tiff_band_read(const struct tiff_band *l, const struct raster_cells *to, size_t *missing,
                   struct error *e);

/* Sets values without data to NaN, adds their number to *missing, and scales the other values; false: there is an
 * infinite value. */
bool tiff_band_finish(const struct tiff_band *l, double *v, size_t n, size_t *missing);

/* Reads all directories of the file; *there becomes true if one is a mask. */
int tiff_find_mask(bool *there, TIFF *tif, const struct tiff_log *log, const char *path,
                   struct error *e);

/* Returns the error that libtiff had with a file: ERROR_INPUT or, if memory is short, error_memory(). */
int tiff_damaged(const char *path, const struct tiff_log *log, struct error *e);
