/* tile_list.h — which tiles a step computes.
 *
 * The domain is cut into tiles, each the work of one block of threads (block.h). Only tiles on a
 * list are computed: those that hold lava, held some before the present step (so that what they
 * left in a buffer is cleared), contain a vent, or may be reached by lava while the list holds. A
 * list holds for an epoch of EPOCH steps; that of the next epoch is written while the last of them
 * ends, in any order: sums are exact, so order does not matter. With the full domain every tile is
 * computed. */
#ifndef SCIARA_GPU_TILE_LIST_H
#define SCIARA_GPU_TILE_LIST_H

#include "view.h"

enum { EPOCH = 4 }; /* steps for which a list of tiles holds */

/* What a block has to do in a step: tiles blockIdx.x, + gridDim.x, ... of a list that holds for
 * EPOCH steps. */
struct gpu_work {
    long long step; /* the one to be made */
    int list, count;
    int first; /* tile number blockIdx.x */
};

/* With programmatic dependent launch the blocks of a kernel may be set up while the kernel before
 * is running. What that one writes can be read from here on, and the kernel after this one may be
 * set up: not earlier, so that what the kernel before the last has written can be read (from the
 * L2, __ldcg) without waiting. Every block waits, with or without a tile, so that no kernel ends
 * before the one before. */
__device__ static inline void gpu_wait(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#elif defined(SCIARA_EMULATOR)
    emulator_wait();
#endif
}

/* What a block has to do. Everything that may be needed to find the first tile is loaded at once:
 * one wait for L2 instead of three. */
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

/* Begins a kernel that needs what the one before has written. */
__device__ static inline struct gpu_work gpu_begin(const struct gpu_view *v, int offset)
{
    gpu_wait();
    return gpu_find_work(v, v->control->step + offset);
}

/* Begins a kernel before the end of the one before, which ends no segment; gpu_wait() is left to
 * the caller. `lists`: the one before ends a step, and perhaps makes the list. */
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

/* Which tiles a cell keeps on the list: bit k that of neighbour k, bit 8 its own. The list holds
 * for an epoch, in which lava comes at most v->reach cells far. */
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

/* All threads of a block say what their cells wake; in the last step of an epoch those tiles go on
 * the list of the next. Ends with a barrier: shared memory may be used for the next tile
 * afterwards. */
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

/* Some kernel of the first step of an epoch empties the list that the next epoch will fill. */
__device__ static inline void gpu_empty_list(const struct gpu_view *v, const struct gpu_work *w,
                                             int thread)
{
    if (blockIdx.x == 0 && thread == 0 && w->step % EPOCH == 0)
        v->control->count[((unsigned)(w->step / EPOCH) + 2u) % 3u] = 0;
}

#endif
