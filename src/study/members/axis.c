#include "axis.h"

#include "base/order.h"
#include "model/lattice.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The edge for a number that is asked for: the number, or the one on the lattice that stands for it if that
 * is above it, so that lava of exactly 0.3 m is not thicker than 0.3 m. For a time it is the product of
 * steps and clock that was meant: three steps of 0.1 s are more than 0.3 s because both are rounded. */
static double asked(const struct axis *axis, double x)
{
    if (!(axis->clock_s > 0)) return x < ROUND_TO_LATTICE / 3 ? fmax(x, lattice_round(x)) : x;
    const double met = round(x / axis->clock_s) * axis->clock_s;
    return met > x && met - x <= 8 * DBL_EPSILON * x ? met : x;
}

int axis_create(struct axis *axis, const char *what, double clock_s, double step, int multiples,
                const double *more, int count, struct error *e)
{
    *axis = (struct axis){.clock_s = clock_s};
    if (!(step > 0 && isfinite(step * multiples)) || multiples < 1)
        return error_input(e, "%s: the resolution is %g; give one above 0", what, step);
    if (multiples + (int64_t)count > AXIS_EDGES_MAX)
        return error_input(e, "%s: %lld classes are more than %d; give a coarser resolution", what,
                           (long long)multiples + count, AXIS_EDGES_MAX);
    for (int i = 0; i < count; i++)
        if (!(more[i] > 0 && isfinite(more[i])))
            return error_input(e, "%s: %g is not above 0", what, more[i]);
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

/* Edges below x are at the beginning: the stretch in which they end is halved. */
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
