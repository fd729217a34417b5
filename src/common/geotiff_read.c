/* Reading band 1 of a GeoTIFF: what the file says of itself is checked first, then its blocks
 * (tiles or strips) are decoded on all OpenMP threads, each with its own handle of the file. */
#include "gdal_metadata.h"
#include "geotiff_crs.h"
#include "number.h"
#include "raster_formats.h"
#include "tiff_io.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* Strips of more are read line by line, tiles of more are refused; all threads share eight times
 * it. */
#define BLOCK_BYTES_MAX ((size_t)128 << 20)

enum sample { U8, S8, U16, S16, U32, S32, U64, S64, F16, F32, F64, SAMPLE_COUNT };

struct layout {
    const char *path;
    uint32_t width, height;
    enum sample sample;
    int stride; /* samples from one pixel to the next: the bands, where they are interleaved */
    size_t pixel_bytes;
    bool tiled, by_line;
    uint32_t block_width, block_height;
    uint32_t blocks_across, block_count; /* of band 1 */
    size_t block_bytes;
    bool has_nodata;
    double nodata; /* as stored in a sample of this kind */
    double scale, offset;
};

/* ---- samples
 * -------------------------------------------------------------------------------------- */

static double from_half(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    double v;

    if (exponent == 31) v = fraction ? NAN : INFINITY;
    else if (exponent == 0) v = ldexp(fraction, -24);
    else v = ldexp(1024 + fraction, exponent - 25);
    return half & 0x8000 ? -v : v;
}

static double identity(double v)
{
    return v;
}

/* Takes every stride-th of the samples, which libtiff has put into this machine's byte order. */
#define TAKE(type, convert)                                                                        \
    do {                                                                                           \
        const type *s = (const type *)(const void *)src;                                           \
        for (size_t i = 0; i < n; i++) out[i] = convert(s[i * stride]);                            \
    } while (0)

static void take_samples(enum sample sample, const unsigned char *src, size_t stride, size_t n,
                         double *out)
{
    switch (sample) {
    case U8:
        TAKE(uint8_t, identity);
        break;
    case S8:
        TAKE(int8_t, identity);
        break;
    case U16:
        TAKE(uint16_t, identity);
        break;
    case S16:
        TAKE(int16_t, identity);
        break;
    case U32:
        TAKE(uint32_t, identity);
        break;
    case S32:
        TAKE(int32_t, identity);
        break;
    case U64:
        TAKE(uint64_t, identity);
        break;
    case S64:
        TAKE(int64_t, identity);
        break;
    case F16:
        TAKE(uint16_t, from_half);
        break;
    case F32:
        TAKE(float, identity);
        break;
    case F64:
        TAKE(double, identity);
        break;
    case SAMPLE_COUNT:
        break;
    }
}

/* Puts NaN where there is no data and scales the rest; returns false at an infinite value. */
static bool finish_values(const struct layout *l, double *v, size_t n, size_t *missing)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(v[i]) || (l->has_nodata && v[i] == l->nodata)) {
            v[i] = NAN;
            ++*missing;
        } else {
            v[i] = v[i] * l->scale + l->offset;
            if (isinf(v[i])) return false;
        }
    }
    return true;
}

/* ---- blocks
 * --------------------------------------------------------------------------------------- */

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
    in->tif = NULL;
    in->block = NULL;
}

static int damaged(const char *path, const struct tiff_log *log, struct error *e)
{
    return error_input(e, "%s: truncated or damaged: %s; fetch or write it again", path,
                       tiff_reason(log));
}

/* "m": no memory map, since a file that shrinks under it would kill the process. */
static int reader_open(struct reader *in, const char *path, struct error *e)
{
    *in = (struct reader){0};
    in->tif = tiff_open(path, "rm", &in->log);
    return in->tif ? 0 : damaged(path, &in->log, e);
}

static int reader_allocate(struct reader *in, const struct layout *l, struct error *e)
{
    in->block = malloc(l->block_bytes);
    if (in->block) return 0;
    return error_input(e, "%s: no memory for a block of %zu bytes; write it with smaller tiles",
                       l->path, l->block_bytes);
}

/* The part of the raster that block b covers. */
struct part {
    uint32_t row0, col0, rows, cols;
};

static struct part part_of(const struct layout *l, uint32_t b)
{
    struct part p = {.row0 = b / l->blocks_across * l->block_height,
                     .col0 = b % l->blocks_across * l->block_width};

    p.rows = l->height - p.row0 < l->block_height ? l->height - p.row0 : l->block_height;
    p.cols = l->width - p.col0 < l->block_width ? l->width - p.col0 : l->block_width;
    return p;
}

/* Moves the rows of a decoded block to their place in the raster. */
static int place_block(struct raster *r, const struct layout *l, const unsigned char *block,
                       struct part p, size_t *missing, struct error *e)
{
    for (uint32_t i = 0; i < p.rows; i++) {
        double *out = r->value + (size_t)(p.row0 + i) * l->width + p.col0;
        const unsigned char *src = block + (size_t)i * l->block_width * l->pixel_bytes;
        take_samples(l->sample, src, (size_t)l->stride, p.cols, out);
        if (!finish_values(l, out, p.cols, missing))
            return error_input(e,
                               "%s: an infinite value in row %u (from 0); declare it as nodata "
                               "(gdal_translate -a_nodata) or repair it",
                               l->path, p.row0 + i);
    }
    return 0;
}

/* A block that was never written (length 0) holds nodata, or 0 where none is declared. */
static void place_nothing(struct raster *r, const struct layout *l, struct part p, size_t *missing)
{
    const double v = l->has_nodata ? NAN : l->offset;

    for (uint32_t i = 0; i < p.rows; i++)
        for (uint32_t j = 0; j < p.cols; j++)
            r->value[(size_t)(p.row0 + i) * l->width + p.col0 + j] = v;
    if (l->has_nodata) *missing += (size_t)p.rows * p.cols;
}

static int read_block(struct raster *r, const struct layout *l, struct reader *in, uint32_t b,
                      size_t *missing, struct error *e)
{
    const struct part p = part_of(l, b);
    const tmsize_t size = (tmsize_t)l->block_bytes;
    const tmsize_t need =
        l->tiled ? size : (tmsize_t)((size_t)p.rows * l->block_width * l->pixel_bytes);
    tmsize_t got;

    if (TIFFGetStrileByteCount(in->tif, b) == 0) {
        place_nothing(r, l, p, missing);
        return 0;
    }
    got = l->tiled ? TIFFReadEncodedTile(in->tif, b, in->block, size)
                   : TIFFReadEncodedStrip(in->tif, b, in->block, need);
    if (got != need) return damaged(l->path, &in->log, e);
    return place_block(r, l, in->block, p, missing, e);
}

static int read_by_line(struct raster *r, const struct layout *l, struct reader *in,
                        struct error *e)
{
    int status = reader_allocate(in, l, e);

    for (uint32_t row = 0; !status && row < l->height; row++) {
        if (TIFFReadScanline(in->tif, in->block, row, 0) < 0) return damaged(l->path, &in->log, e);
        status = place_block(r, l, in->block, (struct part){row, 0, 1, l->width}, &r->missing, e);
    }
    return status;
}

static int thread_count(const struct layout *l)
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
static int read_blocks(struct raster *r, const struct layout *l, struct error *e)
{
    const int threads = thread_count(l);
    int failed = 0;
    size_t missing = 0;

    (void)threads; /* without OpenMP */
#pragma omp parallel num_threads(threads) reduction(+ : missing)
    {
        struct reader in;
        struct error mine = {0};
        int status = reader_open(&in, l->path, &mine);

        if (!status) status = reader_allocate(&in, l, &mine);
#pragma omp for schedule(dynamic)
        for (uint32_t b = 0; b < l->block_count; b++) {
            int stop;
#pragma omp atomic read
            stop = failed;
            if (stop || status) continue;
            status = read_block(r, l, &in, b, &missing, &mine);
            if (!status) continue;
#pragma omp atomic write
            failed = status;
        }
#pragma omp critical(geotiff_read_error)
        if (status && (!e || !e->code)) {
            failed = status;
            if (e) *e = mine;
        }
        reader_close(&in);
    }
    r->missing = missing;
    return failed;
}

/* ---- what the file says of itself
 * ----------------------------------------------------------------- */

static int read_sample_kind(struct layout *l, TIFF *tif, struct error *e)
{
    static const struct {
        uint16_t format, bits;
    } kinds[SAMPLE_COUNT] = {
        [U8] = {SAMPLEFORMAT_UINT, 8},     [S8] = {SAMPLEFORMAT_INT, 8},
        [U16] = {SAMPLEFORMAT_UINT, 16},   [S16] = {SAMPLEFORMAT_INT, 16},
        [U32] = {SAMPLEFORMAT_UINT, 32},   [S32] = {SAMPLEFORMAT_INT, 32},
        [U64] = {SAMPLEFORMAT_UINT, 64},   [S64] = {SAMPLEFORMAT_INT, 64},
        [F16] = {SAMPLEFORMAT_IEEEFP, 16}, [F32] = {SAMPLEFORMAT_IEEEFP, 32},
        [F64] = {SAMPLEFORMAT_IEEEFP, 64},
    };
    uint16_t bits = 1, format = SAMPLEFORMAT_UINT, bands = 1, planar = PLANARCONFIG_CONTIG;
    int k = 0;

    TIFFGetFieldDefaulted(tif, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLESPERPIXEL, &bands);
    TIFFGetFieldDefaulted(tif, TIFFTAG_PLANARCONFIG, &planar);
    if (format == SAMPLEFORMAT_VOID) format = SAMPLEFORMAT_UINT;
    while (k < SAMPLE_COUNT && (kinds[k].format != format || kinds[k].bits != bits)) k++;
    if (k == SAMPLE_COUNT || bands == 0)
        return error_input(e,
                           "%s: samples of %d bits in TIFF format %d; convert them with "
                           "gdal_translate -ot Float32",
                           l->path, bits, format);
    l->sample = (enum sample)k;
    l->stride = planar == PLANARCONFIG_CONTIG ? bands : 1;
    l->pixel_bytes = (size_t)l->stride * bits / 8;
    return 0;
}

/* Only what stores the numbers themselves, not colours made of several. */
static int check_encoding(const char *path, TIFF *tif, struct error *e)
{
    static const uint16_t known[] = {
        COMPRESSION_NONE, COMPRESSION_LZW,  COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
        COMPRESSION_LZMA, COMPRESSION_ZSTD, COMPRESSION_PACKBITS,      COMPRESSION_LERC,
        COMPRESSION_JPEG, COMPRESSION_WEBP};
    uint16_t compression = COMPRESSION_NONE, photometric = PHOTOMETRIC_MINISBLACK;
    bool good = false;

    TIFFGetFieldDefaulted(tif, TIFFTAG_COMPRESSION, &compression);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        good |= known[i] == compression && TIFFIsCODECConfigured(compression);
    if (!good)
        return error_input(e,
                           "%s: TIFF compression %d cannot be read here; write it anew with "
                           "gdal_translate -co COMPRESS=DEFLATE",
                           path, compression);
    if (TIFFGetField(tif, TIFFTAG_PHOTOMETRIC, &photometric) && photometric > PHOTOMETRIC_MASK)
        return error_input(e,
                           "%s: an image in colours, not a grid of numbers; give a GeoTIFF of one "
                           "band of values",
                           path);
    return 0;
}

static int read_blocks_layout(struct layout *l, TIFF *tif, struct error *e)
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
        return error_input(e, "%s: tiles or strips of size 0; write it anew with gdal_translate",
                           l->path);
    across = ((uint64_t)l->width + l->block_width - 1) / l->block_width;
    down = ((uint64_t)l->height + l->block_height - 1) / l->block_height;
    l->blocks_across = (uint32_t)across;
    l->block_count = l->tiled ? TIFFNumberOfTiles(tif) : TIFFNumberOfStrips(tif);
    if (down * across > l->block_count)
        return error_input(e, "%s: %u tiles or strips, too few for %u x %u cells; write it anew",
                           l->path, l->block_count, l->height, l->width);
    l->block_count = (uint32_t)(down * across);

    /* width, height < 2^31 and pixel_bytes < 2^19 may overflow together; compare piece by piece */
    bytes = (uint64_t)l->block_width * l->pixel_bytes;
    l->by_line = !l->tiled && bytes > BLOCK_BYTES_MAX / l->block_height;
    if (bytes > BLOCK_BYTES_MAX || (l->tiled && bytes > BLOCK_BYTES_MAX / l->block_height))
        return error_input(e,
                           "%s: tiles of %u x %u pixels are too large; write it with "
                           "gdal_translate -co TILED=YES",
                           l->path, l->block_height, l->block_width);
    l->block_bytes = (size_t)bytes * (l->by_line ? 1 : l->block_height);
    /* libtiff has the last word on how much it will write into the buffer */
    bytes = (uint64_t)(l->by_line ? TIFFScanlineSize(tif)
                       : l->tiled ? TIFFTileSize(tif)
                                  : TIFFVStripSize(tif, l->block_height));
    if (bytes == l->block_bytes) return 0;
    return error_input(
        e, "%s: its blocks have an unusual layout; write it anew with gdal_translate", l->path);
}

/* Finds a truncated file before anything is allocated for it. */
static int check_blocks(const struct layout *l, TIFF *tif, struct error *e)
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

static bool scan_all(const char *text, double *v)
{
    const char *end = text + strlen(text);

    while (*text == ' ') text++;
    text = number_scan(text, end, v);
    while (text && *text == ' ') text++;
    return text == end;
}

static int read_values_meaning(struct layout *l, struct raster *r, TIFF *tif, struct error *e)
{
    char *text = NULL, item[64];

    l->scale = 1;
    if (TIFFGetField(tif, TIFFTAG_GDAL_NODATA, &text) && *text) {
        if (!scan_all(text, &r->nodata))
            return error_input(e,
                               "%s: its nodata value '%.20s' is not a number; set it anew "
                               "(gdal_translate -a_nodata)",
                               l->path, text);
        l->has_nodata = true;
        l->nodata = l->sample == F32 ? (double)(float)r->nodata : r->nodata;
    }
    if (!TIFFGetField(tif, TIFFTAG_GDAL_METADATA, &text)) return 0;
    gdal_metadata_find(text, "TERRAIN", NULL, r->terrain_source, sizeof r->terrain_source);
    if ((gdal_metadata_find(text, NULL, "scale", item, sizeof item) &&
         !scan_all(item, &l->scale)) ||
        (gdal_metadata_find(text, NULL, "offset", item, sizeof item) &&
         !scan_all(item, &l->offset)) ||
        !isfinite(l->scale) || !isfinite(l->offset))
        return error_input(e,
                           "%s: scale or offset '%s' in its metadata is not a number; set them "
                           "anew (gdal_edit -scale -offset)",
                           l->path, item);
    return 0;
}

/* Where pixel (0, 0) has its upper-left corner, or (PixelIsPoint) its centre, and the sides of a
 * cell. */
struct transform {
    double x, y, dx, dy;
};

static int read_transform(struct transform *t, TIFF *tif, const char *path, struct error *e)
{
    double *scale = NULL, *tie = NULL, *m = NULL;
    uint16_t n = 0;

    if (TIFFGetField(tif, TIFFTAG_GEOPIXELSCALE, &n, &scale) && n >= 2 &&
        TIFFGetField(tif, TIFFTAG_GEOTIEPOINTS, &n, &tie) && n >= 6) {
        *t = (struct transform){tie[3] - tie[0] * scale[0], tie[4] + tie[1] * scale[1], scale[0],
                                scale[1]};
    } else if (TIFFGetField(tif, TIFFTAG_GEOTRANSMATRIX, &n, &m) && n >= 16) {
        *t = (struct transform){m[3], m[7], m[0], -m[5]};
        if (m[1] != 0 || m[4] != 0)
            return error_input(
                e, "%s: the grid is rotated or sheared; turn it north up with gdalwarp", path);
    } else {
        return error_input(
            e,
            "%s: does not say where it lies (no ModelPixelScale with a tie point, no "
            "ModelTransformation); give it a place with gdal_translate -a_ullr -a_srs",
            path);
    }
    if (!isfinite(t->x) || !isfinite(t->y) || !(t->dx > 0 && isfinite(t->dx)) ||
        !(t->dy > 0 && isfinite(t->dy)))
        return error_input(
            e,
            "%s: its cells are %g wide and %g high; the grid has to be north up, with "
            "cells larger than 0 (gdalwarp)",
            path, t->dx, t->dy);
    if (fabs(t->dx - t->dy) > 1e-6 * t->dx)
        return error_input(e,
                           "%s: cells of %.9g x %.9g, but they have to be square; resample with "
                           "gdalwarp -tr",
                           path, t->dx, t->dy);
    return 0;
}

static int read_place(struct georef *g, const struct layout *l, TIFF *tif, struct error *e)
{
    struct transform t = {0};
    bool point;
    int status;

    if ((status = geotiff_crs_read(&g->crs, &point, tif, l->path, e)) ||
        (status = read_transform(&t, tif, l->path, e)))
        return status;
    g->cell_m = t.dx;
    g->west_m = point ? t.x - t.dx / 2 : t.x;
    g->south_m = (point ? t.y + t.dy / 2 : t.y) - l->height * t.dy;
    return 0;
}

static int read_header(struct layout *l, struct raster *r, TIFF *tif, size_t max_cells,
                       struct error *e)
{
    int status;

    TIFFGetField(tif, TIFFTAG_IMAGEWIDTH, &l->width);
    TIFFGetField(tif, TIFFTAG_IMAGELENGTH, &l->height);
    if ((status = raster_check_size(l->path, l->height, l->width, max_cells, e)) ||
        (status = read_sample_kind(l, tif, e)) || (status = check_encoding(l->path, tif, e)) ||
        (status = read_blocks_layout(l, tif, e)) || (status = check_blocks(l, tif, e)) ||
        (status = read_values_meaning(l, r, tif, e)))
        return status;
    return read_place(&r->geo, l, tif, e);
}

int geotiff_read(struct raster *r, const char *path, size_t max_cells, struct error *e)
{
    struct layout l = {.path = path};
    struct reader in;
    int status = reader_open(&in, path, e);

    if (status) return status;
    if (e) e->code = ERROR_NONE; /* read_blocks() keeps the first error of its threads */
    if (!(status = read_header(&l, r, in.tif, max_cells, e)) &&
        !(status = raster_allocate(r, path, (int)l.height, (int)l.width, e)) && l.by_line)
        status = read_by_line(r, &l, &in, e);
    reader_close(&in);
    if (!status && !l.by_line) status = read_blocks(r, &l, e);
    return status;
}
