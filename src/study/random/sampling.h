/* sampling.h — the numbers between 0 and 1 from which members are drawn: at random, from a Latin
 * hypercube, or Sobol's points. Each is a function of the seed, the member and what is drawn (a
 * stream), so that a member alone draws what it draws among others. */
#pragma once

#include "base/error.h"

#include <stdint.h>

/* Sobol's points in any order. GSL's gsl_qrng_sobol gives them one after the other (P. Bratley, B. L. Fox,
 * ACM TOMS 14 (1988) 88-100). As they are in Gray code, point n is the exclusive or of one direction
 * number for each bit of n ^ n / 2; direction numbers are read off GSL's points 2^k. */
enum { SOBOL_DIMENSIONS = 40, SOBOL_BITS = 30 };

struct sobol {
    int dimensions, bits;                             /* points 0 to 2^bits - 1 */
    uint32_t direction[SOBOL_DIMENSIONS][SOBOL_BITS]; /* in units of 2^-30 */
};

/* Creates points 0 to count - 1. 1 <= dimensions <= SOBOL_DIMENSIONS, 1 <= count <= 2^30. */
int sobol_create(struct sobol *s, int dimensions, int64_t count, struct error *e);

/* Coordinate of point n in units of 2^-30; point 0 is the origin, which GSL leaves out. */
uint32_t sobol_point(const struct sobol *s, int64_t n, int dimension);

enum sampling_kind { SAMPLING_RANDOM, SAMPLING_LATIN, SAMPLING_SOBOL };

/* Streams of what is no variable of the plan; the variables count from 0. */
enum {
    STREAM_VENT = 64,
    STREAM_CLASS,
    STREAM_TERRAIN,
    STREAM_RATES,
    STREAM_ROUND,
    STREAM_PERMUTED = 256,
    STREAM_SHIFTED = 512
};

struct sampling {
    enum sampling_kind kind;
    uint64_t seed;
    int64_t count;      /* of members */
    int dimensions;     /* how many numbers a member draws */
    int *stream;        /* of each dimension; borrowed */
    struct sobol sobol; /* SAMPLING_SOBOL: its dimension i is stream[i] */
};

/* Prepares drawing, once kind, seed, count, dimensions and stream are set. */
int sampling_prepare(struct sampling *s, struct error *e);

/* The number of dimension i of member n: an odd multiple of 2^-53, or in a Latin hypercube any
 * double of its stratum, between 2^-53 and 1 - 2^-53. */
double sampling_unit(const struct sampling *s, int64_t n, int i);
