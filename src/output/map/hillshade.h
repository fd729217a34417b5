/* hillshade.h — shaded relief of a grid of elevations. */
#ifndef SCIARA_HILLSHADE_H
#define SCIARA_HILLSHADE_H

#include "base/error.h"

#define HILLSHADE_FLAT 0.78f /* shade of level ground */

/* shade[rows*cols]: 0 (darkest) to 1 (brightest) for every cell with data; NaN where elevation_m
 * is. Slopes after B. K. P. Horn (1981), light from the north-west at 45 degrees and, softer, from
 * the north-east. Flat terrain is exaggerated so that its forms are seen: the typical slope
 * decides. */
int hillshade(float *shade, const float *elevation_m, int rows, int cols, double cell_m,
              struct error *e);

#endif
