/* order.h — numbers in increasing order, for qsort(). Structures may begin with the number. */
#pragma once

#include <stdint.h>

static inline int order_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline int order_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}
