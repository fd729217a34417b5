#include "vent.h"

#include "model/physics.h"

#include <math.h>

/* A quantum has 2^64 parts. fraction_of() is the number of parts that each step of interval i carries over. phase_of()
 * is the number of parts that have been carried over before the first step of the interval. */
static uint64_t fraction_of(const struct vent *v, int i)
{
    return v->fraction ? v->fraction[i] : 0;
}
static uint64_t phase_of(const struct vent *v, int i)
{
    return v->phase ? v->phase[i] : 0;
}

double vent_amount_m(const struct vent *v, int64_t step)
{
    /* finds interval i that has the step; -1: the step is before all intervals */
    int low = 0, high = v->interval_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (v->first_step[middle] <= step) low = middle + 1;
        else high = middle;
    }
    int i = low - 1;
    if (i < 0) return 0.0;
    uint64_t fraction = fraction_of(v, i);
    uint64_t carried = phase_of(v, i) + (uint64_t)(step - v->first_step[i]) * fraction;
    return physics_carries(carried, fraction) ? v->amount_m[i] + LATTICE_M : v->amount_m[i];
}

__extension__ typedef unsigned __int128 wide;

/* The number of carried quanta that the first k steps of interval i emit. */
static int64_t carried(const struct vent *v, int i, int64_t k)
{
    return (int64_t)((phase_of(v, i) + (wide)k * fraction_of(v, i)) >> 64);
}

/* Finds the steps of interval i that are in `first` to `last`; false: there are none. They are steps *before to *after
 * - 1 of the interval, counted from 0. */
static bool part_of(const struct vent *v, int i, int64_t first, int64_t last, int64_t *before,
                    int64_t *after)
{
    const bool ends = i + 1 < v->interval_count;
    const int64_t next = ends ? v->first_step[i + 1] - 1 : last;
    const int64_t begin = v->first_step[i] > first ? v->first_step[i] : first,
                  end = next < last ? next : last;
    *before = begin - v->first_step[i];
    *after = end - v->first_step[i] + 1;
    return begin <= end;
}

double vent_sum_m(const struct vent *v, int64_t first, int64_t last)
{
    double sum_m = 0.0;
    int64_t before, after;
    for (int i = 0; i < v->interval_count; i++) {
        if (v->amount_m[i] == 0.0 && !fraction_of(v, i)) continue;
        if (i + 1 == v->interval_count && last == INT64_MAX) return (double)INFINITY;
        if (part_of(v, i, first, last, &before, &after))
            sum_m += v->amount_m[i] * (double)(after - before) +
                     (double)(carried(v, i, after) - carried(v, i, before)) * LATTICE_M;
    }
    return sum_m;
}

quanta vents_sum(const struct vent *v, int count, int64_t first, int64_t last)
{
    quanta sum = 0;
    int64_t before, after;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < v[k].interval_count; i++)
            if (part_of(&v[k], i, first, last, &before, &after))
                sum += (quanta)(int64_t)(v[k].amount_m[i] * LATTICE_PER_M) * (after - before) +
                       carried(&v[k], i, after) - carried(&v[k], i, before);
    return sum;
}

/* Finds the last step that emits a carried quantum, among the first `count` steps of interval i. Returns its index in
 * the interval, from 0; -1: none of these steps emits one. */
static int64_t last_carry(const struct vent *v, int i, int64_t count)
{
    const int64_t whole = carried(v, i, count);
    const uint64_t fraction = fraction_of(v, i);
    if (!whole) return -1;
    const wide needed = ((wide)whole << 64) - phase_of(v, i);
    return (int64_t)((needed + fraction - 1) / fraction) - 1;
}

int64_t vent_last_step(const struct vent *v)
{
    for (int i = v->interval_count - 2; i >= 0; i--) {
        const int64_t count = v->first_step[i + 1] - v->first_step[i];
        const int64_t last = v->amount_m[i] > 0.0 ? count - 1 : last_carry(v, i, count);
        if (last >= 0) return v->first_step[i] + last;
    }
    return 0;
}
