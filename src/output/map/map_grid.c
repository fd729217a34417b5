/* map_grid.c — the cells that a map shows, as whole cells to a pixel or whole pixels to a cell. */
#include "map.h"
#include "map_page.h"

#include "draw/roundnum.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- the part of the domain that a map shows ------------------------------------------------- */

enum { LEAST = 48 }; /* cells on a side: fewer would be a mosaic */

static bool has(const double *value, const unsigned char *mask, size_t i)
{
    return mask ? mask[i] != 0 : fabs(value[i]) < 1e30;
}

static void enclose_all(struct window *k, int rows, int cols, const double *value,
                        const unsigned char *mask)
{
    for (int row = 0; row < rows; row++) {
        const size_t at = (size_t)row * (size_t)cols;
        int first = 0, last = cols - 1;
        while (first < cols && !has(value, mask, at + (size_t)first)) first++;
        if (first == cols) continue;
        while (!has(value, mask, at + (size_t)last)) last--;
        *k = window_of_both(*k, (struct window){row, first, 1, last - first + 1});
    }
}

void map_crop_mask(struct window *k, int rows, int cols, const unsigned char *mask)
{
    if (mask) enclose_all(k, rows, cols, NULL, mask);
}

static void widen(int *first, int *count, int domain)
{
    int margin = *count / 12 + 4;
    if (*count + 2 * margin < LEAST) margin = (LEAST - *count + 1) / 2;
    const int end = *first + *count + margin;
    *first = *first > margin ? *first - margin : 0;
    *count = (end < domain ? end : domain) - *first;
}

void map_crop_finish(struct window *k, int rows, int cols)
{
    if (k->rows) {
        widen(&k->row0, &k->rows, rows);
        widen(&k->col0, &k->cols, cols);
    }
    if (k->rows > 0.8 * rows && k->cols > 0.8 * cols) *k = (struct window){0};
}

static void enclose_places(struct window *k, const struct map *m, const struct map_place *t,
                           int count)
{
    for (int i = 0; i < count; i++) {
        const double(*xy)[2] = t[i].xy;
        for (int part = 0; part < t[i].parts; xy += t[i].part_size[part++])
            for (int n = 0; n < t[i].part_size[part]; n++) {
                const double col = floor((xy[n][0] - m->geo.west_m) / m->geo.cell_m);
                const double row = m->rows - 1 - floor((xy[n][1] - m->geo.south_m) / m->geo.cell_m);
                if (row >= 0 && col >= 0 && row < m->rows && col < m->cols)
                    window_add(k, (int)row, (int)col);
            }
    }
}

void map_crop_content(struct map *m)
{
    m->crop = (struct window){0};
    enclose_all(&m->crop, m->rows, m->cols, m->value, NULL);
    map_crop_mask(&m->crop, m->rows, m->cols, m->mark);
    map_crop_mask(&m->crop, m->rows, m->cols, m->outline);
    enclose_places(&m->crop, m, m->places, m->place_count);
    enclose_places(&m->crop, m, m->barriers, m->barrier_count);
    map_crop_finish(&m->crop, m->rows, m->cols);
}

/* ---- the grid -------------------------------------------------------------------------------- */

/* Cells from `first` that fill `room`, around those that have to be there, inside the domain. */
static void fill(int *first, int *count, int domain, int room)
{
    const int more = (room < domain ? room : domain) - *count;
    if (more <= 0) return;
    *first -= more / 2;
    *count += more;
    if (*first < 0) *first = 0;
    if (*first + *count > domain) *first = domain - *count;
}

/* Whole pixels per node, unless on a page of a given size they would be so few that much of it
 * stayed empty: then the picture is made smaller. */
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

/* Whole pixels per cell or whole cells per pixel: anything between would show as a pattern. */
static void choose_size(struct map_grid *g, const struct map *m, struct map_room room)
{
    struct window *k = &g->crop;
    *k = m->crop.rows > 0 && m->crop.cols > 0 ? m->crop : (struct window){0, 0, m->rows, m->cols};
    /* some more pixels are better than fewer cells */
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
    /* a page of its own is filled, another one only until the legend has room beside it */
    const double wide = room.fixed ? 1 : 0.65, high = room.fixed ? 1 : 0.8;
    fill(&k->col0, &k->cols, m->cols, (int)(wide * room.wide / g->pixels) * g->block);
    fill(&k->row0, &k->rows, m->rows, (int)(high * room.high / g->pixels) * g->block);
    g->rows = (k->rows + g->block - 1) / g->block;
    g->cols = (k->cols + g->block - 1) / g->block;
}

/* Numbers that a picture can show; what is beyond counts as missing. */
static bool usable(double v)
{
    return fabs(v) < 1e30;
}

/* What is summed up over the cells of one node. */
struct node_sum {
    double elevation_sum, value_sum;
    int cells, with_elevation, with_value, inside, sea;
    int votes[MAP_CLASSES_MOST + 1];
};

static void add_cell(struct node_sum *h, const struct map *m, size_t i, double z, double v)
{
    h->cells++;
    if (usable(z)) h->elevation_sum += z, h->with_elevation++;
    if (m->outline && m->outline[i]) h->inside++;
    if (m->sea && m->sea[i]) h->sea++;
    if (!usable(v)) return;
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

/* A row of the map; `room` is for one of elevations and one of values, where there are no arrays. */
struct cells {
    const double *elevation_m, *value;
};

static struct cells cells_of(const struct map *m, int row, double *room)
{
    const size_t at = (size_t)row * (size_t)m->cols;
    if (!m->row) return (struct cells){m->elevation_m ? m->elevation_m + at : NULL, m->value + at};
    m->row(m->row_of, row, room, room + m->cols);
    return (struct cells){room, room + m->cols};
}

/* line: the rows of the map that are in the node */
static void fill_node(struct map_grid *g, const struct map *m, const struct cells *line, int row,
                      int col)
{
    struct node_sum h = {0};
    size_t i = (size_t)row * g->cols + col;
    const struct window *k = &g->crop;
    const int row0 = k->row0 + row * g->block, col0 = k->col0 + col * g->block;
    const int row1 = row0 + g->block, col1 = col0 + g->block;
    for (int r = row0; r < row1 && r < k->row0 + k->rows; r++)
        for (int c = col0; c < col1 && c < k->col0 + k->cols; c++)
            add_cell(&h, m, (size_t)r * m->cols + c, line[r - row0].elevation_m[c],
                     line[r - row0].value[c]);
    g->elevation_m[i] = h.with_elevation ? (float)(h.elevation_sum / h.with_elevation) : NAN;
    g->value[i] = !h.with_value               ? NAN
                  : m->kind == MAP_SEQUENTIAL ? (float)(h.value_sum / h.with_value)
                                              : commonest(&h);
    int cover = (int)(255.0 * h.with_value / h.cells);
    g->cover[i] = (unsigned char)(h.with_value && !cover ? 1 : cover);
    if (g->inside) g->inside[i] = (float)h.inside / (float)h.cells;
    if (g->sea) g->sea[i] = !h.with_elevation && 2 * h.sea > h.cells;
}

/* All nodes, a row of them after the other. */
static int fill_nodes(struct map_grid *g, const struct map *m)
{
    const struct window *k = &g->crop;
    const size_t room = m->row ? 2 * (size_t)m->cols : 0;
    bool whole = true;
#pragma omp parallel
    {
        FREED double *rows = malloc(((size_t)g->block * room + 1) * sizeof *rows);
        FREED struct cells *line = malloc((size_t)g->block * sizeof *line);
#pragma omp for schedule(dynamic, 4)
        for (int row = 0; row < g->rows; row++) {
            if (!rows || !line) {
#pragma omp atomic write
                whole = false;
                continue;
            }
            for (int i = 0; i < g->block && row * g->block + i < k->rows; i++)
                line[i] = cells_of(m, k->row0 + row * g->block + i, rows + (size_t)i * room);
            for (int col = 0; col < g->cols; col++) fill_node(g, m, line, row, col);
        }
    }
    return whole ? 0 : -1;
}

/* room: for a row of cells_of() */
static void find_range(struct map_grid *g, const struct map *m, double *room)
{
    size_t count = 0;
    double least = INFINITY, most = -INFINITY;
    for (int row = 0; row < m->rows; row++) {
        const double *value = cells_of(m, row, room).value;
        for (int col = 0; col < m->cols; col++) {
            const double v = value[col];
            if (!usable(v)) continue;
            count++;
            if (v < least) least = v;
            if (v > most) most = v;
        }
    }
    g->count = count;
    g->least = count ? least : 0;
    g->most = count ? most : 0;
}

static void find_usual(struct map_grid *g, const struct map *m, double *room)
{
    enum { BINS = 4096 };
    size_t bin[BINS + 1] = {0}, seen = 0;
    double per_unit = BINS / (g->most - g->least);
    g->usual_most = g->most;
    if (!(g->most > g->least) || !isfinite(per_unit)) return;
    /* On one thread: OMP_STACKSIZE may leave others no room for the bins. */
    for (int row = 0; row < m->rows; row++) {
        const double *value = cells_of(m, row, room).value;
        for (int col = 0; col < m->cols; col++)
            if (usable(value[col])) bin[(int)((value[col] - g->least) * per_unit)]++;
    }
    for (int k = 0; k <= BINS; k++) {
        seen += bin[k];
        if ((double)seen < 0.998 * (double)g->count) continue;
        g->usual_most = fmin(g->most, g->least + (k + 1) / per_unit);
        return;
    }
}

/* From 0 where the values reach down to less than half of the largest, as thicknesses do; up to the
 * largest, unless a few far out ones would make everything else one colour. */
void map_range_of(const struct map_grid *g, double *low, double *high)
{
    const double span = g->most - g->least, low_step = roundnum_above(fmax(span, 1e-30) / 8);
    *high = g->most;
    if (g->least >= 0 && (g->least <= 0.5 * g->most || span == 0)) *low = 0;
    else *low = floor(g->least / low_step) * low_step;
    const double usual = g->usual_most - *low;
    if (usual > 0 && usual < 0.6 * (*high - *low)) {
        const double step = roundnum_above(usual / 8);
        *high = *low + step * ceil(usual / step);
    }
}

void map_range(const double *value, size_t count, double *low, double *high)
{
    const struct map all = {.rows = 1, .cols = (int)count, .value = value};
    struct map_grid g = {0};
    find_range(&g, &all, NULL);
    find_usual(&g, &all, NULL);
    map_range_of(&g, low, high);
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
    find_range(g, m, line);
    find_usual(g, m, line);
    g->lowest_m = INFINITY;
    g->highest_m = -INFINITY;
    for (size_t i = 0; i < (size_t)g->rows * g->cols; i++) {
        if (isnan(g->elevation_m[i]) && !(g->sea && g->sea[i])) g->missing = true;
        g->lowest_m = fmin(g->lowest_m, g->elevation_m[i]); /* fmin leaves a NaN aside */
        g->highest_m = fmax(g->highest_m, g->elevation_m[i]);
    }
    return 0;
}

void map_grid_free(struct map_grid *g)
{
    free(g->elevation_m);
    free(g->value);
    free(g->cover);
    free(g->inside);
    free(g->sea);
    *g = (struct map_grid){0};
}
