/* lava_extent.h — where the lava is and how thick it got, in the numbers of a report. */
#ifndef SCIARA_EXTENT_H
#define SCIARA_EXTENT_H

#include "sim/fields.h"

struct extent {
    size_t cells;    /* with lava, mobile or solidified */
    double runout_m; /* largest distance of such a cell from the vent nearest to it, centre to
                      * centre; NaN where there are no vents or no lava */
    double max_thickness_m; /* largest mobile + solidified anywhere at the end of any step */
};

/* *f is a state of *p, window and all. */
struct extent extent_of(const struct fields *f, const struct problem *p);

#endif
