/* axis.h — the axis of a quantity, divided into classes, so that members are counted in integers.
 *
 * Edges are the multiples of a resolution, and requested thresholds or times, in increasing order. The class of x is
 * the number of edges below x: class 0 has all x up to the first edge, class c all x in (edge[c - 1], edge[c]], the
 * last class all x above the last edge. The number of members above an edge, or up to it, is a sum of whole classes,
 * and therefore exact. */
#pragma once

#include "base/error.h"

enum { AXIS_EDGES_MAX = 8192 };

struct axis {
    int edges; /* one less than the number of classes */
    double *edge;
    double clock_s; /* duration of a step, for an axis of times; else 0 */
};

/* Creates edges at the multiples 1, 2, ... `multiples` of `step` (> 0), and at the `count` numbers of `more`, which are
 * finite and above 0. There are at most AXIS_EDGES_MAX edges in all. clock_s: duration of a step, for an axis of times;
 * 0: an axis of thickness. ERROR_FAILED: out of memory. */
int axis_create(struct axis *axis, double clock_s, double step, int multiples, const double *more,
                int count, struct error *e);
void axis_free(struct axis *axis); /* all-zero is fine */

/* The class of x; 0 for NaN. */
int axis_of(const struct axis *axis, double x);

/* The index in edge[] of the edge that was created for x; -1: there is none. */
int axis_edge(const struct axis *axis, double x);

/* Lower and upper end of a class. Class 0 begins at 0. The last class has no upper end; axis_high() returns its lower
 * end. */
double axis_low(const struct axis *axis, int k);
double axis_high(const struct axis *axis, int k);
