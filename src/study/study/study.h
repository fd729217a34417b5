/* study.h — what all studies have in common. A study is a table of functions, as a variant is
 * (sim/variant.h). The loop around them is here: folder, state, resuming, rounds, progress.
 *
 *     study_open ─► study_take_folder ─► study_compute: round, state, round, state, ... ─► study_write
 *
 * Rounds compute the same bits however long they are, whoever computes them, and wherever the
 * study was interrupted. To add a study: one table, in a room above this one. */
#pragma once

#include "run/output.h"
#include "state.h"

#include "base/clock.h"
#include "base/file_progress.h"

struct study_progress {
    const char *stage;  /* "members", "morris", "searching", ... */
    int64_t done, all;  /* runs; of a calibration those of the present population */
    int64_t begun_with; /* runs that an earlier process did */
    double elapsed_s;   /* since computing began */
    double error;       /* largest standard error of an ensemble, from time to time; 0: not known */
    int64_t evaluations; /* of a calibration, before the present population */
    int64_t budget;      /* the most evaluations; 0: not a calibration */
    int64_t generation;  /* populations of a calibration */
    int restart;         /* how often its search has begun again */
    double best;         /* its best score; NaN: none yet */
    double tolerance;    /* of a posterior; NaN: none yet */
};

/* Called some ten times a second on the caller's thread. True: stop. */
typedef bool study_tell(const struct study_progress *now, void *user);

enum { STUDY_CHECKPOINT_S = 30 };

/* A study on its way. The caller fills in the first two blocks. */
struct study_job {
    const struct study *study;
    const char *plan;    /* its path */
    const void *options; /* the study's: struct ensemble_options, ...; NULL: as in the plan */
    bool resume;
    bool or_anew; /* with `resume`: a state of another plan is set aside */
    bool replace; /* costly results of another plan are removed, not set aside */
    /* Name of a command that never resumes: it replaces a state that it has left itself. NULL: none. */
    const char *as;
    /* The job computes all that an unfinished state of the same plan is for, and replaces it. */
    bool covers;

    int threads;         /* >= 1; a study may lower it to what the memory allows */
    const int *device;   /* devices that compute in place of threads; numbers as CUDA's */
    int device_count;    /* study_open() sets it to 0 where only processors can compute */
    double checkpoint_s; /* time between states of an ensemble; 0: STUDY_CHECKPOINT_S */
    study_tell *tell;    /* NULL: nobody is told */
    void *user;          /* passed to tell() */

    void *self; /* the study's own structure; study_open() makes it and c */
    const struct sim_case *c;
    char *folder, *state; /* paths; NULL: nothing is written */
    bool anew;            /* `resume` is set, but the folder has no state of this study */
    struct output_info info;
    struct output_folder files;
    struct made_by by;             /* what decides the results */
    struct file_progress progress; /* of writing files */

    bool stopped;                      /* tell() asked for it */
    double began_s, load_s, compute_s; /* by the monotonic clock; load_s: time of study_open() */
    double loop_s, took_s;             /* when the loop began; duration of the last round */
    double total_s;                    /* from study_open() until the files are written */
    int64_t begun_with;                /* runs done when the loop began */
    int64_t round;                     /* units of the last round, 0: none yet */
    size_t round_bytes;                /* size of the last round's lists */
};

struct study {
    const char *name;   /* "pairs" */
    size_t size;        /* of *job->self */
    const char *file;   /* name of its state: "pairs.state" */
    const char *ending; /* ends its folder's name: output/NAME-OF-PLAN and this, once */
    void (*dated)(const void *self, char *out); /* names a folder in it (TIMES_TEXT); NULL: none */
    const struct state_kind *state;             /* NULL: it is never resumed */
    const struct product_table *files;          /* what the study writes (products.h) */

    /* Reads the plan and all that it names into job->self, all zero before, and sets job->c. close()
     * is called also after an error. */
    int (*open)(struct study_job *j, struct error *e);
    void (*close)(void *self);
    /* join() reads what resuming needs besides job->state; NULL: nothing. left(): whether there is anything to resume
     * from; NULL: job->state is all. */
    int (*join)(struct study_job *j, struct error *e);
    bool (*left)(const char *folder);
    /* ERROR_INPUT if what the study would replace in its folder is worth more; may be NULL. */
    int (*spare)(const struct study_job *j, struct error *e);

    bool (*unfinished)(void *self);    /* whether there is a next round; NULL: there is one alone */
    int64_t (*runs)(const void *self); /* runs that are done; 0: nothing is to be written */
    /* Computes some more; nothing of it counts if study_show() has returned true. */
    int (*round)(struct study_job *j, struct error *e);
    bool saves; /* round() writes the state itself */
    /* Checks the results after the last round; NULL: there is nothing to check. */
    int (*check)(struct study_job *j, struct error *e);

    /* Adds warnings about the results, as they are now; NULL: there are none. */
    void (*warn)(const struct study_job *j, struct warnings *w);
    uint64_t (*digest)(const void *self); /* of plan and results, after write(); or NULL */
    /* Writes all files but the summary; summary() returns its text, malloc'ed; NULL: out of memory. */
    int (*write)(const struct study_job *j, struct error *e);
    char *(*summary)(const struct study_job *j);
};

/* The first fields of most studies: NAME.state, and folders that end in -NAME. */
#define STUDY_NAMED(word, type)                                                                    \
    .name = (word), .size = sizeof(type), .file = word ".state", .ending = "-" word

/* What has to be told of the case and of the results. */
struct warnings study_told(const struct study_job *j);

/* study_summary() begins summary.json with the plan and its digest, warnings, and the grid. study_summary_text() adds
 * files and times, frees root and returns the text, malloc'ed; `computing`: the name of the time of the rounds. NULL:
 * out of memory. */
struct cJSON *study_summary(const struct study_job *j, uint64_t plan_digest);
char *study_summary_text(const struct study_job *j, struct cJSON *root, const char *computing);

/* Whether only the processors can compute members of that case: a batch of a GPU has one terrain,
 * from the first step on. */
bool study_needs_processors(const struct sim_case *c);

/* Opens job->study, once the caller's blocks are filled in. */
int study_open(struct study_job *j, struct error *e);
void study_close(struct study_job *j); /* all-zero is fine */

/* Sets job->folder and job->state; folder NULL: output/NAME-OF-PLAN and the study's ending. */
int study_name_folder(struct study_job *j, const char *folder, struct error *e);

/* Takes that folder for files in job->info.formats, with job->info.pictures, which the caller has filled in. With
 * job->resume the study continues from the state in the folder; job->anew is set if there is none. ERROR_INPUT: the folder
 * has an unfinished study that is not resumed, or a file that is not sciara's (output.h). Nothing in the folder changes
 * yet; job->files.notice says what is going to be set aside. */
int study_take_folder(struct study_job *j, struct error *e);

/* Computes round by round, and writes the state after each: the first file in the folder. */
int study_compute(struct study_job *j, struct error *e);

/* Writes all files but the state, which study_compute() has written. */
int study_write(struct study_job *j, struct error *e);

/* ---- for studies ----------------------------------------------------------------------------- */

/* The number of units, of `runs` runs each, of the next round: at most `left`, and as many as take about 20 seconds,
 * to judge by the last round. A crash loses a round. */
int64_t study_round(struct study_job *j, double runs, int64_t left);

/* Shows the progress; true: stop, as job->stopped says. */
bool study_show(struct study_job *j, struct study_progress *now);

/* "complete" or "interrupted" */
const char *study_end(const struct study_job *j);
