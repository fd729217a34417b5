/* report_page.h — what report.html shows that no other file of its folder has: the terrain, places and vents of its
 * map, and the observed outline. show/page paints it and reads layers, tables and summary.json from the folder. */
#pragma once

#include "map_scene.h"

#define REPORT_NAME "report" /* name of the report in a record */
#define REPORT_FILE REPORT_NAME ".html"
#define REPORT_MARK "<!doctype html>\n<!-- sciara report -->\n" /* how report.html begins */

enum { REPORT_VENTS_MOST = 1000 };

/* How well lava covers the outline (compare/fit.h): the overlap J, and numbers of cells. */
struct report_fit {
    double jaccard, hits, misses, false_alarms;
};

/* All arrays of cells have the grid of the layers. */
struct report_page {
    int rows, cols;
    struct georef geo; /* known if there is a terrain */
    /* terrain before lava, rows*cols; NaN: no data; NULL: the layers have the terrain */
    const double *elevation_m;
    const unsigned char *outline; /* rows*cols, nonzero inside; NULL: none */
    const struct report_fit *fit; /* NULL: not known */
    int place_count;
    const struct map_place *places;          /* shown with their names */
    const struct map_background *background; /* NULL: none */
    int vent_count;
    const double *vent;   /* row, col, row, col, ...; NULL: summary.json has them */
    bool possible;        /* lava comes from one of the vents, not from all */
    double arrival_bin_h; /* width of the classes of arrival; 0: there are none */
    /* Each of the following may be NULL. start_time or stamp is used only if summary.json lacks it. */
    const char *start_time;
    const char *stamp;    /* text in red on the map */
    const char *caveat;   /* a text next to times of arrival */
    const char *language; /* language of the page; NULL: English */
};
