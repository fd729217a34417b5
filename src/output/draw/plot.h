/* plot.h — a square diagram of lines and points, or several flat ones below one another.
 */
#pragma once

#include "canvas.h"
#include "colours.h"
#include "font.h"

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
    const char *by;                      /* the program and the digest of the result; may be NULL */
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

/* ---- chart ----------------------------------------------------------------------------------- */

/* A horizontal bar chart as a picture: one bar per measurement, with whiskers from its
 * least to its largest repetition. */

struct chart {
    const char *title; /* may be NULL, as all texts */
    const char *subtitle;
    const char *unit; /* of the values: "ms per 1,000 steps" */
    const char *note; /* small print */
    const char *by;   /* as of a plot */
    int count;
    const char *const *label;
    const double *value;   /* below 0: its number without a bar; NaN: "not measured" */
    const double *lo, *hi; /* ends of the whiskers; NULL: none; NaN: none for this bar. They cut the
                              digits of the number, and are drawn from 0 on */
    const int *group;      /* colour of each bar, >= 0; NULL: all alike */
    int group_count;
    const char *const *group_label; /* legend; NULL: none */
};

/* Bars stand in the given order from the top. Errors as in map_write. */
int chart_bars(const char *path, const struct chart *c, struct error *e);

/* ---- corner ---------------------------------------------------------------------------------- */

/* A sample of several numbers that belong together, as a picture: a histogram of each,
 * and below the diagonal each against each other, as dots with their weight as area. */

enum { CORNER_AXES_MAX = 32, CORNER_TICKS = 3 };

struct corner_axis {
    const char *title;
    const char *head;               /* above the histogram: "4.1 (3.9 to 4.3)" */
    const char *tick[CORNER_TICKS]; /* what the low end, the middle and the high end are */
    double mark[3];                 /* lines in the histogram, from 0 to 1: low, middle, high */
};

struct corner {
    const char *title, *subtitle, *note, *by; /* may be NULL */
    int count;                                /* 1 to CORNER_AXES_MAX */
    const struct corner_axis *axis;
    int points;
    const double *at;     /* points * count, from 0 to 1 */
    const double *weight; /* of each; they sum up to 1 */
};

/* Errors as in map_write. */
int corner_write(const char *path, const struct corner *q, struct error *e);

/* ---- the page that all diagrams share: title and subtitle above, a note below ---------------- */

static const struct rgb sheet_black = {25, 25, 28}, sheet_grey = {95, 95, 100},
                        sheet_pale = {224, 225, 229};
static const struct font sheet_text = {19, FONT_REGULAR, 0, 0};

enum { SHEET_MARGIN = 48 };

struct sheet {
    const char *title, *note, *by; /* may be NULL */
    double x, width;               /* of these texts */
    double note_y;                 /* where the note begins */
    struct canvas canvas;
};

/* A frame, and round numbers of an axis along it: below it, or left of it and upright, with pale
 * lines across and the axis's title; in about `parts` parts. 0: the bounds are logarithms, and the
 * numbers powers of ten. */
struct sheet_frame {
    double x0, y0, x1, y1;
};
