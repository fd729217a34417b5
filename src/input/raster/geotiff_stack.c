/* geotiff_stack.c — writing: tiles are predicted and deflated by all threads, a few at a time, and
 * appended by one, in order. Most of a state is one number over whole tiles (no lava), which are
 * packed once. Reading begins with the seal: a file with a wrong one is refused. */
#include "geotiff_stack.h"

#include "gdal_info.h"
#include "geotiff_crs.h"
#include "geotiff_parts.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

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
    TILE_BYTES = 8 * CELLS,
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

static void pack(const struct packing *p, const double *cell, struct tile *t)
{
    t->size =
        geotiff_pack(t->packed, p->packed_max, cell, SIDE, &(struct geotiff_cells){SIDE, 8}, LEVEL);
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
            memcpy(cell, cell - SIDE, SIDE * sizeof *cell);
            continue;
        }
        s->cells(s->context, band, row0 + i, col0, cols, cell);
        for (int j = cols; j < SIDE; j++) cell[j] = cell[cols - 1];
    }
}

static void pack_tile(struct packing *p, int n, struct tile *t)
{
    double *cell = malloc(CELLS * sizeof *cell);
    t->size = 0;
    if (!cell) return;
    fill_tile(p, n, cell);
    const struct tile *same = is_all(cell, 0.0)           ? &p->zeros
                              : is_all(cell, (double)NAN) ? &p->none
                                                          : NULL;
    if (same) {
        t->size = same->size;
        memcpy(t->packed, same->packed, same->size);
    } else {
        pack(p, cell, t);
    }
    free(cell);
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
    free(p.memory);
    free(p.tile);
    return status;
}

/* ---- the seal -------------------------------------------------------------------------------- */

/* The last 16 bytes: "sciara ", the CRC-32 of all bytes before as 8 hexadecimal digits, and an
 * end of line. Readers of TIFF do not look there. */
enum { SEAL_BYTES = 16 };
enum seal { SEAL_GOOD, SEAL_BROKEN, SEAL_NONE };

/* Of the first `size` bytes; false: the file is shorter. */
static bool sum_of(FILE *f, long long size, uint32_t *sum)
{
    unsigned char part[1 << 14];
    uLong crc = crc32(0, NULL, 0);
    while (size > 0) {
        const size_t want = size < (long long)sizeof part ? (size_t)size : sizeof part;
        if (fread(part, 1, want, f) != want) return false;
        crc = crc32(crc, part, (uInt)want);
        size -= (long long)want;
    }
    *sum = (uint32_t)crc;
    return true;
}

static void seal_text(char text[SEAL_BYTES + 1], uint32_t sum)
{
    snprintf(text, SEAL_BYTES + 1, "sciara %08lx\n", (unsigned long)sum);
}

/* Appends the seal to the file at `path` through `stream`; false: errno may have the reason. */
static bool seal_put(FILE *stream, const char *path)
{
    FILE *f = file_open_regular(path);
    char text[SEAL_BYTES + 1];
    uint32_t sum;
    if (!f) return false;
    const bool known = fseeko(f, 0, SEEK_END) == 0 && ftello(f) > 0;
    const off_t size = known ? ftello(f) : 0;
    rewind(f);
    const bool good = known && sum_of(f, size, &sum);
    fclose(f);
    if (!good || fseeko(stream, 0, SEEK_END) != 0) return false;
    seal_text(text, sum);
    return fwrite(text, 1, SEAL_BYTES, stream) == SEAL_BYTES;
}

static enum seal seal_of(FILE *f)
{
    char found[SEAL_BYTES], expected[SEAL_BYTES + 1];
    uint32_t sum;
    if (fseeko(f, -SEAL_BYTES, SEEK_END) != 0) return SEAL_NONE;
    const off_t size = ftello(f);
    if (fread(found, 1, SEAL_BYTES, f) != SEAL_BYTES) return SEAL_NONE;
    if (memcmp(found, "sciara ", 7) != 0) return SEAL_NONE;
    rewind(f);
    if (!sum_of(f, size, &sum)) return SEAL_BROKEN;
    seal_text(expected, sum);
    return memcmp(found, expected, SEAL_BYTES) == 0 ? SEAL_GOOD : SEAL_BROKEN;
}

/* ---- the file -------------------------------------------------------------------------------- */

static int write_sealed(struct geotiff_file *f, const void *stack, struct error *e)
{
    int status = write_all(f, stack, e);
    if (status) return status;
    TIFFClose(f->tif);
    f->tif = NULL;
    errno = 0;
    if (seal_put(f->out.stream, f->out.temp)) return 0;
    return atomic_file_failed(f->path, errno, "it cannot be read back", e);
}

int geotiff_stack_write(const char *path, const struct geotiff_stack *s, struct error *e)
{
    const double bytes = 8.0 * s->band_count * (s->rows + SIDE) * ((double)s->cols + SIDE);
    return geotiff_write_with(path, s, bytes, write_sealed, atomic_file_finish_on_disk, e);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int not_one(const char *path, struct error *e)
{
    return error_input(
        e, "%s: is not a whole state of a run; name a state_NNNNNN.tif that a run has written",
        path);
}

static int check_seal(const char *path, struct error *e)
{
    int status = textfile_check_regular(path, "a state of a run", e);
    if (status) return status;
    FILE *f = file_open_regular(path);
    const enum seal seal = f ? seal_of(f) : SEAL_NONE;
    if (f) fclose(f);
    if (seal == SEAL_GOOD) return 0;
    if (seal == SEAL_NONE) return not_one(path, e);
    return error_input(
        e, "%s: is damaged: its bytes differ from those written; use an earlier state", path);
}

static int read_head(struct geotiff_stack_head *h, TIFF *tif, const char *path, struct error *e)
{
    struct tiff_band *l = &h->layout;
    char *about = NULL;
    int status = tiff_band_describe(l, tif, path, 0, e);
    if (status) return status;
    if (l->sample != F64 || l->stride != 1 || !l->tiled ||
        (uint64_t)l->block_count * (uint64_t)l->band_count != TIFFNumberOfTiles(tif) ||
        !TIFFGetField(tif, TIFFTAG_IMAGEDESCRIPTION, &about))
        return not_one(path, e);
    h->rows = (int)l->height;
    h->cols = (int)l->width;
    h->band_count = l->band_count;
    h->about = text_format("%s", about);
    return h->about ? 0 : error_memory(e);
}

int geotiff_stack_open(struct geotiff_stack_head *h, const char *path, struct error *e)
{
    struct tiff_log log;
    *h = (struct geotiff_stack_head){0};
    int status = check_seal(path, e);
    if (status) return status;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    status = tif && !log.tag_lost ? read_head(h, tif, path, e) : tiff_damaged(path, &log, e);
    if (tif) TIFFClose(tif);
    if (status) geotiff_stack_close(h);
    return status;
}

void geotiff_stack_close(struct geotiff_stack_head *h)
{
    free(h->about);
    *h = (struct geotiff_stack_head){0};
}

int geotiff_stack_read(const struct geotiff_stack_head *h, int band, double *out, struct error *e)
{
    struct tiff_band l = h->layout;
    const struct raster_cells all = {{0, 0, h->rows, h->cols}, out, (size_t)h->cols};
    size_t missing;
    l.first_block = (uint32_t)band * l.block_count;
    return tiff_band_read(&l, &all, &missing, e);
}
