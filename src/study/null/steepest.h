/* steepest.h — paths of steepest descent over elevations with a random error (terrain_error.h).
 *
 * From each cell a path enters the neighbour with the steepest slope down. In a hollow the path goes to the lowest
 * outlet: it fills the hollow from the lowest cell up, until it finds a cell below the cell at which the path
 * entered. */
#pragma once

#include "base/error.h"
#include "random/terrain_error.h"

/* A cell of a path. place: row * cols + col. length: length of the path up to the middle of this cell, in cells. */
struct steepest_cell {
    uint32_t place;
    double length;
};
struct steepest_path {
    struct steepest_cell *at;
    size_t count;
};

/* The memory of a search. For each cell near a path it takes 16 bytes, and up to 20 more in a hollow; for each node
 * of the error near a path it takes 12 bytes. */
struct steepest;
int steepest_create(struct steepest **s, const struct problem *p, struct error *e);
void steepest_free(struct steepest *s); /* NULL is fine */

/* Follows the path from a cell into an empty *path. *p is the problem of steepest_create(), perhaps with other
 * elevations. The path ends at the border of the terrain, at the shore, or when it is `most` cells long.
 * ERROR_FAILED: out of memory. Other errors are from reading terrain. */
int steepest_follow(struct steepest *s, const struct problem *p, const struct terrain_error *error,
                    uint32_t from, double most, struct steepest_path *path, struct error *e);
