/* blocks.c — which blocks of the window are filled: of terrain that is read where lava comes, those
 * that lava is near. The arrays of the others are reserved, and take no memory. */
#include "base/memory.h"
#include "reference.h"

enum {
    ROWS = FIELDS_BLOCK_ROWS,
    COLS = FIELDS_BLOCK_COLS, /* a word of a bitmap */
    NEAR = ROWS / CHUNK       /* chunks that are as wide as a block is high */
};
_Static_assert(COLS == 64 * CHUNK, "a block has a word of a row's bitmap");
_Static_assert(REFERENCE_ROOM + 2 * CHUNK <= ROWS, "a step works on chunks next to the lava's");

bool reference_lazy(const struct problem *p)
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

/* With the padding next to it. */
static struct window part_of(const struct reference *m, int block, int word)
{
    const int row = block ? block * ROWS : -1, col = word ? word * COLS : -GRID_LEFT;
    const int row_end = block + 1 < blocks_down(m) ? (block + 1) * ROWS : m->g.rows + 1;
    const int col_end = word + 1 < m->words ? (word + 1) * COLS : m->g.stride - GRID_LEFT;
    return (struct window){row, col, row_end - row, col_end - col};
}

/* Which chunks have a vent or a border. */
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

/* The host grants more memory than it has. With each block go two states. */
static int check_memory(const struct reference *m, struct error *e)
{
    const double cell = (double)variant_reference.bytes_per_cell + 2 * FIELDS_CELL_BYTES;
    if (memory_available() >= cell * ROWS * COLS) return 0;
    return error_input(e,
                       "step %lld: lava comes to more cells than there is memory for; use a "
                       "coarser terrain, or a machine with more memory",
                       (long long)m->step);
}

/* p: the problem, with a state to begin in or without. Outside of the window there is nothing. */
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

/* Blocks next to lava in a block, which is in chunks of that word of its bitmap. */
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

int reference_fill_near(struct reference *m, struct error *e)
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

int reference_fill_all(struct reference *m, struct error *e)
{
    const struct problem p = without_state(m);
    int status = 0;
    for (int block = 0; m->there && block < blocks_down(m); block++)
        for (int word = 0; word < m->words && !status; word++)
            status = fill_block(m, &p, block, word, e);
    return status;
}

/* ---- the beginning --------------------------------------------------------------------------- */

/* Where lava is from the beginning, has solidified before, or has been. */
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

int reference_fill(struct reference *m, struct error *e)
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

int reference_copy(struct reference *m, struct fields *out, struct error *e)
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
