/* keys.h — the keys of calibrations and of sensitivity analyses, which a plan can have in addition to its own. */
#pragma once

#include "plan/plan.h"
#include "case/schema.h"

/* OWN_VARIABLES: variables with a value for each eruption: rate, duration and two coordinates of the vents. */
enum { OBSERVED_MAX = 16, ERUPTIONS_MAX = 8, OWN_VARIABLES = 4, FINALISTS_MAX = 64 };
enum { FITS_MAX = VARIABLES + (ERUPTIONS_MAX - 1) * OWN_VARIABLES };

/* Scores of an outline: shares of cells, then distances in metres, then the hours by which cells are early or late.
 * SCORE_ENSEMBLE judges all runs of a candidate together. */
enum score_kind {
    SCORE_JACCARD,
    SCORE_F1,
    SCORE_PRECISION,
    SCORE_RECALL,
    SCORE_DISTANCE,
    SCORE_HAUSDORFF,
    SCORE_ARRIVAL,
    SCORE_ENSEMBLE,
    SCORES
};
extern const char *const score_names[SCORES];

/* A parameter between its bounds. */
struct fit_key {
    int line; /* line of the bounds in the plan; 0: not fitted */
    double low, high;
    bool log;
};

/* What was observed: an outline, a raster of thickness or arrivals in a file, or a number. */
enum observed_kind {
    OBSERVED_OUTLINE,
    OBSERVED_VOLUME,
    OBSERVED_RUNOUT,
    OBSERVED_THICKNESS,
    OBSERVED_ARRIVALS,
    OBSERVED_KINDS
};
struct observed_key {
    enum observed_kind kind;
    int line;
    char file[1024]; /* name as in the plan */
    double value;    /* volume in m3, or run-out in m */
    double time_s;   /* since the start; INFINITY: at the end of the run */
    double weight;
    int score; /* enum score_kind, for an outline; SCORES: the plan's `score` */
    bool shifted;
    double shift_m; /* added to observed thicknesses */
    double scale; /* error at which the score is one half; 0: score_scale of the plan, or default */
};

/* Another eruption, which another plan describes. */
struct eruption_key {
    int line;
    char file[1024]; /* name as in the plan */
    double weight;
};

/* Observations that a search ignores. AFTER: later than time_s. LEFT_OF: to the left of the line from (at[0], at[1]) to
 * (at[2], at[3]). ERUPTIONS: all observations of the eruptions in eruption[]. ALL: every observation. */
enum hold_out_kind {
    HOLD_OUT_NONE,
    HOLD_OUT_AFTER,
    HOLD_OUT_LEFT_OF,
    HOLD_OUT_ERUPTIONS,
    HOLD_OUT_ALL
};
struct hold_out_key {
    enum hold_out_kind kind;
    int line;
    double time_s, at[4];
    int eruptions;
    char eruption[ERUPTIONS_MAX - 1][64]; /* names */
};

enum { SENSITIVITY_SAMPLES_MAX = 1 << 20 };
enum sensitivity_method { METHOD_MORRIS = 1, METHOD_SOBOL = 2, METHOD_BOTH = 3 };

struct calibration_keys {
    struct fit_key fit[VARIABLES];
    bool fitted[VARIABLES]; /* whether a variable has bounds, for struct plan_more */
    int observed_count;
    struct observed_key observed[OBSERVED_MAX];
    struct hold_out_key hold_out;
    int eruption_count; /* number of eruptions in addition to the plan's own */
    struct eruption_key eruption[ERUPTIONS_MAX - 1];
    double eruption_weight; /* weight of the plan's own eruption */
    int score;              /* enum score_kind */
    double score_scale;     /* 0: the default */
    double outline_weight;
    int64_t noise_members, finalists, finalist_members, population, evaluations;
    int64_t posterior_members;
    double posterior_tolerance, posterior_acceptance; /* see struct smc_options */

    int method; /* enum sensitivity_method */
    int64_t samples, trajectories, levels, resamples;
    double confidence;
    int second_order;
};

/* Sets *k to its defaults. Returns what plan_read() needs to read the keys into *k. */
struct plan_more calibration_keys_default(struct calibration_keys *k);

/* The schema of the keys. Their values are a struct calibration_keys. */
extern const struct schema calibration_schema;

/* Checks the keys against each other and the rest of the plan. */
int calibration_keys_check(const struct calibration_keys *k, const struct plan *p, struct error *e);

/* Whether any outline has the score `ensemble`, which is computed from all runs of a candidate together. */
bool calibration_keys_joint(const struct calibration_keys *k);

/* Whether each eruption has its own value of a variable. */
bool calibration_is_own(int variable);
