/* oracle.c — the oracle in published arithmetic, dressed as a variant, so that `run --published`
 * goes the way of every other run. */
#include "published.h"
#include "sim/variant.h"

extern const struct variant variant_reference;

static int oracle_available(const struct variant_options *o, char what[128], struct error *e)
{
    return variant_reference.available(o, what, e);
}

static int oracle_create(void **self, const struct problem *p, const struct variant_options *o,
                         struct error *e)
{
    struct published *oracle = NULL;
    (void)o;
    int status = published_create(&oracle, p, e);
    *self = oracle;
    return status;
}

static int oracle_advance(void *self, int64_t steps, struct variant_status *status, struct error *e)
{
    (void)e;
    published_advance(self, steps);
    if (status) published_status(self, status);
    return 0;
}

static int oracle_snapshot(void *self, struct fields *out, struct error *e)
{
    (void)e;
    published_snapshot(self, out);
    return 0;
}

static int oracle_snapshot_wait(void *self, struct error *e)
{
    (void)self;
    (void)e;
    return 0;
}

static int oracle_outflows(void *self, double *out, struct error *e)
{
    (void)e;
    published_outflows(self, out);
    return 0;
}

static void oracle_destroy(void *self)
{
    published_free(self);
}

const struct variant variant_oracle = {
    .name = "reference, published arithmetic",
    .summary = "CPU, one thread: the published program, bit for bit",
    .available = oracle_available,
    .create = oracle_create,
    .advance = oracle_advance,
    .snapshot = oracle_snapshot,
    .snapshot_wait = oracle_snapshot_wait,
    .outflows = oracle_outflows,
    .destroy = oracle_destroy,
};
