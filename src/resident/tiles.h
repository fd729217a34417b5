/* tiles.h — what an epoch leaves in memory for the next: two states, and the list of tiles. */
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
    HEAVY = 12, /* wet cells of a tile that is to have a multiprocessor of its own, if there are
                   enough */
};

/* Where lava stands in a cell: in shared memory, for the neighbours to look at. */
struct alignas(16) level {
    double z, h;
};

/* What a flow changes in a cell. */
struct alignas(16) change {
    double m;
    long long heat;
};

/* What epochs leave to those after them, also from one launch to the next. Heavy tiles of the list
 * are counted in count[0]. */
struct resident_control : gpu_control {
    int epoch;                   /* its number */
    int light;                   /* tiles from the back of the list */
    struct gpu_sum so_far;       /* mobile lava of the reduction under way */
    int on_chip, through_memory; /* epochs that were made there */
    struct part_sums parts;
};

/* The arrays of all variants, and those of this one. */
struct resident_view : gpu_view {
    int *slot, *weight; /* per tile: where on the list it stands; how many of its cells are wet */
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
 * array. The block in place i takes tile i, and places are dealt to the multiprocessors one by one,
 * so that no two heavy tiles meet on one as long as there is another way. How heavy a tile is, is
 * what it was when the epoch began. */
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
