/* grow.h — arrays that grow at their end by doubling, without keeping a capacity. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for count + 1 elements. An array that always grew by this macro is full exactly if `count` is 0 or a power
 * of two. False: out of memory; the array is as before. */
#define GROW(array, count) grow(&(array), (size_t)(count), sizeof *(array))
/* Appends an element and counts it. False: out of memory. */
#define APPEND(array, count, ...) (GROW(array, count) && ((array)[(count)++] = __VA_ARGS__, true))

/* `place`: the address of the pointer to the array. */
static inline bool grow(void *place, size_t count, size_t element_bytes)
{
    void *array;
    memcpy(&array, place, sizeof array);
    if ((count & (count - 1)) == 0) array = realloc(array, (count ? 2 * count : 1) * element_bytes);
    if (array) memcpy(place, &array, sizeof array);
    return array != NULL;
}

/* Appends a position. */
static inline bool grow_position(double (**xy)[2], int *count, double x, double y)
{
    if (!GROW(*xy, *count)) return false;
    (*xy)[*count][0] = x;
    (*xy)[(*count)++][1] = y;
    return true;
}
