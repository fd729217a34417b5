/* kernels.h — what batch.cu launches for host.cu. */
#ifndef SCIARA_BATCH_KERNELS_H
#define SCIARA_BATCH_KERNELS_H

#include "gpu/host.h"
#include "view.h"

/* In the emulator a cooperative launch, whose blocks take turns. */
#if defined(SCIARA_EMULATOR)
#define gpu_launch_plain gpu_launch_cooperative
#else
#define gpu_launch_plain(g, kernel, grid, block, bytes, ...)                                       \
    gpu_launch_as(g, NULL, kernel, grid, block, bytes, __VA_ARGS__)
#endif

/* Blocks that are on the device at once. */
int batch_blocks(struct gpu *g);
size_t batch_shared_bytes(void);

/* All members of the view, by at most `blocks` blocks, after the work in the stream. */
void batch_launch(struct gpu *g, const struct batch_view *v, int blocks);

#endif
