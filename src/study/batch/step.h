/* step.h — a step of a member, in the order of the model, computed by all threads of its block:
 *
 *     which cells may lava flow from?   listed cells around which something has changed ──► queue
 *     ┊ computeOutflows                 for the cells of the queue; adds to flow[] of source and target
 *     ┊ massBalance, solidification, records, border; then emitLava of the next step
 *     ┊ now and then: reduceAdd with the stopping rule; the list is sorted; the window grows
 *
 * At each ┊ the threads of the block wait for each other. The first line tests listed cells by physics_may_flow(). A
 * cell for which the test has failed is tested again only if z or h has changed in its 3 x 3 cells, or T has risen.
 * This misses no flow, because each operation of physics_may_flow() is monotone in T to the last bit. So lava that
 * could not flow cannot flow after it has cooled. If the critical thickness falls as lava cools (`rises`), all listed
 * cells are tested in each step. physics_outflows() is not monotone in T. So each cell of the queue counts as changed,
 * even if no lava flows from the cell. */
#ifndef SCIARA_BATCH_STEP_H
#define SCIARA_BATCH_STEP_H

#include "window.h"

#include <limits.h>

/* ---- emitLava -------------------------------------------------------------------------------- */

/* Sets *out to what the vents of a cell emit together in each step from `step` to out->until - 1. `first` is the
 * number of the cell's first vent, among the member's vents. */
__device__ static BATCH_SELDOM void batch_emission_at(const struct batch_view *v,
                                                      const struct batch_member *m, int first,
                                                      long long step, struct gpu_emission *out)
{
    const struct batch_vent *all = v->vent + m->vent, here = all[first];
    struct gpu_emission e = {0.0, 0, 0, LLONG_MAX};
    for (int i = first; i < m->vents && all[i].row == here.row && all[i].col == here.col; i++) {
        int now = all[i].begin, end = all[i].end; /* finds the first interval after `step` */
        while (now < end) {
            const int middle = (now + end) / 2;
            if (v->interval[middle].first_step <= step) now = middle + 1;
            else end = middle;
        }
        if (now < all[i].end && v->interval[now].first_step < e.until)
            e.until = v->interval[now].first_step;
        if (now == all[i].begin) continue;
        const struct batch_interval *x = &v->interval[now - 1];
        e.whole_m += x->amount_m;
        gpu_add_fraction(&e, x->phase + (gpu_word)(step - x->first_step) * x->fraction, x->fraction,
                         step);
    }
    *out = e;
}

/* Emits the lava of all vents of a cell for a step. `first` is the number of the cell's first vent. The function has
 * to be called for each step, in order, because b->pours advances by a step at each call. */
__device__ static inline void batch_emit(const struct batch_view *v, struct batch_block *b,
                                         int first, long long step, double *h, double *T)
{
    struct gpu_emission alone, *e = first < BATCH_POURS ? &b->pours[first] : &alone;
    if (first >= BATCH_POURS || e->until <= step) batch_emission_at(v, &b->m, first, step, e);
    const double amount_m = gpu_emission_step(e);
    physics_emit(&b->m.physics, amount_m, h, T);
    if (amount_m > 0.0) gpu_add(&b->emitted, amount_m);
}

/* Returns the number of the first vent of a cell, among the member's vents. Cell `at` has to have a vent. */
__device__ static inline int batch_vent_at(const struct batch_view *v, const struct batch_block *b,
                                           unsigned at)
{
    int low = 0, high = b->m.vents;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (batch_vent_cell(v, b, middle) < at) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Emits the lava of all vents for a step, before the outflows of the step are computed. */
template <bool SMALL>
__device__ static BATCH_SELDOM void batch_emit_all(const struct batch_view *v,
                                                   struct batch_block *b,
                                                   const struct batch_window *w, long long step)
{
    unsigned *changed = batch_bits<SMALL>(b, w, BITS_CHANGED + (int)(step & 1));
    for (int i = (int)threadIdx.x; i < b->m.vents; i += BATCH_THREADS) {
        const unsigned at = batch_vent_cell(v, b, i);
        if (i > 0 && batch_vent_cell(v, b, i - 1) == at) continue;
        batch_emit(v, b, i, step, &batch_ground(w)[at].h, &batch_T(w)[at]);
        atomicOr(&changed[at / 32], batch_bit(at));
    }
    __syncthreads();
}

/* ---- which cells may lava flow from? --------------------------------------------------------- */

/* Reads elevation and thickness of the eight neighbours of a cell. The number of columns of a window is a multiple of
 * 32, so the neighbours above and below each cell are `down` bytes away in memory. */
__device__ static inline void batch_neighbours(const struct batch_window *w, unsigned at,
                                               double zk[8], double hk[8])
{
    const int down = w->cols * BATCH_CELL_BYTES;
    const char *column[3];
#pragma unroll
    for (int i = 0; i < 3; i++) column[i] = (const char *)&batch_ground(w)[at - 1 + (unsigned)i];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const struct batch_ground c = batch_read(
            (const struct batch_ground *)(column[1 + PHYSICS_COL(k)] + PHYSICS_ROW(k) * down));
        zk[k] = c.z;
        hk[k] = c.h;
    }
}

/* Each lane tests one of at most 32 cells. Cells from which lava may flow are appended to the queue, and *queued
 * counts them. */
__device__ static inline void batch_ask(struct batch_block *b, const struct batch_window *w,
                                        const unsigned *cells, int count, int *queued)
{
    bool may = false;
    unsigned at = 0;
    if (batch_lane() < count) {
        double zk[8], hk[8];
        at = cells[batch_lane()];
        const struct batch_ground here = batch_read(&batch_ground(w)[at]);
        const double T = batch_read(&batch_T(w)[at]);
        batch_neighbours(w, at, zk, hk);
        may = here.h > 0.0 && physics_may_flow(&b->m.physics, here.z, here.h, T, zk, hk);
    }
    const unsigned all = __ballot_sync(0xffffffffu, may);
    int to = 0;
    if (batch_lane() == 0 && all) to = atomicAdd(queued, __popc(all));
    to = __shfl_sync(0xffffffffu, to, 0);
    if (may) batch_queue(w)[to + __popc(all & ((1u << batch_lane()) - 1u))] = at;
}

/* Fills the queue with the cells from which lava may flow. A warp collects listed cells with changes in or around them,
 * until it has 32 cells to test. */
template <bool SMALL>
__device__ static BATCH_PASS void batch_find_flows(struct batch_block *b, long long step)
{
    const struct batch_window here = b->w, *w = &here;
    const unsigned *changed = batch_bits<SMALL>(b, w, BITS_CHANGED + (int)(step & 1));
    unsigned *mine = b->candidate[batch_warp()];
    const int count = b->count;
    int held = 0;
    for (int first = batch_warp() * 32;; first += BATCH_THREADS * BATCH_LOOKS) {
        const bool more = first < count;
        if (more) {
            unsigned at[BATCH_LOOKS];
            bool asks[BATCH_LOOKS];
#pragma unroll
            for (int u = 0; u < BATCH_LOOKS; u++) {
                const int i = first + u * BATCH_THREADS + batch_lane();
                at[u] = i < count ? batch_listed(b, w, i) & BATCH_CELL : 0;
                asks[u] = i < count;
            }
#pragma unroll
            for (int u = 0; u < BATCH_LOOKS; u++)
                asks[u] =
                    asks[u] && (b->m.rises || (batch_around(changed, at[u] - (unsigned)w->cols) |
                                               batch_around(changed, at[u]) |
                                               batch_around(changed, at[u] + (unsigned)w->cols)));
#pragma unroll
            for (int u = 0; u < BATCH_LOOKS; u++) {
                const unsigned all = __ballot_sync(0xffffffffu, asks[u]);
                if (asks[u]) mine[held + __popc(all & ((1u << batch_lane()) - 1u))] = at[u];
                held += __popc(all);
            }
            __syncwarp();
        }
        while (held >= 32 || (!more && held > 0)) {
            const int take = min(held, 32);
            held -= take;
            batch_ask(b, w, mine + held, take, &b->queued[step & 1]);
            __syncwarp();
        }
        if (!more) return;
    }
}

/* ---- computeOutflows ------------------------------------------------------------------------- */

/* Appends neighbour k of cell `from` to the list, because lava enters the neighbour for the first time. The
 * neighbour has no vent, because cells with vents are always on the list. */
__device__ static BATCH_SELDOM void batch_append(struct batch_block *b, unsigned from, int k)
{
    const struct batch_window *w = &b->w;
    const unsigned *border = batch_bits<false>(b, w, BITS_BORDER);
    const unsigned at = (unsigned)((int)from + PHYSICS_ROW(k) * w->cols + PHYSICS_COL(k));
    const int row = (int)at / w->cols, col = (int)at % w->cols;
    const unsigned sides = (row == 0 ? BATCH_GROW_N : 0) | (row == w->rows - 1 ? BATCH_GROW_S : 0) |
                           (col == 0 ? BATCH_GROW_W : 0) | (col == w->cols - 1 ? BATCH_GROW_E : 0);
    batch_list(b, w, atomicAdd(&b->count, 1), at | (border[at / 32] >> at % 32 & 1) * BATCH_BORDER);
    if (sides) atomicOr(&b->grow, sides);
}

__device__ static inline void batch_flow_to(const struct batch_window *w, unsigned to,
                                            double gain_m, long long heat)
{
    atomicAdd(&batch_flow(w)[to].gain_m, gain_m);
    atomicAdd(&batch_flow(w)[to].heat, (gpu_word)heat);
}

template <bool SMALL>
__device__ static inline void batch_outflows_of(struct batch_block *b, const struct batch_window *w,
                                                unsigned *touched, unsigned at)
{
    unsigned *listed = batch_bits<SMALL>(b, w, BITS_LISTED);
    const struct batch_ground here = batch_read(&batch_ground(w)[at]);
    const double T = batch_read(&batch_T(w)[at]);
    double zk[8], hk[8], flow[8], out_m = 0.0;
    long long heat_out = 0;
    unsigned fresh = 0; /* bit k: this thread has to append neighbour k to the list */
    batch_neighbours(w, at, zk, hk);
    atomicOr(&touched[at / 32], batch_bit(at));
    if (!physics_outflows(&b->m.physics, here.z, here.h, T, zk, hk, flow)) return;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        if (!(flow[k] > 0.0)) continue;
        const unsigned to = (unsigned)((int)at + PHYSICS_ROW(k) * w->cols + PHYSICS_COL(k));
        const unsigned bit = batch_bit(to);
        const long long heat = heat_of(flow[k], T);
        batch_flow_to(w, to, flow[k], heat);
        out_m += flow[k];
        heat_out += heat;
        atomicOr(&touched[to / 32], bit);
        if (!(batch_look(&listed[to / 32]) & bit) && !(atomicOr(&listed[to / 32], bit) & bit))
            fresh |= 1u << k;
    }
    if (out_m > 0.0) batch_flow_to(w, at, -out_m, -heat_out);
    for (; fresh; fresh &= fresh - 1) batch_append(b, at, batch_lowest(fresh));
}

template <bool SMALL>
__device__ static BATCH_PASS void batch_outflows(struct batch_block *b, long long step)
{
    const struct batch_window here = b->w, *w = &here;
    unsigned *touched = batch_bits<SMALL>(b, w, BITS_CHANGED + (int)((step + 1) & 1));
    const int count = b->queued[step & 1];
    if (threadIdx.x == 0) b->queued[(step + 1) & 1] = 0;
    for (int i = (int)threadIdx.x; i < count; i += BATCH_THREADS)
        batch_outflows_of<SMALL>(b, w, touched, batch_queue(w)[i]);
}

/* ---- massBalance, solidification, records, border -------------------------------------------- */

/* Reads what has flowed into a cell minus what has flowed out of the cell. Atomics have added these flows in the L2
 * cache, so the read has to bypass the L1 cache. */
__device__ static inline struct batch_flow batch_flow_into(const struct batch_window *w,
                                                           unsigned at)
{
#if defined(SCIARA_EMULATOR)
    return batch_flow(w)[at];
#else
    const double2 x = __ldcg((const double2 *)&batch_flow(w)[at]);
    return {x.x, (gpu_word)__double_as_longlong(x.y)};
#endif
}

/* A listed cell. A thread loads its next cell while it computes the present cell. */
struct batch_cell {
    unsigned at;  /* number of the cell, and the flags BATCH_VENT and BATCH_BORDER */
    bool touched; /* the cell was in the queue, or lava has flowed into it */
    struct batch_ground here;
    double T;
    struct batch_flow flow;
};
template <bool SMALL>
__device__ static inline struct batch_cell
batch_load(struct batch_block *b, const struct batch_window *w, unsigned *touched, int i, int count)
{
    struct batch_cell c = {0, false, {0.0, 0.0}, 0.0, {0.0, 0}};
    if (i >= count) return c;
    c.at = batch_listed(b, w, i);
    const unsigned at = c.at & BATCH_CELL;
    c.touched = batch_look(&touched[at / 32]) & batch_bit(at);
    c.here = batch_ground(w)[at];
    c.T = batch_T(w)[at];
    if (c.touched) c.flow = batch_flow_into(w, at);
    return c;
}

__device__ static inline void batch_record_it(const struct batch_window *w, unsigned at,
                                              long long step, struct batch_record before,
                                              double level_m, double T)
{
    struct batch_record r = before;
    if (physics_record(1, level_m, T, &r.level_m, &r.max_temp_K)) batch_arrival(w)[at] = (int)step;
    if (r.level_m != before.level_m || r.max_temp_K != before.max_temp_K) batch_record(w)[at] = r;
}

/* Settles a cell without inflow and outflow, as most cells are in most steps. The lava cools and may solidify. The
 * records change only if rounding has made the lava warmer. Returns whether z or h has changed, or T has risen. */
__device__ static inline bool batch_settle_still(struct batch_block *b,
                                                 const struct batch_window *w, unsigned at,
                                                 const struct batch_cell *c, long long step,
                                                 double *h)
{
    double z = c->here.z, T = c->T, set_m = 0.0;
    physics_balance(0.0, 0, h, &T);
    physics_solidify(&b->m.physics, 0, &z, h, &T, &set_m);
    batch_T(w)[at] = T;
    if (T > c->T) batch_record_it(w, at, step, batch_record(w)[at], z + *h, T);
    if (set_m != 0.0) batch_ground(w)[at] = {z, *h};
    return set_m != 0.0 || T > c->T;
}

/* Settles any cell. known: the cell is touched, at the border or has a vent. In all other cells, records change only
 * if rounding has made the lava warmer. emits: vents of the cell emit the lava of the next step. Returns whether
 * vents have emitted, z or h has changed, or T has risen. */
__device__ static inline bool batch_settle_any(const struct batch_view *v, struct batch_block *b,
                                               const struct batch_window *w, unsigned at,
                                               const struct batch_cell *c, long long step,
                                               bool emits, bool known, double *h)
{
    const bool border = c->at & BATCH_BORDER;
    double z = c->here.z, T = c->T, set_m = 0.0;
    struct batch_record before = {};
    if (known) before = batch_record(w)[at];
    if (c->flow.gain_m != 0.0 || c->flow.heat != 0) batch_flow(w)[at] = {0.0, 0};
    if (*h > 0.0 || c->flow.gain_m != 0.0) {
        physics_balance(c->flow.gain_m, (long long)c->flow.heat, h, &T);
        if (*h > 0.0) {
            physics_solidify(&b->m.physics, border, &z, h, &T, &set_m);
            if (!known && T > c->T) before = batch_record(w)[at];
            if (known || T > c->T) batch_record_it(w, at, step, before, z + *h, T);
        }
        if (border) gpu_add(&b->left, physics_boundary(border, h, &T));
    }
    emits = emits && c->at & BATCH_VENT;
    if (emits) batch_emit(v, b, batch_vent_at(v, b, at), step + 1, h, &T);
    if (T != c->T) batch_T(w)[at] = T;
    if (z != c->here.z || *h != c->here.h) batch_ground(w)[at] = {z, *h};
    return emits || z != c->here.z || *h != c->here.h || T > c->T;
}

/* Settles all listed cells. emits: vents emit the lava of the next step. clears: cells without lava lose their bit
 * in BITS_LISTED. Cells with vents keep their bit. Cells with a bit in `changed` keep it too, because the next step
 * clears `changed` only for listed cells. Returns how many cells with lava this thread has updated. */
template <bool SMALL>
__device__ static BATCH_PASS unsigned batch_settle(const struct batch_view *v,
                                                   struct batch_block *b, long long step,
                                                   bool emits, bool clears)
{
    const struct batch_window here = b->w, *w = &here;
    unsigned updates = 0;
    unsigned *old = batch_bits<SMALL>(b, w, BITS_CHANGED + (int)(step & 1)),
             *changed = batch_bits<SMALL>(b, w, BITS_CHANGED + (int)((step + 1) & 1)),
             *listed = batch_bits<SMALL>(b, w, BITS_LISTED);
    const int count = b->count;
    struct batch_cell next = batch_load<SMALL>(b, w, changed, (int)threadIdx.x, count);
    for (int first = batch_warp() * 32; first < count; first += BATCH_THREADS) {
        const struct batch_cell c = next;
        const int i = first + batch_lane();
        const unsigned at = c.at & BATCH_CELL;
        next = batch_load<SMALL>(b, w, changed, i + BATCH_THREADS, count);
        /* With __any_sync(mask, condition), the compiler copies the call into both branches of `condition`. The
         * threads in one branch would then wait for ever for the threads in the other branch. The compiler does not
         * copy a ballot. */
        const unsigned any = __ballot_sync(0xffffffffu, c.touched || c.at & BATCH_SPECIAL);
        const bool known = any >> batch_lane() & 1;
        if (i >= count) continue;
        old[at / 32] = 0;
        double h = c.here.h;
        bool now = false;
        updates += h > 0.0;
        if (any) now = batch_settle_any(v, b, w, at, &c, step, emits, known, &h);
        else if (h > 0.0) now = batch_settle_still(b, w, at, &c, step, &h);
        if (now && !c.touched) atomicOr(&changed[at / 32], batch_bit(at));
        if (clears && !(h > 0.0) && !now && !c.touched && !(c.at & BATCH_VENT))
            atomicAnd(&listed[at / 32], ~batch_bit(at));
    }
    return updates;
}

/* ---- reduceAdd ------------------------------------------------------------------------------- */

/* Sums mobile lava in b->mobile. Returns whether the stopping rule ends the member. All threads take part. */
__device__ static BATCH_SELDOM bool batch_is_still(struct batch_block *b,
                                                   const struct batch_window *w, long long step)
{
    long long low = 0, high = 0;
    if (threadIdx.x == 0) b->mobile.word[0] = b->mobile.word[1] = 0;
    __syncthreads();
    for (int i = (int)threadIdx.x; i < b->count; i += BATCH_THREADS) {
        const long long n =
            (long long)(batch_ground(w)[batch_listed(b, w, i) & BATCH_CELL].h * LATTICE_PER_M);
        low += n & 0xffffffffLL;
        high += n >> 32;
    }
    gpu_add_warp(&b->mobile, low, high);
    __syncthreads();
    return gpu_is_still(&b->m.rule, &b->mobile, step);
}

/* ---- steps ----------------------------------------------------------------------------------- */

enum batch_pause { PAUSE_END, PAUSE_STILL, PAUSE_GROW };

/* Returns the number of the first step >= `from` after which the stopping rule is tested. LLONG_MAX: the rule is
 * never tested. */
__device__ static inline long long batch_next_reduction(const struct gpu_rule *r, long long from)
{
    const long long least = from > r->last_vent_step ? from : r->last_vent_step;
    return r->stops ? (least + r->every - 1) / r->every * r->every : LLONG_MAX;
}

/* Makes steps until the member ends or needs a larger window. Before the call b->step steps are done, and the vents
 * have emitted for the next step. */
template <bool SMALL>
__device__ static BATCH_PASS enum batch_pause batch_steps(const struct batch_view *v,
                                                          struct batch_block *b)
{
    unsigned updates = 0; /* number of cells with lava that this thread has updated */
    enum batch_pause why = PAUSE_END;
    long long step = b->step + 1, reduces = batch_next_reduction(&b->m.rule, step);
    const long long last = b->m.steps;
    for (;; step++) {
        const bool looks = step == reduces, sorts = step % BATCH_SORT_EVERY == 0;
        batch_find_flows<SMALL>(b, step);
        __syncthreads();
        batch_outflows<SMALL>(b, step);
        __syncthreads();
        updates += batch_settle<SMALL>(v, b, step, step < last && !looks, sorts);
        __syncthreads();
        if (looks) {
            if (batch_is_still(b, &b->w, step)) why = PAUSE_STILL;
            if (why == PAUSE_STILL) break;
            if (step < last) batch_emit_all<SMALL>(v, b, &b->w, step + 1);
            reduces += b->m.rule.every;
        }
        if (step == last) break;
        if (b->grow) why = PAUSE_GROW;
        if (why == PAUSE_GROW) break;
        if (sorts) batch_sort<SMALL>(b, &b->w);
    }
    atomicAdd(&b->updates, (gpu_word)updates);
    __syncthreads();
    if (threadIdx.x == 0) b->step = step;
    __syncthreads();
    return why;
}

/* Makes steps in a window that is too large for bits in shared memory. This is a separate function, so that it does not
 * take registers from the code for small windows. */
__device__ static BATCH_SELDOM enum batch_pause batch_steps_large(const struct batch_view *v,
                                                                  struct batch_block *b)
{
    return batch_steps<false>(v, b);
}

#endif
