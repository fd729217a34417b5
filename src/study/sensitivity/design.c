#include "design.h"

#include "random/philox.h"

/* Other streams than members use: their terrain has errors from the same seed. */
enum { STREAM_LEVEL = 96, STREAM_DIRECTION, STREAM_ORDER, STREAM_SALTELLI = 128 };

int design_prepare(struct design *d, struct error *e)
{
    if (d->method == METHOD_MORRIS) {
        d->points = d->dimensions + 1;
        return 0;
    }
    d->points = (d->second_order ? 2 : 1) * d->dimensions + 2;
    for (int i = 0; i < 2 * d->dimensions; i++) d->stream[i] = STREAM_SALTELLI + i;
    d->sampling = (struct sampling){.kind = SAMPLING_SOBOL,
                                    .seed = d->seed,
                                    .count = d->groups,
                                    .dimensions = 2 * d->dimensions,
                                    .stream = d->stream};
    return sampling_prepare(&d->sampling, e);
}

double design_delta(const struct design *d)
{
    return (double)d->levels / (2.0 * (d->levels - 1));
}

/* Up to n - 1, each as often but for n / 2^64. */
static uint64_t below(const struct design *d, uint32_t stream, int64_t g, int i, uint64_t n)
{
    return philox_bits(d->seed, stream, (uint64_t)g, (uint32_t)i) % n;
}

static int direction(const struct design *d, int64_t g, int i)
{
    return below(d, STREAM_DIRECTION, g, i, 2) ? 1 : -1;
}

/* In which order a trajectory changes its coordinates (Fisher and Yates). */
static void shuffle(const struct design *d, int64_t g, int order[DESIGN_DIMENSIONS_MAX])
{
    for (int i = 0; i < d->dimensions; i++) {
        const int k = (int)below(d, STREAM_ORDER, g, i, (uint64_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
}

int design_step(const struct design *d, int64_t g, int s, int *sign)
{
    int order[DESIGN_DIMENSIONS_MAX] = {0};
    shuffle(d, g, order);
    *sign = direction(d, g, order[s]);
    return order[s];
}

/* A coordinate that rises begins in the lower half of the levels, one that falls in the upper; a
 * step is half of the levels, so it ends on one. */
static void point_of_morris(const struct design *d, int64_t g, int p, double *x)
{
    int order[DESIGN_DIMENSIONS_MAX] = {0};
    const int half = d->levels / 2;
    shuffle(d, g, order);
    for (int s = 0; s < d->dimensions; s++) {
        const int i = order[s];
        const bool upper = (direction(d, g, i) > 0) == (s < p);
        const int level = (int)below(d, STREAM_LEVEL, g, i, (uint64_t)half) + (upper ? half : 0);
        x[i] = (double)level / (d->levels - 1);
    }
}

static void point_of_sobol(const struct design *d, int64_t g, int p, double *x)
{
    const int k = d->dimensions;
    const bool of_b = p > k; /* with one coordinate of the other, but for A and B themselves */
    const int other = p == 0 || p == design_b(d) ? -1 : of_b ? p - design_ba(d, 0) : p - 1;
    for (int i = 0; i < k; i++) {
        const bool b = of_b != (i == other);
        x[i] = sampling_unit(&d->sampling, g, b ? k + i : i);
    }
}

void design_point(const struct design *d, int64_t g, int p, double *x)
{
    if (d->method == METHOD_MORRIS) point_of_morris(d, g, p, x);
    else point_of_sobol(d, g, p, x);
}
