/* cells.h — for each cell of the terrain, how much each parameter decides whether lava arrives there: as sums of integers over
 * the groups of a design, so that their order does not matter and no run has to be kept.
 *
 * y is the number of runs of a point, which differ in their noise, in which lava came: 0 to
 * `members`. Sums are below 2^63: y is at most 2^12, and there are at most 2^20 groups of 42
 * points. Only cells that lava reached in any run have sums. */
#pragma once

#include "design.h"

/* The sums of a cell over all groups; Morris has only CELL_ALL. */
enum { CELL_ALL, CELL_A, CELL_B, CELL_A2, CELL_B2, CELL_COMMON };
/* The sums of a cell for each coordinate. Sobol: ab - a, this times b, this squared. Morris: the
 * change of y in a step that rises (with the other sign if it falls), its amount, its square. */
enum { CELL_CHANGE, CELL_OTHER, CELL_SQUARE, CELL_EACH };

/* The cells where lava came in the runs of a point: slots, each as often as it came. */
struct cell_list {
    uint32_t *slot;
    size_t count;
};

struct cells {
    size_t places;
    int dimensions;
    uint32_t *slot;  /* of each place, from 1; 0: lava never came */
    uint32_t *place; /* place of each slot */
    uint32_t slots, room;
    int64_t *sum; /* slots * cells_stride() */
    /* The group that is being added: */
    uint16_t *y; /* slots * points */
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

/* The slot of a place, from 0, which is made if there is none; -1: no memory. */
int64_t cells_open(struct cells *cells, uint32_t place);

/* Adds group g; list[] has one for each of its points. */
void cells_add(struct cells *cells, const struct design *d, int64_t g,
               const struct cell_list *list);

/* The sums of a place; NULL: lava never came. The three of coordinate i begin at cells_each(). */
const int64_t *cells_at(const struct cells *cells, size_t place);
static inline const int64_t *cells_each(const int64_t *sum, int i)
{
    return sum + CELL_COMMON + CELL_EACH * (size_t)i;
}

/* ---- estimates, of `groups` groups with `members` members each ------------------------------ */

struct cell_view {
    const struct cells *cells;
    const struct design *d;
    int64_t groups, members;
};

/* The share of the runs in which lava came (Sobol: of the runs of A and B). */
double cell_probability(const struct cell_view *v, const int64_t *sum);
/* Whether, with Sobol, lava arrives in enough runs of A and B, and stays away in enough, for an index to be more than chance:
 * in CELL_RUNS_LEAST times `members`. */
bool cell_is_known(const struct cell_view *v, const int64_t *sum);
enum { CELL_RUNS_LEAST = 10 };
/* The indices of coordinate i; NaN: not known. */
double cell_first_order(const struct cell_view *v, const int64_t *sum, int i);
double cell_total(const struct cell_view *v, const int64_t *sum, int i);
double cell_mu_star(const struct cell_view *v, const int64_t *sum, int i);
/* The coordinate with the largest total index or mu_star, the first of several; -1: there is none,
 * or it is not known. */
int cell_dominating(const struct cell_view *v, const int64_t *sum);

uint64_t cells_digest(const struct cells *cells);
