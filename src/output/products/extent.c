#include "extent.h"

/* ---- reach ----------------------------------------------------------------------------------- */

void reach_add(struct window *reach, int row, int col)
{
    *reach = window_of_both(*reach, (struct window){row, col, 1, 1});
}

void reach_add_fields(struct window *reach, const struct fields *f)
{
    *reach = window_of_both(*reach, fields_reach(f));
}

void reach_add_vents(struct window *reach, const struct problem *p)
{
    for (int v = 0; v < p->vent_count; v++) reach_add(reach, p->vents[v].row, p->vents[v].col);
}

/* ---- extent ---------------------------------------------------------------------------------- */

bool extent_is_full(enum output_extent rule, const struct problem *p)
{
    return rule == OUTPUT_EXTENT_FULL ||
           (rule == OUTPUT_EXTENT_BY_SIZE && (double)p->rows * p->cols <= EXTENT_FULL_MOST);
}

/* By a margin on either side, to whole blocks. */
static void widen(int *first, int *count, int margin, int cells)
{
    const int end = (*first + *count + margin + EXTENT_BLOCK - 1) / EXTENT_BLOCK * EXTENT_BLOCK;
    *first = int_most(0, *first - margin) / EXTENT_BLOCK * EXTENT_BLOCK;
    *count = int_least(cells, end) - *first;
}

struct window extent_around(struct window reach, enum output_extent rule, const struct problem *p)
{
    if (extent_is_full(rule, p)) return (struct window){0, 0, p->rows, p->cols};
    if (!reach.rows) reach_add(&reach, p->rows / 2, p->cols / 2);
    const int margin = int_most(EXTENT_MARGIN, int_most(reach.rows, reach.cols) / 10);
    widen(&reach.row0, &reach.rows, margin, p->rows);
    widen(&reach.col0, &reach.cols, margin, p->cols);
    return reach;
}
