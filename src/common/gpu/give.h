/* give.h — outflows that are added to the neighbours by atomics, for variants with GPU_SUMS. gpu_give_flow() adds
 * the outflows of a cell to the sums gain_m and heat, and kernel massBalance_solidification uses these sums.
 * Thicknesses are doubles on the lattice, and heats are integers. So every sum is exact, and the order of the
 * atomics does not matter. */
#ifndef SCIARA_GPU_GIVE_H
#define SCIARA_GPU_GIVE_H

#include "block.h"

__device__ static inline void gpu_give_flow(const struct gpu_view *v, int at, double T,
                                            const double flow[8])
{
    double out = 0.0;
    long long heat_out = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        if (!(flow[k] > 0.0)) continue;
        long long heat = heat_of(flow[k], T);
        atomicAdd(&v->gain_m[at + gpu_next_to(v, k)], flow[k]);
        atomicAdd(&v->heat[at + gpu_next_to(v, k)], (gpu_word)heat);
        out += flow[k];
        heat_out += heat;
    }
    if (!(out > 0.0)) return;
    atomicAdd(&v->gain_m[at], -out);
    atomicAdd(&v->heat[at], (gpu_word)-heat_out);
}

/* The second kernel of a step. Computes z, h, T and the records after the step from h, T, gain_m and heat. Resets
 * gain_m and heat to 0. emit_next: vents then emit for the next step. */
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

#endif
