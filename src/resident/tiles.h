/* tiles.h — data that an epoch leaves in memory for the next: two states, and the list of tiles. */
#ifndef SCIARA_RESIDENT_TILES_H
#define SCIARA_RESIDENT_TILES_H

#include "exchange.h"
#include "parts.h"

#include "gpu/cell.h"

#ifndef RESIDENT_SIDE
#define RESIDENT_SIDE 8
#endif
enum {
    SIDE = RESIDENT_SIDE, /* of a tile, in cells */
    HEAVY = 12, /* wet cells of a tile that gets its own multiprocessor, if there are enough */
};

/* Ground and lava of a cell, in shared memory, read by the neighbours. */
struct alignas(16) level {
    double z, h;
};

/* Change of a cell by a flow. */
struct alignas(16) change {
    double m;
    long long heat;
};

/* Data kept from epoch to epoch, also from one launch to the next. count[0] is the number of heavy
 * tiles of the list. */
struct resident_control : gpu_control {
    int epoch;                   /* its number */
    int light;                   /* tiles from the back of the list */
    struct gpu_sum so_far;       /* mobile lava of the current reduction */
    int on_chip, through_memory; /* epochs that were made there */
    struct part_sums parts;
};

/* The arrays of all variants, and those of this one. */
struct resident_view : gpu_view {
    int *slot, *weight; /* per tile: its place on the list; its number of wet cells */
    struct exchange *exchange;
    int *panel,
        *panel_for; /* per panel: the list, and the epoch it was last marked in (panels.h) */
};

__device__ static inline struct resident_control *control_of(const struct resident_view *v)
{
    return static_cast<struct resident_control *>(v->control);
}

/* Step n reads state n & 1 and writes the other, or both. */
__device__ static inline double *state_z(const struct gpu_view *v, long long n)
{
    return n & 1 ? v->z_other : v->z;
}
__device__ static inline double *state_h(const struct gpu_view *v, long long n)
{
    return n & 1 ? v->h_other : v->h;
}

/* A list of tiles has two ends: heavy tiles come from the front, light ones from the back of the
 * array. The block in place i takes tile i, and places are distributed over the multiprocessors one
 * by one, so that two heavy tiles share a multiprocessor only if necessary. The weight of a tile is
 * that at the beginning of the epoch. */
__device__ static inline int listed_tile(const struct resident_view *v, int epoch, int heavy, int i)
{
    return __ldcg(&v->list[epoch % 2][i < heavy ? i : v->tile_count - 1 - (i - heavy)]);
}

__device__ static inline void list_tile(const struct resident_view *v, struct listed *listed,
                                        int tile, int epoch)
{
    if (tile < 0) return;
    bool heavy = __ldcg(&v->weight[tile]) >= HEAVY;
    if (atomicExch(&v->listed_for[tile], epoch) == epoch) return;
    int slot = atomicAdd(
        heavy ? &v->exchange->fill[epoch % 4].heavy : &v->exchange->fill[epoch % 4].light, 1);
    v->list[epoch % 2][heavy ? slot : v->tile_count - 1 - slot] = tile;
    v->slot[tile] = heavy ? slot : -1 - slot;
    atomicAdd(heavy ? &listed->heavy : &listed->light, 1);
}

/* The place of a neighbour on the list, -1 if it is not there. */
__device__ static inline int slot_of(const struct resident_view *v, int tile, int epoch, int heavy)
{
    if (v->full) return tile;
    int listed_for = __ldcg(&v->listed_for[tile]), slot = __ldcg(&v->slot[tile]);
    return listed_for != epoch ? -1 : slot >= 0 ? slot : heavy + (-1 - slot);
}

#endif
