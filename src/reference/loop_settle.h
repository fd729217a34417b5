/* loop_settle.h — the end of a step of the CPU variant, as a part of loop.c: massBalance,
 * solidification, records and boundary.
 *
 * Most of the lava only cools. From its heat to its temperature after cooling leads a chain of
 * dependent operations, which takes a processor longer than all operations of a vector. It works on
 * later instructions meanwhile, but not on more than some 250 to 500. So vectors are collected, and
 * pass through short stages, such that many are under way at a time. */
#pragma once

#include "loop_flows.h"

#define EVERY_BYTE 0x0101010101010101ULL

enum { ENOUGH = 64, WAITING = ENOUGH + 64 * VECTORS /* those of a word of chunks in addition */ };

/* Vectors that wait for the end of the step. */
struct waiting {
    int count, at[WAITING];
};

/* What a thread settles in a step: vectors that lava may have come to or left or that have a vent or
 * a border, and those with lava that only cools. */
struct settling {
    struct thread_sums *sums;
    int64_t step;
    ints_unsigned cooled; /* what each lane has lost by cooling, modulo 2^64 */
    struct waiting moved, still;
};

INLINE void wait_at(struct waiting *q, int at)
{
    q->at[q->count++] = at;
}

/* ---- lava that has moved ----------------------------------------------------------------------- */

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

/* Adds a vector of cells to the heat ledger, with `heat` and h after massBalance. */
INLINE void count_heat(struct settling *s, ints heat, real h, real T, mask solidifies, mask border)
{
    struct heat_kept kept = physics_heat_kept(h, T, solidifies, border);
    s->cooled += (ints_unsigned)(heat - kept.all);
    if (any_lane(solidifies)) s->sums->solidified += sum_of(kept.solidified);
    if (any_lane(border)) s->sums->heat_left += sum_of(kept.left);
}

INLINE void record(struct reference *m, int at, mask lava, real total_m, real T, int64_t step)
{
    real max_total = load(m->max_total_m + at), max_temp = load(m->max_temp_K + at);
    mask arrives = physics_record(lava, total_m, T, &max_total, &max_temp);
    store(m->max_total_m + at, max_total);
    store(m->max_temp_K + at, max_temp);
    if (any_lane(arrives))
        for (int i = 0; i < SCIARA_LANES; i++)
            if (arrives[i]) m->arrival[at + i] = (int32_t)step;
}

/* What a vector has for the next step: lava, and cells with another z or h than before, or a higher T,
 * a bit each. */
struct marks {
    bool wet;
    uint8_t changed;
};

/* A vector without lava may have had the last of its chunk. */
static void mark(struct reference *m, int at, struct marks now)
{
    const int row = row_of(m, at), chunk = chunk_of(m, at, row);
    uint64_t *word = reference_bits(m, m->wet_next, row) + chunk / 64, bit = 1ULL << chunk % 64;
    const double *h = m->h + at / CHUNK * CHUNK; /* rows begin with a chunk */
    bool wet = now.wet;
    for (int i = 0; i < CHUNK && !wet; i++) wet = h[i] > 0.0;
    m->row_chunks_next[1 + row] += wet - ((*word & bit) != 0);
    *word = wet ? *word | bit : *word & ~bit;
    reference_touch(m, m->touched_next, row, chunk, now.changed << at % CHUNK);
}

/* A vector after massBalance, and where lava came or left. */
struct balanced {
    real h, T, temp; /* temp: of lava that cools: first what physics_cooling() says, then K */
    ints heat;
    mask moved;
};

INLINE void balance(struct reference *m, struct balanced *b, int at)
{
    const real gain = load(m->gain_m + at);
    real h = load(m->h + at), T = load(m->T + at);
    b->heat = physics_balance(gain, load_ints(m->heat + at), &h, &T);
    b->h = h;
    b->T = T;
    b->temp = physics_cooling(&m->physics, h, T);
    b->moved = (gain < 0.0) | (gain > 0.0);
    store(m->gain_m + at, broadcast(0.0));
    store_ints(m->heat + at, (ints){0});
}

/* Returns what to mark(). */
INLINE struct marks settle_vector(struct reference *m, struct settling *s, const struct balanced *b,
                                  int at)
{
    const real T_before = load(m->T + at);
    real z = load(m->z + at), h = b->h, T = b->T, solid = load(m->s + at);
    mask border = {0}, lava = h > 0.0;
    uint64_t flags = 0;
    memcpy(&flags, m->flag + at, SCIARA_LANES);
    if (flags & EVERY_BYTE * CELL_BORDER) border = border_of(m->flag + at);
    mask solidifies = physics_solidify_at(&m->physics, border, b->temp, &z, &h, &T, &solid);
    count_heat(s, b->heat, b->h, T, solidifies, border);
    record(m, at, lava, h + solid, T, s->step);
    if (any_lane(border)) leave(s->sums, m->flag + at, border, &h, &T);
    store(m->h + at, h);
    store(m->T + at, T);
    if (any_lane(solidifies)) {
        store(m->z + at, z);
        store(m->s + at, solid);
    }
    const mask changed = b->moved | solidifies | border | (T > T_before);
    return (struct marks){any_lane(h > 0.0) != 0, (uint8_t)bits_where(changed)};
}

static void settle_moved(struct reference *m, struct settling *s)
{
    const struct waiting *q = &s->moved;
    struct balanced b[WAITING];
    struct marks marks[WAITING];
    for (int i = 0; i < q->count; i++) balance(m, &b[i], q->at[i]);
    for (int i = 0; i < q->count; i++) b[i].temp = physics_cooled(b[i].T, b[i].temp);
    for (int i = 0; i < q->count; i++) marks[i] = settle_vector(m, s, &b[i], q->at[i]);
    for (int i = 0; i < q->count; i++) mark(m, q->at[i], marks[i]);
    s->moved.count = 0;
}

/* ---- lava that only cools ----------------------------------------------------------------------- */

/* The nearest integer, ties to even; |x| < 2^63 - 2^31. */
INLINE real nearest_integer(real x)
{
#if defined(VECTORS_AVX512)
    return (real)_mm512_roundscale_pd((__m512d)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif SCIARA_LANES == 4 && defined(__AVX__)
    return (real)_mm256_round_pd((__m256d)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    return real_of_count(count_of(x));
#endif
}

/* heat_of() as a double, which has it exactly: a double is rounded to an integer only below 2^52. */
INLINE real heat_in_double(real h, real T)
{
    return nearest_integer(h * (T * HEAT_PER_KM));
}

/* temp_of(), of such a heat. */
INLINE real temp_of_double(real heat, real thickness_m)
{
    real heat_mK = heat * (1.0 / HEAT_PER_KM), inverse = 1.0 / thickness_m;
    real quotient = heat_mK * inverse;
    return fused(fused(-quotient, thickness_m, heat_mK), inverse, quotient);
}

/* The operations of temp_of() and physics_solidify() in three stages, to the same bits. No record
 * changes, because solidified lava stays in the sum, and only h and T are accessed. Vectors in which
 * lava solidifies, is warmer by rounding, or has lost more heat than small_count() takes are settled
 * with those that have moved. The difference of two integers in doubles is exact if it is below
 * 2^51: either both are below 2^53, or they differ by less than a factor of 2. */
static void settle_still(struct reference *m, struct settling *s)
{
    const struct waiting *q = &s->still;
    real heat[WAITING], temp[WAITING], sum[WAITING];
    for (int i = 0; i < q->count; i++) {
        real h = load(m->h + q->at[i]), T;
        heat[i] = heat_in_double(h, load(m->T + q->at[i]));
        T = temp[i] = temp_of_double(heat[i], h);
        sum[i] = physics_cooling(&m->physics, h, T);
    }
    for (int i = 0; i < q->count; i++) temp[i] = physics_cooled(temp[i], sum[i]);
    for (int i = 0; i < q->count; i++) {
        real h = load(m->h + q->at[i]), before = load(m->T + q->at[i]);
        mask lava = h > 0.0;
        real T = select(lava, temp[i], before), lost = heat[i] - heat_in_double(h, T);
        if (!any_lane((T > before) | (lava & (T <= m->physics.temp_sol_K)) | (lost >= 0x1p51))) {
            s->cooled += (ints_unsigned)small_count(lost);
            store(m->T + q->at[i], T);
            continue;
        }
        if (s->moved.count == WAITING) settle_moved(m, s);
        wait_at(&s->moved, q->at[i]);
    }
    s->still.count = 0;
}

/* ---- chunks ------------------------------------------------------------------------------------- */

/* A chunk that lava may have moved in, or that is marked: it has a vent, whose emission is not in the
 * gain but has to be recorded, or a border. True if lava is still in it. */
INLINE bool settle_chunk(struct reference *m, struct settling *s, int at, bool marked)
{
    bool still = false;
    for (int v = 0; v < VECTORS; v++, at += SCIARA_LANES) {
        const bool lava = any_lane(load(m->h + at) > 0.0);
        uint64_t flags = 0;
        if (marked) memcpy(&flags, m->flag + at, SCIARA_LANES);
        const bool moved = any_bit(bits_of(load(m->gain_m + at)) | load_ints(m->heat + at)) ||
                           (lava && flags & EVERY_BYTE * (CELL_BORDER | CELL_VENT));
        if (moved) wait_at(&s->moved, at);
        else if (lava) {
            wait_at(&s->still, at);
            still = true;
        }
    }
    return still;
}
