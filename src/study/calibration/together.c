/* together.c — the score `ensemble` of an outline, which judges the runs of a candidate together: with
 * runs X and X' that differ in their noise alone, and the outline Y,
 *
 *     score = E J(X, Y) + (1 - E J(X, X')) / 2.
 *
 * J is a positive definite kernel of sets, so that 1 - score is half the squared distance of the
 * distribution of X from Y in the space of that kernel, from 0 to 1, and the score is proper: on the
 * average over eruptions the noise that they have gets the best one. The mean of J alone is not, for it
 * favours runs without noise.
 *
 * Each run has its own part of the sum, J(X, Y) + (1 - mean of J(X, X')) / 2 over the runs that follow
 * it, the first after the last; the mean over the runs is the score, without bias. */
#include "calibration.h"
#include "base/order.h"

#include <stdlib.h>

enum { FOLLOWING_MOST = 32 };

static bool is_joint(const struct observation *x)
{
    return x->inside && x->score == SCORE_ENSEMBLE;
}

int footprints_keep(struct footprint *f, const struct observations *o,
                    const struct contribution *one, struct error *e)
{
    for (int i = 0; i < o->count; i++) {
        const struct observation *x = &o->item[i];
        if (!is_joint(x)) continue;
        uint32_t *place = malloc((one->cells + 1) * sizeof *place);
        size_t count = 0;
        if (!place) return error_memory(e);
        for (size_t c = 0; c < one->cells; c++)
            if (one->cell[c].arrival_class <= x->last_class) place[count++] = one->cell[c].place;
        qsort(place, count, sizeof *place, order_places);
        f[i] = (struct footprint){place, count};
    }
    return 0;
}

void footprints_free(struct footprint *f, int64_t count)
{
    for (int64_t i = 0; f && i < count; i++) free(f[i].place);
    free(f);
}

/* J of two runs, of each part of an observation; 1 where neither has a cell. */
static void overlap(const struct observations *o, const struct observation *x,
                    const struct footprint *a, const struct footprint *b, double of[PARTS])
{
    uint64_t both[PARTS] = {0}, either[PARTS] = {0};
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const bool in_a = j == b->count || (i < a->count && a->place[i] <= b->place[j]),
                   in_b = i == a->count || (j < b->count && b->place[j] <= a->place[i]);
        const int part = observed_part(o, x, in_a ? a->place[i] : b->place[j]);
        both[part] += in_a && in_b;
        either[part]++;
        i += in_a;
        j += in_b;
    }
    for (int p = 0; p < PARTS; p++) of[p] = either[p] ? (double)both[p] / (double)either[p] : 1;
}

/* Run i with the runs that follow it. */
static void judge_with(const struct observations *o, int observation, const struct footprint *f,
                       const struct table_row *row, int64_t i, int64_t count, struct agreement *a)
{
    const struct observation *x = &o->item[observation];
    const int64_t following = count - 1 < FOLLOWING_MOST ? count - 1 : FOLLOWING_MOST;
    double sum[PARTS] = {0}, weight = 0;
    for (int64_t k = 1; k <= following; k++) {
        const int64_t other = (i + k) % count;
        double of[PARTS];
        overlap(o, x, &f[i * o->count + observation], &f[other * o->count + observation], of);
        for (int p = 0; p < PARTS; p++) sum[p] += (double)row[other].weight * of[p];
        weight += (double)row[other].weight;
    }
    for (int p = 0; p < PARTS; p++)
        if (x->counts[p] && weight > 0) a->of[observation][p] += (1 - sum[p] / weight) / 2;
}

void footprints_judge(const struct footprint *f, const struct observations *o,
                      const struct table_row *row, int64_t count, struct agreement **a)
{
    for (int i = 0; i < o->count; i++)
        for (int64_t k = 0; k < count && is_joint(&o->item[i]); k++)
            judge_with(o, i, f, row, k, count, a[k]);
    for (int64_t k = 0; k < count; k++) observations_weigh(o, a[k]);
}
