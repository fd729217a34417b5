/* terrain_error.h — an error of the terrain: normal, with a standard deviation and a correlation
 * length, and a function of (seed, row, column) alone, so that any cell can be computed by itself,
 * on the host or on a device, to the same bits.
 *
 * On a lattice of nodes a distance s apart stand independent normal numbers n_ij (Philox). With the
 * cubic B-spline B, of which four are not 0 anywhere,
 *
 *     error(x, y) = sd * sum_ij B(x / s - i) B(y / s - j) n_ij / sqrt(S(x / s) S(y / s)),
 *     S(t) = sum_i B(t - i)^2,
 *
 * which is normal with exactly that standard deviation everywhere, and smooth. 1.1858 s is
 * the correlation length: the lag at which the correlation along a row or column is 1/e (on the
 * average over the places in the lattice). A length of 0 gives every cell a number of its own. */
#pragma once

#include "philox.h"
#include "quantile.h"
#include "sampling.h"
#include "sim/problem.h"

struct terrain_error {
    uint64_t seed, number; /* the plan's; the member's, below 2^56: each gives other errors */
    double sd_m;           /* 0: none */
    double nodes_per_cell; /* 0: no correlation */
};

#define TERRAIN_ERROR_LAG 1.1857971079410241

/* The normal number of node (i, j), both at least -1; without correlation nodes are cells. */
INLINE double terrain_error_node(const struct terrain_error *t, int64_t i, int64_t j)
{
    const struct philox at = {{(uint32_t)i, (uint32_t)j, (uint32_t)t->number,
                               STREAM_TERRAIN | (uint32_t)(t->number >> 32) << 8}};
    const struct philox out = philox4x32(at, (uint32_t)t->seed, (uint32_t)(t->seed >> 32));
    return normal_quantile(philox_unit((uint64_t)out.word[0] | (uint64_t)out.word[1] << 32));
}

/* Finds where cell k lies between the nodes: returns the first of four nodes, and sets their
 * weights, whose squares sum up to 1. */
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

/* Four numbers with their weights, added in this order. */
INLINE double terrain_error_sum(const double weight[4], double a, double b, double c, double d)
{
    return (weight[0] * a + weight[1] * b) + (weight[2] * c + weight[3] * d);
}

/* The error of one cell, m. */
double terrain_error_at(const struct terrain_error *t, int row, int col);

/* A spectrum of errors, the octaves, which are added up. Octave k is correlated over the first one's length times
 * 2^-k, at least a cell, and has a standard deviation in proportion to 2^(-k H), where H is the Hurst exponent; the
 * sum has the standard deviation of `first`. Over distances d far from both the shortest and the longest length, the
 * mean square of a difference is nearly in proportion to d^(2 H), as on natural terrain. Octave 0 has the numbers of
 * `first`. */
enum { TERRAIN_OCTAVES = 24 };
struct terrain_spectrum {
    int count; /* 1: `first` alone */
    struct terrain_error octave[TERRAIN_OCTAVES];
};

/* Sets the octaves; hurst >= 0, INFINITY: `first` alone. */
void terrain_spectrum_set(struct terrain_spectrum *s, const struct terrain_error *first,
                          double hurst);
double terrain_spectrum_at(const struct terrain_spectrum *s, int row, int col);
double terrain_spectrum_most(const struct terrain_spectrum *s); /* the bound of all errors, m */

/* Adds the sum of errors to all cells with data in a window of arrays with `cols` columns, rounded to the
 * lattice; `to` may be `from`. False: out of memory. */
bool terrain_spectrum_add_in(const struct terrain_spectrum *s, struct window w, int cols,
                             const double *from, double *to);
/* The same for whole arrays: with a spectrum, and with one error. */
bool terrain_spectrum_add(const struct terrain_spectrum *s, int rows, int cols, const double *from,
                          double *to);
bool terrain_error_add(const struct terrain_error *t, int rows, int cols, const double *from,
                       double *to);
