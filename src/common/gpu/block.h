/* block.h — the shape of a block of threads, for variants in which a block has one thread for each
 * cell of a tile. So tiles have the shape of blocks. This shape is 16 x 16, unless the variant
 * defines another shape. For a measurement (profiling/block_sweep) or a test the compiler's command
 * line can define the shape:
 *
 *     -DSCIARA_BLOCK_COLS=32 -DSCIARA_BLOCK_ROWS=4
 *
 * A shape such as 32x4 is blockDim.x x blockDim.y, as in CUDA: 32 columns, 4 rows. */
#ifndef SCIARA_BLOCK_H
#define SCIARA_BLOCK_H

#include "cell.h"
#include "host.h"
#include "processes.h"
#include "strategy.h"

#ifndef SCIARA_BLOCK_COLS
#define SCIARA_BLOCK_COLS 16
#define SCIARA_BLOCK_ROWS 16
#endif

enum {
    BLOCK_ROWS = SCIARA_BLOCK_ROWS,
    BLOCK_COLS = SCIARA_BLOCK_COLS,
    BLOCK_THREADS = BLOCK_ROWS * BLOCK_COLS,
};
static_assert(BLOCK_THREADS % 32 == 0 && BLOCK_THREADS <= 1024,
              "whole warps, and as many as a block may have");
static_assert(BLOCK_ROWS >= (int)EPOCH && BLOCK_COLS >= (int)EPOCH,
              "within an epoch lava gets no farther than to the next tile");

/* Numbers of threads on a multiprocessor. block_launch() launches between BLOCK_LEAST and BLOCK_MOST threads, as far
 * as they fit. BLOCK_BOUND is the number for which BLOCK_BOUNDED limits the registers of a thread. */
enum { BLOCK_LEAST = 256, BLOCK_BOUND = 768, BLOCK_MOST = 1024 };

/* A thread has at most 255 registers, a multiprocessor 65,536. So a block of up to 256 threads can
 * always be launched. For a larger block the compiler has to know the number of threads, and spills
 * registers that do not fit. BLOCK_BOUNDED makes the compiler limit the registers of a thread, so
 * that a multiprocessor can hold BLOCK_BOUND threads. */
#if defined(BLOCK_BOUNDED) && SCIARA_BLOCK_ROWS * SCIARA_BLOCK_COLS <= 384
#define BLOCK_BOUNDS __launch_bounds__(BLOCK_THREADS, BLOCK_BOUND / BLOCK_THREADS)
#elif SCIARA_BLOCK_ROWS * SCIARA_BLOCK_COLS > 256
#define BLOCK_BOUNDS __launch_bounds__(BLOCK_THREADS)
#else
#define BLOCK_BOUNDS
#endif

/* Limits the registers of a thread, for a kernel that needs few, so that a multiprocessor can hold BLOCK_MOST
 * threads. */
#define BLOCK_BOUNDS_MOST __launch_bounds__(BLOCK_THREADS, BLOCK_MOST / BLOCK_THREADS)

__device__ static inline int block_thread(int row, int col)
{
    return row * BLOCK_COLS + col;
}

/* On the host: launches a kernel with about one block for two listed tiles. A block computes its tiles one after the
 * other. Few blocks leave room for blocks of the next kernel, which start before this kernel ends (gpu_wait()).
 * There are no more blocks than fit on the device at once, because further blocks would have to wait. */
template <class... Parameters, class... Arguments>
static inline void block_launch(struct gpu *g, void (*kernel)(Parameters...),
                                Arguments... arguments)
{
    int fit = gpu_occupancy(kernel, BLOCK_THREADS, 0), most = BLOCK_MOST / BLOCK_THREADS,
        least = BLOCK_LEAST / BLOCK_THREADS;
    int blocks = g->listed / 2 / g->processors;
    if (blocks < least) blocks = least;
    if (blocks > most) blocks = most;
    if (blocks > fit) blocks = fit;
    gpu_launch(g, kernel, dim3(gpu_blocks(g, blocks > 0 ? blocks : 1)),
               dim3(BLOCK_COLS, BLOCK_ROWS), arguments...);
}

/* An element of a variant's list of kernels. */
#define BLOCK_KERNEL(kernel) block_kernel(#kernel, (const void *)(kernel))
static inline struct gpu_kernel block_kernel(const char *name, const void *function)
{
    struct gpu_kernel k = {name, function, BLOCK_COLS, BLOCK_ROWS, 0};
    return k;
}

/* Defines the variant `id` with two kernels per step. Kernel `second` also emits for the next step. The arguments
 * after `second` set the first fields of the variant's struct gpu_strategy, .steps_per_ms and .arrays. */
#define BLOCK_VARIANT(id, text, first, second, ...)                                                \
    static void step(struct gpu *g, int offset, bool emit_next)                                    \
    {                                                                                              \
        block_launch(g, first, g->v, offset);                                                      \
        block_launch(g, second, g->v, offset, emit_next);                                          \
    }                                                                                              \
    static const struct gpu_strategy strategy = {__VA_ARGS__,                                      \
                                                 .tile_rows = BLOCK_ROWS,                          \
                                                 .tile_cols = BLOCK_COLS,                          \
                                                 .emitLava = gpu_emit_lava,                        \
                                                 .step = step,                                     \
                                                 .reduceAdd = gpu_reduce_add};                     \
    static const struct gpu_kernel kernels[] = {GPU_KERNEL(emitLava, VENT_THREADS, 0),             \
                                                BLOCK_KERNEL(first),                               \
                                                BLOCK_KERNEL(second),                              \
                                                GPU_KERNEL(reduceAdd, BLOCK_THREADS, 0),           \
                                                {}};                                               \
    GPU_VARIANT(id, text, strategy, kernels)

#endif
