/* widen.c — a simulation continues in a larger window of its domain. */
#include "reference.h"

#include "sim/variant.h"

#include <string.h>

static void reach_over(struct window *w, int row, int col, int cols)
{
    const int row0 = w->rows ? w->row0 : row, col0 = w->rows ? w->col0 : col;
    const int row1 = w->rows ? w->row0 + w->rows : row + 1;
    const int col1 = w->rows ? w->col0 + w->cols : col + cols;
    w->row0 = row < row0 ? row : row0;
    w->col0 = col < col0 ? col : col0;
    w->rows = (row + 1 > row1 ? row + 1 : row1) - w->row0;
    w->cols = (col + cols > col1 ? col + cols : col1) - w->col0;
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

struct window reference_reach(const struct reference *m)
{
    const struct window *in = &m->problem->window;
    struct window w = {0};
    for (int row = 0; row < m->g.rows; row++) {
        int first, last;
        if (!m->row_chunks[1 + row] ||
            !ends_of(reference_bits(m, m->wet, row), m->words, &first, &last))
            continue;
        const int end = (last + 1) * CHUNK < m->g.cols ? (last + 1) * CHUNK : m->g.cols;
        reach_over(&w, in->row0 + row, in->col0 + first * CHUNK, end - first * CHUNK);
    }
    for (int i = 0; i < m->problem->vent_count; i++)
        reach_over(&w, m->problem->vents[i].row, m->problem->vents[i].col, 1);
    return w;
}

static void copy_rows(const struct reference *from, const struct reference *to, const void *old,
                      void *new, size_t element)
{
    const struct window *a = &from->problem->window, *b = &to->problem->window;
    for (int row = 0; row < from->g.rows; row++)
        memcpy((char *)new +
                   (size_t)grid_at(to->g.stride, row + a->row0 - b->row0, a->col0 - b->col0) *
                       element,
               (const char *)old + (size_t)grid_at(from->g.stride, row, 0) * element,
               (size_t)from->g.cols * element);
}

/* Chunks of the larger window begin elsewhere. */
static void mark_wet(struct reference *m)
{
    memset(m->wet, 0, (size_t)(m->g.rows + 2) * (size_t)m->words * sizeof *m->wet);
    for (int row = 0; row < m->g.rows; row++) {
        const double *h = m->h + grid_at(m->g.stride, row, 0);
        uint64_t *bits = reference_bits(m, m->wet, row);
        for (int col = 0; col < m->g.cols; col++)
            if (h[col] > 0.0) bits[col / CHUNK / 64] |= UINT64_C(1) << (col / CHUNK % 64);
        m->row_chunks[1 + row] = 0;
        for (int i = 0; i < m->words; i++) m->row_chunks[1 + row] += __builtin_popcountll(bits[i]);
    }
}

static void copy_state(struct reference *to, const struct reference *from)
{
    const double *const old[] = {from->z, from->h,           from->T,
                                 from->s, from->max_total_m, from->max_temp_K};
    double *const new[] = {to->z, to->h, to->T, to->s, to->max_total_m, to->max_temp_K};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        copy_rows(from, to, old[i], new[i], sizeof(double));
    copy_rows(from, to, from->arrival, to->arrival, sizeof *to->arrival);
    mark_wet(to);
    to->step = from->step;
    to->stopped = from->stopped;
    to->emitted = from->emitted;
    to->heat_emitted = from->heat_emitted;
    to->mobile = from->mobile;
    to->seconds = from->seconds;
    for (int t = 0; t < from->most; t++) {
        to->sums[0].left += from->sums[t].left;
        to->sums[0].sea += from->sums[t].sea;
        to->sums[0].heat_left += from->sums[t].heat_left;
        to->sums[0].solidified += from->sums[t].solidified;
        to->sums[0].cooled += from->sums[t].cooled;
    }
}

int reference_widen(struct reference **m, const struct problem *wider, struct error *e)
{
    const struct variant_options same = {.threads = (*m)->most};
    void *to;
    int status = variant_reference.create(&to, wider, &same, e);
    if (status) return status;
    copy_state(to, *m);
    variant_reference.destroy(*m);
    *m = to;
    return 0;
}
