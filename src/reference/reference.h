/* reference.h — the CPU variant's simulation, for reference.c and loop.c. loop.c is compiled once for each instruction
 * set.
 *
 * Rows are divided into chunks of 8 cells, one cache line of doubles. A bitmap marks the chunks with lava. Only marked
 * chunks, and the chunks next to them, are visited. The rows are divided into bands of about equal work, one for each
 * thread (team.h). A thread collects flows into the next band in a separate row, and the thread of this band adds them.
 * So no two threads write the same cell. */
#pragma once

#include "sim/fields.h"
#include "sim/grid.h"
#include "model/physics.h"
#include "sim/variant.h"
#include "team.h"

enum {
    CHUNK = 8,
    QUEUE = 256,
    REFERENCE_ROOM = 16 /* steps from one call of reference_fill_near() to the next */
};

/* One thread's sums for the ledger. Each thread adds to its sums in every step, so they have their own cache line. */
struct thread_sums {
    quanta left, sea; /* lava that left the domain; lava that entered the sea */
    /* heat_left: heat of the lava in `left` and of the lava in `sea`; solidified: heat of solidified lava */
    quanta heat_left, solidified;
    uint64_t cooled; /* heat, modulo 2^64 (fields_complete_cooled()) */
} __attribute__((aligned(64)));

/* Flows from a band into the row above it (0) and the row below it (1). */
struct outside {
    double *gain_m[2];
    int64_t *heat[2];
};

struct reference {
    const struct problem *problem;
    struct grid g;
    struct physics physics;
    double *z, *h, *T, *s, *max_total_m, *max_temp_K; /* padded arrays, grid.h */
    int32_t *arrival;
    uint8_t *flag;
    double *gain_m; /* inflow minus outflow; 0 between steps */
    int64_t *heat;
    unsigned char *there;     /* 1 for each filled block; NULL: all are filled */
    size_t filled;            /* number of filled elements of an array of cells */
    int words;                /* 64-bit words of a row's bitmap */
    uint64_t *wet, *wet_next; /* chunks with lava: (rows + 2) x words; the first and last row stay
                                 empty */
    /* Maps with the shape of `wet`, set by reference_touch(). touched marks cells whose z or h changed in the last
     * step, or whose T rose. flows marks cells from which lava may flow in this step (loop.c). */
    uint64_t *touched, *touched_next, *flows;
    uint64_t *marked;                  /* chunks with a vent or a border */
    int *row_chunks, *row_chunks_next; /* [1 + row]: number of wet chunks of the row */
    int *row_flows; /* [rows]: cells from which lava flowed in this step, per row (loop.c) */
    struct team *team;
    int most, threads;        /* largest number of threads; number in the present stretch */
    int *band;                /* threads + 1 row numbers: where each band begins, and the end */
    struct outside *outside;  /* for each of `most` threads */
    struct thread_sums *sums; /* for each of `most` threads */
    void (*steps)(struct reference *, int64_t);
    int64_t step, stretch_end, end;
    bool stopped;
    quanta emitted, heat_emitted, mobile;
    double seconds;
};

/* Each makes `steps` steps, with one instruction set (loop.c). */
void reference_steps_generic(struct reference *m, int64_t steps);
void reference_steps_avx2(struct reference *m, int64_t steps);
void reference_steps_avx512(struct reference *m, int64_t steps);

extern const struct variant variant_reference;

/* Functions of both CPU variants. reference_available() finds the name of the processor. reference_snapshot_wait() does
 * nothing, because a snapshot is complete at once. */
int reference_available(const struct variant_options *o, char what[128], struct error *e);
int reference_snapshot_wait(void *self, struct error *e);

/* Marks in a map a chunk with changed cells. `cells` has a bit for each changed cell. The first or last cell of the
 * chunk also marks the chunk next to it. */
static inline void reference_touch(const struct reference *m, uint64_t *map, int row, int chunk,
                                   int cells)
{
    uint64_t *word = map + (size_t)(row + 1) * m->words + chunk / 64;
    const uint64_t bit = 1ULL << chunk % 64, west = cells & 1, east = cells >> (CHUNK - 1) & 1;
    *word |= bit * (cells != 0) | (bit >> 1) * west | (bit << 1) * east;
    if (chunk % 64 == 0 && chunk > 0) word[-1] |= west << 63;
    if (chunk % 64 == 63 && chunk < 64 * m->words - 1) word[1] |= east;
}

/* LOOP() and end_step() of loop.c call these functions, on one thread. */
void reference_emit(struct reference *m, int64_t step);
void reference_reduce(struct reference *m);
/* Divides the rows into m->threads bands. Before the call, each flow out of a band must have been added to its cell
 * (loop.c). Returns the cost of a step, in a unit that is the same for all steps of all runs. */
double reference_divide(struct reference *m);
void reference_swap(struct reference *m);

static inline uint64_t *reference_bits(const struct reference *m, uint64_t *map, int row)
{
    return map + (size_t)(row + 1) * m->words;
}
