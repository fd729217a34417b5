/* lava_extent.h — where the lava is and how thick it got, in the numbers of a report. */
#ifndef SCIARA_EXTENT_H
#define SCIARA_EXTENT_H

#include "front_speed.h"

/* What has left the domain. */
struct lava_left {
    double volume_m3;
    double share; /* of all lava that was emitted or mobile at the beginning; 0 where none was */
};
struct lava_left lava_left(const struct fields *f, const struct problem *p);

struct extent {
    size_t cells;      /* with lava, mobile or solidified */
    double runout_m;   /* largest distance of such a cell from the vent nearest to it, centre to
                        * centre; NaN where there are no vents or no lava */
    double thickest_m; /* largest mobile + solidified anywhere, in this state */
    double max_thickness_m; /* the same at the end of any step so far */
    struct lava_left left;
    struct front_speed front; /* on the way to the farthest such cell; all 0 without run-out */
};

/* *f is a state of *p, window and all. */
struct extent extent_of(const struct fields *f, const struct problem *p);

#endif
