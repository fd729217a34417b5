/* grow.h — arrays that grow at their end by doubling, without keeping a capacity. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

/* Makes room for one more than `count` elements, provided that the array always grew by this
 * function: it is full at every power of two, and only then. NULL: out of memory, and the array is
 * as it was. */
static inline void *grow(void *array, int count, size_t element_bytes)
{
    if ((count & (count - 1)) != 0) return array;
    return realloc(array, (count ? 2 * (size_t)count : 1) * element_bytes);
}
