/* ground.h — tiles of a terrain of any size, at any scale, for a map. */
#pragma once

#include "base/error.h"
#include "raster/raster.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Fine tiles are read from the file. Coarse tiles are made from means of blocks of `every` x `every` cells. These means
 * are computed once: at the start or, for a large terrain, by a thread. */
struct ground {
    struct raster_file *file;
    struct raster_unit unit;
    pthread_mutex_t lock; /* for the file */
    int rows, cols;
    int every, mean_rows, mean_cols; /* size of the blocks; rows and columns of means */
    float *mean_m;                   /* NaN: no data */
    double least_m, most_m;          /* extremes of the means; NaN: not known yet */
    pthread_t thread;
    bool started;
    atomic_bool ready, stop;
    struct error why; /* why the thread cannot compute the means; then `ready` stays false */
};

int ground_open(struct ground *g, const char *path, struct error *e);
void ground_close(struct ground *g); /* all-zero is fine */

/* A tile is base and unit as doubles, then 258 x 258 quanta (pack.h). 65535: no data. Each quantum is the mean of a
 * block of `every` x `every` cells: 256 x 256 blocks from cell (row0, col0) on, and one more block on each side. */
enum { TILE_SIDE = 256, TILE_ROOM = TILE_SIDE + 2, TILE_BYTES = 16 + 2 * TILE_ROOM * TILE_ROOM };
bool ground_has_tile(const struct ground *g, int64_t every, int64_t row0, int64_t col0);
/* ERROR_CANCELLED: the means are not ready yet; ask again. */
int ground_tile(struct ground *g, int every, int row0, int col0, unsigned char bytes[TILE_BYTES],
                struct error *e);
