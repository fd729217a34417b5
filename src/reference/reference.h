/* reference.h — the CPU variant's state, shared by reference.c and the loops compiled for several
 * instruction sets (loop.c).
 *
 * Rows are divided into chunks of 8 cells, one cache line of doubles. A bitmap marks the chunks
 * that hold lava; no others are visited. The rows are divided among the threads (team.h) in bands
 * of about equal work. Flows into a neighbour's band are collected in a separate row, which the
 * neighbour adds, so that no two threads ever write the same cell. */
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

/* One thread's sums for the ledger, in a cache line of their own, since each thread adds to its sums in every step. */
struct thread_sums {
    quanta left, sea;             /* lava that left the domain, into the sea apart */
    quanta heat_left, solidified; /* heat */
    uint64_t cooled;              /* heat, modulo 2^64 (fields_complete_cooled()) */
} __attribute__((aligned(64)));

/* Flows out of a band, into the row above (0) and the row below (1). */
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
    unsigned char *there; /* blocks of struct fields x words: filled; NULL: all are (reference.c) */
    size_t filled;        /* elements of an array that are filled */
    int words;            /* 64-bit words of a row's bitmap */
    uint64_t *wet, *wet_next; /* (rows + 2) x words; the first and last row stay empty */
    /* Maps of the same shape. touched: chunks with a cell, or beside a cell, that did more than cool in the last step; flows: chunks with
     * cells from which lava might flow in this step (loop.c). */
    uint64_t *touched, *touched_next, *flows;
    uint64_t *marked;                  /* chunks with a vent or a border */
    int *row_chunks, *row_chunks_next; /* rows + 2: number of wet chunks in each row */
    int *row_flows; /* rows: number of cells from which lava flowed in this step (loop.c) */
    struct team *team;
    int most, threads;        /* number of threads: the largest, and that of the present stretch */
    int *band;                /* threads + 1 row numbers */
    struct outside *outside;  /* `most` of them */
    struct thread_sums *sums; /* `most` of them */
    void (*steps)(struct reference *, int64_t);
    int64_t step, stretch_end, end;
    bool stopped;
    quanta emitted, heat_emitted, mobile;
    double seconds;
};

/* The loop of steps, compiled for several instruction sets (loop.c). */
void reference_steps_generic(struct reference *m, int64_t steps);
void reference_steps_avx2(struct reference *m, int64_t steps);
void reference_steps_avx512(struct reference *m, int64_t steps);

extern const struct variant variant_reference;

/* Functions of every variant on processors: its name, and a snapshot that is complete at once. */
int reference_available(const struct variant_options *o, char what[128], struct error *e);
int reference_snapshot_wait(void *self, struct error *e);

/* Marks in a map that `cells` of a chunk, a bit each, have changed. A cell at an end of the chunk marks the next chunk, too. */
static inline void reference_touch(const struct reference *m, uint64_t *map, int row, int chunk,
                                   int cells)
{
    uint64_t *word = map + (size_t)(row + 1) * m->words + chunk / 64;
    const uint64_t bit = 1ULL << chunk % 64, west = cells & 1, east = cells >> (CHUNK - 1) & 1;
    *word |= bit * (cells != 0) | (bit >> 1) * west | (bit << 1) * east;
    if (chunk % 64 == 0 && chunk > 0) word[-1] |= west << 63;
    if (chunk % 64 == 63 && chunk < 64 * m->words - 1) word[1] |= east;
}

/* The loops call these on one thread. */
void reference_emit(struct reference *m, int64_t step);
void reference_reduce(struct reference *m);
/* Divides the rows into a band for each of m->threads, while no flow waits outside a band. Returns the cost of a step in
 * some unit. */
double reference_divide(struct reference *m);
void reference_swap(struct reference *m);

static inline uint64_t *reference_bits(const struct reference *m, uint64_t *map, int row)
{
    return map + (size_t)(row + 1) * m->words;
}
