/* map_grid.h — a map at the resolution of its page, and its relief. */
#pragma once

#include "record/map_scene.h"

#include <stdbool.h>

/* ---- map_grid.c: the data -------------------------------------------------------------------- */

enum { MAP_CLASSES_MOST = 32 }; /* classes beyond this number share a colour */

struct map_grid {
    struct window crop; /* the shown cells; all cells, unless the map has a crop */
    int block;          /* a node has block x block cells, fewer at the southern and eastern edge */
    int rows, cols;     /* numbers of nodes */
    int enlarge;        /* width and height of a node in the picture, in pixels */
    /* width and height of a node on the page, in pixels: less than `enlarge` if the picture is reduced */
    double pixels;
    float *elevation_m; /* mean over the node's cells with data; NaN: no cell has data */
    float *value;       /* mean over the cells with a value, or their commonest class; NaN: none */
    unsigned char *cover; /* part of the node with a value, 0..255; 0 only if no cell has a value */
    float *inside;        /* the part of the node inside the outline; NULL: no outline */
    unsigned char *sea;   /* nonzero: a node without terrain, mostly sea; NULL: no sea */
    bool missing;         /* some node has neither terrain nor sea */
    double lowest_m, highest_m; /* extremes of elevation_m; lowest > highest: no terrain at all */
    struct map_range range;     /* range of the map's values, not of means */
    double lo, hi;              /* ends of the colour scale, from the map or from its values */
};

/* Room for a map, in pixels. */
struct map_room {
    int wide, high;
    bool fixed; /* the map has to fill the room; else it may be a fifth larger than the room */
};

/* Sets *g. Chooses crop, block and enlarge so that the map fills the room. ERROR_FAILED: no memory;
 * then *g is all zero. The memory depends on the size of the picture, not of *m. */
int map_grid_create(struct map_grid *g, const struct map *m, struct map_room room, struct error *e);
void map_grid_free(struct map_grid *g);

/* ---- hillshade.c: shaded relief -------------------------------------------------------------- */

#define HILLSHADE_FLAT 0.78f /* shade of level ground */

/* shade[rows*cols]: from 0 (darkest) to 1 (brightest) for cells with data; NaN where elevation_m is NaN. Slopes after B.
 * K. P. Horn (1981). The light comes from the north-west at 45 degrees, and a weaker light from the north-east. Flatter
 * terrain is exaggerated more, so that its forms are visible. */
int hillshade(float *shade, const float *elevation_m, int rows, int cols, double cell_m,
              struct error *e);
