/* report_page.h — what report.html shows that no other file of its folder has: the terrain, the places and vents on its map,
 * what was observed. Layers, tables and summary.json are read from the folder; show/page paints it. */
#pragma once

#include "map_scene.h"

#define REPORT_NAME "report" /* of it in a record */
#define REPORT_FILE REPORT_NAME ".html"
#define REPORT_MARK "<!doctype html>\n<!-- sciara report -->\n" /* how the file begins */

enum { REPORT_VENTS_MOST = 1000 };

/* How well lava covers the outline, in cells (compare/fit.h). */
struct report_fit {
    double jaccard, hits, misses, false_alarms;
};

/* On the grid of the layers. */
struct report_page {
    int rows, cols;
    struct georef geo; /* where there is a terrain */
    const double
        *elevation_m; /* rows*cols, before there was lava, NaN: no data; NULL: the layers tell it */
    const unsigned char *outline; /* rows*cols, nonzero inside; NULL: none */
    const struct report_fit *fit; /* NULL: not known */
    int place_count;
    const struct map_place *places;          /* with their names */
    const struct map_background *background; /* NULL: none */
    int vent_count;
    const double *vent;     /* row, col, row, col, ...; NULL: summary.json has them */
    bool possible;          /* lava comes from one of them, not from all */
    double arrival_bin_h;   /* width of the classes of arrivals; 0: there are none */
    const char *start_time; /* of the case, where summary.json has none; may be NULL, as these: */
    const char *stamp;      /* in red on the map, likewise */
    const char *caveat;     /* of times of arrival */
    const char *language;   /* of its words; NULL: English */
};
