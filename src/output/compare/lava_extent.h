/* lava_extent.h — where the lava is, how thick it became, how it spread and whether its front moved
 * as fast as the model can: the numbers of a report. */
#pragma once

#include "base/error.h"
#include "sim/fields.h"

/* Whether a front was held up by the model's own limit: lava passes at most one cell in a step (docs/model.md, section 2.7).
 * The path of the lava to a cell follows from arrivals alone: it goes back from each cell to the neighbour that lava reached
 * first. It is at the limit where FRONT_CELLS cells in a row took at most FRONT_STEPS steps. Lava that breaks out of a pond
 * crosses a few cells at that speed, and real fronts of Etna 2006, on cells of 5 to 40 m, cross at most 10 in a row. */
enum { FRONT_CELLS = 20, FRONT_STEPS = 25 };

struct front_speed {
    size_t way;      /* cells from the vent, that cell included */
    size_t at_limit; /* of these, cells that lie in such a row */
};

/* `place`: index of the cell in the window of *f. */
struct front_speed front_speed(const struct fields *f, size_t place);

/* The lava that has left the domain, but not into the sea. */
struct lava_left {
    double volume_m3;
    double share; /* of all lava that was emitted or mobile at the beginning; 0 where none was */
};
struct lava_left lava_left(const struct fields *f, const struct problem *p);

/* Where it left: over the edge of the terrain, or into a hole inside, cells without data that the
 * terrain surrounds within the window of *f. */
struct lava_exit {
    bool edge, hole;
    int row, col; /* a reached cell at a hole: the northernmost, then westernmost */
};
int lava_exit(struct lava_exit *x, const struct fields *f, const struct problem *p,
              struct error *e);

/* The lava that has entered the sea, and the cell of the shore where it first did. Arrivals on the
 * shore are of lava that entered the sea, so this follows from the state alone. */
struct lava_sea {
    double volume_m3, share; /* as in struct lava_left */
    int64_t step;            /* the step in which the first lava did; -1: never */
    int row, col;            /* in the domain; the northernmost, then westernmost of several */
};
struct lava_sea lava_sea(const struct fields *f, const struct problem *p);

struct extent {
    size_t cells;      /* with lava, mobile or solidified */
    double runout_m;   /* largest distance of such a cell from the vent nearest to it, centre to
                        * centre; NaN where there are no vents or no lava */
    double thickest_m; /* largest mobile + solidified anywhere, in this state */
    double max_thickness_m; /* the largest at the end of any step so far */
    struct lava_left left;
    struct lava_sea sea;
    struct front_speed front; /* on the way to the farthest such cell; all 0 without run-out */
};

/* *f is a state of *p. */
struct extent extent_of(const struct fields *f, const struct problem *p);

struct spread {
    size_t cells;    /* cells that lava had come to */
    double runout_m; /* largest distance of such a cell from the vent nearest to it, centre to
                      * centre; NaN where there are no vents or no lava */
};

/* Finds the flow at the end of each of the steps, which increase, exactly as it was then: arrivals
 * tell that. Cells that lava reached after the last step do not count. */
void lava_spread(struct spread *at, const int64_t *step, int count, const struct fields *f,
                 const struct problem *p);
