/* tiles.h — the data that stay in memory from one epoch to the next: two states, and the list of tiles. An epoch is
 * up to SIDE steps with the same list. */
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

/* Elevation and thickness of a cell, in m. They are in shared memory, where the threads of neighbouring cells read
 * them. */
struct alignas(16) level {
    double z, h;
};

/* What a flow adds to a cell: thickness in m, and heat in quanta. */
struct alignas(16) change {
    double m;
    long long heat;
};

/* The status of a simulation on the device, kept from launch to launch. count[0] of struct gpu_control is the number
 * of heavy tiles on the list. */
struct resident_control : gpu_control {
    int epoch;                   /* number of the present epoch */
    int light;                   /* number of light tiles on the list */
    struct gpu_sum so_far;       /* mobile lava, summed for the next reduction */
    int on_chip, through_memory; /* epochs that the kernel of this name made */
    struct part_sums parts;
};

/* Struct gpu_view with the arrays that only this variant has. */
struct resident_view : gpu_view {
    /* slot: place of each tile on the list (slot_of()). weight: number of cells with lava when the last epoch of the
     * tile on the chip began. */
    int *slot, *weight;
    struct exchange *exchange;
    /* panel: the list of panels (panels.h). panel_for: 1 + the last epoch for which a panel was marked. */
    int *panel, *panel_for;
};

__device__ static inline struct resident_control *control_of(const struct resident_view *v)
{
    return static_cast<struct resident_control *>(v->control);
}

/* The arrays of state n & 1. Step n reads this state and writes the other state. At the end of an epoch on the chip,
 * both states are written. */
__device__ static inline double *state_z(const struct gpu_view *v, long long n)
{
    return n & 1 ? v->z_other : v->z;
}
__device__ static inline double *state_h(const struct gpu_view *v, long long n)
{
    return n & 1 ? v->h_other : v->h;
}

/* Tile i of the list of an epoch with `heavy` heavy tiles. The block with place i takes tile i. A list fills an array
 * from both ends: heavy tiles from the front, light tiles from the back. exchange_place() gives successive places to
 * different multiprocessors. So two heavy tiles share a multiprocessor only if there are more heavy tiles than
 * multiprocessors. */
__device__ static inline int listed_tile(const struct resident_view *v, int epoch, int heavy, int i)
{
    return __ldcg(&v->list[epoch % 2][i < heavy ? i : v->tile_count - 1 - (i - heavy)]);
}

/* Puts a tile on the list of an epoch, unless it is already there. tile -1: there is no such tile. */
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

/* The place of a tile on the list of an epoch; -1: the tile is not on the list. */
__device__ static inline int slot_of(const struct resident_view *v, int tile, int epoch, int heavy)
{
    if (v->full) return tile;
    int listed_for = __ldcg(&v->listed_for[tile]), slot = __ldcg(&v->slot[tile]);
    return listed_for != epoch ? -1 : slot >= 0 ? slot : heavy + (-1 - slot);
}

#endif
