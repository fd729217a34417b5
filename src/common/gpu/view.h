/* view.h — data of the kernels of all CUDA variants: the arrays on the device, and the numbers that
 * kernels and host share. Related headers: the list of tiles (tile_list.h), a cell (cell.h), and on
 * the host a simulation (host.h) and the definition of a variant (strategy.h).
 *
 * Kernels read the step, the list and the stopping rule from device memory; a segment of many steps
 * is one CUDA graph and needs nothing from the host. To read a variant: src/NAME/NAME.cu, top to
 * bottom.
 *
 * This header is also compiled by a C++ compiler with tests/emulator/cuda_emulator.h in place of
 * CUDA; in this way the code of the kernels is tested without a GPU. */
#ifndef SCIARA_GPU_VIEW_H
#define SCIARA_GPU_VIEW_H

#if defined(SCIARA_EMULATOR)
#include "emulator/cuda_emulator.h"
#else
#include <cuda_runtime.h>
#endif

#include "sim/grid.h"
#include "model/physics.h"

/* Sums that may pass 2^63 quanta are kept as two words: word[0] + 2^32 word[1]. */
typedef unsigned long long gpu_word;
struct gpu_sum {
    gpu_word word[2];
};

/* Sums of heat, in quanta of 2^-40 K m; they may be negative: then the second word is negative too,
 * in two's complement. To be summed: warps and lanes add to different ones. */
enum { GPU_HEAT_PLACES = 32, GPU_HEAT_LANES = 32 };
struct gpu_heat {
    struct gpu_sum emitted, solidified, left;
    gpu_word cooled[GPU_HEAT_LANES]; /* modulo 2^64 (fields_complete_cooled()) */
};

/* A strategy that needs more derives its own struct (struct resident_control). */
struct gpu_control {
    long long step; /* done before the present segment */
    int stopped;
    int count[3]; /* tiles on the lists */
    struct gpu_sum mobile, emitted, left, sea;
    struct gpu_heat heat[GPU_HEAT_PLACES];
    int reach[4]; /* of lava in the window (reach.cu): 1 + its last row and column; rows and columns
                     less its first ones; 0: there is none */
};

/* The stopping rule: stop when the mobile lava is at most a limit (quanta, as two words of 32 bits
 * and more) and the vents have ended; tested every `every` steps. */
struct gpu_rule {
    bool stops; /* at all */
    long long every, last_vent_step;
    gpu_word limit_high, limit_low;
};

/* Everything a kernel needs; passed by value. Pointers are to padded arrays (grid.h). Data of a
 * single variant are not here: the variant derives its own view (struct resident_view). */
struct gpu_view {
    struct physics physics;
    int stride, size;
    int tile_rows, tile_cols;     /* cells of a tile */
    int tiles_across, tile_count; /* tiles from west to east; in all */
    int reach; /* how far lava can travel while a list is valid, in cells; at most the shorter side
                  of a tile */
    int full;  /* compute every tile */
    double *z, *h, *max_temp_K;
    double *
        highest_m; /* z + h of lava at its thickest so far; the ground at the beginning where there was
                          none. What has solidified is z less that ground, so it needs no array */
    double *T[2]; /* for variants that need two: step n reads T[n & 1], writes the other */
    double *z_other, *h_other; /* the second state, for variants that keep two; or NULL */
    int *arrival;
    unsigned char *flag;
    double *flow;   /* 8 layers [k * size + at], or NULL */
    double *gain_m; /* inflow minus outflow; 0 between steps; or NULL */
    gpu_word *heat; /* the same for heat, two's complement; or NULL */
    struct gpu_control *control;
    int *list[3];    /* of tiles: for epoch n, n % 3 */
    int *listed_for; /* per tile: the last epoch it was listed for */
    int vent_count;
    const int *vent_at;    /* increasing */
    const int *vent_begin; /* vent_count + 1: start of each vent's table */
    const long long *vent_first_step;
    const double *vent_amount_m;
    const gpu_word *vent_fraction, *vent_phase;
    double *emission_m; /* of the steps of a segment: gpu_tabled_emission() */
};

/* A pointer `name` to a `type` in the shared memory of the launch (gpu_launch_cooperative). */
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

/* By one thread, before 2^32 additions have been made: moves what the first word of a sum has above
 * 32 bits to the second, so that it never reaches 2^64. Others may add meanwhile. */
__device__ static inline void gpu_carry(struct gpu_sum *sum)
{
    gpu_word above = atomicAdd(&sum->word[0], (gpu_word)0) >> 32;
    if (above == 0) return;
    atomicAdd(&sum->word[0], 0 - (above << 32));
    atomicAdd(&sum->word[1], above);
}

__device__ static inline int gpu_lane(void)
{
    return (int)(threadIdx.y * blockDim.x + threadIdx.x) % 32;
}

/* The same for a number of each thread of a warp, already split: low and high 32 bits. */
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

/* The place to which this warp adds. */
__device__ static inline struct gpu_heat *gpu_heat_place(const struct gpu_view *v)
{
    int threads = (int)(blockDim.x * blockDim.y),
        warp = (int)(blockIdx.x * ((threads + 31) / 32) +
                     (threadIdx.y * blockDim.x + threadIdx.x) / 32);
    return &v->control->heat[warp % GPU_HEAT_PLACES];
}

/* Adds a thread's own sum of what its cells have lost by cooling, their heat after massBalance minus
 * the heat kept, to the ledger. Nothing waits for such additions, and those of a warp go to
 * neighbouring words. */
__device__ static inline void gpu_end_cooled(const struct gpu_view *v, gpu_word cooled)
{
    struct gpu_heat *place = gpu_heat_place(v);
    if (cooled != 0) atomicAdd(&place->cooled[gpu_lane()], cooled);
}

/* gpu_carry() for heat, by the threads of one block. */
__device__ static inline void gpu_carry_heat(struct gpu_control *control)
{
    for (int i = threadIdx.x; i < 3 * GPU_HEAT_PLACES; i += blockDim.x) {
        struct gpu_heat *heat = &control->heat[i / 3];
        gpu_carry(i % 3 == 0 ? &heat->emitted : i % 3 == 1 ? &heat->solidified : &heat->left);
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
