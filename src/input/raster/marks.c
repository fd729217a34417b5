/* marks.c — see marks.h. */
#include "marks.h"

#include <math.h>

/* Numbers that programs write for no data. Some are limits of integer types. */
static const double usual[] = {-9999, -999, -99999, -32768,      -32767,    32767,
                               65535, 9999, 99999,  -2147483648, 4294967295};
enum { USUAL = sizeof usual / sizeof *usual };

/* A usual mark differs from the nearest height by more than GAP_USUAL_M and more than twice the side of a cell: no
 * terrain is that steep. The same holds for a repeated 0. Any other repeated number has to differ by more than
 * GAP_ANY_M, more than twice the side of a cell, and more than the range of all other heights. */
#define GAP_USUAL_M 100.0
#define GAP_ANY_M   1000.0

/* Updates an extreme by a number of the raster. `sign`: 1 for the greatest number, -1 for the least. */
static void add_extreme(struct raster_extreme *x, double value, double sign)
{
    if (sign * value < sign * x->value) x->next = value;
    else if (value != x->value) *x = (struct raster_extreme){value, x->value, 1};
    else x->cells++;
}

void raster_marks_add(struct raster_marks *m, const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(value[i])) continue;
        if (value[i] < m->least.next) add_extreme(&m->least, value[i], -1);
        if (value[i] > m->greatest.next) add_extreme(&m->greatest, value[i], 1);
    }
}

static bool is_usual(double value)
{
    for (int i = 0; i < USUAL; i++)
        if (value == usual[i]) return true;
    return false;
}

/* Whether an extreme marks no data. `far`: the extreme at the other end of the raster's numbers. */
static bool is_mark(const struct raster_extreme *x, double far, double ratio, double cell_m,
                    bool any)
{
    const double gap_m = fabs(x->value - x->next) * fabs(ratio),
                 rest_m = fabs(x->next - far) * fabs(ratio), least_m = 2 * cell_m;
    if (!isfinite(gap_m)) return false;
    if (is_usual(x->value) || (any && x->value == 0 && x->cells > 1))
        return gap_m > fmax(GAP_USUAL_M, least_m);
    return any && x->cells > 1 && gap_m > fmax(GAP_ANY_M, least_m) && gap_m > rest_m;
}

const struct raster_extreme *raster_marks_find(const struct raster_marks *m, double ratio,
                                               double cell_m, bool any)
{
    if (is_mark(&m->least, m->greatest.value, ratio, cell_m, any)) return &m->least;
    if (is_mark(&m->greatest, m->least.value, ratio, cell_m, any)) return &m->greatest;
    return NULL;
}
