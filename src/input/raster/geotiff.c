/* Writing a GeoTIFF: rows of tiles are filled, predicted and deflated by all threads, and appended
 * by one, in order. */
#include "geotiff_parts.h"

#include "gdal_info.h"
#include "geotiff_crs.h"
#include "text/number.h"
#include "base/file_progress.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    TILE = GEOTIFF_TILE,
    TILE_BYTES = 4 * TILE * TILE,
    LEVEL = 4, /* of zlib: level 6 takes twice the time for some per cent */
    TILES_PER_THREAD = 4,
};

/* Some rows of tiles on their way into the file. */
struct geotiff_rows {
    int tiles_across, tiles_down; /* of the whole layer */
    int tile_rows;                /* held here at once */
    size_t stride;                /* cells of a row, padded to whole tiles */
    float *cell;                  /* tile_rows * TILE rows */
    size_t packed_max;
    unsigned char *packed; /* one slot of packed_max bytes a tile */
    size_t *packed_size;   /* 0: zlib failed */
};

static void rows_free(struct geotiff_rows *b)
{
    free(b->cell);
    free(b->packed);
    free(b->packed_size);
}

static int rows_create(struct geotiff_rows *b, const struct geotiff_layer *l, struct error *e)
{
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    *b = (struct geotiff_rows){.tiles_across = (l->cols + TILE - 1) / TILE,
                               .tiles_down = (l->rows + TILE - 1) / TILE,
                               .packed_max = compressBound(TILE_BYTES)};
    b->tile_rows = (TILES_PER_THREAD * threads + b->tiles_across - 1) / b->tiles_across;
    if (b->tile_rows > b->tiles_down) b->tile_rows = b->tiles_down;
    b->stride = (size_t)b->tiles_across * TILE;

    const size_t tiles = (size_t)b->tile_rows * (size_t)b->tiles_across;
    b->cell = malloc((size_t)b->tile_rows * TILE * b->stride * sizeof *b->cell);
    b->packed = malloc(tiles * b->packed_max);
    b->packed_size = malloc(tiles * sizeof *b->packed_size);
    if (b->cell && b->packed && b->packed_size) return 0;
    rows_free(b);
    return error_memory(e);
}

/* TIFF's floating-point predictor (3): the bytes of a row sorted by significance, highest first,
 * then each byte as its difference from the one before. Neighbours share their high bytes: zeros.
 */
static void predict_row(const unsigned char *cell, const struct geotiff_cells *c,
                        unsigned char *sorted, unsigned char *out)
{
    const size_t side = (size_t)c->side, bytes = (size_t)c->bytes;
    uint64_t bits;
    uint32_t half;
    for (size_t k = 0; k < bytes; k++) {
        const int shift = (int)(8 * (bytes - 1 - k));
        unsigned char *to = sorted + k * side;
        for (size_t i = 0; bytes == 4 && i < side; i++) {
            memcpy(&half, cell + 4 * i, sizeof half);
            to[i] = (unsigned char)(half >> shift);
        }
        for (size_t i = 0; bytes == 8 && i < side; i++) {
            memcpy(&bits, cell + 8 * i, sizeof bits);
            to[i] = (unsigned char)(bits >> shift);
        }
    }
    out[0] = sorted[0];
    for (size_t i = 1; i < side * bytes; i++) out[i] = (unsigned char)(sorted[i] - sorted[i - 1]);
}

size_t geotiff_pack(unsigned char *out, size_t room, const void *cell, size_t stride,
                    const struct geotiff_cells *c, int level)
{
    const size_t row_bytes = (size_t)(c->side * c->bytes), bytes = row_bytes * (size_t)c->side;
    unsigned char *plain = malloc(bytes + row_bytes); /* a thread's stack may be small */
    uLongf size = room;
    for (int row = 0; plain && row < c->side; row++)
        predict_row((const unsigned char *)cell + (size_t)row * stride * (size_t)c->bytes, c,
                    plain + bytes, plain + (size_t)row * row_bytes);
    if (!plain || compress2(out, &size, plain, bytes, level) != Z_OK) size = 0;
    free(plain);
    return size;
}

static void pack_tile(struct geotiff_rows *b, int t)
{
    const int i = t / b->tiles_across, j = t % b->tiles_across;
    const float *cell = b->cell + (size_t)i * TILE * b->stride + (size_t)j * TILE;
    b->packed_size[t] = geotiff_pack(b->packed + (size_t)t * b->packed_max, b->packed_max, cell,
                                     b->stride, &(struct geotiff_cells){TILE, 4}, LEVEL);
}

/* Cells beyond the edges of the layer repeat the last column, and hold nodata below the last row.
 */
static void fill_row(const struct geotiff_rows *b, const struct geotiff_layer *l, int row,
                     float *out)
{
    size_t filled = 0;
    if (row < l->rows) {
        l->row(l->context, row, out);
        filled = (size_t)l->cols;
    }
    const float pad = filled ? out[filled - 1] : (float)l->nodata;
    for (size_t j = filled; j < b->stride; j++) out[j] = pad;
}

static int write_rows(TIFF *tif, struct geotiff_rows *b, const struct geotiff_layer *l,
                      int first_tile_row)
{
    const int left = b->tiles_down - first_tile_row;
    const int tile_rows = b->tile_rows < left ? b->tile_rows : left;
    const int row0 = first_tile_row * TILE, rows = tile_rows * TILE;
    const int tiles = tile_rows * b->tiles_across;

#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 8)
        for (int i = 0; i < rows; i++) fill_row(b, l, row0 + i, b->cell + (size_t)i * b->stride);
#pragma omp for schedule(dynamic)
        for (int t = 0; t < tiles; t++) pack_tile(b, t);
    }
    for (int t = 0; t < tiles; t++) {
        const uint32_t index = (uint32_t)(first_tile_row * b->tiles_across + t);
        const tmsize_t size = (tmsize_t)b->packed_size[t];
        if (size == 0 ||
            TIFFWriteRawTile(tif, index, b->packed + (size_t)t * b->packed_max, size) != size)
            return -1;
        file_progress_cells(l->progress, TILE * TILE);
    }
    return 0;
}

bool geotiff_set_tags(TIFF *tif, const struct geotiff_layout *l)
{
    const int planar = l->bands > 1 ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG;
    return TIFFSetField(tif, TIFFTAG_IMAGEWIDTH, (uint32_t)l->cols) &&
           TIFFSetField(tif, TIFFTAG_IMAGELENGTH, (uint32_t)l->rows) &&
           TIFFSetField(tif, TIFFTAG_BITSPERSAMPLE, l->bits) &&
           TIFFSetField(tif, TIFFTAG_SAMPLESPERPIXEL, l->bands) &&
           TIFFSetField(tif, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP) &&
           TIFFSetField(tif, TIFFTAG_PLANARCONFIG, planar) &&
           TIFFSetField(tif, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
           TIFFSetField(tif, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
           TIFFSetField(tif, TIFFTAG_PREDICTOR, PREDICTOR_FLOATINGPOINT) &&
           TIFFSetField(tif, TIFFTAG_TILEWIDTH, l->tile) &&
           TIFFSetField(tif, TIFFTAG_TILELENGTH, l->tile);
}

bool geotiff_set_layout(TIFF *tif, const struct geotiff_layer *l)
{
    const struct geotiff_layout layout = {l->rows, l->cols, TILE, 32, 1};
    return geotiff_set_tags(tif, &layout);
}

bool geotiff_set_place(TIFF *tif, const struct georef *g, int rows)
{
    double scale[3] = {g->cell_m, g->cell_m, 0};
    double tie[6] = {0, 0, 0, g->west_m, g->south_m + rows * g->cell_m, 0};
    return TIFFSetField(tif, TIFFTAG_GEOPIXELSCALE, 3, scale) &&
           TIFFSetField(tif, TIFFTAG_GEOTIEPOINTS, 6, tie);
}

bool geotiff_set_meaning(TIFF *tif, const struct geotiff_layer *l)
{
    const struct geotiff_band band = {l->description, l->unit};
    char nodata[32];
    char *metadata = gdal_metadata_text(l->items, l->item_count, &band, 1);
    const bool good = metadata && TIFFSetField(tif, TIFFTAG_GDAL_METADATA, metadata) &&
                      TIFFSetField(tif, TIFFTAG_GDAL_NODATA, number_text(l->nodata, nodata)) &&
                      geotiff_set_place(tif, &l->geo, l->rows);
    free(metadata);
    return good;
}

static int not_written(const char *path, const struct tiff_log *log, struct error *e)
{
    return atomic_file_failed(path, errno, tiff_reason(log), e);
}

int geotiff_write_tiles(struct geotiff_file *f, const struct geotiff_layer *l, struct error *e)
{
    struct geotiff_rows b;
    int status = rows_create(&b, l, e);
    if (status) return status;
    file_progress_begin_file(l->progress, (long long)b.tiles_down * b.tiles_across * TILE * TILE);
    for (int i = 0; !status && i < b.tiles_down; i += b.tile_rows) {
        errno = 0;
        if (file_progress_cancelled(l->progress)) status = error_cancelled(e);
        else if (write_rows(f->tif, &b, l, i)) status = not_written(f->path, &f->log, e);
    }
    rows_free(&b);
    return status;
}

static int write_layer(struct geotiff_file *f, const void *layer, struct error *e)
{
    const struct geotiff_layer *l = layer;
    int status;
    errno = 0;
    if (!geotiff_set_layout(f->tif, l) || !geotiff_set_meaning(f->tif, l))
        return not_written(f->path, &f->log, e);
    if ((status = geotiff_crs_write(f->tif, &l->geo.crs, f->path, e)) ||
        (status = geotiff_write_tiles(f, l, e)))
        return status;
    errno = 0;
    return TIFFWriteDirectory(f->tif) ? 0 : not_written(f->path, &f->log, e);
}

int geotiff_write_with(const char *path, const void *what, double bytes, geotiff_writer *write,
                       int (*finish)(struct atomic_file *, struct error *), struct error *e)
{
    struct geotiff_file f = {.path = path};
    int status = atomic_file_open(&f.out, path, e);
    if (status) return status;
    f.tif = tiff_open(f.out.temp, bytes > GEOTIFF_CLASSIC_MAX ? "w8" : "w", &f.log);
    status = f.tif ? write(&f, what, e) : not_written(path, &f.log, e);
    if (f.tif) TIFFClose(f.tif);
    if (!status) return finish(&f.out, e);
    atomic_file_abandon(&f.out);
    return status;
}

int geotiff_write(const char *path, const struct geotiff_layer *layer, struct error *e)
{
    const double bytes = 4.0 * (layer->rows + TILE) * ((double)layer->cols + TILE);
    return geotiff_write_with(path, layer, bytes, write_layer, atomic_file_finish, e);
}
