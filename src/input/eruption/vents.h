/* vents.h — reads vents, and finds the cells of each vent. */
#pragma once

#include "base/error.h"
#include "sim/problem.h"
#include "raster/georef.h"
#include "vector/vectors.h"

#include <stdbool.h>
#include <stddef.h>

struct file_progress; /* file_progress.h */

enum {
    VENT_CELLS_MAX = 1 << 16, /* cells of all vents together */
    VENTS_MAX = 10000,
};

struct vent_cell {
    int row, col;
    bool spread; /* added by vent_site_spread() */
};

/* A place on the grid in cells: right from the west edge, up from the south edge. */
struct place {
    double right, up;
};

struct vent_site {
    int id;    /* > 0 */
    int line;  /* line in which the file first names the vent; 0: a raster */
    int count; /* number of cells */
    struct vent_cell *cell;
    struct place last; /* the last point that was added; it belongs to `part` */
    int part;
    int shares; /* the vent's rate divided by the rate of each cell: `count`; 1 in an original case */
};

/* All vents of a case, by increasing id. */
struct vent_sites {
    const char *path; /* borrowed, for messages */
    int count;
    struct vent_site *site;
    struct vectors_about about; /* how a vector file was read; for a CSV only `doubt` is set */
};

/* The grid on which vents lie. */
struct vent_ground {
    int rows, cols;
    const struct georef *geo;
    const double *elevation_m;           /* NaN: no data; NULL: data everywhere */
    const struct terrain_source *source; /* reads elevations later; NULL: all have been read */
    const uint8_t *sea; /* nonzero: the cell is sea, so it has no data; NULL: no sea */
};

/* Sets *has to whether the terrain has data in a cell. An error: the terrain cannot be read. */
int vent_has_ground(const struct vent_ground *g, struct vent_cell cell, bool *has, struct error *e);

/* The reason why a vent has no terrain, and the remedy, for "... where %s; move the vent or %s". */
struct vent_remedy {
    const char *where, *how;
};
struct vent_remedy vent_remedy(const struct vent_ground *g, struct vent_cell cell);

/* Converts map coordinates to a place on the grid. False: the place is outside the grid. */
bool vent_place(const struct vent_ground *g, double x, double y, struct place *p);

/* Reads a vents CSV or a vector file (docs/formats/rates.md): a vent is a point, or a fissure with cells that share
 * its rate equally. On an error *v is all zero. */
int vents_read(struct vent_sites *v, const char *path, const struct vent_ground *ground,
               struct error *e);

/* A row of a vents CSV, or a position in a vector file. */
struct vent_point {
    int id, line; /* line, or number of the feature */
    int order;    /* position in the file, from 0 */
    struct place at;
    int part; /* a line joins a point with the point before it if both have the same vent and part */
    double weight; /* value of the column `weight` or `probability`; 1 without them */
};
enum vent_weights { VENT_WEIGHTS_NONE, VENT_WEIGHTS, VENT_PROBABILITIES };
struct vent_points {
    enum vent_weights weights;
    int count;
    struct vent_point *point;   /* points in the order of the file, all on the grid */
    struct vectors_about about; /* as in struct vent_sites */
};

/* Reads the rows of a vents CSV, or the features of a vector file, without finding cells; there is at least one point.
 * Lines of features end at the edge of the grid. `weighted`: reads weights, too. On an error *v is all zero. */
int vent_points_read(struct vent_points *v, const char *path, const struct vent_ground *ground,
                     bool weighted, struct error *e);
void vent_points_free(struct vent_points *v); /* all-zero is fine */

/* Reads a vents raster of an original case: a value > 0 is an id, and every cell emits the whole rate of its id.
 * `as_published`: as in the published program, every number counts, even NODATA_value, and fractions are cut off. */
int vents_read_raster(struct vent_sites *v, const char *path, const char *dem_path,
                      const struct vent_ground *ground, bool as_published,
                      struct file_progress *progress, struct error *e);

void vents_free(struct vent_sites *v); /* all-zero is fine */

/* ---- building the list ----------------------------------------------------------------------- */

/* Finds the vent of an id, and adds it with `line` if it is new. *site is valid until the next call. */
int vent_sites_get(struct vent_site **site, struct vent_sites *v, int id, int line,
                   struct error *e);

/* Adds a cell to a vent, which may have it already. Refuses a cell without data. */
int vent_site_add(struct vent_sites *v, struct vent_site *site, const struct vent_ground *ground,
                  struct vent_cell cell, int line, struct error *e);

/* Adds a point to a vent. The first point of a part adds its cell. A further point, of a fissure, adds the cells that
 * the straight line from the point before crosses. */
int vent_sites_add_point(struct vent_sites *v, int id, struct place p, int part,
                         const struct vent_ground *g, int line, struct error *e);

/* Sorts the cells of each vent, removes repeated cells, and checks the number of cells. */
int vent_sites_finish(struct vent_sites *v, struct error *e);

/* Adds the nearest cells around a finished vent until it has at least `cells`. The centre of an added cell is within
 * the radius, in cells, of the centre of a cell that the vent had. Equally near cells are added together or not at
 * all, so that a mirrored terrain gets the mirrored cells. Cells without data are skipped. Call vent_sites_finish()
 * afterwards. */
int vent_site_spread(struct vent_sites *v, struct vent_site *site, int64_t cells,
                     double radius_cells, const struct vent_ground *g, struct error *e);

/* A list has structs that begin with `int id`, such as vents or rates, by increasing id. id_find() returns the entry of
 * an id, or NULL. id_list_get() adds an entry of zeros if the id is new. In its call, `entry` and `list` are addresses
 * of pointers to such structs. ERROR_INPUT: more than VENTS_MAX entries; `path` is for the message. */
const void *id_find(const void *list, int count, size_t size, int id);
int id_list_get(void *entry, void *list, int *count, size_t size, int id, const char *path,
                struct error *e);
