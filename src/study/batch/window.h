/* window.h — the window of a member: the part of the domain for which it has memory. The window begins around the
 * vents and the initial lava. The block of the member has a share of the device memory, and the window is in one
 * half of this share. If lava comes to the edge of the window, the window grows into the other half. A window
 * includes at most the domain and the walls around the domain. */
#ifndef SCIARA_BATCH_WINDOW_H
#define SCIARA_BATCH_WINDOW_H

#include "terrain.h"

enum { BATCH_GROW_N = 1, BATCH_GROW_S = 2, BATCH_GROW_W = 4, BATCH_GROW_E = 8 };

/* The compiler does not see that a pointer in shared memory points to global memory. Without this assumption each
 * access tests the address at run time, and each atomic addition of a double also has a loop. */
__device__ static inline char *batch_memory(const struct batch_window *w)
{
#if !defined(SCIARA_EMULATOR)
    __builtin_assume(__isGlobal(w->memory));
#endif
    return w->memory;
}

/* An array with a value for each cell of a window. */
template <typename type> struct batch_array {
    char *memory;
    __device__ type &operator[](unsigned at) const
    {
        return *(type *)(memory + (size_t)(at / 32) * (32 * BATCH_CELL_BYTES) +
                         at % 32 * sizeof(type));
    }
};
#define BATCH_ARRAY(name, type, bytes)                                                             \
    __device__ static inline struct batch_array<type> name(const struct batch_window *w) {         \
        return {batch_memory(w) + 32 * (bytes)};                                                   \
    }
BATCH_ARRAY(batch_ground, struct batch_ground, AT_GROUND)
BATCH_ARRAY(batch_flow, struct batch_flow, AT_FLOW)
BATCH_ARRAY(batch_record, struct batch_record, AT_RECORD)
BATCH_ARRAY(batch_T, double, AT_T)
BATCH_ARRAY(batch_z_before, double, AT_Z_BEFORE) /* z at the beginning of the member */
BATCH_ARRAY(batch_arrival, int, AT_ARRIVAL)
BATCH_ARRAY(batch_list_of, unsigned, AT_LIST) /* elements that are not in shared memory */
BATCH_ARRAY(batch_queue, unsigned, AT_QUEUE)

/* Starts a read at the place of the call. The compiler would move an ordinary read to the use of its value, and the
 * thread would wait for one read after the other. */
__device__ static inline struct batch_ground batch_read(const struct batch_ground *from)
{
#if defined(SCIARA_EMULATOR)
    return *from;
#else
    struct batch_ground c;
    asm volatile("ld.global.v2.f64 {%0, %1}, [%2];"
                 : "=d"(c.z), "=d"(c.h)
                 : "l"(__cvta_generic_to_global(from)));
    return c;
#endif
}
__device__ static inline double batch_read(const double *from)
{
#if defined(SCIARA_EMULATOR)
    return *from;
#else
    double x;
    asm volatile("ld.global.f64 %0, [%1];" : "=d"(x) : "l"(__cvta_generic_to_global(from)));
    return x;
#endif
}

__device__ static inline bool batch_fits(const struct batch_view *v, const struct batch_window *w)
{
    return (size_t)w->rows * (size_t)w->cols <= v->in.cells;
}

__device__ static inline void batch_window_lay_out(const struct batch_view *v, int share,
                                                   struct batch_window *w)
{
    w->memory = v->pool + (2 * (size_t)share + (size_t)w->half) * v->in.bytes;
    w->words = (int)((size_t)w->rows * (size_t)w->cols / 32);
}

/* Whether the bits of the window are in shared memory. */
__device__ static inline bool batch_is_small(const struct batch_window *w)
{
    return w->words <= BATCH_BITS / 32;
}

/* All bits of one kind. SMALL is a template parameter, so that the compiler knows whether the bits are in shared
 * memory. */
template <bool SMALL>
__device__ static inline unsigned *batch_bits(struct batch_block *b, const struct batch_window *w,
                                              int kind)
{
    return SMALL ? b->bits[kind]
                 : (unsigned *)(batch_memory(w) + (size_t)w->words * (32 * BATCH_CELL_BYTES)) +
                       (size_t)kind * ((size_t)w->words + 2);
}

/* The bits of a cell and of its western and eastern neighbours. */
__device__ static inline unsigned batch_around(const unsigned *bits, unsigned cell)
{
    const unsigned west = cell - 1, low = bits[west / 32], high = bits[west / 32 + 1];
#if defined(SCIARA_EMULATOR)
    return (unsigned)(((unsigned long long)high << 32 | low) >> west % 32) & 7u;
#else
    return __funnelshift_r(low, high, west % 32) & 7u;
#endif
}

/* Reads a word that other threads may change by atomics. */
__device__ static inline unsigned batch_look(unsigned *word)
{
#if defined(SCIARA_EMULATOR)
    return atomicOr(word, 0u);
#else
    return *(volatile unsigned *)word;
#endif
}

__device__ static inline unsigned batch_bit(unsigned cell)
{
    return 1u << cell % 32;
}

__device__ static inline int batch_lowest(unsigned bits) /* > 0 */
{
#if defined(SCIARA_EMULATOR)
    return __builtin_ctz(bits);
#else
    return __ffs((int)bits) - 1;
#endif
}

/* ---- the list -------------------------------------------------------------------------------- */

__device__ static inline unsigned batch_listed(const struct batch_block *b,
                                               const struct batch_window *w, int i)
{
    return i < BATCH_LISTED ? b->list[i] : batch_list_of(w)[i];
}

__device__ static inline void batch_list(struct batch_block *b, const struct batch_window *w, int i,
                                         unsigned element)
{
    if (i < BATCH_LISTED) b->list[i] = element;
    else batch_list_of(w)[i] = element;
}

/* Returns the sum of `mine` over all threads of the block. *before becomes the sum over the threads before this
 * thread. */
__device__ static inline int batch_scan(struct batch_block *b, int mine, int *before)
{
    int sum = mine;
    for (int d = 1; d < 32; d *= 2) {
        int x = __shfl_up_sync(0xffffffffu, sum, d);
        if (batch_lane() >= d) sum += x;
    }
    if (batch_lane() == 31) b->scan[batch_warp()] = sum;
    __syncthreads();
    if (batch_warp() == 0) {
        int own = batch_lane() < BATCH_WARPS ? b->scan[batch_lane()] : 0, all = own;
        for (int d = 1; d < 32; d *= 2) {
            int x = __shfl_up_sync(0xffffffffu, all, d);
            if (batch_lane() >= d) all += x;
        }
        __syncwarp();
        b->scan[batch_lane()] = all - own;
        if (batch_lane() == 31) b->scan[32] = all;
    }
    __syncthreads();
    *before = b->scan[batch_warp()] + sum - mine;
    return b->scan[32];
}

/* Makes the list anew from BITS_LISTED, row by row, so that a warp has neighbouring cells. Each warp takes
 * successive words of bits. */
template <bool SMALL>
__device__ static BATCH_SELDOM void batch_sort(struct batch_block *b, const struct batch_window *w)
{
    const unsigned *listed = batch_bits<SMALL>(b, w, BITS_LISTED),
                   *border = batch_bits<false>(b, w, BITS_BORDER),
                   *vent = batch_bits<false>(b, w, BITS_VENT);
    const int lane = batch_lane(), each = (w->words + BATCH_WARPS - 1) / BATCH_WARPS;
    const int first = batch_warp() * each, end = min(first + each, w->words);
    int mine = 0, at;
    for (int i = first + lane; i < end; i += 32) mine += __popc(listed[i]);
    const int all = batch_scan(b, mine, &at);
    at = __shfl_sync(0xffffffffu, at, 0);
    for (int begin = first; begin < end; begin += 32) {
        const int i = begin + lane;
        const unsigned marked = i < end ? listed[i] : 0, borders = marked ? border[i] : 0,
                       vents = marked ? vent[i] : 0;
        for (unsigned some = __ballot_sync(0xffffffffu, marked); some; some &= some - 1) {
            const int k = batch_lowest(some);
            const unsigned word = __shfl_sync(0xffffffffu, marked, k);
            const unsigned flags =
                (__shfl_sync(0xffffffffu, borders, k) >> lane & 1) * BATCH_BORDER |
                (__shfl_sync(0xffffffffu, vents, k) >> lane & 1) * BATCH_VENT;
            if (word >> lane & 1)
                batch_list(b, w, at + __popc(word & ((1u << lane) - 1u)),
                           (unsigned)((begin + k) * 32 + lane) | flags);
            at += __popc(word);
        }
    }
    if (threadIdx.x == 0) b->count = all;
    __syncthreads();
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Sets *w to the smallest window that includes a box of the domain. Each row of the window is whole words of bits. */
__device__ static inline void batch_window_frame(struct batch_window *w, struct batch_box box)
{
    w->row0 = box.row0;
    w->rows = box.row1 - box.row0;
    w->col0 = box.col0 >= 0 ? box.col0 / 32 * 32 : -((31 - box.col0) / 32 * 32);
    w->cols = (box.col1 - w->col0 + 31) / 32 * 32;
}

/* Cuts a box to the domain and the walls around it. */
__device__ static inline struct batch_box batch_cut(const struct batch_view *v,
                                                    struct batch_box box)
{
    return {max(box.row0, -1), max(box.col0, -1), min(box.row1, v->rows + 1),
            min(box.col1, v->cols + 1)};
}

/* Fills a cell of a new window with its state at the beginning. Returns whether the cell has lava. */
__device__ static inline bool batch_fill_cell(const struct batch_view *v, struct batch_block *b,
                                              const struct batch_window *w,
                                              const struct batch_nodes *nodes, unsigned at, int row,
                                              int col)
{
    struct batch_start c = {WALL_M, 0.0, 0.0, 0.0};
    if (batch_has_data(v, &b->m, row, col))
        c = batch_start_of(v, batch_elevation(v, &b->m, nodes, row, col), row, col);
    batch_ground(w)[at] = {c.z, c.h};
    batch_z_before(w)[at] = c.z;
    batch_T(w)[at] = c.T;
    batch_record(w)[at] = {c.z + c.h, c.h > 0.0 ? c.T : 0.0};
    batch_arrival(w)[at] = c.h > 0.0 ? (int)b->m.first_step : ARRIVAL_NEVER;
    return c.h > 0.0;
}

/* Fills the 32 cells of a word of bits. Cells of the old window are copied. All other cells get their state at the
 * beginning of the member. */
template <bool SMALL>
__device__ static inline void
batch_fill_word(const struct batch_view *v, struct batch_block *b, const struct batch_window *w,
                const struct batch_window *old, const struct batch_nodes *nodes, int i)
{
    const unsigned at = (unsigned)(i * 32 + batch_lane());
    const int row = w->row0 + (int)at / w->cols, col = w->col0 + (int)at % w->cols;
    const int r = old ? row - old->row0 : -1, c = old ? col - old->col0 : -1;
    const bool known = r >= 0 && c >= 0 && r < old->rows && c < old->cols;
    const unsigned from = known ? (unsigned)(r * old->cols + c) : 0;
    bool lava = false;
    batch_flow(w)[at] = {0.0, 0};
    if (known) {
        batch_ground(w)[at] = batch_ground(old)[from];
        batch_T(w)[at] = batch_T(old)[from];
        batch_z_before(w)[at] = batch_z_before(old)[from];
        batch_record(w)[at] = batch_record(old)[from];
        batch_arrival(w)[at] = batch_arrival(old)[from];
    } else {
        lava = batch_fill_cell(v, b, w, nodes, at, row, col);
    }
    const bool border = batch_has_data(v, &b->m, row, col) && batch_is_border(v, &b->m, row, col);
    const unsigned wet = __ballot_sync(0xffffffffu, lava),
                   borders = __ballot_sync(0xffffffffu, border);
    if (batch_lane()) return;
    batch_bits<false>(b, w, BITS_BORDER)[i] = borders;
    batch_bits<false>(b, w, BITS_VENT)[i] = 0;
    for (int kind = 0; kind < BITS_MOVING; kind++)
        batch_bits<SMALL>(b, w, kind)[i] = known ? batch_bits<false>(b, old, kind)[from / 32] : wet;
}

/* Fills all cells, BATCH_WARPS rows of 32 columns at a time. *old is the window before it grew, with its bits in the
 * share. NULL: there is no old window. The nodes of the terrain error use the memory of the list, because the list
 * is made afterwards. */
template <bool SMALL>
__device__ static inline void batch_fill(const struct batch_view *v, struct batch_block *b,
                                         const struct batch_window *w,
                                         const struct batch_window *old)
{
    const int across = w->cols / 32;
    for (int row = 0; row < w->rows; row += BATCH_WARPS)
        for (int word = 0; word < across; word++) {
            const struct batch_nodes nodes =
                batch_find_nodes(&b->m.error, w->row0 + row, w->col0 + word * 32, BATCH_WARPS, 32,
                                 b->node, BATCH_NODES);
            const int mine = row + batch_warp();
            if (mine < w->rows) batch_fill_word<SMALL>(v, b, w, old, &nodes, mine * across + word);
        }
    for (int i = (int)threadIdx.x; i < 2 * BITS_MOVING; i += BATCH_THREADS)
        batch_bits<SMALL>(b, w, i / 2)[w->words + i % 2] = 0;
}

/* The number of the cell with vent i of the member. Vents are sorted, so the number does not decrease as i grows. */
__device__ static inline unsigned batch_vent_cell(const struct batch_view *v,
                                                  const struct batch_block *b, int i)
{
    if (i < BATCH_POURS) return b->vent_cell[i];
    const struct batch_vent *vent = &v->vent[b->m.vent + i];
    return (unsigned)((vent->row - b->w.row0) * b->w.cols + (vent->col - b->w.col0));
}

/* Sets BITS_LISTED and BITS_VENT of cells with vents, because these cells are always on the list. */
template <bool SMALL>
__device__ static inline void batch_mark_vents(const struct batch_view *v, struct batch_block *b,
                                               const struct batch_window *w)
{
    for (int i = (int)threadIdx.x; i < b->m.vents; i += BATCH_THREADS) {
        const struct batch_vent *vent = &v->vent[b->m.vent + i];
        const unsigned at = (unsigned)((vent->row - w->row0) * w->cols + (vent->col - w->col0));
        atomicOr(&batch_bits<SMALL>(b, w, BITS_LISTED)[at / 32], batch_bit(at));
        atomicOr(&batch_bits<false>(b, w, BITS_VENT)[at / 32], batch_bit(at));
        if (i < BATCH_POURS) b->vent_cell[i] = at;
    }
}

/* Fills the window b->w and makes its list. All threads take part. */
__device__ static inline void batch_window_begin(const struct batch_view *v, struct batch_block *b,
                                                 const struct batch_window *old)
{
    const struct batch_window w = b->w;
    if (batch_is_small(&w)) {
        batch_fill<true>(v, b, &w, old);
        __syncthreads();
        batch_mark_vents<true>(v, b, &w);
        __syncthreads();
        batch_sort<true>(b, &w);
    } else {
        batch_fill<false>(v, b, &w, old);
        __syncthreads();
        batch_mark_vents<false>(v, b, &w);
        __syncthreads();
        batch_sort<false>(b, &w);
    }
}

/* Makes the first window of a member, around its vents and the initial lava. False: half a share is too small for
 * the window. */
__device__ static BATCH_SELDOM bool batch_window_first(const struct batch_view *v,
                                                       struct batch_block *b)
{
    if (threadIdx.x == 0) {
        struct batch_box box = v->lava;
        for (int i = 0; i < b->m.vents; i++) {
            const struct batch_vent *vent = &v->vent[b->m.vent + i];
            if (box.row0 == box.row1) box = {vent->row, vent->col, vent->row + 1, vent->col + 1};
            box = {min(box.row0, vent->row), min(box.col0, vent->col), max(box.row1, vent->row + 1),
                   max(box.col1, vent->col + 1)};
        }
        b->w.half = 0;
        batch_window_frame(&b->w, batch_cut(v, {box.row0 - BATCH_MARGIN, box.col0 - BATCH_MARGIN,
                                                box.row1 + BATCH_MARGIN, box.col1 + BATCH_MARGIN}));
        batch_window_lay_out(v, b->share, &b->w);
        b->grown = 0;
    }
    __syncthreads();
    if (!batch_fits(v, &b->w)) return false;
    batch_window_begin(v, b, NULL);
    return true;
}

/* Grows the window by a quarter of its length on the sides that lava has reached. False: there is no room, and the
 * window has not changed. */
__device__ static BATCH_SELDOM bool batch_window_grow(const struct batch_view *v,
                                                      struct batch_block *b)
{
    struct batch_window w = b->w, old = w;
    const unsigned sides = b->grow;
    const int down = w.rows / 4 + BATCH_MARGIN, across = w.cols / 4 + BATCH_MARGIN;
    batch_window_frame(&w, batch_cut(v, {w.row0 - (sides & BATCH_GROW_N ? down : 0),
                                         w.col0 - (sides & BATCH_GROW_W ? across : 0),
                                         w.row0 + w.rows + (sides & BATCH_GROW_S ? down : 0),
                                         w.col0 + w.cols + (sides & BATCH_GROW_E ? across : 0)}));
    if (!batch_fits(v, &w)) return false;
    if (batch_is_small(&old))
        for (int kind = 0; kind < BITS_MOVING; kind++)
            for (int i = (int)threadIdx.x; i < old.words; i += BATCH_THREADS)
                batch_bits<false>(b, &old, kind)[i] = b->bits[kind][i];
    __syncthreads();
    if (threadIdx.x == 0) {
        w.half = !old.half;
        batch_window_lay_out(v, b->share, &w);
        b->w = w;
        b->grow = 0;
        b->grown++;
    }
    __syncthreads();
    batch_window_begin(v, b, &old);
    return true;
}

#endif
