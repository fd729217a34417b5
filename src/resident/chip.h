/* chip.h — an epoch on the chip: each block computes one tile, in registers and shared memory.
 *
 * A tile has SIDE x SIDE cells. Around a tile is a margin of two cells, which belong to neighbouring tiles. The block
 * of a tile has one thread for each cell of the tile and of the margin. z, h and T stay in the threads' registers. z
 * and h are in shared memory too, where neighbouring threads read them. Lava flows into the tile from ring 1 of the
 * margin, and the outflows of ring 1 depend on ring 2:
 *
 *     . . . . . . . . . . . .   #   own cells   threads 0 to 63: outflows, balance, solidification
 *     . o o o o o o o o o o .   o   ring 1      threads 64 to 99: outflows, then receive
 *     . o # # # # # # # # o .   .   ring 2      threads 100 to 143: receive
 *     . o # # #  ...  # # o .
 *
 * A step has two barriers of the block. Between the steps, cells send messages to other blocks (exchange.h):
 *
 *     lava of the vents; z and h to shared memory                               all threads
 *     -------------------------------------------------------------- barrier
 *     outflows into shared memory                                               own cells, ring 1
 *     -------------------------------------------------------------- barrier
 *     gather flows, balance, solidify, records; send h, T, solidified thickness own cells
 *     wait for the messages of their cells                                      the margin
 *
 * A block waits only for its eight neighbours. Up to four blocks compute the outflows of the same cell. This costs less
 * than a second message per step. Arithmetic is exact, so all these blocks get the same bits. */
#ifndef SCIARA_RESIDENT_CHIP_H
#define SCIARA_RESIDENT_CHIP_H

#include "parts.h"
#include "tiles.h"

#include <limits.h>

enum {
    OWN = SIDE * SIDE,
    GIVERS_SIDE = SIDE + 2,
    GIVERS = GIVERS_SIDE * GIVERS_SIDE, /* cells of the tile and of ring 1 */
    REGION_SIDE = SIDE + 4,
    REGION = REGION_SIDE * REGION_SIDE,
    OWN_THREADS = (OWN + 31) / 32 * 32, /* no warp has threads of both the tile and the margin */
    THREADS = OWN_THREADS + (REGION - OWN + 31) / 32 * 32,
    MARGIN = REGION - OWN,
    /* The smallest number of steps of an epoch on the chip. When an epoch begins, a block reads the places of tiles
     * on the list (find_slots()). When the epoch ends, blocks up to two tiles away overwrite these places. Before that,
     * they receive the messages of three steps, which prove that the block has read the places. */
    SHORTEST = 3,
};

/* What the vents of a cell have emitted in this epoch. store() adds it to the sums of the simulation. */
struct emitted {
    double lava_m;
    long long heat; /* in quanta, < 2^63 in an epoch */
};

/* Data of a block in shared memory. */
struct region {
    struct level level[REGION];
    struct change flow[8][GIVERS];
    double highest_m[OWN], max_temp_K[OWN];
    gpu_word cooled[OWN]; /* heat that each thread has counted as lost in this launch */
    struct gpu_emission emission[REGION]; /* only cells with vents have an emission */
    double emits_m[REGION];               /* what vents emit in the next step, in metres */
    struct emitted emitted[OWN];
    /* Places on the list of the 3 x 3 tiles around this tile, row by row. -1: the tile is not on the list. */
    int slot[9];
    unsigned wakes;
    struct listed listed;      /* how many tiles this block has listed in this epoch */
    unsigned long long notice; /* result of the last exchange_meet() */
    int place;                 /* place of this block (exchange_place) */
};

/* A thread's data about its cell. */
struct chip_cell {
    int row, col;    /* counted from the first cell of the tile; own: 0 to SIDE - 1 */
    int here, giver; /* indices in region.level and region.flow */
    bool own, gives; /* own: in the tile; gives: in the tile or in ring 1 */
    int margin;      /* number in the margin; -1: not in the margin */
    int at;          /* index in padded arrays; outside these arrays, the cell is a wall */
    int flag;
    double z, h, T;
    double solid_m; /* thickness that solidified in the last step */
    bool flowed;    /* whether region.flow of the cell has a flow that is not 0 */
    /* Where a cell of the tile sends its messages, as indices for boxes(). Up to three other tiles have the cell in
     * their margins. -1: no message. */
    int out[3];
    /* Whether the thread receives messages: its cell is in the margin, and the tile with the cell is on the list. */
    bool listens;
    struct part_marks *parts;
};

/* The number of a cell in the margin, from 0. Ring 1 comes first, then ring 2. Each ring is numbered clockwise from
 * its north-west corner. */
__device__ static inline int margin_index(int row, int col)
{
    int ring = row == -2 || col == -2 || row == SIDE + 1 || col == SIDE + 1 ? 2 : 1;
    int last = SIDE + 2 * ring - 1, r = row + ring, c = col + ring,
        before = ring == 1 ? 0 : GIVERS - OWN;
    return before + (r == 0 && c < last      ? c
                     : c == last && r < last ? last + r
                     : r == last && c > 0    ? 2 * last + last - c
                                             : 3 * last + last - r);
}

__device__ static inline int margin_of(int thread)
{
    return thread >= OWN_THREADS && thread < OWN_THREADS + MARGIN ? thread - OWN_THREADS : -1;
}

/* Finds the cell of a thread. The first threads have the cells of the tile, row by row. Further threads have the
 * cells of the margin. */
__device__ static inline struct chip_cell take_cell(int thread)
{
    struct chip_cell c = {};
    c.own = thread < OWN;
    c.margin = margin_of(thread);
    c.gives = c.own || (c.margin >= 0 && c.margin < GIVERS - OWN);
    if (c.own) {
        c.row = thread / SIDE;
        c.col = thread % SIDE;
    } else if (c.margin >= 0) {
        int ring = c.gives ? 1 : 2, last = SIDE + 2 * ring - 1;
        int i = c.margin - (c.gives ? 0 : GIVERS - OWN), side = i / last, along = i % last;
        c.row = (side == 0 ? 0 : side == 1 ? along : side == 2 ? last : last - along) - ring;
        c.col = (side == 0 ? along : side == 1 ? last : side == 2 ? last - along : 0) - ring;
    }
    c.here = (c.row + 2) * REGION_SIDE + c.col + 2;
    c.giver = (c.row + 1) * GIVERS_SIDE + c.col + 1;
    return c;
}

/* ---- one step -------------------------------------------------------------------------------- */

/* Finds what the vents of a cell emit in `step`. The function is called before the step, while no other thread waits
 * for this thread. Every block that has the cell in its tile or its margin calls it. Only the block with the cell in
 * its tile counts the emission. */
__device__ static inline void look_up_emission(const struct resident_view *v, struct region *r,
                                               const struct chip_cell *c, long long step)
{
    struct gpu_emission *e = &r->emission[c->here];
    if (step >= e->until) gpu_emission_at(v, c->at, step, e);
    double amount_m = r->emits_m[c->here] = gpu_emission_step(e);
    if (!c->own) return;
    r->emitted[threadIdx.x].lava_m += amount_m;
    r->emitted[threadIdx.x].heat += physics_heat_emitted(&v->physics, amount_m, c->h, c->T);
}

/* computeOutflows. Stores the outflows in region.flow. If the cell is in the tile, subtracts its outflows from
 * *gain_m and *heat. */
__device__ static inline void flow_out(const struct resident_view *v, struct region *r,
                                       struct chip_cell *c, double *gain_m, long long *heat)
{
    double zk[8], hk[8], flow[8];
    bool flows = false;
    if (c->h > 0.0) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            int next = c->here + PHYSICS_ROW(k) * REGION_SIDE + PHYSICS_COL(k);
            zk[k] = r->level[next].z;
            hk[k] = r->level[next].h;
        }
        flows = physics_outflows(&v->physics, c->z, c->h, c->T, zk, hk, flow);
    }
    if (!flows && !c->flowed) return;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        double m = flows ? flow[k] : 0.0;
        long long q = flows ? heat_of(m, c->T) : 0;
        r->flow[k][c->giver].m = m;
        r->flow[k][c->giver].heat = q;
        if (!c->own) continue;
        *gain_m -= m;
        *heat -= q;
    }
    c->flowed = flows;
}

/* What settle() has seen of a cell in a step. The records need level_m = z + h and T before lava leaves at the border.
 * The sums of heat need lava_m and `heat` before lava solidifies. */
struct seen {
    bool lava;
    double level_m, T;
    double lava_m;
    long long heat;
};
/* massBalance, solidification and boundaryConditions of a cell of the tile. */
__device__ static inline void settle(const struct resident_view *v, struct region *r,
                                     struct chip_cell *c, double gain_m, long long heat,
                                     struct seen *seen)
{
    double in[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int from = c->giver + PHYSICS_ROW(k) * GIVERS_SIDE + PHYSICS_COL(k);
        in[k] = r->flow[PHYSICS_OPPOSITE(k)][from].m;
        heat += r->flow[PHYSICS_OPPOSITE(k)][from].heat;
    }
    gain_m += physics_sum8(in);
    c->solid_m = 0.0;
    if (!(c->h > 0.0) && gain_m == 0.0) return;
    seen->heat = physics_balance(gain_m, heat, &c->h, &c->T);
    if (!(c->h > 0.0)) return;
    double z = c->z, s = 0.0;
    seen->lava = true;
    seen->lava_m = c->h;
    physics_solidify(&v->physics, c->flag & CELL_BORDER, &c->z, &c->h, &c->T, &s);
    c->solid_m = c->z - z;
    seen->level_m = c->z + c->h;
    seen->T = c->T;
    gpu_boundary(v, c->flag, &c->h, &c->T);
}

/* The boxes in which blocks receive messages: for each block MARGIN boxes, one for each cell of its margin. Messages
 * of even steps and of odd steps have different boxes. */
__device__ static inline struct mail_word *boxes(const struct resident_view *v, long long step)
{
    return (struct mail_word *)(v->exchange + 1) + (step & 1) * (long long)gridDim.x * MARGIN;
}

/* Sends the new state of a cell of the tile to all blocks that have the cell in their margins. */
__device__ static inline void send(const struct resident_view *v, const struct chip_cell *c,
                                   long long step)
{
    struct mail_word w = message_pack({c->h, c->T, c->solid_m}, (unsigned)step);
    struct mail_word *all = boxes(v, step);
#pragma unroll
    for (int i = 0; i < 3; i++)
        if (c->out[i] >= 0) mail_write(all + c->out[i], w);
}

/* Adds the heat that a cell of the tile has lost in a step to the sums of the simulation. */
__device__ static inline void count_heat(const struct resident_view *v, struct region *r,
                                         const struct chip_cell *c, const struct seen *seen)
{
    gpu_word *cooled = &r->cooled[threadIdx.x];
    if (seen->lava)
        gpu_count_heat(v, seen->lava_m, seen->T, seen->heat, c->solid_m > 0.0,
                       c->flag & CELL_BORDER, cooled);
    else if (seen->heat != 0) *cooled += (gpu_word)seen->heat;
}

/* Makes one step of the tile, with all threads of the block. The cells of the margin keep their state before the step
 * until receive(). Returns whether the cell of this thread is in the tile, and had lava at some time in the step. */
__device__ static inline bool make_step(const struct resident_view *v, struct region *r,
                                        struct chip_cell *c, long long step, bool sends)
{
    double gain_m = 0.0;
    long long heat = 0;
    struct seen seen = {};
    bool wet = c->own && c->h > 0.0;
    if (c->flag & CELL_VENT) physics_emit(&v->physics, r->emits_m[c->here], &c->h, &c->T);
    if (c->own || c->margin >= 0) {
        r->level[c->here].z = c->z;
        r->level[c->here].h = c->h;
    }
    __syncthreads();
    part_ends_at_barrier(c->parts, PART_WAIT, &r->wakes);
    if (c->gives) flow_out(v, r, c, &gain_m, &heat);
    __syncthreads();
    part_ends_at_barrier(c->parts, PART_OUTFLOWS, &r->wakes);
    if (c->own) {
        settle(v, r, c, gain_m, heat, &seen);
        if (sends) send(v, c, step);
        if (seen.lava) /* recorded after sending, because other blocks wait for the message */
            gpu_record(v, c->at, step, seen.level_m, seen.T, &r->highest_m[threadIdx.x],
                       &r->max_temp_K[threadIdx.x]);
        count_heat(v, r, c, &seen);
    }
    if (sends && (c->flag & CELL_VENT)) look_up_emission(v, r, c, step + 1);
    part_ends(c->parts, PART_SETTLE);
    return wet || seen.lava;
}

/* ---- from memory to the chip and back -------------------------------------------------------- */

/* The data of a cell in memory. fetch() issues all loads before it uses the first value, so that the thread waits
 * once. */
struct stored {
    double z, h, T, highest_m, max_temp_K;
    int flag;
};

__device__ static inline struct stored fetch(const struct resident_view *v, struct chip_cell *c,
                                             int tile, long long step)
{
    struct stored m = {WALL_M, 0.0, 0.0, 0.0, 0.0, CELL_VOID};
    int tile_row = tile / v->tiles_across, tile_col = tile % v->tiles_across;
    long long at = grid_at(v->stride, tile_row * SIDE + c->row, tile_col * SIDE + c->col);
    c->at = (int)at;
    if ((c->own || c->margin >= 0) && at >= 0 && at < v->size) {
        m.z = __ldcg(state_z(v, step) + at);
        m.h = __ldcg(state_h(v, step) + at);
        m.T = __ldcg(v->T[step & 1] + at);
        m.flag = v->flag[at];
    }
    if (c->own) {
        m.highest_m = __ldcg(v->highest_m + at);
        m.max_temp_K = __ldcg(v->max_temp_K + at);
    }
    return m;
}

__device__ static inline void take(const struct resident_view *v, struct region *r,
                                   struct chip_cell *c, const struct stored *m, long long first)
{
    c->flowed = false;
    if (c->gives)
#pragma unroll
        for (int k = 0; k < 8; k++) {
            r->flow[k][c->giver].m = 0.0;
            r->flow[k][c->giver].heat = 0;
        }
    if (threadIdx.x == 0) r->wakes = 0;
    c->z = m->z;
    c->h = m->h;
    c->T = m->T;
    c->flag = m->flag;
    if (c->flag & CELL_VENT) {
        r->emission[c->here].until = LLONG_MIN;
        if (c->own) r->emitted[threadIdx.x] = {};
        look_up_emission(v, r, c, first);
    }
    if (!c->own) return;
    r->highest_m[threadIdx.x] = m->highest_m;
    r->max_temp_K[threadIdx.x] = m->max_temp_K;
}

/* Writes a cell of the tile to both states in memory. Adds what its vents have emitted to the simulation's sums. */
__device__ static inline void store(const struct resident_view *v, const struct region *r,
                                    const struct chip_cell *c)
{
    if (!c->own) return;
    for (int state = 0; state < 2; state++) {
        state_z(v, state)[c->at] = c->z;
        state_h(v, state)[c->at] = c->h;
        v->T[state][c->at] = c->T;
    }
    v->highest_m[c->at] = r->highest_m[threadIdx.x];
    v->max_temp_K[c->at] = r->max_temp_K[threadIdx.x];
    if (!(c->flag & CELL_VENT)) return;
    const struct emitted *e = &r->emitted[threadIdx.x];
    gpu_add(&v->control->emitted, e->lava_m);
    gpu_add_count(&gpu_heat_place(v)->emitted, e->heat);
}

/* ---- the end of an epoch --------------------------------------------------------------------- */

/* After the last step of an epoch: lists the tiles that lava of this tile can reach in the next epoch. Adds the
 * mobile lava of the tile to *mobile; NULL: no reduction follows. */
__device__ static inline void end_tile(const struct resident_view *v, struct region *r,
                                       const struct chip_cell *c, int tile, int epoch,
                                       bool wet_before, struct gpu_sum *mobile)
{
    bool wet = c->own && c->h > 0.0;
    unsigned bits =
        c->own ? gpu_tiles_woken(v, c->row, c->col, wet_before, wet || (c->flag & CELL_VENT)) : 0u;
    for (int lanes = 16; lanes; lanes /= 2) bits |= __shfl_xor_sync(0xffffffffu, bits, lanes);
    if (threadIdx.x % 32 == 0 && bits) atomicOr(&r->wakes, bits);
    if (mobile) {
        long long n = wet ? (long long)(c->h * LATTICE_PER_M) : 0;
        gpu_add_warp(mobile, n & 0xffffffffLL, n >> 32);
    }
    __syncthreads();
    if (!v->full && threadIdx.x < 9 && (r->wakes >> threadIdx.x & 1u))
        list_tile(v, &r->listed, gpu_tile_beside(v, tile, threadIdx.x), epoch + 1);
}

/* ---- an epoch on the chip -------------------------------------------------------------------- */

/* Clears the boxes of a block, so that the block takes no old message for a message of the two steps after `done`. Each
 * thread of the margin clears two boxes. */
__device__ static inline void clear_boxes(const struct resident_view *v, int place, long long done)
{
    int margin = margin_of(threadIdx.x);
    if (margin < 0) return;
    for (long long step = done + 1; step <= done + 2; step++)
        mail_write(boxes(v, step) + place * MARGIN + margin, message_clear((unsigned)step));
}

/* Nine threads of the margin find the places of this tile and of the 8 tiles around it on the list. */
__device__ static inline void find_slots(const struct resident_view *v, struct region *r,
                                         const struct chip_cell *c, int tile, int epoch, int heavy)
{
    if (c->margin < 0 || c->margin >= 9) return;
    int row = tile / v->tiles_across + c->margin / 3 - 1,
        col = tile % v->tiles_across + c->margin % 3 - 1;
    int beside = row * v->tiles_across + col;
    bool exists = row >= 0 && col >= 0 && col < v->tiles_across && beside < v->tile_count;
    r->slot[c->margin] = exists ? slot_of(v, beside, epoch, heavy) : -1;
}

/* The cell *c of this tile may lie in the margin of another tile, `down` tiles to the south and `right` tiles to the east
 * (each -1, 0 or 1). Returns the index of its box there, for boxes(); -1: that tile does not exist or is not on the list. */
__device__ static inline int box_of(const struct region *r, const struct chip_cell *c, int down,
                                    int right)
{
    int slot = down || right ? r->slot[3 * down + right + 4] : -1;
    return slot < 0 ? -1
                    : slot * MARGIN + margin_index(c->row - down * SIDE, c->col - right * SIDE);
}

/* Finds the boxes to which a cell of the tile sends, or whether a cell of the margin receives messages. */
__device__ static inline void open_mail(const struct region *r, struct chip_cell *c)
{
    if (c->own) {
        int down = c->row < 2           ? -1
                   : c->row >= SIDE - 2 ? 1
                                        : 0,
            right = c->col < 2           ? -1
                    : c->col >= SIDE - 2 ? 1
                                         : 0;
        c->out[0] = box_of(r, c, down, 0);
        c->out[1] = box_of(r, c, 0, right);
        c->out[2] = down && right ? box_of(r, c, down, right) : -1;
    } else {
        int down = (c->row + SIDE) / SIDE - 1, right = (c->col + SIDE) / SIDE - 1;
        c->listens = c->margin >= 0 && r->slot[3 * down + right + 4] >= 0;
    }
}

/* Receives the new state of a cell of the margin. All threads of a warp call this function together, because a wait
 * of one thread stops the warp. */
__device__ static inline void receive(const struct resident_view *v, struct chip_cell *c, int place,
                                      long long step)
{
    const struct mail_word *box = boxes(v, step) + place * MARGIN + c->margin;
    struct mail_word w = {};
    bool waits;
    do {
        if (c->listens) w = mail_look(box);
        waits = c->listens && !message_is_of(w, (unsigned)step);
        exchange_pause();
    } while (__any_sync(0xffffffffu, waits));
    if (!c->listens) return;
    struct message m = message_unpack(w);
    c->z += m.solid_m;
    c->h = m.h;
    c->T = m.T;
}

/* Makes an epoch of `steps` steps, beginning with step `first`, of one tile. r->place is the place of this block, and
 * also the place of the tile on the list. */
__device__ static void epoch_on_chip(const struct resident_view *v, struct region *r,
                                     struct part_marks *parts, int epoch, int heavy,
                                     long long first, int steps, struct gpu_sum *mobile)
{
    struct chip_cell cell = take_cell(threadIdx.x), *c = &cell;
    int slot = r->place, tile = v->full ? slot : listed_tile(v, epoch, heavy, slot);
    long long last = first + steps - 1;
    bool wet_before = false;
    c->parts = parts;
    struct stored m = fetch(v, c, tile, first);
    find_slots(v, r, c, tile, epoch, heavy);
    take(v, r, c, &m, first);
    int wet = __syncthreads_count(c->own && c->h > 0.0);
    if (threadIdx.x == 0) v->weight[tile] = wet;
    open_mail(r, c);
    part_ends(c->parts, PART_LOAD);
    for (long long step = first; step <= last; step++) {
        wet_before = make_step(v, r, c, step, step < last);
        if (step < last && threadIdx.x >= OWN_THREADS) receive(v, c, r->place, step);
    }
    clear_boxes(v, r->place, last);
    store(v, r, c);
    end_tile(v, r, c, tile, epoch, wet_before, mobile);
    part_ends(c->parts, PART_STORE);
}

#endif
