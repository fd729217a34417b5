/* order.h — numbers in increasing order, names as strcmp() has them, for qsort(). Structures may
 * begin with the number, which is not negative if it is an integer, or with the pointer to the name. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Below, at or above 0, as a is below, at or above b; and by the first of two such that is not 0. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))
static inline int order_by(int first, int then)
{
    return first ? first : then;
}

static inline int order_reals(const void *a, const void *b)
{
    return ORDER(*(const double *)a, *(const double *)b);
}

/* What is numbered, by a value: the greatest first, of equal values the lowest number. */
struct ranked {
    double value;
    int64_t number;
};
static inline int order_ranks(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return order_by(ORDER(y->value, x->value), ORDER(x->number, y->number));
}

/* Halves what is from `low` to before `high` until both are the first `at` that is not `before`, an
 * expression of `at`; all in front of it are. */
#define ORDER_HALVE(at, low, high, before)                                                         \
    while ((low) < (high)) {                                                                       \
        const size_t at = (size_t)(low) + (size_t)((high) - (low)) / 2;                            \
        if (before) (low) = (__typeof__(low))(at + 1);                                             \
        else (high) = (__typeof__(high))at;                                                        \
    }

/* The first in a sorted list above x; `count`: none is. */
static inline int order_above(const double *list, int count, double x)
{
    int low = 0;
    ORDER_HALVE(at, low, count, !(list[at] > x));
    return low;
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
    return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

static inline int order_places(const void *a, const void *b)
{
    return ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
}

static inline int order_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}
