/* build: optimized */
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

/* A ring buffer that holds the four rows of nodes around one row of cells, and the weighted sum of these four rows. The
 * rows cover the columns of a window. */
struct band {
    int64_t first, count; /* the first node of a row; number of its nodes */
    double *node[4], *sum;
    int64_t row[4]; /* row[i]: number of the row of nodes in node[i] */
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

static double band_at(const struct band *b, const struct terrain_error *t, int row, int col)
{
    double weight[4];
    if (!b->sum) return t->sd_m * terrain_error_node(t, row, col);
    const double *s = b->sum + (terrain_error_weights(t, col, weight) - b->first);
    return t->sd_m * terrain_error_sum(weight, s[0], s[1], s[2], s[3]);
}

/* ---- a spectrum ------------------------------------------------------------------------------ */

/* Octave k has the seed of the plan + k * OCTAVE. Plans have smaller seeds, so the seeds of all octaves
 * of all plans differ. */
static const uint64_t OCTAVE = UINT64_C(1) << 56;

void terrain_spectrum_set(struct terrain_spectrum *s, const struct terrain_error *first,
                          double hurst)
{
    const double nodes_most = TERRAIN_ERROR_LAG * (1 + 1e-9),
                 ratio = isinf(hurst) ? 0 : real_exp(-hurst * real_log(2));
    double sd = 1, squares = 0;
    s->count = 0;
    for (struct terrain_error t = *first; s->count < TERRAIN_OCTAVES; s->count++) {
        t.sd_m = sd;
        s->octave[s->count] = t;
        squares += sd * sd;
        sd *= ratio;
        t.seed += OCTAVE;
        t.nodes_per_cell *= 2;
        if (!(sd > 0) || t.nodes_per_cell == 0 || t.nodes_per_cell > nodes_most) break;
    }
    if (s->count < TERRAIN_OCTAVES) s->count++;
    for (int k = 0; k < s->count; k++) s->octave[k].sd_m *= first->sd_m / sqrt(squares);
}

double terrain_spectrum_at(const struct terrain_spectrum *s, int row, int col)
{
    double error_m = terrain_error_at(&s->octave[0], row, col);
    for (int k = 1; k < s->count; k++) error_m += terrain_error_at(&s->octave[k], row, col);
    return error_m;
}

double terrain_spectrum_most(const struct terrain_spectrum *s)
{
    double sum_m = 0;
    for (int k = 0; k < s->count; k++) sum_m += s->octave[k].sd_m;
    return QUANTILE_MOST * sum_m;
}

/* `from` and `to` are whole rows of the arrays, indexed by the columns of the grid. */
static void add_row(const struct terrain_spectrum *s, const struct band *b, int row,
                    const struct window *w, const double *from, double *to)
{
    for (int col = w->col0; col < w->col0 + w->cols; col++) {
        double error_m = band_at(&b[0], &s->octave[0], row, col);
        for (int k = 1; k < s->count; k++) error_m += band_at(&b[k], &s->octave[k], row, col);
        to[col] = isnan(from[col]) ? from[col] : lattice_round(from[col] + error_m);
    }
}

bool terrain_spectrum_add_in(const struct terrain_spectrum *s, struct window w, int cols,
                             const double *from, double *to)
{
    struct band b[TERRAIN_OCTAVES] = {0};
    const bool any = s->octave[0].sd_m > 0;
    bool good = true;
    for (int k = 0; k < s->count && any; k++)
        if (s->octave[k].nodes_per_cell > 0) good = good && band_create(&b[k], &s->octave[k], &w);
    for (int row = w.row0; row < w.row0 + w.rows && good; row++) {
        const size_t at = (size_t)row * (size_t)cols, first = at + (size_t)w.col0;
        for (int k = 0; k < s->count; k++)
            if (b[k].sum) band_fill(&b[k], &s->octave[k], row);
        if (any) add_row(s, b, row, &w, from + at, to + at);
        else memmove(to + first, from + first, (size_t)w.cols * sizeof *to);
    }
    for (int k = 0; k < s->count; k++) free(b[k].node[0]);
    return good;
}

bool terrain_spectrum_add(const struct terrain_spectrum *s, int rows, int cols, const double *from,
                          double *to)
{
    return terrain_spectrum_add_in(s, (struct window){0, 0, rows, cols}, cols, from, to);
}

bool terrain_error_add(const struct terrain_error *t, int rows, int cols, const double *from,
                       double *to)
{
    return terrain_spectrum_add(&(struct terrain_spectrum){1, {*t}}, rows, cols, from, to);
}
