/* lava_spread.h — how a flow grew, from the steps in which lava first came to its cells: exactly
 * what it was then, whatever the variant, known from a state at the end. */
#ifndef SCIARA_LAVA_SPREAD_H
#define SCIARA_LAVA_SPREAD_H

#include "sim/fields.h"

struct spread {
    size_t cells;    /* that lava had come to */
    double runout_m; /* largest distance of such a cell from the vent nearest to it, centre to
                      * centre; NaN where there are no vents or no lava */
};

/* At the end of each of those steps, which increase. Cells that lava came to later are in none. */
void lava_spread(struct spread *at, const int64_t *step, int count, const struct fields *f,
                 const struct problem *p);

#endif
