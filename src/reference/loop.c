/* loop.c — the steps of the CPU variant. This file is compiled once per instruction set: LOOP is
 * the name of the function, SCIARA_LANES the number of cells computed at once. LOOP(), at the end,
 * makes the threads call one_step() for every step. one_step() calls common/model/physics.h for
 * every cell with lava. */
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
/* An integer is as wide as a double, and load() and store() only copy bits. So they also copy integers. */
INLINE ints load_ints(const int64_t *p)
{
    return bits_of(load((const double *)p));
}
INLINE void store_ints(int64_t *p, ints x)
{
    store((double *)p, real_of(x));
}

/* row_of(): the row of an element of a padded array. chunk_of(): the number of its chunk in the
 * row. */
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

/* The arrays that collect the inflows of a row. Cell `at` of the grid has element at - origin. */
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

/* Gives lava and heat to three cells of a row: `at` and its neighbours in the west and east. */
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

/* Adds `at` to a list if the vector at `at` has lava. Returns the new number of elements. A branch would often be
 * mispredicted: in chunks with lava, a fifth of the vectors have no lava. */
INLINE int list_lava(const struct reference *m, int list[], int count, int at)
{
    list[count] = at;
    return count + (any_lane(load(m->h + at) > 0.0) != 0);
}

/* Cells from which lava may flow. On Etna 2006 these are one in nine of the cells with lava, and rarely neighbours. So
 * they are collected, and outflows are computed for full vectors. */
struct queue {
    int cells, at[QUEUE + SCIARA_LANES];
};

INLINE real gather(const double *p, const int *at)
{
    real x = {0};
    for (int i = 0; i < SCIARA_LANES; i++) x[i] = p[at[i]];
    return x;
}

/* computeOutflows for the first `cells` cells of a vector of queued cells. t: targets of the rows above the cells, of
 * their own rows, and of the rows below. */
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
    for (int i = 0; i < SCIARA_LANES; i++) q->at[q->cells + i] = q->at[0]; /* not used */
    for (int i = 0; i < q->cells; i += SCIARA_LANES) {
        int rest = q->cells - i;
        outflows(m, q->at + i, rest < SCIARA_LANES ? rest : SCIARA_LANES, t);
    }
    q->cells = 0;
}

/* Makes a vector of lanes of x and y. The constant numbers after x and y choose the lanes. GCC before version 12 lacks
 * the function of clang. LANES_OF(x, zeros, FROM_EAST) moves x by one lane to the west, LANES_OF(zeros, x, FROM_WEST)
 * to the east. */
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

/* Adds the flows of a vector of cells to a row. Each cell gives gain[0] to its west, gain[1] to the
 * cell in its column, gain[2] to its east. */
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

/* computeOutflows for a vector of adjacent cells of a row. */
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

/* Sets bit i if lava may flow from cell i of a vector. */
INLINE int may_flow(const struct reference *m, int at)
{
    real zk[8], hk[8], h = load(m->h + at);
    load_neighbours(m, at, zk, hk);
    return bits_where(physics_may_flow(&m->physics, load(m->z + at), h, load(m->T + at), zk, hk));
}

/* Returns a word of a bitmap, joined by OR with the same word of the rows above and below. map: reference_touch() sets
 * its bits. */
INLINE uint64_t three_rows(const struct reference *m, uint64_t *map, int row, int word)
{
    const uint64_t *here = reference_bits(m, map, row) + word;
    return here[-m->words] | here[0] | here[m->words];
}

/* Returns a bit for each chunk of a word for which may_flow() has to be called. A chunk without lava has no bit. With
 * critical_b <= 0 a chunk has no bit either if neither m->flows of the last step nor three_rows() of m->touched marks
 * it. Then z and h of the chunk and of the cells around it are unchanged, and T has not risen. The critical thickness of
 * physics_may_flow() does not fall as T falls, in any rounding. So lava still cannot flow. Also clears the word of
 * m->flows, which find_flows() sets anew. */
INLINE uint64_t to_look_at(const struct reference *m, int row, int word)
{
    uint64_t *flows = reference_bits(m, m->flows, row) + word, chunks = ~UINT64_C(0);
    if (m->physics.critical_b <= 0) chunks = three_rows(m, m->touched, row, word) | *flows;
    *flows = 0;
    return reference_bits(m, m->wet, row)[word] & chunks;
}

/* The vectors for which may_flow() has to be called. may_flow() is a long chain of operations, and the code branches on
 * its result. So it is called for all vectors before the first branch. A mispredicted branch then does not wait for the
 * chain. */
enum { LOOKS = 64 };
struct looks {
    int count, at[LOOKS + 64 * VECTORS];
};

/* Finds the flows of the vectors in *l. If lava may flow from most cells of a vector, their outflows are computed at
 * once. Otherwise the cells are queued. */
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

/* Finds the flows of a row, or leaves its vectors in *l for find_flows(). find_flows() may also mark a chunk in the next
 * word of m->flows. So to_look_at() reads and clears the next word before find_flows() is called. */
static void outflows_of_row(const struct reference *m, int row, struct looks *l, struct queue *q,
                            const struct target t[3])
{
    uint64_t rest = to_look_at(m, row, 0);
    m->row_flows[row] = 0;
    for (int word = 0; word < m->words; word++) {
        const int first = grid_at(m->g.stride, row, word * 64 * CHUNK);
        for (; rest; rest &= rest - 1)
            for (int v = 0; v < VECTORS; v++)
                l->count = list_lava(m, l->at, l->count,
                                     first + __builtin_ctzll(rest) * CHUNK + v * SCIARA_LANES);
        rest = word + 1 < m->words ? to_look_at(m, row, word + 1) : 0;
        if (l->count >= LOOKS) find_flows(m, l, q, t);
    }
}

/* Clears m->flows and m->row_flows of a row without lava. */
static void no_outflows_of_row(const struct reference *m, int row)
{
    if (m->row_flows[row])
        memset(reference_bits(m, m->flows, row), 0, (size_t)m->words * sizeof *m->flows);
    m->row_flows[row] = 0;
}

/* Computes the outflows of a band. The first and the last row of the band have different targets, because their flows
 * may leave the band. */
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

#define EVERY_BYTE 0x0101010101010101ULL

enum { ENOUGH = 64, WAITING = ENOUGH + 64 * VECTORS /* one more word of chunks */ };

/* Vectors that are settled together: when there are ENOUGH, or at the end of the step. */
struct waiting {
    int count, at[WAITING];
};

/* Data of a thread for the processes after computeOutflows. moved: vectors that lava may have entered or left, and
 * vectors that have lava and also a vent or a border. still: vectors with lava that only cools. */
struct settling {
    struct thread_sums *sums;
    int64_t step;
    ints_unsigned cooled; /* heat that each lane has lost by cooling, modulo 2^64 */
    struct waiting moved, still;
};

INLINE void wait_at(struct waiting *q, int at)
{
    q->at[q->count++] = at;
}

/* ---- lava that has moved --------------------------------------------------------------------- */

INLINE mask border_of(const uint8_t *flag)
{
    mask border = {0};
    for (int i = 0; i < SCIARA_LANES; i++) border[i] = flag[i] & CELL_BORDER ? -1 : 0;
    return border;
}

static void leave_domain(struct thread_sums *sums, const uint8_t *flag, mask border, real *h,
                         real *T)
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

/* Adds a vector of cells to the heat ledger. `heat` and h are the values after massBalance, T is
 * the temperature after solidification. */
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

/* Marks of a vector for the next step. wet: it has lava. changed: a bit for each cell with a changed z or h or a higher
 * T. */
struct marks {
    bool wet;
    uint8_t changed;
};

/* Marks the chunk of a vector. If the vector has no lava, the other vectors of its chunk are
 * tested. */
static void mark_chunk(struct reference *m, int at, struct marks now)
{
    const int row = row_of(m, at), chunk = chunk_of(m, at, row);
    uint64_t *word = reference_bits(m, m->wet_next, row) + chunk / 64, bit = 1ULL << chunk % 64;
    const double *h = m->h + at / CHUNK * CHUNK; /* a row begins with a whole chunk */
    bool wet = now.wet;
    for (int i = 0; i < CHUNK && !wet; i++) wet = h[i] > 0.0;
    m->row_chunks_next[1 + row] += wet - ((*word & bit) != 0);
    *word = wet ? *word | bit : *word & ~bit;
    reference_touch(m, m->touched_next, row, chunk, now.changed << at % CHUNK);
}

/* A vector after massBalance. moved: the cells that lava entered or left. */
struct balanced {
    real h, T, temp; /* temp: first the result of physics_cooling(), then the temperature after
                        cooling, in K */
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

/* solidification, records and boundaryConditions of a vector. Returns the marks for mark_chunk(). */
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
    if (any_lane(border)) leave_domain(s->sums, m->flag + at, border, &h, &T);
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
    for (int i = 0; i < q->count; i++) mark_chunk(m, q->at[i], marks[i]);
    s->moved.count = 0;
}

/* ---- lava that only cools -------------------------------------------------------------------- */

/* The integer nearest to x >= 0, ties to even. The last version needs no special instruction: each double from 2^52 on
 * is an integer, and adding 2^52 rounds a smaller double. */
INLINE real nearest_integer(real x)
{
#if defined(VECTORS_AVX512)
    return (real)_mm512_roundscale_pd((__m512d)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(VECTORS_AVX2)
    return (real)_mm256_round_pd((__m256d)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__wasm__)
    return (real)wasm_f64x2_nearest((v128_t)x);
#else
    return select_lanes(x < 0x1p52, (x + 0x1p52) - 0x1p52, x);
#endif
}

/* The exact value of heat_of() as a double. A product below 2^52 is rounded to an integer; a larger product is an
 * integer. */
INLINE real heat_in_double(real h, real T)
{
    return nearest_integer(h * (T * HEAT_PER_KM));
}

/* temp_of() for a result of heat_in_double(). */
INLINE real temp_of_double(real heat, real thickness_m)
{
    return quotient_of(heat * (1.0 / HEAT_PER_KM), thickness_m);
}

/* Cools the vectors of s->still. No record changes. temp_of() and physics_solidify() would compute the same bits of T.
 * Three kinds of vectors are left to settle_moved(): their lava solidifies, gets warmer by rounding, or loses more heat
 * than small_count() takes. The heat before and after cooling is an integer in a double. A loss below 2^51 is exact:
 * either both integers are below 2^53, or they differ by less than a factor of 2. */
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
        real T = select_lanes(lava, temp[i], before), lost = heat[i] - heat_in_double(h, T);
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

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Puts the vectors of a chunk on the lists `moved` and `still`. marked: the chunk has a border or a vent. A vector with
 * lava and a vent counts as moved, because the emission is not in gain_m, but has to be recorded. Returns whether the
 * chunk has a vector with lava that only cools. */
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

/* Adds to a chunk of this row the flows that the thread of the band above or below has collected
 * for it. */
static void collect_flows(struct reference *m, const struct outside *from, int side, int row,
                          int col)
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

/* Returns whether a row has no lava in it or next to it. If so, clears the row's bitmap for the next step. */
static int skip_row(struct reference *m, int row)
{
    const int *chunks = m->row_chunks + 1 + row;
    if (chunks[-1] | chunks[0] | chunks[1]) return 0;
    if (m->row_chunks_next[1 + row])
        memset(reference_bits(m, m->wet_next, row), 0, (size_t)m->words * sizeof(uint64_t));
    m->row_chunks_next[1 + row] = 0;
    return 1;
}

/* Settles a row. For the next step, marks chunks with lava that only cools; mark_chunk() marks chunks in which lava has
 * moved. */
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
                s->still.count =
                    list_lava(m, s->still.at, s->still.count,
                              first + __builtin_ctzll(rest) * CHUNK + v * SCIARA_LANES);
        for (uint64_t rest = moved; rest; rest &= rest - 1) {
            const int bit = __builtin_ctzll(rest), col = (word * 64 + bit) * CHUNK;
            if (col >= m->g.stride - GRID_LEFT) break;
            if (row == m->band[thread] && thread > 0)
                collect_flows(m, &m->outside[thread - 1], 1, row, col);
            if (row == m->band[thread + 1] - 1 && thread + 1 < m->threads)
                collect_flows(m, &m->outside[thread + 1], 0, row, col);
            if (settle_chunk(m, s, first + bit * CHUNK, marked >> bit & 1)) wet |= rest & -rest;
        }
        reference_bits(m, m->wet_next, row)[word] = wet;
        m->row_chunks_next[1 + row] += __builtin_popcountll(wet);
        if (s->still.count >= ENOUGH) settle_still(m, s);
        if (s->moved.count >= ENOUGH) settle_moved(m, s);
    }
}

/* Makes a step. Only the first and the last row of a band get flows from other bands, or have cells that other bands
 * read. So the rows in between are settled without waiting for other threads. */
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

/* Ends a step, on one thread, while all other threads wait. */
static void end_step(void *context)
{
    struct reference *m = context;
    reference_swap(m);
    m->step++;
    if (m->step % m->problem->reduce_every == 0) reference_reduce(m);
    if (m->step < m->end && !m->stopped) reference_emit(m, m->step + 1);
}

/* The work of one thread in a stretch of steps. After the last barrier the thread reads no data that change
 * between stretches. */
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
