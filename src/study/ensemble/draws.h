/* draws.h — what all members draw, as normal numbers that are given in place of the plan's own sample, and
 * weights for it: a sample from elsewhere that stands for the same distributions (nowcast/rounds.h).
 *
 * A member has a number for each dimension of the plan's sample, from which its value is the quantile, and
 * then for the errors of its rates, the first ones; later rates it draws itself. */
#pragma once

#include "base/error.h"

#include <stdint.h>

struct plan;

struct plan_draws {
    int64_t count;         /* members */
    int dimensions, rates; /* of the plan's sample; errors of rates */
    double *z;             /* count * (dimensions + rates), a member after the other */
    uint64_t *weight;      /* above 0 */
    int round;             /* how often members were drawn anew, from 1 */
    uint64_t alone;        /* digest of the plan without draws */
    uint64_t digest;       /* of all of the above */
};

static inline const double *draws_of(const struct plan_draws *d, int64_t number)
{
    return d->z + number * (d->dimensions + d->rates);
}

/* The number of the error of a member's terrain: no two rounds have one in common. */
static inline uint64_t draws_terrain(const struct plan_draws *d, int64_t number)
{
    return (uint64_t)d->round * (uint64_t)d->count + (uint64_t)number;
}

/* Sets d->digest; then the digest of the plan with these draws. */
void draws_finish(struct plan_draws *d);
uint64_t draws_plan_digest(const struct plan_draws *d);
void draws_free(struct plan_draws *d); /* all-zero is fine */

/* Of a member of any plan, with so many errors of rates: out[dimensions + rates]. */
void draws_read(double *out, const struct plan *p, int64_t number, int rates);
