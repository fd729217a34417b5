/* sobol.c — prints the directions of GSL's Sobol points as C, for the engine in a page, which is without GSL: a program for the
 * machine that builds. As many as an ensemble of a page has members at most. */
#include "random/sampling.h"

#include <gsl/gsl_qrng.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIRECTIONS = 17 };

int main(void)
{
    gsl_qrng *points = gsl_qrng_alloc(gsl_qrng_sobol, SOBOL_DIMENSIONS);
    uint32_t before[SOBOL_DIMENSIONS] = {0};
    printf("enum { SOBOL_DIRECTIONS = %d };\n", DIRECTIONS);
    printf("static const uint32_t sobol_direction[SOBOL_DIRECTIONS][SOBOL_DIMENSIONS] = {\n");
    for (uint32_t n = 1; points && n <= 1u << (DIRECTIONS - 1); n++) {
        double x[SOBOL_DIMENSIONS];
        uint32_t now[SOBOL_DIMENSIONS];
        gsl_qrng_get(points, x);
        for (int d = 0; d < SOBOL_DIMENSIONS; d++) now[d] = (uint32_t)(x[d] * 0x1p30);
        for (int d = 0; d < SOBOL_DIMENSIONS && !(n & (n - 1)); d++)
            printf("%s%uu%s", d ? ", " : "{", now[d] ^ before[d],
                   d < SOBOL_DIMENSIONS - 1 ? "" : "},\n");
        memcpy(before, now, sizeof before);
    }
    printf("};\n");
    if (points) gsl_qrng_free(points);
    return points ? 0 : 1;
}
