/* legends.h — classes of probabilities. Maps, styles of a GIS and the page have these classes. */
#pragma once

#include "map_scene.h"

enum { LEGEND_PROBABILITY = 11, LEGEND_HAZARD = 5, LEGEND_CHANGE = 9 };

/* Classes are narrow at small probabilities, because these matter as much as large probabilities. Classes are also
 * narrow near 1, where forecasts are least reliable. The colours are about equally far apart in OKLab. */
extern const struct map_class legend_probability[LEGEND_PROBABILITY];

/* For a hazard study. Each class ends at ten times the end of the class before. The last entry is for the margin of
 * the terrain, where probabilities are not to be read. */
extern const struct map_class legend_hazard[LEGEND_HAZARD + 1];

/* The change of a probability since an earlier result, in percentage points. A change that is equal to a limit belongs
 * to the class of larger changes, whether it is an increase or a decrease. */
extern const struct map_class legend_change[LEGEND_CHANGE];
