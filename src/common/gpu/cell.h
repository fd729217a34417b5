/* cell.h — the model in a kernel, for one cell in global memory. The formulas are in physics.h.
 * This header loads a cell and its neighbours, calls physics.h and stores the result. */
#ifndef SCIARA_GPU_CELL_H
#define SCIARA_GPU_CELL_H

#include "tile_list.h"

/* What the vents of a cell emit in each step before step `until`: whole_m metres of lava, and one more quantum if
 * adding `fraction` to `carried` overflows (sim/vent.h). */
struct gpu_emission {
    double whole_m;
    gpu_word fraction, carried;
    long long until;
};

/* Adds the fraction of a vent to *e. *e can carry the fraction of one vent only. If a second vent of the cell has a
 * fraction too, *e is valid for this step alone. */
__device__ static inline void gpu_add_fraction(struct gpu_emission *e, gpu_word carried,
                                               gpu_word fraction, long long step)
{
    if (e->fraction == 0) {
        e->fraction = fraction;
        e->carried = carried;
    } else if (fraction) {
        if (physics_carries(carried, fraction)) e->whole_m += LATTICE_M;
        e->until = step + 1;
    }
}

/* The index of the first vent of a cell with vents. */
__device__ static inline int gpu_vent_of(const struct gpu_view *v, int at)
{
    int low = 0, high = v->vent_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (v->vent_at[middle] < at) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* v->emission_m is a table that emitLava fills in the first step of a segment, because finding an emission takes a
 * long chain of loads. Returns the element for the cell of vent i in step `offset` of the segment, counted from 1. */
__device__ static inline double *gpu_tabled_emission(const struct gpu_view *v, int offset, int i)
{
    return v->emission_m + (size_t)(offset - 1) * v->vent_count + i;
}

__device__ static inline void gpu_emission_at(const struct gpu_view *v, int at, long long step,
                                              struct gpu_emission *out)
{
    struct gpu_emission e = {0.0, 0, 0, 0x7fffffffffffffffLL};
    for (int i = gpu_vent_of(v, at); i < v->vent_count && v->vent_at[i] == at; i++) {
        /* Finds the first interval after `step`. */
        int now = v->vent_begin[i], end = v->vent_begin[i + 1];
        while (now < end) {
            int middle = (now + end) / 2;
            if (v->vent_first_step[middle] <= step) now = middle + 1;
            else end = middle;
        }
        if (now < v->vent_begin[i + 1] && v->vent_first_step[now] < e.until)
            e.until = v->vent_first_step[now];
        if (now-- == v->vent_begin[i]) continue;
        gpu_word fraction = v->vent_fraction[now];
        gpu_word carried =
            v->vent_phase[now] + (gpu_word)(step - v->vent_first_step[now]) * fraction;
        e.whole_m += v->vent_amount_m[now];
        gpu_add_fraction(&e, carried, fraction, step);
    }
    *out = e;
}

/* Returns what *e emits in the present step, in metres, and advances *e by one step. */
__device__ static inline double gpu_emission_step(struct gpu_emission *e)
{
    bool more = physics_carries(e->carried, e->fraction);
    e->carried += e->fraction;
    return more ? e->whole_m + LATTICE_M : e->whole_m;
}

/* The amount that all vents of a cell emit in a step, in metres. */
__device__ static inline double gpu_emission_m(const struct gpu_view *v, int at, long long step)
{
    struct gpu_emission e;
    gpu_emission_at(v, at, step, &e);
    return gpu_emission_step(&e);
}

/* emitLava for a cell with vents. Adds the emitted lava and heat to the sums of the simulation. */
__device__ static inline void gpu_emit(const struct gpu_view *v, double amount_m, double *h,
                                       double *T)
{
    long long heat = physics_heat_emitted(&v->physics, amount_m, *h, *T);
    if (heat != 0) gpu_add_count(&gpu_heat_place(v)->emitted, heat);
    if (amount_m > 0.0) gpu_add(&v->control->emitted, amount_m);
    physics_emit(&v->physics, amount_m, h, T);
}

/* Whether vent i is the first vent of its cell. The first vent emits for all vents of the cell. */
__device__ static inline bool gpu_vent_emits(const struct gpu_view *v, int i)
{
    return i < v->vent_count && (i == 0 || v->vent_at[i - 1] != v->vent_at[i]);
}

/* emitLava for the cell of vent i, in the arrays h and T. */
__device__ static inline void gpu_emit_vent(const struct gpu_view *v, int i, double amount_m,
                                            double *h, double *T)
{
    int at = v->vent_at[i];
    double h_now = __ldcg(h + at), T_now = __ldcg(T + at);
    gpu_emit(v, amount_m, &h_now, &T_now);
    h[at] = h_now;
    T[at] = T_now;
}

/* computeOutflows for a cell in global memory. Loads the neighbourhood together with h, before h is tested. Most
 * cells of a listed tile have lava, and waiting for memory twice would cost more than the loads. */
__device__ static inline bool gpu_outflows(const struct gpu_view *v, int at, const double *T_now,
                                           double *T, double flow[8])
{
    double zk[8], hk[8], z = v->z[at], h = v->h[at];
    *T = T_now[at];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        zk[k] = v->z[at + gpu_next_to(v, k)];
        hk[k] = v->h[at + gpu_next_to(v, k)];
    }
    return h > 0.0 && physics_outflows(&v->physics, z, h, *T, zk, hk, flow);
}

/* Stores the outflows of a cell in the 8 layers. */
__device__ static inline void gpu_store_flow(const struct gpu_view *v, int at, bool flows,
                                             const double flow[8])
{
#pragma unroll
    for (int k = 0; k < 8; k++) v->flow[k * (size_t)v->size + at] = flows ? flow[k] : 0.0;
}

/* Sums what a cell gains for massBalance: inflows minus outflows in the 8 layers, as thickness and as heat. T is the
 * temperature of the cell. T_of(k, from) returns the temperature of neighbour k at index `from`. */
template <class Temperature>
__device__ static inline void gpu_gather_flow(const struct gpu_view *v, int at, double T,
                                              Temperature T_of, double *gain_m, long long *heat)
{
    *gain_m = 0.0;
    *heat = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int from = at + gpu_next_to(v, k);
        double in = v->flow[PHYSICS_OPPOSITE(k) * (size_t)v->size + from];
        double out = v->flow[k * (size_t)v->size + at];
        *gain_m += in - out;
        if (in > 0.0) *heat += heat_of(in, T_of(k, from));
        if (out > 0.0) *heat -= heat_of(out, T);
    }
}

/* Data of a cell for the end of a step. A kernel can load these data before gpu_wait(), because the previous kernel
 * does not write them. */
struct gpu_cell {
    double z, highest_m, max_temp_K;
    int flag;
};
__device__ static inline struct gpu_cell gpu_load(const struct gpu_view *v, int at)
{
    struct gpu_cell c = {__ldcg(v->z + at), __ldcg(v->highest_m + at), __ldcg(v->max_temp_K + at),
                         v->flag[at]};
    return c;
}

/* The emission of a cell in step `offset` of the segment, in metres. A kernel may load it before gpu_wait(). A
 * negative result means that the cell has no vents, or that the kernel does not emit. A result of 0 m means that
 * vents add no lava, but the lava of the cell gets the temperature of the vents. */
__device__ static inline double gpu_load_emission(const struct gpu_view *v, int at, int flag,
                                                  int offset, bool emits)
{
    return emits && (flag & CELL_VENT) ? __ldcg(gpu_tabled_emission(v, offset, gpu_vent_of(v, at)))
                                       : -1.0;
}

/* Updates the records of a cell with lava at the end of a step, before lava leaves at the
 * border. */
__device__ static inline void gpu_record(const struct gpu_view *v, int at, long long step,
                                         double level_m, double T, double *highest_m,
                                         double *max_temp_K)
{
    if (physics_record(1, level_m, T, highest_m, max_temp_K)) v->arrival[at] = (int)step;
}

/* boundaryConditions. Lava that leaves is summed in control->sea if it enters the sea, and else in control->left. */
__device__ static inline void gpu_boundary(const struct gpu_view *v, int flag, double *h, double *T)
{
    int border = flag & CELL_BORDER;
    struct gpu_sum *left = flag & CELL_SHORE ? &v->control->sea : &v->control->left;
    if (border) gpu_add(left, physics_boundary(border, h, T));
}

/* Adds the heat that a cell has lost by cooling to *cooled, and the heat of lava that solidifies or leaves to the
 * sums of the simulation. lava_m and `heat` are thickness and heat of the cell after massBalance. */
__device__ static inline void gpu_count_heat(const struct gpu_view *v, double lava_m, double T,
                                             long long heat, bool solidifies, bool leaves,
                                             gpu_word *cooled)
{
    struct heat_kept kept = physics_heat_kept(lava_m, T, solidifies, leaves);
    *cooled += (gpu_word)(heat - kept.all);
    if (solidifies) gpu_add_count(&gpu_heat_place(v)->solidified, kept.solidified);
    if (leaves) gpu_add_count(&gpu_heat_place(v)->left, kept.left);
}

/* solidification, records and boundaryConditions of a cell with lava. *h and `heat` are its thickness and heat after
 * massBalance. `heat` is 0 if another kernel has already counted this heat. Stores changed records. If the variant
 * has only one state (one_state), z and h are stored too. The caller stores T. */
__device__ static inline void gpu_settle(const struct gpu_view *v, int at, const struct gpu_cell *c,
                                         long long step, double *z, double *h, double *T,
                                         long long heat, bool one_state, gpu_word *cooled)
{
    double highest = c->highest_m, max_temp = c->max_temp_K, lava_m = *h, s = 0.0;
    *z = c->z;
    bool border = c->flag & CELL_BORDER,
         solidifies = physics_solidify(&v->physics, border, z, h, T, &s);
    gpu_count_heat(v, lava_m, *T, heat, solidifies, border, cooled);
    gpu_record(v, at, step, *z + *h, *T, &highest, &max_temp);
    if (highest != c->highest_m) v->highest_m[at] = highest;
    if (max_temp != c->max_temp_K) v->max_temp_K[at] = max_temp;
    if (solidifies && one_state) v->z[at] = *z;
    gpu_boundary(v, c->flag, h, T);
    if (one_state) v->h[at] = *h;
}

/* All processes after the outflows: massBalance, solidification, boundaryConditions, and emitLava for the next step.
 * h and T are the state of the cell, gain_m and `heat` its gains. next_m is what its vents emit, in m; negative: no
 * vent emits. Returns gpu_tiles_woken(). */
__device__ static inline unsigned gpu_finish(const struct gpu_view *v, int at,
                                             const struct gpu_cell *c, int row, int col,
                                             long long step, double h, double T, double gain_m,
                                             long long heat, double *T_out, double next_m,
                                             gpu_word *cooled)
{
    bool wet_before = h > 0.0, active = wet_before || gain_m != 0.0;
    bool vent = c->flag & CELL_VENT;
    if (active) {
        double z;
        long long after = physics_balance(gain_m, heat, &h, &T);
        if (h > 0.0) {
            gpu_settle(v, at, c, step, &z, &h, &T, after, true, cooled);
        } else {
            *cooled += (gpu_word)after;
            v->h[at] = h;
        }
    }
    if (next_m >= 0.0) {
        gpu_emit(v, next_m, &h, &T);
        v->h[at] = h;
    }
    *T_out = T;
    return gpu_tiles_woken(v, row, col, active, h > 0.0 || vent);
}

#endif
