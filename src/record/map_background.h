/* map_background.h — what lies on the terrain beneath the lava of a map: roads, rivers, buildings, the coast, names. No result
 * depends on it. A record has it once, for all of its pictures. */
#pragma once

#include "map_scene.h"

/* The kinds, from the bottom to the top. */
enum background_kind {
    BACKGROUND_AREA,
    BACKGROUND_WATER,
    BACKGROUND_COAST,
    BACKGROUND_RIVER,
    BACKGROUND_BUILDING, /* an area, or a point where it would be smaller than one */
    BACKGROUND_LINE,
    BACKGROUND_TRACK,
    BACKGROUND_ROAD,
    BACKGROUND_MAIN_ROAD,
    BACKGROUND_PLACE, /* points: a dot and, where there is room, a name */
    BACKGROUND_KINDS
};

struct background_feature {
    enum background_kind kind;
    struct map_place shape; /* its label is a name, or "" */
};

/* Elements stand in the order in which they are painted; names in front come first where there is no room for
 * all. */
struct map_background {
    int count;
    const struct background_feature *feature;
};

/* How all painters show a kind; widths in 1/200 inch. */
struct background_look {
    const char *name;   /* "main_road" */
    const char *word;   /* of this kind, by text/words.h */
    const char *legend; /* of maps, likewise; kinds with the same one are one entry; NULL: none */
    struct rgb colour, ink; /* of the line or area; of its name */
    bool filled;            /* areas; else they have an edge */
    double width, casing;   /* of lines; a casing in the colour of names, 0: none */
};
extern const struct background_look background_looks[BACKGROUND_KINDS];
