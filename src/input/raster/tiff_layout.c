/* tiff_layout.c — the layout of band 1 according to the file, checked before anything is allocated. */
#include "raster_formats.h"
#include "tiff_band.h"

#include <sys/stat.h>

#ifndef COMPRESSION_JXL /* of GDAL's libtiff */
#define COMPRESSION_JXL 50002
#endif

static int read_sample_kind(struct tiff_band *l, TIFF *tif, struct error *e)
{
    static const struct {
        uint16_t format, bits;
    } kinds[SAMPLE_KINDS] = {
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
    while (k < SAMPLE_KINDS && (kinds[k].format != format || kinds[k].bits != bits)) k++;
    if (k == SAMPLE_KINDS || bands == 0)
        return error_input(e,
                           "%s: samples of %d bits in TIFF format %d; convert them with "
                           "gdal_translate -ot Float32 in.tif out.tif",
                           l->path, bits, format);
    l->sample = (enum tiff_sample)k;
    l->band_count = bands;
    l->stride = planar == PLANARCONFIG_CONTIG ? bands : 1;
    l->pixel_bytes = (size_t)l->stride * bits / 8;
    return 0;
}

/* Only what stores the numbers themselves, not colours made of several. */
static int check_encoding(struct tiff_band *l, TIFF *tif, struct error *e)
{
    static const uint16_t known[] = {
        COMPRESSION_NONE,     COMPRESSION_LZW,  COMPRESSION_ADOBE_DEFLATE,
        COMPRESSION_DEFLATE,  COMPRESSION_LZMA, COMPRESSION_ZSTD,
        COMPRESSION_PACKBITS, COMPRESSION_LERC, COMPRESSION_JPEG,
        COMPRESSION_WEBP,     COMPRESSION_JXL};
    uint16_t compression = COMPRESSION_NONE;
    bool is_known = false;

    TIFFGetFieldDefaulted(tif, TIFFTAG_COMPRESSION, &compression);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= known[i] == compression;
    if (is_known && TIFFIsCODECConfigured(compression)) return 0;
    l->foreign = is_known;
    return error_input(e,
                       "%s: TIFF compression %d cannot be read here; rewrite it with "
                       "gdal_translate -co COMPRESS=DEFLATE in.tif out.tif",
                       l->path, compression);
}

/* A picture is not terrain, though its first band may resemble one; transparent parts have no
 * data. */
static int check_picture(const char *path, TIFF *tif, struct error *e)
{
    static const char *const kinds[] = {[PHOTOMETRIC_RGB] = "red, green and blue",
                                        [PHOTOMETRIC_PALETTE] = "colours of a palette",
                                        [PHOTOMETRIC_MASK] = "a mask"};
    uint16_t photometric = PHOTOMETRIC_MINISBLACK, extra_count = 0, *extra = NULL;
    TIFFGetField(tif, TIFFTAG_PHOTOMETRIC, &photometric);
    if (photometric > PHOTOMETRIC_MINISBLACK)
        return error_input(e,
                           "%s: a picture (%s), not a grid of numbers; give the raster that it was "
                           "drawn from, or, if band 1 holds the numbers: gdal_translate -b 1 "
                           "-colorinterp gray -co PHOTOMETRIC=MINISBLACK in.tif out.tif",
                           path,
                           photometric <= PHOTOMETRIC_MASK ? kinds[photometric] : "in colours");
    if (!TIFFGetField(tif, TIFFTAG_EXTRASAMPLES, &extra_count, &extra)) return 0;
    for (int i = 0; i < extra_count; i++)
        if (extra[i] != EXTRASAMPLE_UNSPECIFIED)
            return raster_refuse_mask(path, "an alpha band", true, e);
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
        return error_input(
            e, "%s: tiles or strips of size 0; rewrite it: gdal_translate in.tif out.tif", l->path);
    across = ((uint64_t)l->width + l->block_width - 1) / l->block_width;
    down = ((uint64_t)l->height + l->block_height - 1) / l->block_height;
    l->blocks_across = (uint32_t)across;
    l->block_count = l->tiled ? TIFFNumberOfTiles(tif) : TIFFNumberOfStrips(tif);
    if (down * across > l->block_count)
        return error_input(e, "%s: %u tiles or strips, too few for %u x %u cells; rewrite it",
                           l->path, l->block_count, l->height, l->width);
    l->block_count = (uint32_t)(down * across);

    /* width, height < 2^31 and pixel_bytes < 2^19 may overflow together; compare piece by piece */
    bytes = (uint64_t)l->block_width * l->pixel_bytes;
    l->by_line = !l->tiled && bytes > BLOCK_BYTES_MAX / l->block_height;
    if (bytes > BLOCK_BYTES_MAX || (l->tiled && bytes > BLOCK_BYTES_MAX / l->block_height))
        return error_input(e,
                           "%s: tiles of %u x %u pixels are too large; write it with "
                           "gdal_translate -co TILED=YES in.tif out.tif",
                           l->path, l->block_height, l->block_width);
    l->block_bytes = (size_t)bytes * (l->by_line ? 1 : l->block_height);
    /* libtiff has the last word on how much it will write into the buffer */
    bytes = (uint64_t)(l->by_line ? TIFFScanlineSize(tif)
                       : l->tiled ? TIFFTileSize(tif)
                                  : TIFFVStripSize(tif, l->block_height));
    if (bytes == l->block_bytes) return 0;
    return error_input(
        e, "%s: its blocks have an unusual layout; rewrite it: gdal_translate in.tif out.tif",
        l->path);
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
        (status = check_picture(path, tif, e)) || (status = read_layout(l, tif, e)))
        return status;
    return check_blocks(l, tif, e);
}

int tiff_refuse_masks(TIFF *tif, const struct tiff_log *log, const char *path, struct error *e)
{
    enum { DIRECTORIES_MAX = 1000 }; /* overviews are some ten */
    uint32_t kind;
    for (int i = 0; i < DIRECTORIES_MAX; i++) {
        if (TIFFGetField(tif, TIFFTAG_SUBFILETYPE, &kind) && kind & FILETYPE_MASK)
            return raster_refuse_mask(path, "a mask inside", false, e);
        if (TIFFLastDirectory(tif)) return 0;
        if (!TIFFReadDirectory(tif)) return tiff_damaged(path, log, e);
    }
    return error_input(e, "%s: more than %d images; write one alone: gdal_translate in.tif out.tif",
                       path, DIRECTORIES_MAX);
}
