/* calibration.h — a search for the parameters with which runs agree best with observations, or a
 * posterior: a weighted sample of all parameters that agree well enough (docs/model.md, section 6).
 *
 * A candidate is a point between the bounds of a plan. It is run with terrain errors 0 to
 * noise_members - 1, which are the same for all candidates. The search maximises the mean of the scores of
 * these runs. For the posterior, the distance of a candidate is 1 minus this mean. A population is computed
 * like an ensemble (engine.h), on processors or devices. At the end the best candidate, and the case as it
 * stands, are run with terrain errors of later numbers, which the search has not seen.
 *
 * The plan and its seed alone decide the results: not threads, devices or interruptions. */
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
    bool possible;       /* false: the point cannot be run, e.g. a vent is off the terrain */
    double score, error; /* mean score over terrain errors, and its standard error; NaN: unknown */
    double value[FITS_MAX];
};

/* An eruption of a joint fit. The first is the eruption of the plan itself. */
struct eruption {
    struct plan *plan;
    const struct calibration_keys *keys;
    struct sim_case bare; /* the plan's case without its outline, for runs of the search */
    struct observations observed;
    double weight;
    int first; /* index of its first observation in struct scores */
};

struct mean {
    double mean, error, least, most; /* error: standard error of the mean; NaN: a single run */
};

/* Scores of runs that differ in their terrain errors. */
struct scores {
    int64_t members; /* 0: not computed */
    struct mean all[PARTS], eruption[ERUPTIONS_MAX][PARTS];
    double of[OBSERVED_ALL_MAX][PARTS], error_of[OBSERVED_ALL_MAX][PARTS];
};

/* One of the best candidates, run again with terrain errors that the search has not used. */
struct finalist {
    int evaluation;
    double mean, error;
};

/* A member of the posterior. The weights of all members sum up to POSTERIOR_UNITS. */
enum { POSTERIOR_UNITS = 1000000000 };
struct posterior_member {
    int evaluation;
    int64_t weight; /* at least 1 */
};

static inline double posterior_share(const struct posterior_member *m)
{
    return (double)m->weight / POSTERIOR_UNITS;
}

/* Statistics of a parameter over the members of the posterior. */
struct marginal {
    double mean, sd, p025, p50, p975;
};
/* The members of the posterior, in the order of their evaluations. */
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
    struct calibration_keys keys,
        more_keys[ERUPTIONS_MAX - 1]; /* more_keys: of the other eruptions */
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
    struct smc *posterior; /* NULL: `search` is used */
    int count, told; /* number of evaluations; how many the search or posterior has received */
    int impossible;  /* evaluations that could not be run */
    struct evaluation *evaluation;
    double *detail; /* details_count() numbers of each evaluation: details_at() */
    int best; /* the best evaluation; at the end, the evaluation of the best finalist; -1: none yet */
    int finalists;
    struct finalist among[FINALISTS_MAX]; /* evaluations from which `best` is chosen at the end */
    struct engine_counts counts;
    struct scores finalist, as_it_stands; /* with terrain errors that the search has not used */
    struct discrepancy discrepancy;       /* discrepancy of the posterior */
    struct plan_supply supply;            /* source of the members of `ensemble` */
    struct ensemble ensemble;
    struct null_plan null; /* set once, by calibration_summary() */
    bool null_tried;
    const struct study_job *job; /* calibration_write() sets this and all members below */
    struct posterior_sample sample;
    struct {
        int members, best, eruptions, parameters; /* numbers of files of each kind */
    } files;
};

/* Reads the plan and all files that it names. The caller keeps `path` unchanged. */
int calibration_open(struct calibration *cal, const char *path, const struct calibration_options *w,
                     struct error *e);
void calibration_close(void *calibration); /* all-zero is fine */

/* Means of an evaluation over its runs. score[], error[]: of each observation. eruption[], eruption_error[]: the score
 * of each eruption and its standard error. NaN: held out, or not defined. */
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

/* Reads the other eruptions that the plan names, and lists the fitted parameters. The plan has been read before. */
int eruptions_open(struct calibration *cal, struct error *e);
/* Reads the observations of each eruption. */
int eruptions_observe(struct calibration *cal, struct error *e);
void eruptions_close(struct calibration *cal);

/* Whether a whole eruption is held out: the search sees none of its observations. */
bool eruption_is_held(const struct calibration *cal, int eruption);
const char *eruption_name(const struct calibration *cal, int eruption);

/* The name of an observation: "outline", or with several eruptions "NAME-OF-ERUPTION_outline". */
enum { OBSERVED_NAME = 136 };
const char *observed_name(const struct calibration *cal, int eruption, int observation,
                          char out[OBSERVED_NAME]);

/* ---- candidates.c: runs ---------------------------------------------------------------------- */

struct batch_of_runs {
    int candidates;
    int64_t first_noise, members;
    bool own_noise; /* each candidate has terrain errors of its own */
    bool counted;   /* cells are counted as in an ensemble */
    bool check;     /* the search has ended: finalists are checked */
    /* A weight for each candidate, to estimate cal->discrepancy; NULL: do not estimate it. */
    const struct posterior_member *weights;
    /* candidates_create() sets the members below. */
    const double **value;        /* `fits` values of each candidate; NULL: the case as it stands */
    struct agreement *agreement; /* eruptions * candidates * members; NaN: impossible candidate */
    bool *possible;              /* for each candidate whether it can be run in all eruptions */
};
int candidates_create(struct batch_of_runs *b, const struct calibration *cal, struct error *e);
void candidates_free(struct batch_of_runs *b); /* all-zero is fine */

/* Returns the error that none of the first `count` points can be run, with the reason of the first point. */
int candidates_refuse(struct calibration *cal, const double *value, int count, struct error *e);

/* Runs all candidates. If job->stopped is set, some agreements are missing. b->counted: counts the cells of the first
 * eruption in cal->ensemble. */
int candidates_run(struct calibration *cal, struct study_job *j, struct batch_of_runs *b,
                   struct error *e);

/* ---- calibration.c --------------------------------------------------------------------------- */

/* The number of populations that the search or the posterior has received. */
int64_t calibration_generation(const struct calibration *cal);

/* Sets *s to the means over runs. weights: members of a posterior; NULL: equal weights. The agreements of eruption k
 * begin at a + k * stride. */
void scores_set(const struct calibration *cal, struct scores *s, const struct agreement *a,
                int64_t stride, int64_t members, const struct posterior_member *weights);

/* ---- posterior.c ----------------------------------------------------------------------------- */

/* Runs each member of the posterior with a terrain error that the search has not used. Sets cal->finalist to the means
 * of their scores, by the weights of the members. */
int posterior_check(struct calibration *cal, struct study_job *j, struct error *e);

/* ---- the study ------------------------------------------------------------------------------- */

#define RECORD_NAME "calibration.state"
/* The studies of a struct calibration; their options are a struct calibration_options. */
extern const struct study study_calibration, study_posterior;

extern const struct state_kind calibration_state; /* the state of a struct calibration */
