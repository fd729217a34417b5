/* geotiff.c — writes a GeoTIFF: all threads fill, predict and deflate rows of tiles; one thread appends them in order. */
/* build: optimized */
#include "geotiff.h"
#include "geotiff_stack.h"
#include "tiff_io.h"
#include "gdal_info.h"
#include "geotiff_crs.h"

#include "base/file_progress.h"
#include "text/atomic_file.h"
#include "text/number.h"
#include "text/textfile.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    TILE = 256, /* cells along a side of a tile in a layer */
    SIDE = 128, /* cells along a side of a tile in a state, or in a layer that fits in one tile */
    TILES_PER_THREAD = 4
};

/* In a file of more bytes, the 32-bit offsets of a classic TIFF might not suffice. */
#define GEOTIFF_CLASSIC_MAX (3.5 * 1073741824.0)

/* A file that is being written under a temporary name; `path` is its final name. */
struct geotiff_file {
    const char *path;
    struct atomic_file out;
    TIFF *tif; /* NULL after the writer has closed it */
    struct tiff_log log;
};

/* The cells of a TIFF directory: `bands` bands of rows x cols reals of 4 or 8 bytes, in tiles of side x side cells. */
struct geotiff_grid {
    int rows, cols, bands, bytes, side;
    int strategy; /* strategy of zlib */
    bool stored;  /* tiles are not compressed */
    double nodata;
    bool repeats; /* padding below the last row repeats this row; else it is nodata */
    void (*row)(const void *context, int band, int row, void *out); /* fills out[] with a row */
    int (*ready)(const void *context, int row0, int rows, struct error *e);
    const void *context;
    struct file_progress *progress;
};

typedef int geotiff_writer(struct geotiff_file *f, const void *what, struct error *e);

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Applies TIFF's floating-point predictor (3). It sorts the bytes of a row by significance, highest first, then
 * replaces each byte by its difference from the byte before. Most differences are 0, since neighbours have the same
 * high bytes. */
static void predict_row(const unsigned char *cell, const struct geotiff_grid *g,
                        unsigned char *sorted, unsigned char *out)
{
    const size_t side = (size_t)g->side, bytes = (size_t)g->bytes;
    uint64_t bits;
    uint32_t half;
    for (size_t k = 0; k < bytes; k++) {
        const int shift = (int)(8 * (bytes - 1 - k));
        unsigned char *to = sorted + k * side;
        for (size_t i = 0; bytes == 4 && i < side; i++) {
            memcpy(&half, cell + 4 * i, sizeof half);
            to[i] = (unsigned char)(half >> shift);
        }
        for (size_t i = 0; bytes == 8 && i < side; i++) {
            memcpy(&bits, cell + 8 * i, sizeof bits);
            to[i] = (unsigned char)(bits >> shift);
        }
    }
    out[0] = sorted[0];
    for (size_t i = 1; i < side * bytes; i++) out[i] = (unsigned char)(sorted[i] - sorted[i - 1]);
}

/* Applies the predictor to a tile whose rows are `stride` bytes apart, and deflates the tile at zlib's lowest level into
 * at most `room` bytes. Returns the number of bytes; 0: no memory. */
static size_t deflate_tile(unsigned char *out, size_t room, const unsigned char *cell,
                           size_t stride, const struct geotiff_grid *g)
{
    const size_t row_bytes = (size_t)(g->side * g->bytes), bytes = row_bytes * (size_t)g->side;
    FREED unsigned char *plain = malloc(bytes + row_bytes); /* a thread's stack may be small */
    size_t size = 0;
    z_stream z = {0};
    for (int row = 0; plain && row < g->side; row++)
        predict_row(cell + (size_t)row * stride, g, plain + bytes, plain + (size_t)row * row_bytes);
    if (plain && deflateInit2(&z, g->stored ? 0 : 1, Z_DEFLATED, 15, 8, g->strategy) == Z_OK) {
        z.next_in = plain;
        z.avail_in = (uInt)bytes;
        z.next_out = out;
        z.avail_out = (uInt)room;
        if (deflate(&z, Z_FINISH) == Z_STREAM_END) size = room - z.avail_out;
        deflateEnd(&z);
    }
    return size;
}

struct packed_tile {
    size_t size; /* 0: zlib failed */
    unsigned char *data;
};

/* Rows of tiles that are filled, packed and written together. */
struct geotiff_rows {
    const struct geotiff_grid *grid;
    int tiles_across, tiles_down; /* tiles of a band */
    int tile_rows;                /* rows of tiles in memory */
    size_t stride;                /* bytes of a row, padded to whole tiles */
    unsigned char *cell;          /* cells of tile_rows * side rows */
    size_t packed_max;
    unsigned char *memory; /* packed tiles, packed_max bytes each */
    struct packed_tile *tile;
    /* Most tiles of a state have no lava, so that their cells are all 0 or all nodata. If the file has more than two
     * tiles, a tile of each kind is packed once, in advance. */
    struct packed_tile uniform[2];
    unsigned char number[2][8];
};

static void set_number(unsigned char *out, double x, int bytes)
{
    const float half = (float)x;
    if (bytes == 8) memcpy(out, &x, sizeof x);
    else memcpy(out, &half, sizeof half);
}

static void fill_with(unsigned char *out, const unsigned char *number, size_t cells, int bytes)
{
    for (size_t i = 0; i < cells; i++) memcpy(out + i * (size_t)bytes, number, (size_t)bytes);
}

static bool pack_uniform(struct geotiff_rows *b, int which, double x)
{
    const struct geotiff_grid *g = b->grid;
    set_number(b->number[which], x, g->bytes);
    fill_with(b->cell, b->number[which], (size_t)(g->side * g->side), g->bytes);
    b->uniform[which].size = deflate_tile(b->uniform[which].data, b->packed_max, b->cell,
                                          (size_t)(g->side * g->bytes), g);
    return b->uniform[which].size > 0;
}

static int rows_create(struct geotiff_rows *b, const struct geotiff_grid *g, struct error *e)
{
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    *b = (struct geotiff_rows){.grid = g,
                               .tiles_across = (g->cols + g->side - 1) / g->side,
                               .tiles_down = (g->rows + g->side - 1) / g->side,
                               .packed_max = compressBound((uLong)(g->bytes * g->side * g->side))};
    b->tile_rows = (TILES_PER_THREAD * threads + b->tiles_across - 1) / b->tiles_across;
    if (b->tile_rows > b->tiles_down) b->tile_rows = b->tiles_down;
    b->stride = (size_t)(b->tiles_across * g->side) * (size_t)g->bytes;

    const size_t tiles = (size_t)b->tile_rows * (size_t)b->tiles_across;
    b->cell = malloc((size_t)b->tile_rows * (size_t)g->side * b->stride);
    b->memory = malloc((tiles + 2) * b->packed_max);
    b->tile = malloc(tiles * sizeof *b->tile);
    for (size_t i = 0; b->memory && b->tile && i < tiles + 2; i++)
        *(i < tiles ? &b->tile[i] : &b->uniform[i - tiles]) =
            (struct packed_tile){0, b->memory + i * b->packed_max};
    const bool few = b->tiles_across * b->tiles_down * g->bands <= 2;
    set_number(b->number[1], g->nodata, g->bytes);
    if (b->cell && b->memory && b->tile &&
        (few || (pack_uniform(b, 0, 0) && pack_uniform(b, 1, g->nodata))))
        return 0;
    FREE_ALL(b->cell, b->memory, b->tile);
    return error_memory(e);
}

static bool is_all(const struct geotiff_rows *b, const unsigned char *cell,
                   const unsigned char *number)
{
    const size_t bytes = (size_t)b->grid->bytes, row_bytes = (size_t)b->grid->side * bytes;
    bool same = !memcmp(cell, number, bytes) && !memcmp(cell, cell + bytes, row_bytes - bytes);
    for (int row = 1; same && row < b->grid->side; row++)
        same = !memcmp(cell, cell + (size_t)row * b->stride, row_bytes);
    return same;
}

static void pack_tile(struct geotiff_rows *b, int n)
{
    const int side = b->grid->side, row = n / b->tiles_across * side,
              col = n % b->tiles_across * side;
    const unsigned char *cell =
        b->cell + (size_t)row * b->stride + (size_t)col * (size_t)b->grid->bytes;
    struct packed_tile *t = &b->tile[n];
    for (int k = 0; k < 2; k++) {
        if (!b->uniform[k].size || !is_all(b, cell, b->number[k])) continue;
        t->size = b->uniform[k].size;
        memcpy(t->data, b->uniform[k].data, t->size);
        return;
    }
    t->size = deflate_tile(t->data, b->packed_max, cell, b->stride, b->grid);
}

/* Fills one row of cells, as wide as all tiles. Cells beyond the last column have the value in the last column. */
static void fill_row(const struct geotiff_rows *b, int band, int row, unsigned char *out)
{
    const struct geotiff_grid *g = b->grid;
    const size_t bytes = (size_t)g->bytes, cols = (size_t)g->cols;
    const bool there = row < g->rows || g->repeats;
    if (there) g->row(g->context, band, row < g->rows ? row : g->rows - 1, out);
    const size_t filled = there ? cols : 0;
    fill_with(out + filled * bytes, there ? out + (cols - 1) * bytes : b->number[1],
              b->stride / bytes - filled, g->bytes);
}

static bool write_rows(TIFF *tif, struct geotiff_rows *b, int band, int first_tile_row)
{
    const int left = b->tiles_down - first_tile_row, side = b->grid->side;
    const int tile_rows = b->tile_rows < left ? b->tile_rows : left;
    const int row0 = first_tile_row * side, rows = tile_rows * side;
    const int tiles = tile_rows * b->tiles_across;
    const int first = (band * b->tiles_down + first_tile_row) * b->tiles_across;

#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 8)
        for (int i = 0; i < rows; i++) fill_row(b, band, row0 + i, b->cell + (size_t)i * b->stride);
#pragma omp for schedule(dynamic)
        for (int t = 0; t < tiles; t++) pack_tile(b, t);
    }
    for (int t = 0; t < tiles; t++) {
        const tmsize_t size = (tmsize_t)b->tile[t].size;
        if (!size || TIFFWriteRawTile(tif, (uint32_t)(first + t), b->tile[t].data, size) != size)
            return false;
        file_progress_cells(b->grid->progress, (long long)side * side);
    }
    return true;
}

static int make_ready(const struct geotiff_rows *b, int first_tile_row, struct error *e)
{
    const struct geotiff_grid *g = b->grid;
    const int row0 = first_tile_row * g->side, left = g->rows - row0, rows = b->tile_rows * g->side;
    const struct geotiff_layer *l = g->context;
    return g->ready ? g->ready(l->context, row0, rows < left ? rows : left, e) : 0;
}

static int not_written(const struct geotiff_file *f, struct error *e)
{
    return atomic_file_failed(f->path, errno, tiff_reason(&f->log), e);
}

/* Writes all tiles of the present directory. */
static int write_tiles(struct geotiff_file *f, const struct geotiff_grid *g, struct error *e)
{
    struct geotiff_rows b;
    int status = rows_create(&b, g, e);
    if (status) return status;
    file_progress_begin_file(g->progress,
                             (long long)b.tiles_down * b.tiles_across * g->side * g->side);
    for (int band = 0; band < g->bands; band++)
        for (int i = 0; !status && i < b.tiles_down; i += b.tile_rows) {
            errno = 0;
            if (file_progress_cancelled(g->progress)) status = error_cancelled(e);
            else if ((status = make_ready(&b, i, e))) break;
            else if (!write_rows(f->tif, &b, band, i)) status = not_written(f, e);
        }
    FREE_ALL(b.cell, b.memory, b.tile);
    return status;
}

/* ---- directories ----------------------------------------------------------------------------- */

static bool geotiff_set_tags(TIFF *tif, const struct geotiff_grid *g)
{
    const int planar = g->bands > 1 ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG;
    return TIFFSetField(tif, TIFFTAG_IMAGEWIDTH, (uint32_t)g->cols) &&
           TIFFSetField(tif, TIFFTAG_IMAGELENGTH, (uint32_t)g->rows) &&
           TIFFSetField(tif, TIFFTAG_BITSPERSAMPLE, 8 * g->bytes) &&
           TIFFSetField(tif, TIFFTAG_SAMPLESPERPIXEL, g->bands) &&
           TIFFSetField(tif, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP) &&
           TIFFSetField(tif, TIFFTAG_PLANARCONFIG, planar) &&
           TIFFSetField(tif, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
           TIFFSetField(tif, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
           TIFFSetField(tif, TIFFTAG_PREDICTOR, PREDICTOR_FLOATINGPOINT) &&
           TIFFSetField(tif, TIFFTAG_TILEWIDTH, g->side) &&
           TIFFSetField(tif, TIFFTAG_TILELENGTH, g->side);
}

static void row_of_layer(const void *layer, int band, int row, void *out)
{
    const struct geotiff_layer *l = layer;
    l->row(l->context, row, out);
}

/* After the prediction most bytes repeat the byte before, and Z_RLE finds such repeats. With Z_RLE a file is
 * 2 % larger than with level 4 of zlib, and is packed in less than half of the time. */
static struct geotiff_grid grid_of(const struct geotiff_layer *l)
{
    return (struct geotiff_grid){.rows = l->rows,
                                 .cols = l->cols,
                                 .bands = 1,
                                 .bytes = sizeof(float),
                                 .side = l->rows > SIDE || l->cols > SIDE ? TILE : SIDE,
                                 .strategy = Z_RLE,
                                 .stored = l->stored,
                                 .nodata = l->nodata,
                                 .row = row_of_layer,
                                 .ready = l->ready,
                                 .context = l,
                                 .progress = l->progress};
}

static bool geotiff_set_place(TIFF *tif, const struct georef *g, int rows)
{
    double scale[3] = {g->cell_m, g->cell_m, 0};
    double tie[6] = {0, 0, 0, g->west_m, g->south_m + rows * g->cell_m, 0};
    return TIFFSetField(tif, TIFFTAG_GEOPIXELSCALE, 3, scale) &&
           TIFFSetField(tif, TIFFTAG_GEOTIEPOINTS, 6, tie);
}

/* Sets place, nodata and metadata of the present directory. */
static bool geotiff_set_meaning(TIFF *tif, const struct geotiff_layer *l)
{
    const struct geotiff_band band = {l->description, l->unit};
    char nodata[32];
    FREED char *metadata = gdal_metadata_text(l->items, l->item_count, &band, 1);
    return metadata && TIFFSetField(tif, TIFFTAG_GDAL_METADATA, metadata) &&
           TIFFSetField(tif, TIFFTAG_GDAL_NODATA, number_text(l->nodata, nodata)) &&
           geotiff_set_place(tif, &l->geo, l->rows);
}

/* Writes the only directory of a file. The caller has set all its tags except the CRS. */
static int write_directory(struct geotiff_file *f, const struct geotiff_grid *g,
                           const struct crs *crs, struct error *e)
{
    int status = geotiff_crs_write(f->tif, crs, f->path, e);
    if (!status) status = write_tiles(f, g, e);
    if (status) return status;
    errno = 0;
    return TIFFWriteDirectory(f->tif) ? 0 : not_written(f, e);
}

static int write_layer(struct geotiff_file *f, const void *layer, struct error *e)
{
    const struct geotiff_layer *l = layer;
    const struct geotiff_grid grid = grid_of(l);
    errno = 0;
    if (!geotiff_set_tags(f->tif, &grid) || !geotiff_set_meaning(f->tif, l))
        return not_written(f, e);
    return write_directory(f, &grid, &l->geo.crs, e);
}

/* Writes a file of about `bytes` bytes. write() writes `what` to the file; finish() gives the file its final name. */
static int geotiff_write_with(const char *path, const void *what, double bytes,
                              geotiff_writer *write,
                              int (*finish)(struct atomic_file *, struct error *), struct error *e)
{
    struct geotiff_file f = {.path = path};
    int status = atomic_file_open(&f.out, path, e);
    if (status) return status;
    f.tif = tiff_open(f.out.temp, bytes > GEOTIFF_CLASSIC_MAX ? "w8" : "w", &f.log);
    status = f.tif ? write(&f, what, e) : not_written(&f, e);
    if (f.tif) TIFFClose(f.tif);
    if (!status) return finish(&f.out, e);
    atomic_file_abandon(&f.out);
    return status;
}

void geotiff_prepare(void)
{
    tiff_prepare();
}

int geotiff_write(const char *path, const struct geotiff_layer *layer, struct error *e)
{
    const double bytes = 4.0 * (layer->rows + TILE) * ((double)layer->cols + TILE);
    return geotiff_write_with(path, layer, bytes, write_layer, atomic_file_finish, e);
}

/* ---- a Cloud Optimized GeoTIFF --------------------------------------------------------------- */

/* On request (TIFFDeferStrileArrayWriting) libtiff writes directories without their arrays of tile offsets. It makes
 * room for the arrays after all directories, and fills them in once the tiles are written. */

enum { LEVELS_MAX = 24, KEPT_CELLS = 1 << 22 };

/* The layer itself, or an overview. Overviews and small layers are in memory; the rows of a larger layer are computed
 * twice, for its overview and for the file. */
struct level {
    int rows, cols;
    float *cell; /* NULL: a layer that is not in memory */
};

static void row_of_level(const void *context, int row, float *out)
{
    const struct level *v = context;
    memcpy(out, v->cell + (size_t)row * (size_t)v->cols, (size_t)v->cols * sizeof *out);
}

/* Returns the mean of two by two cells; cells without a value do not count. nodata: no cell has a value. If the
 * number of rows is odd, row[0] and row[1] both point to the last row. */
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

/* Computes a row of an overview from two rows of the finer level. If the finer level is not in memory, `line` has room
 * for two of its rows. */
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

/* Keeps a small layer in memory, since its rows may take long to compute. */
static void keep_layer(struct level *v, const struct geotiff_layer *l)
{
    const size_t cells = (size_t)v->rows * (size_t)v->cols;
    if (cells > KEPT_CELLS || !(v->cell = malloc(cells * sizeof *v->cell))) return;
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < v->rows; row++)
        l->row(l->context, row, v->cell + (size_t)row * (size_t)v->cols);
}

/* Makes overviews, each with half the rows and columns of the level before, until one fits in a tile. */
static int make_levels(struct level level[LEVELS_MAX], int *count, const struct geotiff_layer *l)
{
    const int longest = l->rows > l->cols ? l->rows : l->cols;
    level[0] = (struct level){.rows = l->rows, .cols = l->cols};
    *count = 1;
    if (longest <= l->no_overviews_until) return 0;
    if (longest > TILE) keep_layer(&level[0], l);
    while (*count < LEVELS_MAX) {
        const struct level *v = &level[*count - 1];
        if (v->rows <= TILE && v->cols <= TILE) break;
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

static bool begin_directory(struct geotiff_file *f, const struct geotiff_layer *l, bool overview)
{
    const struct geotiff_grid grid = grid_of(l);
    char nodata[32];
    if (!geotiff_set_tags(f->tif, &grid)) return false;
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
        if (!begin_directory(f, &part, i > 0)) return false;
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
        const struct geotiff_grid grid = grid_of(&part);
        good = TIFFSetDirectory(f->tif, (tdir_t)i);
        if (good) status = write_tiles(f, &grid, e);
        if (good && !status) good = TIFFFlush(f->tif);
    }
    for (int i = 0; i < count; i++) free(level[i].cell);
    if (!status && !good) status = not_written(f, e);
    return status;
}

int geotiff_write_cloud(const char *path, const struct geotiff_layer *layer, struct error *e)
{
    const double tile = TILE;
    return geotiff_write_with(path, layer,
                              4.0 / 3 * 4 * (layer->rows + tile) * (layer->cols + tile),
                              write_cloud, atomic_file_finish, e);
}

/* ---- a state --------------------------------------------------------------------------------- */

/* TIFF requires a kind for each band after the first (EXTRASAMPLES). No kind of TIFF's fits the bands of a state, so
 * these are unspecified. */
static bool set_meaning(TIFF *tif, const struct geotiff_stack *s)
{
    FREED char *metadata = gdal_metadata_text(s->items, s->item_count, s->band, s->band_count);
    FREED uint16_t *extra =
        calloc((size_t)s->band_count, sizeof *extra); /* EXTRASAMPLE_UNSPECIFIED */
    return metadata && extra && TIFFSetField(tif, TIFFTAG_EXTRASAMPLES, s->band_count - 1, extra) &&
           TIFFSetField(tif, TIFFTAG_GDAL_METADATA, metadata) &&
           TIFFSetField(tif, TIFFTAG_GDAL_NODATA, "nan") &&
           TIFFSetField(tif, TIFFTAG_IMAGEDESCRIPTION, s->about) &&
           geotiff_set_place(tif, &s->geo, s->rows);
}

/* The lowest level of compression is enough: most bytes of a state are noise, which no level shrinks. */
static int write_all(struct geotiff_file *f, const struct geotiff_stack *s, struct error *e)
{
    const struct geotiff_grid grid = {.rows = s->rows,
                                      .cols = s->cols,
                                      .bands = s->band_count,
                                      .bytes = sizeof(double),
                                      .side = SIDE,
                                      .strategy = Z_DEFAULT_STRATEGY,
                                      .nodata = (double)NAN,
                                      .repeats = true,
                                      .row = s->row,
                                      .context = s->context};
    errno = 0;
    if (!geotiff_set_tags(f->tif, &grid) || !set_meaning(f->tif, s)) return not_written(f, e);
    return write_directory(f, &grid, &s->geo.crs, e);
}

/* ---- the seal -------------------------------------------------------------------------------- */

/* The seal is the last 16 bytes of a file: "sciara ", the CRC-32 of all earlier bytes as 8 hexadecimal digits, and an
 * end of line. Readers of TIFF do not read the seal. */
enum { SEAL_BYTES = 16 };
enum seal { SEAL_GOOD, SEAL_BROKEN, SEAL_NONE };

static void seal_text(char text[SEAL_BYTES + 1], uint32_t sum)
{
    snprintf(text, SEAL_BYTES + 1, "sciara %08lx\n", (unsigned long)sum);
}

/* Appends the seal to the file at `path` through `stream`; false: errno may have the reason. */
static bool seal_put(FILE *stream, const char *path)
{
    struct filesum sum;
    char text[SEAL_BYTES + 1];
    if (!filesum_of(&sum, path) || !sum.bytes || fseeko(stream, 0, SEEK_END) != 0) return false;
    seal_text(text, sum.crc32);
    return fwrite(text, 1, SEAL_BYTES, stream) == SEAL_BYTES;
}

static enum seal seal_of(FILE *f)
{
    char found[SEAL_BYTES], expected[SEAL_BYTES + 1];
    struct filesum sum;
    if (fseeko(f, -SEAL_BYTES, SEEK_END) != 0) return SEAL_NONE;
    const off_t size = ftello(f);
    if (fread(found, 1, SEAL_BYTES, f) != SEAL_BYTES) return SEAL_NONE;
    if (memcmp(found, "sciara ", 7) != 0) return SEAL_NONE;
    rewind(f);
    if (!filesum_read(&sum, f, size)) return SEAL_BROKEN;
    seal_text(expected, sum.crc32);
    return memcmp(found, expected, SEAL_BYTES) == 0 ? SEAL_GOOD : SEAL_BROKEN;
}

/* ---- the file -------------------------------------------------------------------------------- */

static int write_sealed(struct geotiff_file *f, const void *stack, struct error *e)
{
    int status = write_all(f, stack, e);
    if (status) return status;
    TIFFClose(f->tif);
    f->tif = NULL;
    errno = 0;
    if (seal_put(f->out.stream, f->out.temp)) return 0;
    return atomic_file_failed(f->path, errno, "it cannot be read back", e);
}

int geotiff_stack_write(const char *path, const struct geotiff_stack *s, struct error *e)
{
    const double bytes = 8.0 * s->band_count * (s->rows + SIDE) * ((double)s->cols + SIDE);
    return geotiff_write_with(path, s, bytes, write_sealed, atomic_file_finish_on_disk, e);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int not_one(const char *path, struct error *e)
{
    return error_input(
        e, "%s: is not a whole state of a run; name a state_NNNNNN.tif that a run has written",
        path);
}

static int check_seal(const char *path, struct error *e)
{
    int status = textfile_check_regular(path, "a state of a run", e);
    if (status) return status;
    FILE *f = file_open_regular(path);
    const enum seal seal = f ? seal_of(f) : SEAL_NONE;
    if (f) fclose(f);
    if (seal == SEAL_GOOD) return 0;
    if (seal == SEAL_NONE) return not_one(path, e);
    return error_input(
        e, "%s: is damaged: its bytes differ from those written; use an earlier state", path);
}

static int read_head(struct geotiff_stack_head *h, TIFF *tif, const char *path, struct error *e)
{
    struct tiff_band *l = &h->layout;
    char *about = NULL;
    int status = tiff_band_describe(l, tif, path, 0, e);
    if (status) return status;
    if (l->sample != F64 || l->stride != 1 || !l->tiled ||
        (uint64_t)l->block_count * (uint64_t)l->band_count != TIFFNumberOfTiles(tif) ||
        !TIFFGetField(tif, TIFFTAG_IMAGEDESCRIPTION, &about))
        return not_one(path, e);
    h->rows = (int)l->height;
    h->cols = (int)l->width;
    h->band_count = l->band_count;
    h->about = text_format("%s", about);
    return h->about ? 0 : error_memory(e);
}

int geotiff_stack_open(struct geotiff_stack_head *h, const char *path, struct error *e)
{
    struct tiff_log log;
    *h = (struct geotiff_stack_head){0};
    int status = check_seal(path, e);
    if (status) return status;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    status = tif && !log.tag_lost ? read_head(h, tif, path, e) : tiff_damaged(path, &log, e);
    if (tif) TIFFClose(tif);
    if (status) geotiff_stack_close(h);
    return status;
}

void geotiff_stack_close(struct geotiff_stack_head *h)
{
    RELEASE(h, h->about);
}

int geotiff_stack_read(const struct geotiff_stack_head *h, int band, double *out, struct error *e)
{
    struct tiff_band l = h->layout;
    const struct raster_cells all = {{0, 0, h->rows, h->cols}, out, (size_t)h->cols};
    size_t missing;
    l.first_block = (uint32_t)band * l.block_count;
    return tiff_band_read(&l, &all, &missing, e);
}
