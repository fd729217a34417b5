/* terrain.h — the terrain and the lava with which a member begins, cell by cell. A cell is read or computed when a
 * window needs it, so a member has memory only for the window of its lava. */
#ifndef SCIARA_BATCH_TERRAIN_H
#define SCIARA_BATCH_TERRAIN_H

#include "view.h"

/* ---- the error of a terrain ------------------------------------------------------------------ */

/* The random numbers at the nodes of a terrain error (random/terrain_error.h), around some cells. Each number is
 * computed once for all these cells. */
struct batch_nodes {
    const double *node; /* row by row; NULL: each cell computes its own nodes */
    int64_t i0, j0;     /* the first node */
    int cols;
};

__device__ static inline int64_t batch_first_node(const struct terrain_error *t, int cell)
{
    double weight[4];
    return terrain_error_weights(t, cell, weight);
}

/* Computes the nodes around rows x cols cells of the domain, with the first cell (row, col). `node` has room for
 * `most` numbers. The result has node NULL if more than `most` nodes are needed, if the terrain has no error, or if its
 * error is not correlated (nodes_per_cell 0). All threads of the block take part. There is a barrier before the nodes
 * are written, and another barrier after. */
__device__ static inline struct batch_nodes batch_find_nodes(const struct terrain_error *t, int row,
                                                             int col, int rows, int cols,
                                                             double *node, int most)
{
    struct batch_nodes n = {};
    if (t->sd_m == 0.0 || t->nodes_per_cell == 0.0) return n;
    const int first_row = max(row, 0), first_col = max(col, 0);
    n.i0 = batch_first_node(t, first_row);
    n.j0 = batch_first_node(t, first_col);
    const int64_t down = batch_first_node(t, max(row + rows - 1, first_row)) + 4 - n.i0,
                  across = batch_first_node(t, max(col + cols - 1, first_col)) + 4 - n.j0;
    if (down * across > most) return n;
    n.cols = (int)across;
    n.node = node;
    __syncthreads();
    for (int k = (int)threadIdx.x; k < (int)(down * across); k += (int)blockDim.x)
        node[k] = terrain_error_node(t, n.i0 + k / n.cols, n.j0 + k % n.cols);
    __syncthreads();
    return n;
}

/* The error of the terrain at a cell, in m. The operations and their order are those of terrain_error_at(), so that
 * both results have the same bits. */
__device__ static inline double batch_error(const struct terrain_error *t,
                                            const struct batch_nodes *nodes, int row, int col)
{
    double down[4], across[4], sum[4];
    if (t->nodes_per_cell == 0) return t->sd_m * terrain_error_node(t, row, col);
    const int64_t i = terrain_error_weights(t, row, down),
                  j = terrain_error_weights(t, col, across);
    for (int k = 0; k < 4; k++) {
        double node[4];
#pragma unroll 1
        for (int n = 0; n < 4; n++)
            node[n] = nodes->node
                          ? nodes->node[(i + n - nodes->i0) * nodes->cols + (j + k - nodes->j0)]
                          : terrain_error_node(t, i + n, j + k);
        sum[k] = terrain_error_sum(down, node[0], node[1], node[2], node[3]);
    }
    return t->sd_m * terrain_error_sum(across, sum[0], sum[1], sum[2], sum[3]);
}

/* ---- cells ----------------------------------------------------------------------------------- */

__device__ static inline bool batch_inside(const struct batch_view *v, int row, int col)
{
    return row >= 0 && row < v->rows && col >= 0 && col < v->cols;
}

/* Whether a cell has terrain data. The terrain error is not added here, because it changes only elevations. */
__device__ static inline bool batch_has_data(const struct batch_view *v,
                                             const struct batch_member *m, int row, int col)
{
    if (!batch_inside(v, row, col)) return false;
    const double *elevation_m = m->elevation_m ? m->elevation_m : v->elevation_m;
    double z = elevation_m[(size_t)row * (size_t)v->cols + (size_t)col];
    return z == z;
}

__device__ static inline bool batch_is_border(const struct batch_view *v,
                                              const struct batch_member *m, int row, int col)
{
    for (int k = 0; k < 8; k++)
        if (!batch_has_data(v, m, row + PHYSICS_ROW(k), col + PHYSICS_COL(k))) return true;
    return false;
}

/* The elevation of a cell of the domain when the member begins; NaN: no data. */
__device__ static inline double batch_elevation(const struct batch_view *v,
                                                const struct batch_member *m,
                                                const struct batch_nodes *nodes, int row, int col)
{
    const size_t at = (size_t)row * (size_t)v->cols + (size_t)col;
    const double z = m->elevation_m ? m->elevation_m[at] : v->elevation_m[at];
    if (m->error.sd_m == 0.0 || z != z) return z;
    return lattice_round(z + batch_error(&m->error, nodes, row, col));
}

/* The state of a cell of the domain when the member begins. */
struct batch_start {
    double z, h, T, s;
};
__device__ static inline struct batch_start batch_start_of(const struct batch_view *v, double z,
                                                           int row, int col)
{
    const size_t at = (size_t)row * (size_t)v->cols + (size_t)col;
    return {z, v->thickness_m ? v->thickness_m[at] : 0.0, v->temp_K ? v->temp_K[at] : 0.0,
            v->solid_m ? v->solid_m[at] : 0.0};
}

#endif
