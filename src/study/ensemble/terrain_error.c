#include "terrain_error.h"

#include <stdlib.h>

double terrain_error_at(const struct terrain_error *t, int row, int col)
{
    double down[4], across[4], sum[4];
    if (t->sd_m == 0) return 0;
    if (t->nodes_per_cell == 0) return t->sd_m * terrain_error_node(t, row, col);
    const int64_t i = terrain_error_weights(t, row, down),
                  j = terrain_error_weights(t, col, across);
    for (int k = 0; k < 4; k++)
        sum[k] = terrain_error_sum(
            down, terrain_error_node(t, i, j + k), terrain_error_node(t, i + 1, j + k),
            terrain_error_node(t, i + 2, j + k), terrain_error_node(t, i + 3, j + k));
    return t->sd_m * terrain_error_sum(across, sum[0], sum[1], sum[2], sum[3]);
}

/* Four rows of nodes for the columns of a window, a ring, and what they add up to in the present row of
 * cells. */
struct band {
    int64_t first, count; /* nodes of a row */
    double *node[4], *sum;
    int64_t row[4]; /* which row stands in each */
};

static bool band_create(struct band *b, const struct terrain_error *t, const struct window *w)
{
    double weight[4];
    b->first = terrain_error_weights(t, w->col0, weight);
    b->count = terrain_error_weights(t, w->col0 + w->cols - 1, weight) + 4 - b->first;
    double *all = malloc(5 * (size_t)b->count * sizeof *all);
    for (int i = 0; i < 4 && all; i++) {
        b->node[i] = all + i * b->count;
        b->row[i] = -2;
    }
    b->sum = all ? all + 4 * b->count : NULL;
    return all != NULL;
}

static void band_fill(struct band *b, const struct terrain_error *t, int row)
{
    double weight[4];
    const double *n[4];
    const int64_t first = terrain_error_weights(t, row, weight);
    for (int64_t i = first; i < first + 4; i++) {
        const int at = (int)(i & 3);
        n[i - first] = b->node[at];
        if (b->row[at] == i) continue;
        b->row[at] = i;
        for (int64_t j = 0; j < b->count; j++)
            b->node[at][j] = terrain_error_node(t, i, b->first + j);
    }
    for (int64_t j = 0; j < b->count; j++)
        b->sum[j] = terrain_error_sum(weight, n[0][j], n[1][j], n[2][j], n[3][j]);
}

/* `from` and `to` are rows of the arrays. */
static void add_row(const struct terrain_error *t, const struct band *b, int row,
                    const struct window *w, const double *from, double *to)
{
    double weight[4], error_m;
    for (int col = w->col0; col < w->col0 + w->cols; col++) {
        if (b->sum) {
            const double *s = b->sum + (terrain_error_weights(t, col, weight) - b->first);
            error_m = t->sd_m * terrain_error_sum(weight, s[0], s[1], s[2], s[3]);
        } else {
            error_m = t->sd_m * terrain_error_node(t, row, col);
        }
        to[col] = isnan(from[col]) ? from[col] : lattice_round(from[col] + error_m);
    }
}

bool terrain_error_add_in(const struct terrain_error *t, struct window w, int cols,
                          const double *from, double *to)
{
    struct band b = {0};
    if (t->nodes_per_cell > 0 && t->sd_m > 0 && !band_create(&b, t, &w)) return false;
    for (int row = w.row0; row < w.row0 + w.rows; row++) {
        const size_t at = (size_t)row * (size_t)cols, first = at + (size_t)w.col0;
        if (b.sum) band_fill(&b, t, row);
        if (t->sd_m > 0) add_row(t, &b, row, &w, from + at, to + at);
        else memmove(to + first, from + first, (size_t)w.cols * sizeof *to);
    }
    free(b.node[0]);
    return true;
}

bool terrain_error_add(const struct terrain_error *t, int rows, int cols, const double *from,
                       double *to)
{
    return terrain_error_add_in(t, (struct window){0, 0, rows, cols}, cols, from, to);
}
