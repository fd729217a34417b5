/* cfame.cu — atomics, memory-equivalent: the flows are added to the neighbours (cfa.h), and the 8
 * layers are kept as well, so that they can be written out. */
#include "gpu/cfa.h"

static const struct gpu_strategy strategy = {
    .steps_per_ms = 175,
    .arrays = GPU_LAYERS | GPU_SUMS,
    .tile_rows = BLOCK_ROWS,
    .tile_cols = BLOCK_COLS,
    .emitLava = gpu_emit_lava,
    .step = cfa_step<true>,
    .reduceAdd = gpu_reduce_add,
};

static const struct gpu_kernel kernels[] = {GPU_KERNEL(emitLava, VENT_THREADS, 0),
                                            BLOCK_KERNEL(computeOutflows_massBalance<true>),
                                            BLOCK_KERNEL(massBalance_solidification),
                                            GPU_KERNEL(reduceAdd, BLOCK_THREADS, 0),
                                            {}};
GPU_VARIANT(cfame, "atomics, memory-equivalent: outflows added to the neighbours, 8 layers kept",
            strategy, kernels);
