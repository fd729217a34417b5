/* bench.h — times variants, and checks that their results have the right bits.
 *
 * First a reference run gives the states that every variant has to reproduce; then each variant runs a few times. The
 * warm-up run also compares the state at the step with most cells of mobile lava. At the last step nearly all lava may
 * have solidified, and equal bits would prove little. */
#pragma once

#include "case/case.h"
#include "sim/held.h"

#include <stdio.h>

struct bench_states {
    /* Two states: after the sampled step with the most wet cells, and after the last step. */
    struct fields peak, end;
    size_t peak_wet, end_wet;
    int64_t steps;   /* number of steps from the first step of the problem on */
    int threads;     /* number of threads of the reference */
    int64_t sampled; /* steps between two counts of wet cells */
    double updates;  /* sum over all steps of the number of wet cells at the end of the step;
                      * if sampled > 1, an estimate: linear between samples */
};

/* Runs the reference up to step `last`. It computes only cells with lava, on one thread or, if the grid is large, on
 * all threads. ERROR_INPUT: there is never lava, so a comparison would prove nothing. */
int bench_reference(struct bench_states *s, const struct problem *p, int64_t last, struct error *e);
void bench_states_free(struct bench_states *s); /* all-zero is fine */

enum bench_verdict {
    BENCH_EQUAL, /* all fields have equal bits */
    BENCH_WRONG, /* some field differs; no times */
    BENCH_OTHER, /* published arithmetic: not compared */
    BENCH_NONE,  /* the variant could not run; no times */
};

struct bench_span {
    double median, min, max;
};

struct bench_row {
    const char *variant;
    bool full_domain;
    int threads; /* 0: on a GPU */
    enum bench_verdict verdict;
    char why[200];              /* how the variant is WRONG, or why it could not run */
    int runs;                   /* number of runs that count */
    struct bench_span steps_ms; /* time of the steps alone */
    struct bench_span total_ms; /* time of creating, of the steps, and of copying the last state
                                 * to the host */
    size_t memory_bytes;        /* memory that the variant uses on its device */
};

struct bench_plan {
    /* number of runs; the first run warms up and does not count, unless it is the only run */
    int repeat;
    /* Time limit: no further run begins when all runs so far, with the warm-up, have taken this time. On a GPU one
     * run follows the warm-up in any case. */
    double limit_s;
    const struct bench_states *states; /* NULL: nothing is compared, and the verdict is OTHER */
    int64_t last;                      /* the last step */
};

/* Measures a variant on *p; p->full_domain decides whether it computes every cell. The caller has filled in variant and
 * threads of *row. If the variant fails or differs, the row states this, and the status is 0. */
int bench_measure(struct bench_row *row, const struct variant *v, const struct problem *p,
                  const struct variant_options *o, const struct bench_plan *plan, struct error *e);

/* ---- bench_report.c: the results, as a table and as files ------------------------------------ */

enum { BENCH_ROWS_MAX = 64, BENCH_NOTES_MAX = 32 };

struct bench_report {
    const char *command;
    const struct sim_case *c;
    char cpu[128], gpu[128]; /* gpu: "" if there is none */
    const struct bench_states *states;
    int count;
    struct bench_row row[BENCH_ROWS_MAX];
    int notes; /* number of notes on what is missing and how rows compare */
    char note[BENCH_NOTES_MAX][400];
};

/* Adds a note, unless there are BENCH_NOTES_MAX already. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
bench_note(struct bench_report *r, const char *format, ...);

bool bench_timed(const struct bench_row *row);
double bench_us_per_step(const struct bench_report *r, const struct bench_row *row);
double bench_updates_per_s(const struct bench_report *r, const struct bench_row *row);
/* The time of `global`, on the same part of the domain, divided by the time of a row; NaN: `global` or the row has no
 * time. */
double bench_versus_global(const struct bench_report *r, const struct bench_row *row);
/* bench_note_missing() notes that a variant is missing; variants with the same reason share a note.
 * bench_note_window() notes the size of the window at the end. bench_compare_processors() notes how fast processors
 * are, compared with each other and with the published arithmetic. */
void bench_note_missing(struct bench_report *r, const char *name, const char *reason);
void bench_note_window(struct bench_report *r);
void bench_compare_processors(struct bench_report *r);

/* Prints the table with its head and notes. */
void bench_print(FILE *f, const struct bench_report *r);

/* ERROR_INPUT: bench_write() would overwrite a file that is not its own, or that was changed since it was written. */
int bench_spare(const char *folder, struct error *e);
/* Writes benchmark.csv and .png into a folder that exists. */
int bench_write(const char *folder, const struct bench_report *r, struct error *e);
