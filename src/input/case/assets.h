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
    char name[64]; /* property "name" or "id" of the feature, else its number */
    enum asset_kind kind;
    int feature; /* index in the file, from 0 */
    bool bare;   /* none of its cells has data in the terrain, so lava cannot reach it */
    bool sea;    /* all its cells are sea, which has no data */
    double size; /* point: 1; line: length on the terrain, m; area: area of its cells, m2 */
    uint32_t cells;
    uint32_t *cell;  /* row * cols + col, increasing */
    int parts;       /* number of points, lines or rings, for drawing */
    int *part_size;  /* number of positions of each part */
    double (*xy)[2]; /* all positions, in the CRS of the grid */
};

enum { ASSETS_NAMES = 120 };
struct assets {
    int count;
    char outside[ASSETS_NAMES]; /* names of features outside the terrain, as many as fit */
    struct asset *asset;
    struct vectors_about about;
};

enum { ASSETS_MAX = 100000 };
#define ASSETS_AMOUNT_MAX 1e15
/* The attributes that assets_read() reads; the last is NULL. */
extern const char *const assets_wanted[];

/* Reads a vector file (vectors.h), in which each feature is a place. A point has the cell that contains it. A line has
 * all cells that it touches. An area has the cells with their centre inside or, if there are none, the cells of its
 * edge. Skips features without a cell of the grid; ERROR_INPUT: all features are skipped. */
int assets_read(struct assets *a, const char *path, int rows, int cols, const struct georef *geo,
                struct error *e);
/* Sets `bare` and `sea` of all places. If the terrain cannot be read, all places count as having data. */
struct problem;
void assets_find_bare(struct assets *a, const struct problem *p);
/* Calls assets_read() and assets_find_bare(). If the path is NULL, there are no places. */
int assets_on(struct assets *a, const char *path, const struct problem *p, const struct georef *geo,
              struct error *e);
#define ASSETS_BARE "in the sea or outside the terrain's data" /* shown for a bare place */
/* Reads an attribute as a number for each place: 0 if the place lacks it. ERROR_INPUT: all places lack it, or a value
 * is negative or not a number. */
int assets_amounts(double *amount, const struct assets *a, const char *path, const char *attribute,
                   const struct vector_grid *grid, struct error *e);
/* Warns of places that are bare or outside the terrain, by their names. Also warns if the file at `path` has changed
 * since it was read; NULL: there is no file. */
void assets_warn(const struct assets *a, const char *path, struct warnings *w);
/* Writes the first columns of the row of a place: name, kind, and number of cells (0 for a bare place). */
void assets_put(struct table *t, const struct asset *a);
void assets_free(struct assets *a); /* all-zero is fine */
