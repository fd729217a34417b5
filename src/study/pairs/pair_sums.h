/* pair_sums.h — lava at each of many places with barriers and without them, pair by pair, counted in
 * integers: sums have no order, so any number of threads and devices gives the same.
 *
 * The members of a pair have the same noise, so that the barriers alone make the difference; its
 * standard error is smaller than the error of the difference of two independent probabilities. */
#pragma once

#include "base/error.h"
#include "ensemble/statistics.h"

__extension__ typedef __int128 signed_wide;

/* A place that lava reached in any member. */
struct pair_count {
    uint64_t with, without, both; /* weights of the pairs with lava there */
    wide both2;                   /* of the pairs in `both`: squares of the weights; */
    signed_wide later, later2;    /* weight times classes of arrival by which it came later with,
                               and times their squares */
};

struct pair_sums {
    size_t places;
    uint32_t *slot; /* of each place, from 1; 0: lava never came */
    uint32_t slots;
    struct pair_count *count;
    uint32_t *mark; /* of each place, 0 between two pairs */
    int64_t pairs;
    uint64_t weight; /* of all pairs */
    wide weight2;
};

int pair_sums_create(struct pair_sums *s, size_t places, struct error *e);
void pair_sums_free(struct pair_sums *s); /* all-zero is fine */

struct pair_reached {
    const struct reached *item;
    size_t count;
};
/* Adds a pair. ERROR_FAILED: out of memory; nothing is counted then. */
int pair_sums_add(struct pair_sums *s, uint64_t weight, struct pair_reached with,
                  struct pair_reached without, struct error *e);

/* NULL: lava never came. pair_sums_open() creates a place; NULL: out of memory. */
const struct pair_count *pair_sums_at(const struct pair_sums *s, size_t place);
struct pair_count *pair_sums_open(struct pair_sums *s, size_t place);

uint64_t pair_sums_digest(const struct pair_sums *s);

/* ---- estimates ------------------------------------------------------------------------------ */

struct pair_estimates {
    double with, without;     /* probabilities of lava */
    double difference, error; /* with less without, and its standard error */
    double only_without,
        only_with;        /* probabilities: lava arrives only without barriers; only with them */
    double later_h;       /* mean by which it comes later with, of pairs in which it comes in
                                 both; NaN: there are none */
    double later_error_h; /* its standard error; NaN: of less than two */
};
/* c may be NULL: lava never came. */
struct pair_estimates pair_sums_estimate(const struct pair_sums *s, const struct pair_count *c,
                                         double class_h);
double pair_sums_effective(const struct pair_sums *s); /* number of pairs */
