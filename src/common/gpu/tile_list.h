/* tile_list.h — the tiles that a step computes.
 *
 * The domain is divided into tiles, one block of threads each (block.h). Only tiles on a list
 * are computed: those that hold lava, held lava before the present step (so that their buffers
 * are cleared), contain a vent, or may be reached by lava while the list is valid. A list is
 * valid for an epoch of EPOCH steps; the list of the next epoch is written at the end of the
 * last step, in any order: sums are exact, so order does not matter. With the full domain every
 * tile is computed. */
#ifndef SCIARA_GPU_TILE_LIST_H
#define SCIARA_GPU_TILE_LIST_H

#include "view.h"

enum { EPOCH = 4 }; /* steps for which a list of tiles is valid */

/* The work of a block in a step: tiles blockIdx.x, + gridDim.x, ... of a list that is valid for
 * EPOCH steps. */
struct gpu_work {
    long long step; /* to compute */
    int list, count;
    int first; /* tile number blockIdx.x */
};

/* With programmatic dependent launch the blocks of a kernel may be set up while the previous kernel
 * is running. After gpu_wait() its data can be read, and the next kernel may be set up: not
 * earlier, so that data of the kernel before the previous one can be read (from the L2, __ldcg)
 * without waiting. Every block waits, with or without a tile, so that no kernel ends before the
 * previous one. */
__device__ static inline void gpu_wait(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#elif defined(SCIARA_EMULATOR)
    emulator_wait();
#endif
}

/* The work of a block. All data that may be needed to find the first tile are loaded at once: one
 * wait for L2 instead of three. */
__device__ static inline struct gpu_work gpu_find_work(const struct gpu_view *v, long long step)
{
    struct gpu_work w;
    const struct gpu_control *c = v->control;
    int most = v->tile_count - 1, i = (int)blockIdx.x < most ? (int)blockIdx.x : most;
    int stopped = __ldcg(&c->stopped), count[3], tile[3];
    for (int n = 0; n < 3; n++) {
        count[n] = __ldcg(&c->count[n]);
        tile[n] = __ldcg(&v->list[n][i]);
    }
    w.step = step;
    w.list = (int)((unsigned)(w.step / EPOCH) % 3u);
    w.count = stopped       ? 0
              : v->full     ? v->tile_count
              : w.list == 0 ? count[0]
              : w.list == 1 ? count[1]
                            : count[2];
    w.first = v->full ? (int)blockIdx.x : w.list == 0 ? tile[0] : w.list == 1 ? tile[1] : tile[2];
    return w;
}

/* Begins a kernel that needs data of the previous one. */
__device__ static inline struct gpu_work gpu_begin(const struct gpu_view *v, int offset)
{
    gpu_wait();
    return gpu_find_work(v, v->control->step + offset);
}

/* Begins a kernel before the end of the previous one, which does not end a segment; the caller
 * calls gpu_wait(). `lists`: the previous kernel ends a step, and may make the list. */
__device__ static inline struct gpu_work gpu_begin_early(const struct gpu_view *v, int offset,
                                                         bool lists)
{
    long long step = __ldcg(&v->control->step) + offset;
    if (lists && step % EPOCH == 0) gpu_wait();
    return gpu_find_work(v, step);
}

/* The i-th tile to compute, i = blockIdx.x + n gridDim.x, as the padded index of its north-west
 * cell. */
__device__ static inline int gpu_tile_at(const struct gpu_view *v, const struct gpu_work *w, int i)
{
    int tile = i == (int)blockIdx.x ? w->first : v->full ? i : v->list[w->list][i];
    return grid_at(v->stride, tile / v->tiles_across * v->tile_rows,
                   tile % v->tiles_across * v->tile_cols);
}

/* The tiles that a cell keeps on the list: bit k for the tile of neighbour k, bit 8 for its own.
 * The list is valid for an epoch, in which lava travels at most v->reach cells. */
__device__ static inline unsigned gpu_tiles_woken(const struct gpu_view *v, int row, int col,
                                                  bool wet_before, bool wet)
{
    unsigned bits = wet || wet_before ? 256u : 0u;
    if (!wet) return bits;
    bool north = row < v->reach, south = row >= v->tile_rows - v->reach;
    bool west = col < v->reach, east = col >= v->tile_cols - v->reach;
    return bits | (north ? 1u : 0u) | (west ? 2u : 0u) | (east ? 4u : 0u) | (south ? 8u : 0u) |
           (north && west ? 16u : 0u) | (south && west ? 32u : 0u) | (south && east ? 64u : 0u) |
           (north && east ? 128u : 0u);
}

/* The tile itself (k = 8) or its neighbour k; -1 if there is none. */
__device__ static inline int gpu_tile_beside(const struct gpu_view *v, int tile, int k)
{
    int down = tile / v->tiles_across + (k < 8 ? PHYSICS_ROW(k) : 0);
    int across = tile % v->tiles_across + (k < 8 ? PHYSICS_COL(k) : 0);
    int beside = down * v->tiles_across + across;
    return down < 0 || beside >= v->tile_count || across < 0 || across >= v->tiles_across ? -1
                                                                                          : beside;
}

/* All threads of a block pass the tiles that their cells wake; in the last step of an epoch those
 * tiles are put on the list of the next epoch. Ends with a barrier: afterwards shared memory may be
 * used for the next tile. */
__device__ static inline void gpu_list_woken(const struct gpu_view *v, int at, int thread,
                                             const struct gpu_work *w, unsigned bits)
{
    __shared__ unsigned block_bits;
    if (v->full || (w->step + 1) % EPOCH != 0) {
        __syncthreads();
        return;
    }
    if (thread == 0) block_bits = 0;
    __syncthreads();
    for (int lanes = 16; lanes; lanes /= 2) bits |= __shfl_xor_sync(0xffffffffu, bits, lanes);
    if (thread % 32 == 0 && bits) atomicOr(&block_bits, bits);
    __syncthreads();
    if (thread < 9 && (block_bits >> thread & 1u)) {
        int down = ((at - GRID_LEFT) / v->stride - 1) / v->tile_rows;
        int across = (at - GRID_LEFT) % v->stride / v->tile_cols;
        int epoch = (int)((w->step + 1) / EPOCH), list = (int)((unsigned)epoch % 3u);
        int tile = gpu_tile_beside(v, down * v->tiles_across + across, thread);
        if (tile >= 0 && atomicExch(&v->listed_for[tile], epoch) != epoch)
            v->list[list][atomicAdd(&v->control->count[list], 1)] = tile;
    }
    __syncthreads();
}

/* One kernel of the first step of an epoch empties the list of the next epoch. */
__device__ static inline void gpu_empty_list(const struct gpu_view *v, long long step, int thread)
{
    if (blockIdx.x == 0 && thread == 0 && step % EPOCH == 0)
        v->control->count[((unsigned)(step / EPOCH) + 2u) % 3u] = 0;
}

#endif
