/* cfame.cu — atomics, memory-equivalent: one kernel computes the outflows and the sums of massBalance. A cell adds its
 * outflows to its neighbours. It also stores them in 8 layers, so that they can be written to files. Two kernels per
 * step, the second in gpu/give.h:
 *
 *   computeOutflows_massBalance   z, h, T -> gain_m and heat of the cell and its neighbours, 8 layers
 *   massBalance_solidification    h, T, gain_m, heat -> z, h, T, s, records; the next emitLava
 *
 * emitLava runs before the first step of a segment, reduceAdd after the last. */
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
        bool flows = gpu_outflows(&v, at, v.T[0], &T, flow);
        if (flows) gpu_give_flow(&v, at, T, flow);
        gpu_store_flow(&v, at, flows, flow);
    }
}

BLOCK_VARIANT(cfame, "atomics, memory-equivalent: outflows added to the neighbours, 8 layers kept",
              computeOutflows_massBalance, massBalance_solidification, .steps_per_ms = 206,
              .arrays = GPU_LAYERS | GPU_SUMS);
