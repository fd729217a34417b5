/* bench.h — timing variants whose results are checked to the bit.
 *
 * First a reference run gives the states that every variant has to reproduce; then each variant
 * runs a few times. The run that warms up stops at the step where most cells hold mobile lava, for
 * in the end nearly all lava may have solidified, and the little that remains proves nothing. */
#pragma once

#include "case/case.h"
#include "sim/held.h"

#include <stdio.h>

struct bench_states {
    struct fields peak,
        end; /* after the step with most wet cells of those sampled; after the last one */
    size_t peak_wet, end_wet;
    int64_t steps;   /* made from the problem's first step on */
    int threads;     /* of the reference */
    int64_t sampled; /* wet cells were counted after every so many steps; 1: after each */
    double updates;  /* sum over all steps of the cells with h > 0 at the step's end; an estimate,
                        linear between samples, where sampled > 1 */
};

/* Runs the reference on one thread (on all of the machine where the grid is large), only where lava
 * is, up to step `last`. ERROR_INPUT if there is never any lava, because a comparison would be
 * meaningless. */
int bench_reference(struct bench_states *s, const struct problem *p, int64_t last, struct error *e);
void bench_states_free(struct bench_states *s); /* all-zero is fine */

enum bench_verdict {
    BENCH_EQUAL, /* every field, equal bits */
    BENCH_WRONG, /* it differs; no times */
    BENCH_OTHER, /* it computes in another arithmetic on purpose: not compared */
    BENCH_NONE,  /* it could not run; no times */
};

struct bench_span {
    double median, min, max;
};

struct bench_row {
    const char *variant;
    bool full_domain;
    int threads; /* 0: on a GPU */
    enum bench_verdict verdict;
    char why[200];              /* where it is WRONG, or what kept it from running */
    int runs;                   /* that were counted */
    struct bench_span steps_ms; /* the steps themselves */
    struct bench_span total_ms; /* creating, steps, and the last state back on the host */
    size_t memory_bytes;        /* where the simulation lives */
};

struct bench_plan {
    int repeat; /* runs, of which the first warms up and is not counted, unless it is the only one
                 */
    double
        limit_s; /* no further run once the counted ones, or a warm-up on the CPU, took so long */
    const struct bench_states *states; /* NULL: nothing is compared, BENCH_OTHER */
    int64_t last;                      /* step */
};

/* Measures one variant on *p (with its full_domain); *row has variant and threads filled in. A
 * variant that fails or differs is a row that says so, not an error. */
int bench_measure(struct bench_row *row, const struct variant *v, const struct problem *p,
                  const struct variant_options *o, const struct bench_plan *plan, struct error *e);

/* ---- bench_report.c: what was found, as a table for people and as files ---------------------- */

enum { BENCH_ROWS_MAX = 64, BENCH_NOTES_MAX = 32 };

struct bench_report {
    const char *command;
    const struct sim_case *c;
    char cpu[128], gpu[128]; /* gpu: empty where there is none */
    const struct bench_states *states;
    int count;
    struct bench_row row[BENCH_ROWS_MAX];
    int notes; /* what is missing, and how rows compare */
    char note[BENCH_NOTES_MAX][400];
};

/* Adds a note; what does not fit any more is dropped. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
bench_note(struct bench_report *r, const char *format, ...);

bool bench_timed(const struct bench_row *row);
double bench_us_per_step(const struct bench_report *r, const struct bench_row *row);
double bench_updates_per_s(const struct bench_report *r, const struct bench_row *row);
/* How many times as fast as `global` over the same part of the domain; NaN where either has no
 * time. */
double bench_versus_global(const struct bench_report *r, const struct bench_row *row);
/* Notes: that a variant is not there, beside others with the same reason; the window at the end; and how rows of processors compare
 * with each other and with published arithmetic. */
void bench_note_missing(struct bench_report *r, const char *name, const char *reason);
void bench_note_window(struct bench_report *r);
void bench_compare_processors(struct bench_report *r);

/* The table with its head and notes. */
void bench_print(FILE *f, const struct bench_report *r);

/* ERROR_INPUT: in the folder one of these names has a file that bench_write() has not written, or that was changed. */
int bench_spare(const char *folder, struct error *e);
/* Writes benchmark.csv and .png into a folder that exists. */
int bench_write(const char *folder, const struct bench_report *r, struct error *e);
