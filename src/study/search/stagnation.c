#include "stagnation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 20000 };

static bool grow(double **of, size_t room)
{
    double *more = realloc(*of, room * sizeof **of);
    if (more) *of = more;
    return more;
}

int stagnation_note(struct stagnation *s, double best, double median, struct error *e)
{
    if (s->count == s->room) {
        const size_t room = s->room ? 2 * s->room : 256;
        if (!grow(&s->best, room) || !grow(&s->median, room)) return error_memory(e);
        s->room = room;
    }
    s->best[s->count] = isnan(best) ? INFINITY : best;
    s->median[s->count++] = isnan(median) ? INFINITY : median;
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
