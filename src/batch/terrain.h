/* terrain.h — the terrain and the state that a member begins with, cell by cell: read or computed
 * wherever they are needed, so that a member has memory for the window of its lava alone. */
#ifndef SCIARA_BATCH_TERRAIN_H
#define SCIARA_BATCH_TERRAIN_H

#include "view.h"

/* terrain_error_at(), which is for the host, by the same operations; loops stay loops. */
__device__ static inline double batch_error(const struct terrain_error *t, int row, int col)
{
    double down[4], across[4], sum[4];
    if (t->nodes_per_cell == 0) return t->sd_m * terrain_error_node(t, row, col);
    const int64_t i = terrain_error_weights(t, row, down),
                  j = terrain_error_weights(t, col, across);
    for (int k = 0; k < 4; k++) {
        double node[4];
#pragma unroll 1
        for (int n = 0; n < 4; n++) node[n] = terrain_error_node(t, i + n, j + k);
        sum[k] = terrain_error_sum(down, node[0], node[1], node[2], node[3]);
    }
    return t->sd_m * terrain_error_sum(across, sum[0], sum[1], sum[2], sum[3]);
}

__device__ static inline bool batch_inside(const struct batch_view *v, int row, int col)
{
    return row >= 0 && row < v->rows && col >= 0 && col < v->cols;
}

/* Errors of the terrain leave cells without data as they are. */
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

/* A cell of the domain when the member begins. */
struct batch_start {
    double z; /* NaN: no data */
    double h, T, s;
};
__device__ static inline struct batch_start
batch_start_of(const struct batch_view *v, const struct batch_member *m, int row, int col)
{
    const size_t at = (size_t)row * (size_t)v->cols + (size_t)col;
    struct batch_start c = {m->elevation_m ? m->elevation_m[at] : v->elevation_m[at],
                            v->thickness_m ? v->thickness_m[at] : 0.0,
                            v->temp_K ? v->temp_K[at] : 0.0, v->solid_m ? v->solid_m[at] : 0.0};
    if (m->error.sd_m != 0.0 && c.z == c.z)
        c.z = lattice_round(c.z + batch_error(&m->error, row, col));
    return c;
}

#endif
