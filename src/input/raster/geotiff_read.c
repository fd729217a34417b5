/* geotiff_read.c — reads where a GeoTIFF's grid lies and what its numbers mean; tiff_band.h reads the numbers. */
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

static bool scan_all(const char *text, double *v)
{
    text = number_scan(text + strspn(text, " "), v);
    return text && !text[strspn(text, " ")];
}

static int read_nodata(struct tiff_band *l, struct raster *r, TIFF *tif, struct error *e)
{
    char *text = NULL;
    l->has_nodata = TIFFGetField(tif, TIFFTAG_GDAL_NODATA, &text) && *text;
    r->nodata = NAN;
    if (l->has_nodata && !scan_all(text, &r->nodata))
        return remedy_refuse(e, l->path,
                             "%s: its nodata value is not a number; correct it: " REMEDY_DEM,
                             l->path, DEM_MARK);
    l->nodata = l->sample == F32 ? (double)(float)r->nodata : r->nodata;
    return 0;
}

static int read_meaning(struct tiff_band *l, struct raster *r, TIFF *tif, struct error *e)
{
    struct gdal_info in = {.scale = 1};
    char *text = NULL;
    int status = 0;
    if (TIFFGetField(tif, TIFFTAG_GDAL_METADATA, &text))
        status = gdal_info_read(&in, text, l->path, e);
    if (status) return status;
    memcpy(r->terrain_source, in.terrain, sizeof r->terrain_source);
    memcpy(r->unit, in.unit, sizeof r->unit);
    l->scale = in.scale;
    l->offset = in.offset;
    if (l->scale == 0)
        return remedy_refuse(
            e, l->path,
            "%s: its scale is 0, which makes all values the same; correct it: " REMEDY_DEM, l->path,
            DEM_SCALE);
    l->scaled = l->scale != 1 || l->offset != 0;
    r->band_count = l->band_count;
    r->bytes = l->sample == U8 || l->sample == S8;
    if (in.alpha) l->unusual = "its alpha band";
    return read_nodata(l, r, tif, e);
}

/* Reads the place of a grid from the tags, as a transform of GDAL (gdal_raster.h). `point`: positions are centres of cells. */
static bool read_transform(double t[6], bool point, TIFF *tif)
{
    double *scale = NULL, *tie = NULL, *m = NULL;
    uint16_t n = 0;
    if (TIFFGetField(tif, TIFFTAG_GEOPIXELSCALE, &n, &scale) && n >= 2 &&
        TIFFGetField(tif, TIFFTAG_GEOTIEPOINTS, &n, &tie) && n >= 6) {
        const double own[6] = {tie[3] - tie[0] * scale[0], scale[0], 0,
                               tie[4] + tie[1] * scale[1], 0,        -scale[1]};
        memcpy(t, own, sizeof own);
    } else if (TIFFGetField(tif, TIFFTAG_GEOTRANSMATRIX, &n, &m) && n >= 16) {
        const double own[6] = {m[3], m[0], m[1], m[7], m[4], m[5]};
        memcpy(t, own, sizeof own);
    } else return false;
    t[0] -= point ? t[1] / 2 : 0;
    t[3] -= point ? t[5] / 2 : 0;
    return true;
}

int raster_take_place(struct georef *g, const double t[6], int rows, int cols, const char *path,
                      struct error *e)
{
    const double wide = t[1], high = -t[5], cell = fmin(fabs(wide), fabs(high));
    const bool whole = isfinite(t[0]) && isfinite(t[3]) && isfinite(wide) && isfinite(high);
    /* Computed transforms have rounding errors. A slant of a thousandth of a cell over the grid is ignored. */
    if (fabs(t[2]) * rows > 1e-3 * cell || fabs(t[4]) * cols > 1e-3 * cell)
        return remedy_refuse(
            e, path, "%s: the grid is rotated or sheared; turn it north up: " REMEDY_DEM, path, "");
    if (!whole || wide == 0 || high == 0)
        return remedy_refuse(
            e, path, "%s: its cells are %g wide and %g high; correct its place: " REMEDY_DEM, path,
            wide, high, DEM_PLACE);
    if (wide < 0 || high < 0)
        return remedy_refuse(e, path,
                             "%s: its cells are %g wide and %g high; turn it north up: " REMEDY_DEM,
                             path, wide, high, "");
    if (fabs(wide - high) > 1e-6 * wide)
        return remedy_refuse(
            e, path,
            "%s: cells of %.9g x %.9g, but they have to be square; resample it: " REMEDY_DEM, path,
            wide, high, "");
    g->cell_m = wide;
    g->west_m = t[0];
    g->south_m = t[3] - rows * high;
    return 0;
}

/* Whether the tags have a scale or an offset of heights. With a vertical CRS GDAL writes these as the third numbers
 * of the tags of scale and tie point. */
static bool has_vertical_scale(TIFF *tif)
{
    double *scale = NULL, *tie = NULL;
    uint16_t n = 0;
    return TIFFGetField(tif, TIFFTAG_GEOPIXELSCALE, &n, &scale) && n >= 3 && scale[2] != 0 &&
           TIFFGetField(tif, TIFFTAG_GEOTIEPOINTS, &n, &tie) && n >= 6 &&
           (scale[2] != 1 || tie[2] != tie[5]);
}

static int read_place(struct raster *r, struct tiff_band *l, TIFF *tif, struct error *e)
{
    double transform[6];
    bool point;
    int status = geotiff_crs_read(&r->geo.crs, &r->vertical, &point, tif, l->path, e);
    if (status) return status;
    if (*r->vertical.name && !l->scaled && has_vertical_scale(tif))
        l->unusual = "the scale of its heights";
    if (read_transform(transform, point, tif))
        return raster_take_place(&r->geo, transform, (int)l->height, (int)l->width, l->path, e);
    l->unusual = "its place, which its tags lack";
    return 0;
}

static int read_header(struct raster_file *f, size_t max_cells, struct error *e)
{
    struct tiff_band *l = &f->band;
    struct raster *r = &f->head;
    const char *path = f->path;
    struct tiff_log log;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    int status;
    bool mask = false;
    if (!tif) return tiff_damaged(path, &log, e);
    if (log.tag_lost) status = tiff_damaged(path, &log, e);
    else if (!(status = tiff_band_describe(l, tif, path, max_cells, e)) && !l->unusual &&
             !f->needs_gdal && !(status = read_meaning(l, r, tif, e)) &&
             !(status = read_place(r, l, tif, e)))
        status = tiff_find_mask(&mask, tif, &log, path,
                                e); /* called last, since the search leaves the first directory */
    if (mask) l->unusual = "its mask";
    TIFFClose(tif);
    return status;
}

static int read_window(struct raster_file *f, const struct raster_cells *to, size_t *missing,
                       struct error *e)
{
    return tiff_band_read(&f->band, to, missing, e);
}

/* Opens through GDAL a file that is unusual, or has parts in other files. If libtiff can read the numbers and there is
 * no mask, GDAL reads only their meaning and place. */
static int open_through_gdal(struct raster_file *f, size_t max_cells, struct error *e)
{
    static const char *const drivers[] = {"GTiff", NULL};
    struct tiff_band layout = f->band;
    f->head = (struct raster){.nodata = NAN, .geo.crs.unit_m = 1};
    int status = gdal_raster_open(f, drivers, max_cells, e);
    if (status || !layout.block_bytes || gdal_raster_has_mask(f->gdal)) return status;
    layout.has_nodata = f->band.has_nodata;
    layout.nodata = f->band.nodata;
    layout.scaled = f->band.scaled;
    layout.scale = f->band.scale;
    layout.offset = f->band.offset;
    f->band = layout;
    f->read = NULL;
    gdal_raster_close(f->gdal);
    f->gdal = NULL;
    return 0;
}

int geotiff_open(struct raster_file *f, size_t max_cells, struct error *e)
{
    int status = read_header(f, max_cells, e);
    if (f->band.unusual) f->needs_gdal = f->band.unusual;
    if (f->needs_gdal && (!status || f->band.unusual)) {
        status = open_through_gdal(f, max_cells, e);
        if (status || f->read) return status;
    }
    if (status) return status;
    f->head.rows = (int)f->band.height;
    f->head.cols = (int)f->band.width;
    f->band.progress = f->progress;
    f->band.unit = f->head.unit;
    f->read = read_window;
    return 0;
}

/* ---- its writer ----------------------------------------------------------------------------- */

static bool read_mark(struct gdal_info *g, const char *path)
{
    struct tiff_log log;
    char *text = NULL;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    if (!tif) return false;
    const bool found = TIFFGetField(tif, TIFFTAG_GDAL_METADATA, &text) &&
                       !gdal_info_read(g, text, path, NULL) &&
                       !strncmp(g->software, "sciara ", strlen("sciara "));
    TIFFClose(tif);
    return found;
}

bool geotiff_is_ours(const char *path)
{
    struct gdal_info g;
    return read_mark(&g, path);
}

bool geotiff_is_of_others(const char *path, const char *digest)
{
    struct gdal_info g;
    return read_mark(&g, path) && *g.digest && strcmp(g.digest, digest);
}
