/* study.h — what all studies have in common. A study is a table of functions, as a variant is (sim/variant.h). This
 * file declares the loop that runs any study: folder, state, resuming, rounds, progress.
 *
 *     study_open ─► study_take_folder ─► study_compute: round, state, round, state, ... ─► study_write
 *
 * Results depend neither on the length of the rounds, nor on the threads or devices that compute them, nor on
 * interruptions. */
#pragma once

#include "run/output.h"
#include "state.h"

#include "base/clock.h"
#include "base/file_progress.h"

struct study_progress {
    const char *stage;  /* "members", "morris", "searching", ... */
    int64_t done, all;  /* runs; in a calibration only those of the present population */
    int64_t begun_with; /* runs that an earlier process did */
    double elapsed_s;   /* since the rounds began */
    /* Largest standard error of an ensemble, computed from time to time; 0: not known. */
    double error;
    int64_t evaluations; /* number of evaluations of a calibration before the present population */
    int64_t budget;      /* the most evaluations; 0: not a calibration */
    int64_t generation;  /* number of populations of a calibration */
    int restart;         /* number of restarts of the search of a calibration */
    double best;         /* best score of a calibration; NaN: none yet */
    double tolerance;    /* tolerance of a posterior; NaN: none yet */
};

/* Called about ten times a second on the caller's thread. True: stop. */
typedef bool study_tell(const struct study_progress *now, void *user);

enum { STUDY_CHECKPOINT_S = 30 };

/* A study that is being computed. The caller fills in all fields before `self`. */
struct study_job {
    const struct study *study;
    const char *plan; /* path of the plan */
    /* Options of this study: struct ensemble_options, ...; NULL: as in the plan. */
    const void *options;
    bool resume;
    /* With `resume`: a state of another plan is moved aside, and the study begins anew. */
    bool or_anew;
    /* Libraries and states of another plan in the folder are removed; false: they are moved aside. */
    bool replace;
    /* Name of a command that never resumes. It may replace a state that the same command has left. NULL: none. */
    const char *as;
    /* The job has every member that the state in the folder has. So it may replace an unfinished state of the same
     * plan. */
    bool covers;

    int threads; /* >= 1; a study may lower it to what the memory allows */
    /* CUDA's numbers of the GPUs that compute instead of threads. */
    const int *device;
    int device_count;    /* study_open() sets it to 0 if only processors can compute the case */
    double checkpoint_s; /* time between states of an ensemble; 0: STUDY_CHECKPOINT_S */
    study_tell *tell;    /* NULL: no progress is reported */
    void *user;          /* passed to tell() */

    void *self; /* the study's own structure; study_open() creates it and sets c */
    const struct sim_case *c;
    char *folder, *state; /* paths; NULL: no file is written */
    bool anew;            /* `resume` is set, but the folder has no state of this study */
    struct output_info info;
    struct output_folder files;
    struct made_by by;             /* all that decides the results */
    struct file_progress progress; /* progress of writing files */

    bool stopped; /* tell() has returned true */
    /* began_s: time of study_open() on the monotonic clock. load_s, compute_s: durations of study_open() and of all
     * rounds. */
    double began_s, load_s, compute_s;
    double loop_s, took_s; /* when the loop began; duration of the last round */
    double total_s;        /* time from study_open() until the files are written */
    int64_t begun_with;    /* runs that were done when the loop began */
    int64_t round;         /* number of units in the last round, see study_round(); 0: none yet */
    size_t round_bytes;    /* bytes of the last round's lists of cells */
};

struct study {
    const char *name; /* "pairs" */
    size_t size;      /* size of *job->self, bytes */
    const char *file; /* name of its state file: "pairs.state" */
    /* Appended to the folder's name, output/NAME-OF-PLAN, unless the name already has it. */
    const char *ending;
    /* Writes the name (TIMES_TEXT bytes) of the folder of results within output/NAME-OF-PLAN and `ending`. NULL: the
     * results are not in a folder of their own. */
    void (*dated)(const void *self, char *out);
    const struct state_kind *state;    /* NULL: the study is never resumed */
    const struct product_table *files; /* what the study writes (products.h) */

    /* Reads the plan and the files that it names into job->self, and sets job->c. Before, *job->self is all zero.
     * close() is called even if open() fails. */
    int (*open)(struct study_job *j, struct error *e);
    void (*close)(void *self);
    /* join() reads what resuming needs in addition to job->state; NULL: nothing. left() returns whether the study
     * can resume from the folder; NULL: it can if the file job->state is there. */
    int (*join)(struct study_job *j, struct error *e);
    bool (*left)(const char *folder);
    /* Returns ERROR_INPUT if the study must not replace the results in the folder. NULL: the study replaces any
     * results. */
    int (*spare)(const struct study_job *j, struct error *e);

    /* Whether there is a next round; NULL: the study has a single round. */
    bool (*unfinished)(void *self);
    int64_t (*runs)(const void *self); /* number of runs done; 0: there is nothing to write */
    /* Computes one round. The round does not count if study_show() has returned true. */
    int (*round)(struct study_job *j, struct error *e);
    bool saves; /* round() writes the state itself */
    /* Checks the results after the last round. NULL: there is no check. */
    int (*check)(struct study_job *j, struct error *e);

    /* Adds warnings about the present results. NULL: there are none. */
    void (*warn)(const struct study_job *j, struct warnings *w);
    /* Returns the digest of plan and results, after write(). NULL: the study has no digest. */
    uint64_t (*digest)(const void *self);
    /* write() writes all files except the summary. summary() returns the text of the summary, which the caller frees;
     * NULL: out of memory. */
    int (*write)(const struct study_job *j, struct error *e);
    char *(*summary)(const struct study_job *j);
};

/* The first fields of most studies. The state file is NAME.state, and the names of folders end in -NAME. The source
 * file of the study has the functions open_study() and close_study(). */
#define STUDY_NAMED(word, type)                                                                    \
    .name = (word), .size = sizeof(type), .file = word ".state", .ending = "-" word,               \
    .open = open_study, .close = close_study

/* All warnings about the case and the results. */
struct warnings study_told(const struct study_job *j);

/* study_summary() begins summary.json with the plan and its digest, warnings, and the grid. study_summary_text() adds
 * files and times, frees root and returns the text, which the caller frees. `computing`: the key for the duration of
 * the rounds. NULL: out of memory. */
struct cJSON *study_summary(const struct study_job *j, uint64_t plan_digest);
char *study_summary_text(const struct study_job *j, struct cJSON *root, const char *computing);

/* Whether only processors can compute members of the case. On a GPU, all members of a batch have one terrain from the
 * first step to the last. So a GPU cannot compute changes of the terrain, or a start from a state. */
bool study_needs_processors(const struct sim_case *c);

/* Opens job->study. The caller has filled in all fields before `self`. */
int study_open(struct study_job *j, struct error *e);
void study_close(struct study_job *j); /* all-zero is fine */

/* Sets job->folder and job->state. If folder is NULL, the name is output/NAME-OF-PLAN and the study's ending. */
int study_name_folder(struct study_job *j, const char *folder, struct error *e);

/* Checks that the files of job->info.formats, with job->info.pictures, can be written to job->folder. With job->resume
 * the study continues from the state in the folder; job->anew is set if there is no state. ERROR_INPUT: the folder has
 * an unfinished study that the job does not resume, or a file that sciara did not write (output.h). No file in the
 * folder changes yet. job->files.notice names the files that will be moved aside. */
int study_take_folder(struct study_job *j, struct error *e);

/* Computes all rounds and writes the state after each. The state is the first file in the folder. */
int study_compute(struct study_job *j, struct error *e);

/* Writes all files except the state, which study_compute() writes. */
int study_write(struct study_job *j, struct error *e);

/* ---- for studies ----------------------------------------------------------------------------- */

/* The number of units in the next round, at most `left`. The next round takes about 20 seconds if it is as fast as the
 * last round. A unit has `runs` runs. A crash loses one round. */
int64_t study_round(struct study_job *j, double runs, int64_t left);

/* Reports the progress. True: stop; job->stopped is set. */
bool study_show(struct study_job *j, struct study_progress *now);

/* "complete" or "interrupted" */
const char *study_end(const struct study_job *j);
