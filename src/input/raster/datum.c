#include "datum.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>

/* The shift of two grids is the median of their differences. A shift counts only if half of the differences are at most
 * SPREAD_MOST * shift off the median, and the share COVER_LEAST of the cells has a height in both grids. A shift of
 * SHIFT_NOTED_M or more is noted. A shift of SHIFT_MOST_M or more means another vertical datum. */
enum { PLACES_MOST = 100000 };
static const double SHIFT_NOTED_M = 0.3, SHIFT_MOST_M = 3, SPREAD_MOST = 0.25, COVER_LEAST = 0.25,
                    FEET = 3.28084;

static double median_of(double *value, size_t count)
{
    qsort(value, count, sizeof *value, order_reals);
    return value[count / 2];
}

static void judge_shift(struct datum *d, double spread_m)
{
    const double size_m = fabs(d->shift_m);
    if (fabs(d->ratio / FEET - 1) < 0.01 || fabs(d->ratio * FEET - 1) < 0.01) d->is = DATUM_IN_FEET;
    else if (size_m >= SHIFT_NOTED_M && spread_m <= SPREAD_MOST * size_m)
        d->is = size_m >= SHIFT_MOST_M ? DATUM_SHIFTED : DATUM_NEAR;
}

int datum_compare(struct datum *d, const double *other, const double *ground, size_t cells,
                  struct error *e)
{
    const size_t step = 1 + cells / PLACES_MOST;
    size_t count = 0;
    FREED double *shift = malloc((cells / step + 1) * sizeof *shift),
                 *ratio = malloc((cells / step + 1) * sizeof *ratio);
    *d = (struct datum){.ratio = 1};
    if (!shift || !ratio) return error_memory(e);
    for (size_t i = 0; i < cells; i += step) {
        const double z = ground ? ground[i] : 0;
        if (isnan(z) || isnan(other[i])) continue;
        shift[count] = other[i] - z;
        ratio[count++] = fabs(z) > 1 ? other[i] / z : 1;
    }
    if (!count || (double)(count * step) < COVER_LEAST * (double)cells) return 0;
    d->known = true;
    d->shift_m = median_of(shift, count);
    d->ratio = median_of(ratio, count);
    for (size_t i = 0; i < count; i++) shift[i] = fabs(shift[i] - d->shift_m);
    judge_shift(d, median_of(shift, count));
    return 0;
}
