/* problem.h — the input of a variant: terrain, initial lava, vents and parameters.
 *
 * The caller owns all arrays and keeps them alive until the variant is destroyed; the variant does not change them. All
 * rasters are row-major over the whole domain, row 0 in the north.
 *
 * Lava is computed in a window of the domain; usually the window is the whole domain. Cells of the domain outside the
 * window have terrain, but their lava is not computed. Lava leaves at the border of the domain, not of the window.
 *
 * Lava next to a cell without data leaves the domain. Some cells without data are sea; lava that enters the sea is
 * counted separately. */
#ifndef SCIARA_PROBLEM_H
#define SCIARA_PROBLEM_H

#include "model/params.h"
#include "window.h"

#include <stdbool.h>
#include <stdint.h>

/* Ranges in which the model's arithmetic is exact (docs/model.md, section 4). */
#define ELEVATION_MIN_M (-4000.0)
#define ELEVATION_MAX_M 10000.0
#define THICKNESS_MAX_M 4000.0
#define EMISSION_MAX_M  100.0 /* for all vents of a cell together, in one step */

/* One cell that emits lava. The amount per step is piecewise constant: amount_m[i] in the steps
 * from first_step[i] to first_step[i+1] - 1, and 0 before first_step[0]. The last amount of a
 * finite eruption is 0. Steps count from 1. Two vents may share a cell.
 *
 * Amounts of less than a quantum (2^-36 m) are carried over. The amount carried over is phase[i] at
 * the beginning of interval i, and each step adds fraction[i]. A step in which the amount reaches a
 * whole quantum emits this quantum too (vent.h). fraction and phase count 2^-64 quanta; NULL: all
 * 0. */
struct vent {
    int row, col; /* in the domain */
    int id;       /* the number that the user has given */
    int interval_count;
    int64_t *first_step; /* increasing */
    double *amount_m;    /* thickness per step, on the lattice, 0 to EMISSION_MAX_M */
    uint64_t *fraction, *phase;
};

struct fields;
struct error;

/* Terrain that is read only where lava comes. read() fills elevation_m and sea in those cells of a window of the
 * domain that it has not filled before. Any thread may call read() at any time. The arrays cover the domain. Cells
 * that were never read take no memory (memory_reserve()) and have no meaning. */
struct terrain_source {
    int (*read)(void *self, struct window window, struct error *e);
    void *self;
};

struct problem {
    int rows, cols; /* of the domain */
    struct window window;
    struct params params;
    const struct terrain_source *terrain; /* NULL: elevation_m and sea are complete */
    const double *elevation_m;            /* NaN: no data */
    const double *thickness_m;            /* initial mobile lava; NULL: none */
    const double *temp_K;                 /* initial temperature; NULL: 0 */
    const double *solid_m;                /* lava solidified before; NULL: none */
    const uint8_t *sea;                   /* nonzero: sea, a cell without data; NULL: no sea */
    int vent_count;
    const struct vent *vents;
    int64_t first_step;     /* steps already done when the initial state was saved; usually 0 */
    int64_t last_vent_step; /* last step in which lava is emitted (0: never) */
    /* The state of an earlier run that this run resumes; NULL: none. Initial lava and first_step are those of the
     * earlier run. Cells outside the window of the state are as at the beginning. Only create() of a variant reads
     * the state. */
    const struct fields *from;
    int64_t reduce_every; /* steps between reductions of mobile lava, >= 1 */
    bool stop_when_still; /* from last_vent_step on, stop if a reduction finds little mobile lava */
    double stop_mobile_m; /* limit for this stop: sum of mobile thickness <= stop_mobile_m */
    bool full_domain;     /* compute every cell in every step */
};

static inline struct window problem_domain(const struct problem *p)
{
    struct window w = {0, 0, p->rows, p->cols};
    return w;
}

/* Reads the terrain of a window of the domain, as far as it was not read before. */
static inline int problem_read_terrain(const struct problem *p, struct window w, struct error *e)
{
    return p->terrain ? p->terrain->read(p->terrain->self, w, e) : 0;
}

#endif
