/* map_grid.h — a map's data at the resolution at which it is drawn. */
#ifndef SCIARA_MAP_GRID_H
#define SCIARA_MAP_GRID_H

#include "base/error.h"
#include "map.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAP_CLASSES_MOST = 32 }; /* classes beyond this are not told apart */

struct map_grid {
    struct map_crop crop; /* the cells that are shown; all of them unless the map has a crop */
    int block;      /* one node here stands for block x block cells (fewer at the last edges) */
    int rows, cols; /* of nodes */
    int enlarge;    /* pixels per node and side, of the picture */
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
    /* Of the given values, not of the means: */
    size_t count;       /* of those that are numbers below 1e30 */
    double least, most; /* 0 where count == 0 */
    double usual_most;  /* 99.8 % are not larger (nearly) */
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
/* The ends of a scale for its values. */
void map_range_of(const struct map_grid *g, double *low, double *high);
void map_grid_free(struct map_grid *g);

#endif
