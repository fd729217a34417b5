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
enum { FIELDS_CELL_BYTES = 6 * 8 + 4 }; /* bytes of struct fields for a cell */

/* Heat (thickness times temperature) since first_step, in quanta of 2^-40 K m. */
struct heat_sums {
    quanta emitted;     /* from vents, with lava or by heating lava already there */
    quanta solidified;  /* in solidified lava, at the temperature of solidification */
    quanta left_domain; /* in lava that left the domain, into the sea too */
    quanta cooled;      /* lost by cooling, and by rounding (physics_heat_kept()) */
};

/* How much the ground has been raised and lowered (ground.h) in all cells since the beginning.
 * Variants do not know of it: a snapshot leaves these sums as they are. */
struct ground_sums {
    quanta raised, lowered;
};

/* All arrays are row-major over the window; thicknesses and elevations are on the lattice.
 *
 * A state may lack blocks of cells to which no lava has come. They are as at the beginning, with the
 * terrain of the problem; what the arrays have there has no meaning. */
enum { FIELDS_BLOCK_ROWS = 32, FIELDS_BLOCK_COLS = 512 };

struct fields {
    struct window window;
    unsigned char *there; /* which blocks are there, row by row (those at the ends are cut); NULL:
                           * all are */
    int64_t step;
    double *elevation_m;     /* z: of the ground, including solidified lava; NaN: no data */
    double *thickness_m;     /* h: mobile lava */
    double *temp_K;          /* T: kept where lava was; 0 where none ever was */
    double *solid_m;         /* s: solidified so far */
    double *max_thickness_m; /* largest h + s at the end of a step */
    double *max_temp_K;      /* largest T of lava at the end of a step; 0 where none ever was */
    int32_t *arrival;        /* first step that ended with lava here; ARRIVAL_NEVER */
    quanta emitted;          /* since first_step of the problem */
    quanta left_domain;      /* since first_step of the problem */
    quanta entered_sea;      /* likewise; not in left_domain */
    struct heat_sums heat;
    struct ground_sums ground;
};

/* The heat ledger closes if initial + emitted == mobile + solidified + left_domain + cooled. */
struct heat_ledger {
    quanta initial; /* of mobile lava when the run began */
    quanta emitted, mobile, solidified, left_domain, cooled;
};

/* The ledger closes if initial + emitted == mobile + solidified + left_domain + entered_sea. */
struct ledger {
    quanta initial; /* mobile + solidified when the run began */
    quanta emitted, mobile, solidified, left_domain, entered_sea;
    struct heat_ledger heat;
    struct ground_sums ground; /* no lava: in no sum of the above */
};
/* The step at which a variant begins: that of p->from, or p->first_step. */
int64_t fields_begin(const struct problem *p);

/* Whether the stopping rule ended the run of *p in this state. */
bool fields_stopped(const struct fields *f, const struct problem *p);

/* Completes f->heat.cooled, which the variants count modulo 2^64: chooses the number congruent to it with which the
 * heat ledger closes, or is nearest to that. So an error of less than 2^63 in the ledger is still found. */
void fields_complete_cooled(struct fields *f, const struct problem *p);

bool ledger_closes(const struct ledger *l);
bool heat_ledger_closes(const struct heat_ledger *l);

int fields_create(struct fields *f, struct window window, struct error *e);
/* Creates fields without any block. The array of a block that nobody writes takes no memory. */
int fields_create_empty(struct fields *f, struct window window, struct error *e);
void fields_free(struct fields *f); /* all-zero is fine */

static inline size_t fields_block(const struct window *w, int row, int col)
{
    const int across = (w->cols - 1) / FIELDS_BLOCK_COLS + 1;
    return (size_t)(row / FIELDS_BLOCK_ROWS) * (size_t)across + (size_t)(col / FIELDS_BLOCK_COLS);
}

/* The index of a cell of the domain in the arrays; false: the state lacks it. */
bool fields_find(const struct fields *f, int row, int col, size_t *i);

/* The index in arrays of the domain of a cell of the window. */
static inline size_t fields_place(const struct fields *f, const struct problem *p, size_t cell)
{
    return window_in_domain(f->window, cell, p->cols);
}

/* Whether that cell of the window is there. */
static inline bool fields_has(const struct fields *f, int row, int col)
{
    return !f->there || f->there[fields_block(&f->window, row, col)];
}

/* The next cells of a row that are there, from column *end on: *first to *end - 1. False: no more. */
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

/* Loops over each cell i of a row, or over each row, that is there. */
#define FIELDS_ROW(f, row, i)                                                                      \
    for (int first_ = 0, end_ = 0; fields_run(f, row, &first_, &end_);)                            \
        for (size_t at_ = (size_t)(row) * (size_t)(f)->window.cols, i = at_ + (size_t)first_;      \
             i < at_ + (size_t)end_; i++)
#define FIELDS_EACH(f, row, i)                                                                     \
    for (int row = 0; row < (f)->window.rows; row++)                                               \
        FIELDS_ROW (f, row, i)

/* The cell with the largest max_thickness_m, as an index of the arrays; 0 if there is no lava. */
size_t fields_thickest(const struct fields *f);

/* The part of the domain that lava reached, or lay in at the beginning; rows 0: none. */
struct window fields_reach(const struct fields *f);

/* The ledger of *f, whose window has all lava, for a run that began as *p. ERROR_INPUT if lava was
 * too thick somewhere for the arithmetic to be exact, at any time so far. ERROR_FAILED if the ledger
 * does not close, if z - s is not the given terrain somewhere, or if a value is out of range for
 * another reason. */
int fields_ledger(struct ledger *ledger, const struct fields *f, const struct problem *p,
                  struct error *e);

/* A digest of a domain of rows x cols cells, and of the bits of every field and the place of each cell that lava
 * reached or lay in at the beginning (arrival). So it depends neither on the window, as long as that has all of
 * these cells, nor on terrain that lava did not reach. */
uint64_t fields_digest(const struct fields *f, int rows, int cols);

/* Number of cells with different bits in any field; *what names the first such field. A cell that only one state has
 * differs if lava came there. */
size_t fields_differ(const struct fields *a, const struct fields *b, const char **what);

/* Whether two runs have the same sums in their ledgers. */
bool fields_same_sums(const struct fields *a, const struct fields *b);

/* Sum of h in quanta, and the number of cells with h > 0. */
quanta fields_mobile(const struct fields *f, size_t *wet_cells);

/* Writes q in decimal, with a sign if it is negative, into at least 42 bytes; returns buffer. */
char *quanta_text(quanta q, char *buffer);
double quanta_m(quanta q);   /* in metres, rounded to nearest */
double quanta_K_m(quanta q); /* of heat, in K m */
double quanta_J(quanta q,
                const struct params *p); /* in joules: of that heat in the area of a cell */

#ifdef __cplusplus
}
#endif
