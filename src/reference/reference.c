/* reference.c — the CPU variant: computes only cells near lava, on several threads.
 * reference_advance() calls LOOP(), at the end of loop.c. */
#include "reference.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/processors.h"
#include "sim/vent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks ---------------------------------------------------------------------------------- */

/* If the problem has a terrain source, only blocks of cells near lava are filled. All other blocks of the window have
 * addresses, but take no memory. */

enum {
    ROWS = FIELDS_BLOCK_ROWS,
    COLS = FIELDS_BLOCK_COLS, /* 64 chunks: one word of a bitmap */
    NEAR = ROWS / CHUNK       /* number of chunks that together are as wide as a block is high */
};
_Static_assert(COLS == 64 * CHUNK, "a block has a word of a row's bitmap");
_Static_assert(REFERENCE_ROOM + 2 * CHUNK <= ROWS, "a step works on chunks next to the lava's");

/* Marks the chunk of a cell of the window as a chunk with lava. */
static void reference_mark(struct reference *m, int row, int col)
{
    uint64_t *word = reference_bits(m, m->wet, row) + col / CHUNK / 64,
             bit = 1ULL << (col / CHUNK % 64);
    if (!(*word & bit)) m->row_chunks[1 + row]++;
    *word |= bit;
    reference_touch(m, m->touched, row, col / CHUNK, 1 << col % CHUNK);
}

/* Whether only blocks near lava are filled. */
static bool reference_lazy(const struct problem *p)
{
    return p->terrain && !p->full_domain;
}

static int blocks_down(const struct reference *m)
{
    return (m->g.rows - 1) / ROWS + 1;
}

static unsigned char *there(const struct reference *m, int block, int word)
{
    return &m->there[(size_t)block * (size_t)m->words + (size_t)word];
}

/* The cells of a block, with the padding next to it. */
static struct window part_of(const struct reference *m, int block, int word)
{
    const int row = block ? block * ROWS : -1, col = word ? word * COLS : -GRID_LEFT;
    const int row_end = block + 1 < blocks_down(m) ? (block + 1) * ROWS : m->g.rows + 1;
    const int col_end = word + 1 < m->words ? (word + 1) * COLS : m->g.stride - GRID_LEFT;
    return (struct window){row, col, row_end - row, col_end - col};
}

/* Marks the chunks that have a vent or a border. */
static void mark_flags(struct reference *m, struct window part)
{
    const struct window w = window_common(part, grid_cells(&m->g));
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++)
            if (m->flag[grid_at(m->g.stride, row, col)] & (CELL_BORDER | CELL_VENT))
                reference_bits(m, m->marked, row)[col / CHUNK / 64] |= 1ULL << col / CHUNK % 64;
}

static void fill_part(struct reference *m, const struct problem *p, struct window part)
{
    grid_fill_elevation(&m->g, p, part, m->z);
    grid_fill_arrival(&m->g, p, part, m->arrival);
    grid_fill_flag(&m->g, p, part, m->flag);
    mark_flags(m, part);
    if (!p->from && !p->thickness_m && !p->temp_K && !p->solid_m) return; /* all are 0 */
    grid_fill_thickness(&m->g, p, part, m->h);
    grid_fill_temp(&m->g, p, part, m->T);
    grid_fill_solid(&m->g, p, part, m->s);
    grid_fill_max_thickness(&m->g, p, part, m->max_total_m);
    grid_fill_max_temp(&m->g, p, part, m->max_temp_K);
    const struct window inside = window_common(part, grid_cells(&m->g));
    for (int row = inside.row0; row < inside.row0 + inside.rows; row++)
        for (int col = inside.col0; col < inside.col0 + inside.cols; col++)
            if (m->h[grid_at(m->g.stride, row, col)] > 0.0) reference_mark(m, row, col);
}

/* Checks that the machine has memory for a block, and for the cells of the block in two states (struct fields). The
 * system does not check this, because it grants more addresses than the machine has memory. */
static int check_memory(const struct reference *m, struct error *e)
{
    const double cell = (double)variant_reference.bytes_per_cell + 2 * FIELDS_CELL_BYTES;
    if (memory_available() >= cell * ROWS * COLS) return 0;
    return error_input(e,
                       "step %lld: lava comes to more cells than there is memory for; use a "
                       "coarser terrain, or a machine with more memory",
                       (long long)m->step);
}

/* Fills a block if it is in the window and not filled yet. p: the problem of the simulation or, after the
 * simulation was created, a copy of the problem with from = NULL (without_state()). By then all blocks that lava had
 * reached in the state `from` are filled. */
static int fill_block(struct reference *m, const struct problem *p, int block, int word,
                      struct error *e)
{
    if (block < 0 || block >= blocks_down(m) || word < 0 || word >= m->words ||
        *there(m, block, word))
        return 0;
    const struct window part = part_of(m, block, word);
    const struct window with_ring = {p->window.row0 + part.row0 - 1, p->window.col0 + part.col0 - 1,
                                     part.rows + 2, part.cols + 2};
    int status = check_memory(m, e);
    if (!status) status = problem_read_terrain(p, window_common(with_ring, problem_domain(p)), e);
    if (status) return status;
    fill_part(m, p, part);
    *there(m, block, word) = 1;
    m->filled += window_cells(part);
    return 0;
}

static struct problem without_state(const struct reference *m)
{
    struct problem p = *m->problem;
    p.from = NULL;
    return p;
}

/* Fills the blocks near the lava of a block. `chunks` has a bit for each column of chunks with lava in the block. */
static int fill_near(struct reference *m, const struct problem *p, int block, int word,
                     uint64_t chunks, struct error *e)
{
    int status = 0;
    for (int k = block - 1; k <= block + 1 && !status; k++) {
        status = fill_block(m, p, k, word, e);
        if (!status && chunks << (64 - NEAR)) status = fill_block(m, p, k, word - 1, e);
        if (!status && chunks >> (64 - NEAR)) status = fill_block(m, p, k, word + 1, e);
    }
    return status;
}

static int reference_fill_near(struct reference *m, struct error *e)
{
    const struct problem p = without_state(m);
    int status = 0;
    for (int block = 0; m->there && block < blocks_down(m); block++) {
        const int row_end = int_least(m->g.rows, (block + 1) * ROWS);
        for (int word = 0; word < m->words && !status; word++) {
            uint64_t chunks = 0;
            for (int row = block * ROWS; row < row_end; row++)
                if (m->row_chunks[1 + row]) chunks |= reference_bits(m, m->wet, row)[word];
            if (chunks) status = fill_near(m, &p, block, word, chunks, e);
        }
    }
    return status;
}

static int reference_fill_all(struct reference *m, struct error *e)
{
    const struct problem p = without_state(m);
    int status = 0;
    for (int block = 0; m->there && block < blocks_down(m); block++)
        for (int word = 0; word < m->words && !status; word++)
            status = fill_block(m, &p, block, word, e);
    return status;
}

/* ---- the beginning --------------------------------------------------------------------------- */

/* Fills the blocks with initial lava, mobile or solidified, and the blocks that lava had reached in p->from. */
static int fill_lava(struct reference *m, struct error *e)
{
    const struct problem *p = m->problem;
    const struct window *w = &p->window;
    int status = 0;
    for (int row = 0; (p->thickness_m || p->solid_m) && row < w->rows; row++)
        for (int col = 0; col < w->cols && !status; col++) {
            const size_t i = (size_t)(w->row0 + row) * (size_t)p->cols + (size_t)(w->col0 + col);
            if ((p->thickness_m && p->thickness_m[i] > 0) || (p->solid_m && p->solid_m[i] > 0))
                status = fill_block(m, p, row / ROWS, col / COLS, e);
        }
    const struct fields *f = p->from;
    if (!f) return status;
    FIELDS_EACH (f, row, i) {
        if (f->arrival[i] == ARRIVAL_NEVER || status) continue;
        const int r = f->window.row0 + row - w->row0,
                  c = f->window.col0 + (int)(i % (size_t)f->window.cols) - w->col0;
        if (r >= 0 && c >= 0) status = fill_block(m, p, r / ROWS, c / COLS, e);
    }
    return status;
}

/* Fills the blocks with initial lava or vents. Later, reference_fill_near() fills the blocks that lava
 * may reach in the next REFERENCE_ROOM steps. reference_fill_all() fills all others. All three return ERROR_INPUT if
 * terrain cannot be read or memory is missing. */
static int reference_fill(struct reference *m, struct error *e)
{
    const struct problem *p = m->problem;
    if (!m->there) {
        m->filled = (size_t)m->g.size;
        fill_part(m, p, grid_all(&m->g));
        return 0;
    }
    int status = fill_lava(m, e);
    for (int v = 0; v < p->vent_count && !status; v++) {
        const int row = p->vents[v].row - p->window.row0, col = p->vents[v].col - p->window.col0;
        if (row < 0 || row >= m->g.rows || col < 0 || col >= m->g.cols) continue;
        status = fill_near(m, p, row / ROWS, col / COLS, 1ULL << (col % COLS / CHUNK), e);
    }
    return status;
}

/* ---- a state --------------------------------------------------------------------------------- */

static void unpad(const struct reference *m, struct window part, struct fields *out)
{
    grid_unpad(&m->g, part, m->z, sizeof(double), out->elevation_m);
    grid_unpad(&m->g, part, m->h, sizeof(double), out->thickness_m);
    grid_unpad(&m->g, part, m->T, sizeof(double), out->temp_K);
    grid_unpad(&m->g, part, m->s, sizeof(double), out->solid_m);
    grid_unpad(&m->g, part, m->max_total_m, sizeof(double), out->max_thickness_m);
    grid_unpad(&m->g, part, m->max_temp_K, sizeof(double), out->max_temp_K);
    grid_unpad(&m->g, part, m->arrival, sizeof(int32_t), out->arrival);
    grid_walls_to_nan(&m->g, part, out->elevation_m);
}

/* Copies the arrays of a state. */
static int reference_copy(struct reference *m, struct fields *out, struct error *e)
{
    const int across = (m->g.cols - 1) / COLS + 1;
    const int status = out->there ? 0 : reference_fill_all(m, e);
    if (status) return status;
    if (!out->there) unpad(m, grid_cells(&m->g), out);
    for (int block = 0; out->there && block < blocks_down(m); block++)
        for (int word = 0; word < across; word++) {
            unsigned char *to = &out->there[(size_t)block * (size_t)across + (size_t)word];
            *to = !m->there || *there(m, block, word);
            if (*to) unpad(m, window_common(part_of(m, block, word), grid_cells(&m->g)), out);
        }
    return 0;
}

/* ---- the variant ----------------------------------------------------------------------------- */

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
    /* a full domain: every chunk is marked as if it had lava */
    for (int row = 0; p->full_domain && row < m->g.rows; row++)
        for (int col = 0; col < m->g.cols; col += CHUNK) reference_mark(m, row, col);
}

/* reduceAdd, and then the stopping rule. */
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
                int64_t sum = 0; /* over CHUNK cells, each below 2^50 */
                for (int i = col; i < col + CHUNK && i < m->g.cols; i++)
                    sum += (int64_t)(h[i] * LATTICE_PER_M);
                m->mobile += sum;
            }
        }
    }
    m->stopped = p->stop_when_still && m->step >= p->last_vent_step &&
                 quanta_m(m->mobile) <= p->stop_mobile_m;
}

/* The cost of a row. A row without lava costs little. A chunk with lava costs as much as the outflows of two cells. */
static long row_cost(const struct reference *m, int row)
{
    int chunks = m->row_chunks[1 + row];
    return 1 + (chunks ? 16L * chunks + 8L * m->row_flows[row] : 0);
}

double reference_divide(struct reference *m)
{
    long total = 0, sum = 0;
    for (int row = 0; row < m->g.rows; row++) total += row_cost(m, row);
    for (int row = 0, t = 1; row < m->g.rows; row++) {
        sum += row_cost(m, row);
        while (t < m->threads && sum * m->threads >= total * t) m->band[t++] = row + 1;
    }
    m->band[0] = 0;
    m->band[m->threads] = m->g.rows;
    for (int t = 1; t < m->threads; t++) { /* no band is empty, because a thread gets flows only
                                              from the bands next to its own */
        int least = m->band[t - 1] + 1, most = m->g.rows - (m->threads - t);
        if (m->band[t] < least) m->band[t] = least;
        if (m->band[t] > most) m->band[t] = most;
    }
    return (double)total;
}

/* Frees the arrays of cells, with 8, 4 and 1 bytes per element, and the arrays of rows and
 * threads. */
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
            FREE_ALL(m->outside[t].gain_m[side], m->outside[t].heat[side]);
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

/* Allocates the arrays of cells. */
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

static bool allocate_reference(struct reference *m)
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
    /* all chunks are touched at first, so that the first step looks at every chunk */
    if (ok) memset(m->touched, 0xff, map * sizeof *m->touched);
    return ok;
}

/* Gives the sums of an earlier run to the first thread. */
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

/* Chooses the widest instruction set that this processor has. The environment variable SCIARA_ISA=generic|avx2 makes it
 * choose a narrower one. */
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
    else if (!allocate_reference(m))
        code = error_failed(
            e, "out of memory: %d x %d cells need %.2f GiB%s", p->window.rows, p->window.cols,
            (double)m->g.size * (double)variant_reference.bytes_per_cell / 1073741824.0,
            memory_is_limited() ? " of address space; raise the limit (ulimit -v)"
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

/* Finds the first and the last bit that is set in a row of a map; false: no bit is set. */
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

/* The rectangle around lava and vents; lava counts in whole chunks. */
static int reference_reach(void *self, struct window *reach, struct error *e)
{
    const struct reference *m = self;
    const struct problem *p = m->problem;
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
    return 0;
}

int reference_available(const struct variant_options *o, char what[128], struct error *e)
{
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
