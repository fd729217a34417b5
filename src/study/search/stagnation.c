#include "stagnation.h"

#include "text/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 20000 };

static bool add(double **of, int count, double cost)
{
    double *more = grow(*of, count, sizeof *more);
    if (!more) return false;
    *of = more;
    more[count] = isnan(cost) ? INFINITY : cost;
    return true;
}

int stagnation_note(struct stagnation *s, double best, double median, struct error *e)
{
    if (!add(&s->best, (int)s->count, best) || !add(&s->median, (int)s->count, median))
        return error_memory(e);
    s->count++;
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const double *value, size_t count)
{
    double sorted[3 * LONGEST / 10];
    memcpy(sorted, value, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static bool improves(const double *late, size_t window)
{
    const size_t part = 3 * window / 10;
    return median_of(late + window - part, part) < median_of(late, part);
}

bool stagnation_seen(const struct stagnation *s, size_t least)
{
    size_t window = s->count / 5;
    if (window < least) window = least;
    if (window > LONGEST) window = LONGEST;
    if (s->count < window) return false;
    const size_t from = s->count - window;
    return !improves(s->best + from, window) && !improves(s->median + from, window);
}

void stagnation_free(struct stagnation *s)
{
    free(s->best);
    free(s->median);
    *s = (struct stagnation){0};
}
