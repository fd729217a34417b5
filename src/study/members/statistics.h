/* statistics.h — counters of the lava of all members, at each of many places, in integers.
 *
 * A place is a cell of the terrain, or a place of interest (case/assets.h) made of several cells. Each place that
 * lava reached has counters: the weights of the members by class of greatest thickness, by class of arrival (axis.h)
 * and, for places of interest, by covered share. Every counter is a sum of integers, so the order of members does not
 * matter: they can come from any thread, batch, device or file. A place that lava never reached takes four bytes. */
#pragma once

#include "base/error.h"
#include "axis.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;
#endif

/* The sum of all weights of an ensemble is at most this, so sums are exact also as double. */
#define STATISTICS_WEIGHT_MAX ((UINT64_C(1) << 53) - 1)

enum {
    STATISTICS_MM = 1024,           /* unit of thickness for its mean: 1/1024 m */
    STATISTICS_THICKNESS_BITS = 22, /* thickness is below 2^22 units, 4096 m */
    /* Bits of the lower half of thickness_q and share_q. The halves are summed separately, so sums stay below 2^64. */
    STATISTICS_HALF = 11,
    STATISTICS_SHARES = 100,          /* classes of covered share: per cent, rounded up */
    STATISTICS_SHARE_PARTS = 1 << 20, /* unit of a covered share for its mean: 2^-20 */
    /* Number of places that are skipped together if none of them has counters. */
    STATISTICS_GROUP = 1 << 12,
};

/* Lava of a member at a place. */
struct reached {
    uint32_t place;
    uint16_t thickness_class, arrival_class;
    uint32_t thickness_q; /* greatest thickness in 1/1024 m, to the nearest, at most 2^22 - 1 */
    union {
        /* For a place of interest: covered share in units of 2^-20, rounded down, at least 1. */
        uint32_t share_q;
        uint32_t end_q; /* for a cell: thickness_q at the end of the run; not counted */
    };
};

struct statistics {
    size_t places;
    int thickness_classes, arrival_classes, share_classes; /* share_classes: 0 for cells */
    size_t stride;                                         /* number of counters of a place */
    int64_t members;
    uint64_t weight; /* sum of the weights of all members */
    wide weight2;    /* sum of the squared weights */

    uint32_t *slot;       /* index of each place's counters, from 1; 0: no lava came */
    unsigned char *group; /* 1: any of the STATISTICS_GROUP places of a group has counters */
    uint32_t slots;       /* number of places with counters */
    uint64_t **chunk;     /* arrays of counters, each for many places */
    size_t chunks;
    size_t bytes, bytes_max; /* memory of the counters, and its limit */
    bool added_up;           /* statistics_add_up() was called after the last change */
};

/* shares: the places are places of interest, which have covered shares. bytes_max: most memory for counters. */
int statistics_create(struct statistics *s, size_t places, const struct axis *thickness_m,
                      const struct axis *arrival_s, bool shares, size_t bytes_max, struct error *e);
void statistics_free(struct statistics *s); /* all-zero is fine */

/* Adds a member: its weight and the places that it reached. ERROR_INPUT: too little memory; the message has a remedy.
 * *s has then the same counts as before, and perhaps new counters that are 0. */
int statistics_add(struct statistics *s, uint64_t weight, const struct reached *reached,
                   size_t count, struct error *e);

/* statistics_add() for several members, in parallel. Each thread adds at places of its own. */
struct statistics_member {
    uint64_t weight;
    const struct reached *reached;
    size_t count;
};
int statistics_add_all(struct statistics *s, const struct statistics_member *member, size_t members,
                       struct error *e);

/* Sets the number and the weight of members to 0. `counters`: also sets all counters to 0. */
void statistics_forget(struct statistics *s, bool counters);

/* These two functions are for members that are read place by place: statistics_count() counts a member,
 * statistics_add_places() adds its lava at some of its places. */
void statistics_count(struct statistics *s, uint64_t weight);
int statistics_add_places(struct statistics *s, uint64_t weight, const struct reached *reached,
                          size_t count, struct error *e);

/* Adds the counters of *from, which was created with the same axes and places. ERROR_INPUT: see statistics_add(). */
int statistics_merge(struct statistics *s, const struct statistics *from, struct error *e);

/* Sums groups of adjacent classes, in parallel. The estimates below then read fewer counters of a place. */
void statistics_add_up(struct statistics *s);

/* The digest of all counters. A place that lava did not reach does not change the digest. */
uint64_t statistics_digest(const struct statistics *s);

/* The counters of a place; NULL: no lava came. First come the weights by class of thickness, of arrival and of share.
 * Then come four sums over members: of weight times the upper half of thickness_q, of weight times its lower half, and
 * the same two sums for share_q. statistics_open() creates the counters if there are none; NULL: out of memory. */
const uint64_t *statistics_at(const struct statistics *s, size_t place);
uint64_t *statistics_open(struct statistics *s, size_t place, struct error *e);

/* The first place from `place` on that has counters; `places`: there is none. Groups without counters are skipped. */
size_t statistics_next(const struct statistics *s, size_t place);

/* A loop over all places with counters, in order; c points to the counters. */
#define STATISTICS_EACH(s, i, c)                                                                   \
    for (size_t i = statistics_next(s, 0); i < (s)->places; i = statistics_next(s, i + 1))         \
        for (const uint64_t *c = statistics_at(s, i); c; c = NULL)

/* Whether the sums over the classes of thickness, arrival and share are equal, and at most `weight`. */
bool statistics_adds_up(const struct statistics *s, const uint64_t *c, uint64_t weight);

/* statistics_read() or statistics_counted() has to be called after counters of a place were changed directly.
 * Estimates read only classes with counts. statistics_read() finds these classes, statistics_counted() receives them
 * in `span`. */
struct statistics_span { /* a range of classes; end: not included */
    int first, end;
};
void statistics_read(const struct statistics *s, uint64_t *c);
void statistics_counted(const struct statistics *s, uint64_t *c,
                        const struct statistics_span span[2]);

/* thickness_q of a thickness; share_q of the share covered / all. */
uint32_t statistics_thickness(double thickness_m);
uint32_t statistics_share(uint64_t covered, uint64_t all);

/* ---- estimates -------------------------------------------------------------------------------
 * statistics_reached(): the weight of the members that reached the place. statistics_exceeding(): that had lava
 * thicker than an edge there. statistics_within(): that arrived there up to an edge of time. c NULL: 0. */
uint64_t statistics_reached(const struct statistics *s, const uint64_t *c);
uint64_t statistics_exceeding(const struct statistics *s, const uint64_t *c, int edge);
uint64_t statistics_within(const struct statistics *s, const uint64_t *c, int edge);

/* Effective number of members, (sum w)^2 / sum w^2; 0 without members. */
double statistics_effective(const struct statistics *s);
/* The probability weight / s->weight; 1 if rounding has made the weight of a place larger than s->weight. */
double statistics_probability(const struct statistics *s, uint64_t weight);
/* Standard error sqrt(p (1 - p) / effective number); 0 if all members agree. */
double statistics_error_of(double p, double effective);
double statistics_error(const struct statistics *s, uint64_t weight);
/* The largest standard error of the probabilities that lava arrives. */
double statistics_largest_error(const struct statistics *s);
/* statistics_error() with two successes and two failures added (Agresti and Coull). Otherwise a few members that agree
 * would have an error of 0. */
double statistics_cautious_error(const struct statistics *s, uint64_t weight);

/* A percentile over the members that reached the place: the lowest class at which the cumulative weight is at least
 * `percent` of the sum; percent 0: the lowest class that any member has. -1: no member reached the place. */
int statistics_thickness_class(const struct statistics *s, const uint64_t *c, int percent);
int statistics_arrival_class(const struct statistics *s, const uint64_t *c, int percent);
/* statistics_arrival_class() over the members that arrived in class `first` or later. */
int statistics_arrival_class_from(const struct statistics *s, const uint64_t *c, int first,
                                  int percent);
int statistics_share_class(const struct statistics *s, const uint64_t *c, int percent);
/* Means over the members that reached the place; NaN: no member did. */
double statistics_mean_thickness_m(const struct statistics *s, const uint64_t *c);
double statistics_mean_share(const struct statistics *s, const uint64_t *c);
