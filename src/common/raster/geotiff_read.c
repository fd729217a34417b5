/* Reading a GeoTIFF: where the grid lies and what its numbers mean; tiff_band.h has the numbers. */
#include "gdal_metadata.h"
#include "geotiff_crs.h"
#include "text/number.h"
#include "raster_formats.h"
#include "tiff_band.h"
#include "base/watch.h"

#include <math.h>
#include <string.h>

static bool scan_all(const char *text, double *v)
{
    const char *end = text + strlen(text);

    while (*text == ' ') text++;
    text = number_scan(text, end, v);
    while (text && *text == ' ') text++;
    return text == end;
}

static int read_meaning(struct tiff_band *l, struct raster *r, TIFF *tif, struct error *e)
{
    char *text = NULL, item[64];

    if (TIFFGetField(tif, TIFFTAG_GDAL_NODATA, &text) && *text) {
        if (!scan_all(text, &r->nodata))
            return error_input(e,
                               "%s: its nodata value is not a number; set it anew "
                               "(gdal_translate -a_nodata)",
                               l->path);
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
    l->scaled = l->scale != 1 || l->offset != 0;
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

static int read_place(struct georef *g, const struct tiff_band *l, TIFF *tif, struct error *e)
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

int geotiff_read(struct raster *r, const char *path, size_t max_cells, struct watch *watch,
                 struct error *e)
{
    struct error mine = {0};
    struct tiff_band l;
    struct tiff_log log;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    int status;

    if (!tif) return tiff_damaged(path, &log, e);
    if (log.tag_lost) status = tiff_damaged(path, &log, &mine);
    else if (!(status = tiff_band_describe(&l, tif, path, max_cells, &mine)) &&
             !(status = read_meaning(&l, r, tif, &mine)) &&
             !(status = read_place(&r->geo, &l, tif, &mine)))
        status = raster_allocate(r, path, (int)l.height, (int)l.width, &mine);
    TIFFClose(tif);
    if (!status) {
        l.watch = watch;
        watch_file(watch, (long long)l.height * l.width);
        status = tiff_band_read(r, &l, &mine);
    }
    if (status && e) *e = mine;
    return status;
}
