/* front_speed.h — whether a front was held up by the model's own limit: lava passes at most one
 * cell in a step (docs/model.md, section 2.7). */
#ifndef SCIARA_FRONT_SPEED_H
#define SCIARA_FRONT_SPEED_H

#include "sim/fields.h"

/* The way of the lava to a cell, from arrivals alone: backwards from each cell to the neighbour to
 * which lava came first. It is at its limit where FRONT_CELLS cells, one after the other, took no
 * more than FRONT_STEPS steps. Lava that breaks out of a pond crosses a few cells so; real fronts
 * of Etna 2006, on cells of 5 to 40 m, at most 10 in a row. */
enum { FRONT_CELLS = 20, FRONT_STEPS = 25 };

struct front_speed {
    size_t way;      /* cells from the vent, that cell included */
    size_t at_limit; /* of these, cells that lie in such a row */
};

/* `place`: index of the cell in the window of *f. */
struct front_speed front_speed(const struct fields *f, size_t place);

#endif
