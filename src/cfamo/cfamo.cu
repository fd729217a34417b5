/* cfamo.cu — atomics, memory-optimised: computeOutflows merged with the sums of massBalance. A cell
 * adds its outflows to its neighbours (gpu/give.h), and they are never stored. Two kernels per step:
 *
 *   computeOutflows_massBalance   z, h, T -> gain_m and heat of the cell and its neighbours
 *   massBalance_solidification    h, T, gain_m, heat -> z, h, T, s, records; the next emitLava
 *
 * and emitLava before the first step of a segment, reduceAdd after the last. */
#ifndef SCIARA_BLOCK_COLS /* among the fastest of profiling/block_sweep on an H200 */
#define SCIARA_BLOCK_COLS 16
#define SCIARA_BLOCK_ROWS 8
#endif
#include "gpu/block.h"
#include "gpu/give.h"

__global__ static void BLOCK_BOUNDS
computeOutflows_massBalance(const __grid_constant__ struct gpu_view v, int offset)
{
    struct gpu_work w = gpu_begin_early(&v, offset, true);
    gpu_wait();
    gpu_empty_list(&v, w.step, block_thread(threadIdx.y, threadIdx.x));
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int at = gpu_tile_at(&v, &w, i) + threadIdx.y * v.stride + threadIdx.x;
        double T, flow[8];
        if (gpu_outflows(&v, at, v.T[0], &T, flow)) gpu_give_flow(&v, at, T, flow);
    }
}

__global__ static void BLOCK_BOUNDS_MOST
massBalance_solidification(const __grid_constant__ struct gpu_view v, int offset, bool emit_next)
{
    struct gpu_work w = gpu_begin_early(&v, offset, false);
    if ((int)blockIdx.x >= w.count) gpu_wait();
    int row = threadIdx.y, col = threadIdx.x;
    gpu_word cooled = 0;
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int tile_at = gpu_tile_at(&v, &w, i), at = tile_at + row * v.stride + col;
        struct gpu_cell cell = gpu_load(&v, at);
        double next_m = gpu_load_emission(&v, at, cell.flag, offset + 1, emit_next);
        double h = __ldcg(v.h + at), T_before = __ldcg(v.T[0] + at), T;
        if (i == (int)blockIdx.x) gpu_wait();
        double gain = v.gain_m[at];
        long long heat = (long long)v.heat[at];
        if (gain != 0.0) v.gain_m[at] = 0.0;
        if (heat != 0) v.heat[at] = 0;
        unsigned wakes = gpu_finish(&v, at, &cell, row, col, w.step, h, T_before, gain, heat, &T,
                                    next_m, &cooled);
        if (T != T_before) v.T[0][at] = T;
        gpu_list_woken(&v, tile_at, block_thread(row, col), &w, wakes);
    }
    gpu_end_cooled(&v, cooled);
}

static void step(struct gpu *g, int offset, bool emit_next)
{
    block_launch(g, computeOutflows_massBalance, g->v, offset);
    block_launch(g, massBalance_solidification, g->v, offset, emit_next);
}

static const struct gpu_strategy strategy = {
    .steps_per_ms = 211,
    .arrays = GPU_SUMS,
    .tile_rows = BLOCK_ROWS,
    .tile_cols = BLOCK_COLS,
    .emitLava = gpu_emit_lava,
    .step = step,
    .reduceAdd = gpu_reduce_add,
};

static const struct gpu_kernel kernels[] = {GPU_KERNEL(emitLava, VENT_THREADS, 0),
                                            BLOCK_KERNEL(computeOutflows_massBalance),
                                            BLOCK_KERNEL(massBalance_solidification),
                                            GPU_KERNEL(reduceAdd, BLOCK_THREADS, 0),
                                            {}};
GPU_VARIANT(cfamo, "atomics, memory-optimised: outflows added to the neighbours, no layers",
            strategy, kernels);
