/* global.cu — global memory only, one kernel per elementary process, outflows in 8 layers.
 *
 *   emitLava         emission of the vents -> h, T of their cells (one thread per vent)
 *   computeOutflows  z, h, T of a cell and its neighbours -> 8 layers
 *   massBalance      8 layers and T of a cell and its neighbours -> h, scratch T (T[1])
 *   solidification   h, scratch T -> z, h, T, records; lava at the border leaves
 *
 * The heat lost by cooling is the heat after massBalance minus the heat after solidification. Kernel massBalance adds
 * the first heat to the sum `cooled`, and kernel solidification subtracts the second heat from this sum.
 *
 *   reduceAdd        after the last step of a segment (gpu/segments.cu): the sum of h */
/* Blocks of 16 x 8 threads are among the fastest on an H200 (profiling/block_sweep). */
#ifndef SCIARA_BLOCK_COLS
#define SCIARA_BLOCK_COLS 16
#define SCIARA_BLOCK_ROWS 8
#endif
#define BLOCK_BOUNDED
#include "gpu/block.h"

__global__ static void BLOCK_BOUNDS computeOutflows(const __grid_constant__ struct gpu_view v,
                                                    int offset)
{
    struct gpu_work w = gpu_begin_early(&v, offset, false);
    gpu_wait();
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int at = gpu_tile_at(&v, &w, i) + threadIdx.y * v.stride + threadIdx.x;
        double T, flow[8];
        bool flows = gpu_outflows(&v, at, v.T[0], &T, flow);
        gpu_store_flow(&v, at, flows, flow);
    }
}

__global__ static void BLOCK_BOUNDS massBalance(const __grid_constant__ struct gpu_view v,
                                                int offset)
{
    struct gpu_work w = gpu_begin_early(&v, offset, false);
    int thread = block_thread(threadIdx.y, threadIdx.x);
    gpu_word cooled = 0;
    if ((int)blockIdx.x >= w.count) gpu_wait();
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int tile_at = gpu_tile_at(&v, &w, i), at = tile_at + threadIdx.y * v.stride + threadIdx.x;
        double h = __ldcg(v.h + at), T = __ldcg(v.T[0] + at), gain;
        long long heat;
        bool wet_before = h > 0.0, vent = v.flag[at] & CELL_VENT;
        if (i == (int)blockIdx.x) gpu_wait();
        auto T_beside = [&](int, int from) { return v.T[0][from]; };
        gpu_gather_flow(&v, at, T, T_beside, &gain, &heat);
        if (wet_before || gain != 0.0) {
            cooled += (gpu_word)physics_balance(gain, heat, &h, &T);
            v.h[at] = h;
            v.T[1][at] = T;
        }
        gpu_list_woken(&v, tile_at, thread, &w,
                       gpu_tiles_woken(&v, threadIdx.y, threadIdx.x, wet_before, h > 0.0 || vent));
    }
    gpu_end_cooled(&v, cooled);
}

__global__ static void BLOCK_BOUNDS_MOST solidification(const __grid_constant__ struct gpu_view v,
                                                        int offset)
{
    struct gpu_work w = gpu_begin_early(&v, offset, false);
    gpu_word cooled = 0;
    if ((int)blockIdx.x >= w.count) gpu_wait();
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int at = gpu_tile_at(&v, &w, i) + threadIdx.y * v.stride + threadIdx.x;
        struct gpu_cell c = gpu_load(&v, at);
        if (i == (int)blockIdx.x) gpu_wait();
        double h = v.h[at], T = v.T[1][at];
        if (h > 0.0) {
            double z;
            gpu_settle(&v, at, &c, w.step, &z, &h, &T, 0, true, &cooled);
            v.T[0][at] = T;
        }
    }
    gpu_end_cooled(&v, cooled);
}

static void step(struct gpu *g, int offset, bool emit_next)
{
    (void)emit_next; /* emit_next is not used, because emitLava is a kernel of its own */
    if (offset > 1) gpu_emit_lava(g, offset, 0); /* enqueue_segment() emits for step 1 */
    block_launch(g, computeOutflows, g->v, offset);
    block_launch(g, massBalance, g->v, offset);
    block_launch(g, solidification, g->v, offset);
}

static const struct gpu_strategy strategy = {
    .steps_per_ms = 126,
    .arrays = GPU_LAYERS | GPU_SCRATCH_T,
    .tile_rows = BLOCK_ROWS,
    .tile_cols = BLOCK_COLS,
    .emitLava = gpu_emit_lava,
    .step = step,
    .reduceAdd = gpu_reduce_add,
};

static const struct gpu_kernel kernels[] = {GPU_KERNEL(emitLava, VENT_THREADS, 0),
                                            BLOCK_KERNEL(computeOutflows),
                                            BLOCK_KERNEL(massBalance),
                                            BLOCK_KERNEL(solidification),
                                            GPU_KERNEL(reduceAdd, BLOCK_THREADS, 0),
                                            {}};
GPU_VARIANT(global, "global memory only, one kernel per elementary process, 8 outflow layers",
            strategy, kernels);
