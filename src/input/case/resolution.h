/* resolution.h — parameters on cells of another size than the cells of their calibration (docs/model.md, section 2.7).
 *
 * The published cooling divides by the area of a cell, so the same Pcool cools small cells faster. In a heat balance
 * the area does not matter. If a case states the cell size for which its parameters were calibrated
 * (calibrated_cell_m), the functions here scale Pcool by the ratio of the areas. The Pclock of a set of parameters is
 * scaled by the ratio of the sides. A Pclock that the case itself gives stays as it is, and a message proposes the
 * scaled Pclock. */
#pragma once

#include "case.h"

/* Side of the cells for which all published sets of parameters were fitted, m. */
#define PUBLISHED_CELL_M 10.0

/* If the case has calibrated_cell_m, copies the parameters of the problem to `given`. Then scales the problem's
 * parameters to the cells of the problem. On cells of size calibrated_cell_m no bit changes. */
void resolution_scale(struct sim_case *c);

/* Scales Pclock to the size of the cells if Pclock comes from a set of parameters (of_set). Call this function before
 * anything is counted in steps. */
void resolution_scale_clock(struct sim_case *c, bool of_set);

/* A remedy that restores the Pclock of versions that did not scale it. */
#define RESOLUTION_CLOCK_REMEDY                                                                    \
    "Pclock is scaled with the cell size now; the line 'Pclock %.12g' restores the earlier step"

/* Returns the parameters as they were given, but with the Pclock of the problem. */
const struct params *resolution_given(const struct sim_case *c);

/* Returns the Pclock, s, with which a front can move as fast as on the cells of the calibration. Returns 0 if the case
 * has this Pclock already, or has no calibrated_cell_m. */
double resolution_clock_s(const struct sim_case *c);

/* Warns if the case has no calibrated_cell_m, and its cells differ from the published 10 m. */
void resolution_warn(struct sim_case *c);

/* Writes one line about the scaled parameters; "": no parameter was scaled. */
char *resolution_text(const struct sim_case *c, char text[256]);
