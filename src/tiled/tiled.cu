/* tiled.cu — blocks of 16 x 16 cells (block.h) with their z, h and T in shared memory; neighbours
 * outside the block come from global memory. Two kernels per step:
 *
 *   computeOutflows              z, h, T -> 8 layers of outflows
 *   massBalance_solidification   8 layers, T of the cell and its neighbours -> z, h, T, records of the next step;
 *                                emitLava for the next step
 *
 * emitLava runs before the first step of a segment (gpu/segments.cu), reduceAdd after the last step. */
#define BLOCK_BOUNDED
#include "gpu/block.h"

struct tile {
    double z[BLOCK_ROWS][BLOCK_COLS], h[BLOCK_ROWS][BLOCK_COLS], T[BLOCK_ROWS][BLOCK_COLS];
};

/* Whether neighbour k of (row, col) is in the same tile. */
__device__ static inline bool inside(int row, int col, int k)
{
    return (unsigned)(row + PHYSICS_ROW(k)) < BLOCK_ROWS &&
           (unsigned)(col + PHYSICS_COL(k)) < BLOCK_COLS;
}

__global__ static void BLOCK_BOUNDS computeOutflows(const __grid_constant__ struct gpu_view v,
                                                    int offset)
{
    __shared__ struct tile s;
    struct gpu_work w = gpu_begin_early(&v, offset, true);
    int row = threadIdx.y, col = threadIdx.x;
    gpu_wait();
    gpu_empty_list(&v, w.step, block_thread(row, col));
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int at = gpu_tile_at(&v, &w, i) + row * v.stride + col;
        double z = s.z[row][col] = v.z[at], h = s.h[row][col] = v.h[at];
        __syncthreads();
        double flow[8], T = v.T[w.step & 1][at];
        bool flows = false;
        if (h > 0.0) {
            double zk[8], hk[8];
#pragma unroll
            for (int k = 0; k < 8; k++) {
                bool in = inside(row, col, k);
                int r = row + PHYSICS_ROW(k), c = col + PHYSICS_COL(k),
                    to = at + gpu_next_to(&v, k);
                zk[k] = in ? s.z[r][c] : v.z[to];
                hk[k] = in ? s.h[r][c] : v.h[to];
            }
            flows = physics_outflows(&v.physics, z, h, T, zk, hk, flow);
        }
        gpu_store_flow(&v, at, flows, flow);
        __syncthreads();
    }
}

__global__ static void BLOCK_BOUNDS_MOST
massBalance_solidification(const __grid_constant__ struct gpu_view v, int offset, bool emit_next)
{
    __shared__ struct tile s;
    struct gpu_work w = gpu_begin_early(&v, offset, false);
    if ((int)blockIdx.x >= w.count) gpu_wait();
    const double *T_now = v.T[w.step & 1];
    int row = threadIdx.y, col = threadIdx.x;
    gpu_word cooled = 0;
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int tile_at = gpu_tile_at(&v, &w, i), at = tile_at + row * v.stride + col;
        double T = s.T[row][col] = __ldcg(T_now + at), h = __ldcg(v.h + at), gain;
        struct gpu_cell cell = gpu_load(&v, at);
        double next_m = gpu_load_emission(&v, at, cell.flag, offset + 1, emit_next);
        long long heat;
        if (i == (int)blockIdx.x) gpu_wait();
        __syncthreads();
        auto T_beside = [&](int k, int from) {
            return inside(row, col, k) ? s.T[row + PHYSICS_ROW(k)][col + PHYSICS_COL(k)]
                                       : T_now[from];
        };
        gpu_gather_flow(&v, at, T, T_beside, &gain, &heat);
        unsigned wakes =
            gpu_finish(&v, at, &cell, row, col, w.step, h, T, gain, heat, &T, next_m, &cooled);
        v.T[(w.step + 1) & 1][at] = T;
        gpu_list_woken(&v, tile_at, block_thread(row, col), &w, wakes);
    }
    gpu_end_cooled(&v, cooled);
}

BLOCK_VARIANT(tiled, "16 x 16 tiles in shared memory, neighbours outside from global memory",
              computeOutflows, massBalance_solidification, .steps_per_ms = 152,
              .arrays = GPU_LAYERS | GPU_ALTERNATING_T);
