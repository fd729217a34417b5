/* diagram.h — what a diagram shows: lines and points, bars, or a sample of several quantities. show/draw/plot.h draws a
 * diagram in the language of the scene. So each text is a row of words.tsv or a packed text (text/words.h). Titles of
 * diagrams and labels of bars are names, which are not translated. */
#pragma once

#include <stdbool.h>

/* ---- lines and points: a square diagram, or several flat ones below one another --------------- */

enum { PLOTS_MOST = 8 }; /* largest number of diagrams in one picture */

struct plot_series {
    const char *label; /* for the legend; NULL: none */
    int count;
    const double *x, *y; /* NaN: there is no point, and the line has a gap */
    /* point[i] is the text next to the disc of point i; NULL: a disc without text; "": no disc. point NULL: no discs. */
    const char *const *point;
    enum {
        PLOT_LINE,
        PLOT_DOTS, /* points without lines */
        PLOT_STEPS /* from the previous x up to this x the line is at this y */
    } kind;
    const double *low, *high; /* ends of an interval of y; NaN: none; NULL: no intervals */
};

struct plot_axis {
    const char *title;
    double low, high;
};

struct plot {
    const char *title, *subtitle, *note; /* may be NULL */
    const char *by;                      /* the program and the digest of the result; may be NULL */
    const char *warning; /* large letters on top, e.g. "SYNTHETIC TERRAIN"; may be NULL */
    struct plot_axis x, y;
    bool log_x, log_y;    /* a logarithmic axis; its bounds are > 0 */
    const char *diagonal; /* label of the line from corner to corner; NULL: no line */
    int count;            /* at most COLOURS_DISTINCT */
    const struct plot_series *series;
};

/* ---- chart ----------------------------------------------------------------------------------- */

/* A chart of horizontal bars, one for each quantity that was measured repeatedly. Whiskers reach from the smallest to
 * the largest of its values. */

struct chart {
    const char *title; /* all texts of a chart may be NULL */
    const char *subtitle;
    const char *unit; /* unit of the values: "ms per 1,000 steps" */
    const char *note; /* small print */
    /* by: the program and the digest of the result; warning: large letters on top */
    const char *by, *warning;
    int count;
    const char *const *label;
    const double *value; /* below 0: a number without a bar; NaN: "not measured" */
    /* Ends of the whiskers; NULL: no whiskers; NaN: none for this bar. Whiskers below 0 begin at 0. The number next to
     * a bar is rounded to a multiple of a power of ten: the largest that is at most half the length of the whiskers.
     * With whiskers from 11.9 to 12.7 half the length is 0.4, so 12.34 is rounded to tenths: 12.3. */
    const double *lo, *hi;
    const int *group; /* group of each bar, >= 0, which decides its colour; NULL: one colour */
    int group_count;
    const char *const *group_label; /* legend of the groups; NULL: none */
};

/* ---- corner ---------------------------------------------------------------------------------- */

/* A diagram of a sample of points with several quantities. On its diagonal is a histogram of each quantity. Below the
 * diagonal, each pair of quantities has a panel with a dot for each point. The area of a dot shows the weight of its
 * point. */

enum { CORNER_AXES_MAX = 32, CORNER_TICKS = 3 };

struct corner_axis {
    const char *title;
    const char *head;               /* text above the histogram: "4.1 (3.9 to 4.3)" */
    const char *tick[CORNER_TICKS]; /* labels of the low end, the middle and the high end */
    double mark[3]; /* places of lines, one for each number in `head`; 0: low end, 1: high end */
};

struct corner {
    const char *title, *subtitle, *note, *by, *warning; /* may be NULL */
    int count;                                          /* 1 to CORNER_AXES_MAX */
    const struct corner_axis *axis;
    int points;
    const double *at;     /* points * count, each from 0 to 1 */
    const double *weight; /* weight of each point; the sum is 1 */
};
