#include "sobol.h"

#include <gsl/gsl_qrng.h>

/* Point 2^k is point 2^k - 1 with direction k. */
static void read_directions(struct sobol *s, gsl_qrng *points)
{
    double x[SOBOL_DIMENSIONS];
    uint32_t before[SOBOL_DIMENSIONS] = {0};
    for (int64_t n = 1, k = 0; k < s->bits; n++) {
        gsl_qrng_get(points, x);
        const int power = (n & (n - 1)) == 0;
        for (int d = 0; d < s->dimensions; d++) {
            const uint32_t now = (uint32_t)(x[d] * 0x1p30);
            if (power) s->direction[d][k] = now ^ before[d];
            before[d] = now;
        }
        k += power;
    }
}

int sobol_create(struct sobol *s, int dimensions, int64_t count, struct error *e)
{
    *s = (struct sobol){.dimensions = dimensions};
    while (s->bits < SOBOL_BITS && (int64_t)1 << s->bits < count) s->bits++;
    gsl_qrng *points = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)dimensions);
    if (!points) return error_memory(e);
    read_directions(s, points);
    gsl_qrng_free(points);
    return 0;
}

uint32_t sobol_point(const struct sobol *s, int64_t n, int dimension)
{
    uint32_t x = 0;
    for (int64_t k = 0, gray = n ^ n >> 1; gray >> k; k++)
        if (gray >> k & 1) x ^= s->direction[dimension][k];
    return x;
}
