/* tiff_forms.h — writes GeoTIFFs of every form with libtiff. Tests read them. */
#pragma once

#include "raster/tiff_io.h"

#include <geotiff.h>
#include <geovalues.h>

#include "raster_checks.h"

/* Sets keys of a CRS. */
static inline void key(GTIF *keys, int id, int value)
{
    GTIFKeySet(keys, (geokey_t)id, TYPE_SHORT, 1, value);
}
static inline void utm33(GTIF *k)
{
    key(k, GTModelTypeGeoKey, ModelTypeProjected);
    key(k, ProjectedCSTypeGeoKey, 32633);
}

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
    int vertical, vertical_unit; /* beside these keys; 0: none */
};

enum { TILE = 16, STRIP = 5 };

/* The sample of a cell as its bytes in this machine's order, and the double that it stands for. */
static inline double sample_of(const struct form *m, int row, int col, int band,
                               unsigned char out[8])
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
static inline void fill_block(const struct form *m, int row0, int col0, int rows, int cols,
                              int band, unsigned char *out)
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

static inline void set_place(TIFF *tif, const struct form *m)
{
    static const double scale[3] = {10, 10, 0}, tie[6] = {0, 0, 0, 1000, 5000, 0};

    if (m->matrix) {
        TIFFSetField(tif, TIFFTAG_GEOTRANSMATRIX, 16, m->matrix);
        return;
    }
    TIFFSetField(tif, TIFFTAG_GEOPIXELSCALE, 3, m->scale ? m->scale : scale);
    TIFFSetField(tif, TIFFTAG_GEOTIEPOINTS, 6, m->tie ? m->tie : tie);
}

static inline TIFF *form_open(const struct form *m, const char *path, struct tiff_log *log)
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
    /* What needs little memory: encoders begin anew in each block. */
    if (m->compression == COMPRESSION_LZMA) TIFFSetField(tif, TIFFTAG_LZMAPRESET, 0);
    if (m->compression == COMPRESSION_ZSTD) TIFFSetField(tif, TIFFTAG_ZSTD_LEVEL, 1);
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
        if (m->vertical) key(keys, VerticalCSTypeGeoKey, m->vertical);
        if (m->vertical_unit) key(keys, VerticalUnitsGeoKey, m->vertical_unit);
        GTIFWriteKeys(keys);
        GTIFFree(keys);
    }
    return tif;
}

/* Writes the file; false where this libtiff cannot write that form. */
static inline bool form_write(const struct form *given, const char *path)
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
