/* bench_report.h — what a benchmark found, as a table for people and as files: benchmark.csv,
 * .json, .md and .png. */
#pragma once

#include "bench.h"

#include <stdio.h>

enum { BENCH_ROWS_MAX = 64, BENCH_NOTES_MAX = 32 };

struct bench_report {
    const char *command, *version;
    const char *case_name, *title, *terrain; /* terrain: where it comes from */
    char cpu[128], gpu[128];                 /* gpu: empty where there is none */
    int rows_of_grid, cols_of_grid;
    double cell_m;
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
/* The row with a time that fits, or NULL. threads < 0: any number. */
const struct bench_row *bench_find(const struct bench_report *r, const char *variant,
                                   bool full_domain, int threads);

/* The table with its head and notes; Markdown, or plain text for a terminal. */
void bench_print(FILE *f, const struct bench_report *r, bool markdown);

/* Writes the four files into a folder that exists. */
int bench_write(const char *folder, const struct bench_report *r, struct error *e);
