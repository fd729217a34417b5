/* published.h — Sciara-fv2 in the arithmetic of the published serial program (docs/model.md, section 3), with its
 * defects. It is a variant for `run --published` and tests. Every speed-up of this project is measured against it.
 *
 * The window has to be the whole domain. create() copies the rasters, but not the vents. For the bits of the published
 * program, elevations and amounts must not be rounded to multiples of 2^-36 m. With full_domain all cells are visited
 * in each step, as in the published program. Otherwise a step visits the cells of a row from the first to the last that
 * ever had lava, and all cells next to these. The bits are the same. */
#pragma once

#include "sim/variant.h"

extern const struct variant variant_oracle;
