/* asciigrid.c — Arc/Info ASCII grids: a header of `key value` lines, then rows*cols numbers from the north-west. */
#include "projection.h"
#include "raster_formats.h"
#include "text/number.h"
#include "text/remedy.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "base/file_progress.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum key {
    NCOLS,
    NROWS,
    XLLCORNER,
    YLLCORNER,
    XLLCENTER,
    YLLCENTER,
    CELLSIZE,
    DX,
    DY,
    NODATA,
    KEY_COUNT
};

static const char *const key_name[KEY_COUNT] = {
    "ncols",     "nrows",    "xllcorner", "yllcorner", "xllcenter",
    "yllcenter", "cellsize", "dx",        "dy",        "NODATA_value",
};

struct header {
    double value[KEY_COUNT];
    int line[KEY_COUNT]; /* 0: not given */
};

/* The file in memory, and the place up to which it has been read. */
struct text {
    const char *path;
    char *start;
    const char *at, *end;
    int line;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}
static bool is_letter(char c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static int text_load(struct text *t, const char *path, struct error *e)
{
    size_t size;
    *t = (struct text){.path = path, .line = 1};
    int status = file_load(&t->start, &size, path, SIZE_MAX - 1, e);
    if (status) return status;
    t->at = t->start + (strncmp(t->start, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    t->end = t->start + size;
    return 0;
}

static void skip_blanks(struct text *t)
{
    while (t->at < t->end && is_blank(*t->at)) t->at++;
}

static void skip_blanks_and_lines(struct text *t)
{
    for (; t->at < t->end && (is_blank(*t->at) || *t->at == '\n'); t->at++)
        t->line += *t->at == '\n';
}

static bool at_line_end(const struct text *t)
{
    return t->at == t->end || *t->at == '\n';
}
static bool at_gap(const struct text *t)
{
    return at_line_end(t) || is_blank(*t->at);
}

/* The word at t->at, for a message. */
static const char *word_at(const struct text *t, char excerpt[48])
{
    char copy[64] = "";
    for (size_t n = 0; n < sizeof copy - 1 && t->at + n < t->end; n++) {
        if (is_blank(t->at[n]) || t->at[n] == '\n') break;
        copy[n] = t->at[n] ? t->at[n] : '?';
    }
    scan_make_printable(copy);
    return scan_excerpt(excerpt, copy);
}

/* Reads a number that ends at a blank or at the end of the line. */
static int scan_number(struct text *t, const char *of, double *value, struct error *e)
{
    const char *begin = t->at, *stop = number_scan(t->at, value);
    char excerpt[48];
    if (stop) t->at = stop;
    const bool whole = stop && at_gap(t);
    if (whole && !isinf(*value)) return 0;
    t->at = begin;
    return error_line(e, t->path, t->line,
                      whole ? "%s '%s' is infinite; give a number or NODATA_value"
                            : "%s '%s' is not a number; write it like 1234.5",
                      of, word_at(t, excerpt));
}

static int parse_key(struct text *t, struct header *h, struct error *e)
{
    const char *begin = t->at;
    char excerpt[48];
    int k = 0, status;
    while (!at_gap(t)) t->at++;
    const size_t n = (size_t)(t->at - begin);
    while (k < KEY_COUNT && (strlen(key_name[k]) != n || strncasecmp(begin, key_name[k], n) != 0))
        k++;
    if (k == KEY_COUNT) {
        t->at = begin;
        const bool text = !memchr(begin, '\0', (size_t)(t->end - begin));
        if (t->line == 1 && (!text || raster_has_other_name(t->path)))
            return raster_refuse_format(t->path, e);
        const char *kind = t->line == 1 ? file_kind(t->path) : NULL;
        if (kind)
            return error_input(e,
                               "%s: neither a raster nor a vector file (it looks like %s); give an "
                               "Arc/Info ASCII grid, a GeoTIFF or GeoJSON",
                               t->path, kind);
        return error_line(e, t->path, t->line,
                          "unknown key '%s'; an Arc/Info ASCII grid has ncols, nrows, xllcorner, "
                          "yllcorner, cellsize and NODATA_value%s",
                          word_at(t, excerpt),
                          t->line > 1 ? "" : "; give a raster of that format, or a GeoTIFF");
    }
    if (h->line[k])
        return error_line(e, t->path, t->line, "%s was given on line %d already; remove one",
                          key_name[k], h->line[k]);
    h->line[k] = t->line;
    skip_blanks(t);
    if (at_line_end(t))
        return error_line(e, t->path, t->line, "%s has no value; write it on the same line",
                          key_name[k]);
    if ((status = scan_number(t, key_name[k], &h->value[k], e))) return status;
    if (isnan(h->value[k]) && k != NODATA)
        return error_line(e, t->path, t->line, "%s is not a number (nan); give a number",
                          key_name[k]);
    skip_blanks(t);
    if (at_line_end(t)) return 0;
    return error_line(e, t->path, t->line, "unexpected '%s' after the value of %s; remove it",
                      word_at(t, excerpt), key_name[k]);
}

/* Reads keys until a number begins; nan and inf are numbers, too. */
static int parse_header(struct text *t, struct header *h, struct error *e)
{
    int status;
    for (;;) {
        double unused;
        skip_blanks_and_lines(t);
        if (t->at == t->end || !is_letter(*t->at)) return 0;
        const char *stop = number_scan(t->at, &unused);
        if (stop && (stop == t->end || is_blank(*stop) || *stop == '\n')) return 0;
        if ((status = parse_key(t, h, e))) return status;
    }
}

/* Demands exactly one of the keys a and b. If a == b, demands key a. */
static int need_one(const struct text *t, const struct header *h, int a, int b, struct error *e)
{
    if (a != b && h->line[a] && h->line[b])
        return error_line(e, t->path, h->line[a] > h->line[b] ? h->line[a] : h->line[b],
                          "both %s and %s are given; remove one", key_name[a], key_name[b]);
    if (h->line[a] || h->line[b]) return 0;
    return error_line(e, t->path, t->line, "the header ends without %s; add it", key_name[a]);
}

static int check_count(const struct text *t, const struct header *h, int k, struct error *e)
{
    const double n = h->value[k];
    if (!h->line[k]) return need_one(t, h, k, k, e);
    if (n >= 1 && n == floor(n)) return 0;
    return error_line(e, t->path, h->line[k], "%s is %g; it has to be a whole number of at least 1",
                      key_name[k], n);
}

/* Finds the side of a cell, from cellsize or from dx and dy. */
static int header_cell(const struct text *t, const struct header *h, struct georef *g,
                       struct error *e)
{
    const double dx = h->value[DX], dy = h->value[DY];
    const int k = h->line[DX] ? DX : h->line[DY] ? DY : CELLSIZE;
    int status = need_one(t, h, CELLSIZE, DX, e);
    if (status) return status;
    if (k != CELLSIZE && (!h->line[DX] || !h->line[DY] || h->line[CELLSIZE]))
        return error_line(e, t->path, h->line[k],
                          "%s needs %s and excludes cellsize; give cellsize alone", key_name[k],
                          key_name[DX + DY - k]);
    g->cell_m = h->value[k];
    if (!(g->cell_m > 0))
        return error_line(e, t->path, h->line[k], "%s is %g; give a size above 0", key_name[k],
                          g->cell_m);
    if (k == CELLSIZE || fabs(dx - dy) <= 1e-6 * dx) return 0;
    return remedy_refuse(e, t->path,
                         "%s:%d: dx is %.9g and dy is %.9g, but cells have to be square; resample "
                         "the grid: " REMEDY_DEM,
                         t->path, h->line[DY], dx, dy, crs_known(&g->crs) ? "" : DEM_FROM_CODE);
}

static int header_to_raster(struct raster *r, const struct text *t, const struct header *h,
                            size_t max_cells, struct error *e)
{
    struct georef *g = &r->geo;
    int status;
    if ((status = check_count(t, h, NCOLS, e)) || (status = check_count(t, h, NROWS, e)) ||
        (status = need_one(t, h, XLLCORNER, XLLCENTER, e)) ||
        (status = need_one(t, h, YLLCORNER, YLLCENTER, e)) || (status = header_cell(t, h, g, e)) ||
        (status = raster_check_size(t->path, h->value[NROWS], h->value[NCOLS], max_cells, e)))
        return status;
    g->west_m = h->line[XLLCORNER] ? h->value[XLLCORNER] : h->value[XLLCENTER] - g->cell_m / 2;
    g->south_m = h->line[YLLCORNER] ? h->value[YLLCORNER] : h->value[YLLCENTER] - g->cell_m / 2;
    if (h->line[NODATA]) r->nodata = h->value[NODATA];
    r->nodata_usual = r->nodata_usual && !h->line[NODATA];
    /* A value takes at least a digit and a blank, so a file that is too short is found before memory is allocated. */
    const double cells = h->value[NROWS] * h->value[NCOLS];
    if (cells > (double)(t->end - t->at) / 2 + 1)
        return error_line(
            e, t->path, t->line,
            "too short for nrows x ncols = %.0f values; it is truncated, or its header is wrong",
            cells);
    return raster_allocate(r, t->path, (int)h->value[NROWS], (int)h->value[NCOLS], e);
}

/* The first line whose number of values is not ncols. The mistake is probably in this line. */
struct odd_line {
    int line; /* 0: there is no such line */
    size_t count;
};

static int wrong_count(const struct text *t, const struct raster *r, const char *what,
                       const struct odd_line *odd, struct error *e)
{
    const size_t cells = (size_t)r->rows * (size_t)r->cols;
    if (odd->line)
        return error_line(e, t->path, t->line,
                          "%s %zu values (%d rows x %d columns): line %d has %zu", what, cells,
                          r->rows, r->cols, odd->line, odd->count);
    return error_line(e, t->path, t->line,
                      "%s %zu values (%d rows x %d columns); correct nrows, or the rows", what,
                      cells, r->rows, r->cols);
}

static int parse_values(struct raster_file *f, struct text *t, struct error *e)
{
    struct raster *r = &f->head;
    const size_t cells = (size_t)r->rows * (size_t)r->cols, cols = (size_t)r->cols;
    struct odd_line odd = {0};
    size_t line_first = 0;
    int line = t->line, status;
    file_progress_begin_file(f->progress, (long long)cells);
    for (size_t i = 0; i < cells; i++) {
        skip_blanks_and_lines(t);
        if (t->line != line) {
            if (!odd.line && i > line_first && i - line_first != cols)
                odd = (struct odd_line){line, i - line_first};
            line_first = i;
            line = t->line;
        }
        if (t->at == t->end) return wrong_count(t, r, "ends before it has", &odd, e);
        if ((status = scan_number(t, "value", &r->value[i], e))) return status;
        if ((i + 1) % cols) continue;
        if (!tiff_band_finish(&f->band, r->value + i + 1 - cols, cols, &r->missing))
            return remedy_refuse(
                e, t->path, "%s:%d: its scale makes a value infinite; correct it: " REMEDY_DEM,
                t->path, t->line, crs_known(&r->geo.crs) ? DEM_SCALE : DEM_FROM_CODE DEM_SCALE);
        file_progress_cells(f->progress, (long long)cols);
        if (file_progress_cancelled(f->progress)) return error_cancelled(e);
    }
    skip_blanks_and_lines(t);
    if (t->at == t->end) return 0;
    return wrong_count(t, r, "continues after", &odd, e);
}

/* Reads NAME.prj, which has the CRS of a text grid as WKT. */
static int read_prj(struct raster_file *f, bool *there, struct error *e)
{
    static const char *const endings[] = {"prj", "PRJ"};
    struct raster *r = &f->head;
    int status = 0;
    *there = false;
    for (int i = 0; i < 2 && !status && !*there; i++) {
        FREED char *name = text_format("%.*s.%s", path_stem(f->path), f->path, endings[i]);
        FREED char *wkt = NULL;
        struct stat st;
        size_t size;
        if (!name) return error_memory(e);
        if (stat(name, &st) == 0 && !(status = textfile_load(&wkt, &size, name, e))) {
            const char *text = wkt + (strncmp(wkt, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
            scan_make_printable(wkt + (text - wkt));
            *there = text[strspn(text, " ")] != '\0';
            if (*there) status = projection_read(&r->geo.crs, &r->vertical, text, name, f->path, e);
        }
    }
    return status;
}

/* Reads NAME.prj and, if f->needs_gdal is set, NAME.aux.xml and a mask through GDAL. */
static int read_beside(struct raster_file *f, struct error *e)
{
    static const char *const drivers[] = {"AAIGrid", NULL};
    bool prj;
    int status = f->needs_gdal ? gdal_raster_open(f, drivers, RASTER_ANY_SIZE, e) : 0;
    if (!f->needs_gdal) f->band.scale = 1;
    if (!status) status = read_prj(f, &prj, e);
    if (!status && !prj && raster_beside_has(f, "<SRS"))
        status = remedy_refuse(e, f->path,
                               "%s: its .aux.xml has a CRS, which GDAL does not read for a text "
                               "grid; declare it: " REMEDY_DEM,
                               f->path, DEM_FROM_CODE);
    if (status || (f->gdal && gdal_raster_has_mask(f->gdal))) return status;
    gdal_raster_close(f->gdal);
    f->gdal = NULL;
    f->read = NULL;
    f->head.nodata = -9999;
    f->head.nodata_usual = true;
    return 0;
}

int asciigrid_open(struct raster_file *f, size_t max_cells, struct error *e)
{
    struct raster *r = &f->head;
    struct header h = {0};
    struct text t;
    int status = read_beside(f, e);
    if (status || f->gdal || (status = text_load(&t, f->path, e))) return status;
    if (!(status = parse_header(&t, &h, e)) && !h.line[NODATA] &&
        raster_beside_has(f, "<NoDataValue"))
        status = remedy_refuse(e, f->path,
                               "%s: its .aux.xml has a value for no data, which GDAL does not read "
                               "for a text grid; declare it: " REMEDY_DEM,
                               f->path, crs_known(&r->geo.crs) ? DEM_MARK : DEM_FROM_CODE DEM_MARK);
    if (!status && !(status = header_to_raster(r, &t, &h, max_cells, e))) {
        f->band.has_nodata = true;
        f->band.nodata = r->nodata;
        status = parse_values(f, &t, e);
    }
    free(t.start);
    return status;
}
