/* reach.c — how far the lava of a simulation reaches. */
#include "reference.h"

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

int reference_reach(void *self, struct window *reach, struct error *e)
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
