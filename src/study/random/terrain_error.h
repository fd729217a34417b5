/* terrain_error.h — an error of the terrain: normal, with a standard deviation and a correlation length. The error of
 * a cell is a function of seeds, row and column alone. So host and device compute any cell separately, with the same
 * bits.
 *
 * The nodes of a square lattice with spacing s have independent normal numbers n_ij. B is the cubic B-spline. The error
 * has the standard deviation sd everywhere:
 *
 *     error(x, y) = sd * sum_ij B(x / s - i) B(y / s - j) n_ij / sqrt(S(x / s) S(y / s)),
 *     S(t) = sum_i B(t - i)^2.
 *
 * The correlation length is 1.1858 s: the lag with a mean correlation of 1/e along rows and columns. */
#pragma once

#include "philox.h"
#include "quantile.h"
#include "sampling.h"
#include "sim/problem.h"

struct terrain_error {
    uint64_t seed, number; /* seed: of the plan; number: of the member, below 2^56 */
    double sd_m;           /* standard deviation; 0: no error */
    double nodes_per_cell; /* 0: no correlation */
};

#define TERRAIN_ERROR_LAG 1.1857971079410241

/* The normal number of node (i, j); i and j are at least -1. Without correlation the nodes are the cells. */
INLINE double terrain_error_node(const struct terrain_error *t, int64_t i, int64_t j)
{
    const struct philox at = {{(uint32_t)i, (uint32_t)j, (uint32_t)t->number,
                               STREAM_TERRAIN | (uint32_t)(t->number >> 32) << 8}};
    const struct philox out = philox4x32(at, (uint32_t)t->seed, (uint32_t)(t->seed >> 32));
    return normal_quantile(philox_unit((uint64_t)out.word[0] | (uint64_t)out.word[1] << 32));
}

/* Finds the four rows or columns of nodes around row or column k. Returns the first of them and sets their weights; the
 * sum of the squared weights is 1. */
INLINE int64_t terrain_error_weights(const struct terrain_error *t, int k, double weight[4])
{
    const double at = ((double)k + 0.5) * t->nodes_per_cell;
    const int64_t first = (int64_t)at;
    const double x = at - (double)first, y = 1 - x;
    weight[0] = y * y * y * (1.0 / 6);
    weight[1] = 2.0 / 3 - x * x * (1 - 0.5 * x);
    weight[2] = 2.0 / 3 - y * y * (1 - 0.5 * y);
    weight[3] = x * x * x * (1.0 / 6);
    const double norm = 1 / sqrt(weight[0] * weight[0] + weight[1] * weight[1] +
                                 (weight[2] * weight[2] + weight[3] * weight[3]));
    for (int i = 0; i < 4; i++) weight[i] *= norm;
    return first - 1;
}

/* The weighted sum of four numbers. The order of the additions decides the bits. */
INLINE double terrain_error_sum(const double weight[4], double a, double b, double c, double d)
{
    return (weight[0] * a + weight[1] * b) + (weight[2] * c + weight[3] * d);
}

/* The error of one cell, m. */
double terrain_error_at(const struct terrain_error *t, int row, int col);

/* A spectrum: the sum of several errors, its octaves. The sum has the standard deviation of `first`. The correlation
 * length of octave k is that of `first` times 2^-k, at least a cell. The standard deviation of octave k is proportional
 * to 2^(-kH), with the Hurst exponent H. The mean squared difference of two cells at distance d is nearly
 * proportional to d^(2H), as on natural terrain, if d is far above the shortest and far below the longest correlation
 * length. */
enum { TERRAIN_OCTAVES = 24 };
struct terrain_spectrum {
    int count; /* 1: `first` alone */
    struct terrain_error octave[TERRAIN_OCTAVES];
};

/* Sets the octaves. hurst >= 0; INFINITY: `first` alone. */
void terrain_spectrum_set(struct terrain_spectrum *s, const struct terrain_error *first,
                          double hurst);
double terrain_spectrum_at(const struct terrain_spectrum *s, int row, int col);
/* An upper bound of the absolute error of any cell, m. */
double terrain_spectrum_most(const struct terrain_spectrum *s);

/* Adds the spectrum to all cells with data in a window, and rounds the sums with lattice_round(). The arrays have
 * `cols` columns; `to` may be `from`. False: out of memory. */
bool terrain_spectrum_add_in(const struct terrain_spectrum *s, struct window w, int cols,
                             const double *from, double *to);
/* Add a spectrum, or one error, to whole arrays. */
bool terrain_spectrum_add(const struct terrain_spectrum *s, int rows, int cols, const double *from,
                          double *to);
bool terrain_error_add(const struct terrain_error *t, int rows, int cols, const double *from,
                       double *to);
