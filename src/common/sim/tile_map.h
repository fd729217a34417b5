/* tile_map.h — records which square tiles of a domain have been filled, for arrays that are filled only where they are
 * needed. Any thread may call tile_map_need() at any time. */
#pragma once

#include "base/error.h"
#include "problem.h"

#include <pthread.h>

enum { TILE_MAP_SIDE = 256 };

struct tile_map {
    int rows, cols, side, down, across; /* size of the domain, side of a tile, number of tiles down
                                         * and across */
    unsigned char *there;               /* down*across */
    pthread_mutex_t lock;
};

/* Makes a map in which all tiles are missing. False: out of memory. */
bool tile_map_create(struct tile_map *m, int rows, int cols, int side);
void tile_map_free(struct tile_map *m); /* all-zero is fine */

/* Fills a rectangle of whole tiles, cut at the edges of the domain. */
typedef int tile_filler(void *self, struct window part, struct error *e);

/* Calls fill() for all missing tiles of a window; only one thread at a time fills tiles. A rectangle for which fill()
 * fails stays missing. */
int tile_map_need(struct tile_map *m, struct window w, tile_filler *fill, void *self,
                  struct error *e);

/* Calls fill() once more for each tile that tile_map_need() has filled. */
int tile_map_each(const struct tile_map *m, tile_filler *fill, void *self, struct error *e);
