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

/* Creates edges at the multiples 1, 2, ... `multiples` of `step` (> 0) and at the `count` numbers of `more`, which are
 * finite and above 0; at most AXIS_EDGES_MAX. clock_s: of an axis of times, where an edge is never below the number of
 * steps that makes its time; 0: of thickness. ERROR_FAILED: out of memory. */
int axis_create(struct axis *axis, double clock_s, double step, int multiples, const double *more,
                int count, struct error *e);
void axis_free(struct axis *axis); /* all-zero is fine */

/* The class of x; for NaN the first one. */
int axis_of(const struct axis *axis, double x);

/* The number of the edge that was asked for as x, -1: none was. */
int axis_edge(const struct axis *axis, double x);

/* Lower and upper end of a class. The first class begins at 0; the upper end of the last one is the last edge, too. */
double axis_low(const struct axis *axis, int k);
double axis_high(const struct axis *axis, int k);
