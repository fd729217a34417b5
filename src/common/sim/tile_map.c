/* tile_map.c — fills missing tiles, in large rectangles. */
#include "tile_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool tile_map_create(struct tile_map *m, int rows, int cols, int side)
{
    *m = (struct tile_map){.rows = rows,
                           .cols = cols,
                           .side = side,
                           .down = (rows - 1) / side + 1,
                           .across = (cols - 1) / side + 1};
    m->there = calloc((size_t)m->down * (size_t)m->across, 1);
    if (m->there) pthread_mutex_init(&m->lock, NULL);
    return m->there != NULL;
}

void tile_map_free(struct tile_map *m)
{
    if (m->there) pthread_mutex_destroy(&m->lock);
    free(m->there);
    *m = (struct tile_map){0};
}

/* A rectangle of tiles: rows row0 to row1 - 1, columns col0 to col1 - 1. */
struct tiles {
    int row0, col0, row1, col1;
};

static struct window cells_of(const struct tile_map *m, struct tiles t)
{
    const int row0 = t.row0 * m->side, col0 = t.col0 * m->side;
    return (struct window){row0, col0,
                           t.row1 < m->down ? (t.row1 - t.row0) * m->side : m->rows - row0,
                           t.col1 < m->across ? (t.col1 - t.col0) * m->side : m->cols - col0};
}

static unsigned char *row_of(const struct tile_map *m, int row)
{
    return m->there + (size_t)row * (size_t)m->across;
}

/* Whether all tiles of a row in columns col0 to col1 - 1 are missing. */
static bool is_missing(const struct tile_map *m, int row, int col0, int col1)
{
    return !memchr(row_of(m, row) + col0, 1, (size_t)(col1 - col0));
}

/* The rectangle of missing tiles whose first tile is at row, col: as wide as possible, then as high
 * as possible. */
static struct tiles grow_from(const struct tile_map *m, const struct tiles *all, int row, int col)
{
    struct tiles t = {row, col, row + 1, col + 1};
    while (t.col1 < all->col1 && !row_of(m, row)[t.col1]) t.col1++;
    while (t.row1 < all->row1 && is_missing(m, t.row1, col, t.col1)) t.row1++;
    return t;
}

static int fill_missing(struct tile_map *m, const struct tiles *all, tile_filler *fill, void *self,
                        struct error *e)
{
    for (int row = all->row0; row < all->row1; row++)
        for (int col = all->col0; col < all->col1; col++) {
            if (row_of(m, row)[col]) continue;
            const struct tiles t = grow_from(m, all, row, col);
            const int status = fill(self, cells_of(m, t), e);
            if (status) return status;
            for (int i = t.row0; i < t.row1; i++)
                memset(row_of(m, i) + t.col0, 1, (size_t)(t.col1 - t.col0));
        }
    return 0;
}

int tile_map_need(struct tile_map *m, struct window w, tile_filler *fill, void *self,
                  struct error *e)
{
    assert(w.row0 >= 0 && w.col0 >= 0 && w.rows <= m->rows - w.row0 && w.cols <= m->cols - w.col0);
    if (w.rows < 1 || w.cols < 1) return 0;
    const struct tiles all = {w.row0 / m->side, w.col0 / m->side,
                              (w.row0 + w.rows - 1) / m->side + 1,
                              (w.col0 + w.cols - 1) / m->side + 1};
    pthread_mutex_lock(&m->lock);
    const int status = fill_missing(m, &all, fill, self, e);
    pthread_mutex_unlock(&m->lock);
    return status;
}

int tile_map_each(const struct tile_map *m, tile_filler *fill, void *self, struct error *e)
{
    int status = 0;
    for (int row = 0; row < m->down; row++)
        for (int col = 0; col < m->across && !status; col++)
            if (row_of(m, row)[col])
                status = fill(self, cells_of(m, (struct tiles){row, col, row + 1, col + 1}), e);
    return status;
}
