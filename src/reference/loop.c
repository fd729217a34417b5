/* loop.c — the steps of the CPU variant. Compiled once per instruction set: LOOP is the name of the
 * function, SCIARA_LANES the number of cells computed at once. */
#include "loop_flows.h"

#define EVERY_BYTE 0x0101010101010101ULL

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

/* Adds a vector of cells to the heat ledger, with `heat` and h after massBalance. *cooled: what each
 * lane has lost by cooling, modulo 2^64. */
INLINE void count_heat(struct thread_sums *sums, ints_unsigned *cooled, ints heat, real h, real T,
                       mask solidifies, mask border)
{
    struct heat_kept kept = physics_heat_kept(h, T, solidifies, border);
    *cooled += (ints_unsigned)(heat - kept.all);
    if (any_lane(solidifies)) sums->solidified += sum_of(kept.solidified);
    if (any_lane(border)) sums->heat_left += sum_of(kept.left);
}

/* What a vector has after a step: lava; another z or h than before, or a higher T. */
enum { WET = 1, TOUCHED = 2 };

/* massBalance, solidification, records and boundary of one vector. */
INLINE int settle_moved(struct reference *m, struct thread_sums *sums, ints_unsigned *cooled,
                        int at, uint64_t flags, int64_t step)
{
    real z = load(m->z + at), h = load(m->h + at), T = load(m->T + at), s = load(m->s + at);
    ints heat = physics_balance(load(m->gain_m + at), load_ints(m->heat + at), &h, &T);
    store(m->gain_m + at, broadcast(0.0));
    store_ints(m->heat + at, (ints){0});

    real before = h;
    mask border = {0}, lava = h > 0.0;
    if (flags & EVERY_BYTE * CELL_BORDER) border = border_of(m->flag + at);
    mask solidifies = physics_solidify(&m->physics, border, &z, &h, &T, &s);
    count_heat(sums, cooled, heat, before, T, solidifies, border);

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
    return TOUCHED | (any_lane(h > 0.0) ? WET : 0);
}

/* The same for cells with lava but without inflow and outflow, which is most of the lava most of
 * the time: it only cools or solidifies. No record changes, because solidified lava stays in the
 * sum, and half of the memory is not accessed. Returns -1, and does nothing, if rounding has made
 * any cell warmer. */
INLINE int settle_still(struct reference *m, struct thread_sums *sums, ints_unsigned *cooled,
                        int at)
{
    real h = load(m->h + at), T_before = load(m->T + at), T = T_before, before = h;
    real solid_m = broadcast(0.0), solid_too = solid_m;
    ints heat = physics_balance(solid_m, (ints){0}, &h, &T);
    mask solidifies = physics_solidify(&m->physics, (mask){0}, &solid_m, &h, &T, &solid_too);
    struct heat_kept kept = physics_heat_kept(before, T, solidifies, (mask){0});
    bool seldom = any_lane((T > T_before) | solidifies);
    if (seldom && any_lane(T > T_before)) return -1;
    *cooled += (ints_unsigned)(heat - kept.all);
    store(m->T + at, T);
    if (!seldom) return WET;
    sums->solidified += sum_of(kept.solidified);
    store(m->z + at, load(m->z + at) + solid_m);
    store(m->h + at, h);
    store(m->s + at, load(m->s + at) + solid_m);
    return TOUCHED | (any_lane(h > 0.0) ? WET : 0);
}

/* The end of a step for one vector: WET, TOUCHED. The emission of a vent is not
 * in the gain, but has to be recorded. */
INLINE int settle(struct reference *m, struct thread_sums *sums, ints_unsigned *cooled, int at,
                  int64_t step)
{
    bool moved = any_bit(bits_of(load(m->gain_m + at)) | load_ints(m->heat + at));
    if (!moved && !any_lane(load(m->h + at) > 0.0)) return 0;
    uint64_t flags = 0;
    memcpy(&flags, m->flag + at, SCIARA_LANES);
    if (!moved && !(flags & EVERY_BYTE * (CELL_BORDER | CELL_VENT))) {
        int left = settle_still(m, sums, cooled, at);
        if (left >= 0) return left;
    }
    return settle_moved(m, sums, cooled, at, flags, step);
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

/* A row without lava in it or next to it only needs its next bitmap cleared. */
static int skip_row(struct reference *m, int row)
{
    const int *chunks = m->row_chunks + 1 + row;
    if (chunks[-1] | chunks[0] | chunks[1]) return 0;
    if (m->row_chunks_next[1 + row])
        memset(reference_bits(m, m->wet_next, row), 0, (size_t)m->words * sizeof(uint64_t));
    m->row_chunks_next[1 + row] = 0;
    return 1;
}

static void settle_row(struct reference *m, int thread, int row, int64_t step, ints_unsigned *sum)
{
    if (skip_row(m, row)) return;
    ints_unsigned cooled = *sum;
    const uint64_t *above = reference_bits(m, m->wet, row - 1);
    const uint64_t *here = reference_bits(m, m->wet, row);
    const uint64_t *below = reference_bits(m, m->wet, row + 1);
    uint64_t *next = reference_bits(m, m->wet_next, row),
             *touched_next = reference_bits(m, m->touched_next, row);
    uint64_t before = 0, now = above[0] | here[0] | below[0];
    int chunks = 0;
    for (int word = 0; word < m->words; word++) {
        uint64_t after =
            word + 1 < m->words ? above[word + 1] | here[word + 1] | below[word + 1] : 0;
        uint64_t candidates = now | now << 1 | now >> 1 | before >> 63 | after << 63, wet = 0,
                 touched = 0;
        for (; candidates; candidates &= candidates - 1) {
            int bit = __builtin_ctzll(candidates), col = (word * 64 + bit) * CHUNK, left = 0;
            if (col >= m->g.stride - GRID_LEFT) break;
            if (row == m->band[thread] && thread > 0)
                collect(m, &m->outside[thread - 1], 1, row, col);
            if (row == m->band[thread + 1] - 1 && thread + 1 < m->threads)
                collect(m, &m->outside[thread + 1], 0, row, col);
            for (int v = 0; v < VECTORS; v++)
                left |= settle(m, &m->sums[thread], &cooled,
                               grid_at(m->g.stride, row, col) + v * SCIARA_LANES, step);
            wet |= (uint64_t)((left & WET) != 0) << bit;
            touched |= (uint64_t)((left & TOUCHED) != 0) << bit;
        }
        next[word] = wet;
        touched_next[word] = touched;
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
    ints_unsigned cooled = {0};
    outflows_of_band(m, thread, q);
    for (int row = first + 1; row < last; row++) settle_row(m, thread, row, step, &cooled);
    if (m->threads > 1) team_barrier(m->team, NULL, NULL);
    settle_row(m, thread, first, step, &cooled);
    if (last > first) settle_row(m, thread, last, step, &cooled);
    for (int i = 0; i < SCIARA_LANES; i++) m->sums[thread].cooled += (uint64_t)cooled[i];
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
