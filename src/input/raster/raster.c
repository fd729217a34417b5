#include "raster.h"

#include "base/file_progress.h"
#include "base/memory.h"
#include "projection.h"
#include "raster_formats.h"
#include "text/grow.h"
#include "text/number.h"
#include "text/archive.h"
#include "text/remedy.h"
#include "text/textfile.h"
#include "sim/window.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GIB 1073741824.0

int raster_check_size(const char *path, double rows, double cols, size_t max_cells, struct error *e)
{
    const double cells = rows * cols;
    const double bytes = cells * sizeof(double);
    const double memory = memory_available();
    if (!(rows >= 1 && cols >= 1))
        return error_input(e, "%s: has %.0f rows and %.0f columns; give at least one of each", path,
                           rows, cols);
    if (rows > INT_MAX || cols > INT_MAX)
        return error_input(e, "%s: has %.0f x %.0f cells; at most %d rows and columns can be read",
                           path, rows, cols, INT_MAX);
    if (max_cells == RASTER_ANY_SIZE) return 0;
    if (max_cells && cells > (double)max_cells)
        return remedy_refuse(e, path,
                             "%s: %.0f x %.0f cells need about %.1f GiB of memory, but at most "
                             "%.1f can be used here; " REMEDY_CROP_OR_COARSEN,
                             path, rows, cols, cells * RASTER_RUN_BYTES / GIB,
                             (double)max_cells * RASTER_RUN_BYTES / GIB);
    if (bytes > memory)
        return remedy_refuse(e, path,
                             "%s: %.0f x %.0f cells need %.1f GiB of memory, but %.1f can be "
                             "used here; " REMEDY_CROP_OR_COARSEN,
                             path, rows, cols, bytes / GIB, memory / GIB);
    return 0;
}

int raster_allocate(struct raster *r, const char *path, int rows, int cols, struct error *e)
{
    const size_t bytes = (size_t)rows * (size_t)cols * sizeof(double);
    r->rows = rows;
    r->cols = cols;
    r->value = malloc(bytes);
    if (!r->value)
        return remedy_refuse(e, path,
                             "%s: no memory for %d x %d cells (%.1f GiB); " REMEDY_CROP_OR_COARSEN,
                             path, rows, cols, (double)bytes / GIB);
    return 0;
}

enum format { FORMAT_UNKNOWN, FORMAT_EMPTY, FORMAT_TIFF, FORMAT_ASCII, FORMAT_OF_GDAL };

/* The first bytes of files that GDAL reads, and their drivers. Other drivers, which might do more than read, are not used. */
static const struct of_gdal {
    const char *mark;
    size_t length;
    const char *drivers[6];
} of_gdal[] = {
    {"<VRTDataset", 11, {"VRT"}},
    {"SQLite format 3", 15, {"GPKG"}},
    {"EHFA_HEADER_TAG", 15, {"HFA"}},
    {"CDF\1", 4, {"netCDF"}},
    {"CDF\2", 4, {"netCDF"}},
    {"CDF\5", 4, {"netCDF"}},
    {"\x89HDF", 4, {"netCDF", "BAG", "HDF5", "HDF5Image", "KEA"}},
    {"\xff\x4f\xff\x51", 4, {"JP2OpenJPEG", "JP2KAK", "JP2ECW", "JP2MrSID", "JPEG2000"}},
    {"\0\0\0\x0cjP  \r\n\x87\n", 12, {"JP2OpenJPEG", "JP2KAK", "JP2ECW", "JP2MrSID", "JPEG2000"}},
};

/* Returns the entry for these first bytes; NULL: there is none. */
static const struct of_gdal *find_of_gdal(const unsigned char *head, size_t n)
{
    for (size_t i = 0; i < sizeof of_gdal / sizeof *of_gdal; i++)
        if (n >= of_gdal[i].length && memcmp(head, of_gdal[i].mark, of_gdal[i].length) == 0)
            return &of_gdal[i];
    return NULL;
}

/* Returns the format by the first bytes. Every Arc/Info ASCII grid begins with a key, and so with a letter. */
static enum format format_of(const unsigned char *head, size_t n)
{
    static const char mark[4][4] = {"II*\0", "MM\0*", "II+\0", "MM\0+"};
    size_t at = 0;
    if (n == 0) return FORMAT_EMPTY;
    for (int i = 0; i < 4; i++)
        if (n >= 4 && memcmp(head, mark[i], 4) == 0) return FORMAT_TIFF;
    if (find_of_gdal(head, n)) return FORMAT_OF_GDAL;
    if (n >= 4 && text_is_archive((const char *)head)) return FORMAT_UNKNOWN;
    if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0) at = 3; /* a byte order mark */
    while (at < n && strchr(" \t\r\n", head[at]) && head[at]) at++;
    if (at == n) return FORMAT_UNKNOWN;
    return (head[at] | 32) >= 'a' && (head[at] | 32) <= 'z' ? FORMAT_ASCII : FORMAT_UNKNOWN;
}

static int detect(enum format *format, const struct of_gdal **gdal, const char *path,
                  struct error *e)
{
    unsigned char head[256];
    size_t n;
    bool bad;
    FILE *f;
    f = file_open_regular(path);
    if (!f) return error_input(e, "%s: cannot open: %s", path, strerror(errno));
    n = fread(head, 1, sizeof head, f);
    bad = ferror(f) != 0;
    fclose(f);
    if (bad) return error_input(e, "%s: cannot read: %s", path, strerror(errno));
    *format = format_of(head, n);
    *gdal = find_of_gdal(head, n);
    return 0;
}

/* ---- NAME.aux.xml and NAME.msk ---------------------------------------------------------------------- */

/* Sets f->needs_gdal if GDAL has to read NAME.aux.xml or NAME.msk of a raster. Statistics need not be read. */
static int find_beside(struct raster_file *f, enum format format, struct error *e)
{
    enum { OF_TEXT = 5 }; /* for a text grid, only the first five of `means` count */
    static const char *const means[] = {"<UnitType", "<Scale", "<Offset",       "\"TERRAIN\"",
                                        ">Alpha<",   "<SRS",   "<GeoTransform", "<NoDataValue"};
    FREED char *mask = text_format("%s.msk", f->path), *xml = text_format("%s.aux.xml", f->path);
    struct stat st;
    size_t size = 0;
    if (!mask || !xml) return error_memory(e);
    int status = stat(xml, &st) ? 0 : textfile_load(&f->beside, &size, xml, e);
    for (size_t i = 0; i < (format == FORMAT_TIFF ? sizeof means / sizeof *means : OF_TEXT); i++)
        if (raster_beside_has(f, means[i])) f->needs_gdal = "its .aux.xml";
    if (!stat(mask, &st)) f->needs_gdal = "its mask (.msk)";
    return status;
}

bool raster_beside_has(const struct raster_file *f, const char *word)
{
    return f->beside && strstr(f->beside, word);
}

static bool is_vector_name(const char *path)
{
    static const char *const endings[] = {".fgb", ".dxf",    ".tab",  ".mif",      ".gml",
                                          ".gpx", ".sqlite", ".json", ".topojson", NULL};
    return text_find_extension(path, endings) >= 0;
}

bool raster_has_other_name(const char *path)
{
    return text_has_extension(path, ".cfg") || is_vector_name(path);
}

/* Returns the drivers of a format that only the name of the file shows; `sciara dem` reads such formats. NULL:
 * the name shows no such format. */
static const char *const *drivers_by_name(const char *path)
{
    static const struct of_gdal_by_name {
        const char *ending, *drivers[2];
    } known[] = {{".hgt", {"SRTMHGT"}}, {".dt0", {"DTED"}}, {".dt1", {"DTED"}}, {".dt2", {"DTED"}},
                 {".flt", {"EHdr"}},    {".bil", {"EHdr"}}, {".xyz", {"XYZ"}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text_has_extension(path, known[i].ending)) return known[i].drivers;
    return NULL;
}

/* Refuses a file that is not a raster in a format that sciara reads. */
int raster_refuse_format(const char *path, struct error *e)
{
    static const char neither[] = "neither a GeoTIFF nor an Arc/Info ASCII grid";
    char head[8];
    const int status = remedy_check_utf16(path, path + path_stem(path), e);
    if (status) return status;
    if (file_head(head, sizeof head, path) && text_is_archive(head))
        return error_input(
            e, "%s: is " TEXT_ARCHIVE ", not a raster; unpack it (unzip), or name a raster", path);
    if (text_has_extension(path, ".cfg"))
        return error_input(
            e, "%s: is a case, not a raster; name a raster, or the folder of its run", path);
    if (is_vector_name(path))
        return remedy_refuse(e, path, "%s: %s; if it holds outlines, convert it: " REMEDY_FEATURES,
                             path, neither, "", "");
    if (drivers_by_name(path))
        return remedy_refuse(e, path, "%s: %s; prepare it: " REMEDY_DEM, path, neither,
                             text_has_extension(path, ".xyz") ? DEM_FROM_CODE : "");
    return remedy_refuse(e, path, "%s: %s; if " REMEDY_LIST " knows it, write it as a GeoTIFF",
                         path, neither);
}

const char *const raster_entries[] = {".tif", ".tiff", ".asc", NULL};
static const char *const by_gtiff[] = {"GTiff", NULL}, *const by_aaigrid[] = {"AAIGrid", NULL};

/* Opens the raster in an archive by GDAL, which needs no unpacked file. */
static int open_archive(struct raster_file *f, size_t max_cells, struct error *e)
{
    int status = archive_find(&f->entry, f->path, raster_entries, f->wanted, e);
    if (status) return status;
    f->needs_gdal = "an archive";
    return gdal_raster_open(f, text_has_extension(f->entry, ".asc") ? by_aaigrid : by_gtiff,
                            max_cells, e);
}

static int open_format(struct raster_file *f, size_t max_cells, struct error *e)
{
    enum format format = FORMAT_UNKNOWN;
    const struct of_gdal *gdal = NULL;
    int status = detect(&format, &gdal, f->path, e);
    if (status) return status;
    if (*f->wanted && format != FORMAT_OF_GDAL && !archive_is(f->path))
        return error_input(e, "%s: has one raster; name it without :%s", f->path, f->wanted);
    f->head.geo.crs.unit_m = 1;
    f->head.nodata = NAN;
    f->head.band_count = 1;
    if ((format == FORMAT_TIFF || format == FORMAT_ASCII) && (status = find_beside(f, format, e)))
        return status;
    if (format == FORMAT_TIFF && f->anywhere) return gdal_raster_open(f, by_gtiff, max_cells, e);
    if (format == FORMAT_ASCII && f->anywhere) return gdal_raster_open(f, by_aaigrid, max_cells, e);
    if (format == FORMAT_TIFF) return geotiff_open(f, max_cells, e);
    if (format == FORMAT_ASCII)
        return asciigrid_open(f, max_cells == RASTER_ANY_SIZE ? 0 : max_cells, e);
    if (format == FORMAT_OF_GDAL) return gdal_raster_open(f, gdal->drivers, max_cells, e);
    if (format == FORMAT_UNKNOWN && archive_is(f->path)) return open_archive(f, max_cells, e);
    if (format == FORMAT_EMPTY)
        return error_input(e, "%s: the file is empty; fetch or write it again", f->path);
    const char *const *drivers = f->anywhere ? drivers_by_name(f->path) : NULL;
    return drivers ? gdal_raster_open(f, drivers, max_cells, e) : raster_refuse_format(f->path, e);
}

int raster_add_source(struct raster_file *f, const char *path, struct error *e)
{
    struct raster_source one = {0};
    int status = textfile_check_regular(path, "a GeoTIFF or an Arc/Info ASCII grid", e);
    if (status) return status;
    if (!file_stamp_of(&one.stamp, path))
        return error_input(e, "%s: cannot open: %s", path, strerror(errno));
    one.path = text_format("%s", path);
    if (one.path && APPEND(f->source, f->source_count, one)) return 0;
    free(one.path);
    return error_memory(e);
}

/* Returns `status` or, if a file was replaced while it was read, an error. Bytes of the old and the new file together
 * are no terrain, even if they can be decoded. */
static int check_sources(const struct raster_file *f, int status, struct error *e)
{
    for (int i = 0; status != ERROR_CANCELLED && i < f->source_count; i++) {
        const struct raster_source *s = &f->source[i];
        const int changed = file_stamp_check(&s->stamp, s->path, e);
        if (changed) return changed;
    }
    return status;
}

/* Returns the file in "file.nc:variable" or "archive.zip:entry", any other path unchanged; malloc'ed. */
static char *file_of(const char *path)
{
    char *file = archive_file_of(path), *colon = file ? strrchr(file, ':') : NULL;
    if (!colon || strcmp(file, path) || !access(file, F_OK)) return file;
    *colon = '\0';
    if (!colon[1] || access(file, F_OK)) *colon = ':';
    return file;
}

static int open_file(struct raster_file **f, const char *path, size_t max_cells, bool anywhere,
                     struct file_progress *progress, struct error *e)
{
    struct raster_file *new = calloc(1, sizeof *new);
    if (new) new->path = file_of(path);
    int status = 0;
    if (!new || !new->path) status = error_memory(e);
    else new->wanted = path + strlen(new->path) + (path[strlen(new->path)] == ':');
    if (!status) new->progress = progress, new->anywhere = anywhere;
    if (!status) status = raster_add_source(new, new->path, e);
    if (!status) status = open_format(new, max_cells, e);
    if (status) raster_close(new);
    else {
        new->head.scale = new->band.scale;
        new->head.offset = new->band.offset;
        memcpy(new->head.band_unit, new->head.unit, sizeof new->head.unit);
    }
    *f = status ? NULL : new;
    return status;
}

int raster_open(struct raster_file **f, const char *path, size_t max_cells,
                struct file_progress *progress, struct error *e)
{
    return open_file(f, path, max_cells, false, progress, e);
}

int raster_open_anywhere(struct raster_file **f, const char *path, struct error *e)
{
    return open_file(f, path, RASTER_ANY_SIZE, true, NULL, e);
}

int raster_open_named(struct raster_file **f, const struct raster_name *name, bool *absent,
                      struct error *e)
{
    static const char *const by_vrt[] = {"VRT", NULL};
    struct raster_file *new = calloc(1, sizeof *new);
    *absent = false;
    if (!new) return error_memory(e);
    new->path = text_format("%s", name->path);
    int status = new->path ? 0 : error_memory(e);
    if (!status) {
        new->anywhere = true;
        new->named = name->named;
        new->needs_gdal = "an address";
        new->network = name->network;
        status = gdal_raster_open(new, name->network ? by_gtiff : by_vrt, RASTER_ANY_SIZE, e);
        *absent = new->absent;
    }
    if (status) raster_close(new);
    *f = status ? NULL : new;
    return status;
}

void raster_close(struct raster_file *f)
{
    if (!f) return;
    raster_free(&f->head);
    gdal_raster_close(f->gdal);
    for (int i = 0; i < f->source_count; i++) free(f->source[i].path);
    FREE_ALL(f->source, f->beside, f->entry, f->path, f);
}

void raster_forget_progress(struct raster_file *f)
{
    if (f) f->progress = f->band.progress = NULL;
}

const struct raster *raster_head(const struct raster_file *f)
{
    return &f->head;
}

static void copy_window(const struct raster *r, const struct raster_cells *to, size_t *missing)
{
    const struct window w = to->window;
    for (int i = 0; i < w.rows; i++) {
        const double *from = r->value + (size_t)(w.row0 + i) * (size_t)r->cols + w.col0;
        double *out = to->value + (size_t)i * to->stride;
        memcpy(out, from, (size_t)w.cols * sizeof *out);
        for (int j = 0; j < w.cols; j++) *missing += isnan(out[j]);
    }
}

int raster_read_window(struct raster_file *f, const struct raster_cells *to, size_t *missing,
                       struct error *e)
{
    const struct window w = to->window;
    size_t uncounted;
    assert(w.row0 >= 0 && w.col0 >= 0 && w.rows > 0 && w.cols > 0 &&
           w.rows <= f->head.rows - w.row0 && w.cols <= f->head.cols - w.col0);
    if (!missing) missing = &uncounted;
    *missing = 0;
    if (!f->read) {
        copy_window(&f->head, to, missing);
        return 0;
    }
    if (w.rows == f->head.rows && w.cols == f->head.cols)
        file_progress_begin_file(f->progress, (long long)w.rows * w.cols);
    return check_sources(f, f->read(f, to, missing, e), e);
}

int raster_read_rest(struct raster_file *f, struct raster *r, struct error *e)
{
    *r = f->head;
    f->head.value = NULL;
    if (!f->read) return 0;
    int status = raster_allocate(r, f->path, r->rows, r->cols, e);
    const struct raster_cells all = {{0, 0, r->rows, r->cols}, r->value, (size_t)r->cols};
    if (!status) status = raster_read_window(f, &all, &r->missing, e);
    if (status) raster_free(r);
    return status;
}

int raster_read(struct raster *r, const char *path, size_t max_cells, struct error *e)
{
    return raster_read_watched(r, path, max_cells, NULL, e);
}

int raster_read_watched(struct raster *r, const char *path, size_t max_cells,
                        struct file_progress *progress, struct error *e)
{
    struct raster_file *f;
    *r = (struct raster){0};
    int status = raster_open(&f, path, max_cells, progress, e);
    if (!status) status = raster_read_rest(f, r, e);
    raster_close(f);
    return status;
}

void raster_free(struct raster *r)
{
    if (!r) return;
    RELEASE(r, r->value);
}

double raster_at(const struct raster *r, double x, double y)
{
    const double north = r->geo.south_m + r->rows * r->geo.cell_m;
    const double row = floor((north - y) / r->geo.cell_m),
                 col = floor((x - r->geo.west_m) / r->geo.cell_m);
    if (!(row >= 0 && row < r->rows && col >= 0 && col < r->cols)) return NAN;
    return r->value[(size_t)row * (size_t)r->cols + (size_t)col];
}

/* Whether a corner of the grid would lie a kilometre or more away if its coordinates were in `crs`. Different datums
 * move places by less. False also if PROJ does not know the place. */
static bool is_elsewhere(const struct georef *grid, const struct crs *crs)
{
    static const double FAR_DEG = 0.01;
    struct georef other = *grid;
    struct ground_scale a, b;
    other.crs = *crs;
    if (!projection_scale(&a, grid, 1, 1) || !projection_scale(&b, &other, 1, 1)) return false;
    return fabs(a.east_deg - b.east_deg) > FAR_DEG || fabs(a.north_deg - b.north_deg) > FAR_DEG;
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Options of gdalwarp for a source, in addition to its file. */
static const char *source_words(const struct raster *r)
{
    return r->nodata_usual ? " -srcnodata -9999 " : " ";
}

void raster_dem_command(char out[RASTER_COMMAND], const struct raster *r, const char *more,
                        const char *path)
{
    struct raster_file *f = NULL;
    *out = '\0';
    if (!r && (!*path || raster_open(&f, path, RASTER_ANY_SIZE, NULL, NULL))) return;
    const struct crs *crs = r ? &r->geo.crs : &f->head.geo.crs;
    char words[256];
    snprintf(words, sizeof words, "%s%s", crs_known(crs) || crs->geographic ? "" : DEM_FROM_CODE,
             more);
    remedy_text(out, RASTER_COMMAND, path,
                crs->geographic || fabs(crs->unit_m - 1) > 1e-9 ? REMEDY_DEM : REMEDY_DEM_LIKE,
                words);
    raster_close(f);
}

void raster_nodata_command(char out[RASTER_COMMAND], const struct raster *r,
                           const struct raster_unit *unit, double value, const char *path)
{
    char text[32], now[32], more[64];
    if (unit) value = value * unit->per / unit->times;
    if (r->scale != 0) value = (value - r->offset) / r->scale;
    if (r->scale != 0 && fabs(value - rint(value)) < 1e-6)
        value = rint(value); /* removes the rounding error of the scale */
    number_text(value, text);
    snprintf(more, sizeof more, DEM_NODATA, text);
    FREED char *word = text_shell_word(r->band_unit);
    if (unit) raster_dem_command(out, r, more, path);
    else
        remedy_text(out, RASTER_COMMAND, path, REMEDY_NODATA,
                    number_text(isnan(r->nodata) ? value : r->nodata, now), text,
                    word ? word : "UNIT");
}

int raster_refuse_infinite(const struct tiff_band *l, const double *v, int row, struct error *e)
{
    struct raster stored = {.nodata = l->has_nodata ? l->nodata : (double)NAN};
    const char *unit = l->unit ? l->unit : "";
    char command[RASTER_COMMAND];
    snprintf(stored.band_unit, sizeof stored.band_unit, "%s", unit);
    while (!isinf(*v)) v++;
    if (!*unit || raster_unit_known(unit)) raster_dem_command(command, NULL, "", l->path);
    else raster_nodata_command(command, &stored, NULL, l->scale < 0 ? -*v : *v, l->path);
    return error_input(e, "%s: has an infinite value in row %d (from 0); declare it as no data: %s",
                       l->path, row, command);
}

/* Writes a CRS for gdalwarp: its code, or a command that reads the CRS from a file. */
static void crs_word(char out[512], const struct crs *crs, const char *path)
{
    if (crs->epsg) snprintf(out, 512, "EPSG:%d", crs->epsg);
    else remedy_text(out, 512, path, REMEDY_CRS_OF);
}

/* Writes the command that resamples heights to the grid of a DEM, in metres. */
static void put_like(char *out, size_t size, const struct raster *r, const char *path,
                     const struct crs *to, const char *dem)
{
    char from[48] = "", more[512];
    FREED char *word = text_shell_word(dem);
    if (!crs_known(&r->geo.crs) && !r->geo.crs.geographic)
        snprintf(from, sizeof from, to->epsg ? DEM_FROM : DEM_FROM_CODE, to->epsg);
    snprintf(more, sizeof more, DEM_LIKE "%s", word ? word : "DEM", from);
    remedy_text(out, size, path, "prepare it: " REMEDY_DEM, more);
}

int raster_check_crs(const struct raster *r, const char *path, const struct georef *grid,
                     struct error *e)
{
    const struct crs *a = &r->geo.crs, *b = &grid->crs;
    char from[128], to[128], code[512];
    static const char own[] = "a CRS of its own";
    char how[RASTER_COMMAND];
    if (b->geographic) return 0;
    crs_word(code, b, "DEM");
    if (r->terrain) put_like(how, sizeof how, r, path, b, "DEM");
    else
        remedy_text(how, sizeof how, path, "warp it: " REMEDY_TO_CRS, source_words(r), code,
                    grid->cell_m, grid->cell_m, "near");
    if (a->geographic)
        return error_input(e, "%s: is in degrees, but the grid is not; %s", path, how);
    if (!crs_known(a) || !crs_known(b) || (a->epsg && a->epsg == b->epsg)) return 0;
    if ((!a->epsg || !b->epsg) && !is_elsewhere(grid, a)) return 0;
    return error_input(e, "%s: is in %s, but the grid is in %s; %s", path, crs_text(a, own, from),
                       crs_text(b, own, to), how);
}

int raster_check_values(const struct raster *r, const char *path, double least, double most,
                        struct error *e)
{
    char command[RASTER_COMMAND];
    for (size_t i = 0; i < (size_t)r->rows * (size_t)r->cols; i++) {
        if (!(r->value[i] < least || r->value[i] > most)) continue;
        raster_nodata_command(command, r, NULL, r->value[i], path);
        return error_input(e,
                           "%s: has %g at row %zu, column %zu, which is impossible; if that marks "
                           "no data, declare it: %s",
                           path, r->value[i], i / (size_t)r->cols, i % (size_t)r->cols, command);
    }
    return 0;
}

/* Whether a and b differ by more than a thousandth of a cell. */
static bool lie_apart(double a, double b, double cell)
{
    return !(fabs(a - b) <= 1e-3 * cell);
}

int raster_same_grid(const struct raster *a, const char *path_a, const struct raster *b,
                     const char *path_b, struct error *e)
{
    const struct georef *g = &a->geo, *h = &b->geo;
    const double side = a->rows > a->cols ? a->rows : a->cols;
    char remedy[RASTER_COMMAND], crs[1100] = " ", to[512];
    /* The command gives corners in the CRS of the grid. For a raster without a CRS, it assumes the same CRS. */
    if (crs_known(&g->crs)) {
        const bool named = crs_known(&h->crs) || h->crs.geographic;
        crs_word(to, &g->crs, path_a);
        snprintf(crs, sizeof crs, "%s%s%s%s-t_srs %s ", source_words(b), named ? "" : "-s_srs ",
                 named ? "" : to, named ? "" : " ", to);
    }
    /* temperatures are not averaged, since cells without lava would falsify the mean */
    remedy_text(remedy, sizeof remedy, path_b, "resample it: " REMEDY_TO_GRID, crs, g->west_m,
                g->south_m, g->west_m + a->cols * g->cell_m, g->south_m + a->rows * g->cell_m,
                a->cols, a->rows, *b->unit == 'K' ? "near" : "average");
    if (b->terrain) put_like(remedy, sizeof remedy, b, path_b, &g->crs, path_a);

    if (a->rows != b->rows || a->cols != b->cols)
        return error_input(e, "%s: has %d rows x %d columns, but %s has %d x %d; %s", path_b,
                           b->rows, b->cols, path_a, a->rows, a->cols, remedy);
    /* Compares sides of the grids, since differences between cells add up along a side. */
    if (lie_apart(side * g->cell_m, side * h->cell_m, g->cell_m))
        return error_input(e, "%s: has cells of %.9g m, but %s has cells of %.9g m; %s", path_b,
                           h->cell_m, path_a, g->cell_m, remedy);
    if (lie_apart(g->west_m, h->west_m, g->cell_m) || lie_apart(g->south_m, h->south_m, g->cell_m))
        return error_input(e,
                           "%s: its lower-left corner is at %.12g, %.12g, but the corner of %s is "
                           "at %.12g, %.12g; %s",
                           path_b, h->west_m, h->south_m, path_a, g->west_m, g->south_m, remedy);
    return 0;
}

/* ---- parts of one grid ----------------------------------------------------------------------- */

static double north_of(const struct raster *r)
{
    return r->geo.south_m + r->rows * r->geo.cell_m;
}

bool raster_offset(const struct raster *a, const struct raster *b, int *row0, int *col0)
{
    const double cell = a->geo.cell_m, side = fmax(fmax(a->rows, a->cols), fmax(b->rows, b->cols));
    const double down = (north_of(a) - north_of(b)) / cell,
                 across = (b->geo.west_m - a->geo.west_m) / cell, row = floor(down + 0.5),
                 col = floor(across + 0.5);
    if (!(fabs(cell - b->geo.cell_m) * side <= 1e-3 * cell && fabs(down - row) <= 1e-3 &&
          fabs(across - col) <= 1e-3 && fabs(row) < 1e9 && fabs(col) < 1e9))
        return false;
    *row0 = (int)row;
    *col0 = (int)col;
    return true;
}

struct raster raster_join(const struct raster *a, const struct raster *b, bool common)
{
    int row0 = 0, col0 = 0;
    struct raster all = {.geo = a->geo};
    raster_offset(a, b, &row0, &col0);
    const struct window of_a = {0, 0, a->rows, a->cols}, of_b = {row0, col0, b->rows, b->cols},
                        w = common ? window_common(of_a, of_b) : window_of_both(of_a, of_b);
    all.rows = w.rows;
    all.cols = w.cols;
    all.geo.west_m += w.col0 * all.geo.cell_m;
    all.geo.south_m -= (w.row0 + w.rows - a->rows) * all.geo.cell_m;
    return all;
}

int raster_move(struct raster *r, const char *path, const struct raster *grid, const char *name,
                struct error *e)
{
    const size_t cells = (size_t)grid->rows * (size_t)grid->cols;
    int row0, col0;
    if (!raster_offset(grid, r, &row0, &col0)) return raster_same_grid(grid, name, r, path, e);
    if (!row0 && !col0 && r->rows == grid->rows && r->cols == grid->cols) return 0;
    double *value = malloc((cells + 1) * sizeof *value);
    if (!value) return error_memory(e);
    r->missing = 0;
    for (size_t i = 0; i < cells; i++) {
        const int row = (int)(i / (size_t)grid->cols) - row0,
                  col = (int)(i % (size_t)grid->cols) - col0;
        const bool there = row >= 0 && row < r->rows && col >= 0 && col < r->cols;
        value[i] = there ? r->value[(size_t)row * (size_t)r->cols + (size_t)col] : (double)NAN;
        r->missing += isnan(value[i]) != 0;
    }
    free(r->value);
    r->value = value;
    r->rows = grid->rows;
    r->cols = grid->cols;
    r->geo.west_m = grid->geo.west_m;
    r->geo.south_m = grid->geo.south_m;
    return 0;
}
