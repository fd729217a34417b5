/* outcome.h — the results of a finished member: digest, ledger, extent of the lava, and the reached cells of its
 * window. There is no lava outside the window. */
#ifndef SCIARA_BATCH_OUTCOME_H
#define SCIARA_BATCH_OUTCOME_H

#include "window.h"

/* The state of a cell after the last step of a member. */
struct batch_last {
    double z, h, T, s, max_thickness_m, max_temp_K;
    int arrival;
};

/* Reads a cell after the last step. False: the cell has no data. c->s and c->max_thickness_m are the exact
 * differences of two elevations. */
__device__ static inline bool batch_look_back(const struct batch_view *v,
                                              const struct batch_window *w, unsigned at, int row,
                                              int col, struct batch_last *c)
{
    const double z = batch_z_before(w)[at];
    if (z == WALL_M) return false;
    const double ground_m = z - batch_start_of(v, z, row, col).s;
    c->z = batch_ground(w)[at].z;
    c->h = batch_ground(w)[at].h;
    c->T = batch_T(w)[at];
    c->s = c->z - ground_m;
    c->max_thickness_m = batch_record(w)[at].level_m - ground_m;
    c->max_temp_K = batch_record(w)[at].max_temp_K;
    c->arrival = batch_arrival(w)[at];
    return true;
}

/* What a cell adds to the digest of the state. */
__device__ static inline gpu_word batch_digest(const struct batch_last *c, int row, int col)
{
    const uint64_t place = digest_place(row, col);
    if (c->arrival == ARRIVAL_NEVER) return 0;
    return digest_of(digest_bits(c->z), DIGEST_ELEVATION, place) +
           digest_of(digest_bits(c->h), DIGEST_THICKNESS, place) +
           digest_of(digest_bits(c->T), DIGEST_TEMP, place) +
           digest_of(digest_bits(c->s), DIGEST_SOLID, place) +
           digest_of(digest_bits(c->max_thickness_m), DIGEST_MAX_THICKNESS, place) +
           digest_of(digest_bits(c->max_temp_K), DIGEST_MAX_TEMP, place) +
           digest_of((uint64_t)(long long)c->arrival, DIGEST_ARRIVAL, place);
}

/* The squared distance of a cell from the nearest vent, in cells. If this squared distance is at most `enough`, the
 * function may return any value up to `enough`. */
__device__ static inline double batch_nearest_vent(const struct batch_view *v,
                                                   const struct batch_block *b, int row, int col,
                                                   double enough)
{
    double nearest = 0x1p100;
    for (int i = 0; i < b->m.vents && nearest > enough; i++) {
        const double rows = row - v->vent[b->m.vent + i].row,
                     cols = col - v->vent[b->m.vent + i].col, d = rows * rows + cols * cols;
        nearest = d < nearest ? d : nearest;
    }
    return nearest;
}

/* The number of edges below x, which is the class of x (axis_of()). */
__device__ static inline int batch_class(const double *edge, int edges, double x)
{
    int low = 0, high = edges;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (edge[middle] < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* A thickness as an integer, with the bits of statistics_thickness(). */
__device__ static inline uint32_t batch_thickness(double thickness_m)
{
    const double most = (1 << STATISTICS_THICKNESS_BITS) - 1;
    const double q = real_of_small(small_count(thickness_m * STATISTICS_MM));
    return (uint32_t)(q >= most ? most : q);
}

__device__ static inline struct reached batch_reached_cell(const struct batch_view *v,
                                                           const struct batch_block *b,
                                                           const struct batch_last *c, int row,
                                                           int col)
{
    struct reached x = {};
    x.place = (uint32_t)row * (uint32_t)v->cols + (uint32_t)col;
    x.thickness_class =
        (uint16_t)batch_class(v->thickness_edge, v->thickness_edges, c->max_thickness_m);
    x.arrival_class =
        (uint16_t)batch_class(v->arrival_edge, v->arrival_edges, (double)c->arrival * b->m.clock_s);
    x.thickness_q = batch_thickness(c->max_thickness_m);
    x.end_q = batch_thickness(c->h + c->s);
    return x;
}

/* ---- sums over the window -------------------------------------------------------------------- */

/* Sums and greatest values over the cells of a thread. */
struct batch_tally {
    gpu_word digest, cells, both, reached_cells;
    long long mobile[2], solid[2];
    double max_thickness_m, farthest;
    int last_arrival;
};

__device__ static inline void batch_count_m(long long word[2], double x_m)
{
    const long long n = (long long)(x_m * LATTICE_PER_M);
    word[0] += n & 0xffffffffLL;
    word[1] += n >> 32;
}

__device__ static inline void batch_count(const struct batch_view *v, const struct batch_block *b,
                                          const struct batch_last *c, int row, int col,
                                          struct batch_tally *t)
{
    const bool lava = c->h > 0.0 || c->s > 0.0;
    t->digest += batch_digest(c, row, col);
    t->cells += lava;
    t->both += lava && v->outline && v->outline[(size_t)row * (size_t)v->cols + (size_t)col];
    t->reached_cells += c->arrival != ARRIVAL_NEVER;
    batch_count_m(t->mobile, c->h);
    batch_count_m(t->solid, c->s);
    if (c->max_thickness_m > t->max_thickness_m) t->max_thickness_m = c->max_thickness_m;
    if (c->arrival != ARRIVAL_NEVER) t->last_arrival = max(t->last_arrival, c->arrival);
    if (!lava || !b->m.vents) return;
    const double far = batch_nearest_vent(v, b, row, col, t->farthest);
    if (far > t->farthest) t->farthest = far;
}

__device__ static inline double batch_most(double x)
{
    for (int d = 16; d; d /= 2) {
        const double other = __shfl_down_sync(0xffffffffu, x, d);
        if (other > x) x = other;
    }
    return x;
}

__device__ static inline gpu_word batch_sum(gpu_word x)
{
    for (int d = 16; d; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
    return x;
}

/* Adds the sums of all threads to b->end, and finds the greatest values. */
__device__ static inline void batch_add_up(struct batch_block *b, const struct batch_tally *t)
{
    struct batch_result *r = &b->end;
    const gpu_word digest = batch_sum(t->digest), cells = batch_sum(t->cells),
                   both = batch_sum(t->both), reached_cells = batch_sum(t->reached_cells);
    const double thickness_m = batch_most(t->max_thickness_m), farthest = batch_most(t->farthest),
                 arrival = batch_most(t->last_arrival);
    gpu_add_warp(&r->mobile, t->mobile[0], t->mobile[1]);
    gpu_add_warp(&r->solid, t->solid[0], t->solid[1]);
    if (batch_lane() == 0) {
        atomicAdd(&r->digest, digest);
        atomicAdd(&r->cells, cells);
        atomicAdd(&r->both, both);
        atomicAdd(&r->reached_cells, reached_cells);
        b->most[batch_warp()][0] = thickness_m;
        b->most[batch_warp()][1] = farthest;
        b->last[batch_warp()] = (int)arrival;
    }
    __syncthreads();
    if (threadIdx.x) return;
    for (int i = 0; i < BATCH_WARPS; i++) {
        if (b->most[i][0] > r->max_thickness_m) r->max_thickness_m = b->most[i][0];
        if (b->most[i][1] > r->farthest) r->farthest = b->most[i][1];
        r->last_arrival = max(r->last_arrival, b->last[i]);
    }
}

/* ---- reached cells --------------------------------------------------------------------------- */

/* Reserves room for the reached cells of this member in v->reached. If there is no room, the host computes the
 * member again. */
__device__ static inline void batch_reserve(const struct batch_view *v, struct batch_block *b)
{
    struct batch_result *r = &b->end;
    if (threadIdx.x == 0) {
        r->reached = atomicAdd(&v->control->reached_cells, r->reached_cells);
        if (r->reached + r->reached_cells > v->reached_cells) r->end = BATCH_UNWRITTEN;
        b->written = 0;
    }
    __syncthreads();
}

__device__ static inline void batch_write(const struct batch_view *v, struct batch_block *b,
                                          const struct batch_window *w)
{
    for (int i = batch_warp(); i < w->words; i += BATCH_WARPS) {
        const unsigned at = (unsigned)(i * 32 + batch_lane());
        const bool came = batch_arrival(w)[at] != ARRIVAL_NEVER;
        const unsigned all = __ballot_sync(0xffffffffu, came);
        int to = 0;
        if (!all) continue;
        if (batch_lane() == 0) to = atomicAdd(&b->written, __popc(all));
        to = __shfl_sync(0xffffffffu, to, 0) + __popc(all & ((1u << batch_lane()) - 1u));
        struct batch_last c;
        const int row = w->row0 + (int)at / w->cols, col = w->col0 + (int)at % w->cols;
        if (came && batch_look_back(v, w, at, row, col, &c))
            v->reached[b->end.reached + (gpu_word)to] = batch_reached_cell(v, b, &c, row, col);
    }
}

/* Writes all results of a member. `end`: enum batch_end. */
__device__ static BATCH_SELDOM void batch_outcome(const struct batch_view *v, struct batch_block *b,
                                                  int end)
{
    const struct batch_window w = b->w;
    struct batch_tally t = {};
    t.farthest = -1.0;
    t.last_arrival = -1;
    __syncthreads();
    if (threadIdx.x == 0) {
        b->end = {};
        b->end.end = end;
        b->end.last_arrival = -1;
        b->end.farthest = -1.0;
        b->end.step = b->step;
        b->end.emitted = b->emitted;
        b->end.left = b->left;
        b->end.updates = b->updates;
        b->end.window_rows = w.rows;
        b->end.window_cols = w.cols;
        b->end.grown = b->grown;
    }
    __syncthreads();
    if (end == BATCH_DONE || end == BATCH_STOPPED) {
        const int cells = w.words * 32;
        for (int at = (int)threadIdx.x; at < cells; at += BATCH_THREADS) {
            struct batch_last c;
            const int row = w.row0 + at / w.cols, col = w.col0 + at % w.cols;
            if (batch_look_back(v, &w, (unsigned)at, row, col, &c))
                batch_count(v, b, &c, row, col, &t);
        }
        batch_add_up(b, &t);
        batch_reserve(v, b);
        if (b->end.end != BATCH_UNWRITTEN) batch_write(v, b, &w);
    }
    __syncthreads();
    if (threadIdx.x == 0) v->result[b->number] = b->end;
}

#endif
