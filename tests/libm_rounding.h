/* libm_rounding.h — whether the C library rounds here as it did for the published program. */
#ifndef TESTS_LIBM_ROUNDING_H
#define TESTS_LIBM_ROUNDING_H

#include <math.h>
#include <stdbool.h>

/* The published states hold the roundings of glibc's functions where the processor has a fused
 * multiply-add; each of these three values ends in another bit where it has none. */
static inline bool rounds_as_the_published_run(void)
{
    volatile const double ten = 10, x = -1181.0 / 1024, y = 123.0 / 1024, z = 1.31; /* not folded */
    return pow(ten, x) == 0x1.1fc41f5308113p-4 && atan(y) == 0x1.e9a77082c6c07p-4 &&
           cos(z) == 0x1.0809d6c4005c4p-2;
}

#endif
