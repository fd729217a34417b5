/* assets.h — points, lines and areas of interest, as cells of the grid. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"
#include "text/table.h"
#include "text/warnings.h"
#include "vector/vectors.h"

#include <stdint.h>

enum asset_kind { ASSET_POINT, ASSET_LINE, ASSET_AREA };
extern const char *const asset_kinds[]; /* "point", "line", "area" */

struct asset {
    char name[64]; /* property "name" of the feature, or "id"; else its number */
    enum asset_kind kind;
    int feature; /* index in the file, from 0 */
    bool bare;   /* the terrain has no data in any of its cells, so no lava can reach it */
    bool sea;    /* all its cells are sea; then `bare` is true, too */
    double size; /* on the terrain: 1 for a point, m of a line, m2 of the cells of an area */
    uint32_t cells;
    uint32_t *cell;  /* row * cols + col, increasing */
    int parts;       /* points, lines or rings, for drawing */
    int *part_size;  /* number of positions of each part */
    double (*xy)[2]; /* all positions, in the CRS of the grid */
};

enum { ASSETS_NAMES = 120 };
struct assets {
    int count;
    char outside[ASSETS_NAMES]; /* names of features outside the terrain, as many as fit */
    struct asset *asset;
    struct vectors_about about; /* the file */
};

enum { ASSETS_MAX = 100000 };
#define ASSETS_AMOUNT_MAX 1e15
extern const char *const assets_wanted[]; /* attributes, NULL behind the last */

/* Reads a vector file (vectors.h), in which each feature is a place. A point has the cell in which it lies, a line all
 * cells that it passes, an area the cells with their centre inside. An area without such cells has the cells of its
 * edge. Features without a cell of the grid are skipped; ERROR_INPUT if all features are. */
int assets_read(struct assets *a, const char *path, int rows, int cols, const struct georef *geo,
                struct error *e);
/* Finds which places are bare. A terrain that cannot be read counts as having data. */
struct problem;
void assets_find_bare(struct assets *a, const struct problem *p);
/* Reads the places of a file and finds which are bare on the terrain of *p; path NULL: there are none. */
int assets_on(struct assets *a, const char *path, const struct problem *p, const struct georef *geo,
              struct error *e);
#define ASSETS_BARE "in the sea or outside the terrain's data" /* replaces a number in tables */
/* Reads an attribute as a number for each place; 0 if the feature lacks it. ERROR_INPUT: all features lack it, or a
 * value is negative or not a number. */
int assets_amounts(double *amount, const struct assets *a, const char *path, const char *attribute,
                   const struct vector_grid *grid, struct error *e);
/* Warns of places outside the terrain, which no table has, and of bare places, with their names. Also warns of a file
 * that has changed. `path`: the file, or NULL. */
void assets_warn(const struct assets *a, const char *path, struct warnings *w);
/* Writes the first columns of the row of a place: name, kind, number of cells (0: the place is bare). */
void assets_put(struct table *t, const struct asset *a);
void assets_free(struct assets *a); /* all-zero is fine */
