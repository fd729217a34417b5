/* map_background.h — what lies on the terrain beneath the lava of a map: roads, rivers, buildings, the coast, names. No result
 * depends on it. A record keeps it once for all of its pictures. */
#pragma once

#include "map_scene.h"

/* The kinds, from the bottom to the top. */
enum background_kind {
    BACKGROUND_AREA,
    BACKGROUND_WATER,
    BACKGROUND_COAST,
    BACKGROUND_RIVER,
    BACKGROUND_BUILDING, /* an area; a point where the area would be smaller than a dot */
    BACKGROUND_LINE,
    BACKGROUND_TRACK,
    BACKGROUND_ROAD,
    BACKGROUND_MAIN_ROAD,
    BACKGROUND_PLACE, /* a point: a dot and, where there is room, a name */
    BACKGROUND_KINDS
};

struct background_feature {
    enum background_kind kind;
    struct map_place shape; /* label: the feature's name, or "" */
};

/* Features are painted in the order of the array. Where names lack room, the first ones are written. */
struct map_background {
    int count;
    const struct background_feature *feature;
};

/* How all painters show a kind; widths in 1/200 inch. */
struct background_look {
    const char *name;       /* "main_road" */
    const char *word;       /* what a feature of this kind is, a row of words.tsv (text/words.h) */
    const char *legend;     /* its entry in legends, also such a row; NULL: none */
    struct rgb colour, ink; /* of the line or area, and of its name */
    bool filled;            /* areas: filled, else only their edge is drawn */
    double width, casing;   /* lines: of the line, and of its casing in the colour `ink`, 0: none */
};
extern const struct background_look background_looks[BACKGROUND_KINDS];
