/* cfamo.cu — atomics, memory-optimised: the flows are added to the neighbours (cfa.h) and never
 * stored. */
#include "gpu/cfa.h"

static const struct gpu_strategy strategy = {
    .steps_per_ms = 179,
    .arrays = GPU_SUMS,
    .tile_rows = BLOCK_ROWS,
    .tile_cols = BLOCK_COLS,
    .emitLava = gpu_emit_lava,
    .step = cfa_step<false>,
    .reduceAdd = gpu_reduce_add,
};

static const struct gpu_kernel kernels[] = {GPU_KERNEL(emitLava, VENT_THREADS, 0),
                                            BLOCK_KERNEL(computeOutflows_massBalance<false>),
                                            BLOCK_KERNEL(massBalance_solidification),
                                            GPU_KERNEL(reduceAdd, BLOCK_THREADS, 0),
                                            {}};
GPU_VARIANT(cfamo, "atomics, memory-optimised: outflows added to the neighbours, no layers",
            strategy, kernels);
