/* pair_sums.h — what members do at each of many places with something and without it, pair by pair,
 * counted in integers: as sums have no order, any number of threads and devices gives the same.
 *
 * A pair has the same noise twice, so that the difference of its two members is due to what differs
 * alone; the standard errors are those of this difference, which are smaller than those of two
 * probabilities. */
#ifndef SCIARA_PAIR_SUMS_H
#define SCIARA_PAIR_SUMS_H

#include "base/error.h"
#include "ensemble/statistics.h"

#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 signed_wide;

/* Of a place to which lava came in any member. */
struct pair_count {
    uint64_t with, without, both; /* weights of the pairs whose lava came so */
    wide both2;                   /* of those with both: squares of the weights; */
    signed_wide later, later2;    /* weight times classes of arrival by which it came later with,
                               and times their squares */
};

struct pair_sums {
    size_t places;
    uint32_t *slot; /* of each place, from 1; 0: nobody came */
    uint32_t slots, room;
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
/* A pair: what it did with and without. ERROR_FAILED: out of memory; nothing is counted then. */
int pair_sums_add(struct pair_sums *s, uint64_t weight, struct pair_reached with,
                  struct pair_reached without, struct error *e);

/* NULL: nobody came. pair_sums_open() makes a place; NULL: out of memory. */
const struct pair_count *pair_sums_at(const struct pair_sums *s, size_t place);
struct pair_count *pair_sums_open(struct pair_sums *s, size_t place);

uint64_t pair_sums_digest(const struct pair_sums *s);

/* ---- what they say --------------------------------------------------------------------------- */

struct pair_estimates {
    double with, without;           /* probability that lava comes */
    double difference, error;       /* with less without, and its standard error */
    double only_without, only_with; /* probabilities: lava comes without alone, with alone */
    double later_h;       /* mean by which it comes later with, of pairs in which it comes in
                                 both; NaN: there are none */
    double later_error_h; /* its standard error; NaN: of less than two */
};
/* c: NULL means nobody. */
struct pair_estimates pair_sums_estimate(const struct pair_sums *s, const struct pair_count *c,
                                         double class_h);
double pair_sums_effective(const struct pair_sums *s); /* number of pairs */

#endif
