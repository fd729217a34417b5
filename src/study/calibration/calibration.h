/* calibration.h — a search for the parameters with which runs agree best with what was observed; or
 * a posterior: a sample, with weights, of all parameters that agree well enough (docs/model.md,
 * section 6).
 *
 * A candidate is a point between the bounds of a plan. It is run with the terrain errors of numbers
 * 0 to noise_members - 1, which all candidates have in common, and the mean of the scores is what
 * the search maximises; 1 - that mean is its distance, for the posterior. Populations are ensembles
 * (engine.h), on processors or devices. The best of all, and the case as it stands, are then run
 * with the errors of the numbers that follow, which the search has not seen.
 *
 * What a search does is a function of the plan and its seed: not of threads, devices, or
 * interruptions. */
#pragma once

#include "ensemble/engine.h"
#include "null/null_model.h"
#include "plan/plan_supply.h"
#include "observed.h"
#include "points.h"
#include "search/search.h"
#include "search/smc.h"
#include "study/study.h"
#include "verify/discrepancy.h"

enum { OBSERVED_ALL_MAX = ERUPTIONS_MAX * OBSERVATIONS_MAX };

/* A row of evaluations.csv. */
struct evaluation {
    int64_t generation; /* 0: the case as it stands */
    int restart;
    bool possible;       /* false: it cannot be run: a vent off the terrain, PTvent below PTsol */
    double score, error; /* mean over the noise and its standard error; NaN: not known */
    double value[FITS_MAX];
};

/* An eruption of a joint fit: the first is the plan's own. */
struct eruption {
    struct plan *plan;
    const struct calibration_keys *keys;
    struct sim_case bare; /* the plan's case without its outline, which no search reads */
    struct observations observed;
    double weight;
    int first; /* number of its first observation among all observations */
};

struct mean {
    double mean, error, least, most; /* error: that of the mean; NaN for a single run */
};

/* Scores of runs that differ in their noise. */
struct scores {
    int64_t members; /* 0: not computed */
    struct mean all[PARTS], eruption[ERUPTIONS_MAX][PARTS];
    double of[OBSERVED_ALL_MAX][PARTS], error_of[OBSERVED_ALL_MAX][PARTS];
};

/* One of the best of the search, with noise that it has not seen. */
struct finalist {
    int evaluation;
    double mean, error;
};

/* A member of the posterior; the weights of all sum up to POSTERIOR_UNITS. */
enum { POSTERIOR_UNITS = 1000000000 };
struct posterior_member {
    int evaluation;
    int64_t weight; /* from 1 on */
};

static inline double posterior_share(const struct posterior_member *m)
{
    return (double)m->weight / POSTERIOR_UNITS;
}

/* The members, in order of their evaluations, and their percentiles of each parameter. */
struct marginal {
    double mean, sd, p025, p50, p975;
};
struct posterior_sample {
    int count; /* 0: no population has been computed */
    struct posterior_member *member;
    struct marginal of[FITS_MAX];
};

struct calibration_options {
    bool hold_out, posterior;
    int64_t evaluations; /* 0: as in the plan */
    int64_t seed;        /* < 0: as in the plan */
};

struct calibration {
    struct calibration_keys keys, more_keys[ERUPTIONS_MAX - 1]; /* of the plan; of the others */
    int eruptions;
    struct eruption eruption[ERUPTIONS_MAX];
    struct plan *plan; /* the plan of the calibration, which is the plan of the first eruption */
    int observations;  /* number of observations of all eruptions */
    bool hold_out;
    int fits;
    struct fit fit[FITS_MAX];
    uint64_t seed, digest;
    int64_t budget;
    struct search search;
    struct smc *posterior; /* NULL: the best is searched for */
    int count, told; /* evaluations done; evaluations that the search or the posterior knows */
    int impossible;  /* evaluations that could not be run */
    struct evaluation *evaluation;
    double *detail; /* details_count() numbers of each evaluation: details_at() */
    int best;       /* the best evaluation; -1: none yet; after the check the one that was chosen */
    int finalists;
    struct finalist among[FINALISTS_MAX]; /* from which it was chosen; none: there was no choice */
    struct engine_counts counts;
    struct scores finalist, as_it_stands; /* over noise that the search has not seen */
    struct discrepancy discrepancy;       /* of the posterior */
    struct plan_supply supply; /* after the check: the source of the best one's members */
    struct ensemble ensemble;
    struct null_plan null; /* set by summary(), once */
    bool null_tried;
    const struct study_job *job; /* this and what follows is set by write() */
    struct posterior_sample sample;
    struct {
        int members, best, eruptions, parameters; /* 0: none of them */
    } files;
};

/* Reads the plan and all that it names. The caller keeps `path`. */
int calibration_open(struct calibration *cal, const char *path, const struct calibration_options *w,
                     struct error *e);
void calibration_close(void *calibration); /* all-zero is fine */

/* More about an evaluation: the mean score and the mean error of each observation; the mean score of each eruption and its
 * standard error. All cover what the search sees; NaN: it sees nothing, or there is no error. */
struct details {
    double *score, *error, *eruption, *eruption_error;
};
static inline int details_count(const struct calibration *cal)
{
    return 2 * (cal->observations + cal->eruptions);
}
static inline struct details details_at(const struct calibration *cal, int evaluation)
{
    double *score = cal->detail + (size_t)evaluation * (size_t)details_count(cal),
           *error = score + cal->observations, *eruption = error + cal->observations;
    return (struct details){score, error, eruption, eruption + cal->eruptions};
}

/* ---- eruptions.c ----------------------------------------------------------------------------- */

/* Reads the other eruptions that the plan names, once it has been read, and lists what is fitted. */
int eruptions_open(struct calibration *cal, struct error *e);
/* Reads what was observed of each eruption. */
int eruptions_observe(struct calibration *cal, struct error *e);
void eruptions_close(struct calibration *cal);

/* Whether an eruption is held out as a whole. */
bool eruption_is_held(const struct calibration *cal, int eruption);
const char *eruption_name(const struct calibration *cal, int eruption);

/* The name of an observation, with that of the eruption if there are several. */
enum { OBSERVED_NAME = 136 };
const char *observed_name(const struct calibration *cal, int eruption, int observation,
                          char out[OBSERVED_NAME]);

/* ---- candidates.c: runs ---------------------------------------------------------------------- */

struct batch_of_runs {
    int candidates;
    int64_t first_noise, members;
    bool own_noise; /* numbers continue from candidate to candidate */
    bool counted;   /* cells are counted as in an ensemble */
    bool check;     /* the search has ended: finalists are checked */
    /* A weight for each candidate, from which cal->discrepancy is estimated; NULL: it is not. */
    const struct posterior_member *weights;
    /* by candidates_create(): */
    const double **value;        /* `fits` values of each candidate; NULL: the case as it stands */
    struct agreement *agreement; /* eruptions * candidates * members; NaN: it cannot be run */
    bool *possible;              /* for each candidate whether it can be run in all eruptions */
};
int candidates_create(struct batch_of_runs *b, const struct calibration *cal, struct error *e);
void candidates_free(struct batch_of_runs *b); /* all-zero is fine */

/* Refuses a plan of which none of the first `count` points can be run, with the reason for the first of them. */
int candidates_refuse(struct calibration *cal, const double *value, int count, struct error *e);

/* Runs all candidates. If job->stopped is set, some agreements are missing. b->counted: the cells of the first eruption
 * are counted, in cal->supply and cal->ensemble. */
int candidates_run(struct calibration *cal, struct study_job *j, struct batch_of_runs *b,
                   struct error *e);

/* ---- calibration.c --------------------------------------------------------------------------- */

/* The number of populations that the search or the posterior knows of. */
int64_t calibration_generation(const struct calibration *cal);

/* The means of runs by the weights of the members of a posterior (NULL: equal). The agreements of eruption k
 * begin at a + k * stride. */
void scores_set(const struct calibration *cal, struct scores *s, const struct agreement *a,
                int64_t stride, int64_t members, const struct posterior_member *weights);

/* ---- posterior.c ----------------------------------------------------------------------------- */

/* Runs each member of the posterior with noise of its own that the search has not seen, and sets cal->finalist to the
 * weighted means. */
int posterior_check(struct calibration *cal, struct study_job *j, struct error *e);

/* ---- the study ------------------------------------------------------------------------------- */

#define RECORD_NAME "calibration.state"
/* The studies of a struct calibration; their options are a struct calibration_options. */
extern const struct study study_calibration, study_posterior;

extern const struct state_kind calibration_state; /* the state of a struct calibration */
