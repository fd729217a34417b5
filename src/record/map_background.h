/* map_background.h — the background of a map beneath the lava: roads, rivers, buildings, the coast and names. No result
 * depends on the background. A record has one background for all its pictures. */
#pragma once

#include "map_scene.h"

/* The kinds in the order of painting: each is painted over the kinds before it. */
enum background_kind {
    BACKGROUND_AREA,
    BACKGROUND_WATER,
    BACKGROUND_COAST,
    BACKGROUND_RIVER,
    BACKGROUND_BUILDING, /* an area, or a point if the area is smaller than a dot */
    BACKGROUND_LINE,
    BACKGROUND_TRACK,
    BACKGROUND_ROAD,
    BACKGROUND_MAIN_ROAD,
    BACKGROUND_PLACE, /* a point: a dot, and a name if there is room */
    BACKGROUND_KINDS
};

struct background_feature {
    enum background_kind kind;
    struct map_place shape; /* label: the feature's name, or "" */
};

/* Features are painted in the order of the array. If there is no room for all names, the first names are written. */
struct map_background {
    int count;
    const struct background_feature *feature;
};

/* How all painters show a kind; widths in 1/200 inch. */
struct background_look {
    const char *name;       /* "main_road" */
    const char *word;       /* what a feature of this kind is, a row of words.tsv (text/words.h) */
    const char *legend;     /* entry in legends, a row of words.tsv; NULL: none */
    struct rgb colour, ink; /* colour of the line or area; ink of its name */
    bool filled;            /* an area is filled; false: only its edge is drawn */
    double width, casing;   /* width of a line; width of its casing, which is in `ink`; 0: none */
};
extern const struct background_look background_looks[BACKGROUND_KINDS];
