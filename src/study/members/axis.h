/* axis.h — the axis of a quantity cut into classes, so that counting it takes integers alone.
 *
 * Edges are the multiples of a resolution and whatever else is asked for (thresholds, times), in
 * increasing order. The class of x is the number of edges below it: class 0 holds all x up to the
 * first edge, class c those in (edge[c - 1], edge[c]], and the last one those beyond the last edge.
 * How many members exceed an edge, or stay within it, is therefore exact: a sum of whole classes.
 */
#pragma once

#include "base/error.h"

enum { AXIS_EDGES_MAX = 8192 };

struct axis {
    int edges; /* one less than there are classes */
    double *edge;
    double clock_s; /* clock of an axis of times, else 0 */
};

/* The multiples 1, 2, ... `multiples` of `step` (> 0), and the `count` numbers of `more`, which are
 * finite and above 0. clock_s: of an axis of times, which includes in an edge the number of steps that makes
 * this time; 0: of thickness. ERROR_INPUT with what is wrong. */
int axis_create(struct axis *axis, const char *what, double clock_s, double step, int multiples,
                const double *more, int count, struct error *e);
void axis_free(struct axis *axis); /* all-zero is fine */

/* The class of x; for NaN the first one. */
int axis_of(const struct axis *axis, double x);

/* The number of the edge that was asked for as x, -1: none was. */
int axis_edge(const struct axis *axis, double x);

/* Lower and upper end of a class; there is nothing below 0, and beyond the last edge the upper end
 * is that edge too. */
double axis_low(const struct axis *axis, int k);
double axis_high(const struct axis *axis, int k);
