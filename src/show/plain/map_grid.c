/* map_grid.c — brings the cells of a map to the resolution of its page: whole cells per pixel, or whole pixels per cell. */
/* build: optimized */
#include "map_grid.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- the grid -------------------------------------------------------------------------------- */

/* Extends a range of cells on both sides, until it fills `room` or the domain. */
static void fill_room(int *first, int *count, int domain, int room)
{
    const int more = (room < domain ? room : domain) - *count;
    if (more <= 0) return;
    *first -= more / 2;
    *count += more;
    if (*first < 0) *first = 0;
    if (*first + *count > domain) *first = domain - *count;
}

/* Chooses whole pixels per node. If much of a page of given size would stay empty, the picture is drawn larger and then
 * reduced. */
static void choose_pixels(struct map_grid *g, struct map_room room)
{
    enum { MANY = 5 };
    const struct window *k = &g->crop;
    const double by_cols = (double)room.wide * g->block / k->cols,
                 by_rows = (double)room.high * g->block / k->rows;
    const double most = by_cols < by_rows ? by_cols : by_rows;
    g->pixels = g->enlarge;
    if (!room.fixed || most < 1 || most >= MANY) return;
    g->pixels = most;
    g->enlarge = (int)ceil(most - 1e-9);
}

/* Chooses whole pixels per cell, or whole cells per pixel, because other ratios would show a pattern. */
static void choose_size(struct map_grid *g, const struct map *m, struct map_room room)
{
    struct window *k = &g->crop;
    *k = m->crop.rows > 0 && m->crop.cols > 0 ? m->crop : (struct window){0, 0, m->rows, m->cols};
    /* a map may be a fifth larger than a room that is not fixed, so that nodes have fewer cells */
    const double slack = room.fixed ? 1 : 1.2;
    const int widest = (int)(slack * room.wide), highest = (int)(slack * room.high);
    const bool part = m->crop.rows > 0;
    const int by_cols = (part ? widest : room.wide) / k->cols,
              by_rows = (part ? highest : room.high) / k->rows;
    g->enlarge = by_cols < by_rows ? by_cols : by_rows;
    if (g->enlarge < 2) g->enlarge = k->cols <= widest / 2 && k->rows <= highest / 2 ? 2 : 1;
    const int a = (k->cols + widest - 1) / widest, b = (k->rows + highest - 1) / highest;
    g->block = a > b ? a : b;
    choose_pixels(g, room);
    /* The map may fill a fixed room. In any other room it leaves space for the legend next to it. */
    const double wide = room.fixed ? 1 : 0.65, high = room.fixed ? 1 : 0.8;
    fill_room(&k->col0, &k->cols, m->cols, (int)(wide * room.wide / g->pixels) * g->block);
    fill_room(&k->row0, &k->rows, m->rows, (int)(high * room.high / g->pixels) * g->block);
    g->rows = (k->rows + g->block - 1) / g->block;
    g->cols = (k->cols + g->block - 1) / g->block;
}

/* Sums over the cells of one node. */
struct node_sum {
    double elevation_sum, value_sum;
    int cells, with_elevation, with_value, inside, sea;
    int votes[MAP_CLASSES_MOST + 1];
};

static void add_cell(struct node_sum *h, const struct map *m, size_t i, double z, double v)
{
    h->cells++;
    if (map_usable(z)) h->elevation_sum += z, h->with_elevation++;
    if (m->outline && m->outline[i]) h->inside++;
    if (m->sea && m->sea[i]) h->sea++;
    if (!map_usable(v)) return;
    if (m->kind == MAP_SEQUENTIAL) {
        h->value_sum += v;
    } else {
        if (!(v >= 1 && v < m->class_count + 1.0)) return;
        h->votes[v < MAP_CLASSES_MOST ? (int)v : MAP_CLASSES_MOST]++;
    }
    h->with_value++;
}

static float commonest(const struct node_sum *h)
{
    int best = 1;
    for (int k = 2; k <= MAP_CLASSES_MOST; k++)
        if (h->votes[k] > h->votes[best]) best = k;
    return (float)best;
}

/* Fills a node; line: the rows of cells that the node covers. */
static void fill_node(struct map_grid *g, const struct map *m, const struct map_cells *line,
                      int row, int col)
{
    struct node_sum h = {0};
    size_t i = (size_t)row * g->cols + col;
    const struct window *k = &g->crop;
    const int row0 = k->row0 + row * g->block, col0 = k->col0 + col * g->block;
    const int row1 = row0 + g->block, col1 = col0 + g->block;
    for (int r = row0; r < row1 && r < k->row0 + k->rows; r++)
        for (int c = col0; c < col1 && c < k->col0 + k->cols; c++)
            add_cell(&h, m, (size_t)r * m->cols + c, (float)line[r - row0].elevation_m[c],
                     (float)line[r - row0].value[c]); /* rounded as in a record */
    g->elevation_m[i] = h.with_elevation ? (float)(h.elevation_sum / h.with_elevation) : NAN;
    g->value[i] = !h.with_value               ? NAN
                  : m->kind == MAP_SEQUENTIAL ? (float)(h.value_sum / h.with_value)
                                              : commonest(&h);
    int cover = (int)(255.0 * h.with_value / h.cells);
    g->cover[i] = (unsigned char)(h.with_value && !cover ? 1 : cover);
    if (g->inside) g->inside[i] = (float)h.inside / (float)h.cells;
    if (g->sea) g->sea[i] = !h.with_elevation && 2 * h.sea > h.cells;
}

/* Fills all nodes, row by row. */
static int fill_nodes(struct map_grid *g, const struct map *m)
{
    const struct window *k = &g->crop;
    const size_t room = m->row ? 2 * (size_t)m->cols : 0;
    bool whole = true;
#pragma omp parallel
    {
        FREED double *rows = malloc(((size_t)g->block * room + 1) * sizeof *rows);
        FREED struct map_cells *line = malloc((size_t)g->block * sizeof *line);
#pragma omp for schedule(dynamic, 4)
        for (int row = 0; row < g->rows; row++) {
            if (!rows || !line) {
#pragma omp atomic write
                whole = false;
                continue;
            }
            for (int i = 0; i < g->block && row * g->block + i < k->rows; i++)
                line[i] = map_cells(m, k->row0 + row * g->block + i, rows + (size_t)i * room);
            for (int col = 0; col < g->cols; col++) fill_node(g, m, line, row, col);
        }
    }
    return whole ? 0 : -1;
}

int map_grid_create(struct map_grid *g, const struct map *m, struct map_room room, struct error *e)
{
    *g = (struct map_grid){0};
    choose_size(g, m, room);
    size_t n = (size_t)g->rows * g->cols;
    g->elevation_m = malloc(n * sizeof(float));
    g->value = malloc(n * sizeof(float));
    g->cover = malloc(n);
    if (m->outline) g->inside = malloc(n * sizeof(float));
    if (m->sea) g->sea = malloc(n);
    FREED double *line = malloc(2 * (size_t)m->cols * sizeof *line);
    if (!line || !g->elevation_m || !g->value || !g->cover || (m->outline && !g->inside) ||
        (m->sea && !g->sea) || fill_nodes(g, m)) {
        map_grid_free(g);
        return error_memory(e);
    }
    g->range = map_range_of(m, line);
    g->lo = m->scale_low;
    g->hi = m->scale_high;
    if (!(g->hi > g->lo)) map_range_ends(&g->range, &g->lo, &g->hi);
    if (!(g->hi > g->lo)) g->hi = g->lo + 1;
    g->lowest_m = INFINITY;
    g->highest_m = -INFINITY;
    for (size_t i = 0; i < (size_t)g->rows * g->cols; i++) {
        if (isnan(g->elevation_m[i]) && !(g->sea && g->sea[i])) g->missing = true;
        g->lowest_m = fmin(g->lowest_m, g->elevation_m[i]); /* fmin() ignores NaN */
        g->highest_m = fmax(g->highest_m, g->elevation_m[i]);
    }
    return 0;
}

void map_grid_free(struct map_grid *g)
{
    RELEASE(g, g->elevation_m, g->value, g->cover, g->inside, g->sea);
}
