/* dem_warp.c — resamples sources to the grid of the terrain, by GDAL, a strip of rows at a time.
 *
 * Sources on one grid of cells become a mosaic, so that no seams are visible. For GDAL a mosaic is one raster, a VRT in
 * memory. The VRT converts numbers to metres, and all marks of no data to one mark. Its CRS has no heights. So GDAL
 * only has to transform places. */
#include "dem_parts.h"

#include "base/file_progress.h"
#include "raster/geotiff.h"
#include "raster/raster_formats.h"
#include "sciara.h"
#include "text/grow.h"
#include "text/number.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SCIARA_WITH_GDAL
#include "raster/gdal_raster.h"

/* Rows that are resampled at once; memory, in MB, for GDAL's cache of blocks and for its warp. A terrain of 40,000
 * columns then fits in 2 GiB. */
enum { STRIP_ROWS = 1024, CACHE_MB = 256, WARP_MB = 192 };

/* Limits of heights on the Earth and below its seas, in m. Other numbers mark no data. */
#define HEIGHT_LEAST (-12000.0)
#define HEIGHT_MOST  9000.0

/* ---- the cells of sources that the terrain needs --------------------------------------------- */

/* A source that is moved by `turns` * 360 degrees, and the place of its first cell in its mosaic. */
struct part {
    const struct dem_source *source;
    int turns;
    double col, row;
};

/* Columns and rows from `least` to `most`, counted from the first cell of the first part of a mosaic. */
struct span {
    double least[2], most[2];
};

struct mosaic {
    struct part *part;
    int count;
    struct span need, have; /* the cells that the terrain needs; the cells that the parts have */
    GDALDatasetH data;
};

struct warp {
    struct dem *d;
    const struct gdal *g;
    struct mosaic *mosaic;
    int count;
    float *cell;  /* rows that are resampled at once: a strip, and rows around it */
    float *strip; /* the strip in `cell`: `rows` rows from row0 on */
    int row0, rows;
    struct dem_result *sum;
};

/* Finds the cells of a source that the terrain needs. Transforms places all over the terrain, and adds a margin. */
static bool find_need(struct span *need, const struct dem *d, const struct dem_source *s, int turns)
{
    enum { PARTS = 32 };
    double middle = NAN;
    *need = (struct span){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int n = 0; n <= (PARTS + 1) * (PARTS + 1); n++) {
        PJ_COORD at = dem_transform_place(d, s->own, PARTS, n);
        if (!isfinite(at.xy.x) || !isfinite(at.xy.y)) continue;
        if (isnan(middle)) middle = at.xy.x;
        if (s->crs.turn) at.xy.x = middle + remainder(at.xy.x - middle, s->crs.turn);
        double px[2];
        dem_source_cells(s, at.xy.x - turns * s->crs.turn - s->place[0], at.xy.y - s->place[3], px);
        for (int k = 0; k < 2; k++) {
            need->least[k] = fmin(need->least[k], px[k]);
            need->most[k] = fmax(need->most[k], px[k]);
        }
    }
    const double cells = d->r->cols < d->r->rows ? d->r->cols : d->r->rows;
    for (int k = 0; k < 2; k++) {
        const double wide = need->most[k] - need->least[k],
                     more = 8 + 0.03 * wide + 4 * wide / cells;
        need->least[k] -= more;
        need->most[k] += more;
    }
    return need->least[0] < need->most[0];
}

static bool meets(const struct span *need, int cols, int rows)
{
    return need->least[0] < cols && need->most[0] > 0 && need->least[1] < rows && need->most[1] > 0;
}

static struct window span_window(const struct span *need, const struct raster *head)
{
    const int row0 = (int)fmax(0, need->least[1]), col0 = (int)fmax(0, need->least[0]);
    return (struct window){row0, col0, (int)fmin(head->rows, ceil(need->most[1])) - row0,
                           (int)fmin(head->cols, ceil(need->most[0])) - col0};
}

/* Whether the cells of a part fit the cells of a mosaic. Sets the place of the first cell of the part in the mosaic. */
static bool fits(const struct mosaic *m, struct part *p)
{
    const struct part *first = m->part;
    const double *a = first->source->place, *b = p->source->place;
    const double size = fabs(a[1]) + fabs(a[2]),
                 cells = fmax(p->source->head->cols, p->source->head->rows);
    for (int k = 1; k < 6; k++)
        if (k != 3 && fabs(a[k] - b[k]) * cells > 0.01 * size) return false;
    if (strcmp(first->source->crs.wkt, p->source->crs.wkt)) return false;
    const double turn = first->source->crs.turn;
    double at[2];
    dem_source_cells(first->source, b[0] + p->turns * turn - a[0] - first->turns * turn,
                     b[3] - a[3], at);
    p->col = at[0];
    p->row = at[1];
    return fabs(p->col - rint(p->col)) < 0.01 && fabs(p->row - rint(p->row)) < 0.01;
}

static void widen_span(struct span *have, const struct part *p)
{
    const double size[2] = {p->source->head->cols, p->source->head->rows};
    const double first[2] = {rint(p->col), rint(p->row)};
    for (int k = 0; k < 2; k++) {
        have->least[k] = fmin(have->least[k], first[k]);
        have->most[k] = fmax(have->most[k], first[k] + size[k]);
    }
}

/* Adds a part to the last mosaic if it fits, else to a new mosaic. So the order of sources stays: where they overlap,
 * the last source counts. */
static int add_part(struct warp *w, struct part p, const struct span *need, struct error *e)
{
    struct mosaic *last = w->count ? &w->mosaic[w->count - 1] : NULL;
    if (!last || !fits(last, &p)) {
        p.col = p.row = 0;
        const struct mosaic new = {.need = *need,
                                   .have = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}}};
        if (!APPEND(w->mosaic, w->count, new)) return error_memory(e);
        last = &w->mosaic[w->count - 1];
    }
    if (!APPEND(last->part, last->count, p)) return error_memory(e);
    widen_span(&last->have, &p);
    return 0;
}

/* Refuses a window that would take hours to read, since a file of a few bytes can declare any size. */
static int check_size(const struct dem_source *s, struct window w, struct error *e)
{
    const double most = 4e10, cells = (double)w.rows * w.cols;
    if (cells <= most) return 0;
    return error_input(
        e,
        "%s: the part that is asked for lies on %d x %d cells of it; give a smaller part (option "
        "'around' LAT,LON), or a source of larger cells",
        s->path, w.rows, w.cols);
}

static int collect_parts(struct warp *w, struct error *e)
{
    const struct dem *d = w->d;
    int status = 0;
    for (int i = 0; i < d->q->source_count && !status; i++) {
        const struct dem_source *s = &d->source[i];
        for (int turns = s->crs.turn ? -2 : 0; turns <= (s->crs.turn ? 2 : 0) && !status; turns++) {
            struct span need;
            if (!find_need(&need, d, s, turns) || !meets(&need, s->head->cols, s->head->rows))
                continue;
            const struct window cells = span_window(&need, s->head);
            status = check_size(s, cells, e);
            if (!status) status = dem_marks_check(d, i, cells, e);
            if (!status) status = add_part(w, (struct part){s, turns, 0, 0}, &need, e);
        }
    }
    if (status || w->count) return status;
    const double *at = d->q->at;
    if (d->q->around && dem_place_covered(d, at[0], at[1]))
        return error_input(e,
                           "dem: no source covers latitude %.9g, longitude %.9g, but one covers "
                           "the place with the two exchanged; give option 'around' %.9g,%.9g",
                           at[0], at[1], at[1], at[0]);
    const double *b = d->q->edge;
    if (d->q->extent && dem_place_covered(d, (b[1] + b[3]) / 2, (b[0] + b[2]) / 2))
        return error_input(
            e, "dem: no source covers the part that is asked for, but one covers it with latitude "
               "and longitude exchanged; give option 'extent' WEST,SOUTH,EAST,NORTH");
    return error_input(
        e, "dem: no source covers the part that is asked for; see their places: sciara info FILE");
}

/* ---- as a raster of GDAL --------------------------------------------------------------------- */

/* Writes the name by which GDAL opens a source. If GDAL does not use the band of opacity as a mask, the name is the
 * text of a VRT that uses it. */
static void put_name(FILE *f, const struct dem_source *s)
{
    const struct gdal_raster *d = s->file->gdal;
    static const char rectangle[] = "<%sRect xOff=\"0\" yOff=\"0\" xSize=\"%d\" ySize=\"%d\"/>";
    const int cols = s->head->cols, rows = s->head->rows;
    const int bands[2] = {1, dem_source_opacity(s)};
    FREED char *text = NULL;
    size_t size;
    FILE *t = bands[1] ? open_memstream(&text, &size) : NULL;
    if (!t) {
        scan_put_xml(f, d->name, "&");
        return;
    }
    fprintf(t, "<VRTDataset rasterXSize=\"%d\" rasterYSize=\"%d\">", cols, rows);
    for (int i = 0; i < 2; i++) {
        fprintf(t, "%s<VRTRasterBand dataType=\"%s\"%s><SimpleSource><SourceFilename>",
                i ? "<MaskBand>" : "", i ? "Byte" : "Float64", i ? "" : " band=\"1\"");
        scan_put_xml(t, d->name, "&");
        fprintf(t, "</SourceFilename><SourceBand>%d</SourceBand>", bands[i]);
        fprintf(t, rectangle, "Src", cols, rows);
        fprintf(t, rectangle, "Dst", cols, rows);
        fprintf(t, "</SimpleSource></VRTRasterBand>%s", i ? "</MaskBand>" : "");
    }
    fputs("</VRTDataset>", t);
    if (!fclose(t)) scan_put_xml(f, text, "&");
}

static void put_file(FILE *f, const struct dem_source *s)
{
    fputs("<SourceFilename relativeToVRT=\"0\">", f);
    put_name(f, s);
    fputs("</SourceFilename>", f);
    if (text_has_extension(s->file->gdal->name, ".asc"))
        fputs("<OpenOptions><OOI key=\"DATATYPE\">Float64</OOI></OpenOptions>", f);
    fputs("<SourceBand>1</SourceBand>", f);
}

/* Writes a VRT in which cells that the mask excludes are NaN. GDAL ignores the mask of a band that also has a no-data
 * value. */
static void put_masked(FILE *f, const struct dem_source *s)
{
    FREED char *text = NULL;
    size_t size;
    FILE *t = open_memstream(&text, &size);
    if (!t) return;
    fprintf(t, "<VRTDataset rasterXSize=\"%d\" rasterYSize=\"%d\"><VRTRasterBand ", s->head->cols,
            s->head->rows);
    fputs("dataType=\"Float64\" band=\"1\"><NoDataValue>nan</NoDataValue><ComplexSource>", t);
    put_file(t, s);
    fputs("<UseMaskBand>true</UseMaskBand></ComplexSource></VRTRasterBand></VRTDataset>", t);
    if (fclose(t)) return;
    fputs("<SourceFilename relativeToVRT=\"0\">", f);
    scan_put_xml(f, text, "&");
    fputs("</SourceFilename><SourceBand>1</SourceBand>", f);
}

static void put_part(FILE *f, const struct part *p, double given, const double origin[2])
{
    const struct dem_source *s = p->source;
    const struct tiff_band *band = &s->file->band;
    char text[32];
    const double marked = isnan(given) && band->has_nodata ? band->nodata : given;
    const bool masked = dem_source_masked(s, given),
               plain = s->ratio == 1 && s->offset == 0 && !masked && isnan(marked);
    const char *kind = plain ? "SimpleSource" : "ComplexSource";
    fprintf(f, "<%s>", kind);
    if (masked && !isnan(marked)) put_masked(f, s);
    else put_file(f, s);
    fprintf(f, "<SrcRect xOff=\"0\" yOff=\"0\" xSize=\"%d\" ySize=\"%d\"/>", s->head->cols,
            s->head->rows);
    fprintf(f, "<DstRect xOff=\"%.0f\" yOff=\"%.0f\" xSize=\"%d\" ySize=\"%d\"/>",
            rint(p->col) - origin[0], rint(p->row) - origin[1], s->head->cols, s->head->rows);
    if (masked && isnan(marked)) fputs("<UseMaskBand>true</UseMaskBand>", f);
    if (!isnan(marked)) fprintf(f, "<NODATA>%s</NODATA>", number_text(marked, text));
    if (!plain) {
        fprintf(f, "<ScaleOffset>%s</ScaleOffset>", number_text(s->offset, text));
        fprintf(f, "<ScaleRatio>%s</ScaleRatio>", number_text(s->ratio, text));
    }
    fprintf(f, "</%s>", kind);
}

/* Returns a VRT of the cells that a mosaic has and the terrain needs, as text; malloc'ed. */
static char *mosaic_text(const struct mosaic *m, double given)
{
    const struct part *first = m->part;
    const double *g = first->source->place;
    double from[2], size[2];
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    if (!f) return NULL;
    for (int k = 0; k < 2; k++) {
        from[k] = fmax(floor(m->need.least[k]), m->have.least[k]);
        size[k] = fmax(1, fmin(ceil(m->need.most[k]), m->have.most[k]) - from[k]);
    }
    fprintf(f, "<VRTDataset rasterXSize=\"%.0f\" rasterYSize=\"%.0f\"><SRS>", size[0], size[1]);
    scan_put_xml(f, first->source->crs.wkt, "&");
    fprintf(f, "</SRS><GeoTransform>%.17g,%.17g,%.17g,%.17g,%.17g,%.17g</GeoTransform>",
            g[0] + first->turns * first->source->crs.turn + from[0] * g[1] + from[1] * g[2], g[1],
            g[2], g[3] + from[0] * g[4] + from[1] * g[5], g[4], g[5]);
    fputs("<VRTRasterBand dataType=\"Float32\" band=\"1\"><NoDataValue>nan</NoDataValue>", f);
    for (int i = 0; i < m->count; i++) put_part(f, &m->part[i], given, from);
    fputs("</VRTRasterBand></VRTDataset>", f);
    return text_of_stream(f, &text);
}

static int refuse_gdal(const struct warp *w, const char *what, struct error *e)
{
    char said[256];
    return error_failed(e, "dem: GDAL cannot %s: %s", what,
                        gdal_reason(w->g, "it gives no reason", said));
}

static int open_mosaics(struct warp *w, struct error *e)
{
    static const char *const drivers[] = {"VRT", NULL};
    for (int i = 0; i < w->count; i++) {
        FREED char *text = mosaic_text(&w->mosaic[i], w->d->q->nodata);
        if (!text) return error_memory(e);
        w->mosaic[i].data = w->g->GDALOpenEx(
            text, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, drivers, NULL, NULL);
        if (!w->mosaic[i].data) return refuse_gdal(w, "join the sources", e);
    }
    return 0;
}

/* ---- a strip --------------------------------------------------------------------------------- */

static int CPL_STDCALL go_on(double part, const char *text, void *progress)
{
    return !file_progress_cancelled(progress);
}

/* Options for GDAL in the form of gdalwarp's options. */
struct words {
    const char *word[40];
    char text[16][96];
    int count, texts;
};

/* Adds a list of options, NULL after the last. */
static void add_words(struct words *w, const char *const *word)
{
    while (*word) w->word[w->count++] = *word++;
}

ERROR_FORMAT(2, 3) static void add_text(struct words *w, const char *form, ...)
{
    va_list more;
    va_start(more, form);
    vsnprintf(w->text[w->texts], sizeof *w->text, form, more);
    va_end(more);
    w->word[w->count++] = w->text[w->texts++];
}

/* Adds options that create a raster in memory, for `rows` rows from row0 on. Further mosaics are added to the same
 * raster. */
static void add_target(struct words *w, const struct dem *d, int row0, int rows)
{
    const struct dem_result *r = d->r;
    const double cell = r->geo.cell_m, north = r->geo.south_m + (r->rows - row0) * cell;
    const double at[4] = {r->geo.west_m, north - rows * cell, r->geo.west_m + r->cols * cell,
                          north};
    const char *const first[] = {"-of", "MEM", "-ot", "Float32", "-t_srs", d->crs, "-te", NULL};
    add_words(w, first);
    for (int k = 0; k < 4; k++) add_text(w, "%.17g", at[k]);
    add_text(w, "-ts");
    add_text(w, "%d", r->cols);
    add_text(w, "%d", rows);
}

/* Adds options of resampling. XSCALE and YSCALE give the number of cells in a mean. Without them GDAL would choose
 * another number for each part of the terrain. Overviews are read only over a network. */
static void add_ways(struct words *w, const struct warp *of, const struct mosaic *m)
{
    const double *a = of->d->area, *wide = m->part->source->wide;
    const char *const first[] = {
        "-dstnodata",       "nan", "-et", "0.002", "-wo", "NUM_THREADS=ALL_CPUS", "-r",
        of->d->q->resample, "-wm", NULL};
    static const char *const as_it_is[] = {"-ovr", "NONE", NULL};
    add_words(w, first);
    add_text(w, "%d", WARP_MB);
    add_text(w, "-wo");
    add_text(w, "XSCALE=%.9g", 1 / wide[0]);
    add_text(w, "-wo");
    add_text(w, "YSCALE=%.9g", 1 / wide[1]);
    add_text(w, "-to");
    add_text(w, "AREA_OF_INTEREST=%.9g,%.9g,%.9g,%.9g", a[0], a[1], a[2], a[3]);
    if (!of->g->network) add_words(w, as_it_is);
}

/* Resamples `rows` rows from row0 on into a raster in memory, one mosaic after the other; NULL: GDAL fails. */
static GDALDatasetH warp_rows(const struct warp *w, int row0, int rows)
{
    GDALDatasetH made = NULL;
    for (int i = 0; i < w->count; i++) {
        struct words words = {0};
        int bad = 0;
        if (!made) add_target(&words, w->d, row0, rows);
        add_ways(&words, w, &w->mosaic[i]);
        GDALWarpAppOptions *options = w->g->GDALWarpAppOptionsNew((char **)words.word, NULL);
        if (options) w->g->GDALWarpAppOptionsSetProgress(options, go_on, w->d->q->progress);
        GDALDatasetH next =
            options ? w->g->GDALWarp("", made, 1, &w->mosaic[i].data, options, &bad) : NULL;
        w->g->GDALWarpAppOptionsFree(options);
        if (!next && made) w->g->GDALClose(made);
        if (!next) return NULL;
        made = next;
    }
    return made;
}

/* Marks cells that GDAL left without a height as no data. */
static void mark_missing(float *cell, size_t cells)
{
#pragma omp parallel for
    for (size_t i = 0; i < cells; i++)
        if (!isfinite(cell[i]) || fabsf(cell[i]) > (float)RASTER_VALUE_MAX) cell[i] = DEM_NO_DATA;
}

static int count_cells(struct warp *w, struct error *e)
{
    const size_t cells = (size_t)w->rows * (size_t)w->d->r->cols;
    const float *cell = w->strip;
    double least = INFINITY, most = -INFINITY;
    size_t missing = 0, low = 0;
#pragma omp parallel for reduction(min : least) reduction(max : most) reduction(+ : missing, low)
    for (size_t i = 0; i < cells; i++) {
        const float x = cell[i];
        missing += x == DEM_NO_DATA;
        if (x == DEM_NO_DATA) continue;
        least = x < least ? x : least;
        most = x > most ? x : most;
        low += x <= 0;
    }
    w->sum->missing += missing;
    w->sum->low += low;
    w->sum->least_m = fmin(w->sum->least_m, least);
    w->sum->greatest_m = fmax(w->sum->greatest_m, most);
    if (!(least < HEIGHT_LEAST || most > HEIGHT_MOST)) return 0;
    return error_input(e,
                       "dem: the sources have a height of %.9g m, which is impossible; if it marks "
                       "no data, give option 'nodata'; if the unit is wrong, option 'heights'",
                       least < HEIGHT_LEAST ? least : most);
}

/* Resamples and fills rows from row0 on. Also loads rows around them, which filling holes needs. */
static int load_rows(struct warp *w, int row0, int rows, struct error *e)
{
    const struct dem_result *r = w->d->r;
    const int fill = w->d->q->fill, left = r->rows - row0 - rows;
    const int above = row0 < fill ? row0 : fill, below = left < fill ? left : fill;
    const int all = above + rows + below;
    GDALDatasetH made = warp_rows(w, row0 - above, all);
    int status = 0;
    if (file_progress_cancelled(w->d->q->progress)) status = error_cancelled(e);
    else if (!made) status = refuse_gdal(w, "resample the sources", e);
    else if (w->g->GDALRasterIOEx(w->g->GDALGetRasterBand(made, 1), GF_Read, 0, 0, r->cols, all,
                                  w->cell, r->cols, all, GDT_Float32, 0, 0, NULL) >= CE_Failure)
        status = refuse_gdal(w, "read what it has resampled", e);
    if (made) w->g->GDALClose(made);
    w->row0 = row0;
    w->rows = rows;
    w->strip = w->cell + (size_t)above * (size_t)r->cols;
    if (status) return status;
    mark_missing(w->cell, (size_t)all * (size_t)r->cols);
    status = dem_vertical_rows(w->d, w->cell, row0 - above, all, e);
    if (status || !fill) return status;
    return dem_fill(&w->sum->filled, w->strip, r->cols, above, rows, below, fill, e);
}

static int load_strip(struct warp *w, int row0, int rows, struct error *e)
{
    gdal_enter(w->g);
    int status = load_rows(w, row0, rows, e);
    if (!status) status = count_cells(w, e);
    const struct dem_result *r = w->d->r;
    if (!status && row0 + rows == r->rows && r->missing == (size_t)r->rows * (size_t)r->cols)
        status = error_input(e, "dem: no cell of the terrain has a height: the sources have no "
                                "data there, or are smaller than one cell");
    if (!status) status = dem_check_rows(w->d, w->strip, row0, rows, e);
    gdal_leave(w->g);
    return status;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Loads the strip with these rows, if it is not loaded. `context` is the address of a pointer to struct warp. */
static int make_ready(const void *context, int row0, int rows, struct error *e)
{
    struct warp *w = *(struct warp *const *)context;
    const int left = w->d->r->rows - row0;
    if (w->d->q->tell) w->d->q->tell(w->d->q->progress);
    if (row0 >= w->row0 && row0 + rows <= w->row0 + w->rows) return 0;
    return load_strip(w, row0, left < STRIP_ROWS ? left : STRIP_ROWS, e);
}

static void copy_row(const void *context, int row, float *out)
{
    const struct warp *w = *(struct warp *const *)context;
    const size_t cols = (size_t)w->d->r->cols;
    memcpy(out, w->strip + (size_t)(row - w->row0) * cols, cols * sizeof *out);
}

static int write_file(struct warp *w, struct error *e)
{
    const struct dem_request *q = w->d->q;
    const struct dem_result *r = w->d->r;
    FREED char *about = dem_about(w->d);
    const char *made_up = NULL;
    if (!about) return error_memory(e);
    for (int i = 0; i < q->source_count; i++)
        if (*w->d->source[i].head->terrain_source) made_up = w->d->source[i].head->terrain_source;
    const struct geotiff_item items[] = {
        {"PREPARED", about}, {"TERRAIN", made_up}, {"ATTRIBUTION", r->notice}};
    const struct geotiff_layer layer = {.rows = r->rows,
                                        .cols = r->cols,
                                        .geo = r->geo,
                                        .nodata = DEM_NO_DATA,
                                        .description = "elevation",
                                        .unit = "m",
                                        .item_count = 3,
                                        .items = items,
                                        .row = copy_row,
                                        .ready = make_ready,
                                        .context = &w,
                                        .progress = q->progress};
    return geotiff_write(q->written ? q->written : q->output, &layer, e);
}

static int warp_and_write(struct warp *w, struct error *e)
{
    w->g->GDALSetCacheMax64((GIntBig)CACHE_MB << 20);
    int status = collect_parts(w, e);
    gdal_enter(w->g);
    if (!status) status = open_mosaics(w, e);
    gdal_leave(w->g);
    const size_t rows = (STRIP_ROWS < w->d->r->rows ? STRIP_ROWS : (size_t)w->d->r->rows) +
                        2 * (size_t)w->d->q->fill;
    w->cell = status ? NULL : malloc(rows * (size_t)w->d->r->cols * sizeof *w->cell);
    if (!status && !w->cell) status = error_memory(e);
    /* the first download may take long, so it comes before the file is begun */
    if (!status && w->g->network)
        status = load_strip(w, 0, STRIP_ROWS < w->d->r->rows ? STRIP_ROWS : w->d->r->rows, e);
    if (!status && w->d->q->tell) w->d->q->tell(w->d->q->progress);
    if (!status) status = write_file(w, e);
    return status;
}

int dem_write(struct dem *d, struct error *e)
{
    struct warp w = {.d = d, .g = &d->source[0].file->gdal->g, .sum = d->r};
    d->r->least_m = INFINITY;
    d->r->greatest_m = -INFINITY;
    const int status = warp_and_write(&w, e);
    gdal_enter(w.g);
    for (int i = 0; i < w.count; i++) {
        if (w.mosaic[i].data) w.g->GDALClose(w.mosaic[i].data);
        free(w.mosaic[i].part);
    }
    gdal_leave(w.g);
    FREE_ALL(w.mosaic, w.cell);
    return status;
}
#else
int dem_write(struct dem *d, struct error *e)
{
    return 0; /* there is no source */
}
#endif
