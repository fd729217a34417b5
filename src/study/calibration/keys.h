/* keys.h — the keys of calibrations and of sensitivity analyses, in addition to those of a plan.
 * One plan can be both: each uses its own keys. */
#pragma once

#include "plan/plan.h"
#include "case/schema.h"

/* OWN_VARIABLES: each eruption has a rate, a duration and two coordinates of its vents of its own. */
enum { OBSERVED_MAX = 16, ERUPTIONS_MAX = 8, OWN_VARIABLES = 4, FINALISTS_MAX = 64 };
enum { FITS_MAX = VARIABLES + (ERUPTIONS_MAX - 1) * OWN_VARIABLES };

/* Scores of an outline: shares of cells, then distances in metres, then the hours by which cells are early or late. The
 * last one judges all runs of a candidate together. */
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
    int line; /* 0: not fitted */
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
    char file[1024]; /* as it is written */
    double value;    /* in m3 or m */
    double time_s;   /* since the start; INFINITY: in the end */
    double weight;
    int score; /* enum score_kind, for an outline; SCORES: the score that the plan gives */
    bool shifted;
    double shift_m; /* is added to thicknesses */
    double scale;   /* the error that scores one half; 0: as the plan gives it, or the default */
};

/* Another eruption: a plan of its own. */
struct eruption_key {
    int line;
    char file[1024]; /* as it is written */
    double weight;
};

/* Observations that a search ignores: after a time; to the left of a line (x1, y1) to (x2, y2); or of named eruptions,
 * whose own observations are then HOLD_OUT_ALL. */
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
    bool fitted[VARIABLES]; /* is passed in struct plan_more */
    int observed_count;
    struct observed_key observed[OBSERVED_MAX];
    struct hold_out_key hold_out;
    int eruption_count; /* besides the plan's own */
    struct eruption_key eruption[ERUPTIONS_MAX - 1];
    double eruption_weight; /* weight of the plan's own eruption */
    int score;              /* enum score_kind */
    double score_scale;     /* 0: the default */
    double outline_weight;
    int64_t noise_members, finalists, finalist_members, population, evaluations;
    int64_t posterior_members;
    double posterior_tolerance, posterior_acceptance; /* as in smc.h */

    int method; /* enum sensitivity_method */
    int64_t samples, trajectories, levels, resamples;
    double confidence;
    int second_order;
};

/* Returns what plan_read() needs to read them. */
struct plan_more calibration_keys_default(struct calibration_keys *k);

/* The keys; the values of the schema are a struct calibration_keys. */
extern const struct schema calibration_schema;

/* Checks the keys against each other and the rest of the plan. */
int calibration_keys_check(const struct calibration_keys *k, const struct plan *p, struct error *e);

/* Whether an outline has the score `ensemble`, for which runs are compared with each other. */
bool calibration_keys_joint(const struct calibration_keys *k);

/* Variables that each eruption has by itself. */
bool calibration_is_own(int variable);
