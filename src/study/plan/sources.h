/* sources.h — where members may erupt: vents and fissures of a list, points of a grid, cells of a
 * raster of probabilities. */
#pragma once

#include "eruption/vents.h"
#include "random/choice.h"

enum { SOURCES_MAX = 10000000 };

struct source {
    int id;            /* number of its vent */
    int first, points; /* in sources.point */
};

struct sources {
    struct choice choice; /* chooses one of them; choice.count: how many, 0: none */
    struct source *source;
    int point_count;
    struct vent_point *point;
    struct vectors_about about; /* 0 features: the list was no vector file */
};

/* Reads vents from a CSV or a vector file, with a column `weight` or `probability` or neither. On
 * an error *s is all zero. */
int sources_read_list(struct sources *s, const char *path, const struct vent_ground *ground,
                      struct error *e);

/* Makes a point every spacing_m within a box (west, south, east, north; NaN: the whole DEM), the
 * first ones half of that from its sides; points without terrain are passed over. */
int sources_make_grid(struct sources *s, double spacing_m, const double box[4], const char *at,
                      const struct vent_ground *ground, struct error *e);

/* Makes a source in the middle of each cell with a value above 0, which is its share. */
int sources_read_raster(struct sources *s, const char *path, const struct vent_ground *ground,
                        struct error *e);

/* Adds a vent with its share of any sum; choice_finish() follows the last one. ERROR_INPUT: it is outside the terrain;
 * `at` is for the message. */
int sources_add(struct sources *s, double x, double y, double share, const char *at,
                const struct vent_ground *ground, struct error *e);

void sources_free(struct sources *s); /* all-zero is fine */
