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

/* Marks cells without data by NaN and scales the others; returns false at an infinite value. */
static bool finish_values(const struct tiff_band *l, double *v, size_t n, size_t *missing)
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
    if (!in->tif) return tiff_damaged(l->path, &in->log, e);
    in->block = malloc(l->block_bytes);
    return in->block ? 0 : no_memory(l, e);
}

/* The part of the raster that block b covers. */
struct part {
    uint32_t row0, col0, rows, cols;
};

static struct part part_of(const struct tiff_band *l, uint32_t b)
{
    struct part p = {.row0 = b / l->blocks_across * l->block_height,
                     .col0 = b % l->blocks_across * l->block_width};
    p.rows = l->height - p.row0 < l->block_height ? l->height - p.row0 : l->block_height;
    p.cols = l->width - p.col0 < l->block_width ? l->width - p.col0 : l->block_width;
    return p;
}

/* Moves the rows of a decoded block to their place in the raster. */
static int place_block(struct raster *r, const struct tiff_band *l, const unsigned char *block,
                       struct part p, size_t *missing, struct error *e)
{
    for (uint32_t i = 0; i < p.rows; i++) {
        double *out = r->value + (size_t)(p.row0 + i) * l->width + p.col0;
        const unsigned char *src = block + (size_t)i * l->block_width * l->pixel_bytes;
        take_samples(l->sample, src, (size_t)l->stride, p.cols, out);
        if (!finish_values(l, out, p.cols, missing))
            return error_input(e,
                               "%s: an infinite value in row %u (from 0); declare it as nodata: "
                               "gdal_edit.py -a_nodata inf %s",
                               l->path, p.row0 + i, l->path);
    }
    file_progress_cells(l->progress, (long long)p.rows * p.cols);
    return 0;
}

/* A block that was never written (length 0) holds nodata, or 0 where none is declared. */
static void place_nothing(struct raster *r, const struct tiff_band *l, struct part p,
                          size_t *missing)
{
    const double v = l->has_nodata ? NAN : l->offset;
    for (uint32_t i = 0; i < p.rows; i++)
        for (uint32_t j = 0; j < p.cols; j++)
            r->value[(size_t)(p.row0 + i) * l->width + p.col0 + j] = v;
    if (l->has_nodata) *missing += (size_t)p.rows * p.cols;
    file_progress_cells(l->progress, (long long)p.rows * p.cols);
}

static int read_block(struct raster *r, const struct tiff_band *l, struct reader *in, uint32_t b,
                      size_t *missing, struct error *e)
{
    const struct part p = part_of(l, b);
    const tmsize_t size = (tmsize_t)l->block_bytes;
    const tmsize_t need =
        l->tiled ? size : (tmsize_t)((size_t)p.rows * l->block_width * l->pixel_bytes);
    tmsize_t got;
    b += l->first_block;
    if (TIFFGetStrileByteCount(in->tif, b) == 0) {
        place_nothing(r, l, p, missing);
        return 0;
    }
    got = l->tiled ? TIFFReadEncodedTile(in->tif, b, in->block, size)
                   : TIFFReadEncodedStrip(in->tif, b, in->block, need);
    if (got != need) return undecoded(l, &in->log, e);
    return place_block(r, l, in->block, p, missing, e);
}

/* A strip too large for memory: libtiff decodes it line by line, on one thread. */
static int read_by_line(struct raster *r, const struct tiff_band *l, struct error *e)
{
    struct reader in;
    int status = reader_open(&in, l, e);
    for (uint32_t row = 0; !status && row < l->height; row++) {
        const struct part line = {row, 0, 1, l->width};
        if (file_progress_cancelled(l->progress)) status = error_cancelled(e);
        else if (TIFFReadScanline(in.tif, in.block, row, 0) < 0) status = undecoded(l, &in.log, e);
        else status = place_block(r, l, in.block, line, &r->missing, e);
    }
    reader_close(&in);
    return status;
}

static int thread_count(const struct tiff_band *l)
{
#ifdef _OPENMP
    size_t n = (size_t)omp_get_max_threads();
    const size_t fit = 8 * BLOCK_BYTES_MAX / l->block_bytes;

    if (n > fit) n = fit; /* at least 8 */
    if (n > l->block_count) n = l->block_count;
    return (int)n;
#else
    (void)l;
    return 1;
#endif
}

/* Each thread opens the file for itself: a libtiff handle has one position and one directory. The
 * first error stops the others at their next block. */
static int read_blocks(struct raster *r, const struct tiff_band *l, struct error *e)
{
    const int threads = thread_count(l);
    struct error first = {0};
    int failed = 0;
    size_t missing = 0;
    (void)threads; /* without OpenMP */
#pragma omp parallel num_threads(threads) reduction(+ : missing)
    {
        struct reader in;
        struct error mine = {0};
        int status = reader_open(&in, l, &mine);
#pragma omp for schedule(dynamic)
        for (uint32_t b = 0; b < l->block_count; b++) {
            int stop;
#pragma omp atomic read
            stop = failed;
            if (stop || status) continue;
            status = file_progress_cancelled(l->progress)
                         ? error_cancelled(&mine)
                         : read_block(r, l, &in, b, &missing, &mine);
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
    r->missing = missing;
    if (failed && e) *e = first;
    return failed;
}

int tiff_band_read(struct raster *r, const struct tiff_band *l, struct error *e)
{
    return l->by_line ? read_by_line(r, l, e) : read_blocks(r, l, e);
}
