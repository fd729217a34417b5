/* Decoding: all threads read blocks, convert the samples to doubles and missing data to NaN. */
#include "tiff_band.h"

#include "base/file_progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- samples --------------------------------------------------------------------------------- */

static double from_half(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    double v;
    if (exponent == 31) v = fraction ? NAN : INFINITY;
    else if (exponent == 0) v = ldexp(fraction, -24);
    else v = ldexp(1024 + fraction, exponent - 25);
    return half & 0x8000 ? -v : v;
}

/* Reads every stride-th sample; libtiff has made the byte order this machine's. */
#define TAKE(kind, type, convert)                                                                  \
    case kind: {                                                                                   \
        const type *s = (const type *)(const void *)src;                                           \
        for (size_t i = 0; i < n; i++) out[i] = convert(s[i * stride]);                            \
        break;                                                                                     \
    }

static void take_samples(enum tiff_sample sample, const unsigned char *src, size_t stride, size_t n,
                         double *out)
{
    /* clang-format off */
    switch (sample) {
        TAKE(U8, uint8_t, (double))
        TAKE(S8, int8_t, (double))
        TAKE(U16, uint16_t, (double))
        TAKE(S16, int16_t, (double))
        TAKE(U32, uint32_t, (double))
        TAKE(S32, int32_t, (double))
        TAKE(U64, uint64_t, (double))
        TAKE(S64, int64_t, (double))
        TAKE(F16, uint16_t, from_half)
        TAKE(F32, float, (double))
        TAKE(F64, double, (double))
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
        if (l->scaled) v[i] = v[i] * l->scale + l->offset; /* else -0 would become 0 */
        if (isinf(v[i])) return false;
    }
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* One thread's way into the file. */
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
    return error_input(e, "%s: truncated or damaged: %s; fetch or write it again", path,
                       tiff_reason(log));
}

static int no_memory(const struct tiff_band *l, struct error *e)
{
    const double bytes = (double)l->height * l->width * sizeof(double) + (double)l->block_bytes;
    return error_input(e, "%s: no memory to decode %u x %u cells (%.2f GiB); " RASTER_CROP, l->path,
                       l->height, l->width, bytes / (1 << 30));
}

/* A block that libtiff does not decode: damaged, unless it had no memory for its buffers. */
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

/* The part of a window that block b of the band covers, and where it begins in the block. */
struct part {
    int rows, cols, block_row, block_col;
    double *out;
};

static int greater(int a, int b)
{
    return a > b ? a : b;
}

static int lesser(int64_t a, int64_t b)
{
    return (int)(a < b ? a : b);
}

static struct part part_of(const struct tiff_band *l, uint32_t b, const struct raster_cells *to)
{
    const struct window *w = &to->window;
    const int row0 = (int)(b / l->blocks_across * l->block_height),
              col0 = (int)(b % l->blocks_across * l->block_width);
    const int row = greater(row0, w->row0), col = greater(col0, w->col0);
    return (struct part){lesser((int64_t)row0 + l->block_height, (int64_t)w->row0 + w->rows) - row,
                         lesser((int64_t)col0 + l->block_width, (int64_t)w->col0 + w->cols) - col,
                         row - row0, col - col0,
                         to->value + (size_t)(row - w->row0) * to->stride + (col - w->col0)};
}

/* Moves a part of a decoded block to its place. `row` of the raster is the first of the block. */
static int place_block(const struct tiff_band *l, const struct raster_cells *to,
                       const unsigned char *block, struct part p, uint32_t row, size_t *missing,
                       struct error *e)
{
    for (int i = 0; i < p.rows; i++) {
        double *out = p.out + (size_t)i * to->stride;
        const size_t at = (size_t)(p.block_row + i) * l->block_width + (size_t)p.block_col;
        take_samples(l->sample, block + at * l->pixel_bytes, (size_t)l->stride, (size_t)p.cols,
                     out);
        if (!tiff_band_finish(l, out, (size_t)p.cols, missing))
            return error_input(e,
                               "%s: an infinite value in row %u (from 0); declare it as nodata: "
                               "gdal_edit.py -a_nodata inf %s",
                               l->path, row + (uint32_t)(p.block_row + i), l->path);
    }
    file_progress_cells(l->progress, (long long)p.rows * p.cols);
    return 0;
}

/* A block that was never written (length 0) holds nodata, or 0 where none is declared. */
static void place_nothing(const struct tiff_band *l, const struct raster_cells *to, struct part p,
                          size_t *missing)
{
    const double v = l->has_nodata ? NAN : l->offset;
    for (int i = 0; i < p.rows; i++)
        for (int j = 0; j < p.cols; j++) p.out[(size_t)i * to->stride + (size_t)j] = v;
    if (l->has_nodata) *missing += (size_t)p.rows * (size_t)p.cols;
    file_progress_cells(l->progress, (long long)p.rows * p.cols);
}

static int read_block(const struct tiff_band *l, const struct raster_cells *to, struct reader *in,
                      uint32_t b, size_t *missing, struct error *e)
{
    const struct part p = part_of(l, b, to);
    const uint32_t row = b / l->blocks_across * l->block_height,
                   rows = (uint32_t)lesser(l->height - row, l->block_height);
    const tmsize_t size = (tmsize_t)l->block_bytes;
    const tmsize_t need =
        l->tiled ? size : (tmsize_t)((size_t)rows * l->block_width * l->pixel_bytes);
    tmsize_t got;
    b += l->first_block;
    if (TIFFGetStrileByteCount(in->tif, b) == 0) {
        place_nothing(l, to, p, missing);
        return 0;
    }
    got = l->tiled ? TIFFReadEncodedTile(in->tif, b, in->block, size)
                   : TIFFReadEncodedStrip(in->tif, b, in->block, need);
    if (got != need) return undecoded(l, &in->log, e);
    return place_block(l, to, in->block, p, row, missing, e);
}

/* A strip too large for memory: libtiff decodes it line by line, on one thread, from the strip's
 * beginning. */
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
            const struct part line = {1, w->cols, 0, w->col0,
                                      to->value + (size_t)(row - first) * to->stride};
            status = place_block(l, to, in.block, line, row, missing, e);
        }
    }
    reader_close(&in);
    return status;
}

/* The blocks that a window touches. */
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

    if (n > fit) n = fit; /* at least 8 */
    if (n > blocks) n = blocks;
    return (int)n;
#else
    (void)l, (void)blocks;
    return 1;
#endif
}

/* Each thread opens the file for itself: a libtiff handle has one position and one directory. The
 * first error stops the others at their next block. */
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
