#include "verify.h"

#include <math.h>

/* The highest level in per cent that a probability reaches, -1: not even above 0. */
static int level_of(const struct ensemble *s, uint64_t came)
{
    return came ? (int)((wide)came * 100 / s->cells.weight) : -1;
}

static int bin_of(const struct ensemble *s, uint64_t came)
{
    return (int)(((wide)came * (VERIFY_BINS - 1) + s->cells.weight - 1) / s->cells.weight);
}

static void count_cell(struct verification *v, const struct ensemble *s, uint64_t came,
                       bool observed)
{
    const double p = statistics_probability(&s->cells, came), miss = p - observed;
    const int bin = bin_of(s, came);
    v->cells++;
    v->observed += observed;
    v->bin_cells[bin]++;
    v->bin_observed[bin] += observed;
    v->bin_forecast[bin] += p;
    v->brier += miss * miss;
    for (int k = level_of(s, came); k >= 0; k--) {
        v->both[k] += observed;
        v->either[k] += !observed; /* of the region alone; the outline comes on top */
    }
}

/* Sums in the order of the cells, on one thread: the same bits everywhere. */
void verify(struct verification *v, const struct ensemble *s)
{
    *v = (struct verification){0};
    for (size_t i = 0; i < s->cells.places; i++) {
        const uint64_t came = statistics_reached(&s->cells, statistics_at(&s->cells, i));
        if (came || s->outline[i]) count_cell(v, s, came, s->outline[i] != 0);
    }
    for (int k = 0; k < VERIFY_BINS; k++)
        v->bin_forecast[k] =
            v->bin_cells[k] ? v->bin_forecast[k] / (double)v->bin_cells[k] : (double)NAN;
    for (int k = 0; k < VERIFY_LEVELS; k++) {
        v->either[k] += v->observed;
        if (verify_jaccard(v, k) > verify_jaccard(v, v->best)) v->best = k;
    }
    const double cells = (double)v->cells, share = (double)v->observed / cells;
    v->brier /= cells;
    v->brier_reference = share * (1 - share);
    v->skill = v->brier_reference > 0 ? 1 - v->brier / v->brier_reference : (double)NAN;
}

double verify_jaccard(const struct verification *v, int level)
{
    return (double)v->both[level] / (double)v->either[level];
}
