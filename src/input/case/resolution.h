/* resolution.h — parameters on cells of another size than they were calibrated for (docs/model.md, section 2.7).
 *
 * The published cooling divides by the area of a cell, which no heat balance does. So the same Pcool cools small cells
 * faster. If a case states for which cells its parameters are (calibrated_cell_m), only the functions here scale
 * Pcool, by the ratio of the areas. The Pclock of a set of parameters is scaled by the ratio of the sides. A Pclock
 * that the case itself gives stays as it is, and a message proposes the scaled one. */
#pragma once

#include "case.h"

/* Side of the cells for which all published sets of parameters were fitted, m. */
#define PUBLISHED_CELL_M 10.0

/* If the case states for which cells its parameters are, copies the parameters of the problem to `given`. Then scales
 * the parameters to the cells of the problem. On cells of the stated size no bit changes. */
void resolution_scale(struct sim_case *c);

/* Scales Pclock to the size of the cells if it comes from a set of parameters (`of_set`). Call it before anything is
 * counted in steps. */
void resolution_scale_clock(struct sim_case *c, bool of_set);

/* The remedy that restores the step of versions that did not scale Pclock. */
#define RESOLUTION_CLOCK_REMEDY                                                                    \
    "the step is scaled with the cell now; the line 'Pclock %.12g' restores it"

/* Returns the parameters as they were given, but with the Pclock of the problem. */
const struct params *resolution_given(const struct sim_case *c);

/* Returns the Pclock, s, with which a front can move as fast as on the cells of the calibration; 0: the case has this
 * Pclock, or does not state those cells. */
double resolution_clock_s(const struct sim_case *c);

/* Warns if the case does not state for which cells its parameters are, and its own cells differ from the published ones. */
void resolution_warn(struct sim_case *c);

/* Writes one line about the scaled parameters; "": none were scaled. */
char *resolution_text(const struct sim_case *c, char text[256]);
