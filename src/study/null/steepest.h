/* steepest.h — paths of steepest descent over elevations with an error of their own (terrain_error.h).
 *
 * From each cell a path enters the neighbour with the steepest slope down to it. In a hollow it
 * takes the way to the lowest outlet: the cells of the hollow are taken from the lowest up until one
 * is lower than where the path entered. */
#pragma once

#include "base/error.h"
#include "random/terrain_error.h"

/* A cell, row * cols + col, and the length of the path up to its middle, in cells. */
struct steepest_cell {
    uint32_t place;
    double length;
};
struct steepest_path {
    struct steepest_cell *at;
    size_t count;
};

/* Room for the search: 28 bytes for each cell of the terrain that paths come near, and 12 for each
 * node of the error there. */
struct steepest;
int steepest_create(struct steepest **s, const struct problem *p, struct error *e);
void steepest_free(struct steepest *s); /* NULL is fine */

/* The path from a cell, added to an empty *path; *p as in steepest_create(), with elevations of its
 * own if need be. It ends on the border of the terrain, on the shore, or where it is `most` cells
 * long. ERROR_FAILED: out of memory; errors of terrain that is read on its way. */
int steepest_follow(struct steepest *s, const struct problem *p, const struct terrain_error *error,
                    uint32_t from, double most, struct steepest_path *path, struct error *e);
