/* cfamo.cu — atomics, memory-optimised: the flows are added to the neighbours (cfa.h) and never
 * stored. */
#include "gpu/cfa.h"

static const struct gpu_strategy strategy = {false,      true,       false,           false, false,
                                             BLOCK_ROWS, BLOCK_COLS, cfa_step<false>, NULL,  NULL};

static const struct gpu_kernel kernels[] = {BLOCK_KERNEL(flow<false>), BLOCK_KERNEL(settle), {}};
GPU_VARIANT(cfamo, "atomics, memory-optimised: outflows added to the neighbours, no layers",
            strategy, kernels);
