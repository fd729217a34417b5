#include "choice.h"

#include "text/grow.h"

#include <math.h>

#define WEIGHT_MAX    4294967295.0
#define SUM_TOLERANCE 1e-5

int choice_add(struct choice *c, double share, const char *at, struct error *e)
{
    if (c->kind == CHOICE_WEIGHTS && !(share >= 0 && share <= WEIGHT_MAX && share == floor(share)))
        return error_input(
            e,
            "%s: the weight %g is not a whole number from 0 to %.0f; call the column "
            "probability if these are parts of 1",
            at, share, WEIGHT_MAX);
    if (c->kind == CHOICE_PROBABILITIES && !(share >= 0 && share <= 1))
        return error_input(e, "%s: the probability %g is not from 0 to 1", at, share);
    if (c->kind == CHOICE_SHARES && !(share >= 0 && share <= 1e300))
        return error_input(e, "%s: the probability %g is not from 0 on", at, share);
    double *more = grow(c->share, c->count, sizeof *more);
    if (!more) return error_memory(e);
    c->share = more;
    more[c->count++] = share;
    return 0;
}

int choice_finish(struct choice *c, const char *name, struct error *e)
{
    double sum = 0, until = 0;
    for (int i = 0; i < c->count; i++) sum += c->share[i];
    if (!(sum > 0) || isinf(sum))
        return error_input(e, "%s: the weights sum up to %g; give some above 0", name, sum);
    if (c->kind == CHOICE_PROBABILITIES && fabs(sum - 1) > SUM_TOLERANCE)
        return error_input(e,
                           "%s: the probabilities sum up to %.7g, not to 1; correct them, or give "
                           "whole numbers in a column weight",
                           name, sum);
    c->up_to = malloc((size_t)c->count * sizeof *c->up_to);
    c->weight = calloc((size_t)c->count, sizeof *c->weight);
    if (!c->up_to || !c->weight) return error_memory(e);
    for (int i = 0; i < c->count; i++) c->up_to[i] = (until += c->share[i]) / sum;
    for (int i = 0; i < c->count; i++)
        if (c->kind == CHOICE_PROBABILITIES || c->kind == CHOICE_SHARES) c->share[i] /= sum;
    return 0;
}

int choice_of(const struct choice *c, double u)
{
    int low = 0, high = c->count - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (c->up_to[middle] > u) high = middle;
        else low = middle + 1;
    }
    return low;
}

int choice_units(struct choice *c, int bits, const char *name, struct error *e)
{
    c->sum = 0;
    for (int i = 0; i < c->count; i++) {
        const bool whole = c->kind == CHOICE_ALIKE || c->kind == CHOICE_WEIGHTS;
        double unit = whole ? c->share[i] : floor(ldexp(c->share[i], bits) + 0.5);
        if (unit < 1) unit = 1;
        c->weight[i] = (uint64_t)unit;
        c->sum += c->weight[i];
    }
    if (c->sum < (uint64_t)1 << 53) return 0;
    return error_input(e, "%s: the weights sum up to 2^53 or more; divide them", name);
}

void choice_free(struct choice *c)
{
    free(c->share);
    free(c->up_to);
    free(c->weight);
    *c = (struct choice){0};
}
