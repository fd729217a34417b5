/* isochrones.h — where lava had come to by round times: bands of arrival, as polygons, and the
 * lines between them, in the coordinates of the terrain. Nothing here draws.
 *
 * A band has the cells that lava reached after the level before and by its own; the last level is the
 * latest arrival. Along the flanks of a flow a few late cells would be polygons of their own. So a
 * piece of a band, joined by edges, of fewer than `small_cells` cells gets the band with which it
 * shares most edges. Not changed are the outline of the flow, its holes, pieces that touch no other
 * band, and the largest piece of each band. `small_cells` is halved until no region reached by a level gains or loses more
 * than ISOCHRONES_SHARE of its cells.
 *
 * Lines run between the centres of cells of different bands, so that each centre is in the polygon
 * of its cell's band. Within that freedom they are smoothed, and stay within half a cell of the
 * edges of the cells. Rings around a few cells are not smoothed; their corners are cut. Lines along
 * the border of the grid stay on it. Cells of lava that touch by a corner alone are
 * joined there, the lower band first. So rings neither touch nor cross themselves or each other,
 * but for neighbours, which share whole stretches, point by point: polygons of bands leave no gap.
 */
#pragma once

#include "base/error.h"
#include "raster/georef.h"

#include <stdbool.h>
#include <stddef.h>

#define ISOCHRONES_SHARE 0.1
enum { ISOCHRONES_LEVELS = 64, ISOCHRONES_SMALL = 32 };

/* x, y in metres. A closed one does not repeat its first position. */
struct isochrone_path {
    int count;
    bool closed;
    double (*xy)[2];
};

/* ring[0] is its outer one, counterclockwise; holes are clockwise. */
struct isochrone_polygon {
    int count;
    struct isochrone_path *ring;
};

struct isochrone_area {
    int count;
    struct isochrone_polygon *polygon;
    /* Number of its cells, after small pieces were joined; the polygons, whose corners are round,
     * have about the area cells * cell_m^2 */
    size_t cells;
};

struct isochrone {
    double time_h, from_h;         /* lava had come here by time_h, and not by from_h (first: 0) */
    size_t raster_cells;           /* cells that lava had come to by time_h, as counted in the
                                    * raster */
    struct isochrone_area reached; /* what lava had reached by time_h */
    struct isochrone_area band;    /* what lava reached by time_h, but not by from_h */
    /* The boundary of `reached` inside the whole flow, as lines that end at the outline of the flow; at the last level the
     * outline itself. */
    int line_count;
    struct isochrone_path *line;
};

struct isochrones {
    int count; /* number of levels; 0: no lava came anywhere. The last one is not round: it is the
                * latest arrival */
    struct isochrone *at;
    int small_cells;    /* the size that was used; 0: nothing was joined */
    size_t moved_cells; /* cells that changed their band */
};

struct isochrones_input {
    const float *arrival_h; /* rows * cols, from the north; NaN where lava never came */
    int rows, cols;
    struct georef geo;     /* of this grid */
    const double *level_h; /* increasing, above 0; NULL: chosen by isochrones_levels() */
    int level_count;       /* at most ISOCHRONES_LEVELS - 1 */
    double step_h;         /* the duration of which arrivals are multiples; 0: not known */
    int small_cells;       /* 0: ISOCHRONES_SMALL; 1: nothing is joined */
};

/* Leaves out levels at and after the latest arrival, and levels at which lava had reached no more
 * cells than at the level before: those finer than a step, or within a pause.
 * On an error *out is all zero. The arrays are freed by isochrones_free(). */
int isochrones_create(struct isochrones *out, const struct isochrones_input *in, struct error *e);
void isochrones_free(struct isochrones *i); /* all-zero is fine */

/* The isochrones of cells that are not 0 in a mask: at most one level, whose area is `reached`. */
int isochrones_of_mask(struct isochrones *out, const unsigned char *inside, int rows, int cols,
                       const struct georef *geo, struct error *e);

/* Four to seven round times before the latest arrival, at equal distances (30 min, 1 h, 2 h, ... 1
 * day, ...) or each twice the one before (1 h, 2 h, 4 h, ...; 1 d, 2 d, 4 d, ...): those that
 * divide the cells most evenly. Returns their number: 0 where nothing came, or all at once. */
int isochrones_levels(double level_h[ISOCHRONES_LEVELS], const float *arrival_h, size_t cells);

/* "2 h", "1 d 12 h", "45 min": exact to the minute, for legends; pack() as a text to translate (text/words.h). */
enum { ISOCHRONES_TEXT = 64 };
char *isochrones_time_text(char out[32], double time_h);
char *isochrones_time_pack(char out[ISOCHRONES_TEXT], double time_h);
