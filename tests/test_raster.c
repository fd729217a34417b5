/* Reading rasters: Arc/Info ASCII grids in all their odd forms and each malformed one; GeoTIFFs,
 * written with libtiff in every sample format, layout, compression and byte order, read back bit
 * for bit. */
#include "raster/raster.h"
#include "raster/tiff_io.h"

#include <geotiff.h>
#include <geovalues.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scratch.h"

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 11;
}

static void put_bytes(const char *path, const void *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, n, f) != n || fclose(f)) abort();
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* Reading fails with ERROR_INPUT, one line that has `what` in it, and an all-zero raster. */
static void assert_refused(const char *path, size_t max_cells, const char *what)
{
    const struct raster zero = {0};
    struct raster r;
    struct error e = {0};
    const int status = raster_read(&r, path, max_cells, &e);

    if (status == 0) fail_msg("%s was read, but should be refused: %s", path, what);
    assert_int_equal(status, ERROR_INPUT);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.text, what)) fail_msg("'%s' does not say '%s'", e.text, what);
    assert_ptr_equal(strstr(e.text, path), e.text);
    assert_null(strchr(e.text, '\n'));
    assert_memory_equal(&r, &zero, sizeof r);
    assert_int_equal(raster_read(&r, path, max_cells, NULL), ERROR_INPUT);
}

static void must_read(struct raster *r, const char *path)
{
    struct error e = {0};
    if (raster_read(r, path, 0, &e)) fail_msg("%s", e.text);
}

/* ---- Arc/Info ASCII -------------------------------------------------------------------------- */

#define PLACE "xllcorner 1000.5\nyllcorner 2000\ncellsize 10\n"
#define HEAD  "ncols 3\nnrows 2\n" PLACE
#define ROWS2 "1 2 3\n4 -9999 6.5\n"

static void ascii_odd_forms(void **state)
{
    static const char *const texts[] = {
        HEAD ROWS2,
        HEAD "NODATA_value -9999\n" ROWS2,
        "ncols\t\t3\r\nnrows\t\t2\r\nxllcorner\t1000.5\r\nyllcorner\t2000\r\ncellsize\t10.0\r\n"
        "NODATA_value\t-9999.0\r\n1  2  3  \r\n4  -9999.000000  6.50  \r\n",
        "NODATA_VALUE -9999\nCELLSIZE 1e1\nYLLCORNER 2e3\nXllCorner +1000.5\nNRows 2\nNCOLS "
        "3\n" ROWS2,
        "ncols 3\nnrows 2\nxllcenter 1005.5\nyllcenter 2005\ncellsize 10\n" ROWS2,
        "ncols 3\nnrows 2\nxllcenter 1005.5\nyllcorner 2000\ndx 10\ndy 10.000000001\n" ROWS2,
        HEAD "1 2 3 4 -9999 6.5",                   /* all on one line, none behind it */
        HEAD "\n\n 1\n2\n3 4\n-9999\n\t6.5\n\n \n", /* wrapped anyhow */
        "\xef\xbb\xbf" HEAD ROWS2,
        HEAD "NODATA_value 7\n1. 2.0E0 .3e1\n+4 nan 65e-1\n",
        HEAD "NODATA_value nan\n1 2 3 4 NaN 6.5\n",
        HEAD "nodata_value 2.5\n1 2 3 4 2.5 6.5000000000000000000000000000001\n",
    };
    static const double expect[] = {1, 2, 3, 4, NAN, 6.5};
    struct scratch s;
    (void)state;

    scratch_create(&s);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct raster r;
        put_bytes(scratch_file(&s, "a.asc"), texts[i], strlen(texts[i]));
        must_read(&r, scratch_file(&s, "a.asc"));
        assert_int_equal(r.rows, 2);
        assert_int_equal(r.cols, 3);
        assert_int_equal(r.missing, 1);
        for (int k = 0; k < 6; k++) assert_true(same_bits(r.value[k], expect[k]));
        assert_true(r.geo.west_m == 1000.5 && r.geo.south_m == 2000 && r.geo.cell_m == 10);
        assert_true(r.geo.crs.epsg == 0 && r.geo.crs.key_count == 0 && r.geo.crs.unit_m == 1);
        assert_string_equal(r.terrain_source, "");
        raster_free(&r);
        assert_null(r.value);
    }
    scratch_remove(&s);
}

static void ascii_refusals(void **state)
{
    static const struct {
        const char *text, *what;
    } bad[] = {
        {"", ": the file is empty"},
        {"\n\n", "neither a GeoTIFF nor"},
        {"1 2 3\n", "neither a GeoTIFF nor"},
        {"\x89PNG\r\n", "neither a GeoTIFF nor"},
        {"hello world\n", ":1: unknown key 'hello'"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\ncolour 1\n1 2 3 4 5 6\n",
         ":6: unknown key 'colour'"},
        {"ncols 3\nncols 3\n", ":2: ncols was given on line 1 already"},
        {"ncols\n3\n", ":1: ncols has no value"},
        {"ncols 3x\n", ":1: ncols '3x' is not a number"},
        {"ncols 0x10\n", ":1: ncols '0x10' is not a number"},
        {"ncols 3 4\n", ":1: rubbish '4' behind the value of ncols"},
        {"ncols 3,5\n", ":1: ncols '3,5' is not a number"},
        {"ncols 2.5\nnrows 2\n" PLACE "1 2 3 4\n", ":1: ncols is 2.5; it has to be a whole number"},
        {"ncols -3\nnrows 2\n" PLACE "1 2 3 4\n", ":1: ncols is -3"},
        {"ncols 0\nnrows 2\n" PLACE "1 2 3 4\n", ":1: ncols is 0"},
        {"ncols nan\nnrows 2\n" PLACE "1 2\n", ":1: ncols is not a number"},
        {"ncols 1e999\nnrows 2\n" PLACE "1 2\n", ":1: ncols '1e999' is infinite"},
        {"ncols 3\n" PLACE ROWS2, "ends without nrows"},
        {"nrows 2\n" PLACE ROWS2, "ends without ncols"},
        {"ncols 3\nnrows 2\nyllcorner 0\ncellsize 1\n" ROWS2,
         ":5: the header ends without xllcorner"},
        {"ncols 3\nnrows 2\nxllcorner 0\ncellsize 1\n" ROWS2, "ends without yllcorner"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\n" ROWS2, "ends without cellsize"},
        {HEAD "xllcenter 5\n" ROWS2, ":6: both xllcorner and xllcenter are given"},
        {HEAD "dx 10\n" ROWS2, ":6: both cellsize and dx are given"},
        {HEAD "dy 10\n" ROWS2, ":6: dy needs dx beside it"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 1\ndy 2\n" ROWS2,
         ":6: dx is 1 and dy is 2"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 1\n" ROWS2, ":5: dx needs dy beside it"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0\n" ROWS2, ":5: cellsize is 0"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize -1\n" ROWS2, ":5: cellsize is -1"},
        {HEAD "1 2 3\n4 5\n", ":8: ends before it has 6 values"},
        {HEAD "1 2\n4 5 6\n", ": line 6 has 2"},
        {HEAD, "too short for nrows x ncols = 6 values"},
        {HEAD "1 2 3\n4 5 6 7\n", ":7: goes on after 6 values"},
        {HEAD "1 2 3 9\n4 5 6\n", ": line 6 has 4"},
        {HEAD "1 2 3\n4 5 6\nend\n", ":8: goes on after 6 values"},
        {HEAD "1 2 3\n4 5x 6\n", ":7: value '5x' is not a number"},
        {HEAD "1 2 3\n4 -- 6\n", ":7: value '--' is not a number"},
        {HEAD "1 2 3\n4 1,5 6\n", ":7: value '1,5' is not a number"},
        {HEAD "1 2 3\n4 1d5 6\n", ":7: value '1d5' is not a number"},
        {HEAD "1 2 3\n4 . 6\n", ":7: value '.' is not a number"},
        {HEAD "1 2 3\n4 5e 6\n", ":7: value '5e' is not a number"},
        {HEAD "1 2 3\n4 inf 6\n", ":7: value 'inf' is infinite"},
        {HEAD "1 2 3\n4 1e400 6\n", ":7: value '1e400' is infinite"},
        {HEAD "1 2 3\n4 \x01 6\n", ":7: value '?' is not a number"},
        {"ncols 2000000000\nnrows 2000000000\n" PLACE "1 2 3\n", "GiB of memory"},
        {"ncols 1e30\nnrows 1\n" PLACE "1 2 3\n", "at most 2147483647 rows and columns"},
        {"ncols 10000\nnrows 10000\n" PLACE "1 2 3\n", "too short for nrows x ncols"},
    };
    struct scratch s;
    (void)state;

    scratch_create(&s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_bytes(scratch_file(&s, "bad.asc"), bad[i].text, strlen(bad[i].text));
        assert_refused(scratch_file(&s, "bad.asc"), 0, bad[i].what);
    }
    put_bytes(scratch_file(&s, "nul.asc"), HEAD "1 2 3 4 5 \0 6",
              sizeof(HEAD "1 2 3 4 5 \0 6") - 1);
    assert_refused(scratch_file(&s, "nul.asc"), 0, ":6: value '?' is not a number");
    put_bytes(scratch_file(&s, "good.asc"), HEAD ROWS2, strlen(HEAD ROWS2));
    assert_refused(scratch_file(&s, "good.asc"), 5, "cells need about 0.0 GiB");
    assert_refused(scratch_file(&s, "none.asc"), 0, "cannot be opened: No such file");
    assert_refused(s.path, 0, "not a regular file");
    if (mkfifo(scratch_file(&s, "pipe"), 0600)) abort();
    assert_refused(scratch_file(&s, "pipe"), 0, "not a regular file");
    scratch_remove(&s);
}

/* Whatever printf can print is read as strtod would read it, also where the comma is the point. */
static void ascii_numbers(void **state)
{
    enum { N = 20000 };
    static const char *const formats[] = {"%.17g ", "%f ", "%.3e\n", "%.9g\t", "%.25f ", "%.0f "};
    uint64_t seed = 2006;
    struct scratch s;
    struct raster r;
    double *expect = malloc(N * sizeof *expect);
    (void)state;

    scratch_create(&s);
    FILE *f = fopen(scratch_file(&s, "n.asc"), "wb");
    if (!f || !expect) abort();
    fprintf(f, "ncols %d\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\nnodata_value -1e300\n", N);
    for (int i = 0; i < N; i++) {
        char text[512];
        const double scale = pow(10, (double)(next(&seed) % 41) - 20);
        const double v = ((double)next(&seed) / 9007199254740992.0 * 2 - 1) * scale;
        snprintf(text, sizeof text, formats[next(&seed) % 6], v);
        expect[i] = strtod(text, NULL);
        fputs(text, f);
    }
    if (fclose(f)) abort();
    const bool comma = setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "de_DE");
    if (!comma) print_message("no locale with a decimal comma here: tested in C's alone\n");
    must_read(&r, scratch_file(&s, "n.asc"));
    setlocale(LC_ALL, "C");
    for (int i = 0; i < N; i++) assert_true(same_bits(r.value[i], expect[i]));
    raster_free(&r);
    free(expect);
    scratch_remove(&s);
}

static void the_real_terrain(void **state)
{
    char path[512];
    struct raster r;
    (void)state;

    if (!etna_folder()) {
        print_message("ETNA2006_DIR is not set: left out\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/2006_000000000000_Morphology.asc", etna_folder());
    must_read(&r, path);
    assert_int_equal(r.rows, GOLDEN_ROWS);
    assert_int_equal(r.cols, GOLDEN_COLS);
    assert_int_equal(r.missing, 0);
    assert_true(r.geo.west_m == 499547.5 && r.geo.south_m == 4174982.5 && r.geo.cell_m == 10);
    assert_true(r.value[0] == 3298);
    raster_free(&r);
}

/* ---- GeoTIFF --------------------------------------------------------------------------------- */

/* How a test file is written; the defaults of an all-zero form are given behind each. */
struct form {
    int rows, cols;
    int format, bits; /* of a sample */
    int compression, predictor, planar, bands;
    bool tiled;
    const char *mode; /* "w": libtiff's own byte order */
    const char *nodata, *metadata;
    bool no_place, sparse, opacity;
    int photometric;                    /* MINISBLACK */
    const double *scale, *tie, *matrix; /* 3, 6 and 16 numbers */
    void (*keys)(GTIF *keys);
};

enum { TILE = 16, STRIP = 5 };

/* The sample of a cell as its bytes in this machine's order, and the double that it stands for. */
static double sample_of(const struct form *m, int row, int col, int band, unsigned char out[8])
{
    uint64_t seed = (uint64_t)row * 1000003 + (uint64_t)col * 1009 + (uint64_t)band * 77 + 5;
    next(&seed);
    const uint64_t random = next(&seed) << 11 | next(&seed) >> 40;

    if (m->format == SAMPLEFORMAT_IEEEFP && m->bits == 16) {
        /* 1 + k/1024 times a power of two, either sign */
        const uint16_t half = (uint16_t)((random & 0x83ff) | (1 + random / 65536 % 30) << 10);
        memcpy(out, &half, 2);
        const double v = ldexp(1 + (half & 1023) / 1024.0, (half >> 10 & 31) - 15);
        return half & 0x8000 ? -v : v;
    }
    if (m->format == SAMPLEFORMAT_IEEEFP && m->bits == 32) {
        float v = (float)((double)(random >> 40) / 4096.0 - 2000);
        if (random % 50 == 0 && m->compression != COMPRESSION_LERC) v = NAN; /* it loses them */
        if (random % 50 == 1) v = -0.0f;
        if (random % 50 == 2) v = 1e-42f;
        memcpy(out, &v, 4);
        return v;
    }
    if (m->format == SAMPLEFORMAT_IEEEFP) {
        const bool none = random % 50 == 0 && m->compression != COMPRESSION_LERC;
        const double v = none ? NAN : (double)random / 3e15;
        memcpy(out, &v, 8);
        return v;
    }
    memcpy(out, &random, 8);
    const int shift = 64 - m->bits;
    if (m->format == SAMPLEFORMAT_UINT) return (double)(random << shift >> shift);
    int64_t v;
    memcpy(&v, &(uint64_t){random << shift}, 8);
    return (double)(v / ((int64_t)1 << shift)); /* exact: a multiple of it */
}

/* Fills one block with what belongs into it; beyond the edges of the grid too. */
static void fill_block(const struct form *m, int row0, int col0, int rows, int cols, int band,
                       unsigned char *out)
{
    const int bytes = m->bits / 8;
    const int bands = m->planar == PLANARCONFIG_CONTIG ? m->bands : 1;
    /* Predictor 3 is of no byte order, but libtiff swaps what it writes for a big-endian file
     * before predicting, and does not when it reads. */
    const bool swap = m->predictor == 3 && m->mode[1] == 'b';

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            for (int k = 0; k < bands; k++) {
                unsigned char sample[8];
                sample_of(m, row0 + i, col0 + j, band + k, sample);
                for (int b = 0; b < bytes; b++) *out++ = sample[swap ? bytes - 1 - b : b];
            }
}

static void set_place(TIFF *tif, const struct form *m)
{
    static const double scale[3] = {10, 10, 0}, tie[6] = {0, 0, 0, 1000, 5000, 0};

    if (m->matrix) {
        TIFFSetField(tif, TIFFTAG_GEOTRANSMATRIX, 16, m->matrix);
        return;
    }
    TIFFSetField(tif, TIFFTAG_GEOPIXELSCALE, 3, m->scale ? m->scale : scale);
    TIFFSetField(tif, TIFFTAG_GEOTIEPOINTS, 6, m->tie ? m->tie : tie);
}

static TIFF *form_open(const struct form *m, const char *path, struct tiff_log *log)
{
    TIFF *tif = tiff_open(path, m->mode, log);
    if (!tif) return NULL;
    TIFFSetField(tif, TIFFTAG_IMAGEWIDTH, m->cols);
    TIFFSetField(tif, TIFFTAG_IMAGELENGTH, m->rows);
    TIFFSetField(tif, TIFFTAG_BITSPERSAMPLE, m->bits);
    TIFFSetField(tif, TIFFTAG_SAMPLEFORMAT, m->format);
    TIFFSetField(tif, TIFFTAG_SAMPLESPERPIXEL, m->bands);
    TIFFSetField(tif, TIFFTAG_PLANARCONFIG, m->planar);
    TIFFSetField(tif, TIFFTAG_PHOTOMETRIC,
                 m->photometric ? m->photometric : PHOTOMETRIC_MINISBLACK);
    if (m->opacity) TIFFSetField(tif, TIFFTAG_EXTRASAMPLES, 1, &(uint16_t){EXTRASAMPLE_UNASSALPHA});
    TIFFSetField(tif, TIFFTAG_COMPRESSION, m->compression);
    if (m->predictor > 1) TIFFSetField(tif, TIFFTAG_PREDICTOR, m->predictor);
    if (m->tiled) TIFFSetField(tif, TIFFTAG_TILEWIDTH, TILE);
    if (m->tiled) TIFFSetField(tif, TIFFTAG_TILELENGTH, TILE);
    if (!m->tiled) TIFFSetField(tif, TIFFTAG_ROWSPERSTRIP, STRIP);
    if (m->nodata) TIFFSetField(tif, TIFFTAG_GDAL_NODATA, m->nodata);
    if (m->metadata) TIFFSetField(tif, TIFFTAG_GDAL_METADATA, m->metadata);
    if (!m->no_place) set_place(tif, m);
    if (m->keys) {
        GTIF *keys = GTIFNew(tif);
        m->keys(keys);
        GTIFWriteKeys(keys);
        GTIFFree(keys);
    }
    return tif;
}

/* Writes the file; false where this libtiff cannot write that form. */
static bool form_write(const struct form *given, const char *path)
{
    struct form f = *given, *m = &f;
    unsigned char block[TILE * TILE * 8 * 4];
    struct tiff_log log;

    if (!m->rows) m->rows = 37, m->cols = 53;
    if (!m->bits) m->bits = 32, m->format = SAMPLEFORMAT_IEEEFP;
    if (!m->compression) m->compression = COMPRESSION_NONE;
    if (!m->planar) m->planar = PLANARCONFIG_CONTIG;
    if (!m->bands) m->bands = 1;
    if (!m->mode) m->mode = "w";

    TIFF *tif = form_open(m, path, &log);
    bool good = tif != NULL;
    const int height = m->tiled ? TILE : STRIP, width = m->tiled ? TILE : m->cols;
    uint32_t number = 0;
    for (int band = 0; band < (m->planar == PLANARCONFIG_CONTIG ? 1 : m->bands); band++)
        for (int row = 0; row < m->rows; row += height)
            for (int col = 0; good && col < m->cols; col += width, number++) {
                const int rows = m->tiled || row + height <= m->rows ? height : m->rows - row;
                if (m->sparse && number % 2) continue;
                unsigned char *wide = m->tiled ? block : malloc(TIFFStripSize(tif));
                fill_block(m, row, col, rows, width, band, wide);
                good = m->tiled ? TIFFWriteEncodedTile(tif, number, wide, TIFFTileSize(tif)) > 0
                                : TIFFWriteEncodedStrip(tif, number, wide,
                                                        TIFFVStripSize(tif, (uint32_t)rows)) > 0;
                if (!m->tiled) free(wide);
            }
    if (tif) TIFFClose(tif);
    return good;
}

static const struct {
    int format, bits;
} samples[] = {{SAMPLEFORMAT_UINT, 8},    {SAMPLEFORMAT_INT, 8},    {SAMPLEFORMAT_UINT, 16},
               {SAMPLEFORMAT_INT, 16},    {SAMPLEFORMAT_UINT, 32},  {SAMPLEFORMAT_INT, 32},
               {SAMPLEFORMAT_UINT, 64},   {SAMPLEFORMAT_INT, 64},   {SAMPLEFORMAT_IEEEFP, 16},
               {SAMPLEFORMAT_IEEEFP, 32}, {SAMPLEFORMAT_IEEEFP, 64}};

static const struct {
    int code;
    bool predicts;
} compressions[] = {{COMPRESSION_NONE, false},     {COMPRESSION_LZW, true},
                    {COMPRESSION_DEFLATE, true},   {COMPRESSION_ADOBE_DEFLATE, true},
                    {COMPRESSION_PACKBITS, false}, {COMPRESSION_ZSTD, true},
                    {COMPRESSION_LZMA, true},      {COMPRESSION_LERC, false}};

/* Writes, reads and compares; true unless this libtiff cannot write it. */
static bool round_trip(const struct form *m, const char *path)
{
    struct raster r;
    size_t missing = 0;

    if (!form_write(m, path)) return false;
    must_read(&r, path);
    assert_int_equal(r.rows, 37);
    assert_int_equal(r.cols, 53);
    for (int row = 0; row < 37; row++)
        for (int col = 0; col < 53; col++) {
            unsigned char bytes[8];
            const double expect = sample_of(m, row, col, 0, bytes);
            if (!same_bits(r.value[row * 53 + col], expect))
                fail_msg("format %d, %d bits, compression %d, predictor %d, %s, %d bands, mode %s: "
                         "%.17g at %d, %d, not %.17g",
                         m->format, m->bits, m->compression, m->predictor,
                         m->tiled ? "tiles" : "strips", m->bands, m->mode, r.value[row * 53 + col],
                         row, col, expect);
            missing += isnan(expect);
        }
    assert_int_equal(r.missing, missing);
    assert_true(r.geo.west_m == 1000 && r.geo.south_m == 5000 - 370 && r.geo.cell_m == 10);
    assert_true(isnan(r.nodata));
    raster_free(&r);
    return true;
}

static void tiff_forms(void **state)
{
    static const char *const modes[] = {"wl", "wb", "wl8", "wb8"};
    int done = 0, left_out = 0;
    struct scratch s;
    (void)state;

    scratch_create(&s);
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++)
        for (size_t c = 0; c < sizeof compressions / sizeof *compressions; c++)
            for (int layout = 0; layout < 6; layout++)
                for (int predictor = 1; predictor <= 3; predictor++) {
                    struct form m = {.format = samples[k].format,
                                     .bits = samples[k].bits,
                                     .compression = compressions[c].code,
                                     .predictor = predictor,
                                     .tiled = layout & 1,
                                     .bands = layout < 2 ? 1 : 3,
                                     .planar =
                                         layout < 4 ? PLANARCONFIG_CONTIG : PLANARCONFIG_SEPARATE,
                                     .mode = modes[(k + c + (size_t)layout) % 4]};
                    /* LZMA is slow to start */
                    if (compressions[c].code == COMPRESSION_LZMA && (k + (size_t)layout) % 4)
                        continue;
                    if (predictor > 1 && !compressions[c].predicts) continue;
                    if (predictor == 3 && m.format != SAMPLEFORMAT_IEEEFP) continue;
                    if (!TIFFIsCODECConfigured((uint16_t)m.compression)) continue;
                    if (round_trip(&m, scratch_file(&s, "t.tif"))) done++;
                    else left_out++;
                }
    scratch_remove(&s);
    if (left_out) print_message("%d forms that this libtiff cannot write left out\n", left_out);
    assert_true(done > 700);
    assert_true(left_out < done / 4);
}

static void tiff_jpeg(void **state)
{
    struct form m = {
        .format = SAMPLEFORMAT_UINT, .bits = 8, .compression = COMPRESSION_JPEG, .tiled = true};
    struct scratch s;
    struct raster r;
    (void)state;

    if (!TIFFIsCODECConfigured(COMPRESSION_JPEG)) skip();
    scratch_create(&s);
    assert_true(form_write(&m, scratch_file(&s, "j.tif")));
    must_read(&r, scratch_file(&s, "j.tif")); /* lossy: only that it is read */
    assert_int_equal(r.missing, 0);
    raster_free(&r);
    scratch_remove(&s);
}

static void tiff_meaning(void **state)
{
    static const char metadata[] =
        "<GDALMetadata>\n  <Item name=\"TERRAIN\" sample=\"0\">of the band</Item>\n"
        "  <Item name=\"TERRAIN\">SYNTHETIC TERRAIN &amp;amp; &lt;more&gt;\n&quot;x&quot;</Item>\n"
        "  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>\n"
        "  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-100</Item>\n</GDALMetadata>\n";
    struct form m = {.format = SAMPLEFORMAT_UINT, .bits = 8, .nodata = " 7 ", .metadata = metadata};
    struct scratch s;
    struct raster r;
    size_t sevens = 0;
    (void)state;

    scratch_create(&s);
    assert_true(form_write(&m, scratch_file(&s, "m.tif")));
    must_read(&r, scratch_file(&s, "m.tif"));
    for (int i = 0; i < 37 * 53; i++) {
        unsigned char bytes[8];
        const double raw = sample_of(&m, i / 53, i % 53, 0, bytes);
        sevens += raw == 7;
        assert_true(same_bits(r.value[i], raw == 7 ? NAN : raw * 0.5 - 100));
    }
    assert_true(sevens > 0);
    assert_int_equal(r.missing, sevens);
    assert_true(r.nodata == 7);
    assert_string_equal(r.terrain_source, "SYNTHETIC TERRAIN & <more> \"x\"");
    raster_free(&r);

    m = (struct form){.nodata = "-3.4028234663852886e+38", .sparse = true, .tiled = true};
    assert_true(form_write(&m, scratch_file(&s, "m.tif")));
    must_read(&r, scratch_file(&s, "m.tif"));
    assert_true(r.missing >= 37 * 53 / 4); /* half of the tiles were never written */
    assert_true(isnan(r.value[17]) && !isnan(r.value[35]));
    raster_free(&r);
    m.nodata = NULL;
    assert_true(form_write(&m, scratch_file(&s, "m.tif")));
    must_read(&r, scratch_file(&s, "m.tif"));
    assert_true(r.value[17] == 0);
    raster_free(&r);

    m = (struct form){.nodata = "1,5"};
    assert_true(form_write(&m, scratch_file(&s, "m.tif")));
    assert_refused(scratch_file(&s, "m.tif"), 0, "nodata value is not a number");
    m = (struct form){.metadata =
                          "<GDALMetadata><Item name=\"S\" sample=\"0\" role=\"scale\">x</Item>"
                          "</GDALMetadata>"};
    assert_true(form_write(&m, scratch_file(&s, "m.tif")));
    assert_refused(scratch_file(&s, "m.tif"), 0, "scale 'x' in its metadata is not");
    scratch_remove(&s);
}

static void key(GTIF *keys, int id, int value)
{
    GTIFKeySet(keys, (geokey_t)id, TYPE_SHORT, 1, value);
}
static void utm33(GTIF *k)
{
    key(k, GTModelTypeGeoKey, ModelTypeProjected);
    key(k, ProjectedCSTypeGeoKey, 32633);
}
static void utm33_point(GTIF *k)
{
    utm33(k);
    key(k, GTRasterTypeGeoKey, RasterPixelIsPoint);
}
static void wgs84(GTIF *k)
{
    key(k, GTModelTypeGeoKey, ModelTypeGeographic);
    key(k, GeographicTypeGeoKey, 4326);
}
static void survey_feet(GTIF *k)
{
    utm33(k);
    key(k, ProjLinearUnitsGeoKey, Linear_Foot_US_Survey);
}
static void new_york(GTIF *k) /* whose unit only the data base knows */
{
    key(k, GTModelTypeGeoKey, ModelTypeProjected);
    key(k, ProjectedCSTypeGeoKey, 2263);
}
static void own(GTIF *k)
{
    key(k, GTModelTypeGeoKey, ModelTypeProjected);
    GTIFKeySet(k, GTCitationGeoKey, TYPE_ASCII, 0, "Mine|not this");
    key(k, ProjectedCSTypeGeoKey, 32767);
    key(k, ProjLinearUnitsGeoKey, 32767);
    GTIFKeySet(k, ProjLinearUnitSizeGeoKey, TYPE_DOUBLE, 1, 2.5);
}
static void geocentric(GTIF *k)
{
    key(k, GTModelTypeGeoKey, ModelTypeGeocentric);
}
static void high_feet(GTIF *k)
{
    utm33(k);
    key(k, VerticalUnitsGeoKey, 9002);
}

static void tiff_crs(void **state)
{
    static const double matrix[16] = {10, 0, 0, 1000, 0, -10, 0, 5000, 0, 0, 0, 0, 0, 0, 0, 1};
    static const double tie[6] = {3, 4, 0, 1030, 4960, 0};
    static const struct {
        struct form form;
        double west, north, unit;
        int epsg;
        bool geographic;
        const char *name;
    } cases[] = {
        {{.keys = NULL}, 1000, 5000, 1, 0, false, ""},
        {{.keys = utm33}, 1000, 5000, 1, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = utm33, .matrix = matrix}, 1000, 5000, 1, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = utm33, .tie = tie}, 1000, 5000, 1, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = utm33_point}, 995, 5005, 1, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = wgs84}, 1000, 5000, 1, 0, true, ""},
        {{.keys = survey_feet}, 1000, 5000, 1200 / 3937.0, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = own}, 1000, 5000, 2.5, 0, false, "Mine"},
    };
    struct scratch s;
    (void)state;

    scratch_create(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct raster r;
        const struct crs *c = &r.geo.crs;
        assert_true(form_write(&cases[i].form, scratch_file(&s, "c.tif")));
        must_read(&r, scratch_file(&s, "c.tif"));
        assert_true(r.geo.west_m == cases[i].west);
        assert_true(r.geo.south_m == cases[i].north - 370);
        assert_true(r.geo.cell_m == 10);
        assert_int_equal(c->epsg, cases[i].epsg);
        assert_int_equal(c->geographic, cases[i].geographic);
        assert_string_equal(c->name, cases[i].name);
        assert_true(fabs(c->unit_m / cases[i].unit - 1) < 1e-12);
        assert_true((c->key_count > 0) == (cases[i].form.keys != NULL));
        raster_free(&r);
    }
    struct raster r;
    assert_true(form_write(&(struct form){.keys = new_york}, scratch_file(&s, "c.tif")));
    must_read(&r, scratch_file(&s, "c.tif"));
    assert_int_equal(r.geo.crs.epsg, 2263);
    if (r.geo.crs.unit_m == 1)
        print_message("no data base of PROJ here: unit of EPSG:2263 left out\n");
    else assert_true(fabs(r.geo.crs.unit_m * 3937 / 1200 - 1) < 1e-9);
    raster_free(&r);
    scratch_remove(&s);
}

static void vertical(GTIF *k, int code, int unit)
{
    utm33(k);
    if (code) key(k, VerticalCSTypeGeoKey, code);
    if (unit) key(k, VerticalUnitsGeoKey, unit);
}
static void navd88_feet(GTIF *k)
{
    vertical(k, 6360, 0);
}
static void navd88_metres_too(GTIF *k)
{
    vertical(k, 6360, 9001);
}
static void depth(GTIF *k)
{
    vertical(k, 5715, 0);
}
static void ellipsoid(GTIF *k)
{
    vertical(k, 4979, 0);
}
static void own_feet(GTIF *k)
{
    vertical(k, 32767, 9003);
}
static void own_nothing(GTIF *k)
{
    vertical(k, 32767, 0);
}
static void of_geotiff_1_0(GTIF *k)
{
    vertical(k, 5103, 9001);
}
static void of_geotiff_1_0_without_unit(GTIF *k)
{
    vertical(k, 5103, 0);
}

#define UNIT(name)                                                                                 \
    "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">" name                   \
    "</Item></GDALMetadata>"

/* Heights in feet become metres with one rounding; what does not fit together is refused. */
static void tiff_heights(void **state)
{
    static const struct {
        struct form form;
        double times, per; /* 0: refused */
        const char *said;  /* or why */
    } cases[] = {
        {{.keys = utm33}, 1, 1, "metre (not declared)"},
        {{.keys = utm33, .metadata = UNIT(" Metre ")}, 1, 1, "metre"},
        {{.keys = ellipsoid}, 1, 1, "metre"},
        {{.keys = of_geotiff_1_0}, 1, 1, "metre"},
        {{.keys = high_feet}, 3048, 10000, "foot, converted to metre"},
        {{.metadata = UNIT("feet")}, 3048, 10000, "foot, converted to metre"},
        {{.keys = navd88_feet}, 1200, 3937, "US survey foot, converted to metre"},
        {{.keys = own_feet}, 1200, 3937, "US survey foot, converted to metre"},
        {{.keys = navd88_feet, .metadata = UNIT("US survey foot")},
         1200,
         3937,
         "US survey foot, converted to metre"},
        {{.keys = navd88_feet, .metadata = UNIT("ft")}, 0, 0, "US survey foot; say which is right"},
        {{.keys = depth}, 0, 0, "depths (EPSG:5715)"},
        {{.keys = own_nothing}, 0, 0, "that of the vertical CRS 'user-defined'"},
        {{.keys = own_nothing, .metadata = UNIT("cm")}, 1, 100, "centimetre, converted to metre"},
        {{.keys = of_geotiff_1_0_without_unit}, 0, 0, "that of the vertical CRS 'EPSG:5103'"},
        {{.keys = utm33, .metadata = UNIT("m\x1b[2J\xff")}, 0, 0, "'m?[2J?'"},
    };
    struct scratch s;
    (void)state;

    scratch_create(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct raster r;
        struct error e = {0};
        char said[RASTER_UNIT_SAID];
        assert_true(form_write(&cases[i].form, scratch_file(&s, "h.tif")));
        must_read(&r, scratch_file(&s, "h.tif"));
        const int status = raster_to_metres(&r, said, scratch_file(&s, "h.tif"), &e);
        assert_int_equal(status, cases[i].times ? 0 : ERROR_INPUT);
        if (!strstr(status ? e.text : said, cases[i].said))
            fail_msg("%zu: '%s' does not say '%s'", i, status ? e.text : said, cases[i].said);
        assert_null(strchr(e.text, '\n'));
        for (int c = 0; !status && c < 37 * 53; c++) {
            unsigned char bytes[8];
            const struct form plain = {.format = SAMPLEFORMAT_IEEEFP, .bits = 32};
            const double raw = sample_of(&plain, c / 53, c % 53, 0, bytes);
            const double metres = raw * cases[i].times / cases[i].per;
            assert_true(
                same_bits(r.value[c], cases[i].times == 1 && cases[i].per == 1 ? raw : metres));
        }
        raster_free(&r);
    }
    assert_true(form_write(&(struct form){.keys = navd88_metres_too}, scratch_file(&s, "h.tif")));
    assert_refused(scratch_file(&s, "h.tif"), 0, "US survey foot by its vertical CRS (EPSG:6360)");
    scratch_remove(&s);
}

/* What is drawn is no terrain, and what is transparent is no data. */
static void tiff_pictures(void **state)
{
    static const struct {
        struct form form;
        const char *what; /* NULL: numbers */
    } cases[] = {
        {{.photometric = PHOTOMETRIC_MINISBLACK, .bands = 3}, NULL},
        {{.photometric = PHOTOMETRIC_MINISBLACK, .bands = 2, .planar = PLANARCONFIG_SEPARATE},
         NULL},
        {{.photometric = PHOTOMETRIC_RGB, .bands = 3}, "a picture (red, green and blue)"},
        {{.photometric = PHOTOMETRIC_MASK}, "a picture (a mask)"},
        {{.photometric = PHOTOMETRIC_CIELAB, .bands = 3}, "a picture (in colours)"},
        {{.photometric = PHOTOMETRIC_MINISBLACK, .bands = 2, .opacity = true}, "a band of opacity"},
        {{.photometric = PHOTOMETRIC_MINISBLACK,
          .bands = 2,
          .metadata = "<GDALMetadata><Item name=\"COLORINTERP\" sample=\"1\" "
                      "role=\"colorinterp\">Alpha</Item></GDALMetadata>"},
         "a band of opacity"},
        {{.metadata = "<GDALMetadata><Item name=\"S\" sample=\"0\" role=\"scale\">0</Item>"
                      "</GDALMetadata>"},
         "its scale is 0"},
        {{.metadata = "<GDALMetadata><Item name=\"S\">1"}, "its metadata is no XML"},
        {{.metadata = "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"}, "a document type"},
    };
    struct scratch s;
    (void)state;

    scratch_create(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct form form = cases[i].form;
        form.format = SAMPLEFORMAT_UINT;
        form.bits = 8;
        assert_true(form_write(&form, scratch_file(&s, "p.tif")));
        if (cases[i].what) {
            assert_refused(scratch_file(&s, "p.tif"), 0, cases[i].what);
            continue;
        }
        struct raster r;
        unsigned char bytes[8];
        must_read(&r, scratch_file(&s, "p.tif"));
        assert_int_equal(r.band_count, cases[i].form.bands);
        assert_true(r.value[0] == sample_of(&form, 0, 0, 0, bytes));
        raster_free(&r);
    }
    scratch_remove(&s);
}

static void tiff_refusals(void **state)
{
    static const double wide[3] = {10, 11, 0}, up[3] = {10, -10, 0}, none[3] = {0, 0, 0},
                        nan_scale[3] = {NAN, NAN, 0};
    static const double turned[16] = {10, 1, 0, 1000, 1, -10, 0, 5000, 0, 0, 0, 0, 0, 0, 0, 1};
    static const struct {
        struct form form;
        const char *what;
    } bad[] = {
        {{.no_place = true}, "does not say where it lies"},
        {{.matrix = turned}, "rotated or sheared"},
        {{.scale = wide}, "cells of 10 x 11, but they have to be square"},
        {{.scale = up}, "north up"},
        {{.scale = none}, "north up"},
        {{.scale = nan_scale}, "north up"},
        {{.keys = geocentric}, "geocentric"},
        {{.format = SAMPLEFORMAT_COMPLEXIEEEFP, .bits = 64}, "samples of 64 bits in TIFF format 6"},
    };
    struct scratch s;
    (void)state;

    scratch_create(&s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(form_write(&bad[i].form, scratch_file(&s, "bad.tif")));
        assert_refused(scratch_file(&s, "bad.tif"), 0, bad[i].what);
    }
    assert_true(form_write(&(struct form){0}, scratch_file(&s, "good.tif")));
    assert_refused(scratch_file(&s, "good.tif"), 37 * 53 - 1, "cells need about 0.0 GiB");
    scratch_remove(&s);
}

/* Makes width and height of a little-endian classic TIFF and of its tiles that large. */
static void claim_size(const char *path, uint32_t size)
{
    FILE *f = fopen(path, "r+b");
    uint32_t at;
    uint16_t count, head[4];

    if (!f || fseek(f, 4, SEEK_SET) || fread(&at, 4, 1, f) != 1 || fseek(f, at, SEEK_SET) ||
        fread(&count, 2, 1, f) != 1)
        abort();
    for (int i = 0; i < count; i++) {
        if (fseek(f, at + 2 + 12L * i, SEEK_SET) || fread(head, 2, 1, f) != 1) abort();
        if (head[0] != TIFFTAG_IMAGEWIDTH && head[0] != TIFFTAG_IMAGELENGTH &&
            head[0] != TIFFTAG_TILEWIDTH && head[0] != TIFFTAG_TILELENGTH)
            continue;
        memcpy(head, (uint16_t[]){head[0], TIFF_LONG, 1, 0}, sizeof head);
        if (fseek(f, at + 2 + 12L * i, SEEK_SET) || fwrite(head, 8, 1, f) != 1 ||
            fwrite(&size, 4, 1, f) != 1)
            abort();
    }
    if (fclose(f)) abort();
}

/* A grid of one infinite value, and one that claims far more cells than any machine has memory for.
 */
static void tiff_infinite_and_absurd(void **state)
{
    struct scratch s;
    struct tiff_log log;
    const float infinite = INFINITY;
    (void)state;

    scratch_create(&s);
    struct form m = {.rows = 1,
                     .cols = 1,
                     .bits = 32,
                     .format = SAMPLEFORMAT_IEEEFP,
                     .bands = 1,
                     .compression = COMPRESSION_NONE,
                     .planar = PLANARCONFIG_CONTIG,
                     .mode = "w"};
    TIFF *tif = form_open(&m, scratch_file(&s, "i.tif"), &log);
    TIFFWriteEncodedStrip(tif, 0, (void *)(size_t)&infinite, 4);
    TIFFClose(tif);
    assert_refused(scratch_file(&s, "i.tif"), 0, "an infinite value in row 0");

    m = (struct form){.tiled = true, .mode = "wl"};
    assert_true(form_write(&m, scratch_file(&s, "a.tif")));
    claim_size(scratch_file(&s, "a.tif"), 1000000);
    assert_refused(scratch_file(&s, "a.tif"), 0, "GiB of memory");
    scratch_remove(&s);
}

/* Cut anywhere, a file is refused; with any byte changed, it is read or refused, never worse. */
static void tiff_damage(void **state)
{
    const struct form forms[] = {
        {.tiled = true, .compression = COMPRESSION_ADOBE_DEFLATE, .predictor = 3, .keys = utm33},
        {.keys = own, .nodata = "-9999", .mode = "wb8"}};
    struct scratch s;
    uint64_t seed = 1;
    (void)state;

    scratch_create(&s);
    for (size_t k = 0; k < 2; k++) {
        assert_true(form_write(&forms[k], scratch_file(&s, "whole.tif")));
        struct stat st;
        if (stat(scratch_file(&s, "whole.tif"), &st)) abort();
        const size_t size = (size_t)st.st_size;
        unsigned char *data = malloc(size);
        FILE *f = fopen(scratch_file(&s, "whole.tif"), "rb");
        if (!data || !f || fread(data, 1, size, f) != size) abort();
        fclose(f);
        for (size_t n = 0; n < size - 8; n += 1 + size / 150) {
            put_bytes(scratch_file(&s, "cut.tif"), data, n);
            assert_refused(scratch_file(&s, "cut.tif"), 0,
                           n ? "fetch or write it again" : "is empty");
        }
        for (int i = 0; i < 300; i++) {
            const size_t at = next(&seed) % size;
            struct raster r;
            struct error e = {0};
            const unsigned char kept = data[at];
            data[at] ^= (unsigned char)(1 + next(&seed) % 255);
            put_bytes(scratch_file(&s, "cut.tif"), data, size);
            const int status = raster_read(&r, scratch_file(&s, "cut.tif"), 1 << 20, &e);
            assert_true(status == 0 || status == ERROR_INPUT);
            raster_free(&r);
            data[at] = kept;
        }
        free(data);
    }
    scratch_remove(&s);
}

static void same_grid(void **state)
{
    const struct raster a = {.rows = 100, .cols = 200, .geo = {1000, 2000, 10, {.epsg = 0}}};
    struct raster b = a;
    struct error e = {0};
    (void)state;

    assert_int_equal(raster_same_grid(&a, "a.tif", &b, "b.tif", &e), 0);
    b.geo.west_m += 0.009;
    b.geo.south_m -= 0.009;
    b.geo.cell_m += 0.00004;
    assert_int_equal(raster_same_grid(&a, "a.tif", &b, "b.tif", &e), 0);
    for (int i = 0; i < 5; i++) {
        b = a;
        if (i == 0) b.rows++;
        if (i == 1) b.cols--;
        if (i == 2) b.geo.west_m += 0.02;
        if (i == 3) b.geo.south_m += 5;
        if (i == 4) b.geo.cell_m += 0.001;
        assert_int_equal(raster_same_grid(&a, "a.tif", &b, "b.tif", &e), ERROR_INPUT);
        assert_non_null(strstr(e.text, "a.tif"));
        assert_non_null(strstr(e.text, "b.tif"));
        assert_non_null(strstr(e.text, i < 2 ? "rows" : i < 4 ? "corner" : "cells of"));
        assert_null(strchr(e.text, '\n'));
    }
    raster_free(NULL);
    raster_free(&(struct raster){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascii_odd_forms), cmocka_unit_test(ascii_refusals),
        cmocka_unit_test(ascii_numbers),   cmocka_unit_test(the_real_terrain),
        cmocka_unit_test(tiff_forms),      cmocka_unit_test(tiff_jpeg),
        cmocka_unit_test(tiff_meaning),    cmocka_unit_test(tiff_crs),
        cmocka_unit_test(tiff_heights),    cmocka_unit_test(tiff_pictures),
        cmocka_unit_test(tiff_refusals),   cmocka_unit_test(tiff_infinite_and_absurd),
        cmocka_unit_test(tiff_damage),     cmocka_unit_test(same_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
