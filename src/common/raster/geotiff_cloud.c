/* geotiff_cloud.c — the layout of a Cloud Optimized GeoTIFF. libtiff writes a directory without its
 * arrays of tile offsets where it is told to (TIFFDeferStrileArrayWriting), and these behind all
 * directories; when the tiles are there it fills them in. */
#include "geotiff_parts.h"

#include "geotiff_crs.h"
#include "text/number.h"
#include "text/wholefile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { LEVELS_MAX = 24 };

/* The layer in memory, and each overview. */
struct level {
    int rows, cols;
    float *cell;
};

static void row_of_level(const void *context, int row, float *out)
{
    const struct level *v = context;
    for (int col = 0; col < v->cols; col++)
        out[col] = v->cell[(size_t)row * (size_t)v->cols + (size_t)col];
}

/* Of the two by two cells that have a value. */
static float mean_of(const struct level *v, int row, int col, float nodata)
{
    double sum = 0;
    int count = 0;
    for (int r = 2 * row; r < 2 * row + 2 && r < v->rows; r++)
        for (int c = 2 * col; c < 2 * col + 2 && c < v->cols; c++) {
            const float x = v->cell[(size_t)r * (size_t)v->cols + (size_t)c];
            if (x == nodata || isnan(x)) continue;
            sum += x;
            count++;
        }
    return count ? (float)(sum / count) : nodata;
}

static void free_levels(struct level level[LEVELS_MAX])
{
    for (int i = 0; i < LEVELS_MAX; i++) free(level[i].cell);
}

/* Down to one tile. */
static int make_levels(struct level level[LEVELS_MAX], int *count, const struct geotiff_layer *l)
{
    int rows = l->rows, cols = l->cols;
    for (*count = 0;; rows = (rows + 1) / 2, cols = (cols + 1) / 2) {
        struct level *v = &level[(*count)++];
        *v = (struct level){rows, cols, malloc((size_t)rows * (size_t)cols * sizeof(float))};
        if (!v->cell) return -1;
#pragma omp parallel for schedule(static)
        for (int row = 0; row < rows; row++) {
            float *out = v->cell + (size_t)row * (size_t)cols;
            if (v == level) l->row(l->context, row, out);
            else
                for (int col = 0; col < cols; col++)
                    out[col] = mean_of(v - 1, row, col, (float)l->nodata);
        }
        if ((rows <= GEOTIFF_TILE && cols <= GEOTIFF_TILE) || *count == LEVELS_MAX) return 0;
    }
}

static struct geotiff_layer layer_of(const struct geotiff_layer *l, const struct level *v)
{
    struct geotiff_layer part = *l;
    part.rows = v->rows;
    part.cols = v->cols;
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

static int write_cloud(struct geotiff_file *f, const struct geotiff_layer *l, struct error *e)
{
    struct level level[LEVELS_MAX] = {{0}};
    int count, status = 0;
    if (make_levels(level, &count, l))
        status = error_failed(e, "%s: no memory for its overviews", f->path);
    errno = 0;
    bool good = !status && write_directories(f, l, level, count);
    for (int i = count - 1; good && !status && i >= 0; i--) {
        const struct geotiff_layer part = layer_of(l, &level[i]);
        good = TIFFSetDirectory(f->tif, (tdir_t)i);
        if (good) status = geotiff_write_tiles(f, &part, e);
        if (good && !status) good = TIFFFlush(f->tif);
    }
    free_levels(level);
    if (!status && !good) status = wholefile_failed(f->path, errno, tiff_reason(&f->log), e);
    return status;
}

int geotiff_write_cloud(const char *path, const struct geotiff_layer *layer, struct error *e)
{
    const double tile = GEOTIFF_TILE;
    return geotiff_write_with(
        path, layer, 4.0 / 3 * 4 * (layer->rows + tile) * (layer->cols + tile), write_cloud, e);
}
