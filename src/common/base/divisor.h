/* divisor.h — the greatest common divisor. */
#pragma once

#include <stdint.h>

/* Of numbers of at least 0; of 0 and a number it is that number. */
static inline int64_t divisor_common(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
