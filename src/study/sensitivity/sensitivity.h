/* sensitivity.h — which parameters matter, for what, and where: runs at the points of a design
 * (design.h) between the bounds of a plan, and the effect of each parameter on the results, also cell
 * by cell (cells.h). docs/model.md, section 7.
 *
 * A point is run with the terrain errors of numbers 0 to noise_members - 1, which all points have
 * in common, and its value is the mean. The result is a function of the plan and its seed: not
 * of threads, devices, or interruptions. */
#pragma once

#include "calibration/observed.h"
#include "calibration/points.h"
#include "cells.h"
#include "ensemble/engine.h"
#include "study/study.h"
#include "products/products.h"

enum quantity_kind {
    QUANTITY_AREA,
    QUANTITY_RUNOUT,
    QUANTITY_MAX_THICKNESS,
    QUANTITY_MEAN_THICKNESS,
    QUANTITY_VOLUME,
    QUANTITY_SCORE,    /* agreement with all observations */
    QUANTITY_SCORE_OF, /* agreement with one of them */
    QUANTITY_REACHED,  /* whether lava reaches a place: 1 or 0 */
    QUANTITY_ARRIVAL   /* at a place, h; if lava never comes, the end */
};

struct quantity {
    enum quantity_kind kind;
    int number;                /* of the observation or place */
    char name[96], words[112]; /* words: packed */
};

enum { SENSITIVITY_PLACES_MAX = 64, QUANTITIES_MAX = 8 + OBSERVATIONS_MAX + 2 * 64 };
enum { STAGE_MORRIS, STAGE_SOBOL, STAGES };

/* One of the two methods, with its results so far. */
struct stage {
    int wanted;
    struct design design;
    int64_t done;          /* how many groups, the first ones, are done */
    double *value;         /* mean over the noise, by group, point and quantity */
    double *noise;         /* squared standard errors of these means, summed up by quantity */
    struct cells cells;    /* whether lava arrives, over all runs, with their noise */
    uint64_t runs_digest;  /* of the last states of all runs */
    int64_t left;          /* runs with lava that left the terrain */
    struct indices *index; /* one for each quantity, by write(); NULL: fewer than two groups */
};

struct sensitivity_options {
    int method;                    /* enum sensitivity_method; 0: as in the plan */
    int64_t samples, trajectories; /* 0: as in the plan */
    int64_t seed;                  /* < 0: as in the plan */
};

struct sensitivity {
    struct plan *plan;
    struct calibration_keys keys;
    struct sim_case bare; /* the plan's case without its outline, which is scored as observations */
    struct observations observed; /* what was observed; count 0: nothing */
    struct assets places;
    int arrival_steps; /* how many classes of arrival */
    uint32_t *vent;    /* cells of the vents of the case as it stands */
    int vents;
    int fits;
    struct fit fit[FITS_MAX];
    int quantities;
    struct quantity quantity[QUANTITIES_MAX];
    uint64_t seed, digest; /* digest: of all that decides the results of a group */
    struct stage stage[STAGES];
    const struct stage *now; /* stage of the last round */
    int64_t indexed;         /* runs that were done when stage[].index was computed */
    const struct study_job *job;
    struct engine_counts counts;
};

/* Reads the plan and all that it names, and checks every point. The caller keeps `path`. */
int sensitivity_open(struct sensitivity *x, const char *path, const struct sensitivity_options *w,
                     struct error *e);
void sensitivity_close(void *sensitivity); /* all-zero is fine */

/* Sets value[fits] to the parameters of a point. */
void sensitivity_point(const struct sensitivity *x, const struct design *d, int64_t group, int p,
                       double *value);

/* The digest of the plan and all results. */
uint64_t sensitivity_digest(const void *sensitivity);

static inline int64_t stage_runs(const struct sensitivity *x, const struct stage *s, int64_t groups)
{
    return groups * s->design.points * x->keys.noise_members;
}
static inline struct cell_view stage_cells(const struct sensitivity *x, const struct stage *s)
{
    return (struct cell_view){&s->cells, &s->design, s->done, x->keys.noise_members};
}
extern const char *const stage_names[STAGES]; /* "morris", "sobol" */

/* ---- as a study ------------------------------------------------------------------------------ */

#define SENSITIVITY_STATE "sensitivity.state"
/* The study of a struct sensitivity; its options are a struct sensitivity_options. */
extern const struct study study_sensitivity;
extern const struct state_kind sensitivity_state;

/* How many runs of both stages are done. */
int64_t sensitivity_runs(const void *sensitivity);

/* ---- sensitivity_report.c: the files ------------------------------------------------------------ */

/* The rows of its files; their names also identify our files in a folder. */
extern const struct product_table sensitivity_files;

/* Writes all files but the summary; sensitivity_summary() makes its text, malloc'ed. */
int sensitivity_write(const struct study_job *j, struct error *e);
void sensitivity_warn(const struct study_job *j, struct warnings *w);
char *sensitivity_summary(const struct study_job *j);

/* Computes the indices of a quantity by a stage that has two groups or more. */
int sensitivity_indices(struct indices *out, const struct sensitivity *x, const struct stage *s,
                        int quantity, struct error *e);

/* Orders the coordinates by their total index or mu_star, the largest first. */
void sensitivity_rank(const struct sensitivity *x, int stage, int quantity, int order[FITS_MAX]);
/* Writes how much a stage has done: "2,048 samples, 28,672 runs". */
void sensitivity_effort(const struct sensitivity *x, int stage, char text[96]);
