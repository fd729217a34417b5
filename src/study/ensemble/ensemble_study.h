/* ensemble_study.h — an ensemble as a study (study/study.h): a plan, the members of it that are done,
 * and who has computed them. */
#pragma once

#include "members/ensemble_state.h"
#include "plan/plan_supply.h"
#include "report.h"

struct ensemble_options {
    double until_error; /* < 0: as the plan has it */
    struct shard shard; /* all zero: the whole plan */
    /* Only members below this number are computed, and the ensemble stays unfinished; 0: all. */
    int64_t first;
    bool bulletin;      /* a page for those who decide */
    int processes;      /* processes of MPI that share the machine's memory; 0: this one alone */
    bool keep;          /* keep members also where the plan has no `keep yes` */
    bool brief;         /* write only the files that every page shows */
    const char *from;   /* path of a state to begin with; NULL: as the plan has it */
    const char *assets; /* places of interest instead of the plan's; NULL: the plan's */
    const struct plan_draws
        *draws; /* draws of members, which outlive the study; NULL: the plan's */
    const struct plan_outlook *known; /* outlook of the plan if no member is computed; or NULL */
};

struct ensemble_study {
    struct ensemble s; /* ensemble_state is of it */
    struct plan *plan;
    struct plan_supply supply;
    bool keep; /* keep members in a library */
    /* question: which of a library's members count, packed (text/words.h); NULL: all. asked: the same for people, with words
     * in place of names of columns; or NULL. Both are malloc'ed. */
    char *question, *asked;
    int64_t asked_of; /* how many members a question chooses from; 0: none is asked */
    const struct product_table *also; /* further files of this study; NULL: none */
    bool (*also_reached)(const void *self, size_t cell); /* cells that they show; or NULL */
    const struct bulletin_more *bulletin;                /* page for those who decide; NULL: none */
    bool brief;         /* write only the files that every page shows */
    double until_error; /* as asked for now; the state has that of the process before */
    bool computed;
    enum engine_end end;
    struct engine_counts counts; /* counts of devices */
    int ranks, gpus;             /* processes, 0: this one alone; GPUs of all of them */
    struct engine_share *share;  /* shares of devices (in counts) or of processes, malloc'ed */
    int shares;
    uint64_t digest;        /* 0: not computed yet */
    struct null_model null; /* as a library has it, or set by write() and summary() */
};

/* Opens s.library, after study_take_folder(), next to the state of this process, if members are to be kept. It gets the
 * members of the libraries `part`, and those that processes of MPI have left in the folder, whose libraries are removed. */
int ensemble_study_keep(struct study_job *j, char *const *part, int parts, struct error *e);
/* Closes the library after the last member, and joins what processes left. */
int ensemble_study_kept(struct study_job *j, struct error *e);
/* Writes into a library of its members what questions would compute again: the sums and the null
 * model. */
int ensemble_study_put(struct ensemble_study *x, struct library *l, struct error *e);

/* The study of a struct ensemble_study; its options are a struct ensemble_options. */
extern const struct study study_ensemble;

/* Whether an ensemble is unfinished; also for studies that have a struct ensemble_study at their
 * beginning. */
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
