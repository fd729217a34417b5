#include "choice.h"

#include "base/order.h"
#include "text/grow.h"

#include <math.h>
#include <stdbool.h>

#define WEIGHT_MAX    4294967295.0
#define SUM_TOLERANCE 1e-5

int choice_add(struct choice *choice, double share, const char *at, struct error *e)
{
    if (choice->kind == CHOICE_WEIGHTS &&
        !(share >= 0 && share <= WEIGHT_MAX && share == floor(share)))
        return error_input(e,
                           "%s: the weight %g is not a whole number from 0 to %.0f; name the "
                           "column 'probability' if it has probabilities from 0 to 1",
                           at, share, WEIGHT_MAX);
    if (choice->kind == CHOICE_PROBABILITIES && !(share >= 0 && share <= 1))
        return error_input(e, "%s: the probability is %g; give a number from 0 to 1", at, share);
    if (choice->kind == CHOICE_SHARES && !(share >= 0 && share <= 1e300))
        return error_input(e, "%s: the probability is %g; give 0 or more", at, share);
    return APPEND(choice->share, choice->count, share) ? 0 : error_memory(e);
}

int choice_finish(struct choice *choice, const char *name, struct error *e)
{
    double sum = 0, until = 0;
    for (int i = 0; i < choice->count; i++) sum += choice->share[i];
    if (!(sum > 0) || isinf(sum))
        return error_input(e, "%s: the weights sum up to %g; give at least one above 0", name, sum);
    if (choice->kind == CHOICE_PROBABILITIES && fabs(sum - 1) > SUM_TOLERANCE)
        return error_input(e,
                           "%s: the probabilities sum up to %.7g, not to 1; correct them, or give "
                           "whole numbers in a column 'weight'",
                           name, sum);
    choice->up_to = malloc((size_t)choice->count * sizeof *choice->up_to);
    choice->weight = calloc((size_t)choice->count, sizeof *choice->weight);
    if (!choice->up_to || !choice->weight) return error_memory(e);
    for (int i = 0; i < choice->count; i++) choice->up_to[i] = (until += choice->share[i]) / sum;
    for (int i = 0; i < choice->count; i++)
        if (choice->kind == CHOICE_PROBABILITIES || choice->kind == CHOICE_SHARES)
            choice->share[i] /= sum;
    return 0;
}

int choice_of(const struct choice *choice, double u)
{
    return order_above(choice->up_to, choice->count - 1, u);
}

void choice_units(struct choice *choice, int bits)
{
    choice->sum = 0;
    for (int i = 0; i < choice->count; i++) {
        const bool whole = choice->kind == CHOICE_ALIKE || choice->kind == CHOICE_WEIGHTS;
        double unit = whole ? choice->share[i] : floor(ldexp(choice->share[i], bits) + 0.5);
        if (unit < 1) unit = 1;
        choice->weight[i] = (uint64_t)unit;
        choice->sum += choice->weight[i];
    }
}

void choice_free(struct choice *choice)
{
    RELEASE(choice, choice->share, choice->up_to, choice->weight);
}
