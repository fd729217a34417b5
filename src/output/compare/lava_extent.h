/* lava_extent.h — where the lava is and how thick it got, in the numbers of a report. */
#ifndef SCIARA_EXTENT_H
#define SCIARA_EXTENT_H

#include "front_speed.h"

/* Squared distance, in cells, to the nearest vent; once that is known to be no more than `enough`,
 * any value up to it will do. */
double extent_nearest_vent(const struct problem *p, int row, int col, double enough);

/* What has left the domain, but into the sea. */
struct lava_left {
    double volume_m3;
    double share; /* of all lava that was emitted or mobile at the beginning; 0 where none was */
};
struct lava_left lava_left(const struct fields *f, const struct problem *p);

/* What has gone into the sea, and the cell of the shore at which lava first did. Only lava that
 * comes to the shore sets a time there, so the records of the state tell. */
struct lava_sea {
    double volume_m3, share; /* as above */
    int64_t step;            /* of the first, at its end; -1: none has */
    int row, col;            /* in the domain; the northernmost, then westernmost of several */
};
struct lava_sea lava_sea(const struct fields *f, const struct problem *p);

struct extent {
    size_t cells;      /* with lava, mobile or solidified */
    double runout_m;   /* largest distance of such a cell from the vent nearest to it, centre to
                        * centre; NaN where there are no vents or no lava */
    double thickest_m; /* largest mobile + solidified anywhere, in this state */
    double max_thickness_m; /* the same at the end of any step so far */
    struct lava_left left;
    struct lava_sea sea;
    struct front_speed front; /* on the way to the farthest such cell; all 0 without run-out */
};

/* *f is a state of *p, window and all. */
struct extent extent_of(const struct fields *f, const struct problem *p);

#endif
