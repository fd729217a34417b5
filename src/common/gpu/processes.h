/* processes.h — two kernels at the ends of a segment of steps: emitLava before the first step,
 * reduceAdd after the last. Within a segment `global` also launches emitLava before each further
 * step. In all other variants, the last kernel of a step emits for the next step. */
#ifndef SCIARA_GPU_PROCESSES_H
#define SCIARA_GPU_PROCESSES_H

#include "cell.h"
#include "host.h"

enum { VENT_THREADS = 128 };

/* emitLava for the step `offset` after control->step, one thread per vent. alternates: gpu_T_alternates(). In the first
 * step of a segment, all threads first fill the table of emissions for all `steps` steps of the segment. */
__global__ static void emitLava(const __grid_constant__ struct gpu_view v, int offset, int steps,
                                int alternates)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool emits = gpu_vent_emits(&v, i);
    if (offset == 1) gpu_wait(); /* the previous kernel ends a segment */
    long long step = __ldcg(&v.control->step) + offset;
    for (int n = i; offset == 1 && n < steps * v.vent_count; n += gridDim.x * blockDim.x) {
        int later = n / v.vent_count, vent = n % v.vent_count;
        if (gpu_vent_emits(&v, vent))
            *gpu_tabled_emission(&v, 1 + later, vent) =
                gpu_emission_m(&v, v.vent_at[vent], step + later);
    }
    double amount_m = emits ? __ldcg(gpu_tabled_emission(&v, offset, i)) : 0.0;
    gpu_wait();
    gpu_empty_list(&v, step, threadIdx.x);
    if (emits && !v.control->stopped)
        gpu_emit_vent(&v, i, amount_m, v.h, v.T[alternates ? step & 1 : 0]);
}

/* reduceAdd: adds the mobile lava after `steps` steps to control->mobile, which zero_mobile() has
 * set to 0. A block has one thread per cell of a tile. */
__global__ static void reduceAdd(const __grid_constant__ struct gpu_view v, int steps)
{
    struct gpu_work next = gpu_begin(&v, steps + 1);
    long long low = 0, high = 0;
    int row = threadIdx.x / v.tile_cols, col = threadIdx.x % v.tile_cols;
    for (int i = blockIdx.x; i < next.count; i += gridDim.x) {
        int at = gpu_tile_at(&v, &next, i) + row * v.stride + col;
        long long n = (long long)(v.h[at] * LATTICE_PER_M);
        low += n & 0xffffffffLL;
        high += n >> 32;
    }
    gpu_add_warp(&v.control->mobile, low, high);
}

/* On the host, for struct gpu_strategy. Launches a block even without vents, because emitLava also empties a list of
 * tiles. */
static inline void gpu_emit_lava(struct gpu *g, int offset, int steps)
{
    int each = offset == 1 ? steps : 1;
    dim3 blocks((unsigned)(g->v.vent_count * each) / VENT_THREADS + 1);
    gpu_launch(g, emitLava, blocks, dim3(VENT_THREADS), g->v, offset, steps,
               (int)gpu_T_alternates(g));
}

static inline void gpu_reduce_add(struct gpu *g, int steps)
{
    int threads = g->v.tile_rows * g->v.tile_cols;
    gpu_launch(g, reduceAdd, dim3(gpu_blocks(g, 1024 / threads)), dim3((unsigned)threads), g->v,
               steps);
}

#endif
