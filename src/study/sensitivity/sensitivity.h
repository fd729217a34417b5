/* sensitivity.h — which parameters matter, for which results and where. The runs of a design (design.h) show the effect
 * of each parameter on the results, and in each cell (cells.h). The points of the design are between the bounds of a
 * plan. docs/model.md, section 7, has the mathematics.
 *
 * A point is run with the terrain errors 0 to noise_members - 1, which are the same for all points. Its value is the
 * mean over these runs. The result is a function of the plan and its seed, and does not depend on threads, devices or
 * interruptions. */
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
    QUANTITY_SCORE_OF, /* agreement with one observation */
    QUANTITY_REACHED,  /* whether lava reaches a place: 1 or 0 */
    QUANTITY_ARRIVAL   /* arrival at a place, h; the end of the run if no lava comes */
};

struct quantity {
    enum quantity_kind kind;
    int number;                /* number of the observation or place */
    char name[96], words[112]; /* words: a description, packed (text/words.h) */
};

enum { SENSITIVITY_PLACES_MAX = 64, QUANTITIES_MAX = 8 + OBSERVATIONS_MAX + 2 * 64 };
enum { STAGE_MORRIS, STAGE_SOBOL, STAGES };

/* A method with its results so far. */
struct stage {
    int wanted;
    struct design design;
    int64_t done;  /* number of groups done: groups 0 to done - 1 */
    double *value; /* for each group, point and quantity, the mean over the runs of the point */
    /* For each quantity, the sum of the squared standard errors of the means in value[]. */
    double *noise;
    struct cells cells;   /* for each cell, sums over all groups done */
    uint64_t runs_digest; /* digest of the last states of all runs */
    int64_t left;         /* number of runs in which lava left the terrain */
    /* Indices of each quantity, set by sensitivity_write(); NULL: fewer than two groups. */
    struct indices *index;
};

struct sensitivity_options {
    int method;                    /* enum sensitivity_method; 0: as in the plan */
    int64_t samples, trajectories; /* 0: as in the plan */
    int64_t seed;                  /* < 0: as in the plan */
};

struct sensitivity {
    struct plan *plan;
    struct calibration_keys keys;
    /* the plan's case without its outline; here the outline is an observation */
    struct sim_case bare;
    struct observations observed; /* observations of the eruption; count 0: none */
    struct assets places;
    int arrival_steps; /* number of classes of arrival */
    uint32_t *vent;    /* cells of the vents of the unchanged case */
    int vents;
    int fits;
    struct fit fit[FITS_MAX];
    int quantities;
    struct quantity quantity[QUANTITIES_MAX];
    uint64_t seed, digest; /* digest: of everything that decides the results of a group */
    struct stage stage[STAGES];
    const struct stage *now; /* stage of the last round */
    int64_t indexed;         /* number of runs when stage[].index was computed */
    const struct study_job *job;
    struct engine_counts counts;
};

/* Reads the plan and the files that it names, and checks every point. `path` has to outlive *x. */
int sensitivity_open(struct sensitivity *x, const char *path, const struct sensitivity_options *w,
                     struct error *e);

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
/* The study of a struct sensitivity. Its options are a struct sensitivity_options. */
extern const struct study study_sensitivity;
extern const struct state_kind sensitivity_state;

/* The number of runs done in both stages. */
int64_t sensitivity_runs(const void *sensitivity);

/* ---- sensitivity_report.c: the files ------------------------------------------------------------ */

/* The files of this study. Their names also identify files of earlier runs in a folder. */
extern const struct product_table sensitivity_files;

/* sensitivity_write() writes all files except the summary. sensitivity_summary() returns the text of the summary,
 * which the caller frees. */
int sensitivity_write(const struct study_job *j, struct error *e);
void sensitivity_warn(const struct study_job *j, struct warnings *w);
char *sensitivity_summary(const struct study_job *j);

/* Computes the indices of a quantity for a stage with at least two groups. */
int sensitivity_indices(struct indices *out, const struct sensitivity *x, const struct stage *s,
                        int quantity, struct error *e);

/* Orders the coordinates by total index or mu_star, the largest first. */
void sensitivity_rank(const struct sensitivity *x, int stage, int quantity, int order[FITS_MAX]);
/* Writes how much of a stage is done: "2,048 samples, 28,672 runs". */
void sensitivity_effort(const struct sensitivity *x, int stage, char text[96]);
