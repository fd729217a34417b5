/* divisor.h — the greatest common divisor. */
#pragma once

#include <stdint.h>

/* The greatest common divisor of two numbers >= 0. If one number is 0, the result is the other number. */
static inline int64_t divisor_common(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
