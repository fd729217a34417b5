/* loop.c — the steps of the CPU variant. Compiled once per instruction set: LOOP is the name of the
 * function, SCIARA_LANES the number of cells computed at once. */
#include "reference.h"

#include <omp.h>

#define VECTORS (CHUNK / SCIARA_LANES)

HD real load(const double *p)
{
    real x;
    memcpy(&x, p, sizeof x);
    return x;
}
HD void store(double *p, real x)
{
    memcpy(p, &x, sizeof x);
}
HD ints load_ints(const int64_t *p)
{
    ints x;
    memcpy(&x, p, sizeof x);
    return x;
}
HD void store_ints(int64_t *p, ints x)
{
    memcpy(p, &x, sizeof x);
}

/* Outflows of one run of cells, with a margin of zeros, before they are spread to their targets. */
struct scratch {
    _Alignas(64) double flow[8][RUN * CHUNK + 2 * SCRATCH_PAD];
    _Alignas(64) int64_t heat[8][RUN * CHUNK + 2 * SCRATCH_PAD];
};

/* A thread's view of where a row's neighbours collect what flows to them. */
struct target {
    double *gain_m;
    int64_t *heat;
};

static struct target target_of(const struct reference *m, int thread, int row)
{
    int side = row < m->band[thread] ? 0 : row >= m->band[thread + 1] ? 1 : -1;
    size_t start = (size_t)grid_at(m->g.stride, row, 0);
    if (side < 0) return (struct target){m->gain_m + start, m->heat + start};
    return (struct target){m->outside[thread].gain_m[side] + GRID_LEFT,
                           m->outside[thread].heat[side] + GRID_LEFT};
}

/* computeOutflows of one vector of cells into the scratch; holds if anything flows. */
HD int outflows(const struct reference *m, int at, struct scratch *w, int slot)
{
    real flow[8], h = load(m->h + at);
    int flows = 0;
    if (some(h > 0.0)) {
        real zk[8], hk[8];
        for (int k = 0; k < 8; k++) {
            int to = at + PHYSICS_ROW(k) * m->g.stride + PHYSICS_COL(k);
            zk[k] = load(m->z + to);
            hk[k] = load(m->h + to);
        }
        real T = load(m->T + at);
        flows = some(physics_outflows(&m->physics, load(m->z + at), h, T, zk, hk, flow));
        if (flows)
            for (int k = 0; k < 8; k++) {
                store(w->flow[k] + slot, flow[k]);
                store_ints(w->heat[k] + slot, heat_of(flow[k], T));
            }
    }
    if (!flows)
        for (int k = 0; k < 8; k++) {
            store(w->flow[k] + slot, all_of(0.0));
            store_ints(w->heat[k] + slot, (ints){0});
        }
    return flows;
}

HD void add(struct target t, int col, real gain_m, ints heat)
{
    store(t.gain_m + col, load(t.gain_m + col) + gain_m);
    store_ints(t.heat + col, load_ints(t.heat + col) + heat);
}

/* Adds a run's outflows to their targets, row by row, so that no vector is read just after a part
 * of it was written. A target at column c gets what the cell at c + 1 sent west and the cell at c -
 * 1 east. */
static void spread(const struct target t[3], const struct scratch *w, int col, int cells)
{
#define FLOW(k, shift) load(w->flow[k] + i + (shift))
#define HEAT(k, shift) load_ints(w->heat[k] + i + (shift))
    for (int i = SCRATCH_PAD - SCIARA_LANES; i < SCRATCH_PAD + cells + SCIARA_LANES;
         i += SCIARA_LANES) {
        int c = col + i - SCRATCH_PAD;
        add(t[0], c, FLOW(0, 0) + FLOW(4, 1) + FLOW(7, -1), HEAT(0, 0) + HEAT(4, 1) + HEAT(7, -1));
        add(t[2], c, FLOW(3, 0) + FLOW(5, 1) + FLOW(6, -1), HEAT(3, 0) + HEAT(5, 1) + HEAT(6, -1));
        real out = all_of(0.0);
        ints heat_out = {0};
        for (int k = 0; k < 8; k++) {
            out = out + FLOW(k, 0);
            heat_out = heat_out + HEAT(k, 0);
        }
        add(t[1], c, FLOW(1, 1) + FLOW(2, -1) - out, HEAT(1, 1) + HEAT(2, -1) - heat_out);
    }
#undef FLOW
#undef HEAT
}

/* The first run of set bits at or after `from`: [*first, *end), at most RUN long. 0 if there is
 * none. */
static int next_run(const uint64_t *bits, int words, int from, int *first, int *end)
{
    int word = from / 64;
    if (word >= words) return 0;
    uint64_t rest = bits[word] & (~0ULL << (from % 64));
    while (!rest) {
        if (++word == words) return 0;
        rest = bits[word];
    }
    int c = word * 64 + __builtin_ctzll(rest);
    *first = c;
    while (c < *first + RUN && c < words * 64 && (bits[c / 64] >> (c % 64) & 1)) c++;
    *end = c;
    return 1;
}

static void outflows_of_row(const struct reference *m, int thread, int row, struct scratch *w)
{
    const struct target t[3] = {target_of(m, thread, row - 1), target_of(m, thread, row),
                                target_of(m, thread, row + 1)};
    const uint64_t *bits = reference_bits(m, m->wet, row);
    for (int first, end = 0; next_run(bits, m->words, end, &first, &end);) {
        int cells = (end - first) * CHUNK, at = grid_at(m->g.stride, row, first * CHUNK), flows = 0;
        for (int i = 0; i < cells; i += SCIARA_LANES)
            flows |= outflows(m, at + i, w, SCRATCH_PAD + i);
        if (!flows) continue;
        for (int k = 0; k < 8; k++) { /* zeros behind the run; those before it stay */
            memset(w->flow[k] + SCRATCH_PAD + cells, 0, SCRATCH_PAD * sizeof(double));
            memset(w->heat[k] + SCRATCH_PAD + cells, 0, SCRATCH_PAD * sizeof(int64_t));
        }
        spread(t, w, first * CHUNK, cells);
    }
}

HD mask border_of(const uint8_t *flag)
{
    mask border = {0};
    for (int i = 0; i < SCIARA_LANES; i++) border[i] = flag[i] & CELL_BORDER ? -1 : 0;
    return border;
}

static void leave(struct reference *m, int thread, mask border, real *h, real *T)
{
    real left = physics_boundary(border, h, T);
    for (int i = 0; i < SCIARA_LANES; i++) m->left[thread] += (quanta)(left[i] * LATTICE_PER_M);
}

/* massBalance, solidification, records and boundary of one vector; holds if lava is there
 * afterwards. */
HD int settle(struct reference *m, int thread, int at, int64_t step)
{
    real h = load(m->h + at), gain = load(m->gain_m + at);
    if (!some((h > 0.0) | (gain != 0.0))) return 0;
    real z = load(m->z + at), T = load(m->T + at), s = load(m->s + at);
    physics_balance(gain, load_ints(m->heat + at), &h, &T);
    store(m->gain_m + at, all_of(0.0));
    store_ints(m->heat + at, (ints){0});

    uint64_t flags = 0;
    memcpy(&flags, m->flag + at, SCIARA_LANES);
    mask border = {0}, lava = h > 0.0;
    if (flags & 0x0101010101010101ULL * CELL_BORDER) border = border_of(m->flag + at);
    physics_solidify(&m->physics, border, &z, &h, &T, &s);

    real max_total = load(m->max_total_m + at), max_temp = load(m->max_temp_K + at);
    mask arrives = physics_record(lava, h + s, T, &max_total, &max_temp);
    store(m->max_total_m + at, max_total);
    store(m->max_temp_K + at, max_temp);
    if (some(arrives))
        for (int i = 0; i < SCIARA_LANES; i++)
            if (arrives[i]) m->arrival[at + i] = (int32_t)step;

    if (some(border)) leave(m, thread, border, &h, &T);
    store(m->z + at, z);
    store(m->h + at, h);
    store(m->T + at, T);
    store(m->s + at, s);
    return some(h > 0.0);
}

/* Adds what the bands above and below sent into this row. */
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

static void settle_row(struct reference *m, int thread, int row, int64_t step)
{
    if (skip_row(m, row)) return;
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
                some_wet |=
                    settle(m, thread, grid_at(m->g.stride, row, col) + v * SCIARA_LANES, step);
            wet |= (uint64_t)(some_wet != 0) << bit;
        }
        next[word] = wet;
        chunks += __builtin_popcountll(wet);
        before = now;
        now = after;
    }
    m->row_chunks_next[1 + row] = chunks;
}

static void one_step(struct reference *m, int thread, int64_t step, struct scratch *w)
{
    for (int row = m->band[thread]; row < m->band[thread + 1]; row++)
        if (m->row_chunks[1 + row]) outflows_of_row(m, thread, row, w);
    barrier_wait(&m->barrier, m->threads, NULL, NULL);
    for (int row = m->band[thread]; row < m->band[thread + 1]; row++)
        settle_row(m, thread, row, step);
}

/* What one thread does while the others wait for the next step. */
static void end_step(void *context)
{
    struct reference *m = context;
    reference_swap(m);
    m->step++;
    if (m->step % m->problem->reduce_every == 0) reference_reduce(m);
    if (m->step % 32 == 0) reference_divide(m);
    if (m->step < m->end && !m->stopped) reference_emit(m, m->step + 1);
}

void LOOP(struct reference *m, int64_t steps)
{
    m->end = m->step + steps;
#pragma omp parallel num_threads(m->threads)
    {
        struct scratch w;
        memset(&w, 0, sizeof w);
        while (m->step < m->end && !m->stopped) {
            one_step(m, omp_get_thread_num(), m->step + 1, &w);
            barrier_wait(&m->barrier, m->threads, end_step, m);
        }
    }
}
