/* view.h — what the kernels of all CUDA variants see: the arrays on the device, and the numbers
 * that kernels and host share. Beside it: the list of tiles (tile_list.h), a cell (cell.h), and on
 * the host a simulation (host.h) and what makes it a variant (strategy.h).
 *
 * Kernels read the step, the list and the stopping rule from device memory; a segment of many steps
 * is one CUDA graph and needs nothing from the host. To read a variant: src/NAME/NAME.cu, top to
 * bottom.
 *
 * This header is also compiled by a C++ compiler with tests/emulator/cuda_emulator.h in place of
 * CUDA, which is how the kernels' own code is tested where there is no GPU. */
#ifndef SCIARA_GPU_VIEW_H
#define SCIARA_GPU_VIEW_H

#if defined(SCIARA_EMULATOR)
#include "emulator/cuda_emulator.h"
#else
#include <cuda_runtime.h>
#endif

#include "sim/grid.h"
#include "sim/vent.h"
#include "model/physics.h"

/* Sums that may pass 2^63 quanta are kept as two words: word[0] + 2^32 word[1]. */
typedef unsigned long long gpu_word;
struct gpu_sum {
    gpu_word word[2];
};

/* What has become of heat, in quanta of 2^-40 K m; parts may be negative, and so is then the second
 * word, as two's complement. */
struct gpu_heat {
    struct gpu_sum emitted, solidified, left, cooled;
};
enum { GPU_HEAT_PLACES = 64 };

/* A strategy that needs more derives its own (struct resident_control). */
struct gpu_control {
    long long step; /* done before the present segment */
    int stopped;
    int count[3]; /* tiles on the lists */
    struct gpu_sum mobile, emitted, left;
    struct gpu_heat heat[GPU_HEAT_PLACES]; /* to be added up: blocks add to different ones */
};

/* The stopping rule: still once the mobile lava is at most a limit (quanta, as two words of 32 bits
 * and more) and the vents have ended; looked at after every `every` steps. */
struct gpu_rule {
    bool stops; /* at all */
    long long every, last_vent_step;
    gpu_word limit_high, limit_low;
};

/* Everything a kernel needs; passed by value. Pointers are to padded arrays (grid.h). What one
 * variant alone needs is not here: it derives a view of its own (struct resident_view). */
struct gpu_view {
    struct physics physics;
    int stride, size;
    int tile_rows, tile_cols;     /* cells of a tile */
    int tiles_across, tile_count; /* tiles from west to east; in all */
    int reach; /* how far lava comes while a list holds, in cells; at most the shorter side of a
                  tile */
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
    int vent_count;
    const int *vent_at;    /* increasing */
    const int *vent_begin; /* vent_count + 1: where each one's table starts */
    const long long *vent_first_step;
    const double *vent_amount_m;
    const gpu_word *vent_fraction, *vent_phase;
};

/* A pointer `name` to a `type` in shared memory, as much as the launch gave
 * (gpu_launch_cooperative). */
#if defined(SCIARA_EMULATOR)
#define gpu_shared(type, name) type *name = (type *)emulator_shared(sizeof(type))
#else
#define gpu_shared(type, name)                                                                     \
    extern __shared__ double2 name##_memory[];                                                     \
    type *name = (type *)name##_memory
#endif

__device__ static inline void gpu_add_count(struct gpu_sum *sum, long long n)
{
    atomicAdd(&sum->word[0], (gpu_word)(n & 0xffffffffLL));
    atomicAdd(&sum->word[1], (gpu_word)(n >> 32));
}
__device__ static inline void gpu_add(struct gpu_sum *sum, double x_m)
{
    gpu_add_count(sum, (long long)(x_m * LATTICE_PER_M));
}

/* By one thread, after all additions and before they are 2^32: the first word holds 32 bits again,
 * so that it never comes to 2^64. */
__device__ static inline void gpu_carry(struct gpu_sum *sum)
{
    gpu_word low = __ldcg(&sum->word[0]), high = __ldcg(&sum->word[1]);
    sum->word[0] = low & 0xffffffffu;
    sum->word[1] = high + (low >> 32);
}

__device__ static inline int gpu_lane(void)
{
    return (int)(threadIdx.y * blockDim.x + threadIdx.x) % 32;
}

/* The same of a number for each thread of a warp, already split: low and high 32 bits. */
__device__ static inline void gpu_add_warp(struct gpu_sum *sum, long long low, long long high)
{
    for (int lanes = 16; lanes; lanes /= 2) {
        low += __shfl_down_sync(0xffffffffu, low, lanes);
        high += __shfl_down_sync(0xffffffffu, high, lanes);
    }
    if (gpu_lane() == 0 && (low || high)) {
        atomicAdd(&sum->word[0], (gpu_word)low);
        atomicAdd(&sum->word[1], (gpu_word)high);
    }
}

/* ---- the heat ledger ------------------------------------------------------------------------- */

/* Where this block adds up. */
__device__ static inline struct gpu_heat *gpu_heat_place(const struct gpu_view *v)
{
    return &v->control->heat[blockIdx.x % GPU_HEAT_PLACES];
}

/* What a thread's cells have lost by cooling, less what they have gained, as low + 2^32 high: their
 * heat after massBalance, less what is kept of it. */
struct gpu_cooled {
    long long low, high;
};
__device__ static inline void gpu_cool(struct gpu_cooled *c, long long n)
{
    c->low += n & 0xffffffffLL;
    c->high += n >> 32;
}

/* For the ledger, by all threads of a warp together. The sum of each has up to 107 bits, and the
 * sums of pieces of 27 bits have 32. */
__device__ static inline void gpu_end_cooled(const struct gpu_view *v, struct gpu_cooled c)
{
    const unsigned all = 0xffffffffu, bits = 0x7ffffff;
    if (!__any_sync(all, c.low | c.high)) return;
#if defined(SCIARA_EMULATOR) || __CUDA_ARCH__ >= 800
    unsigned low = (unsigned)c.low, piece[3];
    long long high = c.high + (c.low >> 32);
    piece[0] = __reduce_add_sync(all, low & bits);
    piece[1] = __reduce_add_sync(all, (low >> 27 | (unsigned)high << 5) & bits);
    piece[2] = __reduce_add_sync(all, (unsigned)(high >> 22) & bits);
    int last = __reduce_add_sync(all, (int)(high >> 49)), lane = gpu_lane();
    gpu_word sum[2] = {piece[0] + ((gpu_word)(piece[1] & 31) << 27),
                       (piece[1] >> 5) + ((gpu_word)piece[2] << 22) + ((gpu_word)last << 49)};
    if (lane < 2) atomicAdd(&gpu_heat_place(v)->cooled.word[lane], lane ? sum[1] : sum[0]);
#else
    gpu_add_warp(&gpu_heat_place(v)->cooled, c.low, c.high);
#endif
}

/* By the threads of one block, as gpu_carry(). */
__device__ static inline void gpu_carry_heat(struct gpu_control *control)
{
    for (int i = threadIdx.x; i < GPU_HEAT_PLACES; i += blockDim.x) {
        struct gpu_heat *heat = &control->heat[i];
        gpu_carry(&heat->emitted);
        gpu_carry(&heat->solidified);
        gpu_carry(&heat->left);
        gpu_carry(&heat->cooled);
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

#endif
