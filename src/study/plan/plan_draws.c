/* plan_draws.c — draws of members that a study gives in place of the plan's own sample. */
#include "plan.h"

#include "base/mix64.h"
#include "random/quantile.h"

#include <string.h>

void draws_finish(struct plan_draws *d)
{
    const int64_t numbers = d->count * (d->dimensions + d->rates);
    uint64_t hash = mix64(d->alone ^ mix64((uint64_t)d->count) ^ (uint64_t)d->round << 48 ^
                          (uint64_t)d->dimensions << 24 ^ (uint64_t)d->rates);
    for (int64_t i = 0; i < numbers; i++) {
        uint64_t bits;
        memcpy(&bits, &d->z[i], sizeof bits);
        hash = mix64(hash ^ bits);
    }
    for (int64_t i = 0; i < d->count; i++) hash = mix64(hash ^ d->weight[i]);
    d->digest = hash;
}

uint64_t draws_plan_digest(const struct plan_draws *d)
{
    return mix64(d->alone ^ mix64(d->digest));
}

void draws_free(struct plan_draws *d)
{
    RELEASE(d, d->z, d->weight);
}

void draws_read(double *out, const struct plan *p, int64_t number, int rates)
{
    const int dimensions = p->sampling.dimensions;
    if (p->draws) {
        memcpy(out, draws_of(p->draws, number), (size_t)(dimensions + rates) * sizeof *out);
        return;
    }
    for (int i = 0; i < dimensions; i++)
        out[i] = normal_quantile(sampling_unit(&p->sampling, number, i));
    for (int i = 0; i < rates; i++)
        out[dimensions + i] = rate_history_normal(p->sampling.seed, (uint64_t)number, (uint32_t)i);
}
