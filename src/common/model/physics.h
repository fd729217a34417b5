/* physics.h — the elementary processes of Sciara-fv2 in exact arithmetic, over one cell and its
 * eight neighbours. This is the only place of the model; kernels and the CPU loop gather and call
 * it.
 *
 *   W. Spataro et al., Procedia Computer Science 1 (2010) 17-26; docs/model.md, sections 2 and 4.
 *
 * One step: emitLava, computeOutflows, massBalance, solidification, boundary; reduceAdd every so
 * often. Elevations and thicknesses are in m on the lattice (lattice.h), temperatures in K. A
 * `real` may be one cell or several (lanes.h). Neighbours are numbered 0..7 here: the von Neumann
 * ones N W E S, then the diagonals NW SW SE NE; what flows to neighbour k arrives from neighbour
 * physics_opposite[k].
 *
 * Cells that do not exist (outside the domain, or without data) are walls: elevation WALL_M, no
 * lava. A wall is never lower than lava, so it takes no part and needs no test. */
#ifndef SCIARA_PHYSICS_H
#define SCIARA_PHYSICS_H

#include "members.h"
#include "params.h"
#include "realmath.h"

#define WALL_M 20000.0

/* (row, column) offsets of the neighbours, and who is opposite whom. Two bits of a constant to each
 * neighbour, its offset + 1, neighbour 0 in the lowest: a table would lie in local memory on a GPU
 * wherever a loop over k is not unrolled. */
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

/* The sum of eight lengths, in pairs: exact, so the order only matters to how long a processor
 * waits. */
INLINE real physics_sum8(const real x[8])
{
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

/* emitLava: amount_m of lava (on the lattice) at the temperature of the vent. */
INLINE void physics_emit(const struct physics *p, double amount_m, double *thickness_m,
                         double *temp_K)
{
    *thickness_m += amount_m;
    *temp_K = p->temp_vent_K;
}

/* The heat that comes into a cell of h and T with amount_m of lava, and by heating what is there.
 * Of more lava than HEAT_MAX_M heat has no integer, and it is not counted: whatever the processor
 * made of the heat of such a cell, its ledger does not close. */
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
    return select(rate > 1.0, broadcast(1.0), rate);
}

/* The highest level to which h, poured into basins side by side whose grounds lie at e[0] to e[8],
 * could fill any of them: the lowest of the averages (h + the j lowest grounds) / j. */
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

/* computeOutflows: the lava that leaves a cell with elevation z and thickness h >= 0 for each
 * neighbour, whose elevations are zk and thicknesses hk. Holds where any flow may be > 0. Exact
 * symmetry: the result does not depend on the order of the neighbours within each kind.
 *
 * With e_k = H_k - z, the level of neighbour k above the ground here (for a diagonal the ground is
 * seen nearer by 1/sqrt(2), rounded to the lattice) and e_8 = 0 for the cell itself, minimisation
 * of differences looks for the set A in which every e_k lies below the average (h + sum over A of
 * e_k) / |A|. That average is the level that water poured into the neighbourhood would reach, so
 * there is one such A and no other. It is guessed with few digits, and if the average of the guess
 * does not give A again, what it gives is tried: all that lies below the average of any set is A or
 * more, and of more some lie too high.
 *
 * The comparisons are those of exact numbers. z lies between -4,000 and 14,000 m (10,000 m given,
 * 4,000 m set on it), so lava here can flow to e_k >= -18,000 m, across a corner >= -12,729 m, and
 * |sum| < 123,000 m < 2^17 m is exact; sets with more than that in them are never A, and are left
 * in the next round. |A| e_k - sum is rounded once, which changes no sign; where a flow is given it
 * is exact: in the end all avg - e_k in A are positive and add up to h, so they are multiples of
 * lambda/|A| up to 4,100 m (4,000 m, and what a step emits).
 *
 * h > h_c cos(theta) is tested as h^2 (1 + (drop/Pc)^2) > h_c^2, that is (h drop)^2 > Pc^2 (h_c^2 -
 * h^2), first for the deepest drop with few digits.
 *
 * f_k = r (avg - H_k), rounded down to the lattice, is floor(r/|A| * (sum - |A| e_k)). The sum over
 * k of the exact values is at most r h <= h (r is clamped to 1); the two roundings of r/|A| add at
 * most 2.1 * 2^-53 h < 2^-39 m for h <= 4,100 m, less than lambda, and a sum of multiples of lambda
 * below h + lambda is at most h. So no cell gives what it has not. */
INLINE mask physics_outflows(const struct physics *p, real z, real h, real T, const real zk[8],
                             const real hk[8], real flow[8])
{
    real critical2 = real_pow10(fused(broadcast(p->critical_b), T, broadcast(p->critical_a)));
#if defined(__CUDA_ARCH__)
    real rate = physics_rate(p, T); /* beside the other power, for latency */
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
            over[k] = fused(count, e[k], minus_total);
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
        mask gives = flows & negative(over[k]) & positive(fused(drops, drops, -threshold));
        flow[k] = select(gives, lattice_floor_of_product(share, -over[k]), broadcast(0.0));
    }
    return flows;
}

/* Where lava may flow out of a cell, said with few operations and never missing a flow:
 * physics_outflows() is for the few cells where this holds.
 *
 * Towards a neighbour that the surface here lies D > 0 above lava flows if h^2 (Pc^2 + D^2) > Pc^2
 * h_c^2, so the deepest drop decides. The sums for it differ from the exact one by 6 roundings
 * below 2^-39 m and that of the lattice, 2^-37 m: 2^-34 m are added. h_c^2 = 2^y = 2^n 2^f is at
 * least 0.942 * 2^n (1 + f), and that is the double whose exponent and significand are y, read off
 * its bits to 2^-20; 0.94 leaves 0.2 % for the roundings on either side, each some 2^-52 of a
 * positive term. 10^x is bounded at |x| = 300, between the bounds of y. */
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

/* massBalance: what is here after `gain_m` of lava (may be negative) and `heat_gain` of heat have
 * come. A cell that is left empty keeps its temperature. Returns the heat that is here then.
 *
 * That heat has an integer, or the record of the greatest thickness says otherwise. Where no cell
 * had more than 4,000 m of lava at the end of the step before, none was hotter than HEAT_MAX_K, and
 * vents added up to 100 m, no cell has and gives more than HEAT_MAX_M, so the sum for h is exact
 * and the heat of each part is below 2^63 eta. The sum of these parts, 17 at the most, which are
 * rounded by less than 2^12 eta each, is at most h HEAT_MAX_K but for that rounding. If it passes
 * 2^63 eta, h is above HEAT_MAX_M, whatever becomes of the heat, and that is recorded. */
INLINE ints physics_balance(real gain_m, ints heat_gain, real *h, real *T)
{
    real after = *h + gain_m;
    ints heat = heat_of(*h, *T) + heat_gain;
    *T = select(after > 0.0, temp_of(heat, after), *T);
    *h = after;
    return heat;
}

/* solidification, where h > 0 and the cell is not a border cell: radiative cooling over one step,
 * T / cbrt(1 + 3 T^3 eps sigma Pclock Pcool / (rho c_v h Pac)); lava at or below PTsol sets. The
 * compiler finds that 1 / h is known from temp_of(). Holds where lava sets. */
INLINE mask physics_solidify(const struct physics *p, mask border, real *z, real *h, real *T,
                             real *s)
{
    mask cools = (*h > 0.0) & mask_not(border);
    real temp = *T * real_rcbrt(fused(*T * *T, *T * (p->cooling * (1.0 / *h)), broadcast(1.0)));
    mask liquid = temp > p->temp_sol_K, solidifies = cools & mask_not(liquid);
    real sets = select(solidifies, *h, broadcast(0.0));
    *T = select(cools, select(liquid, temp, broadcast(p->temp_sol_K)), *T);
    *z = *z + sets;
    *s = *s + sets;
    *h = *h - sets;
    return solidifies;
}

/* boundaryConditions: lava in a border cell leaves the domain. Returns what left. */
INLINE real physics_boundary(mask border, real *h, real *T)
{
    mask leaves = border & (*h > 0.0);
    real left = select(leaves, *h, broadcast(0.0));
    *T = select(leaves, broadcast(0.0), *T);
    *h = *h - left;
    return left;
}

/* What is kept of the heat of a cell in a step in which h was its thickness after massBalance and T
 * is its temperature after solidification: in the lava that stays, in what solidifies or in what
 * leaves. The rest of what physics_balance() returned has been lost by cooling. So that has in it,
 * too, what the rounding of T to a double adds or takes, less than 2^12 eta, and the few eta that
 * rounding leaves of the heat where all lava has flowed away (h = 0). */
struct heat_kept {
    ints all, solidified, left;
};
INLINE struct heat_kept physics_heat_kept(real h, real T, mask solidifies, mask leaves)
{
    ints all = heat_of(h, T);
    struct heat_kept q = {all, where(solidifies, all), where(leaves, all)};
    return q;
}

/* Records of a cell that holds lava (h > 0 before it set or left) at the end of a step: the largest
 * total thickness and temperature so far. Holds where lava has come for the first time: only lava
 * has a maximum temperature above 0. */
INLINE mask physics_record(mask lava, real total_m, real T, real *max_total_m, real *max_temp_K)
{
    mask arrives = lava & (*max_temp_K == 0.0);
    *max_total_m = select(lava & (total_m > *max_total_m), total_m, *max_total_m);
    *max_temp_K = select(lava & (T > *max_temp_K), T, *max_temp_K);
    return arrives;
}

#endif
