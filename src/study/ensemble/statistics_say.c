/* statistics_say.c — probabilities, their errors, percentiles and means out of the counters. Every
 * number is one correctly rounded operation, or a few, on exact sums. */
#include "statistics.h"

#include <math.h>

static uint64_t sum_of(const uint64_t *class, int first, int end)
{
    uint64_t sum = 0;
    for (int k = first; k < end; k++) sum += class[k];
    return sum;
}

uint64_t statistics_came(const struct statistics *s, const uint64_t *c)
{
    return c ? sum_of(c, 0, s->thickness_classes) : 0;
}

uint64_t statistics_exceeding(const struct statistics *s, const uint64_t *c, int edge)
{
    return c ? sum_of(c, edge + 1, s->thickness_classes) : 0;
}

uint64_t statistics_within(const struct statistics *s, const uint64_t *c, int edge)
{
    return c ? sum_of(c + s->thickness_classes, 0, edge + 1) : 0;
}

/* ---- probability ----------------------------------------------------------------------------- */

double statistics_effective(const struct statistics *s)
{
    const double w = (double)s->weight;
    return s->weight ? w * w / (double)s->weight2 : 0;
}

double statistics_probability(const struct statistics *s, uint64_t weight)
{
    return s->weight ? (double)weight / (double)s->weight : (double)NAN;
}

double statistics_error(const struct statistics *s, uint64_t weight)
{
    const double p = statistics_probability(s, weight);
    return sqrt(p * (1 - p) / statistics_effective(s));
}

double statistics_cautious_error(const struct statistics *s, uint64_t weight)
{
    const double n = statistics_effective(s);
    const double p = ((s->weight ? statistics_probability(s, weight) : 0) * n + 2) / (n + 4);
    return sqrt(p * (1 - p) / (n + 4));
}

/* ---- percentiles and means ------------------------------------------------------------------- */

static int class_at(const uint64_t *class, int count, uint64_t came, int percent)
{
    const wide wanted = (wide)came * (unsigned)percent;
    uint64_t sum = 0;
    for (int k = 0; came && k < count; k++) {
        sum += class[k];
        if (sum && (wide)sum * 100 >= wanted) return k;
    }
    return -1;
}

int statistics_thickness_class(const struct statistics *s, const uint64_t *c, int percent)
{
    return c ? class_at(c, s->thickness_classes, statistics_came(s, c), percent) : -1;
}

int statistics_arrival_class(const struct statistics *s, const uint64_t *c, int percent)
{
    if (!c) return -1;
    return class_at(c + s->thickness_classes, s->arrival_classes, statistics_came(s, c), percent);
}

int statistics_share_class(const struct statistics *s, const uint64_t *c, int percent)
{
    if (!c || !s->share_classes) return -1;
    return class_at(c + s->thickness_classes + s->arrival_classes, s->share_classes,
                    statistics_came(s, c), percent);
}

int statistics_first_arrival_class(const struct statistics *s, const uint64_t *c)
{
    return statistics_arrival_class(s, c, 0);
}

/* The exact sum, converted once. */
static double mean_of(const struct statistics *s, const uint64_t *c, int which, double unit)
{
    const uint64_t came = statistics_came(s, c);
    if (!came) return NAN;
    const uint64_t *sum = c + s->stride - 4 + 2 * which;
    const wide whole = ((wide)sum[0] << STATISTICS_HALF) + sum[1];
    return (double)whole / (double)came / unit;
}

double statistics_mean_thickness_m(const struct statistics *s, const uint64_t *c)
{
    return mean_of(s, c, 0, STATISTICS_MM);
}

double statistics_mean_share(const struct statistics *s, const uint64_t *c)
{
    return s->share_classes ? mean_of(s, c, 1, STATISTICS_SHARE_PARTS) : (double)NAN;
}
