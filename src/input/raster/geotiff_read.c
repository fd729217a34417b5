/* geotiff_read.c — where the grid of a GeoTIFF lies and what its numbers mean; tiff_band.h has the
 * numbers. */
#include "gdal_info.h"
#include "geotiff.h"
#include "geotiff_crs.h"
#include "text/number.h"
#include "raster_formats.h"
#include "tiff_band.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
            return error_input(
                e,
                "%s: its nodata value is not a number; correct it: gdal_edit.py -a_nodata VALUE %s",
                l->path, l->path);
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
        return error_input(e,
                           "%s: its scale is 0, which makes all values the same; correct it: "
                           "gdal_edit.py -scale SCALE %s",
                           l->path, l->path);
    l->scaled = l->scale != 1 || l->offset != 0;
    r->band_count = l->band_count;
    r->bytes = l->sample == U8 || l->sample == S8;
    if (in->alpha || beside->alpha) return raster_refuse_mask(l->path, "an alpha band", true, e);
    return read_nodata(l, r, said, tif, e);
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
        return error_input(e,
                           "%s: has no georeference (no ModelPixelScale with a tie point, no "
                           "ModelTransformation); add one: gdal_edit.py -a_ullr WEST NORTH EAST "
                           "SOUTH -a_srs EPSG:CODE %s",
                           path, path);
    }
    t[0] -= point ? t[1] / 2 : 0;
    t[3] -= point ? t[5] / 2 : 0;
    return 0;
}

int raster_take_place(struct georef *g, const double t[6], int rows, const char *path,
                      struct error *e)
{
    const double wide = t[1], high = -t[5];
    if (t[2] != 0 || t[4] != 0)
        return error_input(e,
                           "%s: the grid is rotated or sheared; turn it north up: " RASTER_WARP
                           " in.tif out.tif",
                           path);
    if (!isfinite(t[0]) || !isfinite(t[3]) || !(wide > 0 && isfinite(wide)) ||
        !(high > 0 && isfinite(high)))
        return error_input(e,
                           "%s: its cells are %g wide and %g high; the grid has to be north up, "
                           "with cells larger than 0: " RASTER_WARP " in.tif out.tif",
                           path, wide, high);
    if (fabs(wide - high) > 1e-6 * wide)
        return error_input(
            e,
            "%s: cells of %.9g x %.9g, but they have to be square; resample it: " RASTER_WARP
            " -tr CELL CELL -r bilinear in.tif out.tif",
            path, wide, high);
    g->cell_m = wide;
    g->west_m = t[0];
    g->south_m = t[3] - rows * high;
    return 0;
}

static int read_place(struct raster *r, const struct tiff_band *l, const struct said *said,
                      TIFF *tif, struct error *e)
{
    double transform[6];
    bool point;
    int status = geotiff_crs_read(&r->geo.crs, &r->vertical, &point, tif, l->path, e);
    if (!status && said->beside.srs) status = raster_read_srs(r, said->beside.srs, l->path, e);
    if (!status) status = read_transform(transform, point, &said->beside, tif, l->path, e);
    return status ? status : raster_take_place(&r->geo, transform, (int)l->height, l->path, e);
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
        status = tiff_refuse_masks(tif, &log, path, e); /* leaves the first directory: the last */
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
