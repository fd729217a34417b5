/* loop_flows.h — outflows of a step of the CPU variant, as a part of loop.c. */
#pragma once

#include "reference.h"

#define VECTORS (CHUNK / SCIARA_LANES)

INLINE real load(const double *p)
{
    real x;
    memcpy(&x, p, sizeof x);
    return x;
}
INLINE void store(double *p, real x)
{
    memcpy(p, &x, sizeof x);
}
INLINE ints load_ints(const int64_t *p)
{
    ints x;
    memcpy(&x, p, sizeof x);
    return x;
}
INLINE void store_ints(int64_t *p, ints x)
{
    memcpy(p, &x, sizeof x);
}

/* The row of an element, and the chunk in it. */
INLINE int row_of(const struct reference *m, int at)
{
    return at / m->g.stride - 1;
}
INLINE int chunk_of(const struct reference *m, int at, int row)
{
    return (at - grid_at(m->g.stride, row, 0)) / CHUNK;
}

INLINE void load_neighbours(const struct reference *m, int at, real zk[8], real hk[8])
{
    for (int k = 0; k < 8; k++) {
        int to = at + PHYSICS_ROW(k) * m->g.stride + PHYSICS_COL(k);
        zk[k] = load(m->z + to);
        hk[k] = load(m->h + to);
    }
}

/* Where a row collects its inflows: cell `at` of the grid is element at - origin. */
struct target {
    double *gain_m;
    int64_t *heat;
    int origin;
};

static struct target target_of(const struct reference *m, int thread, int row)
{
    int side = row < m->band[thread] ? 0 : row >= m->band[thread + 1] ? 1 : -1;
    if (side < 0) return (struct target){m->gain_m, m->heat, 0};
    const struct outside *o = &m->outside[thread];
    return (struct target){o->gain_m[side], o->heat[side], grid_at(m->g.stride, row, -GRID_LEFT)};
}

/* To three cells of a row: to the west, straight, to the east. */
INLINE void give(struct target t, int at, double west_m, double gain_m, double east_m, int64_t west,
                 int64_t heat, int64_t east)
{
    double *m = t.gain_m + (at - t.origin);
    int64_t *n = t.heat + (at - t.origin);
    m[-1] += west_m;
    m[0] += gain_m;
    m[1] += east_m;
    n[-1] += west;
    n[0] += heat;
    n[1] += east;
}

/* Cells that lava may flow out of: one in nine on Etna 2006, and few of its neighbours. They are
 * collected, so that the vectors that compute their outflows are full. */
struct queue {
    int cells, at[QUEUE + SCIARA_LANES];
};

INLINE real gather(const double *p, const int *at)
{
    real x = {0};
    for (int i = 0; i < SCIARA_LANES; i++) x[i] = p[at[i]];
    return x;
}

/* computeOutflows of a vector of queued cells, the first `cells` of which count. t: for the rows
 * above, here and below. */
INLINE void outflows(const struct reference *m, const int *at, int cells, const struct target t[3])
{
    int offset[8];
    real zk[8], hk[8], flow[8], T = gather(m->T, at);
    ints heat[8], heat_out = {0};
    for (int k = 0; k < 8; k++) {
        offset[k] = PHYSICS_ROW(k) * m->g.stride + PHYSICS_COL(k);
        zk[k] = gather(m->z + offset[k], at);
        hk[k] = gather(m->h + offset[k], at);
    }
    if (!any_lane(
            physics_outflows(&m->physics, gather(m->z, at), gather(m->h, at), T, zk, hk, flow)))
        return;
    for (int k = 0; k < 8; k++) heat_out += heat[k] = heat_of(flow[k], T);
    real out = physics_sum8(flow);
    const real *f = flow;
    const ints *q = heat;
    for (int i = 0; i < cells; i++) {
        give(t[0], at[i] - m->g.stride, f[4][i], f[0][i], f[7][i], q[4][i], q[0][i], q[7][i]);
        give(t[1], at[i], f[1][i], -out[i], f[2][i], q[1][i], -heat_out[i], q[2][i]);
        give(t[2], at[i] + m->g.stride, f[5][i], f[3][i], f[6][i], q[5][i], q[3][i], q[6][i]);
    }
}

static void outflows_of_queue(const struct reference *m, struct queue *q, const struct target t[3])
{
    for (int i = 0; i < SCIARA_LANES; i++) q->at[q->cells + i] = q->at[0]; /* any cell will do */
    for (int i = 0; i < q->cells; i += SCIARA_LANES) {
        int rest = q->cells - i;
        outflows(m, q->at + i, rest < SCIARA_LANES ? rest : SCIARA_LANES, t);
    }
    q->cells = 0;
}

/* Lanes of two vectors in a row, by constant numbers: clang has one spelling, GCC before 12 the
 * other. FROM_EAST of x and zeros moves x by a lane to the west, FROM_WEST of zeros and x to the
 * east. */
#ifdef __clang__
#define LANES_OF(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define LANES_OF(x, y, ...) __builtin_shuffle(x, y, (ints){__VA_ARGS__})
#endif
#if SCIARA_LANES == 2
#define FROM_EAST 1, 2
#define FROM_WEST 1, 2
#elif SCIARA_LANES == 4
#define FROM_EAST 1, 2, 3, 4
#define FROM_WEST 3, 4, 5, 6
#elif SCIARA_LANES == 8
#define FROM_EAST 1, 2, 3, 4, 5, 6, 7, 8
#define FROM_WEST 7, 8, 9, 10, 11, 12, 13, 14
#endif

/* The flows of a vector of cells to three cells each of one row: to the west, straight, to the
 * east. */
INLINE void give_row(struct target t, int at, const real gain[3], const ints heat[3])
{
    double *m = t.gain_m + (at - t.origin);
    int64_t *n = t.heat + (at - t.origin);
    store(m, load(m) + gain[1] + LANES_OF(gain[0], (real){0}, FROM_EAST) +
                 LANES_OF((real){0}, gain[2], FROM_WEST));
    store_ints(n, load_ints(n) + heat[1] + LANES_OF(heat[0], (ints){0}, FROM_EAST) +
                      LANES_OF((ints){0}, heat[2], FROM_WEST));
    m[-1] += gain[0][0];
    n[-1] += heat[0][0];
    m[SCIARA_LANES] += gain[2][SCIARA_LANES - 1];
    n[SCIARA_LANES] += heat[2][SCIARA_LANES - 1];
}

/* computeOutflows of a vector that lies in a row. */
static void outflows_of_vector(const struct reference *m, int at, const struct target t[3])
{
    real zk[8], hk[8], f[8], T = load(m->T + at);
    ints q[8], heat_out = {0};
    load_neighbours(m, at, zk, hk);
    if (!any_lane(physics_outflows(&m->physics, load(m->z + at), load(m->h + at), T, zk, hk, f)))
        return;
    for (int k = 0; k < 8; k++) heat_out += q[k] = heat_of(f[k], T);
    give_row(t[0], at - m->g.stride, (real[]){f[4], f[0], f[7]}, (ints[]){q[4], q[0], q[7]});
    give_row(t[1], at, (real[]){f[1], -physics_sum8(f), f[2]}, (ints[]){q[1], -heat_out, q[2]});
    give_row(t[2], at + m->g.stride, (real[]){f[5], f[3], f[6]}, (ints[]){q[5], q[3], q[6]});
}

/* From which cells of a vector lava may flow, a bit each. */
INLINE int may_flow(const struct reference *m, int at)
{
    real zk[8], hk[8], h = load(m->h + at);
    if (!any_lane(h > 0.0)) return 0;
    load_neighbours(m, at, zk, hk);
    return bits_where(physics_may_flow(&m->physics, load(m->z + at), h, load(m->T + at), zk, hk));
}

/* Chunks that are near those of a map that reference_touch() made: in it, above or below. */
INLINE uint64_t three_rows(const struct reference *m, uint64_t *map, int row, int word)
{
    const uint64_t *here = reference_bits(m, map, row) + word;
    return here[-m->words] | here[0] | here[m->words];
}

/* Chunks of a word that have to be looked at, of those with lava: all but those from which lava
 * could not flow when they were looked at last, while no cell in them or beside them changed
 * since. Then z and h are what they were, T at most as high, and may_flow() would say so again:
 * with critical_b <= 0 its y and so its power rise as T falls, in every rounding, and nothing else
 * in it has changed. From which of them lava flows is not known any more. */
INLINE uint64_t to_look_at(const struct reference *m, int row, int word)
{
    uint64_t *flows = reference_bits(m, m->flows, row) + word, chunks = ~UINT64_C(0);
    if (m->physics.critical_b <= 0) chunks = three_rows(m, m->touched, row, word) | *flows;
    *flows = 0;
    return reference_bits(m, m->wet, row)[word] & chunks;
}

/* Vectors that are looked at. Which of their cells lava may flow from comes at the end of a chain of
 * operations, and what follows branches on it. So all are looked at before the first branch: a branch
 * that the processor predicts wrongly does not wait for that chain. */
enum { LOOKS = 64 };
struct looks {
    int count, at[LOOKS + 64 * VECTORS];
};

/* If lava may flow from most cells of a vector, all of it is computed at once. */
static void find_flows(const struct reference *m, struct looks *l, struct queue *q,
                       const struct target t[3])
{
    uint8_t flows[LOOKS + 64 * VECTORS];
    for (int i = 0; i < l->count; i++) flows[i] = (uint8_t)may_flow(m, l->at[i]);
    for (int i = 0; i < l->count; i++) {
        if (!flows[i]) continue;
        const int at = l->at[i], row = row_of(m, at);
        int count = __builtin_popcount(flows[i]);
        reference_touch(m, m->flows, row, chunk_of(m, at, row), flows[i] << at % CHUNK);
        if (2 * count > SCIARA_LANES) {
            outflows_of_vector(m, at, t);
            count = SCIARA_LANES / 2;
        } else
            for (int k = 0; k < SCIARA_LANES; k++) {
                q->at[q->cells] = at + k;
                q->cells += flows[i] >> k & 1;
            }
        m->row_flows[row] += count;
        if (q->cells > QUEUE - SCIARA_LANES) outflows_of_queue(m, q, t);
    }
    l->count = 0;
}

/* (The next word is read before find_flows() writes to it.) */
static void outflows_of_row(const struct reference *m, int row, struct looks *l, struct queue *q,
                            const struct target t[3])
{
    uint64_t rest = to_look_at(m, row, 0);
    m->row_flows[row] = 0;
    for (int word = 0; word < m->words; word++) {
        const int first = grid_at(m->g.stride, row, word * 64 * CHUNK);
        for (; rest; rest &= rest - 1)
            for (int v = 0; v < VECTORS; v++)
                l->at[l->count++] = first + __builtin_ctzll(rest) * CHUNK + v * SCIARA_LANES;
        rest = word + 1 < m->words ? to_look_at(m, row, word + 1) : 0;
        if (l->count >= LOOKS) find_flows(m, l, q, t);
    }
}

/* No lava flows from a row without any. */
static void no_outflows_of_row(const struct reference *m, int row)
{
    if (m->row_flows[row])
        memset(reference_bits(m, m->flows, row), 0, (size_t)m->words * sizeof *m->flows);
    m->row_flows[row] = 0;
}

/* The first and the last row of a band have targets of their own. */
static void outflows_of_band(const struct reference *m, int thread, struct queue *q)
{
    int first = m->band[thread], last = m->band[thread + 1] - 1;
    struct looks l;
    l.count = 0;
    for (int row = first; row <= last;) {
        int end = row == first || row == last ? row + 1 : last;
        const struct target t[3] = {target_of(m, thread, row - 1), target_of(m, thread, row),
                                    target_of(m, thread, end)};
        for (; row < end; row++)
            if (m->row_chunks[1 + row]) outflows_of_row(m, row, &l, q, t);
            else no_outflows_of_row(m, row);
        find_flows(m, &l, q, t);
        outflows_of_queue(m, q, t);
    }
}
