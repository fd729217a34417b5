#include "blocks.h"

#include "random/philox.h"

#include <math.h>
#include <string.h>

/* The eigenvector of the larger eigenvalue of the covariance of rows and columns. */
static void principal_axis(double along[2], const struct domain *d)
{
    double n = 0, r = 0, c = 0, rr = 0, rc = 0, cc = 0;
    for (int row = 0; row < d->box.rows; row++)
        for (int col = 0; col < d->box.cols; col++) {
            const unsigned char flags = d->cell[(size_t)row * (size_t)d->box.cols + (size_t)col];
            if (flags != (DOMAIN_IN | DOMAIN_OBSERVED)) continue;
            n++, r += row, c += col;
            rr += (double)row * row, rc += (double)row * col, cc += (double)col * col;
        }
    const double vr = rr / n - r / n * (r / n), vc = cc / n - c / n * (c / n),
                 both = rc / n - r / n * (c / n), half = (vr - vc) / 2,
                 root = sqrt(half * half + both * both);
    /* of the two forms of that vector, the one that does not cancel */
    const double x = half > 0 ? half + root : both, y = half > 0 ? both : root - half;
    const double length = sqrt(x * x + y * y);
    along[0] = length > 0 ? x / length : 0;
    along[1] = length > 0 ? y / length : 1;
}

static double coordinate(const struct blocks *b, int row, int col)
{
    return b->along[0] * row + b->along[1] * col;
}

void blocks_lay(struct blocks *b, const struct domain *d)
{
    double low = INFINITY, high = -INFINITY;
    *b = (struct blocks){0};
    principal_axis(b->along, d);
    for (int row = 0; row < d->box.rows; row++)
        for (int col = 0; col < d->box.cols; col++) {
            if (!(d->cell[(size_t)row * (size_t)d->box.cols + (size_t)col] & DOMAIN_IN)) continue;
            low = fmin(low, coordinate(b, row, col));
            high = fmax(high, coordinate(b, row, col));
        }
    b->first = low;
    b->slabs = (int)(high - low) + 1;
}

int blocks_slab(const struct blocks *b, int row, int col)
{
    return (int)(coordinate(b, row, col) - b->first);
}

/* Of reliable forecasts residuals are 0 in the mean: it is not taken away. */
static int correlation_of(const double *residual, int slabs)
{
    double all = 0;
    for (int i = 0; i < slabs; i++) all += residual[i] * residual[i];
    for (int lag = 1; lag < slabs; lag++) {
        double sum = 0;
        for (int i = lag; i < slabs; i++) sum += residual[i] * residual[i - lag];
        if (!(sum * 2.718281828459045 > all)) return lag;
    }
    return slabs;
}

void blocks_choose(struct blocks *b, const double *residual)
{
    b->correlation = correlation_of(residual, b->slabs);
    const int most = b->slabs / BLOCKS_LEAST > 0 ? b->slabs / BLOCKS_LEAST : 1,
              wanted = b->correlation < most ? BLOCKS_LONGER * b->correlation : most;
    b->length = wanted < most ? wanted : most;
    b->count = (b->slabs + b->length - 1) / b->length;
}

void blocks_draw(double *sum, const struct blocks *b, const double *block, int columns, int k)
{
    enum { STREAM = 0x626c6f63 }; /* "bloc" */
    memset(sum, 0, (size_t)columns * sizeof *sum);
    for (int i = 0; i < b->count; i++) {
        const uint64_t bits = philox_bits(0, STREAM, (uint64_t)k, (uint32_t)i) >> 32;
        const double *one = block + (bits * (uint64_t)b->count >> 32) * (uint64_t)columns;
        for (int j = 0; j < columns; j++) sum[j] += one[j];
    }
}

void blocks_add(struct blocks_moments *m, double x)
{
    if (!isfinite(x)) return;
    const double before = x - m->mean;
    m->mean += before / ++m->count;
    m->squares += before * (x - m->mean);
}

double blocks_error(const struct blocks *b, const struct blocks_moments *m)
{
    if (m->count < 2 || b->count < 2) return NAN;
    return sqrt(m->squares / (m->count - 1) * b->count / (b->count - 1));
}
