/* problem.h — the input of a variant: terrain, initial lava, vents and parameters.
 *
 * Everything is const for the variant and owned by the caller, who keeps it alive until the variant
 * is destroyed. All rasters are row-major over the whole domain, row 0 in the north.
 *
 * A problem may be a window of the domain. Cells outside the window but inside the domain are then
 * the halo: their terrain is known, their lava belongs to another window. The border of the domain,
 * not of the window, is where lava leaves. The usual window is the whole domain.
 *
 * Sea is a cell without data: lava on the shore leaves the domain as it does next to any other
 * hole, and is counted separately. */
#ifndef SCIARA_PROBLEM_H
#define SCIARA_PROBLEM_H

#include "model/params.h"
#include "window.h"

#include <stdbool.h>
#include <stdint.h>

/* Range in which exact arithmetic is exact (docs/model.md, section 4). */
#define ELEVATION_MIN_M (-4000.0)
#define ELEVATION_MAX_M 10000.0
#define THICKNESS_MAX_M 4000.0
#define EMISSION_MAX_M  100.0 /* of all vents of a cell in a step */

/* One cell that emits. Its amount per step is piecewise constant: from step first_step[i] on it is
 * amount_m[i], until first_step[i+1]; before first_step[0] it is nothing. The last amount of a
 * finite eruption is 0. Steps count from 1. Two vents may share a cell.
 *
 * Amounts of less than a quantum (2^-36 m) are carried over: each step adds fraction[i] of a
 * quantum to the phase[i] at which the interval began, and whenever the sum passes a whole quantum,
 * the step emits that quantum too (vent.h). Both count 2^-64 quanta; NULL: all 0. */
struct vent {
    int row, col; /* in the domain */
    int id;       /* as the user numbered it */
    int interval_count;
    int64_t *first_step; /* increasing */
    double *amount_m;    /* thickness per step, on the lattice, 0 to EMISSION_MAX_M */
    uint64_t *fraction, *phase;
};

struct fields;
struct error;

/* Terrain that is read where lava comes: reads a window of the domain into elevation_m and sea, where
 * it is not there yet. Any thread may call it at any time. The arrays cover the domain, but the cells that were never read take no
 * memory (memory_reserve()) and have no meaning. */
struct terrain_source {
    int (*read)(void *self, struct window window, struct error *e);
    void *self;
};

struct problem {
    int rows, cols; /* of the domain */
    struct window window;
    struct params params;
    const struct terrain_source *terrain; /* NULL: all of elevation_m and sea is there */
    const double *elevation_m;            /* NaN: no data */
    const double *thickness_m;            /* initial mobile lava; NULL: none */
    const double *temp_K;                 /* initial temperature; NULL: 0 */
    const double *solid_m;                /* lava solidified before; NULL: none */
    const uint8_t *sea; /* nonzero: the sea, a cell without data; NULL: there is none */
    int vent_count;
    const struct vent *vents;
    int64_t first_step;     /* steps already done when the initial state was saved; usually 0 */
    int64_t last_vent_step; /* last step in which lava is emitted (0: never) */
    const struct fields
        *from;            /* the state of an earlier run that this one resumes; then the initial
                                  lava and first_step are that run's. Outside its window all is as
                                  at the beginning. Only create() of a variant reads it. NULL: none
                                */
    int64_t reduce_every; /* steps between reductions of mobile lava, >= 1 */
    bool stop_when_still; /* stop at a reduction after last_vent_step when ... */
    double stop_mobile_m; /* ... the sum of mobile thickness is <= this */
    bool full_domain;     /* compute every cell in every step */
};

static inline struct window problem_domain(const struct problem *p)
{
    struct window w = {0, 0, p->rows, p->cols};
    return w;
}

/* Reads the terrain of a window of the domain, where it is not there yet. */
static inline int problem_read_terrain(const struct problem *p, struct window w, struct error *e)
{
    return p->terrain ? p->terrain->read(p->terrain->self, w, e) : 0;
}

#endif
