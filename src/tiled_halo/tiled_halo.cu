/* tiled_halo.cu — blocks of 16 x 16 cells (block.h) with 18 x 18 cells in shared memory. The threads also load the
 * halo, the ring of cells around the tile. So no thread has to test where the neighbours of its cell are. Two kernels
 * per step:
 *
 *   computeOutflows              z, h, T -> 8 layers of outflows
 *   massBalance_solidification   8 layers, T of the cell and its neighbours -> z, h, T, records of the next step;
 *                                emitLava for the next step
 *
 * emitLava runs before the first step of a segment (gpu/segments.cu), reduceAdd after the last step. */
#define BLOCK_BOUNDED
#include "gpu/block.h"

enum { HALO_COLS = BLOCK_COLS + 2, HALO_CELLS = (BLOCK_ROWS + 2) * HALO_COLS };

/* Cells of a tile and its halo have numbers i, row by row. Returns the index of cell i minus the index of the first
 * cell of the tile, in padded arrays. */
__device__ static inline int halo_cell(const struct gpu_view *v, int i)
{
    return (i / HALO_COLS - 1) * v->stride + i % HALO_COLS - 1;
}

__device__ static inline int in_halo(int row, int col, int k)
{
    return (row + 1 + PHYSICS_ROW(k)) * HALO_COLS + col + 1 + PHYSICS_COL(k);
}

__global__ static void BLOCK_BOUNDS computeOutflows(const __grid_constant__ struct gpu_view v,
                                                    int offset)
{
    __shared__ double z[HALO_CELLS], h[HALO_CELLS];
    struct gpu_work w = gpu_begin_early(&v, offset, true);
    int row = threadIdx.y, col = threadIdx.x, thread = block_thread(row, col);
    gpu_wait();
    gpu_empty_list(&v, w.step, thread);
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int tile_at = gpu_tile_at(&v, &w, i), at = tile_at + row * v.stride + col;
        for (int c = thread; c < HALO_CELLS; c += BLOCK_THREADS) {
            z[c] = v.z[tile_at + halo_cell(&v, c)];
            h[c] = v.h[tile_at + halo_cell(&v, c)];
        }
        __syncthreads();
        int here = (row + 1) * HALO_COLS + col + 1;
        double flow[8], T = v.T[w.step & 1][at];
        bool flows = false;
        if (h[here] > 0.0) {
            double zk[8], hk[8];
#pragma unroll
            for (int k = 0; k < 8; k++) {
                zk[k] = z[in_halo(row, col, k)];
                hk[k] = h[in_halo(row, col, k)];
            }
            flows = physics_outflows(&v.physics, z[here], h[here], T, zk, hk, flow);
        }
        gpu_store_flow(&v, at, flows, flow);
        __syncthreads();
    }
}

__global__ static void BLOCK_BOUNDS
massBalance_solidification(const __grid_constant__ struct gpu_view v, int offset, bool emit_next)
{
    __shared__ double T_tile[HALO_CELLS];
    struct gpu_work w = gpu_begin_early(&v, offset, false);
    int row = threadIdx.y, col = threadIdx.x, thread = block_thread(row, col);
    gpu_word cooled = 0;
    if ((int)blockIdx.x >= w.count) gpu_wait();
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int tile_at = gpu_tile_at(&v, &w, i), at = tile_at + row * v.stride + col;
        for (int c = thread; c < HALO_CELLS; c += BLOCK_THREADS)
            T_tile[c] = __ldcg(v.T[w.step & 1] + tile_at + halo_cell(&v, c));
        struct gpu_cell cell = gpu_load(&v, at);
        double next_m = gpu_load_emission(&v, at, cell.flag, offset + 1, emit_next);
        double h = __ldcg(v.h + at), gain;
        __syncthreads();
        double T = T_tile[(row + 1) * HALO_COLS + col + 1];
        if (i == (int)blockIdx.x) gpu_wait();
        long long heat;
        auto T_beside = [&](int k, int) { return T_tile[in_halo(row, col, k)]; };
        gpu_gather_flow(&v, at, T, T_beside, &gain, &heat);
        unsigned wakes =
            gpu_finish(&v, at, &cell, row, col, w.step, h, T, gain, heat, &T, next_m, &cooled);
        v.T[(w.step + 1) & 1][at] = T;
        /* gpu_list_woken() ends with a barrier, so then the next tile can be loaded into T_tile. */
        gpu_list_woken(&v, tile_at, thread, &w, wakes);
    }
    gpu_end_cooled(&v, cooled);
}

BLOCK_VARIANT(tiled_halo, "16 x 16 tiles with their halo, 18 x 18, in shared memory",
              computeOutflows, massBalance_solidification, .steps_per_ms = 184,
              .arrays = GPU_LAYERS | GPU_ALTERNATING_T);
