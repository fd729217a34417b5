/* gpu.h — what the CUDA variants share: the arrays on the device, the list of tiles with lava, the
 * end of a step, and the host side that turns kernels into a variant.
 *
 * The domain is cut into tiles, each the work of one block of threads (block.h). Only tiles on a
 * list are computed: those that hold lava, held some before the present step (so that what they
 * left in a buffer is cleared), contain a vent, or touch a cell with lava. The list for the next
 * step is written while a step ends, in any order: sums are exact, so order does not matter. With
 * the full domain every tile is computed.
 *
 * Kernels read the step, the list and the stopping rule from device memory; a segment of many steps
 * is one CUDA graph and needs nothing from the host. To read a variant: src/NAME/NAME.cu, top to
 * bottom.
 *
 * This header is also compiled by a C++ compiler with tests/emulator/cuda_emulator.h in place of
 * CUDA, which is how the kernels' own code is tested where there is no GPU. */
#ifndef SCIARA_GPU_H
#define SCIARA_GPU_H

#if defined(SCIARA_EMULATOR)
#include "emulator/cuda_emulator.h"
#else
#include <cuda_runtime.h>
#endif

#include "sim/grid.h"
#include "model/physics.h"
#include "sim/variant.h"

enum { EPOCH = 4 }; /* steps for which a list of tiles holds */

/* Sums that may pass 2^63 quanta are kept as two words: word[0] + 2^32 word[1]. */
typedef unsigned long long gpu_word;
struct gpu_sum {
    gpu_word word[2];
};

struct gpu_control {
    long long step; /* done before the present segment */
    int stopped;
    int count[3]; /* tiles on the lists (resident: from the front of them) */
    struct gpu_sum mobile, emitted, left;
    /* of resident, whose blocks reduce and meet while its kernel runs: */
    int epoch;
    int light;          /* tiles from the back of the list */
    struct gpu_sum sum; /* mobile lava, so far */
    int epochs[2];      /* that were made on the chip, and through memory */
    gpu_word parts[8];  /* src/resident/parts.h */
};

/* The stopping rule: still once the mobile lava is at most a limit (quanta, as two words of 32 bits
 * and more) and the vents have ended; looked at after every `every` steps. */
struct gpu_rule {
    bool stops; /* at all */
    long long every, last_vent_step;
    gpu_word limit_high, limit_low;
};

/* Everything a kernel needs; passed by value. Pointers are to padded arrays (grid.h). */
struct gpu_view {
    struct physics physics;
    int stride, size;
    int tile_rows, tile_cols;     /* cells of a tile */
    int tiles_across, tile_count; /* tiles from west to east; in all */
    int reach; /* how far lava comes in an epoch, in cells; at most the shorter side of a tile */
    int full;  /* compute every tile */
    double *z, *h, *s, *max_total_m, *max_temp_K;
    double *T[2]; /* where a variant needs two: step n reads T[n & 1], writes the other */
    double *z_other, *h_other; /* likewise, for variants that keep two states; or NULL */
    int *arrival;
    unsigned char *flag;
    double *flow;   /* 8 layers [k * size + at], or NULL */
    double *gain_m; /* what flowed in minus what flowed out; 0 between steps; or NULL */
    gpu_word *heat; /* the same of heat, two's complement; or NULL */
    struct gpu_control *control;
    int *list[3];    /* of tiles: for epoch n, n % 3 */
    int *listed_for; /* per tile: the last epoch it was listed for */
    int *slot,
        *weight; /* of resident: where on that list it stands, and how many of its cells are wet */
    struct exchange *exchange; /* likewise: src/resident/exchange.h */
    int *panel, *panel_for;    /* likewise, per panel: the list, and the epoch it was last marked in
                                  (panels.h) */
    int vent_count;
    const int *vent_at;    /* increasing */
    const int *vent_begin; /* vent_count + 1: where each one's table starts */
    const long long *vent_first_step;
    const double *vent_amount_m;
};

/* ---- in kernels ------------------------------------------------------------------------------ */

#if defined(__CUDACC__) || defined(SCIARA_EMULATOR)

/* A pointer `name` to a `type` in shared memory, as much as the launch gave
 * (gpu_launch_cooperative). */
#if defined(SCIARA_EMULATOR)
#define gpu_shared(type, name) type *name = (type *)emulator_shared(sizeof(type))
#else
#define gpu_shared(type, name)                                                                     \
    extern __shared__ double2 name##_memory[];                                                     \
    type *name = (type *)name##_memory
#endif

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

__device__ static inline void gpu_add(struct gpu_sum *sum, double x_m)
{
    long long n = (long long)(x_m * LATTICE_PER_M);
    atomicAdd(&sum->word[0], (gpu_word)(n & 0xffffffffLL));
    atomicAdd(&sum->word[1], (gpu_word)(n >> 32));
}

/* The same of a number for each thread of a warp, already split: low and high 32 bits. */
__device__ static inline void gpu_add_warp(struct gpu_sum *sum, long long low, long long high)
{
    for (int lanes = 16; lanes; lanes /= 2) {
        low += __shfl_down_sync(0xffffffffu, low, lanes);
        high += __shfl_down_sync(0xffffffffu, high, lanes);
    }
    if (threadIdx.x % 32 == 0 && (low || high)) {
        atomicAdd(&sum->word[0], (gpu_word)low);
        atomicAdd(&sum->word[1], (gpu_word)high);
    }
}

__device__ static inline bool gpu_is_still(const struct gpu_rule *rule,
                                           const struct gpu_sum *mobile, long long step)
{
    gpu_word low = mobile->word[0] & 0xffffffffu, high = mobile->word[1] + (mobile->word[0] >> 32);
    bool still = high < rule->limit_high || (high == rule->limit_high && low <= rule->limit_low);
    return rule->stops && still && step >= rule->last_vent_step;
}

__device__ static inline int gpu_next_to(const struct gpu_view *v, int k)
{
    return PHYSICS_ROW(k) * v->stride + PHYSICS_COL(k);
}

/* What the vents of this cell emit in a step, and from which later step on it may be something
 * else. */
__device__ static inline double gpu_emission(const struct gpu_view *v, int at, long long step,
                                             long long *until)
{
    double amount_m = 0.0;
    int low = 0, high = v->vent_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (v->vent_at[middle] < at) low = middle + 1;
        else high = middle;
    }
    *until = 0x7fffffffffffffffLL;
    for (; low < v->vent_count && v->vent_at[low] == at; low++) {
        int now = v->vent_begin[low],
            end = v->vent_begin[low + 1]; /* the interval that `step` lies in */
        while (now < end) {
            int middle = (now + end) / 2;
            if (v->vent_first_step[middle] <= step) now = middle + 1;
            else end = middle;
        }
        if (now > v->vent_begin[low]) amount_m += v->vent_amount_m[now - 1];
        if (now < v->vent_begin[low + 1] && v->vent_first_step[now] < *until)
            *until = v->vent_first_step[now];
    }
    return amount_m;
}

/* emitLava of a cell with vents, and its part of the ledger. */
__device__ static inline void gpu_emit(const struct gpu_view *v, int at, long long step, double *h,
                                       double *T)
{
    long long until;
    double amount_m = gpu_emission(v, at, step, &until);
    physics_emit(&v->physics, amount_m, h, T);
    if (amount_m > 0.0) gpu_add(&v->control->emitted, amount_m);
}

/* Outflows of a cell whose neighbourhood lies in global memory. Loads all of it whether there is
 * lava or not, because most cells of a listed tile have some and waiting twice costs more than
 * loading. */
__device__ static inline bool gpu_outflows(const struct gpu_view *v, int at, const double *T_now,
                                           double *T, double flow[8])
{
    double zk[8], hk[8], z = v->z[at], h = v->h[at];
    *T = T_now[at];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        zk[k] = v->z[at + gpu_next_to(v, k)];
        hk[k] = v->h[at + gpu_next_to(v, k)];
    }
    return h > 0.0 && physics_outflows(&v->physics, z, h, *T, zk, hk, flow);
}

/* What the end of a step needs of a cell, loaded early. */
struct gpu_cell {
    double z, s, max_total_m, max_temp_K;
    int flag;
};
__device__ static inline struct gpu_cell gpu_load(const struct gpu_view *v, int at)
{
    struct gpu_cell c = {__ldcg(v->z + at), __ldcg(v->s + at), __ldcg(v->max_total_m + at),
                         __ldcg(v->max_temp_K + at), v->flag[at]};
    return c;
}

/* solidification, records, boundary of a cell that holds h > 0 after massBalance; stores all but T.
 * Returns what stays mobile. */
__device__ static inline double gpu_settle(const struct gpu_view *v, int at,
                                           const struct gpu_cell *c, long long step, double h,
                                           double *T)
{
    int border = c->flag & CELL_BORDER;
    double z = c->z, s = c->s, max_total = c->max_total_m, max_temp = c->max_temp_K;
    physics_solidify(&v->physics, border, &z, &h, T, &s);
    if (physics_record(1, h + s, *T, &max_total, &max_temp)) v->arrival[at] = (int)step;
    if (max_total != c->max_total_m) v->max_total_m[at] = max_total;
    if (max_temp != c->max_temp_K) v->max_temp_K[at] = max_temp;
    if (s != c->s) {
        v->z[at] = z;
        v->s[at] = s;
    }
    if (border) gpu_add(&v->control->left, physics_boundary(border, &h, T));
    v->h[at] = h;
    return h;
}

/* Everything after the outflows of a cell of which h and T were here and gain and heat came:
 * massBalance, solidification, boundary and, for the step after this one, emitLava. Returns
 * gpu_wakes(). */
__device__ static inline unsigned gpu_wakes(const struct gpu_view *v, int row, int col,
                                            bool wet_before, bool wet);
__device__ static inline unsigned gpu_finish(const struct gpu_view *v, int at,
                                             const struct gpu_cell *c, int row, int col,
                                             long long step, double h, double T, double gain_m,
                                             long long heat, double *T_out, bool emit_next)
{
    bool wet_before = h > 0.0, active = wet_before || gain_m != 0.0;
    bool vent = c->flag & CELL_VENT;
    if (active) {
        physics_balance(gain_m, heat, &h, &T);
        if (h > 0.0) h = gpu_settle(v, at, c, step, h, &T);
        else v->h[at] = h;
    }
    if (vent && emit_next) {
        gpu_emit(v, at, step + 1, &h, &T);
        v->h[at] = h;
    }
    *T_out = T;
    return gpu_wakes(v, row, col, active, h > 0.0 || vent);
}

/* Which tiles a cell keeps on the list: bit k that of neighbour k, bit 8 its own. The list holds
 * for an epoch, in which lava comes at most v->reach cells far. */
__device__ static inline unsigned gpu_wakes(const struct gpu_view *v, int row, int col,
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
__device__ static inline void gpu_wake(const struct gpu_view *v, int at, int thread,
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

/* ---- on the host ----------------------------------------------------------------------------- */

struct gpu; /* gpu_host.h */

/* A kernel of a step, for those who ask what it needs of a device (gpu_kernels). */
struct gpu_kernel {
    const char *name; /* "flow", or "flow<LAYERS>" */
    const void *function;
    int cols, rows;       /* of a block */
    size_t dynamic_bytes; /* of shared memory */
};

/* What makes a CUDA variant. */
struct gpu_strategy {
    bool layers;              /* keeps the 8 outflow layers */
    bool accumulates;         /* keeps gain_m and heat */
    bool two_T;               /* T[0] and T[1] alternate; otherwise T[0] is the temperature */
    bool scratch_T;           /* T[1] is scratch */
    bool two_states;          /* z_other and h_other, too */
    int tile_rows, tile_cols; /* cells of its tiles */
    /* Enqueues the kernels of the step `offset` after control->step, offset >= 1. The lava of the
     * first step of a segment has been emitted already; `emit_next` asks for that of the step after
     * this one. */
    void (*step)(struct gpu *g, int offset, bool emit_next);
    /* Instead of step: makes `steps` steps with all that belongs to them. Its lists hold for as
     * many steps as a tile is wide. `prepare` makes what has to be there before the first. */
    void (*run)(struct gpu *g, long long steps, const struct gpu_rule *rule);
    void (*prepare)(struct gpu *g);
};

#endif
