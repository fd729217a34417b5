/* dem_source.c — opens a raster of heights, and finds its place and the meaning of its numbers. */
#include "dem_parts.h"

#include "raster/raster_formats.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef SCIARA_WITH_GDAL
#include "raster/gdal_raster.h"

/* ---- the meaning of its numbers -------------------------------------------------------------- */

bool dem_source_masked(const struct dem_source *s, double nodata)
{
    return s->file->gdal->mask || (s->file->band.has_nodata && !isnan(nodata));
}

int dem_source_opacity(const struct dem_source *s)
{
    const struct gdal_raster *d = s->file->gdal;
    if (!d->mask || d->g.GDALGetMaskFlags(d->band) & (GMF_PER_DATASET | GMF_ALPHA)) return 0;
    int band = 1;
    while (d->g.GDALGetRasterBand(d->data, band) != d->mask && band < s->head->band_count) band++;
    return band;
}

static bool is_height(const struct dem_source *s, double value, double given)
{
    const struct tiff_band *band = &s->file->band;
    return isfinite(value) && fabs(value) < RASTER_VALUE_MAX && value != given &&
           !(band->has_nodata && value == band->nodata);
}

bool dem_source_read(const struct dem_source *s, struct window w, double given, double *value,
                     double *mask)
{
    const struct gdal_raster *d = s->file->gdal;
    const GDALRasterBandH bands[] = {d->band, d->mask};
    double *const to[] = {value, mask};
    for (int k = 0; k < 2 && bands[k]; k++)
        if (d->g.GDALRasterIOEx(bands[k], GF_Read, w.col0, w.row0, w.cols, w.rows, to[k], w.cols,
                                w.rows, GDT_Float64, 0, 0, NULL) >= CE_Failure)
            return false;
    for (size_t i = 0; i < (size_t)w.rows * (size_t)w.cols; i++)
        if (!is_height(s, value[i], given) || (d->mask && mask[i] == 0)) value[i] = NAN;
    return true;
}

static int check_band(const struct dem_source *s, double nodata, struct error *e)
{
    enum { MASKS = 3030000 }; /* GDAL 3.3, which first knows UseMaskBand in a VRT */
    const struct gdal_raster *d = s->file->gdal;
    const GDALDataType type = d->g.GDALGetRasterDataType(d->band);
    const GDALColorInterp colour = d->g.GDALGetRasterColorInterpretation(d->band);
    if (colour == GCI_PaletteIndex || colour == GCI_RedBand)
        return error_input(
            e, "%s: is a picture with colours, not with heights; name the raster of heights",
            s->path);
    if (type >= GDT_CInt16 && type <= GDT_CFloat64)
        return error_input(e, "%s: has complex numbers; name a raster of heights", s->path);
    if (dem_source_masked(s, nodata) && atoi(d->g.GDALVersionInfo("VERSION_NUM")) < MASKS)
        return error_input(e, "%s: has a mask, which needs GDAL 3.3 or newer; install it", s->path);
    if (d->is_signed)
        return error_input(e,
                           "%s: its numbers are signed bytes, which need GDAL 3.7 or newer; "
                           "install it",
                           s->path);
    return 0;
}

static int take_meaning(struct dem_source *s, const struct dem_request *q, struct error *e)
{
    const struct tiff_band *band = &s->file->band;
    struct raster head = *s->head;
    /* the user gives CRS and unit, so the unit that GDAL finds in the vertical CRS does not count */
    if (q->source_epsg && q->heights && *head.vertical.name)
        head.vertical = (struct vertical){0}, *head.unit = '\0';
    const bool declared = *head.unit || *head.vertical.name;
    const double unit_m = s->crs.unit_m;
    struct raster_unit unit;
    bool depth = false;
    if (!declared && !q->heights && unit_m > 0 && fabs(unit_m - 1) > 1e-3)
        return error_input(e,
                           "%s: the unit of its map is %.9g m, and the unit of its heights is not "
                           "declared; give option 'heights' m, ft or us-ft",
                           s->path, unit_m);
    int status = raster_find_heights(&unit, &depth, &head, q->heights, s->unit, s->path, e);
    if (status) return status;
    const double metres = (depth ? -1 : 1) * unit.times / unit.per;
    s->ratio = (q->scaled ? q->scale[0] : band->scale) * metres;
    s->offset = (q->scaled ? q->scale[1] : band->offset) * metres;
    if (s->ratio != 0 && isfinite(s->ratio) && isfinite(s->offset)) return 0;
    return error_input(e, "%s: its scale is %g and its offset %g; give option 'scale'", s->path,
                       band->scale, band->offset);
}

/* ---- its place ------------------------------------------------------------------------------- */

/* Refuses angles that no place on the Earth has: the file then has the wrong CRS. */
static int check_angles(const struct dem_source *s, struct error *e)
{
    const double *g = s->place, east = g[0] + s->head->cols * g[1] + s->head->rows * g[2],
                 south = g[3] + s->head->cols * g[4] + s->head->rows * g[5];
    const double far = fmax(fabs(g[0]), fabs(east)), high = fmax(fabs(g[3]), fabs(south));
    const bool wide = fabs(east - g[0]) > s->crs.turn * (1 + 2.0 / s->head->cols);
    if (far <= s->crs.turn * 1.5 && high <= s->crs.turn / 4 * 1.01 && !wide) return 0;
    return error_input(e,
                       "%s: its CRS is in degrees, but no %s can be %.9g; so the CRS is wrong; "
                       "give option 'source_crs' EPSG:CODE",
                       s->path, high > s->crs.turn / 4 * 1.01 ? "latitude" : "longitude",
                       high > s->crs.turn / 4 * 1.01 ? high : far);
}

/* A netCDF file that follows the CF conventions needs no CRS: it declares that its coordinates are degrees. */
static bool has_degrees(const struct gdal_raster *d)
{
    static const char *const names[][2] = {
        {"lat#units", "lon#units"}, {"latitude#units", "longitude#units"}, {"y#units", "x#units"}};
    bool has = false;
    for (int i = 0; i < 3 && !has; i++) {
        const char *y = d->g.GDALGetMetadataItem(d->data, names[i][0], NULL),
                   *x = d->g.GDALGetMetadataItem(d->data, names[i][1], NULL);
        has = y && x && !strncasecmp(y, "degree", 6) && !strncasecmp(x, "degree", 6);
    }
    return has;
}

/* Refuses coordinates of a projected CRS that are probably degrees. Metres are that small only within some hundred
 * metres of the origin. */
static int check_metres(const struct dem_source *s, const char *code, struct error *e)
{
    const double *g = s->place, cell = fmax(fabs(g[1]) + fabs(g[2]), fabs(g[4]) + fabs(g[5]));
    const double east = g[0] + s->head->cols * g[1] + s->head->rows * g[2],
                 south = g[3] + s->head->cols * g[4] + s->head->rows * g[5];
    if (fmax(fabs(g[0]), fabs(east)) > 540 || fmax(fabs(g[3]), fabs(south)) > 91 || cell > 0.1)
        return 0;
    return error_input(e,
                       "%s: its coordinates look like degrees, from %.6g to %.6g and %.6g to %.6g, "
                       "but %s is projected; %s",
                       s->path, g[0], east, south, g[3], s->crs.called,
                       *code && *s->named ? "omit option 'source_crs'"
                                          : "give option 'source_crs' EPSG:4326");
}

static int take_place(struct dem_source *s, const struct gdal_raster *d,
                      const struct dem_request *q, struct error *e)
{
    char code[24];
    const double *b = q->place, wide = (b[2] - b[0]) / s->head->cols,
                 high = (b[3] - b[1]) / s->head->rows;
    const double given[6] = {b[0], wide, 0, b[3], 0, -high};
    const bool placed = b[0] < b[2];
    memcpy(s->place, placed ? given : d->transform, sizeof s->place);
    const char *wkt = d->g.GDALGetProjectionRef(d->data);
    if (!(wkt && *wkt) && has_degrees(d)) wkt = "EPSG:4326";
    const bool named = wkt && *wkt;
    s->named = named ? wkt : "";
    if (!named && !q->source_epsg)
        return error_input(e, "%s: names no CRS; give option 'source_crs' EPSG:CODE", s->path);
    snprintf(code, sizeof code, "EPSG:%d", q->source_epsg);
    const double *g = s->place;
    if (!(fabs(g[1] * g[5] - g[2] * g[4]) > 0) || !(d->placed || placed))
        return error_input(e, "%s: has no georeference; give option 'source_extent'", s->path);
    const int status = projection_flat(&s->crs, q->source_epsg ? code : wkt, s->path, e);
    if (status) return status;
    return s->crs.turn ? check_angles(s, e) : check_metres(s, q->source_epsg ? code : "", e);
}

static void describe_source(const struct dem_source *s, struct dem_source_said *to)
{
    snprintf(to->name, sizeof to->name, "%s", path_name(s->path));
    to->rows = s->head->rows;
    to->cols = s->head->cols;
    snprintf(to->crs, sizeof to->crs, "%s", s->crs.called);
    snprintf(to->unit, sizeof to->unit, "%s", s->unit);
    snprintf(to->vertical, sizeof to->vertical, "%s", s->head->vertical.name);
}

int dem_source_open(struct dem_source *s, const char *path, const struct dem_request *q,
                    struct dem_source_said *said, struct error *e)
{
    s->path = path;
    int status = s->file ? 0 : raster_open_anywhere(&s->file, s->path, e);
    if (status) return status;
    s->head = raster_head(s->file);
    status = check_band(s, q->nodata, e);
    if (!status) status = take_place(s, s->file->gdal, q, e);
    if (!status) status = take_meaning(s, q, e);
    if (!status && said) describe_source(s, said);
    return status;
}
#else
int dem_source_open(struct dem_source *s, const char *path, const struct dem_request *q,
                    struct dem_source_said *said, struct error *e)
{
    return raster_open_anywhere(&s->file, path, e);
}
#endif

void dem_source_close(struct dem_source *s)
{
    proj_destroy(s->own);
    raster_close(s->file);
    free(s->crs.wkt);
}

void dem_source_cells(const struct dem_source *s, double dx, double dy, double colrow[2])
{
    const double *g = s->place, det = g[1] * g[5] - g[2] * g[4];
    colrow[0] = (dx * g[5] - dy * g[2]) / det;
    colrow[1] = (dy * g[1] - dx * g[4]) / det;
}

bool dem_source_at(const struct dem_source *s, double x, double y, double colrow[2])
{
    const double *g = s->place;
    const PJ_COORD own = proj_trans(s->own, PJ_FWD, proj_coord(x, y, 0, 0));
    const double middle = g[0] + s->head->cols / 2.0 * g[1] + s->head->rows / 2.0 * g[2],
                 turns = s->crs.turn ? rint((middle - own.xy.x) / s->crs.turn) : 0;
    dem_source_cells(s, own.xy.x + turns * s->crs.turn - g[0], own.xy.y - g[3], colrow);
    return isfinite(colrow[0]) && isfinite(colrow[1]);
}

bool dem_place_covered(const struct dem *d, double lon, double lat)
{
    bool covered = false;
    for (int i = 0; i < d->q->source_count && !covered; i++) {
        struct dem_source s = d->source[i];
        double at[2];
        s.own = projection_between(d->context, "EPSG:4326", s.crs.wkt, NULL);
        covered = s.own && dem_source_at(&s, lon, lat, at) && at[0] >= 0 && at[1] >= 0 &&
                  at[0] <= s.head->cols && at[1] <= s.head->rows;
        proj_destroy(s.own);
    }
    return covered;
}
