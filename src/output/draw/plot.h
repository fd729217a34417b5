/* plot.h — a square diagram of lines and points, or several flat ones below one another.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>

struct plot_series {
    const char *label; /* for the legend; NULL: none */
    int count;
    const double *x, *y;      /* NaN: left out, and the line is broken */
    const char *const *point; /* words next to the disc of each point, NULL: a disc alone, "":
                                 neither; NULL: no words and no discs */
    enum {
        PLOT_LINE,
        PLOT_DOTS, /* without lines */
        PLOT_STEPS /* y of a point holds since the point before it */
    } kind;
    const double *low, *high; /* an interval of y at each point, NaN: none; NULL: there are none */
};

struct plot_axis {
    const char *title;
    double low, high;
};

struct plot {
    const char *title, *subtitle, *note; /* may be NULL */
    struct plot_axis x, y;
    bool log_x, log_y;    /* a logarithmic axis, whose bounds are > 0 */
    const char *diagonal; /* what the line from corner to corner means; NULL: there is none */
    int count;            /* at most COLOURS_DISTINCT */
    const struct plot_series *series;
};

/* Errors as in map_write. */
int plot_write(const char *path, const struct plot *p, struct error *e);

/* Of the same width, each without what its struct lacks: usually the first has the title and the
 * last the title of the axis that all share, and the note. */
int plots_write(const char *path, const struct plot *p, int count, struct error *e);
