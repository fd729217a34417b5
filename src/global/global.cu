/* global.cu — global memory only, one kernel per elementary process, outflows in 8 layers.
 *
 *   emitLava         vents:  h, T                                   one thread a vent cell
 *   computeOutflows  z, h, T of a cell and its neighbours -> 8 layers
 *   massBalance      8 own layers, 8 neighbours' layers, their T -> h, and T into scratch
 *   solidification   h, scratch T -> z, h, T, s, records; lava at the border leaves */
#ifndef SCIARA_BLOCK_COLS /* among the fastest of profiling/block_sweep on an H200 */
#define SCIARA_BLOCK_COLS 16
#define SCIARA_BLOCK_ROWS 8
#endif
#define BLOCK_BOUNDED
#include "gpu/block.h"

__global__ static void emitLava(const __grid_constant__ struct gpu_view v, int offset)
{
    struct gpu_work w = gpu_begin(&v, offset);
    gpu_empty_list(&v, &w, threadIdx.x);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (v.control->stopped || i >= v.vent_count || offset == 1)
        return; /* step 1 is emitted already */
    int at = v.vent_at[i];
    if (i > 0 && v.vent_at[i - 1] == at) return; /* the first of several in one cell does all */
    double h = v.h[at], T = v.T[0][at];
    gpu_emit(&v, at, w.step, &h, &T);
    v.h[at] = h;
    v.T[0][at] = T;
}

__global__ static void BLOCK_BOUNDS computeOutflows(const __grid_constant__ struct gpu_view v,
                                                    int offset)
{
    struct gpu_work w = gpu_begin_early(&v, offset, false);
    gpu_wait();
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int at = gpu_tile_at(&v, &w, i) + threadIdx.y * v.stride + threadIdx.x;
        double T, flow[8];
        bool flows = gpu_outflows(&v, at, v.T[0], &T, flow);
#pragma unroll
        for (int k = 0; k < 8; k++) v.flow[k * (size_t)v.size + at] = flows ? flow[k] : 0.0;
    }
}

__global__ static void BLOCK_BOUNDS massBalance(const __grid_constant__ struct gpu_view v,
                                                int offset)
{
    struct gpu_work w = gpu_begin_early(&v, offset, false);
    int thread = block_thread(threadIdx.y, threadIdx.x);
    if ((int)blockIdx.x >= w.count) gpu_wait();
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int tile_at = gpu_tile_at(&v, &w, i), at = tile_at + threadIdx.y * v.stride + threadIdx.x;
        double h = __ldcg(v.h + at), T = __ldcg(v.T[0] + at), gain = 0.0;
        long long heat = 0;
        bool wet_before = h > 0.0, vent = v.flag[at] & CELL_VENT;
        if (i == (int)blockIdx.x) gpu_wait();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            int from = at + gpu_next_to(&v, k);
            double in = v.flow[PHYSICS_OPPOSITE(k) * (size_t)v.size + from];
            double out = v.flow[k * (size_t)v.size + at];
            gain += in - out;
            if (in > 0.0) heat += heat_of(in, v.T[0][from]);
            if (out > 0.0) heat -= heat_of(out, T);
        }
        if (wet_before || gain != 0.0) {
            physics_balance(gain, heat, &h, &T);
            v.h[at] = h;
            v.T[1][at] = T;
        }
        gpu_wake(&v, tile_at, thread, &w,
                 gpu_wakes(&v, threadIdx.y, threadIdx.x, wet_before, h > 0.0 || vent));
    }
}

__global__ static void BLOCK_BOUNDS solidification(const __grid_constant__ struct gpu_view v,
                                                   int offset)
{
    struct gpu_work w = gpu_begin_early(&v, offset, false);
    if ((int)blockIdx.x >= w.count) gpu_wait();
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int at = gpu_tile_at(&v, &w, i) + threadIdx.y * v.stride + threadIdx.x;
        struct gpu_cell c = gpu_load(&v, at);
        if (i == (int)blockIdx.x) gpu_wait();
        double h = v.h[at], T = v.T[1][at];
        if (h > 0.0) {
            gpu_settle(&v, at, &c, w.step, h, &T);
            v.T[0][at] = T;
        }
    }
}

static void step(struct gpu *g, int offset, bool emit_next)
{
    (void)emit_next; /* emitLava is a kernel of its own here */
    dim3 vents((g->v.vent_count + 127) / 128 + 1);
    gpu_launch(g, emitLava, vents, dim3(128), g->v, offset);
    block_launch(g, computeOutflows, g->v, offset);
    block_launch(g, massBalance, g->v, offset);
    block_launch(g, solidification, g->v, offset);
}

static const struct gpu_strategy strategy = {true,       false,      false, true, false,
                                             BLOCK_ROWS, BLOCK_COLS, step,  NULL, NULL};

static const struct gpu_kernel kernels[] = {{"emitLava", (const void *)emitLava, 128, 1, 0},
                                            BLOCK_KERNEL(computeOutflows),
                                            BLOCK_KERNEL(massBalance),
                                            BLOCK_KERNEL(solidification),
                                            {}};
GPU_VARIANT(global, "global memory only, one kernel per elementary process, 8 outflow layers",
            strategy, kernels);
