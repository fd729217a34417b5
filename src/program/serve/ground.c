#include "ground.h"

#include "base/lock.h"
#include "base/loops.h"
#include "record/pack.h"
#include "sim/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MEANS_MOST: the largest number of means that are kept. A thread reads a terrain of more than AT_ONCE cells. Terrain
 * is read in windows of WINDOW_ROWS x WINDOW_COLS cells. */
enum { MEANS_MOST = 1 << 22, AT_ONCE = 1 << 24, WINDOW_ROWS = 512, WINDOW_COLS = 8192 };

/* ---- means ----------------------------------------------------------------------------------- */

/* Reads a window of the file in metres into to[rows * cols]. */
static int read_window(struct ground *g, struct window w, double *to, struct error *e)
{
    const struct raster_cells cells = {w, to, (size_t)w.cols};
    LOCKED(&g->lock);
    int status = raster_read_window(g->file, &cells, NULL, e);
    if (!status) raster_convert(&g->unit, &cells);
    return status;
}

/* The mean of the cells of a block that have data; NaN: none has. */
static float mean_of(const double *z, size_t stride, int rows, int cols)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < cols; k++)
            if (!isnan(z[(size_t)i * stride + (size_t)k]))
                sum += z[(size_t)i * stride + (size_t)k], count++;
    return count ? (float)(sum / count) : NAN;
}

static int make_window(struct ground *g, struct window w, double *z, struct error *e)
{
    int status = read_window(g, w, z, e);
    for (int i = 0; i < w.rows && !status; i += g->every)
        for (int k = 0; k < w.cols; k += g->every)
            g->mean_m[(size_t)((w.row0 + i) / g->every) * (size_t)g->mean_cols +
                      (size_t)((w.col0 + k) / g->every)] =
                mean_of(z + (size_t)i * (size_t)w.cols + k, (size_t)w.cols,
                        int_least(g->every, w.rows - i), int_least(g->every, w.cols - k));
    return status;
}

static int make_means(struct ground *g, struct error *e)
{
    FREED double *z = malloc(sizeof *z * WINDOW_ROWS * WINDOW_COLS);
    int status = z ? 0 : error_memory(e);
    for (int row = 0; row < g->rows && !status; row += WINDOW_ROWS)
        for (int col = 0; col < g->cols && !status; col += WINDOW_COLS) {
            const struct window w = {row, col, int_least(WINDOW_ROWS, g->rows - row),
                                     int_least(WINDOW_COLS, g->cols - col)};
            status = atomic_load(&g->stop) ? error_cancelled(e) : make_window(g, w, z, e);
        }
    for (size_t i = 0; i < (size_t)g->mean_rows * (size_t)g->mean_cols && !status; i++)
        if (!isnan(g->mean_m[i])) {
            g->least_m = fmin(g->least_m, g->mean_m[i]);
            g->most_m = fmax(g->most_m, g->mean_m[i]);
        }
    atomic_store(&g->ready, !status);
    return status;
}

static void *make_means_aside(void *of)
{
    struct ground *g = of;
    make_means(g, &g->why);
    return NULL;
}

int ground_open(struct ground *g, const char *path, struct error *e)
{
    char said[RASTER_UNIT_SAID];
    *g = (struct ground){.every = 1, .least_m = (double)NAN, .most_m = (double)NAN};
    pthread_mutex_init(&g->lock, NULL);
    int status = raster_open(&g->file, path, RASTER_ANY_SIZE, NULL, e);
    if (!status) status = raster_find_unit(&g->unit, raster_head(g->file), said, path, e);
    if (status) return status;
    g->rows = raster_head(g->file)->rows;
    g->cols = raster_head(g->file)->cols;
    do {
        g->mean_rows = (g->rows - 1) / g->every + 1;
        g->mean_cols = (g->cols - 1) / g->every + 1;
        if ((size_t)g->mean_rows * (size_t)g->mean_cols <= MEANS_MOST) break;
    } while (g->every *= 2);
    g->mean_m = malloc(sizeof *g->mean_m * (size_t)g->mean_rows * (size_t)g->mean_cols);
    if (!g->mean_m) return error_memory(e);
    if ((size_t)g->rows * (size_t)g->cols <= AT_ONCE) return make_means(g, e);
    g->started = loops_start_thread(&g->thread, NULL, make_means_aside, g);
    return g->started ? 0 : error_failed(e, "%s: no thread can be started", path);
}

void ground_close(struct ground *g)
{
    atomic_store(&g->stop, true);
    if (g->started) pthread_join(g->thread, NULL);
    if (g->file) pthread_mutex_destroy(&g->lock);
    raster_close(g->file);
    free(g->mean_m);
    g->file = NULL;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

bool ground_has_tile(const struct ground *g, int64_t every, int64_t row0, int64_t col0)
{
    const int64_t step = every * TILE_SIDE;
    return every >= 1 && every <= 1 << 15 && !(every & (every - 1)) && row0 >= 0 && col0 >= 0 &&
           row0 < g->rows && col0 < g->cols && row0 % step == 0 && col0 % step == 0;
}

/* Fills a tile from the file, a few rows of blocks at a time, so that windows stay small. */
static int fill_from_file(struct ground *g, int every, int row0, int col0, float *z,
                          struct error *e)
{
    const int strip = every * (WINDOW_ROWS / every);
    const int col = col0 < every ? 0 : col0 - every, first = col0 < every ? 1 : 0;
    const int end = int_least(g->cols, col0 + (TILE_SIDE + 1) * every);
    FREED double *read = malloc(sizeof *read * (size_t)strip * (size_t)(end - col));
    int status = read ? 0 : error_memory(e);
    for (int at = row0 < every ? 0 : row0 - every;
         at < int_least(g->rows, row0 + (TILE_SIDE + 1) * every) && !status; at += strip) {
        const struct window w = {
            at, col, int_least(strip, int_least(g->rows, row0 + (TILE_SIDE + 1) * every) - at),
            end - col};
        status = read_window(g, w, read, e);
        for (int i = 0; i < w.rows && !status; i += every)
            for (int k = 0; k < w.cols; k += every)
                z[((at + i - row0) / every + 1) * TILE_ROOM + k / every + first] =
                    mean_of(read + (size_t)i * (size_t)w.cols + k, (size_t)w.cols,
                            int_least(every, w.rows - i), int_least(every, w.cols - k));
    }
    return status;
}

/* Fills a tile from means. Each number of the tile is the mean of side x side means. */
static void fill_from_means(const struct ground *g, int every, int row0, int col0, float *z)
{
    const int side = every / g->every;
    for (int i = 0; i < TILE_ROOM; i++)
        for (int k = 0; k < TILE_ROOM; k++) {
            const int64_t row = row0 / g->every + (int64_t)(i - 1) * side,
                          col = col0 / g->every + (int64_t)(k - 1) * side;
            double sum = 0;
            int count = 0;
            if (row < 0 || col < 0) continue;
            for (int64_t a = row; a < row + side && a < g->mean_rows; a++)
                for (int64_t b = col; b < col + side && b < g->mean_cols; b++) {
                    const float m = g->mean_m[a * g->mean_cols + b];
                    if (!isnan(m)) sum += m, count++;
                }
            if (count) z[i * TILE_ROOM + k] = (float)(sum / count);
        }
}

static void pack_elevations(unsigned char *bytes, const float *z)
{
    double low = (double)NAN, high = (double)NAN;
    for (int i = 0; i < TILE_ROOM * TILE_ROOM; i++) low = fmin(low, z[i]), high = fmax(high, z[i]);
    const struct pack_scale scale = pack_scale(low, high, 0.01);
    memcpy(bytes, &scale.base, sizeof scale.base);
    memcpy(bytes + 8, &scale.unit, sizeof scale.unit);
    for (int i = 0; i < TILE_ROOM * TILE_ROOM; i++) {
        const uint16_t q = pack_quantum(scale, z[i]);
        memcpy(bytes + 16 + 2 * i, &q, 2);
    }
}

int ground_tile(struct ground *g, int every, int row0, int col0, unsigned char bytes[TILE_BYTES],
                struct error *e)
{
    FREED float *z = malloc(sizeof *z * TILE_ROOM * TILE_ROOM);
    int status = z ? 0 : error_memory(e);
    for (int i = 0; i < TILE_ROOM * TILE_ROOM && z; i++) z[i] = NAN;
    if (!status && every < g->every) status = fill_from_file(g, every, row0, col0, z, e);
    else if (!status && atomic_load(&g->ready)) fill_from_means(g, every, row0, col0, z);
    else if (!status) status = error_cancelled(e);
    if (!status) pack_elevations(bytes, z);
    return status;
}
