/* order.h — numbers in increasing order, names as strcmp() has them, for qsort(). Structures may
 * begin with the number, which is not negative if it is an integer, or with the pointer to the name. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline int order_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The first of those in a sorted list that are equal to the key, of which bsearch() finds any; NULL: none is. */
static inline const void *order_first(const void *key, const void *list, size_t count, size_t bytes,
                                      int (*order)(const void *, const void *))
{
    const char *at = count ? bsearch(key, list, count, bytes, order) : NULL;
    while (at && at > (const char *)list && !order(key, at - bytes)) at -= bytes;
    return at;
}

/* Sorts them, each once; how many remain. */
static inline int order_distinct(double *x, int count)
{
    int distinct = 0;
    qsort(x, (size_t)count, sizeof *x, order_reals);
    for (int i = 0; i < count; i++)
        if (!distinct || x[i] != x[distinct - 1]) x[distinct++] = x[i];
    return distinct;
}

static inline int order_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline int order_places(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline int order_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}
