/* gdal_raster.c — reads rasters of other formats through GDAL: VRT, GeoPackage and others, and TIFF with a compression
 * that libtiff lacks. */
#include "gdal_raster.h"
#include "projection.h"
#include "raster_formats.h"

#include "base/file_progress.h"
#include "text/remedy.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <string.h>

/* Refuses a file that needs GDAL on a machine without GDAL. */
static int refuse_without(const struct raster_file *f, struct error *e)
{
    if (f->needs_gdal)
        return error_input(e, "%s: needs GDAL for %s, but " GDAL_NONE "; " GDAL_GET, f->path,
                           f->needs_gdal);
    return error_input(e, "%s: needs GDAL, but " GDAL_NONE "; " GDAL_GET, f->path);
}

#ifdef SCIARA_WITH_GDAL
static int refuse_damaged(const struct gdal *g, const char *path, struct error *e)
{
    char said[256];
    return error_input(e, "%s: cannot be read through GDAL: %s; %s", path,
                       gdal_reason(g, "GDAL gives no reason", said),
                       g->network ? "try again, or later" : "fetch or write it again");
}

/* ---- the header ------------------------------------------------------------------------------ */

static void take_text(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text ? text : "");
    scan_cut(out);
    scan_make_printable(out);
}

static int take_meaning(struct raster_file *f, struct gdal_raster *d, struct error *e)
{
    const struct gdal *g = &d->g;
    struct raster *r = &f->head;
    struct tiff_band *l = &f->band;
    enum { INT8 = 14 }; /* GDT_Int8 of GDAL 3.7 */
    const int kind = g->GDALGetRasterDataType(d->band), mask = g->GDALGetMaskFlags(d->band);
    int there = 0;
    take_text(r->unit, sizeof r->unit, g->GDALGetRasterUnitType(d->band));
    if (!(mask & (GMF_ALL_VALID | GMF_NODATA))) d->mask = g->GDALGetMaskBand(d->band);
    /* GDAL does not use every alpha band as a mask. */
    for (int i = 2; i <= r->band_count && !d->mask; i++) {
        GDALRasterBandH band = g->GDALGetRasterBand(d->data, i);
        if (g->GDALGetRasterColorInterpretation(band) == GCI_AlphaBand) d->mask = band;
    }
    const char *pixels = g->GDALGetMetadataItem(d->band, "PIXELTYPE", "IMAGE_STRUCTURE");
    d->is_signed = kind == GDT_Byte && pixels && !strcmp(pixels, "SIGNEDBYTE");
    r->nodata = g->GDALGetRasterNoDataValue(d->band, &there);
    l->has_nodata = there;
    if (!there) r->nodata = NAN;
    l->nodata = kind == GDT_Float32 ? (double)(float)r->nodata : r->nodata;
    l->scale = g->GDALGetRasterScale(d->band, &there);
    if (!there) l->scale = 1;
    l->offset = g->GDALGetRasterOffset(d->band, &there);
    if (!there) l->offset = 0;
    l->scaled = l->scale != 1 || l->offset != 0;
    const char *wkt = g->GDALGetProjectionRef(d->data);
    if (!f->anywhere && (l->scale == 0 || !isfinite(l->scale) || !isfinite(l->offset)))
        return remedy_refuse(
            e, f->path, "%s: its scale is %g and its offset %g; correct them: " REMEDY_DEM, f->path,
            l->scale, l->offset, wkt && *wkt ? DEM_SCALE : DEM_FROM_CODE DEM_SCALE);
    r->bytes = kind == GDT_Byte || kind == INT8;
    take_text(r->terrain_source, sizeof r->terrain_source,
              g->GDALGetMetadataItem(d->data, "TERRAIN", NULL));
    return 0;
}

static int take_place(struct raster_file *f, struct gdal_raster *d, struct error *e)
{
    struct raster *r = &f->head;
    const char *wkt = d->g.GDALGetProjectionRef(d->data);
    d->placed = d->g.GDALGetGeoTransform(d->data, d->transform) < CE_Failure;
    if (!d->placed && !f->anywhere)
        return remedy_refuse(
            e, f->path,
            "%s: has no georeference, neither in it nor in a world file; add one: " REMEDY_DEM,
            f->path, DEM_PLACE);
    int status =
        f->anywhere ? 0 : raster_take_place(&r->geo, d->transform, r->rows, r->cols, f->path, e);
    if (!status && wkt && *wkt)
        status = projection_read(&r->geo.crs, &r->vertical, wkt, f->path, f->path, e);
    return status;
}

static int take_head(struct raster_file *f, struct gdal_raster *d, size_t max_cells,
                     struct error *e)
{
    const struct gdal *g = &d->g;
    struct raster *r = &f->head;
    r->band_count = g->GDALGetRasterCount(d->data);
    r->rows = g->GDALGetRasterYSize(d->data);
    r->cols = g->GDALGetRasterXSize(d->data);
    d->band = r->band_count > 0 ? g->GDALGetRasterBand(d->data, 1) : NULL;
    if (!d->band) return error_input(e, "%s: has no raster; name a file that has one", f->path);
    int status = raster_check_size(f->path, r->rows, r->cols, max_cells, e);
    if (!status) status = take_meaning(f, d, e);
    return status ? status : take_place(f, d, e);
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Sets cells to no data where the mask is 0. Returns nonzero if the mask cannot be read. */
static int mask_row(const struct gdal_raster *d, int row, int col0, int cols, double *value)
{
    enum { AT_ONCE = 4096 };
    double mask[AT_ONCE];
    for (int j = 0; j < cols; j += AT_ONCE) {
        const int n = cols - j < AT_ONCE ? cols - j : AT_ONCE;
        if (d->g.GDALRasterIOEx(d->mask, GF_Read, col0 + j, row, n, 1, mask, n, 1, GDT_Float64, 0,
                                0, NULL) >= CE_Failure)
            return 1;
        for (int i = 0; i < n; i++)
            if (mask[i] == 0) value[j + i] = NAN;
    }
    return 0;
}

static int read_all(struct raster_file *f, const struct raster_cells *to, size_t *missing,
                    struct error *e)
{
    const struct gdal_raster *d = f->gdal;
    const struct window w = to->window;
    const long long cell = sizeof(double);
    if (d->g.GDALRasterIOEx(d->band, GF_Read, w.col0, w.row0, w.cols, w.rows, to->value, w.cols,
                            w.rows, GDT_Float64, cell, cell * (long long)to->stride,
                            NULL) >= CE_Failure)
        return refuse_damaged(&d->g, f->path, e);
    for (int i = 0; i < w.rows; i++) {
        double *row = to->value + (size_t)i * to->stride;
        for (int j = 0; d->is_signed && j < w.cols; j++) row[j] -= row[j] > 127 ? 256 : 0;
        if (d->mask && mask_row(d, w.row0 + i, w.col0, w.cols, row))
            return refuse_damaged(&d->g, f->path, e);
        if (!tiff_band_finish(&f->band, row, (size_t)w.cols, missing))
            return raster_refuse_infinite(&f->band, row, w.row0 + i, e);
    }
    file_progress_cells(f->progress, (long long)w.rows * w.cols);
    return 0;
}

static int read_window(struct raster_file *f, const struct raster_cells *to, size_t *missing,
                       struct error *e)
{
    if (file_progress_cancelled(f->progress)) return error_cancelled(e);
    *missing = 0;
    gdal_enter(&f->gdal->g);
    const int status = read_all(f, to, missing, e);
    gdal_leave(&f->gdal->g);
    return status;
}

/* ---- a netCDF with rows and columns exchanged -------------------------------------------------- */

/* Whether a dimension runs along x, by the CF attributes of its variable or by its name. */
static bool is_of_x(const struct gdal_raster *d, const char *name)
{
    static const char *const names[] = {"x", "lon", "longitude", "easting", "rlon", "xc", NULL};
    char key[96];
    snprintf(key, sizeof key, "%.64s#axis", name);
    const char *axis = d->g.GDALGetMetadataItem(d->data, key, NULL);
    snprintf(key, sizeof key, "%.64s#standard_name", name);
    const char *standard = d->g.GDALGetMetadataItem(d->data, key, NULL);
    if (axis) return strcasecmp(axis, "X") == 0;
    if (standard) return strstr(standard, "x_coordinate") || strstr(standard, "longitude");
    return text_is_one_of(name, names);
}

/* Refuses a variable with the dimensions (x, y). GDAL would read it mirrored at the diagonal, with the warning
 * "dimension #0 (x) is not a Latitude/Y dimension". */
static int check_dimensions(struct raster_file *f, const struct gdal_raster *d, const char *warning,
                            struct error *e)
{
    char name[65] = "", plain[65], array[96];
    if (!strstr(warning, "is not a Latitude/Y dimension") ||
        sscanf(warning, "%*[^(](%64[^)])", name) != 1 || !is_of_x(d, name))
        return 0;
    const char *variable =
        d->g.GDALGetMetadataItem(d->g.GDALGetRasterBand(d->data, 1), "NETCDF_VARNAME", NULL);
    take_text(plain, sizeof plain, variable ? variable : "VARIABLE");
    snprintf(array, sizeof array, "name=%s,transpose=[1,0]", plain);
    FREED char *word = text_shell_word(array);
    if (!word) return error_memory(e);
    return remedy_refuse(e, f->path,
                         "%s: its rows and columns are exchanged, (%s, y) in place of (y, %s); "
                         "exchange them: " REMEDY_TRANSPOSE,
                         f->path, name, name, word);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Whether GDAL's message means that the server has no such file. */
static bool is_absent(const char *said)
{
    static const char none[] = "HTTP response code: 404";
    return !strncmp(said, none, strlen(none)) && !isdigit((unsigned char)said[strlen(none)]);
}

/* Finds raster i of a file, counted from 1. *full becomes GDAL's name of the raster. *plain becomes the NAME in
 * "FILE:NAME", as a user writes it. False: the file has fewer rasters. */
static bool find_part(const char **full, const char **plain, const struct gdal_raster *d, int i)
{
    char **item = d->g.GDALGetMetadata(d->data, "SUBDATASETS"); /* NAME=..., DESC=..., NAME=... */
    int n = 0;
    while (item && item[n] && n < 2 * i - 2) n++;
    const char *value = item && item[n] ? strchr(item[n], '=') : NULL;
    *full = value ? value + 1 : NULL;
    *plain = *full ? *full + strlen(*full) : NULL;
    while (*full && *plain > *full && !strchr(":/", (*plain)[-1])) --*plain;
    return *full;
}

static int refuse_parts(const struct raster_file *f, struct error *e)
{
    const struct gdal_raster *d = f->gdal;
    const char *full, *plain;
    char names[256] = "", shown[64];
    size_t n = 0;
    for (int i = 1; find_part(&full, &plain, d, i) && n < sizeof names - 80; i++) {
        take_text(shown, sizeof shown, plain);
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", shown);
    }
    find_part(&full, &plain, d, 1);
    FREED char *first = text_format("%s:%s", f->path, plain ? plain : "");
    FREED char *word = first ? text_shell_word(first) : NULL;
    if (!word) return error_memory(e);
    return error_input(e, "%s: has %srasters %s; name one of them, as %s", f->path,
                       *f->wanted ? "other " : "several ", names, word);
}

/* Opens the wanted raster of a file that has several. */
static int open_part(struct raster_file *f, const char *const *drivers, struct error *e)
{
    struct gdal_raster *d = f->gdal;
    const char *full, *plain;
    int i = 1;
    if (f->named || f->entry || !f->wanted) return 0;
    if (!find_part(&full, &plain, d, 1))
        return *f->wanted
                   ? error_input(e, "%s: has one raster; name it without :%s", f->path, f->wanted)
                   : 0;
    while (find_part(&full, &plain, d, i) && strcmp(plain, f->wanted)) i++;
    if (!full) return *f->wanted || !d->g.GDALGetRasterCount(d->data) ? refuse_parts(f, e) : 0;
    GDALDatasetH part = d->g.GDALOpenEx(
        full, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, drivers, NULL, NULL);
    FREED char *name = text_format("%s", full);
    if (!part) return refuse_damaged(&d->g, f->path, e);
    d->g.GDALClose(d->data);
    free(d->name);
    d->data = part;
    d->name = name;
    name = NULL;
    return d->name ? 0 : error_memory(e);
}

/* Opens a file, and also reads NAME.aux.xml next to it (GDAL_PAM_ENABLED). GDAL gets a name that begins with ./ or /, so
 * that it cannot mistake the name for an address or a driver. */
static int open_data(struct raster_file *f, const char *const *drivers, size_t max_cells,
                     struct error *e)
{
    struct gdal_raster *d = f->gdal;
    d->name = f->named ? text_format("%s", f->named)
                       : text_format("%s%s%s%s%s", f->entry ? "/vsizip/" : "",
                                     *f->path == '/' ? "" : "./", f->path, f->entry ? "/" : "",
                                     f->entry ? f->entry : "");
    if (!d->name) return error_memory(e);
    if (!f->named) d->g.CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "YES");
    const char *const exact[] = {"DATATYPE=Float64", NULL}; /* for a text grid */
    const bool is_text = !strcmp(*drivers, "AAIGrid");
    d->data = d->g.GDALOpenEx(d->name, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                              drivers, is_text ? exact : NULL, NULL);
    f->absent = !d->data && is_absent(d->g.CPLGetLastErrorMsg());
    if (!d->data) return refuse_damaged(&d->g, f->path, e);
    int status = open_part(f, drivers, e);
    if (status) return status;
    FREED char *warning = text_format("%s", d->g.CPLGetLastErrorMsg());
    status = warning ? take_head(f, d, max_cells, e) : error_memory(e);
    if (!status && is_text && !f->band.has_nodata) {
        f->head.nodata = f->band.nodata = -9999;
        f->head.nodata_usual = f->band.has_nodata = true;
    }
    if (!status && !f->anywhere && raster_beside_has(f, "<SRS") &&
        !*d->g.GDALGetProjectionRef(d->data))
        status = remedy_refuse(
            e, f->path,
            "%s: GDAL does not understand the CRS in its .aux.xml; declare it: " REMEDY_DEM,
            f->path, DEM_FROM_CODE);
    if (d->band && warning && check_dimensions(f, d, warning, e)) status = ERROR_INPUT;
    return status;
}

int gdal_raster_open(struct raster_file *f, const char *const *drivers, size_t max_cells,
                     struct error *e)
{
    struct gdal_raster *d = f->gdal = calloc(1, sizeof *d);
    if (!d) return error_memory(e);
    if (!gdal_load(&d->g)) {
        free(d);
        f->gdal = NULL;
        return refuse_without(f, e);
    }
    f->band = (struct tiff_band){.path = f->path};
    f->band.unit = f->head.unit;
    f->read = read_window;
    d->g.network = f->network;
    int status = f->named ? 0 : gdal_vrt_check(f, !strcmp(*drivers, "VRT"), e);
    if (status) return status;
    gdal_enter(&d->g);
    status = open_data(f, drivers, max_cells, e);
    gdal_leave(&d->g);
    return status;
}

bool gdal_raster_has_mask(const struct gdal_raster *d)
{
    return d->mask != NULL;
}

void gdal_raster_close(struct gdal_raster *d)
{
    if (!d) return;
    gdal_enter(&d->g);
    if (d->data) d->g.GDALClose(d->data);
    gdal_leave(&d->g);
    FREE_ALL(d->name, d);
}

#else
int gdal_raster_open(struct raster_file *f, const char *const *drivers, size_t max_cells,
                     struct error *e)
{
    return refuse_without(f, e);
}

bool gdal_raster_has_mask(const struct gdal_raster *d)
{
    return false;
}

void gdal_raster_close(struct gdal_raster *d) {}
#endif
