#include "cells.h"

#include "base/mix64.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1024 };

int cells_create(struct cells *cells, size_t places, const struct design *d, struct error *e)
{
    *cells = (struct cells){.places = places, .dimensions = d->dimensions, .points = d->points};
    cells->slot = calloc(places ? places : 1, sizeof *cells->slot);
    return cells->slot ? 0 : error_memory(e);
}

void cells_free(struct cells *cells)
{
    RELEASE(cells, cells->slot, cells->place, cells->sum, cells->y, cells->touched,
            cells->is_touched);
}

/* realloc() that sets the new elements to zero. */
static bool widen_array(void *pointer, size_t had, size_t wanted, size_t size)
{
    void **at = pointer;
    char *more = realloc(*at, wanted * size);
    if (!more) return false;
    memset(more + had * size, 0, (wanted - had) * size);
    *at = more;
    return true;
}

static bool make_room(struct cells *cells)
{
    const size_t had = cells->room, wanted = had ? 2 * had : ROOM, points = (size_t)cells->points;
    if (!widen_array(&cells->place, had, wanted, sizeof *cells->place) ||
        !widen_array(&cells->sum, had, wanted, cells_stride(cells) * sizeof *cells->sum) ||
        !widen_array(&cells->y, had, wanted, points * sizeof *cells->y) ||
        !widen_array(&cells->touched, had, wanted, sizeof *cells->touched) ||
        !widen_array(&cells->is_touched, had, wanted, 1))
        return false;
    cells->room = (uint32_t)wanted;
    return true;
}

int64_t cells_open(struct cells *cells, uint32_t place)
{
    if (cells->slot[place]) return (int64_t)cells->slot[place] - 1;
    if (cells->slots == cells->room && !make_room(cells)) return -1;
    cells->place[cells->slots] = place;
    cells->slot[place] = ++cells->slots;
    return (int64_t)cells->slots - 1;
}

const int64_t *cells_at(const struct cells *cells, size_t place)
{
    const uint32_t slot = cells->slot[place];
    const int64_t *sum = slot ? cells->sum + (slot - 1) * cells_stride(cells) : NULL;
    return sum && sum[CELL_ALL] ? sum : NULL;
}

static void add_sobol(const struct cells *cells, const struct design *d, const uint16_t *y,
                      int64_t *sum)
{
    const int64_t a = y[0], b = y[design_b(d)];
    sum[CELL_A] += a;
    sum[CELL_B] += b;
    sum[CELL_A2] += a * a;
    sum[CELL_B2] += b * b;
    for (int i = 0; i < cells->dimensions; i++) {
        int64_t *each = sum + CELL_COMMON + CELL_EACH * i;
        const int64_t change = y[design_ab(i)] - a;
        each[CELL_CHANGE] += change;
        each[CELL_OTHER] += b * change;
        each[CELL_SQUARE] += change * change;
    }
}

static void add_morris(const struct cells *cells, const int *step, const int *sign,
                       const uint16_t *y, int64_t *sum)
{
    for (int s = 0; s < cells->dimensions; s++) {
        int64_t *each = sum + CELL_COMMON + CELL_EACH * step[s];
        const int64_t change = sign[s] * (y[s + 1] - y[s]);
        each[CELL_CHANGE] += change;
        each[CELL_OTHER] += change < 0 ? -change : change;
        each[CELL_SQUARE] += change * change;
    }
}

/* Sets cells->y from the lists of a group. Puts the slots of the cells with lava into cells->touched, and returns the
 * number of these slots. */
static size_t spread(struct cells *cells, const struct cell_list *list)
{
    size_t count = 0;
    for (int p = 0; p < cells->points; p++)
        for (size_t i = 0; i < list[p].count; i++) {
            const uint32_t slot = list[p].slot[i];
            cells->y[(size_t)slot * (size_t)cells->points + (size_t)p]++;
            if (cells->is_touched[slot]) continue;
            cells->is_touched[slot] = 1;
            cells->touched[count++] = slot;
        }
    return count;
}

void cells_add(struct cells *cells, const struct design *d, int64_t g, const struct cell_list *list)
{
    int step[DESIGN_DIMENSIONS_MAX] = {0}, sign[DESIGN_DIMENSIONS_MAX] = {0};
    const bool morris = d->method == METHOD_MORRIS;
    const size_t count = spread(cells, list);
    for (int s = 0; s < d->dimensions && morris; s++) step[s] = design_step(d, g, s, &sign[s]);
    for (size_t i = 0; i < count; i++) {
        const size_t slot = cells->touched[i];
        uint16_t *y = cells->y + slot * (size_t)cells->points;
        int64_t *sum = cells->sum + slot * cells_stride(cells);
        for (int p = 0; p < cells->points; p++) sum[CELL_ALL] += y[p];
        if (morris) add_morris(cells, step, sign, y, sum);
        else add_sobol(cells, d, y, sum);
        memset(y, 0, (size_t)cells->points * sizeof *y);
        cells->is_touched[slot] = 0;
    }
}

double cell_probability(const struct cell_view *v, const int64_t *sum)
{
    const double runs = (double)v->groups * (double)v->members;
    return v->d->method == METHOD_SOBOL ? (double)(sum[CELL_A] + sum[CELL_B]) / (2 * runs)
                                        : (double)sum[CELL_ALL] / (runs * v->d->points);
}

bool cell_is_known(const struct cell_view *v, const int64_t *sum)
{
    const int64_t came = sum[CELL_A] + sum[CELL_B], runs = 2 * v->groups * v->members,
                  least = CELL_RUNS_LEAST * v->members;
    return came >= least && runs - came >= least;
}

/* The variance of y over all points A and B, times (2 * v->groups)^2. The variance is computed in integers, so that 0
 * is exactly 0. */
static double scaled_variance(const struct cell_view *v, const int64_t *sum)
{
    __extension__ typedef __int128 whole;
    const whole n = 2 * (whole)v->groups, all = (whole)sum[CELL_A] + sum[CELL_B];
    return (double)(n * ((whole)sum[CELL_A2] + sum[CELL_B2]) - all * all);
}

double cell_first_order(const struct cell_view *v, const int64_t *sum, int i)
{
    const int64_t *each = cells_each(sum, i);
    const double n = (double)v->groups, variance = scaled_variance(v, sum) / (4 * n * n);
    const double centre = (double)sum[CELL_ALL] / (n * v->d->points);
    if (!cell_is_known(v, sum)) return NAN;
    return ((double)each[CELL_OTHER] - centre * (double)each[CELL_CHANGE]) / n / variance;
}

double cell_total(const struct cell_view *v, const int64_t *sum, int i)
{
    const double n = (double)v->groups, variance = scaled_variance(v, sum) / (4 * n * n);
    if (!cell_is_known(v, sum)) return NAN;
    return (double)cells_each(sum, i)[CELL_SQUARE] / (2 * n) / variance;
}

double cell_mu_star(const struct cell_view *v, const int64_t *sum, int i)
{
    const double runs = (double)v->groups * (double)v->members;
    return (double)cells_each(sum, i)[CELL_OTHER] / runs / design_delta(v->d);
}

int cell_dominating(const struct cell_view *v, const int64_t *sum)
{
    const bool sobol = v->d->method == METHOD_SOBOL;
    int best = -1;
    int64_t most = 0;
    if (sobol && !cell_is_known(v, sum)) return -1;
    for (int i = 0; i < v->d->dimensions; i++) {
        const int64_t x = cells_each(sum, i)[sobol ? CELL_SQUARE : CELL_OTHER];
        if (x <= most) continue;
        most = x;
        best = i;
    }
    return best;
}

/* The digest is over cells in the order of places, because the order of slots depends on which run ends first. */
uint64_t cells_digest(const struct cells *cells)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < cells->places; i++) {
        const int64_t *sum = cells_at(cells, i);
        if (!sum) continue;
        hash = mix64(hash ^ (uint64_t)i);
        for (size_t k = 0; k < cells_stride(cells); k++) hash = mix64(hash + (uint64_t)sum[k]);
    }
    return hash;
}
