/* isochrones.h — isochrones of lava at round times: bands of arrival as polygons, and the lines between bands, in the
 * coordinates of the terrain.
 *
 * A level is a time. A band has the cells that lava reached after the previous level and by its own
 * level. The last level is the latest arrival. Along the flanks of a flow a few late cells would be
 * separate polygons. So a connected piece of fewer than `small_cells` cells gets the band with
 * which it shares most edges, unless it is the largest piece of its band. `small_cells` is halved
 * until, for each level, the area that lava had reached by this level gains or loses at most
 * ISOCHRONES_SHARE of its cells.
 *
 * The centre of each cell is in the polygon of its band. Polygons of neighbour bands share their lines point by point, so
 * they leave no gap, and no ring crosses itself or another ring of its band. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"

#include <stdbool.h>
#include <stddef.h>

#define ISOCHRONES_SHARE 0.1
enum { ISOCHRONES_LEVELS = 64, ISOCHRONES_SMALL = 32 };

/* x, y in metres. A closed path does not repeat its first position. */
struct isochrone_path {
    int count;
    bool closed;
    double (*xy)[2];
};

/* ring[0] is the outer ring, counterclockwise. All other rings are holes, clockwise. */
struct isochrone_polygon {
    int count;
    struct isochrone_path *ring;
};

struct isochrone_area {
    int count;
    struct isochrone_polygon *polygon;
    /* number of cells of the area, after small pieces were joined. The polygons have rounded corners, so their area
     * is only about cells * cell_m^2 */
    size_t cells;
};

struct isochrone {
    double time_h, from_h;         /* lava came after from_h and by time_h; the first from_h is 0 */
    size_t raster_cells;           /* cells of the raster that lava had reached by time_h */
    struct isochrone_area reached; /* the area that lava had reached by time_h */
    struct isochrone_area band;    /* the area that lava reached after from_h and by time_h */
    /* The boundary of `reached` inside the whole flow, as lines that end at the outline of the flow. At the last
     * level the lines are the outline itself. */
    int line_count;
    struct isochrone_path *line;
};

struct isochrones {
    int count; /* number of levels; the last level is the latest arrival; 0: there is no lava */
    struct isochrone *at;
    int small_cells;    /* pieces of fewer cells joined another band; 0: none did */
    size_t moved_cells; /* cells that changed their band */
};

struct isochrones_input {
    const float *arrival_h; /* rows * cols, from the north; NaN where lava never came */
    int rows, cols;
    struct georef geo;     /* place of the grid of arrivals */
    const double *level_h; /* increasing, above 0; NULL: chosen by isochrones_levels() */
    int level_count;       /* at most ISOCHRONES_LEVELS - 1 */
    double step_h;         /* arrivals are multiples of this duration; 0: not known */
    int small_cells;       /* 0: ISOCHRONES_SMALL; 1: nothing is joined */
};

/* Makes the isochrones of the levels in->level_h before the latest arrival, and last the isochrone of the latest
 * arrival. Omits a level if lava had reached no more cells than at the previous level, for example during a pause. On
 * an error *out is all zero. isochrones_free() frees the arrays. */
int isochrones_create(struct isochrones *out, const struct isochrones_input *in, struct error *e);
void isochrones_free(struct isochrones *i); /* all-zero is fine */

/* Makes isochrones of a mask: at most one level, with the area of the nonzero cells as `reached`. */
int isochrones_of_mask(struct isochrones *out, const unsigned char *inside, int rows, int cols,
                       const struct georef *geo, struct error *e);

/* Finds the four to seven round times before the latest arrival that divide the cells most evenly. The times have equal
 * intervals, such as 30 min or 1 day, or each time is twice the previous time, such as 1 h, 2 h, 4 h, 8 h. Returns the
 * number of times; 0: no lava came, or all lava came at once. */
int isochrones_levels(double level_h[ISOCHRONES_LEVELS], const float *arrival_h, size_t cells);

/* "2 h", "1 d 12 h", "45 min": exact to the minute, for legends. isochrones_time_pack() packs the text for translation
 * (text/words.h). */
enum { ISOCHRONES_TEXT = 64 };
char *isochrones_time_text(char out[32], double time_h);
char *isochrones_time_pack(char out[ISOCHRONES_TEXT], double time_h);
