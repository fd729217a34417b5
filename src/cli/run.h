/* run.h — the parts of `sciara run` among themselves. */
#ifndef SCIARA_CLI_RUN_H
#define SCIARA_CLI_RUN_H

#include "case/case.h"
#include "compare/lava_extent.h"
#include "output/output.h"
#include "reference/published.h"
#include "sim/variant.h"
#include "base/watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- run_options.c: the command line ------------------------------------------------------- */

struct run_options {
    const char *case_path;
    const char *variant; /* NULL: the fastest one that this machine can run */
    const char *output;  /* NULL: output/NAME-OF-CASE */
    int64_t steps;       /* last step; 0: as the case says */
    int64_t every;       /* steps between snapshots, 0: only the end; -1: as the case says */
    double stop_below_m; /* stop when the mobile thickness sums up to this; < 0: as the case says */
    unsigned formats;    /* enum output_format */
    struct variant_options machine;
    bool full_domain, published, no_output, quiet, json;
};

/* `fixed`: the variant that the program sciara_NAME is, NULL for `sciara run`. As options_parse. */
int run_options_parse(struct run_options *o, const char *fixed, int argc, char **argv,
                      struct error *e);

enum { RUN_STEPS_MAX = 2147483646 }; /* an arrival is a 32-bit step */
enum { RUN_THREADS_MAX = 1024, RUN_DEVICE_MAX = 1023 };

/* Rows of the tables of run and benchmark alike; `offset` is that of the value. */
#define RUN_OPERAND_CASE(offset)                                                                   \
    {                                                                                              \
        .name = "CASE", .set = option_text, .at = (offset), .completes = COMPLETE_FILE,            \
        .help = "a case file (docs/formats.md), or an original NAME_000000000000.cfg"              \
    }
#define RUN_OPERAND_STEPS(offset)                                                                  \
    {                                                                                              \
        .name = "STEPS", .set = option_whole, .at = (offset), .low = 1, .high = RUN_STEPS_MAX,     \
        .optional = true, .help = "the last step", .usual = "the maximum of the case"              \
    }
#define RUN_OPTION_DEVICE(offset)                                                                  \
    {                                                                                              \
        .name = "--device", .value = "N", .set = option_int, .at = (offset),                       \
        .high = RUN_DEVICE_MAX, .preset = "0", .help = "number of the CUDA device"                 \
    }

/* ---- choice.c: which variant ---------------------------------------------------------------- */

/* Of the variants that were built, the n-th fastest, n = 0, 1, ...; those not measured are last.
 * NULL: no more. */
const struct variant *choice_fastest(int n);

/* Names of all variants that there are, built or not: those in that order, then the others. */
const char *choice_name(int n);

/* The variant of that name. ERROR_INPUT: unknown; ERROR_DEVICE: it was not built. */
int choice_named(const struct variant **v, const char *name, struct error *e);

/* ---- interrupt.c: Ctrl-C -------------------------------------------------------------------- */

void interrupt_watch(void); /* from now on SIGINT and SIGTERM do no more than to be noted */
bool interrupt_seen(void);

/* ---- waiting.c: the line on the terminal while files are read and written -------------------- */

/* A thread that says every now and then what is being done, how far it is, and since when. */
struct waiting {
    bool on, over;
    const char *doing, *name;
    struct watch *watch;
    double began_s;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
};

/* "DOING NAME  file 2: 42 %  0:03", from half a second on; the texts have to last. */
void waiting_begin(struct waiting *w, bool on, const char *doing, const char *name,
                   struct watch *watch);
void waiting_end(struct waiting *w); /* leaves an empty line; a second time does nothing */

/* ---- progress.c: the line on the terminal while steps are computed --------------------------- */

double clock_now_s(void); /* since some moment in the past */

struct progress {
    bool on;
    int64_t first_step, last_step; /* last_step 0: not known */
    double clock_s;                /* length of a step */
    double area_m2;                /* of a cell */
    double began_s, shown_s;
};

void progress_show(struct progress *p, const struct variant_status *now);
void progress_clear(struct progress *p);

/* ---- run_loop.c: steps and snapshots -------------------------------------------------------- */

struct run {
    const struct run_options *options;
    struct sim_case c;
    const struct variant *variant;
    void *simulation;
    char device[128];
    char *directory;
    struct output_info info;
    struct output_writer *writer; /* NULL: nothing is written */
    struct variant_status now;
    struct fields state; /* of a snapshot; made before the run, as it may not fit into memory */
    bool copying;        /* into the state, since the last batch of steps */
    struct output_summary summary;
    struct watch watch; /* of what is read or written at present */
};

int run_loop(struct run *r, struct error *e);
bool run_shows_progress(const struct run *r); /* on a terminal, and not --quiet */

/* ---- run_report.c: the last words ----------------------------------------------------------- */

void run_report(const struct run *r);

#endif
