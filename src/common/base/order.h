/* order.h — orders for qsort(): numbers increasing, names in the order of strcmp(). The items may also be structures
 * that begin with the number or with the pointer to the name. Integers are not negative. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ORDER() compares for qsort(): -1 if a < b, 0 if a == b, 1 if a > b. order_by() returns the first
 * comparison, or the second if the first is 0. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))
static inline int order_by(int first, int then)
{
    return first ? first : then;
}

/* Defines a function for qsort(). It orders structures by the member `first`, and those with equal `first` by `then`. */
#define ORDER_MEMBERS(name, type, first, then)                                                     \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        const type *x = a, *y = b;                                                                 \
        return order_by(ORDER(x->first, y->first), ORDER(x->then, y->then));                       \
    }

static inline int order_reals(const void *a, const void *b)
{
    return ORDER(*(const double *)a, *(const double *)b);
}

/* The number and value of an item. Items are sorted by value, the greatest first; of items with equal values, the item
 * with the lowest number comes first. */
struct ranked {
    double value;
    int64_t number;
};
static inline int order_ranks(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return order_by(ORDER(y->value, x->value), ORDER(x->number, y->number));
}

/* Binary search: finds the first index `at` from low to high - 1 for which the expression `before` is false. Sets
 * low and high to this index, or to high if `before` is true for all. `before` has to be true for all indices below
 * this index, and false for all others. */
#define ORDER_HALVE(at, low, high, before)                                                         \
    while ((low) < (high)) {                                                                       \
        const size_t at = (size_t)(low) + (size_t)((high) - (low)) / 2;                            \
        if (before) (low) = (__typeof__(low))(at + 1);                                             \
        else (high) = (__typeof__(high))at;                                                        \
    }

/* The index of the first number above x in a sorted list; `count`: no number is above x. */
static inline int order_above(const double *list, int count, double x)
{
    int low = 0;
    ORDER_HALVE(at, low, count, !(list[at] > x));
    return low;
}

/* Finds the first of several equal entries of a sorted list; bsearch() may find another of them. NULL: there is none. */
static inline const void *order_first(const void *key, const void *list, size_t count, size_t bytes,
                                      int (*order)(const void *, const void *))
{
    const char *at = count ? bsearch(key, list, count, bytes, order) : NULL;
    while (at && at > (const char *)list && !order(key, at - bytes)) at -= bytes;
    return at;
}

/* Sorts numbers and keeps one of each group of equal numbers. Returns the number of numbers that
 * remain. */
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
