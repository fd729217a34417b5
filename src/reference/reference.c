/* reference.c — the CPU variant: computes only cells with lava, on all threads. */
#include "reference.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/processors.h"
#include "sim/variant.h"
#include "sim/vent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reference_swap(struct reference *m)
{
    uint64_t *wet = m->wet;
    m->wet = m->wet_next;
    m->wet_next = wet;
    uint64_t *touched = m->touched;
    m->touched = m->touched_next;
    m->touched_next = touched;
    int *chunks = m->row_chunks;
    m->row_chunks = m->row_chunks_next;
    m->row_chunks_next = chunks;
}

void reference_mark(struct reference *m, int row, int col)
{
    uint64_t *word = reference_bits(m, m->wet, row) + col / CHUNK / 64,
             bit = 1ULL << (col / CHUNK % 64);
    if (!(*word & bit)) m->row_chunks[1 + row]++;
    *word |= bit;
    reference_touch(m, m->touched, row, col / CHUNK, 1 << col % CHUNK);
}

/* Full domain: every chunk of every row is treated as one with lava. */
static void mark_all(struct reference *m)
{
    for (int row = 0; row < m->g.rows; row++)
        for (int col = 0; col < m->g.cols; col += CHUNK) reference_mark(m, row, col);
}

void reference_emit(struct reference *m, int64_t step)
{
    const struct problem *p = m->problem;
    for (int i = 0; i < p->vent_count; i++) {
        int row = p->vents[i].row - p->window.row0, col = p->vents[i].col - p->window.col0;
        if (row < 0 || row >= m->g.rows || col < 0 || col >= m->g.cols) continue;
        int at = grid_at(m->g.stride, row, col);
        double amount = vent_amount_m(&p->vents[i], step);
        m->heat_emitted += physics_heat_emitted(&m->physics, amount, m->h[at], m->T[at]);
        physics_emit(&m->physics, amount, &m->h[at], &m->T[at]);
        m->emitted += (quanta)(amount * LATTICE_PER_M);
        reference_mark(m, row, col);
    }
    if (p->full_domain) mark_all(m);
}

/* reduceAdd, and the stopping rule. */
void reference_reduce(struct reference *m)
{
    const struct problem *p = m->problem;
    m->mobile = 0;
    for (int row = 0; row < m->g.rows; row++) {
        if (!m->row_chunks[1 + row]) continue;
        const double *h = m->h + grid_at(m->g.stride, row, 0);
        for (int word = 0; word < m->words; word++) {
            uint64_t wet = reference_bits(m, m->wet, row)[word];
            for (; wet; wet &= wet - 1) {
                const int col = (word * 64 + __builtin_ctzll(wet)) * CHUNK;
                int64_t sum = 0; /* of CHUNK cells, each below 2^50 */
                for (int i = col; i < col + CHUNK && i < m->g.cols; i++)
                    sum += (int64_t)(h[i] * LATTICE_PER_M);
                m->mobile += sum;
            }
        }
    }
    m->stopped = p->stop_when_still && m->step >= p->last_vent_step &&
                 quanta_m(m->mobile) <= p->stop_mobile_m;
}

/* The cost of a row: a chunk with lava costs about as much as two cells that lava flows from, and
 * even a dry row has a cost. */
static long cost(const struct reference *m, int row)
{
    int chunks = m->row_chunks[1 + row];
    return 1 + (chunks ? 16L * chunks + 8L * m->row_flows[row] : 0);
}

double reference_divide(struct reference *m)
{
    long total = 0, sum = 0;
    for (int row = 0; row < m->g.rows; row++) total += cost(m, row);
    for (int row = 0, t = 1; row < m->g.rows; row++) {
        sum += cost(m, row);
        while (t < m->threads && sum * m->threads >= total * t) m->band[t++] = row + 1;
    }
    m->band[0] = 0;
    m->band[m->threads] = m->g.rows;
    for (int t = 1; t < m->threads; t++) { /* no band is empty: neighbours exchange lava */
        int least = m->band[t - 1] + 1, most = m->g.rows - (m->threads - t);
        if (m->band[t] < least) m->band[t] = least;
        if (m->band[t] > most) m->band[t] = most;
    }
    return (double)total;
}

/* The arrays of the cells, of 8, 4 and 1 bytes an element, and of rows and threads. */
static void free_arrays(struct reference *m)
{
    const size_t n = (size_t)m->g.size;
    void *const of_8[] = {m->z,           m->h,          m->T,      m->s,
                          m->max_total_m, m->max_temp_K, m->gain_m, m->heat};
    for (size_t i = 0; i < sizeof of_8 / sizeof *of_8; i++) memory_free_zeros(of_8[i], 8 * n);
    memory_free_zeros(m->arrival, 4 * n);
    memory_free_zeros(m->flag, n);
    void *const others[] = {m->wet,       m->wet_next,   m->touched, m->touched_next,    m->flows,
                            m->marked,    m->row_chunks, m->there,   m->row_chunks_next, m->band,
                            m->row_flows, m->sums};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) free(others[i]);
}

static void reference_destroy(void *self)
{
    struct reference *m = self;
    if (!m) return;
    free_arrays(m);
    for (int t = 0; m->outside && t < m->most; t++)
        for (int side = 0; side < 2; side++) {
            free(m->outside[t].gain_m[side]);
            free(m->outside[t].heat[side]);
        }
    free(m->outside);
    team_free(m->team);
    free(m);
}

static size_t reference_memory(void *self)
{
    const struct reference *m = self;
    return m->filled * variant_reference.bytes_per_cell;
}

static void *array(size_t count, size_t element, bool *ok)
{
    size_t bytes = (count * element + 63) / 64 * 64;
    void *a = aligned_alloc(64, bytes);
    if (a) memset(a, 0, bytes);
    else *ok = false;
    return a;
}

/* Of the cells. */
static bool allocate_cells(struct reference *m)
{
    const size_t n = (size_t)m->g.size;
    bool ok = true;
    double **reals[] = {&m->z, &m->h, &m->T, &m->s, &m->max_total_m, &m->max_temp_K, &m->gain_m};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        ok = (*reals[i] = memory_zeros(n * sizeof(double))) != NULL && ok;
    m->heat = memory_zeros(n * sizeof *m->heat);
    m->arrival = memory_zeros(n * sizeof *m->arrival);
    m->flag = memory_zeros(n);
    return ok && m->heat && m->arrival && m->flag;
}

static bool allocate(struct reference *m)
{
    bool ok = allocate_cells(m);
    size_t map = (size_t)(m->g.rows + 2) * (size_t)m->words;
    m->wet = array(map, sizeof *m->wet, &ok);
    m->wet_next = array(map, sizeof *m->wet, &ok);
    m->touched = array(map, sizeof *m->touched, &ok);
    m->touched_next = array(map, sizeof *m->touched, &ok);
    m->flows = array(map, sizeof *m->flows, &ok);
    m->marked = array(map, sizeof *m->marked, &ok);
    m->row_chunks = array((size_t)m->g.rows + 2, sizeof(int), &ok);
    m->row_chunks_next = array((size_t)m->g.rows + 2, sizeof(int), &ok);
    m->row_flows = array((size_t)m->g.rows, sizeof(int), &ok);
    m->band = array((size_t)m->most + 1, sizeof(int), &ok);
    m->sums = array((size_t)m->most, sizeof *m->sums, &ok);
    m->outside = array((size_t)m->most, sizeof *m->outside, &ok);
    if (reference_lazy(m->problem)) m->there = array(map, 1, &ok);
    for (int t = 0; m->outside && t < m->most; t++)
        for (int side = 0; side < 2; side++) {
            size_t line = (size_t)m->g.stride + 2 * GRID_LEFT;
            m->outside[t].gain_m[side] = array(line, sizeof(double), &ok);
            m->outside[t].heat[side] = array(line, sizeof(int64_t), &ok);
        }
    /* none has been examined yet */
    if (ok) memset(m->touched, 0xff, map * sizeof *m->touched);
    return ok;
}

/* What an earlier run has counted goes to the first thread's sums. */
static void keep_sums(struct reference *m, const struct fields *from)
{
    m->emitted = from->emitted;
    m->heat_emitted = from->heat.emitted;
    m->sums[0] = (struct thread_sums){.left = from->left_domain,
                                      .sea = from->entered_sea,
                                      .heat_left = from->heat.left_domain,
                                      .solidified = from->heat.solidified,
                                      .cooled = (uint64_t)from->heat.cooled};
}

/* The widest instruction set that this processor has; SCIARA_ISA=generic|avx2|avx512 overrides. */
static void (*choose_steps(void))(struct reference *, int64_t)
{
#if defined(__x86_64__)
    const char *ask = getenv("SCIARA_ISA");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    if (ask && strcmp(ask, "generic") == 0) return reference_steps_generic;
    if (avx512 && !(ask && strcmp(ask, "avx2") == 0)) return reference_steps_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return reference_steps_avx2;
#endif
    return reference_steps_generic;
}

static int reference_create(void **self, const struct problem *p, const struct variant_options *o,
                            struct error *e)
{
    struct reference *m = calloc(1, sizeof *m);
    if (!m) return error_memory(e);
    m->problem = p;
    m->g = grid_create(p->window.rows, p->window.cols, 1, CHUNK);
    m->physics = physics_create(&p->params);
    m->words = ((m->g.stride - GRID_LEFT) / CHUNK + 63) / 64;
    m->most = o && o->threads > 0 ? o->threads : processors_granted();
    if (m->most > m->g.rows) m->most = m->g.rows;
    if ((m->team = team_create(m->most, o ? o->team : TEAM_ADAPTS))) m->most = team_most(m->team);
    m->steps = choose_steps();
    m->step = fields_begin(p);
    int code = 0;
    if (!m->team) code = error_memory(e);
    else if (!allocate(m))
        code = error_failed(
            e, "out of memory: %d x %d cells need %.2f GiB%s", p->window.rows, p->window.cols,
            (double)m->g.size * (double)variant_reference.bytes_per_cell / 1073741824.0,
            memory_is_limited() ? " of addresses, which `ulimit -v` limits; raise it"
                                : "; use fewer cells or a larger machine");
    if (!code) code = reference_fill(m, e);
    if (code) {
        reference_destroy(m);
        return code;
    }
    if (p->from) keep_sums(m, p->from);
    reference_reduce(m);
    m->stopped = false;
    *self = m;
    return 0;
}

static int reference_advance(void *self, int64_t steps, struct variant_status *status,
                             struct error *e)
{
    struct reference *m = self;
    const int64_t end = m->step + steps;
    double start = clock_now_s();
    int code = 0;
    while (m->step < end && !m->stopped && !(code = reference_fill_near(m, e))) {
        const int64_t left = end - m->step;
        reference_emit(m, m->step + 1);
        m->steps(m, m->there && left > REFERENCE_ROOM ? REFERENCE_ROOM : left);
    }
    m->seconds += clock_now_s() - start;
    if (status)
        *status = (struct variant_status){.step = m->step,
                                          .stopped = m->stopped,
                                          .mobile = m->mobile,
                                          .threads = m->most,
                                          .device_ms = 1e3 * m->seconds};
    return code;
}

static int reference_snapshot(void *self, struct fields *out, struct error *e)
{
    struct reference *m = self;
    const int code = reference_copy(m, out, e);
    if (code) return code;
    out->window = m->problem->window;
    out->step = m->step;
    out->emitted = m->emitted;
    out->left_domain = out->entered_sea = 0;
    out->heat = (struct heat_sums){.emitted = m->heat_emitted};
    for (int t = 0; t < m->most; t++) {
        out->left_domain += m->sums[t].left;
        out->entered_sea += m->sums[t].sea;
        out->heat.left_domain += m->sums[t].heat_left;
        out->heat.solidified += m->sums[t].solidified;
        out->heat.cooled += m->sums[t].cooled;
    }
    fields_complete_cooled(out, m->problem);
    return 0;
}

/* First and last bit of a row's map; false: none is there. */
static bool ends_of(const uint64_t *bits, int words, int *first, int *last)
{
    int low = 0, high = words - 1;
    while (low < words && !bits[low]) low++;
    if (low == words) return false;
    while (!bits[high]) high--;
    *first = 64 * low + __builtin_ctzll(bits[low]);
    *last = 64 * high + 63 - __builtin_clzll(bits[high]);
    return true;
}

/* Whole chunks. */
static int reference_reach(void *self, struct window *reach, struct error *e)
{
    const struct reference *m = self;
    const struct problem *p = m->problem;
    (void)e;
    *reach = (struct window){0};
    for (int row = 0; row < m->g.rows; row++) {
        int first, last;
        if (!m->row_chunks[1 + row] ||
            !ends_of(reference_bits(m, m->wet, row), m->words, &first, &last))
            continue;
        const int end = (last + 1) * CHUNK < m->g.cols ? (last + 1) * CHUNK : m->g.cols;
        const struct window wet = {p->window.row0 + row, p->window.col0 + first * CHUNK, 1,
                                   end - first * CHUNK};
        *reach = window_of_both(*reach, wet);
    }
    for (int i = 0; i < p->vent_count; i++)
        *reach = window_of_both(*reach, (struct window){p->vents[i].row, p->vents[i].col, 1, 1});
    return 0;
}

int reference_snapshot_wait(void *self, struct error *e)
{
    (void)self;
    (void)e;
    return 0;
}

int reference_available(const struct variant_options *o, char what[128], struct error *e)
{
    (void)o;
    (void)e;
    snprintf(what, 128, "CPU");
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            snprintf(what, 128, "%.120s", strchr(line, ':') + 2);
            what[strcspn(what, "\n")] = 0;
            break;
        }
    if (f) fclose(f);
    return 0;
}

const struct variant variant_reference = {
    .name = "reference",
    .summary = "CPU, threads, vectorised; computes only cells with lava",
    .steps_per_ms = 56,
    .bytes_per_cell = 7 * sizeof(double) + sizeof(int64_t) + sizeof(int32_t) + 1,
    .available = reference_available,
    .lazy = reference_lazy,
    .create = reference_create,
    .advance = reference_advance,
    .snapshot = reference_snapshot,
    .snapshot_wait = reference_snapshot_wait,
    .reach = reference_reach,
    .memory = reference_memory,
    .destroy = reference_destroy,
};
