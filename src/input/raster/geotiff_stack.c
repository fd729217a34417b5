/* geotiff_stack.c — writing: tiles are predicted and deflated by all threads, a few at a time, and
 * appended by one, in order. Most of a state is one number over whole tiles (no lava), which are
 * packed once. */
#include "geotiff_stack.h"

#include "gdal_metadata.h"
#include "geotiff_crs.h"
#include "geotiff_parts.h"
#include "geotiff_seal.h"
#include "text/atomic_file.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    SIDE = 128, /* of a tile */
    CELLS = SIDE * SIDE,
    ROW_BYTES = 8 * SIDE,
    TILE_BYTES = SIDE * ROW_BYTES,
    LEVEL = 1, /* of zlib: most bytes of such numbers are noise, which no level shrinks */
    TILES_PER_THREAD = 8,
};

struct tile {
    size_t size; /* 0: zlib failed */
    unsigned char *packed;
};

struct packing {
    const struct geotiff_stack *s;
    int across, down; /* tiles of a band */
    int room;         /* tiles packed at once */
    size_t packed_max;
    unsigned char *memory; /* of them, and of the two below */
    struct tile *tile;
    struct tile zeros, none; /* tiles of 0 and of NaN */
};

/* TIFF's floating-point predictor (3), as in geotiff.c: bytes by significance, then differences. */
static void predict(const double *cell, unsigned char *out)
{
    for (int row = 0; row < SIDE; row++, cell += SIDE, out += ROW_BYTES) {
        for (int i = 0; i < SIDE; i++) {
            uint64_t bits;
            memcpy(&bits, cell + i, sizeof bits);
            for (int k = 0; k < 8; k++) out[k * SIDE + i] = (unsigned char)(bits >> (56 - 8 * k));
        }
        for (int i = ROW_BYTES - 1; i > 0; i--) out[i] = (unsigned char)(out[i] - out[i - 1]);
    }
}

static void pack(const struct packing *p, const double *cell, struct tile *t)
{
    unsigned char *plain = malloc(TILE_BYTES);
    uLongf size = p->packed_max;
    if (plain) predict(cell, plain);
    if (!plain || compress2(t->packed, &size, plain, TILE_BYTES, LEVEL) != Z_OK) size = 0;
    free(plain);
    t->size = size;
}

static bool is_all(const double *cell, double value)
{
    uint64_t bits, all, differ = 0;
    memcpy(&all, &value, sizeof all);
    for (int i = 0; i < CELLS; i++) {
        memcpy(&bits, cell + i, sizeof bits);
        differ |= bits ^ all;
    }
    return !differ;
}

/* Cells beyond the edges repeat the last column and the last row. */
static void fill_tile(const struct packing *p, int n, double *cell)
{
    const struct geotiff_stack *s = p->s;
    const int band = n / (p->across * p->down), at = n % (p->across * p->down);
    const int row0 = at / p->across * SIDE, col0 = at % p->across * SIDE;
    const int cols = s->cols - col0 < SIDE ? s->cols - col0 : SIDE;
    for (int i = 0; i < SIDE; i++, cell += SIDE) {
        if (row0 + i >= s->rows) {
            memcpy(cell, cell - SIDE, ROW_BYTES);
            continue;
        }
        s->cells(s->context, band, row0 + i, col0, cols, cell);
        for (int j = cols; j < SIDE; j++) cell[j] = cell[cols - 1];
    }
}

static void pack_tile(struct packing *p, int n, struct tile *t)
{
    double *cell = malloc(CELLS * sizeof *cell);
    const struct tile *same = NULL;
    t->size = 0;
    if (!cell) return;
    fill_tile(p, n, cell);
    if (is_all(cell, 0.0)) same = &p->zeros;
    else if (is_all(cell, (double)NAN)) same = &p->none;
    if (same) {
        memcpy(t->packed, same->packed, same->size);
        t->size = same->size;
    } else {
        pack(p, cell, t);
    }
    free(cell);
}

static void packing_free(struct packing *p)
{
    free(p->memory);
    free(p->tile);
}

static bool pack_uniform(struct packing *p, double value, struct tile *t)
{
    double *cell = malloc(CELLS * sizeof *cell);
    for (int i = 0; cell && i < CELLS; i++) cell[i] = value;
    if (cell) pack(p, cell, t);
    free(cell);
    return t->size > 0;
}

static bool packing_create(struct packing *p, const struct geotiff_stack *s)
{
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    *p = (struct packing){.s = s,
                          .across = (s->cols + SIDE - 1) / SIDE,
                          .down = (s->rows + SIDE - 1) / SIDE,
                          .room = TILES_PER_THREAD * threads,
                          .packed_max = compressBound(TILE_BYTES)};
    p->tile = calloc((size_t)p->room, sizeof *p->tile);
    p->memory = malloc(((size_t)p->room + 2) * p->packed_max);
    if (!p->tile || !p->memory) return false;
    for (int i = 0; i < p->room; i++) p->tile[i].packed = p->memory + (size_t)i * p->packed_max;
    p->zeros.packed = p->memory + (size_t)p->room * p->packed_max;
    p->none.packed = p->zeros.packed + p->packed_max;
    return pack_uniform(p, 0.0, &p->zeros) && pack_uniform(p, (double)NAN, &p->none);
}

static bool write_tiles(TIFF *tif, struct packing *p)
{
    const int all = p->across * p->down * p->s->band_count;
    for (int first = 0; first < all; first += p->room) {
        const int count = all - first < p->room ? all - first : p->room;
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < count; i++) pack_tile(p, first + i, &p->tile[i]);
        for (int i = 0; i < count; i++) {
            const tmsize_t size = (tmsize_t)p->tile[i].size;
            if (!size ||
                TIFFWriteRawTile(tif, (uint32_t)(first + i), p->tile[i].packed, size) != size)
                return false;
        }
    }
    return true;
}

/* All bands but the first are of no known kind to TIFF. */
static bool set_meaning(TIFF *tif, const struct geotiff_stack *s)
{
    char *metadata = gdal_metadata_text(s->items, s->item_count, s->band, s->band_count);
    uint16_t *extra = calloc((size_t)s->band_count, sizeof *extra); /* EXTRASAMPLE_UNSPECIFIED */
    const bool good = metadata && extra &&
                      TIFFSetField(tif, TIFFTAG_EXTRASAMPLES, s->band_count - 1, extra) &&
                      TIFFSetField(tif, TIFFTAG_GDAL_METADATA, metadata) &&
                      TIFFSetField(tif, TIFFTAG_GDAL_NODATA, "nan") &&
                      TIFFSetField(tif, TIFFTAG_IMAGEDESCRIPTION, s->about) &&
                      geotiff_set_place(tif, &s->geo, s->rows);
    free(metadata);
    free(extra);
    return good;
}

static int write_all(struct geotiff_file *f, const struct geotiff_stack *s, struct error *e)
{
    struct packing p;
    int status = 0;
    if (!packing_create(&p, s)) status = error_memory(e);
    const struct geotiff_layout layout = {s->rows, s->cols, SIDE, 64, s->band_count};
    errno = 0;
    bool good = !status && geotiff_set_tags(f->tif, &layout) && set_meaning(f->tif, s);
    if (good) status = geotiff_crs_write(f->tif, &s->geo.crs, f->path, e);
    errno = 0;
    if (good && !status) good = write_tiles(f->tif, &p) && TIFFWriteDirectory(f->tif);
    if (!good && !status) status = atomic_file_failed(f->path, errno, tiff_reason(&f->log), e);
    packing_free(&p);
    return status;
}

int geotiff_stack_write(const char *path, const struct geotiff_stack *s, struct error *e)
{
    const double bytes = 8.0 * s->band_count * (s->rows + SIDE) * ((double)s->cols + SIDE);
    struct geotiff_file f = {.path = path};
    struct atomic_file w;
    int status = atomic_file_open(&w, path, e);
    if (status) return status;
    f.tif = tiff_open(w.temp, bytes > GEOTIFF_CLASSIC_MAX ? "w8" : "w", &f.log);
    if (!f.tif) status = atomic_file_failed(path, errno, tiff_reason(&f.log), e);
    else {
        status = write_all(&f, s, e);
        TIFFClose(f.tif);
    }
    errno = 0;
    if (!status && !seal_put(w.stream, w.temp))
        status = atomic_file_failed(path, errno, "it cannot be read back", e);
    if (!status) return atomic_file_finish_on_disk(&w, e);
    atomic_file_abandon(&w);
    return status;
}
