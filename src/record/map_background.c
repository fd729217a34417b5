#include "map_background.h"

/* The background has greys and blues, because the scales of lava have no such colours. Roads are white between dark
 * edges, so they differ from the outline even in black and white. */
const struct background_look background_looks[BACKGROUND_KINDS] = {
    [BACKGROUND_AREA] = {"area", "other area", NULL, {150, 148, 140}, {80, 80, 84}, false, 1.2, 0},
    [BACKGROUND_WATER] =
        {"water", "water", "river or lake", {163, 196, 222}, {30, 78, 130}, true, 1, 0},
    [BACKGROUND_COAST] = {"coast", "coast", "coast", {38, 84, 134}, {30, 78, 130}, false, 2.4, 0},
    [BACKGROUND_RIVER] =
        {"river", "river", "river or lake", {70, 124, 178}, {30, 78, 130}, false, 1.8, 0},
    [BACKGROUND_BUILDING] =
        {"building", "building", "building", {72, 70, 76}, {80, 80, 84}, true, 3, 0},
    [BACKGROUND_LINE] = {"line", "other line", NULL, {120, 118, 112}, {80, 80, 84}, false, 1.4, 0},
    [BACKGROUND_TRACK] = {"track", "track", "road", {112, 108, 102}, {80, 80, 84}, false, 1.2, 0},
    [BACKGROUND_ROAD] = {"road", "road", "road", {255, 255, 253}, {76, 74, 80}, false, 1.6, 3.8},
    [BACKGROUND_MAIN_ROAD] =
        {"main_road", "main road", "road", {255, 255, 253}, {44, 44, 50}, false, 3.4, 6.4},
    [BACKGROUND_PLACE] = {"place", "place", NULL, {48, 46, 52}, {44, 44, 50}, true, 3, 0},
};
