/* bands.h — bands of arrival as cells, and the lines between them as a graph; only this room reads it.
 *
 * Bands are numbers from 0, BAND_NONE where lava never came. The grid of bands is that of the cells
 * with lava and one cell more on each side, in which there is none. */
#pragma once

#include "isochrones.h"

#include <stdint.h>

enum { BAND_NONE = 255 };

struct bands {
    int rows, cols; /* with the margin */
    int row0, col0; /* of the grid's first cell among those of the input; -1 where the margin lies
                     * outside */
    uint8_t *band;
    int input_rows, input_cols;
};

int bands_create(struct bands *b, const struct isochrones_input *in, const double *level_h,
                 int levels, struct error *e);
/* Joins pieces of fewer than `small_cells` cells to their neighbours. */
int bands_join(struct bands *b, int small_cells, struct error *e);
void bands_free(struct bands *b);

/* A point of the lines between bands. In general it lies between the centres of two neighbours of
 * different bands, `side`, the western or northern first, and can slide from one to the other; two
 * lines leave it, link[0] to the north or west. Others are nodes, where three or more bands meet.
 * Coordinates are those of the grid of bands: x is a column, y a row, whole at the centre. */
enum bands_axis { AXIS_NODE, AXIS_X, AXIS_Y, AXIS_FIXED };
struct bands_point {
    double x, y;
    int32_t link[4];
    int8_t links;
    uint8_t axis; /* along which it slides; AXIS_FIXED: between two bands, and stays */
    bool held;    /* at the border of the input, where it stays as well */
    uint8_t side[2];
};

struct bands_graph {
    int count, room;
    struct bands_point *point;
};

int bands_graph_create(struct bands_graph *g, const struct bands *b, struct error *e);
void bands_graph_free(struct bands_graph *g);
int bands_graph_smooth(struct bands_graph *g, struct error *e);

/* bands_trace.c: the polygons and the lines of a level. Coordinates stay those of the grid of bands.
 * path_of: room for a number of each point. last: the outline of the flow belongs to the lines. */
enum bands_kind { BANDS_REACHED, BANDS_BAND };
int bands_trace_area(struct isochrone_area *out, const struct bands_graph *g, int level,
                     enum bands_kind kind, int32_t *path_of, struct error *e);
int bands_trace_lines(struct isochrone *out, const struct bands_graph *g, int level, bool last,
                      int32_t *path_of, struct error *e);

/* Whether a line at this point bounds what is asked of a level. */
static inline bool bands_divides(const struct bands_point *p, int level, enum bands_kind kind)
{
    if (p->axis == AXIS_NODE) return false;
    if (kind == BANDS_BAND) return (p->side[0] == level) != (p->side[1] == level);
    return (p->side[0] <= level) != (p->side[1] <= level);
}
