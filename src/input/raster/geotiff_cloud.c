/* geotiff_cloud.c — the layout of a Cloud Optimized GeoTIFF. libtiff writes a directory without its
 * arrays of tile offsets on request (TIFFDeferStrileArrayWriting), and these behind all
 * directories; when the tiles are there it fills them in. */
#include "geotiff_parts.h"

#include "geotiff_crs.h"
#include "text/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 24, KEPT_CELLS = 1 << 22 };

/* The layer itself, in memory if it is small and else read row by row, twice; and each overview, in memory. */
struct level {
    int rows, cols;
    float *cell;
};

static void row_of_level(const void *context, int row, float *out)
{
    const struct level *v = context;
    memcpy(out, v->cell + (size_t)row * (size_t)v->cols, (size_t)v->cols * sizeof *out);
}

/* Of the two by two cells of two rows that have a value; where there is one row it is given twice.
 */
static float mean_of(const float *const row[2], int col, int cols, float nodata)
{
    double sum = 0;
    int count = 0;
    for (int r = 0; r < 2 && (r == 0 || row[1] != row[0]); r++)
        for (int c = 2 * col; c < 2 * col + 2 && c < cols; c++) {
            const float x = row[r][c];
            if (x == nodata || isnan(x)) continue;
            sum += x;
            count++;
        }
    return count ? (float)(sum / count) : nodata;
}

/* One row of an overview from two of the level above, which is the layer where that is not in
 * memory: then `line` has room for two of its rows. */
static void make_row(const struct level *v, const struct geotiff_layer *l, int row, float *line)
{
    const struct level *from = v - 1;
    const int last = 2 * row + 1 < from->rows;
    const float *two[2];
    for (int k = 0; k < 2; k++) {
        const size_t at = (size_t)(2 * row + (k && last)) * (size_t)from->cols;
        if (from->cell) two[k] = from->cell + at;
        else if (k && !last) two[k] = two[0];
        else {
            float *out = line + (size_t)k * (size_t)from->cols;
            l->row(l->context, 2 * row + k, out);
            two[k] = out;
        }
    }
    for (int col = 0; col < v->cols; col++)
        v->cell[(size_t)row * (size_t)v->cols + (size_t)col] =
            mean_of(two, col, from->cols, (float)l->nodata);
}

static int make_level(struct level *v, const struct geotiff_layer *l)
{
    bool room = true;
    v->cell = malloc((size_t)v->rows * (size_t)v->cols * sizeof *v->cell);
    if (!v->cell) return -1;
#pragma omp parallel
    {
        float *line = v[-1].cell ? NULL : malloc(2 * (size_t)v[-1].cols * sizeof *line);
#pragma omp for schedule(static)
        for (int row = 0; row < v->rows; row++) {
            if (line || v[-1].cell) make_row(v, l, row, line);
            else {
#pragma omp atomic write
                room = false;
            }
        }
        free(line);
    }
    return room ? 0 : -1;
}

/* A row may take long to find. */
static void keep_layer(struct level *v, const struct geotiff_layer *l)
{
    const size_t cells = (size_t)v->rows * (size_t)v->cols;
    if (cells > KEPT_CELLS || !(v->cell = malloc(cells * sizeof *v->cell))) return;
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < v->rows; row++)
        l->row(l->context, row, v->cell + (size_t)row * (size_t)v->cols);
}

/* Down to one tile. */
static int make_levels(struct level level[LEVELS_MAX], int *count, const struct geotiff_layer *l)
{
    const int least = l->rows > l->cols ? l->rows : l->cols;
    level[0] = (struct level){.rows = l->rows, .cols = l->cols};
    *count = 1;
    if (least <= l->no_overviews_until) return 0;
    if (least > GEOTIFF_TILE) keep_layer(&level[0], l);
    while (*count < LEVELS_MAX) {
        const struct level *v = &level[*count - 1];
        if (v->rows <= GEOTIFF_TILE && v->cols <= GEOTIFF_TILE) break;
        level[*count] = (struct level){.rows = (v->rows + 1) / 2, .cols = (v->cols + 1) / 2};
        if (make_level(&level[(*count)++], l)) return -1;
    }
    return 0;
}

static struct geotiff_layer layer_of(const struct geotiff_layer *l, const struct level *v)
{
    struct geotiff_layer part = *l;
    part.rows = v->rows;
    part.cols = v->cols;
    if (!v->cell) return part;
    part.row = row_of_level;
    part.context = v;
    return part;
}

static bool write_directory(struct geotiff_file *f, const struct geotiff_layer *l, bool overview)
{
    char nodata[32];
    if (!geotiff_set_layout(f->tif, l)) return false;
    if (!overview) {
        if (!geotiff_set_meaning(f->tif, l) ||
            geotiff_crs_write(f->tif, &l->geo.crs, f->path, NULL))
            return false;
    } else if (!TIFFSetField(f->tif, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE) ||
               !TIFFSetField(f->tif, TIFFTAG_GDAL_NODATA, number_text(l->nodata, nodata))) {
        return false;
    }
    TIFFDeferStrileArrayWriting(f->tif);
    return TIFFWriteCheck(f->tif, 1, "sciara") && TIFFWriteDirectory(f->tif);
}

static bool write_directories(struct geotiff_file *f, const struct geotiff_layer *l,
                              const struct level *level, int count)
{
    for (int i = 0; i < count; i++) {
        const struct geotiff_layer part = layer_of(l, &level[i]);
        if (!write_directory(f, &part, i > 0)) return false;
    }
    for (int i = 0; i < count; i++)
        if (!TIFFSetDirectory(f->tif, (tdir_t)i) || !TIFFForceStrileArrayWriting(f->tif))
            return false;
    return true;
}

static int write_cloud(struct geotiff_file *f, const void *layer, struct error *e)
{
    const struct geotiff_layer *l = layer;
    struct level level[LEVELS_MAX] = {{0}};
    int count, status = 0;
    if (make_levels(level, &count, l)) status = error_memory(e);
    errno = 0;
    bool good = !status && write_directories(f, l, level, count);
    for (int i = count - 1; good && !status && i >= 0; i--) {
        const struct geotiff_layer part = layer_of(l, &level[i]);
        good = TIFFSetDirectory(f->tif, (tdir_t)i);
        if (good) status = geotiff_write_tiles(f, &part, e);
        if (good && !status) good = TIFFFlush(f->tif);
    }
    for (int i = 0; i < count; i++) free(level[i].cell);
    if (!status && !good) status = atomic_file_failed(f->path, errno, tiff_reason(&f->log), e);
    return status;
}

int geotiff_write_cloud(const char *path, const struct geotiff_layer *layer, struct error *e)
{
    const double tile = GEOTIFF_TILE;
    return geotiff_write_with(path, layer,
                              4.0 / 3 * 4 * (layer->rows + tile) * (layer->cols + tile),
                              write_cloud, atomic_file_finish, e);
}
