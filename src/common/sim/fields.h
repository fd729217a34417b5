/* fields.h — the state of a simulation on the host, with its ledger and its digest. */
#pragma once

#include "base/error.h"
#include "problem.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

__extension__ typedef __int128 quanta; /* a sum of lengths, in 2^-36 m, or of heat, in 2^-40 K m */

enum { ARRIVAL_NEVER = 0x7fffffff };
enum { FIELDS_CELL_BYTES = 6 * 8 + 4 }; /* memory that struct fields takes for a cell */

/* Heat (thickness times temperature) counted since first_step of the problem, in quanta of 2^-40 K
 * m. */
struct heat_sums {
    quanta emitted;     /* heat that vents add, in new lava and to lava already there */
    quanta solidified;  /* heat of solidified lava, at the temperature of solidification */
    quanta left_domain; /* heat of lava that left the domain or entered the sea */
    quanta cooled;      /* heat lost by cooling and by rounding (physics_heat_kept()) */
};

/* The lengths by which the ground was raised and lowered (ground.h) since the beginning, summed
 * over all cells. Variants do not use these sums: a snapshot leaves them as they are. */
struct ground_sums {
    quanta raised, lowered;
};

/* All arrays are row-major over the window; thicknesses and elevations are on the lattice.
 *
 * A state may lack blocks of cells that lava has not reached. Such cells are in their initial state, with the terrain
 * of the problem. The values that the arrays have there have no meaning. */
enum { FIELDS_BLOCK_ROWS = 32, FIELDS_BLOCK_COLS = 512 };

struct fields {
    struct window window;
    unsigned char *there; /* 1 for each block that the state has, row by row (blocks at the edges
                           * are cut); NULL: the state has all blocks */
    int64_t step;
    double *elevation_m;     /* z: elevation of ground and solidified lava; NaN: no data */
    double *thickness_m;     /* h: mobile lava */
    double *temp_K;          /* T: temperature of the last lava; 0 where lava never was */
    double *solid_m;         /* s: lava solidified so far */
    double *max_thickness_m; /* largest h + s at the end of a step */
    double *max_temp_K;      /* largest T of lava at the end of a step; 0 where lava never was */
    int32_t *arrival;        /* first step that ended with lava in the cell; ARRIVAL_NEVER: no
                                step */
    quanta emitted;          /* lava emitted since first_step of the problem */
    quanta left_domain;      /* lava that left since first_step, but not into the sea */
    quanta entered_sea;      /* lava that entered the sea since first_step */
    struct heat_sums heat;
    struct ground_sums ground;
};

/* The heat ledger closes if initial + emitted == mobile + solidified + left_domain + cooled. */
struct heat_ledger {
    quanta initial; /* heat of mobile lava when the run began */
    quanta emitted, mobile, solidified, left_domain, cooled;
};

/* The ledger closes if initial + emitted == mobile + solidified + left_domain + entered_sea. */
struct ledger {
    quanta initial; /* mobile + solidified when the run began */
    quanta emitted, mobile, solidified, left_domain, entered_sea;
    struct heat_ledger heat;
    struct ground_sums ground; /* not lava; the sums above do not include them */
};
/* The step at which a variant begins: p->from->step, or p->first_step if p->from is NULL. */
int64_t fields_begin(const struct problem *p);

/* Whether the stopping rule ended the run of *p in this state. */
bool fields_stopped(const struct fields *f, const struct problem *p);

/* Completes f->heat.cooled, which the variants count modulo 2^64. Among all numbers congruent to the count, chooses the
 * one nearest to the number that closes the heat ledger. So an error of less than 2^63 quanta is still found. */
void fields_complete_cooled(struct fields *f, const struct problem *p);

bool ledger_closes(const struct ledger *l);
bool heat_ledger_closes(const struct heat_ledger *l);

int fields_create(struct fields *f, struct window window, struct error *e);
/* Creates fields that lack all blocks. Blocks that are not written take no memory. */
int fields_create_empty(struct fields *f, struct window window, struct error *e);
void fields_free(struct fields *f); /* all-zero is fine */

static inline size_t fields_block(const struct window *w, int row, int col)
{
    const int across = (w->cols - 1) / FIELDS_BLOCK_COLS + 1;
    return (size_t)(row / FIELDS_BLOCK_ROWS) * (size_t)across + (size_t)(col / FIELDS_BLOCK_COLS);
}

/* *i becomes the index of a cell of the domain in the arrays of *f; false: the state lacks the cell. */
bool fields_find(const struct fields *f, int row, int col, size_t *i);

/* The index in an array of the domain. `cell` is the index in an array of the window. */
static inline size_t fields_place(const struct fields *f, const struct problem *p, size_t cell)
{
    return window_in_domain(f->window, cell, p->cols);
}

/* Whether the state has the cell at this row and column of the window. */
static inline bool fields_has(const struct fields *f, int row, int col)
{
    return !f->there || f->there[fields_block(&f->window, row, col)];
}

/* Finds the next cells of a row that the state has, at column *end or after it. Sets *first to their first column,
 * and *end to the column after their last. False: there are no more. */
static inline bool fields_run(const struct fields *f, int row, int *first, int *end)
{
    const int cols = f->window.cols;
    int col = *end;
    while (col < cols && !fields_has(f, row, col)) col += FIELDS_BLOCK_COLS;
    *first = col;
    while (col < cols && fields_has(f, row, col)) col += FIELDS_BLOCK_COLS;
    *end = col < cols ? col : cols;
    return *first < cols;
}

/* FIELDS_ROW() loops over the cells i of a row that the state has. FIELDS_EACH() loops over all cells that the state
 * has. */
#define FIELDS_ROW(f, row, i)                                                                      \
    for (int first_ = 0, end_ = 0; fields_run(f, row, &first_, &end_);)                            \
        for (size_t at_ = (size_t)(row) * (size_t)(f)->window.cols, i = at_ + (size_t)first_;      \
             i < at_ + (size_t)end_; i++)
#define FIELDS_EACH(f, row, i)                                                                     \
    for (int row = 0; row < (f)->window.rows; row++)                                               \
        FIELDS_ROW (f, row, i)

/* The index of the cell with the largest max_thickness_m; 0 if there is no lava. */
size_t fields_thickest(const struct fields *f);

/* The smallest window around all cells that had lava at the beginning or that lava reached; rows 0:
 * there is none. */
struct window fields_reach(const struct fields *f);

/* Computes the ledger of *f for a run that began as *p. All lava has to be in the window of *f. ERROR_INPUT: lava was
 * at some time too thick for exact arithmetic. ERROR_FAILED: the ledger does not close, z - s is not the given terrain
 * in some cell, or another value is out of range. */
int fields_ledger(struct ledger *ledger, const struct fields *f, const struct problem *p,
                  struct error *e);

/* A digest of a state in a domain of rows x cols cells. It covers the place and the bits of all fields of each cell
 * that had lava at the beginning or that lava reached (arrival). So terrain that lava did not reach does not change
 * the digest. The digest is the same for every window that has all cells with lava. */
uint64_t fields_digest(const struct fields *f, int rows, int cols);

/* The number of cells with different bits in some field. *what becomes the name of the first field that differs; NULL:
 * none differs. A cell that only one state has differs if lava reached it. */
size_t fields_differ(const struct fields *a, const struct fields *b, const char **what);

/* Whether two runs have the same sums in their ledgers. */
bool fields_same_sums(const struct fields *a, const struct fields *b);

/* The sum of h, in quanta. *wet_cells becomes the number of cells with h > 0; NULL is fine. */
quanta fields_mobile(const struct fields *f, size_t *wet_cells);

/* Writes q in decimal, with a sign if it is negative, into at least 42 bytes; returns buffer. */
char *quanta_text(quanta q, char *buffer);
double quanta_m(quanta q);                         /* in metres, rounded to nearest */
double quanta_K_m(quanta q);                       /* q is heat; in K m */
double quanta_J(quanta q, const struct params *p); /* q is heat of one cell; in joules */

#ifdef __cplusplus
}
#endif
