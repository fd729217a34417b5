/* tiff_band.c — decodes a band: all threads read blocks, convert samples to doubles, and set missing values to NaN. */
#include "tiff_band.h"

#include "base/file_progress.h"
#include "sim/window.h"
#include "raster_formats.h"
#include "text/remedy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- samples --------------------------------------------------------------------------------- */

/* Reads every stride-th sample; libtiff has converted samples to this machine's byte order. */
#define TAKE(kind, type)                                                                           \
    case kind: {                                                                                   \
        const type *s = (const type *)(const void *)src;                                           \
        for (size_t i = 0; i < n; i++) out[i] = (double)s[i * stride];                             \
        break;                                                                                     \
    }

static void take_samples(enum tiff_sample sample, const unsigned char *src, size_t stride, size_t n,
                         double *out)
{
    /* clang-format off */
    switch (sample) {
        TAKE(U8, uint8_t)
        TAKE(S8, int8_t)
        TAKE(U16, uint16_t)
        TAKE(S16, int16_t)
        TAKE(U32, uint32_t)
        TAKE(S32, int32_t)
        TAKE(U64, uint64_t)
        TAKE(S64, int64_t)
        TAKE(F32, float)
        TAKE(F64, double)
    case SAMPLE_KINDS: break;
    }
    /* clang-format on */
}

bool tiff_band_finish(const struct tiff_band *l, double *v, size_t n, size_t *missing)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(v[i]) || (l->has_nodata && v[i] == l->nodata)) {
            v[i] = NAN;
            ++*missing;
            continue;
        }
        if (l->scaled) v[i] = v[i] * l->scale + l->offset; /* if not scaled, -0 stays -0 */
        if (isinf(v[i])) return false;
    }
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* One thread's handle of the file. */
struct reader {
    TIFF *tif;
    struct tiff_log log;
    unsigned char *block;
};

static void reader_close(struct reader *in)
{
    if (in->tif) TIFFClose(in->tif);
    free(in->block);
}

int tiff_damaged(const char *path, const struct tiff_log *log, struct error *e)
{
    const char *why = tiff_reason(log);
    if (strstr(why, "(TIFF structure)"))
        return error_memory(e); /* no file makes this structure large, so memory is short */
    /* If the file has a damaged size, libtiff may ask for any amount of memory. */
    if (strstr(why, "allocate memory") || strstr(why, "ut of memory"))
        return error_input(
            e, "%s: cannot be read: %s; it is damaged, or needs more memory than there is", path,
            why);
    return error_input(e, "%s: truncated or damaged: %s; fetch or write it again", path, why);
}

static int no_memory(const struct tiff_band *l, struct error *e)
{
    const double bytes = (double)l->height * l->width * sizeof(double) + (double)l->block_bytes;
    return remedy_refuse(
        e, l->path, "%s: no memory to decode %u x %u cells (%.2f GiB); " REMEDY_CROP_OR_COARSEN,
        l->path, l->height, l->width, bytes / (1 << 30));
}

/* Returns the error of a block that cannot be decoded: it is damaged, or libtiff had no memory for buffers. */
static int undecoded(const struct tiff_band *l, const struct tiff_log *log, struct error *e)
{
    const bool memory = strstr(log->text, "No space for") || strstr(log->text, "emory");
    return memory ? no_memory(l, e) : tiff_damaged(l->path, log, e);
}

static int reader_open(struct reader *in, const struct tiff_band *l, struct error *e)
{
    *in = (struct reader){.tif = NULL};
    in->tif = tiff_open(l->path, TIFF_READ, &in->log);
    if (!in->tif) return undecoded(l, &in->log, e);
    in->block = malloc(l->block_bytes);
    return in->block ? 0 : no_memory(l, e);
}

/* Returns the cells of block b of the band. */
static struct window block_window(const struct tiff_band *l, uint32_t b)
{
    const uint32_t row = b / l->blocks_across * l->block_height,
                   col = b % l->blocks_across * l->block_width, rows = l->height - row,
                   cols = l->width - col;
    return (struct window){(int)row, (int)col,
                           (int)(rows < l->block_height ? rows : l->block_height),
                           (int)(cols < l->block_width ? cols : l->block_width)};
}

/* Copies a decoded block, or its part in to->window, into to->value. If `data` is NULL, the block was never written
 * (length 0). Its cells are nodata, or 0 if no nodata is declared. */
static int place_block(const struct tiff_band *l, const struct raster_cells *to,
                       const unsigned char *data, struct window block, size_t *missing,
                       struct error *e)
{
    const struct window *all = &to->window, w = window_common(*all, block);
    const size_t cols = (size_t)w.cols;
    for (int row = w.row0; row < w.row0 + w.rows; row++) {
        double *out = to->value + (size_t)(row - all->row0) * to->stride + (w.col0 - all->col0);
        const size_t at =
            (size_t)(row - block.row0) * l->block_width + (size_t)(w.col0 - block.col0);
        if (data) take_samples(l->sample, data + at * l->pixel_bytes, (size_t)l->stride, cols, out);
        for (size_t j = 0; j < cols && !data; j++) out[j] = l->has_nodata ? l->nodata : 0;
        if (!tiff_band_finish(l, out, cols, missing)) return raster_refuse_infinite(l, out, row, e);
    }
    file_progress_cells(l->progress, (long long)w.rows * w.cols);
    return 0;
}

static int read_block(const struct tiff_band *l, const struct raster_cells *to, struct reader *in,
                      uint32_t b, size_t *missing, struct error *e)
{
    const struct window block = block_window(l, b);
    const tmsize_t size = (tmsize_t)l->block_bytes;
    const tmsize_t need =
        l->tiled ? size : (tmsize_t)((size_t)block.rows * l->block_width * l->pixel_bytes);
    tmsize_t got;
    b += l->first_block;
    if (TIFFGetStrileByteCount(in->tif, b) == 0) return place_block(l, to, NULL, block, missing, e);
    got = l->tiled ? TIFFReadEncodedTile(in->tif, b, in->block, size)
                   : TIFFReadEncodedStrip(in->tif, b, in->block, need);
    if (got != need) return undecoded(l, &in->log, e);
    return place_block(l, to, in->block, block, missing, e);
}

/* Reads strips that are too large for memory, line by line. One thread does this, since libtiff decodes a strip from
 * its beginning. */
static int read_by_line(const struct tiff_band *l, const struct raster_cells *to, size_t *missing,
                        struct error *e)
{
    const struct window *w = &to->window;
    const uint32_t first = (uint32_t)w->row0, end = first + (uint32_t)w->rows;
    struct reader in;
    int status = reader_open(&in, l, e);
    for (uint32_t row = first - first % l->block_height; !status && row < end; row++) {
        if (file_progress_cancelled(l->progress)) {
            status = error_cancelled(e);
        } else if (TIFFReadScanline(in.tif, in.block, row, 0) < 0) {
            status = undecoded(l, &in.log, e);
        } else if (row >= first) {
            const struct window line = {(int)row, 0, 1, (int)l->width};
            status = place_block(l, to, in.block, line, missing, e);
        }
    }
    reader_close(&in);
    return status;
}

/* The blocks that have cells of a window. */
struct blocks {
    uint32_t row0, col0, across, count;
};

static struct blocks blocks_of(const struct tiff_band *l, const struct window *w)
{
    const uint32_t row0 = (uint32_t)w->row0 / l->block_height,
                   col0 = (uint32_t)w->col0 / l->block_width,
                   down = (uint32_t)(w->row0 + w->rows - 1) / l->block_height - row0 + 1,
                   across = (uint32_t)(w->col0 + w->cols - 1) / l->block_width - col0 + 1;
    return (struct blocks){row0, col0, across, down * across};
}

static int thread_count(const struct tiff_band *l, uint32_t blocks)
{
#ifdef _OPENMP
    size_t n = (size_t)omp_get_max_threads();
    const size_t fit = 8 * BLOCK_BYTES_MAX / l->block_bytes;

    if (n > fit) n = fit; /* `fit` is at least 8 */
    if (n > blocks) n = blocks;
    return (int)n;
#else
    return 1;
#endif
}

/* Each thread opens the file itself: a libtiff handle has one position and one directory. After an error, the other
 * threads stop at their next block. */
static int read_blocks(const struct tiff_band *l, const struct raster_cells *to, size_t *missing,
                       struct error *e)
{
    const struct blocks all = blocks_of(l, &to->window);
    const int threads = thread_count(l, all.count);
    struct error first = {0};
    int failed = 0;
    size_t none = 0;
    (void)threads; /* without OpenMP */
#pragma omp parallel num_threads(threads) reduction(+ : none)
    {
        struct reader in;
        struct error mine = {0};
        int status = reader_open(&in, l, &mine);
#pragma omp for schedule(dynamic)
        for (uint32_t i = 0; i < all.count; i++) {
            const uint32_t b =
                (all.row0 + i / all.across) * l->blocks_across + all.col0 + i % all.across;
            int stop;
#pragma omp atomic read
            stop = failed;
            if (stop || status) continue;
            status = file_progress_cancelled(l->progress) ? error_cancelled(&mine)
                                                          : read_block(l, to, &in, b, &none, &mine);
            if (!status) continue;
#pragma omp atomic write
            failed = status;
        }
#pragma omp critical(geotiff_read_error)
        if (status && !first.code) {
            failed = status;
            first = mine;
        }
        reader_close(&in);
    }
    *missing = none;
    if (failed && e) *e = first;
    return failed;
}

int tiff_band_read(const struct tiff_band *l, const struct raster_cells *to, size_t *missing,
                   struct error *e)
{
    *missing = 0;
    return l->by_line ? read_by_line(l, to, missing, e) : read_blocks(l, to, missing, e);
}

/* ---- how the file stores band 1, checked before anything is allocated ------------------------ */

static int read_sample_kind(struct tiff_band *l, TIFF *tif, struct error *e)
{
    static const struct {
        uint16_t format, bits;
    } kinds[SAMPLE_KINDS] = {
        [U8] = {SAMPLEFORMAT_UINT, 8},     [S8] = {SAMPLEFORMAT_INT, 8},
        [U16] = {SAMPLEFORMAT_UINT, 16},   [S16] = {SAMPLEFORMAT_INT, 16},
        [U32] = {SAMPLEFORMAT_UINT, 32},   [S32] = {SAMPLEFORMAT_INT, 32},
        [U64] = {SAMPLEFORMAT_UINT, 64},   [S64] = {SAMPLEFORMAT_INT, 64},
        [F32] = {SAMPLEFORMAT_IEEEFP, 32}, [F64] = {SAMPLEFORMAT_IEEEFP, 64},
    };
    uint16_t bits = 1, format = SAMPLEFORMAT_UINT, bands = 1, planar = PLANARCONFIG_CONTIG;
    int k = 0;

    TIFFGetFieldDefaulted(tif, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLESPERPIXEL, &bands);
    TIFFGetFieldDefaulted(tif, TIFFTAG_PLANARCONFIG, &planar);
    if (format == SAMPLEFORMAT_VOID) format = SAMPLEFORMAT_UINT;
    while (k < SAMPLE_KINDS && (kinds[k].format != format || kinds[k].bits != bits)) k++;
    if (k == SAMPLE_KINDS && format <= SAMPLEFORMAT_IEEEFP) l->unusual = "its samples";
    if (k == SAMPLE_KINDS || bands == 0)
        return error_input(
            e,
            "%s: has samples of %d bits in TIFF format %d, which cannot be read; give real numbers",
            l->path, bits, format);
    l->sample = (enum tiff_sample)k;
    l->band_count = bands;
    l->stride = planar == PLANARCONFIG_CONTIG ? bands : 1;
    l->pixel_bytes = (size_t)l->stride * bits / 8;
    return 0;
}

/* Refuses compressions that this libtiff does not read. */
static int check_encoding(struct tiff_band *l, TIFF *tif, struct error *e)
{
    static const uint16_t known[] = {
        COMPRESSION_NONE, COMPRESSION_LZW,  COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
        COMPRESSION_LZMA, COMPRESSION_ZSTD, COMPRESSION_PACKBITS,      COMPRESSION_LERC,
        COMPRESSION_JPEG, COMPRESSION_WEBP};
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tif, TIFFTAG_COMPRESSION, &compression);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == compression && TIFFIsCODECConfigured(compression)) return 0;
    l->unusual = "its compression";
    return error_input(
        e,
        "%s: its TIFF compression (%d) cannot be read here; write it with another, such as deflate",
        l->path, compression);
}

/* Refuses a picture, which is not terrain, though its first band may resemble terrain. A grid with an alpha band is
 * left to GDAL: its transparent parts have no data. */
static int check_picture(struct tiff_band *l, TIFF *tif, struct error *e)
{
    static const char *const kinds[] = {[PHOTOMETRIC_RGB] = "red, green and blue",
                                        [PHOTOMETRIC_PALETTE] = "colours of a palette",
                                        [PHOTOMETRIC_MASK] = "a mask"};
    uint16_t photometric = PHOTOMETRIC_MINISBLACK, extra_count = 0, *extra = NULL;
    bool alpha = false;
    TIFFGetField(tif, TIFFTAG_PHOTOMETRIC, &photometric);
    TIFFGetField(tif, TIFFTAG_EXTRASAMPLES, &extra_count, &extra);
    for (int i = 0; i < extra_count; i++) alpha |= extra[i] != EXTRASAMPLE_UNSPECIFIED;
    if (photometric > PHOTOMETRIC_MINISBLACK)
        return error_input(
            e,
            "%s: is a picture (%s), not a grid of numbers; give the raster that it was drawn from",
            l->path, photometric <= PHOTOMETRIC_MASK ? kinds[photometric] : "in colours");
    if (alpha) l->unusual = "its alpha band";
    return 0;
}

static int read_layout(struct tiff_band *l, TIFF *tif, struct error *e)
{
    uint64_t down, across, bytes;
    l->tiled = TIFFIsTiled(tif);
    l->block_width = l->width;
    l->block_height = 0;
    if (l->tiled) {
        TIFFGetField(tif, TIFFTAG_TILEWIDTH, &l->block_width);
        TIFFGetField(tif, TIFFTAG_TILELENGTH, &l->block_height);
    } else {
        TIFFGetFieldDefaulted(tif, TIFFTAG_ROWSPERSTRIP, &l->block_height);
        if (l->block_height > l->height) l->block_height = l->height;
    }
    if (l->block_width == 0 || l->block_height == 0)
        return error_input(e, "%s: has tiles or strips of size 0; write it again", l->path);
    across = ((uint64_t)l->width + l->block_width - 1) / l->block_width;
    down = ((uint64_t)l->height + l->block_height - 1) / l->block_height;
    l->blocks_across = (uint32_t)across;
    l->block_count = l->tiled ? TIFFNumberOfTiles(tif) : TIFFNumberOfStrips(tif);
    if (down * across > l->block_count)
        return error_input(e,
                           "%s: has %u tiles or strips, too few for %u x %u cells; write it again",
                           l->path, l->block_count, l->height, l->width);
    l->block_count = (uint32_t)(down * across);

    /* block_width and block_height are below 2^31, pixel_bytes is below 2^19: their product may overflow, so it is
     * compared in two steps */
    bytes = (uint64_t)l->block_width * l->pixel_bytes;
    l->by_line = !l->tiled && bytes > BLOCK_BYTES_MAX / l->block_height;
    if (bytes > BLOCK_BYTES_MAX || (l->tiled && bytes > BLOCK_BYTES_MAX / l->block_height))
        return remedy_refuse(
            e, l->path, "%s: its tiles of %u x %u pixels are too large; rewrite it: " REMEDY_DEM,
            l->path, l->block_height, l->block_width, "");
    l->block_bytes = (size_t)bytes * (l->by_line ? 1 : l->block_height);
    /* libtiff fills the buffer up to a size that libtiff computes, so this size has to be block_bytes */
    bytes = (uint64_t)(l->by_line ? TIFFScanlineSize(tif)
                       : l->tiled ? TIFFTileSize(tif)
                                  : TIFFVStripSize(tif, l->block_height));
    if (bytes == l->block_bytes) return 0;
    return remedy_refuse(
        e, l->path, "%s: its blocks have an unusual layout; rewrite it: " REMEDY_DEM, l->path, "");
}

/* Finds a truncated file before anything is allocated for it. */
static int check_blocks(const struct tiff_band *l, TIFF *tif, struct error *e)
{
    struct stat st;
    if (fstat(TIFFFileno(tif), &st) != 0) return 0;
    for (uint32_t b = 0; b < l->block_count; b++) {
        const uint64_t size = (uint64_t)st.st_size;
        const uint64_t at = TIFFGetStrileOffset(tif, b), n = TIFFGetStrileByteCount(tif, b);
        if (n > size || at > size - n)
            return error_input(e,
                               "%s: truncated: block %u of %u ends beyond the file's %llu bytes; "
                               "fetch or write it again",
                               l->path, b, l->block_count, (unsigned long long)size);
    }
    return 0;
}

int tiff_band_describe(struct tiff_band *l, TIFF *tif, const char *path, size_t max_cells,
                       struct error *e)
{
    int status;
    *l = (struct tiff_band){.path = path, .scale = 1};
    TIFFGetField(tif, TIFFTAG_IMAGEWIDTH, &l->width);
    TIFFGetField(tif, TIFFTAG_IMAGELENGTH, &l->height);
    if ((status = raster_check_size(path, l->height, l->width, max_cells, e)) ||
        (status = read_sample_kind(l, tif, e)) || (status = check_encoding(l, tif, e)) ||
        (status = check_picture(l, tif, e)) || (status = read_layout(l, tif, e)))
        return status;
    return check_blocks(l, tif, e);
}

int tiff_find_mask(bool *there, TIFF *tif, const struct tiff_log *log, const char *path,
                   struct error *e)
{
    enum { DIRECTORIES_MAX = 1000 }; /* a usual file has about ten: its image and overviews */
    uint32_t kind;
    *there = false;
    for (int i = 0; i < DIRECTORIES_MAX; i++) {
        *there |= TIFFGetField(tif, TIFFTAG_SUBFILETYPE, &kind) && kind & FILETYPE_MASK;
        if (*there || TIFFLastDirectory(tif)) return 0;
        if (!TIFFReadDirectory(tif)) return tiff_damaged(path, log, e);
    }
    return remedy_refuse(e, path, "%s: has more than %d images; write the first alone: " REMEDY_DEM,
                         path, DIRECTORIES_MAX, "");
}
