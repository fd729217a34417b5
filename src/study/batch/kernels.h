/* kernels.h — the functions of batch.cu that launch its kernel. */
#ifndef SCIARA_BATCH_KERNELS_H
#define SCIARA_BATCH_KERNELS_H

#include "gpu/host.h"
#include "view.h"

/* Launches a kernel without attributes. In the emulator the launch is cooperative, so that blocks take turns. */
#if defined(SCIARA_EMULATOR)
#define gpu_launch_plain gpu_launch_cooperative
#else
#define gpu_launch_plain(g, kernel, grid, block, bytes, ...)                                       \
    gpu_launch_as(g, NULL, kernel, grid, block, bytes, __VA_ARGS__)
#endif

/* The number of blocks that the device holds at once. */
int batch_blocks(struct gpu *g);

/* Computes all members of the view with at most `blocks` blocks. The launch waits for earlier work in g->stream. */
void batch_launch(struct gpu *g, const struct batch_view *v, int blocks);

#endif
