/* panels.h — an epoch through memory, for more tiles than on_chip() has blocks.
 *
 * The domain is divided into panels, 30 cells wide and up to 64 tall. A warp takes a panel and goes down its rows, one
 * lane (thread of the warp) per column. The first and the last lane have columns of the adjacent panels. Each of these
 * two lanes also reads the next column outwards. Lanes communicate through shared memory, and no warp waits for
 * another. At a row, the warp does this:
 *
 *     row - 1    balance, solidification, records, as all flows are known now; stores the cells
 *     row        computes outflows to all three rows and to the adjacent lanes
 *     row + 1    z, h and T are in shared memory
 *     row + 2    z, h and T are being copied from memory to shared memory
 *
 * The warp of a panel also computes the outflows of the cells around the panel. A step reads one of two states and
 * writes the other state, with the lava that vents emit for the next step. After each step all blocks wait for each
 * other (exchange_meet()). */
#ifndef SCIARA_RESIDENT_PANELS_H
#define SCIARA_RESIDENT_PANELS_H

#include "tiles.h"

#if !defined(SCIARA_EMULATOR)
#include <cuda_pipeline.h>
#endif

enum { WARP = 32, PANEL_COLS = WARP - 2, PANEL_TALLEST = 64, PANEL_THREADS = 128 };
#define ALL_LANES 0xffffffffu
static_assert(SIDE == 8 || SIDE == 16,
              "whole rows of a tile in a warp, and a tile in two panels at most");

/* A row of cells, in shared memory. Lane l of the warp has level[l + 1] and T[l]. */
struct row {
    struct level level[WARP + 2];
    double T[WARP];
};
struct records {
    double highest_m[WARP], max_temp_K[WARP];
};
struct passage {
    struct row row[4];
    struct records records[2];
    /* Flows to the lanes in the west and in the east. Index 0 is the row above, 1 the same row, 2 the row below. */
    struct change to_west[3][WARP], to_east[3][WARP];
    gpu_word cooled[WARP]; /* heat that each lane has counted as lost in this launch */
};

/* Data of a block in shared memory. */
struct panel_block {
    struct passage passage[PANEL_THREADS / WARP];
    struct listed listed;      /* how many tiles this block has listed in this epoch */
    unsigned long long notice; /* result of the last exchange_meet() */
};

/* The number of threads in all blocks together. Divided by WARP, it is the number of warps. */
__device__ static inline int all_threads(void)
{
    return (int)(gridDim.x * PANEL_THREADS);
}
/* The number of this thread among the threads of all blocks. Divided by WARP, it is the number of this warp. */
__device__ static inline int this_thread(void)
{
    return (int)(blockIdx.x * PANEL_THREADS + threadIdx.x);
}

/* ---- the list of panels ---------------------------------------------------------------------- */

/* How an epoch divides the domain into panels. */
struct panels {
    int rows;          /* rows of a panel, a multiple of SIDE */
    int across, count; /* number of panels from west to east; number of all panels */
};

__host__ __device__ static inline int panels_across(const struct gpu_view *v)
{
    return (v->tiles_across * SIDE + PANEL_COLS - 1) / PANEL_COLS;
}

/* Divides the domain for an epoch with `tiles` listed tiles. The taller the panels, the fewer rows are
 * computed twice. So panels are halved only while there are fewer than four panels for each warp. */
__device__ static inline struct panels panels_cut(const struct resident_view *v, int tiles)
{
    struct panels p = {PANEL_TALLEST, panels_across(v), 0};
    while (p.rows > SIDE &&
           (long long)tiles * SIDE * SIDE < 4LL * (all_threads() / WARP) * p.rows * PANEL_COLS)
        p.rows /= 2;
    p.count = (v->tile_count / v->tiles_across * SIDE + p.rows - 1) / p.rows * p.across;
    return p;
}

/* Marks the one or two panels that have cells of a tile. */
__device__ static inline void panels_mark(const struct resident_view *v, const struct panels *p,
                                          int tile, int epoch)
{
    int row = tile / v->tiles_across * SIDE / p->rows, col = tile % v->tiles_across * SIDE;
    v->panel_for[row * p->across + col / PANEL_COLS] = epoch + 1;
    v->panel_for[row * p->across + (col + SIDE - 1) / PANEL_COLS] = epoch + 1;
}

/* Lists the marked panels. Adjacent panels stay next to each other on the list, so that warps find common cells in
 * the L2 cache. */
__device__ static inline void panels_list(const struct resident_view *v, const struct panels *p,
                                          int epoch)
{
    int lane = threadIdx.x % WARP;
    for (int first = this_thread() - lane; first < p->count; first += all_threads()) {
        bool marked = first + lane < p->count && __ldcg(&v->panel_for[first + lane]) == epoch + 1;
        unsigned lanes = __ballot_sync(ALL_LANES, marked);
        int at = 0;
        if (lane == 0 && lanes) at = atomicAdd(&v->exchange->panels, __popc(lanes));
        at = __shfl_sync(ALL_LANES, at, 0) + __popc(lanes & ((1u << lane) - 1u));
        if (marked) v->panel[at] = first + lane;
    }
}

/* ---- down a panel ---------------------------------------------------------------------------- */

/* The work of a lane that goes down the rows of a panel. */
struct descent {
    long long step;
    bool emits;     /* vents also emit for the next step */
    bool own;       /* the lane has a column of the panel */
    int row0, row1; /* rows of the panel: row0 to row1 - 1 */
    int lane, col;
};

__device__ static inline void fetch_async(double *to, const double *from)
{
#if defined(SCIARA_EMULATOR)
    emulator_copy_async(to, from, sizeof *to);
#else
    __pipeline_memcpy_async(to, from, sizeof *to);
#endif
}

/* Requests copies of a row of cells to shared memory. For a cell outside the array, another cell is copied. Only
 * outflows of cells outside the domain depend on this copy, and these outflows are 0 or not used. */
template <int STATE>
__device__ static inline void ask_row(const struct resident_view *v, const struct descent *w,
                                      int row, struct row *to)
{
    int at = max(1, min(grid_at(v->stride, row, w->col), v->size - 2));
    const double *z = state_z(v, STATE) + at, *h = state_h(v, STATE) + at;
    fetch_async(&to->level[w->lane + 1].z, z);
    fetch_async(&to->level[w->lane + 1].h, h);
    fetch_async(&to->T[w->lane], v->T[STATE] + at);
    if (w->lane != 0 && w->lane != WARP - 1) return;
    int beyond = w->lane ? 1 : -1;
    fetch_async(&to->level[w->lane + 1 + beyond].z, z + beyond);
    fetch_async(&to->level[w->lane + 1 + beyond].h, h + beyond);
}

__device__ static inline void ask_records(const struct resident_view *v, const struct descent *w,
                                          int row, struct records *to)
{
    if (!w->own) return;
    /* The array also has rows above and below the domain, as padding. */
    int at = grid_at(v->stride, row, w->col);
    fetch_async(&to->highest_m[w->lane], v->highest_m + at);
    fetch_async(&to->max_temp_K[w->lane], v->max_temp_K + at);
}

/* asked() ends a group of requests. arrived<n>() waits for all groups except the last n groups. */
__device__ static inline void asked(void)
{
#if defined(SCIARA_EMULATOR)
    emulator_copy_commit();
#else
    __pipeline_commit();
#endif
}
template <int LATER> __device__ static inline void arrived(void)
{
#if defined(SCIARA_EMULATOR)
    emulator_copy_wait(LATER);
#else
    __pipeline_wait_prior(LATER);
#endif
    __syncwarp();
}

/* computeOutflows for a cell of row `here`. Adds its flows, and the flows of the adjacent lanes, to change[0] for the
 * row above, change[1] for this row, and change[2] for the row below. */
__device__ static inline void flow_down(const struct resident_view *v, const struct descent *w,
                                        struct passage *p, const struct row *north,
                                        const struct row *here, const struct row *south,
                                        struct change change[3])
{
    double flow[8] = {}, z = here->level[w->lane + 1].z, h = here->level[w->lane + 1].h,
           T = here->T[w->lane];
    bool flows = false;
    if (h > 0.0) {
        double zk[8], hk[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const struct row *row = PHYSICS_ROW(k) < 0 ? north : PHYSICS_ROW(k) > 0 ? south : here;
            zk[k] = row->level[w->lane + 1 + PHYSICS_COL(k)].z;
            hk[k] = row->level[w->lane + 1 + PHYSICS_COL(k)].h;
        }
        flows = physics_outflows(&v->physics, z, h, T, zk, hk, flow);
    }
    if (!__any_sync(ALL_LANES, flows)) return;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        struct change c = {flow[k], 0};
        c.heat = heat_of(c.m, T);
        change[1].m -= c.m;
        change[1].heat -= c.heat;
        if (PHYSICS_COL(k) < 0) p->to_west[1 + PHYSICS_ROW(k)][w->lane] = c;
        else if (PHYSICS_COL(k) > 0) p->to_east[1 + PHYSICS_ROW(k)][w->lane] = c;
        else {
            change[1 + PHYSICS_ROW(k)].m += c.m;
            change[1 + PHYSICS_ROW(k)].heat += c.heat;
        }
    }
    __syncwarp();
    if (!w->own) return;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        struct change east = p->to_east[i][w->lane - 1], west = p->to_west[i][w->lane + 1];
        change[i].m += east.m + west.m;
        change[i].heat += east.heat + west.heat;
    }
}

/* massBalance, solidification, records and boundaryConditions of a cell of the panel, and then emitLava for the next
 * step. */
template <int STATE>
__device__ static inline void
settle_down(const struct resident_view *v, const struct descent *w, int at, const struct row *row,
            const struct records *records, int flag, struct change change, gpu_word *cooled)
{
    int lane = w->lane;
    double z = row->level[lane + 1].z, h = row->level[lane + 1].h, T = row->T[lane];
    if (h > 0.0 || change.m != 0.0) {
        long long heat = physics_balance(change.m, change.heat, &h, &T);
        if (h > 0.0) {
            struct gpu_cell c = {z, records->highest_m[lane], records->max_temp_K[lane], flag};
            gpu_settle(v, at, &c, w->step, &z, &h, &T, heat, false, cooled);
        } else *cooled += (gpu_word)heat;
    }
    if ((flag & CELL_VENT) && w->emits) gpu_emit(v, gpu_emission_m(v, at, w->step + 1), &h, &T);
    state_z(v, 1 - STATE)[at] = z;
    state_h(v, 1 - STATE)[at] = h;
    v->T[1 - STATE][at] = T;
}

template <int STATE>
__device__ static inline void go_down(const struct resident_view *v, const struct descent *w,
                                      struct passage *p)
{
    struct row *north = &p->row[0], *here = &p->row[1], *south = &p->row[2], *next = &p->row[3];
    struct records *now = &p->records[0], *later = &p->records[1];
    struct change change[3] = {};
    ask_row<STATE>(v, w, w->row0 - 2, north);
    ask_row<STATE>(v, w, w->row0 - 1, here);
    ask_row<STATE>(v, w, w->row0, south);
    asked();
    for (int row = w->row0 - 1; row <= w->row1; row++) {
        bool settles = w->own && row > w->row0;
        int at = grid_at(v->stride, row - 1, w->col), flag = settles ? v->flag[at] : 0;
        ask_row<STATE>(v, w, row + 2, next);
        ask_records(v, w, row, later);
        asked();
        arrived<1>();
        flow_down(v, w, p, north, here, south, change);
        if (settles) settle_down<STATE>(v, w, at, north, now, flag, change[0], &p->cooled[w->lane]);
        change[0] = change[1];
        change[1] = change[2];
        change[2] = {0.0, 0};
        struct row *done_with = north;
        north = here;
        here = south;
        south = next;
        next = done_with;
        struct records *used = now;
        now = later;
        later = used;
        __syncwarp(); /* other lanes still read rows that the next pass overwrites */
    }
    arrived<0>();
}

/* ---- an epoch -------------------------------------------------------------------------------- */

/* Resets the list of panels, on one thread, while all other threads wait. Returns false, so that the meeting does not
 * stop the run. */
__device__ static inline bool panels_begin(struct exchange *x)
{
    x->panels = x->next_panel = 0;
    exchange_fence();
    return false;
}

/* Makes a step that reads state STATE (0 or 1), with all blocks. Each warp takes panels until none is left. The last
 * panels, one for each warp, are taken in quarters, so that all warps end at about the same time. If all panels
 * together have more quarters than there are warps, panels of less than 32 rows are not divided. */
template <int STATE>
__device__ static inline void panels_step(const struct resident_view *v, const struct panels *cut,
                                          int count, long long step, bool emits,
                                          struct passage *passage)
{
    int width = v->tiles_across * SIDE, bottom = v->tile_count / v->tiles_across * SIDE, taken = 0;
    int warps = all_threads() / WARP, parts = cut->rows >= 32 || 4 * count <= warps ? 4 : 1;
    int whole = max(0, count - warps), rows = cut->rows / parts;
    struct descent w;
    w.step = step;
    w.emits = emits;
    w.lane = threadIdx.x % WARP;
    for (;;) {
        if (w.lane == 0) taken = atomicAdd(&v->exchange->next_panel, 1);
        taken = __shfl_sync(ALL_LANES, taken, 0);
        int late = taken - whole, i = late < 0 ? taken : whole + late / parts;
        if (i >= count) break;
        int panel = v->full ? i : __ldcg(&v->panel[i]);
        w.row0 = panel / cut->across * cut->rows + (late < 0 ? 0 : late % parts * rows);
        w.row1 = min(w.row0 + (late < 0 ? cut->rows : rows), bottom);
        w.col = panel % cut->across * PANEL_COLS - 1 + w.lane;
        w.own = w.lane > 0 && w.lane <= PANEL_COLS && w.col < width;
        if (w.row0 < bottom) go_down<STATE>(v, &w, passage);
    }
}

/* emitLava for the first step of an epoch. */
__device__ static inline void panels_emit(const struct resident_view *v, long long step)
{
    for (int i = this_thread(); i < v->vent_count; i += all_threads())
        if (gpu_vent_emits(v, i))
            gpu_emit_vent(v, i, gpu_emission_m(v, v->vent_at[i], step), state_h(v, step),
                          v->T[step & 1]);
}

/* After the last step of an epoch, one warp for each tile: lists the tiles that lava of this tile can reach in the
 * next epoch. Adds the mobile lava of the tile to *mobile; NULL: no reduction follows. */
__device__ static inline void panels_count(const struct resident_view *v, struct panel_block *b,
                                           int tile, int epoch, long long last,
                                           struct gpu_sum *mobile)
{
    int lane = threadIdx.x % WARP;
    unsigned bits = 0;
    long long low = 0, high = 0;
#pragma unroll
    for (int i = 0; i < SIDE * SIDE / WARP; i++) {
        int row = (i * WARP + lane) / SIDE, col = lane % SIDE;
        int at = grid_at(v->stride, tile / v->tiles_across * SIDE + row,
                         tile % v->tiles_across * SIDE + col);
        double h = __ldcg(state_h(v, last + 1) + at);
        int flag = v->flag[at];
        /* Whether the cell had lava at some time in the last step. This is so if it has lava now, if it had lava
         * before the step, or if the step has changed z or T. */
        bool held = h > 0.0;
        if (!held)
            held =
                __ldcg(state_h(v, last) + at) > 0.0 ||
                __ldcg(state_z(v, last + 1) + at) != __ldcg(state_z(v, last) + at) ||
                bits_of(__ldcg(v->T[(last + 1) & 1] + at)) != bits_of(__ldcg(v->T[last & 1] + at));
        if (mobile) {
            long long n = (long long)(h * LATTICE_PER_M);
            low += n & 0xffffffffLL;
            high += n >> 32;
        }
        bits |= gpu_tiles_woken(v, row, col, held, h > 0.0 || (flag & CELL_VENT));
    }
    if (mobile) gpu_add_warp(mobile, low, high);
    for (int lanes = WARP / 2; lanes; lanes /= 2) bits |= __shfl_xor_sync(ALL_LANES, bits, lanes);
    if (!v->full && lane < 9 && (bits >> lane & 1u))
        list_tile(v, &b->listed, gpu_tile_beside(v, tile, lane), epoch + 1);
}

/* Makes an epoch of `steps` steps, beginning with step `first`, with all blocks. The list has `count` tiles, of which
 * `heavy` are heavy. */
__device__ static void epoch_through_memory(const struct resident_view *v, struct panel_block *b,
                                            int epoch, int heavy, int count, long long first,
                                            int steps, struct gpu_sum *mobile, unsigned *meetings)
{
    struct exchange *x = v->exchange;
    struct panels cut = panels_cut(v, count);
    struct passage *passage = &b->passage[threadIdx.x / WARP];
    int panels = cut.count;
    bool stop;
    panels_emit(v, first);
    for (int i = this_thread(); i < count && !v->full; i += all_threads())
        panels_mark(v, &cut, listed_tile(v, epoch, heavy, i), epoch);
    exchange_meet(x, ++*meetings, {0, 0}, &b->notice, &stop, [&] { return panels_begin(x); });
    if (!v->full) {
        panels_list(v, &cut, epoch);
        exchange_meet(x, ++*meetings, &b->notice);
        panels = __ldcg(&x->panels);
    }
    for (int i = 0; i < steps; i++) {
        if ((first + i) & 1) panels_step<1>(v, &cut, panels, first + i, i < steps - 1, passage);
        else panels_step<0>(v, &cut, panels, first + i, i < steps - 1, passage);
        exchange_meet(x, ++*meetings, {0, 0}, &b->notice, &stop, [&] { return panels_begin(x); });
    }
    for (int i = this_thread() / WARP; i < count; i += all_threads() / WARP)
        panels_count(v, b, v->full ? i : listed_tile(v, epoch, heavy, i), epoch, first + steps - 1,
                     mobile);
}

#endif
