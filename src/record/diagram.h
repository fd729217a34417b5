/* diagram.h — what a diagram shows: lines and points, bars, or a sample of several numbers that belong together.
 * Nothing here draws; show/draw/plot.h does, in the language of its scene: texts are packed, or rows of words.tsv
 * (text/words.h), but for titles of all and labels of bars, which are names and stay as they are. */
#pragma once

#include <stdbool.h>

/* ---- lines and points: a square diagram, or several flat ones below one another --------------- */

enum { PLOTS_MOST = 8 }; /* below one another */

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
    const char *warning; /* large above all, e.g. "SYNTHETIC TERRAIN"; may be NULL */
    struct plot_axis x, y;
    bool log_x, log_y;    /* a logarithmic axis, whose bounds are > 0 */
    const char *diagonal; /* what the line from corner to corner means; NULL: there is none */
    int count;            /* at most COLOURS_DISTINCT */
    const struct plot_series *series;
};

/* ---- chart ----------------------------------------------------------------------------------- */

/* A horizontal bar chart as a picture: one bar per measurement, with whiskers from its
 * least to its largest repetition. */

struct chart {
    const char *title; /* may be NULL, as all texts */
    const char *subtitle;
    const char *unit;         /* of the values: "ms per 1,000 steps" */
    const char *note;         /* small print */
    const char *by, *warning; /* as of a plot */
    int count;
    const char *const *label;
    const double *value;   /* below 0: its number without a bar; NaN: "not measured" */
    const double *lo, *hi; /* ends of the whiskers; NULL: none; NaN: none for this bar. They cut the
                              digits of the number, and are drawn from 0 on */
    const int *group;      /* colour of each bar, >= 0; NULL: all alike */
    int group_count;
    const char *const *group_label; /* legend; NULL: none */
};

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
    const char *title, *subtitle, *note, *by, *warning; /* may be NULL */
    int count;                                          /* 1 to CORNER_AXES_MAX */
    const struct corner_axis *axis;
    int points;
    const double *at;     /* points * count, from 0 to 1 */
    const double *weight; /* of each; they sum up to 1 */
};
