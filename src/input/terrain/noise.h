/* noise.h — repeatable random numbers for synthetic terrain.
 *
 * It has integer hashes of lattice points, and smooth gradient noise between the points. The only operations are on
 * integers, and + - * on doubles, which every IEEE machine rounds in the same way. So a seed gives the same bits
 * everywhere. */
#pragma once

#include <stdint.h>

/* Returns 64 well-mixed bits of a lattice point. Any odd constants with scattered bits would do. Two rounds of
 * multiply and fold spread each input bit to every output bit. */
static inline uint64_t noise_hash(uint64_t seed, int64_t i, int64_t j, int64_t k)
{
    uint64_t h = (seed + 1) * 0xb5c18e6a2f4d9037u + (uint64_t)i * 0x9d2e5f8b7143c60fu +
                 (uint64_t)j * 0xc7a4093d51e86b2du + (uint64_t)k * 0xe38b6d94f20a1c75u;
    h = (h ^ (h >> 29)) * 0xd6f12b974ac3580bu;
    h = (h ^ (h >> 32)) * 0xa94c7e035fb8d263u;
    return h ^ (h >> 31);
}

/* The greatest integer <= x, for |x| < 2^62. */
static inline int64_t noise_floor(double x)
{
    int64_t i = (int64_t)x;
    return (double)i > x ? i - 1 : i;
}

/* Rises from 0 to 1 over [0, 1], with first and second derivative 0 at both ends, and is constant beyond. */
static inline double noise_smooth(double x)
{
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    return x * x * x * (x * (x * 6 - 15) + 10);
}

static inline double noise_mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* Returns the dot product of a gradient and the vector (x, y, z) from a lattice point. The gradient is pseudo-random:
 * components in [-1, 1), with 21 bits each. */
static inline double noise_slope(uint64_t seed, int64_t i, int64_t j, int64_t k, double x, double y,
                                 double z)
{
    const double scale = 1.0 / 1048576;
    uint64_t h = noise_hash(seed, i, j, k);
    double gx = (double)(int64_t)(h & 0x1fffff) * scale - 1;
    double gy = (double)(int64_t)(h >> 21 & 0x1fffff) * scale - 1;
    double gz = (double)(int64_t)(h >> 42 & 0x1fffff) * scale - 1;
    return gx * x + gy * y + gz * z;
}

/* Returns smooth noise over one plane of the lattice: 0 at lattice points, within [-1, 1], and mostly within [-0.4,
 * 0.4]. Features are about one unit wide. */
static inline double noise_plane(uint64_t seed, double x, double y, int64_t k, double z)
{
    int64_t i = noise_floor(x), j = noise_floor(y);
    double u = x - (double)i, v = y - (double)j, s = noise_smooth(u), t = noise_smooth(v);
    double north = noise_mix(noise_slope(seed, i, j, k, u, v, z),
                             noise_slope(seed, i + 1, j, k, u - 1, v, z), s);
    double south = noise_mix(noise_slope(seed, i, j + 1, k, u, v - 1, z),
                             noise_slope(seed, i + 1, j + 1, k, u - 1, v - 1, z), s);
    return noise_mix(north, south, t);
}

static inline double noise_2(uint64_t seed, double x, double y)
{
    return noise_plane(seed, x, y, 0, 0);
}

static inline double noise_3(uint64_t seed, double x, double y, double z)
{
    int64_t k = noise_floor(z);
    double w = z - (double)k;
    return noise_mix(noise_plane(seed, x, y, k, w), noise_plane(seed, x, y, k + 1, w - 1),
                     noise_smooth(w));
}
