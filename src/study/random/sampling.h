/* sampling.h — the numbers between 0 and 1 from which members are drawn: random numbers, a Latin hypercube, or Sobol's
 * points. Each number is a function of the seed, the member and the stream. So a member draws the same numbers whether
 * it runs alone or among others. */
#pragma once

#include "base/error.h"

#include <stdint.h>

/* Sobol's points in any order. GSL's gsl_qrng_sobol returns them only one after the other (P. Bratley, B. L. Fox, ACM
 * TOMS 14 (1988) 88-100). Point n is the exclusive or of the direction numbers of all set bits in the Gray code of n,
 * which is n XOR floor(n / 2). sobol_create() finds the direction numbers from points of GSL. */
enum { SOBOL_DIMENSIONS = 40, SOBOL_BITS = 30 };

struct sobol {
    int dimensions, bits;                             /* the points are numbered 0 to 2^bits - 1 */
    uint32_t direction[SOBOL_DIMENSIONS][SOBOL_BITS]; /* in units of 2^-30 */
};

/* Prepares points 0 to count - 1. 1 <= dimensions <= SOBOL_DIMENSIONS, 1 <= count <= 2^30. */
int sobol_create(struct sobol *s, int dimensions, int64_t count, struct error *e);

/* Coordinate of point n in units of 2^-30. Point 0 is the origin, which GSL skips. */
uint32_t sobol_point(const struct sobol *s, int64_t n, int dimension);

enum sampling_kind { SAMPLING_RANDOM, SAMPLING_LATIN, SAMPLING_SOBOL };

/* Streams of numbers that are not variables of the plan. A variable's stream is its number, from 0. */
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
    int64_t count;      /* number of members */
    int dimensions;     /* how many numbers each member draws */
    int *stream;        /* the stream of each dimension; borrowed */
    struct sobol sobol; /* for SAMPLING_SOBOL */
};

/* Prepares sampling_unit(). The caller has set kind, seed, count, dimensions and stream. */
int sampling_prepare(struct sampling *s, struct error *e);

/* The number of member n in dimension i, between 2^-53 and 1 - 2^-53: an odd multiple of 2^-53, or in a Latin
 * hypercube any double in its stratum. */
double sampling_unit(const struct sampling *s, int64_t n, int i);
