/* loop.c — the steps of the CPU variant. Compiled once per instruction set: LOOP is the name of the
 * function, SCIARA_LANES the number of cells computed at once. */
#include "reference.h"

#define VECTORS    (CHUNK / SCIARA_LANES)
#define EVERY_BYTE 0x0101010101010101ULL

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

INLINE void give(struct target t, int at, double gain_m, int64_t heat)
{
    t.gain_m[at - t.origin] += gain_m;
    t.heat[at - t.origin] += heat;
}

/* Cells that lava may flow out of: one in nine on Etna 2006, and few of its neighbours. They are
 * collected, so that the vectors that compute their outflows are full. */
struct queue {
    int cells, at[QUEUE + SCIARA_LANES];
    int work; /* in this row: cells queued, and half of those not queued */
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
    for (int i = 0; i < cells; i++) {
        for (int k = 0; k < 8; k++)
            give(t[1 + PHYSICS_ROW(k)], at[i] + offset[k], flow[k][i], heat[k][i]);
        give(t[1], at[i], -out[i], -heat_out[i]);
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

/* If lava may flow from most cells of a vector, all of them are computed at once. */
static void find_flows(const struct reference *m, int at, struct queue *q, const struct target t[3])
{
    for (int v = 0; v < VECTORS; v++, at += SCIARA_LANES) {
        int flows = may_flow(m, at), count = __builtin_popcount((unsigned)flows);
        if (2 * count > SCIARA_LANES) {
            outflows_of_vector(m, at, t);
            count = SCIARA_LANES / 2;
        } else if (flows)
            for (int i = 0; i < SCIARA_LANES; i++) {
                q->at[q->cells] = at + i;
                q->cells += flows >> i & 1;
            }
        q->work += count;
    }
}

static void outflows_of_row(const struct reference *m, int row, struct queue *q,
                            const struct target t[3])
{
    const uint64_t *wet = reference_bits(m, m->wet, row);
    q->work = 0;
    for (int word = 0; word < m->words; word++)
        for (uint64_t rest = wet[word]; rest; rest &= rest - 1) {
            int col = (word * 64 + __builtin_ctzll(rest)) * CHUNK;
            if (q->cells > QUEUE - CHUNK) outflows_of_queue(m, q, t);
            find_flows(m, grid_at(m->g.stride, row, col), q, t);
        }
    m->row_flows[row] = q->work;
}

/* The first and the last row of a band have targets of their own. */
static void outflows_of_band(const struct reference *m, int thread, struct queue *q)
{
    int first = m->band[thread], last = m->band[thread + 1] - 1;
    for (int row = first; row <= last;) {
        int end = row == first || row == last ? row + 1 : last;
        const struct target t[3] = {target_of(m, thread, row - 1), target_of(m, thread, row),
                                    target_of(m, thread, end)};
        for (; row < end; row++)
            if (m->row_chunks[1 + row]) outflows_of_row(m, row, q, t);
        outflows_of_queue(m, q, t);
    }
}

INLINE mask border_of(const uint8_t *flag)
{
    mask border = {0};
    for (int i = 0; i < SCIARA_LANES; i++) border[i] = flag[i] & CELL_BORDER ? -1 : 0;
    return border;
}

static void leave(struct thread_sums *sums, const uint8_t *flag, mask border, real *h, real *T)
{
    real left = physics_boundary(border, h, T);
    for (int i = 0; i < SCIARA_LANES; i++)
        *(flag[i] & CELL_SHORE ? &sums->sea : &sums->left) += (quanta)(left[i] * LATTICE_PER_M);
}

static quanta sum_of(ints n)
{
    quanta sum = 0;
    for (int i = 0; i < SCIARA_LANES; i++) sum += n[i];
    return sum;
}

/* Heat that cells have lost by cooling in a step: in every lane the sum of one number n per vector,
 * modulo 2^64, and the sum of n / 2^32 rounded down. Together they determine the exact sum for
 * fewer than 2^32 vectors: it exceeds 2^32 times the second by less than 2^32 per vector. */
struct cooled {
    ints_unsigned low;
    ints high;
};

INLINE void add_cooled(struct cooled *c, ints n)
{
    c->low += (ints_unsigned)n;
    c->high += n >> 32;
}
INLINE void add_lost(struct cooled *c, ints n) /* n >= 0: fewer operations */
{
    c->low += (ints_unsigned)n;
    c->high += shift_right(n, 32);
}

static void end_cooled(struct thread_sums *sums, const struct cooled *c)
{
    for (int i = 0; i < SCIARA_LANES; i++) {
        quanta high = (quanta)c->high[i] * ((quanta)1 << 32);
        sums->cooled += high + (quanta)(c->low[i] - (uint64_t)high);
    }
}

/* Adds a vector of cells to the heat ledger, with `heat` and h after massBalance. */
INLINE void count_heat(struct thread_sums *sums, struct cooled *c, ints heat, real h, real T,
                       mask solidifies, mask border)
{
    struct heat_kept kept = physics_heat_kept(h, T, solidifies, border);
    add_cooled(c, heat - kept.all);
    if (any_lane(solidifies)) sums->solidified += sum_of(kept.solidified);
    if (any_lane(border)) sums->heat_left += sum_of(kept.left);
}

/* massBalance, solidification, records and boundary of one vector. */
INLINE int settle_moved(struct reference *m, struct thread_sums *sums, struct cooled *c, int at,
                        uint64_t flags, int64_t step)
{
    real z = load(m->z + at), h = load(m->h + at), T = load(m->T + at), s = load(m->s + at);
    ints heat = physics_balance(load(m->gain_m + at), load_ints(m->heat + at), &h, &T);
    store(m->gain_m + at, broadcast(0.0));
    store_ints(m->heat + at, (ints){0});

    real before = h;
    mask border = {0}, lava = h > 0.0;
    if (flags & EVERY_BYTE * CELL_BORDER) border = border_of(m->flag + at);
    mask solidifies = physics_solidify(&m->physics, border, &z, &h, &T, &s);
    count_heat(sums, c, heat, before, T, solidifies, border);

    real max_total = load(m->max_total_m + at), max_temp = load(m->max_temp_K + at);
    mask arrives = physics_record(lava, h + s, T, &max_total, &max_temp);
    store(m->max_total_m + at, max_total);
    store(m->max_temp_K + at, max_temp);
    if (any_lane(arrives))
        for (int i = 0; i < SCIARA_LANES; i++)
            if (arrives[i]) m->arrival[at + i] = (int32_t)step;

    if (any_lane(border)) leave(sums, m->flag + at, border, &h, &T);
    store(m->z + at, z);
    store(m->h + at, h);
    store(m->T + at, T);
    store(m->s + at, s);
    return any_lane(h > 0.0);
}

/* The same for cells with lava but without inflow and outflow, which is most of the lava most of
 * the time: it only cools or solidifies. No record changes, because solidified lava stays in the
 * sum, and half of the memory is not accessed. Returns -1, and does nothing, if rounding has made
 * any cell warmer. */
INLINE int settle_still(struct reference *m, struct thread_sums *sums, struct cooled *c, int at)
{
    real h = load(m->h + at), T_before = load(m->T + at), T = T_before, before = h;
    real solid_m = broadcast(0.0), solid_too = solid_m;
    ints heat = physics_balance(solid_m, (ints){0}, &h, &T);
    mask solidifies = physics_solidify(&m->physics, (mask){0}, &solid_m, &h, &T, &solid_too);
    struct heat_kept kept = physics_heat_kept(before, T, solidifies, (mask){0});
    bool seldom = any_lane((T > T_before) | solidifies);
    if (seldom && any_lane(T > T_before)) return -1;
    add_lost(c, heat - kept.all); /* heat_of() rises with T */
    store(m->T + at, T);
    if (!seldom) return 1;
    sums->solidified += sum_of(kept.solidified);
    store(m->z + at, load(m->z + at) + solid_m);
    store(m->h + at, h);
    store(m->s + at, load(m->s + at) + solid_m);
    return any_lane(h > 0.0);
}

/* The end of a step for one vector; true if it has lava afterwards. The emission of a vent is not
 * in the gain, but has to be recorded. */
INLINE int settle(struct reference *m, struct thread_sums *sums, struct cooled *c, int at,
                  int64_t step)
{
    bool moved = any_bit(bits_of(load(m->gain_m + at)) | load_ints(m->heat + at));
    if (!moved && !any_lane(load(m->h + at) > 0.0)) return 0;
    uint64_t flags = 0;
    memcpy(&flags, m->flag + at, SCIARA_LANES);
    if (!moved && !(flags & EVERY_BYTE * (CELL_BORDER | CELL_VENT))) {
        int wet = settle_still(m, sums, c, at);
        if (wet >= 0) return wet;
    }
    return settle_moved(m, sums, c, at, flags, step);
}

/* Adds the flows of the bands above and below into this row. */
static void collect(struct reference *m, const struct outside *from, int side, int row, int col)
{
    double *gain = from->gain_m[side] + GRID_LEFT + col;
    int64_t *heat = from->heat[side] + GRID_LEFT + col;
    int at = grid_at(m->g.stride, row, col);
    for (int i = 0; i < CHUNK; i++) {
        m->gain_m[at + i] += gain[i];
        m->heat[at + i] += heat[i];
        gain[i] = 0.0;
        heat[i] = 0;
    }
}

/* A row with no lava in it or beside it only needs its next bitmap cleared. */
static int skip_row(struct reference *m, int row)
{
    const int *chunks = m->row_chunks + 1 + row;
    if (chunks[-1] | chunks[0] | chunks[1]) return 0;
    if (m->row_chunks_next[1 + row])
        memset(reference_bits(m, m->wet_next, row), 0, (size_t)m->words * sizeof(uint64_t));
    m->row_chunks_next[1 + row] = 0;
    return 1;
}

static void settle_row(struct reference *m, int thread, int row, int64_t step, struct cooled *sum)
{
    if (skip_row(m, row)) return;
    struct cooled cooled = *sum;
    const uint64_t *above = reference_bits(m, m->wet, row - 1);
    const uint64_t *here = reference_bits(m, m->wet, row);
    const uint64_t *below = reference_bits(m, m->wet, row + 1);
    uint64_t *next = reference_bits(m, m->wet_next, row);
    uint64_t before = 0, now = above[0] | here[0] | below[0];
    int chunks = 0;
    for (int word = 0; word < m->words; word++) {
        uint64_t after =
            word + 1 < m->words ? above[word + 1] | here[word + 1] | below[word + 1] : 0;
        uint64_t candidates = now | now << 1 | now >> 1 | before >> 63 | after << 63, wet = 0;
        for (; candidates; candidates &= candidates - 1) {
            int bit = __builtin_ctzll(candidates), col = (word * 64 + bit) * CHUNK, some_wet = 0;
            if (col >= m->g.stride - GRID_LEFT) break;
            if (row == m->band[thread] && thread > 0)
                collect(m, &m->outside[thread - 1], 1, row, col);
            if (row == m->band[thread + 1] - 1 && thread + 1 < m->threads)
                collect(m, &m->outside[thread + 1], 0, row, col);
            for (int v = 0; v < VECTORS; v++)
                some_wet |= settle(m, &m->sums[thread], &cooled,
                                   grid_at(m->g.stride, row, col) + v * SCIARA_LANES, step);
            wet |= (uint64_t)(some_wet != 0) << bit;
        }
        next[word] = wet;
        chunks += __builtin_popcountll(wet);
        before = now;
        now = after;
    }
    m->row_chunks_next[1 + row] = chunks;
    *sum = cooled;
}

/* Outflows of a band reach only the first and the last row of other bands, and no other thread's
 * flows depend on the rows in between: these need not wait. */
static void one_step(struct reference *m, int thread, int64_t step, struct queue *q)
{
    int first = m->band[thread], last = m->band[thread + 1] - 1;
    struct cooled cooled = {{0}, {0}};
    outflows_of_band(m, thread, q);
    for (int row = first + 1; row < last; row++) settle_row(m, thread, row, step, &cooled);
    if (m->threads > 1) team_barrier(m->team, NULL, NULL);
    settle_row(m, thread, first, step, &cooled);
    if (last > first) settle_row(m, thread, last, step, &cooled);
    end_cooled(&m->sums[thread], &cooled);
}

/* Done by one thread while the others wait for the next step. */
static void end_step(void *context)
{
    struct reference *m = context;
    reference_swap(m);
    m->step++;
    if (m->step % m->problem->reduce_every == 0) reference_reduce(m);
    if (m->step < m->end && !m->stopped) reference_emit(m, m->step + 1);
}

/* The work of one thread in a stretch of steps. Data that change between two stretches are not read
 * after the last barrier. */
static void stretch(void *context, int thread)
{
    struct reference *m = context;
    struct queue q = {0};
    const int64_t end = m->stretch_end;
    bool on = true;
    for (int64_t step = m->step + 1; on; step++) {
        one_step(m, thread, step, &q);
        if (m->threads > 1) team_barrier(m->team, end_step, m);
        else end_step(m);
        on = step < end && !m->stopped;
    }
}

void LOOP(struct reference *m, int64_t steps)
{
    m->end = m->step + steps;
    while (m->step < m->end && !m->stopped) {
        int length;
        m->threads = team_gather(m->team, &length);
        m->stretch_end = m->end - m->step < length ? m->end : m->step + length;
        const double cost = reference_divide(m);
        const int64_t first = m->step;
        team_run(m->team, stretch, m);
        team_learn(m->team, m->step - first, cost * (double)(m->step - first));
    }
}
