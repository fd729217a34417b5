/* published.h — the oracle as a variant, so that `run --published` uses the same code as every other run:
 * Sciara-fv2 in the arithmetic of the published serial program (docs/model.md, section 3), defects
 * included. `sciara_reference --published` and tests use it, and every speed-up of this project is
 * measured against it. All other code computes in exact arithmetic.
 *
 * create() starts from the state in *problem, whose window must be the whole domain. Its rasters are copied, its
 * vents are not. Unlike in all other code the numbers need not be on the lattice, and must not be if the published
 * program's bits are wanted: elevations in m as in the file, amounts as rate / area * clock.
 *
 * full_domain: visits every cell in every step, as the published program does. Otherwise visits in each row only the
 * cells from the first to the last that ever held lava, and one cell around them. The bits are the same. */
#pragma once

#include "sim/variant.h"

extern const struct variant variant_oracle;
