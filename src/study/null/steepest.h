/* steepest.h — paths of steepest descent over elevations with an error of their own (terrain_error.h).
 *
 * From each cell a path enters the neighbour with the steepest slope down to it. In a hollow it
 * takes the way to the lowest outlet: the cells of the hollow are taken from the lowest up until one
 * is lower than where the path entered. */
#pragma once

#include "base/error.h"
#include "random/terrain_error.h"

/* A cell of a path, row * cols + col, and the path's length up to its middle, in cells. */
struct steepest_cell {
    uint32_t place;
    double length;
};
struct steepest_path {
    struct steepest_cell *at;
    size_t count;
};

/* The search: it takes 16 bytes for each cell of the terrain that paths come near, up to 20 more in a hollow, and 12 for each
 * node of the error there. */
struct steepest;
int steepest_create(struct steepest **s, const struct problem *p, struct error *e);
void steepest_free(struct steepest *s); /* NULL is fine */

/* Follows the path from a cell into an empty *path; *p is as in steepest_create(), perhaps with
 * other elevations. The path ends at the border of the terrain, at the shore, or where it is `most`
 * cells long. ERROR_FAILED: out of memory; else errors of reading terrain on its way. */
int steepest_follow(struct steepest *s, const struct problem *p, const struct terrain_error *error,
                    uint32_t from, double most, struct steepest_path *path, struct error *e);
