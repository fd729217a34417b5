/* view.h — data of the kernels of all CUDA variants: the arrays on the device, and numbers that
 * kernels and host share. Related headers are tile_list.h (the list of tiles), cell.h (a cell), and
 * on the host host.h (a simulation) and strategy.h (the definition of a variant).
 *
 * Kernels read the step, the list and whether to stop from device memory. So a segment of many
 * steps is one CUDA graph, and needs nothing from the host. src/NAME/NAME.cu has the kernels of the variant NAME.
 *
 * A C++ compiler also compiles this header, with tests/emulator/cuda_emulator.h in place of CUDA.
 * So the kernels are tested without a GPU. */
#ifndef SCIARA_GPU_VIEW_H
#define SCIARA_GPU_VIEW_H

#if defined(SCIARA_EMULATOR)
#include "emulator/cuda_emulator.h"
#else
#include <cuda_runtime.h>
#endif

#include "sim/grid.h"
#include "model/physics.h"

/* A sum that may exceed 2^63 quanta has two words: word[0] + 2^32 word[1]. */
typedef unsigned long long gpu_word;
struct gpu_sum {
    gpu_word word[2];
};

/* Sums of heat, in quanta of 2^-40 K m. If a sum is negative, its second word is negative too, in two's complement.
 * There are GPU_HEAT_PLACES of these structures, and the host adds them up. Different warps add to different
 * structures, so that they rarely wait for each other. */
enum { GPU_HEAT_PLACES = 32, GPU_HEAT_LANES = 32 };
struct gpu_heat {
    struct gpu_sum emitted, solidified, left;
    gpu_word cooled[GPU_HEAT_LANES]; /* for each lane, modulo 2^64 (fields_complete_cooled()) */
};

/* The status and the sums of a simulation on the device. A variant may derive a larger struct (struct
 * resident_control). */
struct gpu_control {
    long long step; /* steps done before the present segment */
    int stopped;
    int count[3]; /* numbers of tiles on the three lists */
    struct gpu_sum mobile, emitted, left, sea;
    struct gpu_heat heat[GPU_HEAT_PLACES];
    /* Extent of lava in the window (reach.cu): 1 + its last row, 1 + its last column, rows minus its first row, cols
     * minus its first column. All 0: there is no lava. */
    int reach[4];
};

/* The stopping rule: a run stops when the vents have ended and the mobile lava is at most a limit. The rule is
 * tested after every `every` steps. The limit is in quanta: limit_low has its low 32 bits, limit_high all higher
 * bits. */
struct gpu_rule {
    bool stops; /* false: the run never stops by this rule */
    long long every, last_vent_step;
    gpu_word limit_high, limit_low;
};

/* Everything that a kernel needs; passed by value. Pointers to cells point to padded arrays
 * (grid.h). A variant with more data derives its own view (struct resident_view). */
struct gpu_view {
    struct physics physics;
    int stride, size;
    int tile_rows, tile_cols;     /* cells of a tile */
    int tiles_across, tile_count; /* number of tiles from west to east; number of all tiles */
    int reach; /* cells that lava can travel while a list is valid; at most the shorter side of a
                  tile */
    int full;  /* compute every tile */
    double *z, *h, *max_temp_K;
    /* Largest z + h of lava so far; the initial ground where lava never was. Solidified lava is z minus the initial
     * ground. It needs no array, because the host has the initial ground. */
    double *highest_m;
    double *T[2]; /* gpu_T_alternates(): step n reads T[n & 1] and writes the other array */
    double *z_other, *h_other; /* the second state of a variant with two states; else NULL */
    int *arrival;
    unsigned char *flag;
    double *flow;   /* 8 layers [k * size + at], or NULL */
    double *gain_m; /* inflow minus outflow; 0 between steps; or NULL */
    gpu_word *heat; /* heat inflow minus outflow, two's complement; 0 between steps; or NULL */
    struct gpu_control *control;
    int *list[3];    /* lists of tiles; epoch n uses list[n % 3] */
    int *listed_for; /* per tile: the last epoch for which it was listed */
    int vent_count;
    const int *vent_at;    /* index of each vent's cell, sorted */
    const int *vent_begin; /* vent_count + 1 elements: first interval of each vent */
    const long long *vent_first_step;
    const double *vent_amount_m;
    const gpu_word *vent_fraction, *vent_phase;
    double *emission_m; /* table for the steps of a segment: gpu_tabled_emission() */
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

/* Moves all but the low 32 bits of the first word to the second word. One thread calls it before 2^32 additions have
 * been made, so that the first word never overflows. Other threads may add at the same time. */
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

/* Adds the numbers of all threads of a warp to a sum. Each number is split: low has its low 32
 * bits, high the rest. */
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

/* The struct gpu_heat to which this warp adds. */
__device__ static inline struct gpu_heat *gpu_heat_place(const struct gpu_view *v)
{
    int threads = (int)(blockDim.x * blockDim.y),
        warp = (int)(blockIdx.x * ((threads + 31) / 32) +
                     (threadIdx.y * blockDim.x + threadIdx.x) / 32);
    return &v->control->heat[warp % GPU_HEAT_PLACES];
}

/* Adds `cooled` to the sums of heat. `cooled` is the heat that the cells of a thread have lost by cooling: their
 * heat after massBalance minus heat_kept.all (physics_heat_kept()). No thread waits for these additions, and the lanes
 * of a warp add to neighbouring words. */
__device__ static inline void gpu_end_cooled(const struct gpu_view *v, gpu_word cooled)
{
    struct gpu_heat *place = gpu_heat_place(v);
    if (cooled != 0) atomicAdd(&place->cooled[gpu_lane()], cooled);
}

/* Calls gpu_carry() for the sums of heat, with the threads of one block. */
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
