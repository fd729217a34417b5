/* tiles.h — data that an epoch leaves in memory for the next epoch: two states, and the list of
 * tiles. */
#ifndef SCIARA_RESIDENT_TILES_H
#define SCIARA_RESIDENT_TILES_H

#include "exchange.h"
#include "parts.h"

#include "gpu/cell.h"

#ifndef RESIDENT_SIDE
#define RESIDENT_SIDE 8
#endif
enum {
    SIDE = RESIDENT_SIDE, /* side of a tile, in cells */
    HEAVY = 12,           /* a tile with at least this number of cells with lava is heavy */
};

/* Ground and lava of a cell, in shared memory. The threads of neighbouring cells read them. */
struct alignas(16) level {
    double z, h;
};

/* Change of a cell by a flow, in thickness and heat. */
struct alignas(16) change {
    double m;
    long long heat;
};

/* The control of this variant; it lasts from launch to launch. count[0] is the number of heavy
 * tiles on the list. */
struct resident_control : gpu_control {
    int epoch;                   /* number of the present epoch */
    int light;                   /* number of light tiles on the list */
    struct gpu_sum so_far;       /* mobile lava of the current reduction */
    int on_chip, through_memory; /* number of epochs that each kernel made */
    struct part_sums parts;
};

/* The view of all variants, with the arrays of this variant. */
struct resident_view : gpu_view {
    int *slot, *weight; /* per tile: its place on the list; its number of cells with lava */
    struct exchange *exchange;
    int *panel,
        *panel_for; /* the list of panels; per panel, 1 + the epoch in which it was last marked
                       (panels.h) */
};

__device__ static inline struct resident_control *control_of(const struct resident_view *v)
{
    return static_cast<struct resident_control *>(v->control);
}

/* The arrays of state n & 1. Step n reads this state and writes the other one, or both. */
__device__ static inline double *state_z(const struct gpu_view *v, long long n)
{
    return n & 1 ? v->z_other : v->z;
}
__device__ static inline double *state_h(const struct gpu_view *v, long long n)
{
    return n & 1 ? v->h_other : v->h;
}

/* A list of tiles fills an array from both ends: heavy tiles from the front, light tiles from the
 * back. The block with place i takes tile i. exchange_place() gives successive places to different
 * multiprocessors. So two heavy tiles share a multiprocessor only if there are more heavy tiles
 * than multiprocessors. The weight of a tile is its number of cells with lava at the beginning of
 * the epoch. */
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

/* The place of a tile on the list; -1: it is not on the list. */
__device__ static inline int slot_of(const struct resident_view *v, int tile, int epoch, int heavy)
{
    if (v->full) return tile;
    int listed_for = __ldcg(&v->listed_for[tile]), slot = __ldcg(&v->slot[tile]);
    return listed_for != epoch ? -1 : slot >= 0 ? slot : heavy + (-1 - slot);
}

#endif
