/* resolution.h — parameters on cells of another size than they were calibrated for (docs/model.md,
 * section 2.7).
 *
 * The published cooling divides by the area of a cell, which no heat balance does: so the same
 * Pcool cools small cells faster. A case that says for which cells its parameters are
 * (calibrated_cell_m) has Pcool scaled by the ratio of the areas, once, here; whatever computes
 * gets the scaled one. The Pclock of a set of parameters is scaled by the ratio of the sides; one that
 * the case gives itself counts as it is, and another is proposed. */
#pragma once

#include "case.h"

/* The cell of the published parameters, for all of Etna: 10 m. */
#define PUBLISHED_CELL_M 10.0

/* Keeps the parameters, which the problem has as they are given, in `given` and scales them to the size of its cells,
 * if the case says for which cells they are. Cells of that size leave every bit as it is. */
void resolution_scale(struct sim_case *c);

/* Scales Pclock before anything counts in steps; the size of the cells is known. `of_set`: Pclock
 * comes from a set of parameters, and is scaled on other cells than its own. */
void resolution_scale_clock(struct sim_case *c, bool of_set);

/* The remedy that restores the step of a version that did not scale it. */
#define RESOLUTION_CLOCK_REMEDY                                                                    \
    "the step is scaled with the cell now; the line 'Pclock %.12g' restores it"

/* The parameters as they were given, with the Pclock that counts. */
const struct params *resolution_given(const struct sim_case *c);

/* The step in which a front can go as far in a second as with the parameters' own cells; 0: no
 * other than the case has, or not known. */
double resolution_clock_s(const struct sim_case *c);

/* Warns if the case does not say for which cells its parameters are, and these are others than the published ones. */
void resolution_warn(struct sim_case *c);

/* One line about the scaled parameters; "": none were scaled. */
char *resolution_text(const struct sim_case *c, char text[256]);
