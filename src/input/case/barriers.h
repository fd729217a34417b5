/* barriers.h — reads the walls and channels of a case: lines and areas of a file, as cells of the terrain.
 *
 * A wall has a height above the ground, or the elevation of its crest. A channel has a depth below the ground. Heights
 * and depths count from the ground just before the barrier is built. A line has all cells that it touches, so that no
 * lava passes it diagonally. It also has the cells with their centre at most half its width away. An area has the cells
 * with their centre inside. In a cell of several barriers the highest wall counts or, without a wall, the deepest
 * channel. */
#pragma once

#include "changes.h"
#include "vector/vectors.h"

enum barrier_form { BARRIER_HEIGHT, BARRIER_CREST, BARRIER_DEPTH, BARRIER_FORMS };
extern const char *const barrier_forms[BARRIER_FORMS]; /* "height_m", ... */

struct barrier {
    char name[64];
    enum barrier_form form;
    double value_m; /* height, elevation of the crest, or depth */
    double width_m; /* width of a line; 0: only the cells that it touches */
    /* when the barrier is built, s since the start of the eruption; 0 or less: it stands at the start */
    double time_s;
    double length_m; /* length of the line, or of the edge of the area */
    uint32_t cells;  /* number of its cells that have data in the terrain */
    /* Heights by which this barrier alone would raise and lower the ground, summed over its cells. */
    quanta raised, lowered;
    int feature; /* index of the feature in the file */
};

struct barriers {
    char *path;
    struct vectors from; /* lines and areas in the CRS of the terrain, for drawing */
    int count;
    struct barrier *item;
    double *bare_m; /* elevations without the initial barriers; NULL: there are no such barriers */
    struct ground_sums built; /* how the initial barriers change the ground */
    uint32_t cells;           /* number of cells that the initial barriers change */
};

/* Reads the barriers of a case, if the case names a file of them. Barriers that stand at the start change the terrain
 * of the case. Later barriers become changes of the terrain (changes.h). */
int barriers_read(struct sim_case *c, const struct settings *s, struct error *e);
void barriers_free(struct barriers *b, const struct sim_case *c); /* NULL is fine */
