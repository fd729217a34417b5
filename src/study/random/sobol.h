/* sobol.h — Sobol's points in any order. GSL's gsl_qrng_sobol gives them one after the other (P.
 * Bratley, B. L. Fox, ACM TOMS 14 (1988) 88-100); in Gray code point n is the exclusive or of one
 * direction number for each bit of n ^ n / 2, and the direction numbers are read off its points
 * 2^k. */
#ifndef SCIARA_SOBOL_H
#define SCIARA_SOBOL_H

#include "base/error.h"

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 40, SOBOL_BITS = 30 };

struct sobol {
    int dimensions, bits;                             /* points 0 to 2^bits - 1 */
    uint32_t direction[SOBOL_DIMENSIONS][SOBOL_BITS]; /* in 2^-30 */
};

/* For points 0 to count - 1. 1 <= dimensions <= SOBOL_DIMENSIONS, 1 <= count <= 2^30. */
int sobol_create(struct sobol *s, int dimensions, int64_t count, struct error *e);

/* Coordinate of point n in 2^-30; point 0 is the origin, which GSL leaves out. */
uint32_t sobol_point(const struct sobol *s, int64_t n, int dimension);

#endif
