/* case_tiles.h — reads a large DEM in tiles, and only the tiles that are requested (problem_read_terrain()).
 *
 * The arrays of such a case cover its domain, but cells that were never read take no memory and have no meaning.
 * Each tile is checked when it is read. */
#pragma once

#include "case.h"
#include "raster/raster.h"
#include "sim/tile_map.h"

/* Terrain of more cells is read in tiles. */
enum { CASE_WHOLE_CELLS = 1 << 20 };

/* A raster on the grid of the DEM. */
struct case_layer {
    struct raster_file *file; /* NULL: there is none */
    char *path;
    struct raster_unit unit;
    double shift_m; /* added to elevations */
};
void case_layer_close(struct case_layer *l); /* all-zero is fine */

/* Reads a window into an array of the domain. case_layer_elevation() also adds shift_m, checks the elevations, and
 * rounds them to the lattice. */
int case_layer_read(const struct case_layer *l, const struct sim_case *c, struct window w,
                    double *array, struct error *e);
int case_layer_elevation(const struct case_layer *l, const struct sim_case *c, struct window w,
                         double *array, struct error *e);

struct case_lava {
    struct case_layer thickness, solidified, temperature;
};
void case_lava_close(struct case_lava *l);

/* Lets the case read its terrain from *dem in tiles. The case then owns the layer, and *dem is all zero. */
int case_tiles_create(struct sim_case *c, struct case_layer *dem, struct error *e);
void case_tiles_free(struct case_tiles *t); /* NULL is fine */

/* Moves the layers of initial lava to the case. Reads the thickness everywhere, since a run begins where there is lava.
 * `temp_K`: the temperature of the lava if there is no layer of temperatures. */
int case_tiles_take_lava(struct sim_case *c, struct case_lava *l, double temp_K, struct error *e);

/* Gives the tiles a survey that applies from the first step. Surveys have to come in order of time. */
struct change;
int case_tiles_take_survey(struct sim_case *c, struct change *x, struct error *e);

/* Both functions copy elevations to barriers->bare_m, the ground without barriers. case_keep_bare() copies a window,
 * case_tiles_keep_bare() all tiles that have been read. */
void case_keep_bare(const struct sim_case *c, struct window w);
void case_tiles_keep_bare(struct sim_case *c);

/* Reads the terrain under the initial lava. Call this function last, after case_point(). */
int case_tiles_finish(struct sim_case *c, struct error *e);

/* Loops over the cells of a window of the domain; i is the index of a cell in arrays. */
#define EACH_CELL(c, w, row, col, i)                                                               \
    for (int row = (w).row0; row < (w).row0 + (w).rows; row++)                                     \
        for (size_t col = (size_t)(w).col0,                                                        \
                    i = (size_t)row * (size_t)(c)->problem.cols + (size_t)(w).col0;                \
             col < (size_t)(w).col0 + (size_t)(w).cols; i++, col++)

static inline struct window case_domain(const struct sim_case *c)
{
    return (struct window){0, 0, c->problem.rows, c->problem.cols};
}

static inline size_t case_cells(const struct sim_case *c)
{
    return (size_t)c->problem.rows * (size_t)c->problem.cols;
}

/* Allocates an array of zeros over the domain. In a case read in tiles only the parts that are used take memory.
 * NULL: out of memory. */
void *case_array(const struct sim_case *c, size_t cell_bytes);
void case_array_free(const struct sim_case *c, void *array, size_t cell_bytes);
