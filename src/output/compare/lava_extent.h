/* lava_extent.h — numbers for a report: where the lava is, how thick it became, how it spread, and whether its front moved
 * at the speed limit of the model. */
#pragma once

#include "base/error.h"
#include "sim/fields.h"

/* Whether the speed limit of the model delayed a front. The limit is one cell in a step (docs/model.md, section
 * 2.7). Arrivals show the path of the lava to a cell: the path goes back from each cell to the neighbour that lava
 * reached first. A cell of a path is at the limit if it is one of FRONT_CELLS consecutive cells that lava crossed in
 * at most FRONT_STEPS steps. Shorter sections do not count, because lava that breaks out of a pond crosses a few
 * cells at the limit. Fronts of Etna 2006, on cells of 5 to 40 m, cross at most 10 cells at the limit. */
enum { FRONT_CELLS = 20, FRONT_STEPS = 25 };

struct front_speed {
    size_t way;      /* length of the path in cells, from the vent to the cell */
    size_t at_limit; /* number of cells of the path that are at the limit */
};

/* `place`: index of the cell in the window of *f. */
struct front_speed front_speed(const struct fields *f, size_t place);

/* The lava that has left the domain, but not into the sea. */
struct lava_left {
    double volume_m3;
    double share; /* share of all lava, initial and emitted; 0: no lava */
};
struct lava_left lava_left(const struct fields *f, const struct problem *p);

/* Where lava left the domain: over the edge of the terrain, or into a hole. A hole consists of cells without data that
 * the terrain surrounds within the window of *f. */
struct lava_exit {
    bool edge, hole;
    /* the northernmost reached cell next to a hole; in its row the westernmost */
    int row, col;
};
int lava_exit(struct lava_exit *x, const struct fields *f, const struct problem *p,
              struct error *e);

/* The lava that has entered the sea, and the shore cell where lava entered first. Arrivals in shore cells show where
 * and when, because all lava that arrives there enters the sea. */
struct lava_sea {
    /* volume of the lava in the sea, and its share of all lava */
    double volume_m3, share;
    int64_t step; /* the step in which the first lava entered the sea; -1: never */
    /* Row and column in the domain of the shore cell where lava entered first. If lava entered several cells in this
     * step, it is the northernmost of them and, in its row, the westernmost. */
    int row, col;
};
struct lava_sea lava_sea(const struct fields *f, const struct problem *p);

struct extent {
    size_t cells;      /* number of cells with lava, mobile or solidified */
    double runout_m;   /* largest distance between the centres of a cell with lava and its nearest
                        * vent; NaN: no vents or no lava */
    double thickest_m; /* largest thickness of a cell in this state, mobile and solidified */
    double max_thickness_m; /* largest thickness at the end of any step so far */
    struct lava_left left;
    struct lava_sea sea;
    /* the front on the path to the farthest cell with lava; all 0 if runout_m is NaN */
    struct front_speed front;
};

/* *f is a state of *p. */
struct extent extent_of(const struct fields *f, const struct problem *p);

struct spread {
    size_t cells;    /* number of reached cells */
    double runout_m; /* largest distance between the centres of a reached cell and its nearest
                      * vent; NaN: no vents or no lava */
};

/* Finds the exact spread of the flow at the end of each step[k], from the arrivals of *f. The steps increase. Cells
 * that lava reached after the last step do not count. */
void lava_spread(struct spread *at, const int64_t *step, int count, const struct fields *f,
                 const struct problem *p);
