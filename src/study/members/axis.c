#include "axis.h"

#include "base/order.h"
#include "model/lattice.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The edge for a requested number x. If the lattice rounds a thickness up, the edge is the rounded
 * thickness, so lava of exactly 0.3 m is not thicker than 0.3 m. A time x may be a whole number of
 * steps. If steps * clock_s exceeds x only by rounding, the edge is this product: 3 * 0.1 > 0.3. */
static double asked(const struct axis *axis, double x)
{
    if (!(axis->clock_s > 0)) return x < ROUND_TO_LATTICE / 3 ? fmax(x, lattice_round(x)) : x;
    const double met = round(x / axis->clock_s) * axis->clock_s;
    return met > x && met - x <= 8 * DBL_EPSILON * x ? met : x;
}

int axis_create(struct axis *axis, double clock_s, double step, int multiples, const double *more,
                int count, struct error *e)
{
    assert(step > 0 && multiples > 0 && multiples + count <= AXIS_EDGES_MAX);
    *axis = (struct axis){.clock_s = clock_s};
    axis->edge = malloc((size_t)(multiples + count) * sizeof *axis->edge);
    if (!axis->edge) return error_memory(e);
    for (int i = 0; i < multiples; i++) {
        const double edge = step * (i + 1);
        axis->edge[i] = clock_s > 0 ? asked(axis, edge) : edge;
    }
    for (int i = 0; i < count; i++) axis->edge[multiples + i] = asked(axis, more[i]);
    axis->edges = order_distinct(axis->edge, multiples + count);
    return 0;
}

void axis_free(struct axis *axis)
{
    RELEASE(axis, axis->edge);
}

int axis_of(const struct axis *axis, double x)
{
    int low = 0, high = axis->edges;
    ORDER_HALVE(at, low, high, axis->edge[at] < x);
    return low;
}

int axis_edge(const struct axis *axis, double x)
{
    const double edge = asked(axis, x);
    const int k = axis_of(axis, edge);
    return k < axis->edges && axis->edge[k] == edge ? k : -1;
}

double axis_low(const struct axis *axis, int k)
{
    return k > 0 ? axis->edge[k - 1] : 0;
}

double axis_high(const struct axis *axis, int k)
{
    return axis->edge[k < axis->edges ? k : axis->edges - 1];
}
