/* physics.h — the elementary processes of Sciara-fv2 in exact arithmetic, over one cell and its
 * eight neighbours. No other file has formulas of the model: kernels and the CPU loop read cells
 * and call these functions.
 *
 *   W. Spataro et al., Procedia Computer Science 1 (2010) 17-26; docs/model.md, sections 2 and 4.
 *
 * One step: emitLava, computeOutflows, massBalance, solidification, boundary; reduceAdd at
 * intervals. Elevations and thicknesses are in m on the lattice (lattice.h), temperatures in K. A
 * `real` may be one cell or several (lanes.h). Neighbours have the numbers 0 to 7: N W E S, then
 * the diagonals NW SW SE NE. This cell is neighbour PHYSICS_OPPOSITE(k) of its neighbour k.
 *
 * Cells that do not exist (outside the domain, or without data) are walls: elevation WALL_M, no
 * lava. A wall is higher than all lava, so no lava flows into a wall, and the code needs no test
 * for walls. */
#ifndef SCIARA_PHYSICS_H
#define SCIARA_PHYSICS_H

#include "members.h"
#include "params.h"
#include "realmath.h"

#define WALL_M 20000.0

/* Row and column offsets of neighbour k, and the number of the opposite neighbour. Two bits of a constant are the
 * offset + 1 of one neighbour; neighbour 0 has the lowest two. There is no table, because a GPU would read it from slow
 * local memory where a loop over k is not unrolled. */
#define PHYSICS_ROW(k)      ((0x2894 >> 2 * (k)&3) - 1) /* -1, 0, 0, 1, -1, 1, 1, -1 */
#define PHYSICS_COL(k)      ((0xa061 >> 2 * (k)&3) - 1) /* 0, -1, 1, 0, -1, -1, 1, 1 */
#define PHYSICS_OPPOSITE(k) ((k) < 4 ? 3 - (k) : ((k) < 6 ? (k) + 2 : (k)-2))

struct physics {
    double rate_a, rate_b;         /* log10 r = a + b T */
    double critical_a, critical_b; /* log10 h_c^2 = a + b T */
    double cell2_m2;               /* Pc^2 */
    double cooling;                /* 3 eps sigma Pclock Pcool / (rho c_v Pac), m / K^3 */
    double temp_sol_K, temp_vent_K;
};

static inline struct physics physics_create(const struct params *p)
{
    struct physics y;
    double span = p->temp_vent_K - p->temp_sol_K;
    double rate_sol = real_log10(p->rate_sol), critical_sol = real_log10(p->critical_sol_m);
    y.rate_b = (real_log10(p->rate_vent) - rate_sol) / span;
    y.rate_a = rate_sol - y.rate_b * p->temp_sol_K;
    y.critical_b = 2.0 * ((real_log10(p->critical_vent_m) - critical_sol) / span);
    y.critical_a = 2.0 * critical_sol - y.critical_b * p->temp_sol_K;
    y.cell2_m2 = p->cell_m * p->cell_m;
    y.cooling = 3.0 * p->emissivity * p->stefan_W_m2K4 * p->clock_s * p->cooling /
                (p->density_kg_m3 * p->heat_J_kgK * y.cell2_m2);
    y.temp_sol_K = p->temp_sol_K;
    y.temp_vent_K = p->temp_vent_K;
    return y;
}

/* The sum of eight lengths, which is exact in any order. Adding in pairs reduces the latency. */
INLINE real physics_sum8(const real x[8])
{
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

/* Whether a step emits one more quantum: `carried` is the amount carried over, `fraction` what the
 * step adds, both in 2^-64 quanta (sim/vent.h). */
INLINE bool physics_carries(uint64_t carried, uint64_t fraction)
{
    return carried + fraction < carried;
}

/* emitLava: adds amount_m of lava, a multiple of 2^-36 m. All lava of the cell gets the temperature
 * of the vent. */
INLINE void physics_emit(const struct physics *p, double amount_m, double *thickness_m,
                         double *temp_K)
{
    *thickness_m += amount_m;
    *temp_K = p->temp_vent_K;
}

/* The heat that a cell with h and T gains, because vents add amount_m of lava and heat the lava of
 * the cell to PTvent. The heat of at most HEAT_MAX_M of lava is counted, because the heat of more
 * lava does not fit an integer. So the sums of heat do not balance if a cell has more lava. */
INLINE ints physics_heat_emitted(const struct physics *p, real amount_m, real h, real T)
{
    real most = broadcast(HEAT_MAX_M), after = lower(h + amount_m, most);
    return heat_of(after, broadcast(p->temp_vent_K)) - heat_of(lower(h, most), T);
}

/* 1 / n for n in 1 ... 9, correctly rounded. */
#if defined(__CUDACC__)
static __device__ __constant__ const double physics_inverse[] = {
    0.0,       1.0,       1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0,
    1.0 / 5.0, 1.0 / 6.0, 1.0 / 7.0, 1.0 / 8.0, 1.0 / 9.0};
#endif
INLINE real physics_inverse_of(tally n)
{
#if defined(__CUDA_ARCH__)
    return physics_inverse[n];
#else
    return 1.0 / real_of_tally(n);
#endif
}

/* The relaxation rate r of lava at T, at most 1. */
INLINE real physics_rate(const struct physics *p, real T)
{
    real rate = real_pow10(fused(broadcast(p->rate_b), T, broadcast(p->rate_a)));
    return select_lanes(rate > 1.0, broadcast(1.0), rate);
}

/* Water that would stand h high in one basin spreads over nine connected basins with grounds at e[0] to e[8]. Its level
 * then is the lowest of the averages (h + the j lowest grounds) / j. A sorting network sorts e. */
INLINE approx physics_approx_level(approx h, approx e[9])
{
    const int sorts[25][2] = {{0, 3}, {1, 7}, {2, 5}, {4, 8}, {0, 7}, {2, 4}, {3, 8},
                              {5, 6}, {0, 2}, {1, 3}, {4, 5}, {7, 8}, {1, 4}, {3, 6},
                              {5, 7}, {0, 1}, {2, 4}, {3, 5}, {6, 8}, {2, 3}, {4, 5},
                              {6, 7}, {1, 2}, {3, 4}, {5, 6}};
    UNROLLED for (int i = 0; i < 25; i++)
    {
        approx a = e[sorts[i][0]], b = e[sorts[i][1]];
        e[sorts[i][0]] = approx_lower(a, b);
        e[sorts[i][1]] = approx_higher(a, b);
    }
    approx sum = h + e[0], level = sum;
    UNROLLED for (int j = 2; j <= 9; j++)
    {
        sum += e[j - 1];
        level = approx_lower(level, sum * (1.0f / (float)j));
    }
    return level;
}

/* computeOutflows: the lava that flows from a cell with elevation z and thickness h >= 0 to each
 * neighbour, with elevations zk and thicknesses hk. True where any flow may be > 0. The result
 * depends neither on the order of the four neighbours at edges, nor on the order of the four
 * neighbours at corners. The proofs are in docs/model.md, section 4.2.
 *
 * e[k] is the level of neighbour k above the ground of this cell. At a diagonal the difference of the
 * grounds counts 1 / sqrt(2), because the distance is sqrt(2) cells. e[8] = 0 is the cell itself.
 *
 * The cells of a set A share the lava h up to one level L = (h + sum over A of e[k]) / |A|. The
 * code finds the set A (`who`) that has exactly the cells with e[k] < L. The first set is computed in
 * low precision. Each further set has the cells with e[k] below the L of the previous set. The
 * iteration ends when a set equals the previous set. */
INLINE mask physics_outflows(const struct physics *p, real z, real h, real T, const real zk[8],
                             const real hk[8], real flow[8])
{
    real critical2 = real_pow10(fused(broadcast(p->critical_b), T, broadcast(p->critical_a)));
#if defined(__CUDA_ARCH__)
    real rate = physics_rate(p, T); /* computed next to the power above, so that their latencies
                                       overlap */
#endif
    real threshold = p->cell2_m2 * fused(-h, h, critical2);
    real e[9], over[9];
    approx sorted[9], approx_e[9], approx_h = approx_of(h);
    UNROLLED for (int k = 0; k < 8; k++)
    {
        if (k < 4) e[k] = (zk[k] + hk[k]) - z;
        else e[k] = lattice_round_product(zk[k] - z, broadcast(0.70710678118654752440)) + hk[k];
    }
    e[8] = broadcast(0.0);
    UNROLLED for (int k = 0; k < 9; k++) sorted[k] = approx_e[k] = approx_of(e[k]);
    approx level = physics_approx_level(approx_h, sorted);
    approx drop = approx_h * (1.0f + 0x1p-20f) - sorted[0], h_drop = approx_h * drop;
    mask flows = h_drop * h_drop * 1.0001f + 1e-30f > approx_of(threshold);
    if (!any_lane(flows)) return flows;

    real sum = h * ADMIT_UNIT, diagonals = broadcast(0.0);
    membership who = MEMBERS_NONE, next;
    level += approx_magnitude(level) * 0x1p-22f;
    UNROLLED for (int k = 0; k < 8; k++) who =
        admit(k, approx_e[k] - level, e[k], k < 4 ? &sum : &diagonals, who);
    who = approx_admitted(8, -level, who);
    for (;;) {
        real count = real_of_tally(membership_count(who)),
             minus_total = (sum + diagonals) * (-1.0 / ADMIT_UNIT);
        next = MEMBERS_NONE;
        UNROLLED for (int k = 0; k < 9; k++)
        {
            over[k] = lattice_multiple(count, e[k], minus_total);
            next = admitted(k, over[k], next);
        }
        if (!any_lane(flows & (next != who))) break;
        sum = h * ADMIT_UNIT;
        diagonals = broadcast(0.0);
        who = MEMBERS_NONE;
        UNROLLED for (int k = 0; k < 8; k++) who =
            admit(k, approx_of(over[k]), e[k], k < 4 ? &sum : &diagonals, who);
        who = admitted(8, over[8], who);
    }

#if !defined(__CUDA_ARCH__)
    real rate = physics_rate(p, T);
#endif
    real share = rate * physics_inverse_of(membership_count(who));
    UNROLLED for (int k = 0; k < 8; k++)
    {
        real drops = h * (h - e[k]);
        mask gives = flows & negative(over[k]) & square_exceeds(drops, threshold);
        flow[k] = select_lanes(gives, lattice_floor_of_product(share, -over[k]), broadcast(0.0));
    }
    return flows;
}

/* Where lava may flow out of a cell: a cheap test that never misses a flow. Only the few cells that pass need
 * physics_outflows().
 *
 * Lava flows to a neighbour if the surface of this cell lies D > 0 above it and h^2 (Pc^2 + D^2) > Pc^2 h_c^2. So the
 * largest D decides. The code adds 2^-34 m to D. This is more than the errors of D: 6 roundings below 2^-39 m, and the
 * rounding to the lattice, 2^-37 m. h_c^2 is 2^y. If n is the integer part and f the fraction of y, 2^y is at least
 * 0.942 * 2^n (1 + f). The code makes the double 2^n (1 + f) from the bits of y, to 2^-20. The factor 0.94 leaves 0.2 %
 * for the roundings on both sides of the comparison. Each rounding is some 2^-52 of a positive term. The code limits y
 * to -1000 ... 996. Each limit is lower than that of physics_outflows(), log2(10^-300) or log2(10^300). */
INLINE mask physics_may_flow(const struct physics *p, real z, real h, real T, const real zk[8],
                             const real hk[8])
{
    const double log2_of_10 = 3.3219280948873623, nearer = 0.70710678118654752440,
                 read_bits = 0x1.8p32;
    real y = log2_of_10 * fused(broadcast(p->critical_b), T, broadcast(p->critical_a));
    y = higher(lower(y, broadcast(996.0)), broadcast(-1000.0));
    real power = real_of(shift_left(bits_of(y + (read_bits + 1023.0)), 32));

    real edge = zk[0] + hk[0], corner = zk[4] * nearer + hk[4];
    for (int k = 1; k < 4; k++) {
        edge = lower(edge, zk[k] + hk[k]);
        corner = lower(corner, zk[k + 4] * nearer + hk[k + 4]);
    }
    real drop = higher((z + h) - edge, ((z * nearer + h) - corner) + 0x1p-34);
    return positive(drop) & (h * h * (p->cell2_m2 + drop * drop) > 0.94 * p->cell2_m2 * power);
}

/* massBalance: adds `gain_m` of lava (may be negative) and `heat_gain` of heat to a cell. An
 * emptied cell keeps its temperature. Returns the resulting heat.
 *
 * If the heat does not fit an integer, the record of the greatest thickness exceeds 4,000 m
 * (docs/model.md, section 4.3). */
INLINE ints physics_balance(real gain_m, ints heat_gain, real *h, real *T)
{
    real after = *h + gain_m;
    ints heat = heat_of(*h, *T) + heat_gain;
    *T = select_lanes(after > 0.0, temp_of(heat, after), *T);
    *h = after;
    return heat;
}

/* solidification, of cells with h > 0 that are not border cells. Radiative cooling over one step
 * gives T / cbrt(1 + 3 T^3 eps sigma Pclock Pcool / (rho c_v h Pac)). physics_cooling() computes
 * the radicand, physics_cooled() the new temperature. The compiler reuses 1 / h from temp_of(). */
INLINE real physics_cooling(const struct physics *p, real h, real T)
{
    return fused_small(T * T, T * (p->cooling * (1.0 / h)), broadcast(1.0));
}
INLINE real physics_cooled(real T, real cooling)
{
    return T * real_rcbrt(cooling);
}
/* Lava at or below PTsol solidifies; `temp` is the temperature after cooling. True where lava
 * solidifies. */
INLINE mask physics_solidify_at(const struct physics *p, mask border, real temp, real *z, real *h,
                                real *T, real *s)
{
    mask cools = (*h > 0.0) & mask_not(border);
    mask liquid = temp > p->temp_sol_K, solidifies = cools & mask_not(liquid);
    real solid_m = select_lanes(solidifies, *h, broadcast(0.0));
    *T = select_lanes(cools, select_lanes(liquid, temp, broadcast(p->temp_sol_K)), *T);
    *z = *z + solid_m;
    *s = *s + solid_m;
    *h = *h - solid_m;
    return solidifies;
}
INLINE mask physics_solidify(const struct physics *p, mask border, real *z, real *h, real *T,
                             real *s)
{
    real temp = physics_cooled(*T, physics_cooling(p, *h, *T));
    return physics_solidify_at(p, border, temp, z, h, T, s);
}

/* boundaryConditions: lava in a border cell leaves the domain. Returns its thickness. */
INLINE real physics_boundary(mask border, real *h, real *T)
{
    mask leaves = border & (*h > 0.0);
    real left = select_lanes(leaves, *h, broadcast(0.0));
    *T = select_lanes(leaves, broadcast(0.0), *T);
    *h = *h - left;
    return left;
}

/* all: heat of the lava that stays mobile, solidifies or leaves in a step. h is the thickness after massBalance, T
 * the temperature after solidification. The heat that physics_balance() returned, minus `all`, is the heat lost by
 * cooling. The lost heat includes the effect of rounding T to a double, less than 2^12 eta (eta = 2^-40 K m,
 * lattice.h). If all lava has flowed away (h = 0), the lost heat is the few eta that roundings have left. */
struct heat_kept {
    ints all, solidified, left;
};
INLINE struct heat_kept physics_heat_kept(real h, real T, mask solidifies, mask leaves)
{
    ints all = heat_of(h, T);
    struct heat_kept q = {all, where(solidifies, all), where(leaves, all)};
    return q;
}

/* At the end of a step: updates the largest total thickness and temperature of a cell. `lava`: whether the cell has
 * lava after massBalance. True where lava arrives for the first time: max_temp_K is 0 where no lava ever was. */
INLINE mask physics_record(mask lava, real total_m, real T, real *max_total_m, real *max_temp_K)
{
    mask arrives = lava & (*max_temp_K == 0.0);
    *max_total_m = select_lanes(lava & (total_m > *max_total_m), total_m, *max_total_m);
    *max_temp_K = select_lanes(lava & (T > *max_temp_K), T, *max_temp_K);
    return arrives;
}

#endif
