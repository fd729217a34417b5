/* cfame.cu — atomics, memory-equivalent: the flows are added to the neighbours (cfa.h), and the 8
 * layers are kept as well, so that they can be written out. */
#include "gpu/cfa.h"

static const struct gpu_strategy strategy = {true,       true,       false,          false, false,
                                             BLOCK_ROWS, BLOCK_COLS, cfa_step<true>, NULL,  NULL};

static const struct gpu_kernel kernels[] = {BLOCK_KERNEL(flow<true>), BLOCK_KERNEL(settle), {}};
GPU_VARIANT(cfame, "atomics, memory-equivalent: outflows added to the neighbours, 8 layers kept",
            strategy, kernels);
