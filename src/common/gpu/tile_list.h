/* tile_list.h — the tiles that a step computes.
 *
 * The domain is divided into tiles, and a block of threads computes a tile (block.h). Only tiles on a list are
 * computed. A list has the tiles with lava or a vent, and the tiles that lava may reach while the list is valid. It
 * also has tiles that had lava before the last step, so that their buffers are cleared. A list is valid for an epoch
 * of EPOCH steps. The last step of an epoch writes the list of the next epoch. The order of a list does not matter,
 * because sums are exact. With problem.full_domain every tile is computed. */
#ifndef SCIARA_GPU_TILE_LIST_H
#define SCIARA_GPU_TILE_LIST_H

#include "view.h"

enum { EPOCH = 4 }; /* steps for which a list of tiles is valid */

/* The work of a block in a step: the tiles at places blockIdx.x, blockIdx.x + gridDim.x, and so on,
 * of a list. */
struct gpu_work {
    long long step; /* the step to compute */
    int list, count;
    int first; /* the tile at place blockIdx.x of the list */
};

/* With programmatic dependent launch, the blocks of a kernel may start while the previous kernel runs. After
 * gpu_wait() they can read data of the previous kernel, and the next kernel may start. At most two kernels overlap.
 * So even before gpu_wait(), a kernel can read data of the kernel before the previous kernel, from the L2 cache
 * (__ldcg()). Blocks without a tile wait too, so that no kernel ends before the previous kernel. */
__device__ static inline void gpu_wait(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#elif defined(SCIARA_EMULATOR)
    emulator_wait();
#endif
}

/* Finds the work of a block. Issues together all loads that may be needed to find the first tile, so that the block
 * waits for the L2 cache once instead of three times. */
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

/* Begins a kernel after the end of the previous kernel. */
__device__ static inline struct gpu_work gpu_begin(const struct gpu_view *v, int offset)
{
    gpu_wait();
    return gpu_find_work(v, v->control->step + offset);
}

/* Begins a kernel before the end of the previous kernel. The caller calls gpu_wait() later. The previous kernel must
 * not end a segment. lists: whether the previous kernel ends a step, so that it may write the list that
 * this kernel reads. */
__device__ static inline struct gpu_work gpu_begin_early(const struct gpu_view *v, int offset,
                                                         bool lists)
{
    long long step = __ldcg(&v->control->step) + offset;
    if (lists && step % EPOCH == 0) gpu_wait();
    return gpu_find_work(v, step);
}

/* The index, in padded arrays, of the north-west cell of the tile at place i of the list. i is blockIdx.x plus a
 * multiple of gridDim.x. */
__device__ static inline int gpu_tile_at(const struct gpu_view *v, const struct gpu_work *w, int i)
{
    int tile = i == (int)blockIdx.x ? w->first : v->full ? i : v->list[w->list][i];
    return grid_at(v->stride, tile / v->tiles_across * v->tile_rows,
                   tile % v->tiles_across * v->tile_cols);
}

/* The tiles that have to be on the next list because of a cell: bit k for the tile of neighbour k, bit 8 for the
 * tile of the cell itself. Lava travels at most v->reach cells while a list is valid. wet: the cell has lava or a
 * vent. */
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

/* The number of neighbour k of a tile, or of the tile itself for k = 8. -1: there is no such tile. */
__device__ static inline int gpu_tile_beside(const struct gpu_view *v, int tile, int k)
{
    int down = tile / v->tiles_across + (k < 8 ? PHYSICS_ROW(k) : 0);
    int across = tile % v->tiles_across + (k < 8 ? PHYSICS_COL(k) : 0);
    int beside = down * v->tiles_across + across;
    return down < 0 || beside >= v->tile_count || across < 0 || across >= v->tiles_across ? -1
                                                                                          : beside;
}

/* In the last step of an epoch, puts tiles on the list of the next epoch. All threads of a block call this function
 * with the bits of gpu_tiles_woken() for their cells. It ends with a barrier, so that shared memory can then be used
 * for the next tile. */
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

/* Empties the list of the epoch after the next epoch. One kernel calls this function in the first step of an epoch. */
__device__ static inline void gpu_empty_list(const struct gpu_view *v, long long step, int thread)
{
    if (blockIdx.x == 0 && thread == 0 && step % EPOCH == 0)
        v->control->count[((unsigned)(step / EPOCH) + 2u) % 3u] = 0;
}

#endif
