/* published.h — the oracle as a variant: Sciara-fv2 in the arithmetic of the published serial program (docs/model.md,
 * section 3), defects included. As a variant it lets `run --published` use the code of every other run.
 * `sciara_reference --published` and tests use it too, and every speed-up of this project is measured against it. All
 * other code computes in exact arithmetic.
 *
 * create() starts from the initial state of *problem. The window has to be the whole domain. create() copies the
 * rasters, but not the vents: the caller keeps them alive. Numbers need not be on the lattice. For the bits of the
 * published program they must not be rounded to it: elevations are in m as in the file, amounts are rate / area *
 * clock.
 *
 * full_domain: visits every cell in every step, as the published program does. Otherwise it visits in each row only the
 * cells from the first to the last cell that ever had lava, and all cells next to these. The bits are the same. */
#pragma once

#include "sim/variant.h"

extern const struct variant variant_oracle;
