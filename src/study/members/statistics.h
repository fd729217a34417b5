/* statistics.h — what the members of an ensemble do at each of many places, counted in integers.
 *
 * A place is a cell of the terrain, or a place of interest (case/assets.h) made of several cells.
 * Each place that lava reached has counters: the weights of the members by class of greatest
 * thickness, by class of arrival (axis.h) and, for places of interest, by covered share. Every counter
 * is a sum of integers, so order does not matter: members can come from any thread, batch, device or
 * file. A place that lava never reached takes four bytes. */
#pragma once

#include "base/error.h"
#include "axis.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;
#endif

/* All weights of an ensemble add up to less: sums are exact in a double, too. */
#define STATISTICS_WEIGHT_MAX ((UINT64_C(1) << 53) - 1)

enum {
    STATISTICS_MM = 1024,             /* thickness for its mean: counted in 1/1024 m */
    STATISTICS_THICKNESS_BITS = 22,   /* and below 2^22 of them, 4096 m */
    STATISTICS_HALF = 11,             /* split in two, so that no sum passes 64 bits */
    STATISTICS_SHARES = 100,          /* classes of covered share: whole per cent, up */
    STATISTICS_SHARE_PARTS = 1 << 20, /* parts of a covered share, for its mean */
    STATISTICS_GROUP = 1 << 12,       /* places that are passed over at once if none has counters */
};

/* What a member did at a place that its lava reached. */
struct reached {
    uint32_t place;
    uint16_t thickness_class, arrival_class;
    uint32_t thickness_q; /* thickness in 1/1024 m, to the nearest, at most 2^22 - 1 */
    union {
        uint32_t share_q; /* of a place of interest: covered share in 2^-20, rounded down, from 1 */
        uint32_t end_q;   /* of a cell: thickness_q at the end of the run; not counted */
    };
};

struct statistics {
    size_t places;
    int thickness_classes, arrival_classes, share_classes; /* share_classes: 0 for cells */
    size_t stride;                                         /* counters of a place */
    int64_t members;
    uint64_t weight; /* of all members together */
    wide weight2;    /* the sum of their squares */

    uint32_t *slot;       /* the number of each place's counters, from 1; 0: lava never came */
    unsigned char *group; /* for each STATISTICS_GROUP places: 1: one of them has counters */
    uint32_t slots;       /* number of counters in use */
    uint64_t **chunk;     /* counters, many places at a time */
    size_t chunks;
    size_t bytes, bytes_max; /* memory that counters take; that they may take */
    bool added_up;           /* statistics_add_up() was called, and nothing was added since */
};

/* `shares`: for places of interest. bytes_max: the largest memory for counters. */
int statistics_create(struct statistics *s, size_t places, const struct axis *thickness_m,
                      const struct axis *arrival_s, bool shares, size_t bytes_max, struct error *e);
void statistics_free(struct statistics *s); /* all-zero is fine */

/* Adds a member: its weight and the places that it reached. ERROR_INPUT: too little memory, with the
 * remedy; *s is then as before but for empty counters. */
int statistics_add(struct statistics *s, uint64_t weight, const struct reached *reached,
                   size_t count, struct error *e);

/* statistics_add() for several members, by several threads, each with places of its own. */
struct statistics_member {
    uint64_t weight;
    const struct reached *reached;
    size_t count;
};
int statistics_add_all(struct statistics *s, const struct statistics_member *member, size_t members,
                       struct error *e);

/* Forgets all members; with `counters` also what they did. */
void statistics_forget(struct statistics *s, bool counters);

/* For members that come place by place: counts a member; then adds what it did at some of its places. */
void statistics_count(struct statistics *s, uint64_t weight);
int statistics_add_places(struct statistics *s, uint64_t weight, const struct reached *reached,
                          size_t count, struct error *e);

/* Adds the counters of *from, which was created with the same axes and places. Errors as above. */
int statistics_merge(struct statistics *s, const struct statistics *from, struct error *e);

/* Sums runs of classes, by all threads, so that the functions below read few counters of a place. */
void statistics_add_up(struct statistics *s);

/* The digest of all counters; a place that lava did not reach adds nothing. */
uint64_t statistics_digest(const struct statistics *s);

/* Counters of a place; NULL: lava never came. Thickness classes come first, then arrival classes, share
 * classes, and the sums: weight times upper and lower half of thickness_q, upper and lower half of
 * share_q. statistics_open() makes them; NULL: no memory. */
const uint64_t *statistics_at(const struct statistics *s, size_t place);
uint64_t *statistics_open(struct statistics *s, size_t place, struct error *e);

/* The first place from this one on that has counters; `places`: none. Empty groups cost nothing. */
size_t statistics_next(const struct statistics *s, size_t place);

/* A loop over all places with counters, in order; c: their counters. */
#define STATISTICS_EACH(s, i, c)                                                                   \
    for (size_t i = statistics_next(s, 0); i < (s)->places; i = statistics_next(s, i + 1))         \
        for (const uint64_t *c = statistics_at(s, i); c; c = NULL)

/* Whether classes of thickness, of arrival and of share have equal sums, of all members that came: at most `weight`. */
bool statistics_adds_up(const struct statistics *s, const uint64_t *c, uint64_t weight);

/* One of these is called after counters of a place were changed by other means: statistics_read() finds the classes of
 * thickness and arrival that have counts, statistics_counted() is told them. The functions below read no others. */
struct statistics_span { /* of classes; end: not included */
    int first, end;
};
void statistics_read(const struct statistics *s, uint64_t *c);
void statistics_counted(const struct statistics *s, uint64_t *c,
                        const struct statistics_span span[2]);

/* These return thickness_q and share_q for what was measured. */
uint32_t statistics_thickness(double thickness_m);
uint32_t statistics_share(uint64_t covered, uint64_t all);

/* ---- estimates -------------------------------------------------------------------------------
 * Weights of members: that reached the place; with lava thicker than an edge; that arrived up to an
 * edge of time. NULL counters: 0. */
uint64_t statistics_reached(const struct statistics *s, const uint64_t *c);
uint64_t statistics_exceeding(const struct statistics *s, const uint64_t *c, int edge);
uint64_t statistics_within(const struct statistics *s, const uint64_t *c, int edge);

/* Effective number of members, (sum w)^2 / sum w^2; 0 without members. */
double statistics_effective(const struct statistics *s);
/* A weight as a probability; at most 1, as weights of a place may be rounded up. */
double statistics_probability(const struct statistics *s, uint64_t weight);
/* Standard error sqrt(p (1 - p) / effective number): 0 where all members agree. */
double statistics_error_of(double p, double effective);
double statistics_error(const struct statistics *s, uint64_t weight);
/* The largest standard error of the probabilities that lava arrives. */
double statistics_largest_error(const struct statistics *s);
/* statistics_error() with two successes and two failures added (Agresti and Coull), so that a few
 * members that agree do not count as certainty. */
double statistics_cautious_error(const struct statistics *s, uint64_t weight);

/* A percentile over the members that reached the place: the lowest class at which the cumulative
 * weight is at least `percent` of the whole; 0: the first one. -1: no member did. */
int statistics_thickness_class(const struct statistics *s, const uint64_t *c, int percent);
int statistics_arrival_class(const struct statistics *s, const uint64_t *c, int percent);
/* statistics_arrival_class() over those that arrived in the class `first` or later. */
int statistics_arrival_class_from(const struct statistics *s, const uint64_t *c, int first,
                                  int percent);
int statistics_share_class(const struct statistics *s, const uint64_t *c, int percent);
/* Means over the members that reached the place; NaN: none did. */
double statistics_mean_thickness_m(const struct statistics *s, const uint64_t *c);
double statistics_mean_share(const struct statistics *s, const uint64_t *c);
