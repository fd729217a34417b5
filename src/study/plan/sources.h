/* sources.h — places where members may erupt: vents and fissures of a list, points of a grid, or cells of a raster of
 * probabilities. */
#pragma once

#include "eruption/vents.h"
#include "random/choice.h"

enum { SOURCES_MAX = 10000000 };

struct source {
    int id;            /* number of the vent */
    int first, points; /* first index and number of its points in sources.point */
};

struct sources {
    struct choice choice; /* chooses a source; choice.count: number of sources, 0: none */
    struct source *source;
    int point_count;
    struct vent_point *point;
    struct vectors_about about; /* 0 features: the list was not a vector file */
};

/* Reads vents from a CSV or a vector file, with a column `weight` or `probability`, or neither. On an error *s is all
 * zero. */
int sources_read_list(struct sources *s, const char *path, const struct vent_ground *ground,
                      struct error *e);

/* Makes points with a spacing of spacing_m in a box (west, south, east, north; NaN: the whole DEM). The first point
 * is half a spacing from the west and the south side. Points without terrain are skipped. */
int sources_make_grid(struct sources *s, double spacing_m, const double box[4], const char *at,
                      const struct vent_ground *ground, struct error *e);

/* Makes a source in the middle of each cell with a value above 0. The value is the share of the source. */
int sources_read_raster(struct sources *s, const char *path, const struct vent_ground *ground,
                        struct error *e);

/* Adds a vent with a share. Shares may have any sum. The caller calls choice_finish() after the last vent.
 * ERROR_INPUT: the vent is outside the terrain. `at` is for the message. */
int sources_add(struct sources *s, double x, double y, double share, const char *at,
                const struct vent_ground *ground, struct error *e);

void sources_free(struct sources *s); /* all-zero is fine */
