/* ensemble.h — the parts of `sciara ensemble` and `sciara merge` among themselves, and what other
 * commands that compute many runs have in common with them. */
#ifndef SCIARA_CLI_ENSEMBLE_H
#define SCIARA_CLI_ENSEMBLE_H

#include "options.h"
#include "run.h"

#include "base/file_progress.h"
#include "ensemble/engine.h"
#include "ensemble/plan.h"
#include "ensemble/plan_supply.h"
#include "ensemble/report.h"
#include "ensemble/ensemble_state.h"

#include <pthread.h>
#include <stdbool.h>

struct command;

struct ensemble_request {
    const char *plan, *output, *shard_text; /* output NULL: output/NAME-OF-PLAN */
    double until_error;                     /* < 0: as the plan says */
    double checkpoint_s;                    /* between two states on the disk */
    int threads;                            /* 0: all */
    int variant;                            /* of ensemble_variants */
    const char *devices;                    /* NULL: the first */
    int pairs;                              /* of ensemble_pairs, from 1; 0: none */
    bool list, resume, quiet, json;
    unsigned formats; /* OUTPUT_SVG, OUTPUT_PDF, OUTPUT_KMZ, OUTPUT_QGIS, RUN_HTML: beside the
                           usual files */
    struct run_map map;
    bool share_devices; /* of sciara_mpi: several ranks on one */
};

struct ensemble_devices {
    int count; /* 0: the processors compute */
    int number[ENGINE_DEVICES_MAX];
};
extern const char *const ensemble_variants[];
int ensemble_devices(struct ensemble_devices *d, const struct ensemble_request *q, struct error *e);

/* Threads that make devices ready while plans are read; all that were begun are waited for. */
struct devices_warming {
    int count;
    struct device_warming {
        pthread_t thread;
        int device;
    } of[ENGINE_DEVICES_MAX];
};
void devices_warm(struct devices_warming *w, const struct ensemble_devices *d);
void devices_ready(struct devices_warming *w);

/* Rows common to the commands that compute many runs; WHAT: "ensemble", "search". */
#define ENSEMBLE_OPERAND_PLAN(HELP)                                                                \
    OPERAND("PLAN", option_text, plan, HELP " (docs/formats.md)", .completes = COMPLETE_CASE)
#define ENSEMBLE_OPTION_RESUME(MEMBER, WHAT)                                                       \
    OPTION_FLAG("--resume", MEMBER,                                                                \
                "resume the " WHAT                                                                 \
                " in that folder, with the same bits; start one if there is none")
#define ENSEMBLE_OPTION_CHECKPOINT(MEMBER)                                                         \
    OPTION("--checkpoint", "S", option_span, MEMBER,                                               \
           "seconds between two states of the ensemble on the disk, at most 45; a crash loses at " \
           "most this work and the members being computed",                                        \
           .plain = TIMES_SECONDS, .usual = "30")
#define ENSEMBLE_OPTION_VARIANT(MEMBER)                                                            \
    OPTION("--variant", "NAME", option_choice, MEMBER,                                             \
           "device: reference, the processors; batch, a GPU; auto, a GPU if there is one",         \
           .choices = ensemble_variants, .usual = "auto")
#define ENSEMBLE_OPTION_DEVICES(MEMBER)                                                            \
    OPTION("--devices", "N,N...", option_text, MEMBER,                                             \
           "numbers of the GPUs that compute together, such as 0,1", .usual = "0")
#define ENSEMBLE_OPTION_FORMATS(MEMBER, NAMES, AND_MORE)                                           \
    OPTION("--format", "LIST", option_bits, MEMBER,                                                \
           "additional formats, separated by commas: svg, pdf, of maps and diagrams, which are "   \
           "always PNG" AND_MORE,                                                                  \
           .choices = NAMES, .bits = ensemble_format_bits, .list = true, .usual = "none")
#define ENSEMBLE_OPTION_PICTURES(MEMBER) ENSEMBLE_OPTION_FORMATS(MEMBER, ensemble_pictures, "")
#define ENSEMBLE_OPTION_FORMAT(MEMBER)                                                             \
    ENSEMBLE_OPTION_FORMATS(MEMBER, ensemble_formats,                                              \
                            "; html, report.html for a browser; kmz, the layers for Google "       \
                            "Earth; qgis, a style for each layer")
extern const char *const ensemble_formats[], *const ensemble_pictures[];
extern const unsigned ensemble_format_bits[]; /* of the names of either */

/* The page of a folder that was written just now, if it is asked for, also if files are missing;
 * status and *e: those of the files. And whether it could be written there, before anything is. */
int ensemble_page_check(unsigned formats, const char *folder, struct error *e);
int ensemble_page(const struct output_info *info, unsigned formats, const char *plan, int status,
                  struct error *e);

/* What is asked for of --format, and PNG, into info->formats. ERROR_INPUT where a KMZ is, and the
 * case has no longitude and latitude. */
int ensemble_formats_take(struct output_info *info, unsigned formats, const struct sim_case *c,
                          struct error *e);

/* The page of maps into info->pictures; ERROR_INPUT where it is too small or too large. */
int ensemble_map(struct output_info *info, const struct run_map *m, struct error *e);

extern const struct option_exit ensemble_exits[]; /* their exit statuses */

/* A plan with what becomes of it. */
struct ensemble_job {
    struct plan *plan;
    struct plan_supply supply;
    struct ensemble s;
    int threads; /* that there is memory for */
    struct ensemble_devices devices;
    int ranks, gpus;             /* of sciara_mpi, 0: none; that computed, of all ranks */
    struct engine_counts counts; /* of devices */
    struct report_share *share;  /* of devices or ranks, malloc'ed */
    int shares;
    unsigned formats; /* as asked for */
    struct run_map map;
    char *path, *folder, *state; /* of the plan; for the files; the state in it */
    struct output_info info;
    struct file_progress progress; /* of what is written: a second Ctrl-C ends that too */
    struct output_folder files;
    double began_s, load_s, compute_s;
    enum engine_end end;
};

/* Reads the plan and makes an ensemble of nothing; processes: that share the machine; threads:
 * those asked for. */
int ensemble_job_open(struct ensemble_job *j, const char *plan, int processes, int threads,
                      struct shard shard, struct error *e);
/* The folder, NULL: output/NAME. Where it holds an ensemble that is not finished, `resume` goes on
 * with it; otherwise what an earlier one left is removed. */
int ensemble_job_take_folder(struct ensemble_job *j, const char *folder, bool resume,
                             struct error *e);
/* All files, also the page, and then what is printed. */
int ensemble_job_finish(struct ensemble_job *j, bool quiet, bool json, struct error *e);
void ensemble_job_free(struct ensemble_job *j); /* all-zero is fine */

/* The line on a terminal. */
struct ensemble_line {
    bool on;
    double shown_s;
};
void ensemble_line_show(struct ensemble_line *l, const struct engine_progress *now);
void ensemble_line_clear(struct ensemble_line *l);

/* The options of `ensemble` into *q. As options_parse(). */
int ensemble_parse(struct ensemble_request *q, const struct command *c, int argc, char **argv,
                   struct error *e);

int ensemble_list(const struct plan *p, struct error *e); /* --list */
int ensemble_run(const struct ensemble_request *q, struct error *e);
int pairs_job(const struct ensemble_request *q, struct error *e); /* --with-and-without */

#endif
