/* resolution.h — parameters on cells of another size than they were calibrated for (docs/model.md, section 2.7).
 *
 * The published cooling divides by the area of a cell, which no heat balance does: so the same Pcool cools small
 * cells faster. If a case states for which cells its parameters are (calibrated_cell_m), Pcool is scaled by the
 * ratio of the areas, here and only here. The Pclock of a set of parameters is scaled by the ratio of the sides. A
 * Pclock that the case itself gives stays as it is, and a message proposes the scaled one. */
#pragma once

#include "case.h"

/* The cells for which all published sets of parameters were fitted. */
#define PUBLISHED_CELL_M 10.0

/* Copies the parameters of the problem to `given`, then scales them to its cells, if the case states for which cells
 * they are. On cells of that size no bit changes. */
void resolution_scale(struct sim_case *c);

/* Scales Pclock to the size of the cells if it comes from a set of parameters (`of_set`). Call it before anything is
 * counted in steps. */
void resolution_scale_clock(struct sim_case *c, bool of_set);

/* The remedy that restores the step of a version that did not scale it. */
#define RESOLUTION_CLOCK_REMEDY                                                                    \
    "the step is scaled with the cell now; the line 'Pclock %.12g' restores it"

/* The parameters as they were given, with the Pclock that counts. */
const struct params *resolution_given(const struct sim_case *c);

/* The step, in s, with which a front can move as fast as on the cells of the calibration; 0: it is that of the case,
 * or not known. */
double resolution_clock_s(const struct sim_case *c);

/* Warns if the case does not state for which cells its parameters are, and its own cells differ from the published ones. */
void resolution_warn(struct sim_case *c);

/* One line about the scaled parameters; "": none were scaled. */
char *resolution_text(const struct sim_case *c, char text[256]);
