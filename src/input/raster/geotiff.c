/* Writing a GeoTIFF: rows of tiles are filled, predicted and deflated by all threads, and appended
 * by one, in order. */
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
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GEOTIFF_TILE = 256 };

/* Above it a classic TIFF's 32-bit offsets might not do. */
#define GEOTIFF_CLASSIC_MAX (3.5 * 1073741824.0)

/* A file that is being written under a temporary name; `path` is the one it will have. */
struct geotiff_file {
    const char *path;
    struct atomic_file out;
    TIFF *tif; /* NULL where the writer has closed it */
    struct tiff_log log;
};

/* Cells of a directory: size, tiles, and floating-point samples in one or several bands. */
struct geotiff_layout {
    int rows, cols, tile; /* of square tiles the side */
    int bits, bands;      /* 32 or 64; each band for itself */
};

/* Predicts and deflates, as zlib's lowest level, a square tile with rows `stride` cells apart into at most `room`
 * bytes.
 * Returns the number of bytes; 0: no memory. */
struct geotiff_cells {
    int side, bytes; /* of a tile; of a cell: 4 or 8 */
};

typedef int geotiff_writer(struct geotiff_file *f, const void *what, struct error *e);

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    TILE = GEOTIFF_TILE,
    TILE_BYTES = 4 * TILE * TILE,
    TILES_PER_THREAD = 4,
};

/* Some rows of tiles on their way into the file. */
struct geotiff_rows {
    int tiles_across, tiles_down; /* of the whole layer */
    int tile_rows;                /* held here at once */
    size_t stride;                /* cells of a row, padded to whole tiles */
    float *cell;                  /* tile_rows * TILE rows */
    size_t packed_max;
    unsigned char *packed; /* one slot of packed_max bytes a tile */
    size_t *packed_size;   /* 0: zlib failed */
};

static void rows_free(struct geotiff_rows *b)
{
    free(b->cell);
    free(b->packed);
    free(b->packed_size);
}

static int rows_create(struct geotiff_rows *b, const struct geotiff_layer *l, struct error *e)
{
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    *b = (struct geotiff_rows){.tiles_across = (l->cols + TILE - 1) / TILE,
                               .tiles_down = (l->rows + TILE - 1) / TILE,
                               .packed_max = compressBound(TILE_BYTES)};
    b->tile_rows = (TILES_PER_THREAD * threads + b->tiles_across - 1) / b->tiles_across;
    if (b->tile_rows > b->tiles_down) b->tile_rows = b->tiles_down;
    b->stride = (size_t)b->tiles_across * TILE;

    const size_t tiles = (size_t)b->tile_rows * (size_t)b->tiles_across;
    b->cell = malloc((size_t)b->tile_rows * TILE * b->stride * sizeof *b->cell);
    b->packed = malloc(tiles * b->packed_max);
    b->packed_size = malloc(tiles * sizeof *b->packed_size);
    if (b->cell && b->packed && b->packed_size) return 0;
    rows_free(b);
    return error_memory(e);
}

/* TIFF's floating-point predictor (3): the bytes of a row sorted by significance, highest first,
 * then each byte as its difference from the one before. Neighbours share their high bytes: zeros.
 */
static void predict_row(const unsigned char *cell, const struct geotiff_cells *c,
                        unsigned char *sorted, unsigned char *out)
{
    const size_t side = (size_t)c->side, bytes = (size_t)c->bytes;
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

static size_t geotiff_pack(unsigned char *out, size_t room, const void *cell, size_t stride,
                           const struct geotiff_cells *c, int strategy)
{
    const size_t row_bytes = (size_t)(c->side * c->bytes), bytes = row_bytes * (size_t)c->side;
    FREED unsigned char *plain = malloc(bytes + row_bytes); /* a thread's stack may be small */
    size_t size = 0;
    z_stream z = {0};
    for (int row = 0; plain && row < c->side; row++)
        predict_row((const unsigned char *)cell + (size_t)row * stride * (size_t)c->bytes, c,
                    plain + bytes, plain + (size_t)row * row_bytes);
    if (plain && deflateInit2(&z, 1, Z_DEFLATED, 15, 8, strategy) == Z_OK) {
        z.next_in = plain;
        z.avail_in = (uInt)bytes;
        z.next_out = out;
        z.avail_out = (uInt)room;
        if (deflate(&z, Z_FINISH) == Z_STREAM_END) size = room - z.avail_out;
        deflateEnd(&z);
    }
    return size;
}

/* What repeats itself after the prediction are runs of one byte, which Z_RLE finds: the bytes of level 4 and 2 %, in
 * less than half of its time. */
static void pack_tile(struct geotiff_rows *b, int t)
{
    const int i = t / b->tiles_across, j = t % b->tiles_across;
    const float *cell = b->cell + (size_t)i * TILE * b->stride + (size_t)j * TILE;
    b->packed_size[t] = geotiff_pack(b->packed + (size_t)t * b->packed_max, b->packed_max, cell,
                                     b->stride, &(struct geotiff_cells){TILE, 4}, Z_RLE);
}

/* Cells beyond the edges of the layer repeat the last column, and hold nodata below the last row.
 */
static void fill_row(const struct geotiff_rows *b, const struct geotiff_layer *l, int row,
                     float *out)
{
    size_t filled = 0;
    if (row < l->rows) {
        l->row(l->context, row, out);
        filled = (size_t)l->cols;
    }
    const float pad = filled ? out[filled - 1] : (float)l->nodata;
    for (size_t j = filled; j < b->stride; j++) out[j] = pad;
}

static int write_rows(TIFF *tif, struct geotiff_rows *b, const struct geotiff_layer *l,
                      int first_tile_row)
{
    const int left = b->tiles_down - first_tile_row;
    const int tile_rows = b->tile_rows < left ? b->tile_rows : left;
    const int row0 = first_tile_row * TILE, rows = tile_rows * TILE;
    const int tiles = tile_rows * b->tiles_across;

#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 8)
        for (int i = 0; i < rows; i++) fill_row(b, l, row0 + i, b->cell + (size_t)i * b->stride);
#pragma omp for schedule(dynamic)
        for (int t = 0; t < tiles; t++) pack_tile(b, t);
    }
    for (int t = 0; t < tiles; t++) {
        const uint32_t index = (uint32_t)(first_tile_row * b->tiles_across + t);
        const tmsize_t size = (tmsize_t)b->packed_size[t];
        if (size == 0 ||
            TIFFWriteRawTile(tif, index, b->packed + (size_t)t * b->packed_max, size) != size)
            return -1;
        file_progress_cells(l->progress, TILE * TILE);
    }
    return 0;
}

static bool geotiff_set_tags(TIFF *tif, const struct geotiff_layout *l)
{
    const int planar = l->bands > 1 ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG;
    return TIFFSetField(tif, TIFFTAG_IMAGEWIDTH, (uint32_t)l->cols) &&
           TIFFSetField(tif, TIFFTAG_IMAGELENGTH, (uint32_t)l->rows) &&
           TIFFSetField(tif, TIFFTAG_BITSPERSAMPLE, l->bits) &&
           TIFFSetField(tif, TIFFTAG_SAMPLESPERPIXEL, l->bands) &&
           TIFFSetField(tif, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP) &&
           TIFFSetField(tif, TIFFTAG_PLANARCONFIG, planar) &&
           TIFFSetField(tif, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
           TIFFSetField(tif, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
           TIFFSetField(tif, TIFFTAG_PREDICTOR, PREDICTOR_FLOATINGPOINT) &&
           TIFFSetField(tif, TIFFTAG_TILEWIDTH, l->tile) &&
           TIFFSetField(tif, TIFFTAG_TILELENGTH, l->tile);
}

static bool geotiff_set_layout(TIFF *tif, const struct geotiff_layer *l)
{
    const struct geotiff_layout layout = {l->rows, l->cols, TILE, 32, 1};
    return geotiff_set_tags(tif, &layout);
}

static bool geotiff_set_place(TIFF *tif, const struct georef *g, int rows)
{
    double scale[3] = {g->cell_m, g->cell_m, 0};
    double tie[6] = {0, 0, 0, g->west_m, g->south_m + rows * g->cell_m, 0};
    return TIFFSetField(tif, TIFFTAG_GEOPIXELSCALE, 3, scale) &&
           TIFFSetField(tif, TIFFTAG_GEOTIEPOINTS, 6, tie);
}

/* Tags of the present directory: size and layout; place, nodata and metadata. */
static bool geotiff_set_meaning(TIFF *tif, const struct geotiff_layer *l)
{
    const struct geotiff_band band = {l->description, l->unit};
    char nodata[32];
    FREED char *metadata = gdal_metadata_text(l->items, l->item_count, &band, 1);
    return metadata && TIFFSetField(tif, TIFFTAG_GDAL_METADATA, metadata) &&
           TIFFSetField(tif, TIFFTAG_GDAL_NODATA, number_text(l->nodata, nodata)) &&
           geotiff_set_place(tif, &l->geo, l->rows);
}

static int not_written(const char *path, const struct tiff_log *log, struct error *e)
{
    return atomic_file_failed(path, errno, tiff_reason(log), e);
}

/* All tiles of the present directory. */
static int geotiff_write_tiles(struct geotiff_file *f, const struct geotiff_layer *l,
                               struct error *e)
{
    struct geotiff_rows b;
    int status = rows_create(&b, l, e);
    if (status) return status;
    file_progress_begin_file(l->progress, (long long)b.tiles_down * b.tiles_across * TILE * TILE);
    for (int i = 0; !status && i < b.tiles_down; i += b.tile_rows) {
        errno = 0;
        if (file_progress_cancelled(l->progress)) status = error_cancelled(e);
        else if (write_rows(f->tif, &b, l, i)) status = not_written(f->path, &f->log, e);
    }
    rows_free(&b);
    return status;
}

static int write_layer(struct geotiff_file *f, const void *layer, struct error *e)
{
    const struct geotiff_layer *l = layer;
    int status;
    errno = 0;
    if (!geotiff_set_layout(f->tif, l) || !geotiff_set_meaning(f->tif, l))
        return not_written(f->path, &f->log, e);
    if ((status = geotiff_crs_write(f->tif, &l->geo.crs, f->path, e)) ||
        (status = geotiff_write_tiles(f, l, e)))
        return status;
    errno = 0;
    return TIFFWriteDirectory(f->tif) ? 0 : not_written(f->path, &f->log, e);
}

/* Opens a file for about that many bytes, lets write() fill it with what is there to write, and
 * finish() give it its name. */
static int geotiff_write_with(const char *path, const void *what, double bytes,
                              geotiff_writer *write,
                              int (*finish)(struct atomic_file *, struct error *), struct error *e)
{
    struct geotiff_file f = {.path = path};
    int status = atomic_file_open(&f.out, path, e);
    if (status) return status;
    f.tif = tiff_open(f.out.temp, bytes > GEOTIFF_CLASSIC_MAX ? "w8" : "w", &f.log);
    status = f.tif ? write(&f, what, e) : not_written(path, &f.log, e);
    if (f.tif) TIFFClose(f.tif);
    if (!status) return finish(&f.out, e);
    atomic_file_abandon(&f.out);
    return status;
}

int geotiff_write(const char *path, const struct geotiff_layer *layer, struct error *e)
{
    const double bytes = 4.0 * (layer->rows + TILE) * ((double)layer->cols + TILE);
    return geotiff_write_with(path, layer, bytes, write_layer, atomic_file_finish, e);
}

/* the layout of a Cloud Optimized GeoTIFF. libtiff writes a directory without its
 * arrays of tile offsets on request (TIFFDeferStrileArrayWriting), and these behind all
 * directories; when the tiles are there it fills them in. */

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

/* ---- a state --------------------------------------------------------------------------------- */

/* Most of a state is one number over whole tiles (no lava), which are
 * packed once. Reading begins with the seal: a file with a wrong one is refused. */

enum {
    SIDE = 128, /* of a tile */
    CELLS = SIDE * SIDE,
    STACK_TILE_BYTES = 8 * CELLS,
    STACK_TILES = 8,
};

struct tile {
    size_t size; /* 0: zlib failed */
    unsigned char *packed;
};

struct packing {
    const struct geotiff_stack *s;
    int across, down; /* tiles of a band */
    int room;         /* tiles packed at once */
    size_t packed_max;
    unsigned char *memory; /* of them, and of the two below */
    struct tile *tile;
    struct tile zeros, none; /* tiles of 0 and of NaN */
};

/* Most bytes of such numbers are noise, which no level shrinks. */
static void pack(const struct packing *p, const double *cell, struct tile *t)
{
    t->size = geotiff_pack(t->packed, p->packed_max, cell, SIDE, &(struct geotiff_cells){SIDE, 8},
                           Z_DEFAULT_STRATEGY);
}

static bool is_all(const double *cell, double value)
{
    uint64_t bits, all, differ = 0;
    memcpy(&all, &value, sizeof all);
    for (int i = 0; i < CELLS; i++) {
        memcpy(&bits, cell + i, sizeof bits);
        differ |= bits ^ all;
    }
    return !differ;
}

/* Cells beyond the edges repeat the last column and the last row. */
static void fill_tile(const struct packing *p, int n, double *cell)
{
    const struct geotiff_stack *s = p->s;
    const int band = n / (p->across * p->down), at = n % (p->across * p->down);
    const int row0 = at / p->across * SIDE, col0 = at % p->across * SIDE;
    const int cols = s->cols - col0 < SIDE ? s->cols - col0 : SIDE;
    for (int i = 0; i < SIDE; i++, cell += SIDE) {
        if (row0 + i >= s->rows) {
            memcpy(cell, cell - SIDE, SIDE * sizeof *cell);
            continue;
        }
        s->cells(s->context, band, row0 + i, col0, cols, cell);
        for (int j = cols; j < SIDE; j++) cell[j] = cell[cols - 1];
    }
}

static void pack_stack_tile(struct packing *p, int n, struct tile *t)
{
    FREED double *cell = malloc(CELLS * sizeof *cell);
    t->size = 0;
    if (!cell) return;
    fill_tile(p, n, cell);
    const struct tile *same = is_all(cell, 0.0)           ? &p->zeros
                              : is_all(cell, (double)NAN) ? &p->none
                                                          : NULL;
    if (same) {
        t->size = same->size;
        memcpy(t->packed, same->packed, same->size);
    } else {
        pack(p, cell, t);
    }
}

static bool pack_uniform(struct packing *p, double value, struct tile *t)
{
    FREED double *cell = malloc(CELLS * sizeof *cell);
    for (int i = 0; cell && i < CELLS; i++) cell[i] = value;
    if (cell) pack(p, cell, t);
    return t->size > 0;
}

static bool packing_create(struct packing *p, const struct geotiff_stack *s)
{
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    *p = (struct packing){.s = s,
                          .across = (s->cols + SIDE - 1) / SIDE,
                          .down = (s->rows + SIDE - 1) / SIDE,
                          .room = STACK_TILES * threads,
                          .packed_max = compressBound(STACK_TILE_BYTES)};
    p->tile = calloc((size_t)p->room, sizeof *p->tile);
    p->memory = malloc(((size_t)p->room + 2) * p->packed_max);
    if (!p->tile || !p->memory) return false;
    for (int i = 0; i < p->room; i++) p->tile[i].packed = p->memory + (size_t)i * p->packed_max;
    p->zeros.packed = p->memory + (size_t)p->room * p->packed_max;
    p->none.packed = p->zeros.packed + p->packed_max;
    return pack_uniform(p, 0.0, &p->zeros) && pack_uniform(p, (double)NAN, &p->none);
}

static bool write_tiles(TIFF *tif, struct packing *p)
{
    const int all = p->across * p->down * p->s->band_count;
    for (int first = 0; first < all; first += p->room) {
        const int count = all - first < p->room ? all - first : p->room;
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < count; i++) pack_stack_tile(p, first + i, &p->tile[i]);
        for (int i = 0; i < count; i++) {
            const tmsize_t size = (tmsize_t)p->tile[i].size;
            if (!size ||
                TIFFWriteRawTile(tif, (uint32_t)(first + i), p->tile[i].packed, size) != size)
                return false;
        }
    }
    return true;
}

/* All bands but the first are of no known kind to TIFF. */
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

static int write_all(struct geotiff_file *f, const struct geotiff_stack *s, struct error *e)
{
    struct packing p;
    int status = 0;
    if (!packing_create(&p, s)) status = error_memory(e);
    const struct geotiff_layout layout = {s->rows, s->cols, SIDE, 64, s->band_count};
    errno = 0;
    bool good = !status && geotiff_set_tags(f->tif, &layout) && set_meaning(f->tif, s);
    if (good) status = geotiff_crs_write(f->tif, &s->geo.crs, f->path, e);
    errno = 0;
    if (good && !status) good = write_tiles(f->tif, &p) && TIFFWriteDirectory(f->tif);
    if (!good && !status) status = atomic_file_failed(f->path, errno, tiff_reason(&f->log), e);
    free(p.memory);
    free(p.tile);
    return status;
}

/* ---- the seal -------------------------------------------------------------------------------- */

/* The last 16 bytes: "sciara ", the CRC-32 of all bytes before as 8 hexadecimal digits, and an
 * end of line. Readers of TIFF do not look there. */
enum { SEAL_BYTES = 16 };
enum seal { SEAL_GOOD, SEAL_BROKEN, SEAL_NONE };

/* Of the first `size` bytes; false: the file is shorter. */
static bool sum_of(FILE *f, long long size, uint32_t *sum)
{
    unsigned char part[1 << 14];
    uLong crc = crc32(0, NULL, 0);
    while (size > 0) {
        const size_t want = size < (long long)sizeof part ? (size_t)size : sizeof part;
        if (fread(part, 1, want, f) != want) return false;
        crc = crc32(crc, part, (uInt)want);
        size -= (long long)want;
    }
    *sum = (uint32_t)crc;
    return true;
}

static void seal_text(char text[SEAL_BYTES + 1], uint32_t sum)
{
    snprintf(text, SEAL_BYTES + 1, "sciara %08lx\n", (unsigned long)sum);
}

/* Appends the seal to the file at `path` through `stream`; false: errno may have the reason. */
static bool seal_put(FILE *stream, const char *path)
{
    FILE *f = file_open_regular(path);
    char text[SEAL_BYTES + 1];
    uint32_t sum;
    if (!f) return false;
    const bool known = fseeko(f, 0, SEEK_END) == 0 && ftello(f) > 0;
    const off_t size = known ? ftello(f) : 0;
    rewind(f);
    const bool good = known && sum_of(f, size, &sum);
    fclose(f);
    if (!good || fseeko(stream, 0, SEEK_END) != 0) return false;
    seal_text(text, sum);
    return fwrite(text, 1, SEAL_BYTES, stream) == SEAL_BYTES;
}

static enum seal seal_of(FILE *f)
{
    char found[SEAL_BYTES], expected[SEAL_BYTES + 1];
    uint32_t sum;
    if (fseeko(f, -SEAL_BYTES, SEEK_END) != 0) return SEAL_NONE;
    const off_t size = ftello(f);
    if (fread(found, 1, SEAL_BYTES, f) != SEAL_BYTES) return SEAL_NONE;
    if (memcmp(found, "sciara ", 7) != 0) return SEAL_NONE;
    rewind(f);
    if (!sum_of(f, size, &sum)) return SEAL_BROKEN;
    seal_text(expected, sum);
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
    free(h->about);
    *h = (struct geotiff_stack_head){0};
}

int geotiff_stack_read(const struct geotiff_stack_head *h, int band, double *out, struct error *e)
{
    struct tiff_band l = h->layout;
    const struct raster_cells all = {{0, 0, h->rows, h->cols}, out, (size_t)h->cols};
    size_t missing;
    l.first_block = (uint32_t)band * l.block_count;
    return tiff_band_read(&l, &all, &missing, e);
}
