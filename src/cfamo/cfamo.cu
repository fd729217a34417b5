/* cfamo.cu — cells add their outflows to their neighbours by atomics. Outflows are not stored, so cfamo
 * takes less memory than cfame. There are two kernels per step, the second in gpu/give.h:
 *
 *   computeOutflows_massBalance   z, h, T -> gain_m and heat of the cell and its neighbours
 *   massBalance_solidification    h, T, gain_m, heat -> z, h, T, records; emitLava for the next step
 *
 * emitLava runs before the first step of a segment (gpu/segments.cu), reduceAdd after the last step. */
/* Blocks of 16 x 8 threads are among the fastest on an H200 (profiling/block_sweep). */
#ifndef SCIARA_BLOCK_COLS
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

BLOCK_VARIANT(cfamo, "atomics, memory-optimised: outflows added to the neighbours, no layers",
              computeOutflows_massBalance, massBalance_solidification, .steps_per_ms = 211,
              .arrays = GPU_SUMS);
