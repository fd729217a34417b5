/* geotiff_parts.h — the pieces of geotiff.h among themselves. */
#pragma once

#include "geotiff.h"
#include "text/atomic_file.h"
#include "tiff_io.h"

enum { GEOTIFF_TILE = 256 };

/* Above it a classic TIFF's 32-bit offsets might not do. */
#define GEOTIFF_CLASSIC_MAX (3.5 * 1073741824.0)

/* A file that is being written under a temporary name; `path` is the one it will have. */
struct geotiff_file {
    const char *path;
    struct atomic_file out;
    TIFF *tif; /* NULL where the writer has closed it */
    struct tiff_log log;
};

/* Cells of a directory: size, tiles, and floating-point samples in one or several bands. */
struct geotiff_layout {
    int rows, cols, tile; /* of square tiles the side */
    int bits, bands;      /* 32 or 64; each band for itself */
};

/* Tags of the present directory: size and layout; place, nodata and metadata. */
bool geotiff_set_tags(TIFF *tif, const struct geotiff_layout *l);
bool geotiff_set_layout(TIFF *tif, const struct geotiff_layer *l);
bool geotiff_set_place(TIFF *tif, const struct georef *g, int rows);
bool geotiff_set_meaning(TIFF *tif, const struct geotiff_layer *l);

/* Predicts and deflates a square tile with rows `stride` cells apart into at most `room` bytes.
 * Returns the number of bytes; 0: no memory. */
struct geotiff_cells {
    int side, bytes; /* of a tile; of a cell: 4 or 8 */
};
size_t geotiff_pack(unsigned char *out, size_t room, const void *cell, size_t stride,
                    const struct geotiff_cells *c, int level);

/* All tiles of the present directory. */
int geotiff_write_tiles(struct geotiff_file *f, const struct geotiff_layer *l, struct error *e);

/* Opens a file for about that many bytes, lets write() fill it with what is there to write, and
 * finish() give it its name. */
typedef int geotiff_writer(struct geotiff_file *f, const void *what, struct error *e);
int geotiff_write_with(const char *path, const void *what, double bytes, geotiff_writer *write,
                       int (*finish)(struct atomic_file *, struct error *), struct error *e);
