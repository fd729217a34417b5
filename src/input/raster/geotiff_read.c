/* geotiff_read.c — where the grid of a GeoTIFF lies and what its numbers mean; tiff_band.h has the
 * numbers. */
#include "gdal_info.h"
#include "geotiff.h"
#include "geotiff_crs.h"
#include "text/number.h"
#include "text/remedy.h"
#include "text/textfile.h"
#include "raster_formats.h"
#include "tiff_band.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool scan_all(const char *text, double *v)
{
    text = number_scan(text + strspn(text, " "), v);
    return text && !text[strspn(text, " ")];
}

/* GDAL's XML in the file and in NAME.aux.xml. As in GDAL, the latter counts for nodata, CRS and
 * place where both have them, and the file for unit, scale and offset. */
struct said {
    struct gdal_info inside, beside;
};

static int read_said(struct said *said, TIFF *tif, const char *path, struct error *e)
{
    char *text = NULL;
    int status = gdal_info_beside(&said->beside, path, e);
    if (!status && TIFFGetField(tif, TIFFTAG_GDAL_METADATA, &text))
        status = gdal_info_of_tag(&said->inside, text, path, e);
    return status;
}

static int read_nodata(struct tiff_band *l, struct raster *r, const struct said *said, TIFF *tif,
                       struct error *e)
{
    char *text = NULL;
    l->has_nodata = said->beside.has_nodata;
    r->nodata = l->has_nodata ? said->beside.nodata : NAN;
    if (!l->has_nodata && TIFFGetField(tif, TIFFTAG_GDAL_NODATA, &text) && *text) {
        if (!scan_all(text, &r->nodata))
            return remedy_refuse(
                e, l->path, "%s: its nodata value is not a number; correct it: " REMEDY_NODATA_TAG,
                l->path);
        l->has_nodata = true;
    }
    l->nodata = l->sample == F32 ? (double)(float)r->nodata : r->nodata;
    return 0;
}

static int read_meaning(struct tiff_band *l, struct raster *r, const struct said *said, TIFF *tif,
                        struct error *e)
{
    const struct gdal_info *in = &said->inside, *beside = &said->beside;
    const struct gdal_info *scaled = in->has_scale || in->has_offset ? in : beside;
    snprintf(r->terrain_source, sizeof r->terrain_source, "%s",
             *in->terrain ? in->terrain : beside->terrain);
    snprintf(r->unit, sizeof r->unit, "%s", *in->unit ? in->unit : beside->unit);
    if (scaled->has_scale) l->scale = scaled->scale;
    if (scaled->has_offset) l->offset = scaled->offset;
    if (l->scale == 0)
        return remedy_refuse(
            e, l->path,
            "%s: its scale is 0, which makes all values the same; correct it: " REMEDY_SCALE,
            l->path);
    l->scaled = l->scale != 1 || l->offset != 0;
    r->band_count = l->band_count;
    r->bytes = l->sample == U8 || l->sample == S8;
    if (in->alpha || beside->alpha || l->alpha) {
        char number[16]; /* (the last where only GDAL says that there is one) */
        snprintf(number, sizeof number, "%d", l->alpha ? l->alpha : l->band_count);
        return raster_refuse_mask(l->path, "an alpha band", number, r->unit, e);
    }
    return read_nodata(l, r, said, tif, e);
}

/* A world file beside a GeoTIFF that has no place: NAME.tfw, NAME.tifw or NAME.wld, as GDAL looks for it. Its six
 * lines are dx, dy per column, dx per row, dy, and the centre of the first cell. */
static int read_world_file(double t[6], bool *there, const char *path, struct error *e)
{
    static const char *const endings[] = {"tfw", "TFW", "tifw", "wld", "WLD"};
    *there = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !*there; i++) {
        FREED char *name = text_format("%.*s.%s", path_stem(path), path, endings[i]), *text = NULL;
        double v[6];
        size_t size;
        struct stat st;
        if (!name) return error_memory(e);
        if (stat(name, &st) != 0) continue;
        int status = textfile_load(&text, &size, name, e), n = 0;
        if (status) return status;
        for (const char *at = text; at && n < 6; n++)
            if (!(at = number_scan(at + strspn(at, " \t\r\n"), v + n))) break;
        if (n < 6)
            return error_input(e, "%s: has to be six numbers, one on a line; write it again", name);
        const double own[6] = {v[4] - (v[0] + v[2]) / 2, v[0], v[2],
                               v[5] - (v[1] + v[3]) / 2, v[1], v[3]};
        memcpy(t, own, sizeof own);
        *there = true;
    }
    return 0;
}

/* As GDAL describes the place of a grid, from NAME.aux.xml (always with corners) or from the tags. */
static int read_transform(double t[6], bool point, const struct gdal_info *beside, TIFF *tif,
                          const char *path, struct error *e)
{
    double *scale = NULL, *tie = NULL, *m = NULL;
    uint16_t n = 0;
    if (beside->has_transform) {
        memcpy(t, beside->transform, sizeof beside->transform);
        return 0;
    }
    if (TIFFGetField(tif, TIFFTAG_GEOPIXELSCALE, &n, &scale) && n >= 2 &&
        TIFFGetField(tif, TIFFTAG_GEOTIEPOINTS, &n, &tie) && n >= 6) {
        const double own[6] = {tie[3] - tie[0] * scale[0], scale[0], 0,
                               tie[4] + tie[1] * scale[1], 0,        -scale[1]};
        memcpy(t, own, sizeof own);
    } else if (TIFFGetField(tif, TIFFTAG_GEOTRANSMATRIX, &n, &m) && n >= 16) {
        const double own[6] = {m[3], m[0], m[1], m[7], m[4], m[5]};
        memcpy(t, own, sizeof own);
    } else {
        bool there;
        int status = read_world_file(t, &there, path, e);
        if (status || there) return status;
        return remedy_refuse(e, path,
                             "%s: has no georeference (no ModelPixelScale with a tie point, no "
                             "ModelTransformation, no world file); add one: " REMEDY_PLACE,
                             path);
    }
    t[0] -= point ? t[1] / 2 : 0;
    t[3] -= point ? t[5] / 2 : 0;
    return 0;
}

int raster_take_place(struct georef *g, const double t[6], int rows, int cols, const char *path,
                      struct error *e)
{
    const double wide = t[1], high = -t[5], cell = fmin(fabs(wide), fabs(high));
    const bool whole = isfinite(t[0]) && isfinite(t[3]) && isfinite(wide) && isfinite(high);
    /* Transforms that were computed have noise; less than a thousandth of a cell on the whole grid is none. */
    if (fabs(t[2]) * rows > 1e-3 * cell || fabs(t[4]) * cols > 1e-3 * cell)
        return remedy_refuse(
            e, path, "%s: the grid is rotated or sheared; turn it north up: " REMEDY_RESAMPLE, path,
            " ", hypot(t[1], t[4]), hypot(t[1], t[4]), "bilinear");
    if (!whole || wide == 0 || high == 0)
        return remedy_refuse(
            e, path, "%s: its cells are %g wide and %g high; correct its place: " REMEDY_PLACE,
            path, wide, high);
    if (wide < 0 || high < 0)
        return remedy_refuse(
            e, path, "%s: its cells are %g wide and %g high; turn it north up: " REMEDY_RESAMPLE,
            path, wide, high, " ", cell, cell, "near");
    if (fabs(wide - high) > 1e-6 * wide)
        return remedy_refuse(
            e, path,
            "%s: cells of %.9g x %.9g, but they have to be square; resample it: " REMEDY_RESAMPLE,
            path, wide, high, " ", cell, cell, "bilinear");
    g->cell_m = wide;
    g->west_m = t[0];
    g->south_m = t[3] - rows * high;
    return 0;
}

/* GDAL keeps scale and offset of heights with a vertical CRS in the third numbers of scale and tie point. */
static void read_vertical_scale(struct tiff_band *l, const struct said *said, TIFF *tif)
{
    double *scale = NULL, *tie = NULL;
    uint16_t n = 0;
    if (said->inside.has_scale || said->inside.has_offset || said->beside.has_scale ||
        said->beside.has_offset || !TIFFGetField(tif, TIFFTAG_GEOPIXELSCALE, &n, &scale) || n < 3 ||
        !(scale[2] != 0 && isfinite(scale[2])) ||
        !TIFFGetField(tif, TIFFTAG_GEOTIEPOINTS, &n, &tie) || n < 6 || !isfinite(tie[2]) ||
        !isfinite(tie[5]))
        return;
    l->scale = scale[2];
    l->offset = tie[5] - tie[2] * scale[2];
    l->scaled = l->scale != 1 || l->offset != 0;
}

static int read_place(struct raster *r, struct tiff_band *l, const struct said *said, TIFF *tif,
                      struct error *e)
{
    double transform[6];
    bool point;
    int status = geotiff_crs_read(&r->geo.crs, &r->vertical, &point, tif, l->path, e);
    if (!status && *r->vertical.name) read_vertical_scale(l, said, tif);
    if (!status && said->beside.srs) status = raster_read_srs(r, said->beside.srs, l->path, e);
    if (!status) status = read_transform(transform, point, &said->beside, tif, l->path, e);
    return status
               ? status
               : raster_take_place(&r->geo, transform, (int)l->height, (int)l->width, l->path, e);
}

static int read_header(struct raster *r, struct tiff_band *l, const char *path, size_t max_cells,
                       struct error *e)
{
    struct said said = {0};
    struct tiff_log log;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    int status;
    if (!tif) return tiff_damaged(path, &log, e);
    if (log.tag_lost) status = tiff_damaged(path, &log, e);
    else if (!(status = tiff_band_describe(l, tif, path, max_cells, e)) &&
             !(status = read_said(&said, tif, path, e)) &&
             !(status = read_meaning(l, r, &said, tif, e)) &&
             !(status = read_place(r, l, &said, tif, e)))
        status = tiff_refuse_masks(tif, &log, path, r->unit,
                                   e); /* leaves the first directory: the last */
    TIFFClose(tif);
    gdal_info_free(&said.inside);
    gdal_info_free(&said.beside);
    return status;
}

static int read_window(struct raster_file *f, const struct raster_cells *to, size_t *missing,
                       struct error *e)
{
    return tiff_band_read(&f->band, to, missing, e);
}

int geotiff_open(struct raster_file *f, size_t max_cells, struct error *e)
{
    static const char *const gdal[] = {"GTiff", NULL};
    int status = read_header(&f->head, &f->band, f->path, max_cells, e);
    if (status && f->band.foreign) return gdal_raster_open(f, gdal, max_cells, e);
    if (status) return status;
    f->head.rows = (int)f->band.height;
    f->head.cols = (int)f->band.width;
    f->band.progress = f->progress;
    f->band.unit = f->head.unit;
    f->read = read_window;
    return 0;
}

/* ---- its writer ----------------------------------------------------------------------------- */

static bool is_marked(const char *xml, const char *path)
{
    FREED_BY(gdal_info_free) struct gdal_info g = {0};
    return !gdal_info_of_tag(&g, xml, path, NULL) &&
           !strncmp(g.software, "sciara ", strlen("sciara "));
}

bool geotiff_is_ours(const char *path)
{
    struct tiff_log log;
    char *text = NULL;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    if (!tif) return false;
    const bool found = TIFFGetField(tif, TIFFTAG_GDAL_METADATA, &text) && is_marked(text, path);
    TIFFClose(tif);
    return found;
}
