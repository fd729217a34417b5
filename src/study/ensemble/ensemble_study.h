/* ensemble_study.h — an ensemble as a study (study/study.h): a plan, its finished members, and the devices or
 * processes that have computed them. */
#pragma once

#include "members/ensemble_state.h"
#include "plan/plan_supply.h"
#include "report.h"

struct ensemble_options {
    double until_error; /* < 0: the plan decides */
    struct shard shard; /* all zero: the whole plan */
    /* Only members below this number are computed, and the ensemble stays unfinished; 0: all. */
    int64_t first;
    bool bulletin;      /* also write a page for decision makers */
    int processes;      /* MPI processes that share the machine's memory; 0: no MPI */
    bool keep;          /* keep members, even if the plan has no `keep yes` */
    bool brief;         /* leave out members.csv, scores, and most maps and layers */
    const char *from;   /* state from which members start; NULL: the plan decides */
    const char *assets; /* file of places of interest; NULL: the file of the plan */
    /* Draws of members; NULL: the plan's own sample. *draws has to outlive the study. */
    const struct plan_draws *draws;
    const struct plan_outlook *known; /* outlook of the plan, if it is known already; or NULL */
};

struct ensemble_study {
    struct ensemble s; /* ensemble_state writes it to the state file */
    struct plan *plan;
    struct plan_supply supply;
    bool keep; /* keep members in a library */
    /* question: selects and weighs members of a library, packed (text/words.h); NULL: all members count. asked: the question
     * with words in place of names of columns, for readers; or NULL. Both are malloc'ed. */
    char *question, *asked;
    int64_t asked_of;                 /* number of members in the library; 0: no question */
    const struct product_table *also; /* further files of this study; NULL: none */
    /* Whether layers in `also` have a value in a cell. NULL: only in cells with lava of members. */
    bool (*also_reached)(const void *self, size_t cell);
    const struct bulletin_more *bulletin; /* page for decision makers; NULL: none */
    bool brief;                           /* ensemble_options.brief */
    double until_error; /* value for this run; the state may be from a run with another value */
    bool computed;
    enum engine_end end;
    struct engine_counts counts; /* counts of the work of devices */
    /* ranks: number of MPI processes; 0: no MPI. gpus: number of GPUs of all processes together. */
    int ranks, gpus;
    struct engine_share *share; /* MPI: one for each process, malloc'ed; else counts.of */
    int shares;
    uint64_t digest;        /* 0: not computed yet */
    struct null_model null; /* read from a library, or set by write() and summary() */
};

/* If members are to be kept, opens s.library next to the state of this process. Called after study_take_folder(). Adds
 * the members of the libraries part[parts], and of libraries that MPI processes left in the folder.
 * Removes the libraries of these processes. */
int ensemble_study_keep(struct study_job *j, char *const *part, int parts, struct error *e);
/* Closes the library after the last member. The first process also adds the libraries of the other processes. */
int ensemble_study_kept(struct study_job *j, struct error *e);
/* Writes the sums and the null model into the library of the members, so that questions need not compute them. */
int ensemble_study_put(struct ensemble_study *x, struct library *l, struct error *e);

/* The study of a struct ensemble_study; its options are a struct ensemble_options. */
extern const struct study study_ensemble;

/* Whether an ensemble is unfinished. These functions also serve studies that begin with a struct ensemble_study. */
bool ensemble_study_unfinished(void *self);
int64_t ensemble_study_runs(const void *self);
void ensemble_study_warn(const struct study_job *j, struct warnings *w);
uint64_t ensemble_study_digest(const void *self);
int ensemble_study_write(const struct study_job *j, struct error *e);
char *ensemble_study_summary(const struct study_job *j);
#define ENSEMBLE_STUDY                                                                             \
    .unfinished = ensemble_study_unfinished, .runs = ensemble_study_runs,                          \
    .digest = ensemble_study_digest, .write = ensemble_study_write,                                \
    .summary = ensemble_study_summary, .saves = true
