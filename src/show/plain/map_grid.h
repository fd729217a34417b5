/* map_grid.h — a map at the resolution at which it is drawn, and its relief. */
#pragma once

#include "record/map_scene.h"

#include <stdbool.h>

/* ---- map_grid.c: the data -------------------------------------------------------------------- */

enum { MAP_CLASSES_MOST = 32 }; /* further classes have one colour */

struct map_grid {
    struct window crop; /* the cells that are shown; all of them unless the map has a crop */
    int block;          /* one node here stands for block x block cells (fewer at the last edges) */
    int rows, cols;     /* of nodes */
    int enlarge;        /* pixels per node and side, of the picture */
    double
        pixels; /* the same of the page: fewer, if they are so few that whole ones fill it badly */
    float *elevation_m; /* mean of the cells with data; NaN: none of them has */
    float *value;       /* mean of the cells with a value, or their commonest class; NaN: none */
    unsigned char
        *cover;         /* how much of the node has a value, 0..255; at least 1 where a cell has */
    float *inside;      /* share of the cells inside the outline; NULL: no outline */
    unsigned char *sea; /* nonzero: a node without terrain, most of whose cells are sea; or NULL */
    bool missing;       /* somewhere there is no terrain, nor sea */
    double lowest_m, highest_m; /* of elevation_m; lowest > highest: no terrain at all */
    struct map_range range;     /* of the given values, not of the means */
};

/* Room for a grid in pixels; of a reduced domain a node is one. */
struct map_room {
    int wide, high;
    bool fixed; /* what is shown fills it; else a domain that is reduced may be larger */
};

/* Chooses what is shown, block and enlarge so that the map fills the room, and fills *g.
 * ERROR_FAILED where there is no memory; *g is all zero then. Memory is that of a picture, whatever
 * m's size. */
int map_grid_create(struct map_grid *g, const struct map *m, struct map_room room, struct error *e);
void map_grid_free(struct map_grid *g);

/* ---- hillshade.c: shaded relief -------------------------------------------------------------- */

#define HILLSHADE_FLAT 0.78f /* shade of level ground */

/* shade[rows*cols]: 0 (darkest) to 1 (brightest) for every cell with data; NaN where elevation_m
 * is. Slopes after B. K. P. Horn (1981), light from the north-west at 45 degrees and, softer, from
 * the north-east. Flat terrain is exaggerated so that its forms are seen: the typical slope
 * decides. */
int hillshade(float *shade, const float *elevation_m, int rows, int cols, double cell_m,
              struct error *e);
