/* loop.c — the steps of the CPU variant. Compiled once per instruction set: LOOP is the name of the
 * function, SCIARA_LANES the number of cells computed at once. */
#include "loop_settle.h"

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

/* Chunks of still lava, and those with the vectors that wait, have lava in the next step; for the
 * others mark() says so. */
static void settle_row(struct reference *m, int thread, int row, struct settling *s)
{
    if (skip_row(m, row)) return;
    uint64_t *touched_next = reference_bits(m, m->touched_next, row);
    memset(touched_next, 0, (size_t)m->words * sizeof *touched_next);
    m->row_chunks_next[1 + row] = 0;
    for (int word = 0; word < m->words; word++) {
        const uint64_t here = reference_bits(m, m->wet, row)[word];
        const uint64_t marked = reference_bits(m, m->marked, row)[word];
        const uint64_t moved = three_rows(m, m->flows, row, word) | (here & marked);
        uint64_t wet = here & ~moved;
        const int first = grid_at(m->g.stride, row, word * 64 * CHUNK);
        for (uint64_t rest = wet; rest; rest &= rest - 1)
            for (int v = 0; v < VECTORS; v++)
                wait_at(&s->still, first + __builtin_ctzll(rest) * CHUNK + v * SCIARA_LANES);
        for (uint64_t rest = moved; rest; rest &= rest - 1) {
            const int bit = __builtin_ctzll(rest), col = (word * 64 + bit) * CHUNK;
            if (col >= m->g.stride - GRID_LEFT) break;
            if (row == m->band[thread] && thread > 0)
                collect(m, &m->outside[thread - 1], 1, row, col);
            if (row == m->band[thread + 1] - 1 && thread + 1 < m->threads)
                collect(m, &m->outside[thread + 1], 0, row, col);
            if (settle_chunk(m, s, first + bit * CHUNK, marked >> bit & 1)) wet |= rest & -rest;
        }
        reference_bits(m, m->wet_next, row)[word] = wet;
        m->row_chunks_next[1 + row] += __builtin_popcountll(wet);
        if (s->still.count >= ENOUGH) settle_still(m, s);
        if (s->moved.count >= ENOUGH) settle_moved(m, s);
    }
}

/* Outflows of a band reach only the first and the last row of other bands, and no other thread's
 * flows depend on the rows in between: these need not wait. */
static void one_step(struct reference *m, int thread, int64_t step, struct queue *q)
{
    int first = m->band[thread], last = m->band[thread + 1] - 1;
    struct settling s;
    s.sums = &m->sums[thread];
    s.step = step;
    s.cooled = (ints_unsigned){0};
    s.moved.count = s.still.count = 0;
    outflows_of_band(m, thread, q);
    for (int row = first + 1; row < last; row++) settle_row(m, thread, row, &s);
    if (m->threads > 1) team_barrier(m->team, NULL, NULL);
    settle_row(m, thread, first, &s);
    if (last > first) settle_row(m, thread, last, &s);
    settle_still(m, &s);
    settle_moved(m, &s);
    for (int i = 0; i < SCIARA_LANES; i++) s.sums->cooled += (uint64_t)s.cooled[i];
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
