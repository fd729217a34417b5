/* cells.h — the effect of each parameter on the arrival of lava, separately in each cell of the terrain. The effects
 * follow from sums of integers over the groups of a design. So the order of groups does not matter, and no run is kept.
 *
 * y is the number of runs of a point, 0 to `members`, in which lava comes to the cell. The runs of a point differ only
 * in the terrain error. Sums are below 2^63, because y is at most 2^12 and there are at most 2^20 groups of 42 points.
 * Cells that lava never reached have no sums. */
#pragma once

#include "design.h"

/* Sums of a cell over all groups: of y at all points; of y and of y^2 at the points A and B. Morris uses only
 * CELL_ALL. */
enum { CELL_ALL, CELL_A, CELL_B, CELL_A2, CELL_B2, CELL_COMMON };
/* Sums of a cell for each coordinate. Sobol: of ab - a, (ab - a) b and (ab - a)^2; a, b and ab are the values of y at
 * the points A, B and AB (design.h). Morris: of d, |d| and d^2; d is the change of y in a step that raises the
 * coordinate, and minus this change in a step that lowers it. */
enum { CELL_CHANGE, CELL_OTHER, CELL_SQUARE, CELL_EACH };

/* The slots of the cells with lava in the runs of a point. A slot is listed once for each run with lava in its cell. */
struct cell_list {
    uint32_t *slot;
    size_t count;
};

struct cells {
    size_t places;
    int dimensions;
    uint32_t *slot;  /* 1 + slot of each place; 0: no lava came */
    uint32_t *place; /* place of each slot */
    uint32_t slots, room;
    int64_t *sum; /* slots * cells_stride() numbers */
    /* For the group that is being added: */
    uint16_t *y; /* slots * points numbers */
    uint32_t *touched;
    unsigned char *is_touched;
    int points;
};

static inline size_t cells_stride(const struct cells *cells)
{
    return CELL_COMMON + CELL_EACH * (size_t)cells->dimensions;
}

int cells_create(struct cells *cells, size_t places, const struct design *d, struct error *e);
void cells_free(struct cells *cells); /* all-zero is fine */

/* The slot of a place, from 0; a new slot if the place has none. -1: out of memory. */
int64_t cells_open(struct cells *cells, uint32_t place);

/* Adds group g. list[]: one for each point of the group. */
void cells_add(struct cells *cells, const struct design *d, int64_t g,
               const struct cell_list *list);

/* The sums of a place; NULL: no lava came. cells_each() points to the three sums of coordinate i. */
const int64_t *cells_at(const struct cells *cells, size_t place);
static inline const int64_t *cells_each(const int64_t *sum, int i)
{
    return sum + CELL_COMMON + CELL_EACH * (size_t)i;
}

/* ---- estimates from `groups` groups with `members` members each ------------------------------ */

struct cell_view {
    const struct cells *cells;
    const struct design *d;
    int64_t groups, members;
};

/* The share of runs in which lava reaches the cell. For Sobol, only the runs at the points A and B count. */
double cell_probability(const struct cell_view *v, const int64_t *sum);
/* Whether the cell has enough runs for Sobol indices. At least CELL_RUNS_LEAST * `members` of the runs at A and B have
 * to bring lava to the cell, and at least as many must not. */
bool cell_is_known(const struct cell_view *v, const int64_t *sum);
enum { CELL_RUNS_LEAST = 10 };
/* The indices of coordinate i; NaN: not known. */
double cell_first_order(const struct cell_view *v, const int64_t *sum, int i);
double cell_total(const struct cell_view *v, const int64_t *sum, int i);
double cell_mu_star(const struct cell_view *v, const int64_t *sum, int i);
/* The coordinate with the largest total index (Sobol) or mu_star (Morris); the first of equals. -1: not known. */
int cell_dominating(const struct cell_view *v, const int64_t *sum);

uint64_t cells_digest(const struct cells *cells);
