/* ensemble.h — an ensemble in progress: which members are done, the result of each, and the statistics
 * of all. Everything in it is a function of the plan and of the set of members done. */
#pragma once

#include "case/assets.h"
#include "plan/supply.h"
#include "statistics.h"
#include "verify/verify.h"

/* A shard of a plan: the members whose number leaves index - 1 when divided by count. */
struct shard {
    int index, count; /* 1 of 1: all members */
};

/* The result of a member; a row of members.csv. */
struct member_result {
    bool done;
    uint64_t weight, digest; /* the digest of its last state */
    int64_t step;            /* its last step */
    bool stopped;            /* by the stopping rule, not at its maximum of steps */
    double end_s;            /* time of the last step */
    double advance_s;        /* when lava entered a new cell for the last time; NaN: never */
    uint64_t cells;          /* cells with lava in the end */
    double runout_m;         /* NaN: not known */
    double max_thickness_m;
    double emitted_m3, left_m3; /* from vents; over the border of the terrain or into the sea */
    bool into_sea, only_sea;    /* lava reached the shore; and no other border */
    double jaccard;             /* overlap with the outline; NaN: there is none */
    char *drawn, *notice;       /* malloc'ed or NULL */
};

void member_result_free(struct member_result *r); /* all-zero is fine; *r is so afterwards */

/* Lava that left over a border is not simulated any further; lava in the sea has ended there. */
static inline bool member_off_terrain(const struct member_result *r)
{
    return r->left_m3 > 0 && !r->only_sea;
}

struct contribution;

/* Lava comes to a cell, gets thicker there than an edge, or comes no later than an edge of time. */
enum ensemble_event { EVENT_LAVA, EVENT_THICKER, EVENT_SOONER };

/* What was seen of an eruption (nowcast/). The probability of a cell or a place then follows from the weights of members
 * and from what was seen there; only this probability is reported. */
struct ensemble_seen {
    const struct statistics *places; /* counters of places, with the weights of each place */
    double (*cell)(const void *of, size_t cell, enum ensemble_event event, int edge);
    double (*place)(const void *of, size_t place, enum ensemble_event event, int edge);
    double (*reached_s)(const void *of, size_t place); /* when lava was seen; NaN: it was not */
    int (*dry_classes)(const void *of, size_t place);  /* as ensemble_dry_classes() */
    /* A percentile of the arrival in a cell, as statistics_arrival_class(), that agrees with what was seen there. */
    int (*arrival)(const void *of, size_t cell, int percent);
    const void *of;
};

struct ensemble {
    const struct ensemble_source *source;
    /* Called with each member before it is added, one at a time; NULL: not called. It owns what it takes out of *one,
     * which is then not added. `uncounted`: results are kept, but cells are not counted. */
    int (*on_result)(void *of, struct contribution *one, struct error *e);
    void *on_result_of;
    bool uncounted;
    struct library *library; /* where members are kept (library.h); NULL: nowhere */
    struct shard shard;
    double until_error; /* 0: all members */
    int64_t first;      /* only members below this number are computed now; 0: all */
    struct axis thickness_m, arrival_s;
    struct statistics cells, places;
    struct assets assets;
    unsigned char *outline; /* rows*cols, nonzero inside; NULL: none */
    uint64_t outline_cells;
    struct domain domain;         /* where the forecast is verified, if there is an outline */
    struct member_result *result; /* of each member of the plan */
    int64_t done;
    const struct ensemble_seen *seen; /* NULL: nothing was seen */
    bool *assumed;                    /* by place: a question asks about lava there; NULL: none */
};

/* The result of a member before it is added. */
struct contribution {
    int64_t number;
    struct member_result result;
    struct reached *cell, *place;
    size_t cells, places;
};
void contribution_free(struct contribution *one); /* all-zero is fine */
/* Adds a cell to what lava did in several cells; `first`: it is the first of them, whose place and share stay. Classes and
 * rounding are monotone: the class of the greatest thickness is the greatest class. */
void reached_widen(struct reached *x, const struct reached *here, bool first);
/* The smallest window with the cells of a contribution, in a domain with `cols` columns. */
struct window contribution_box(const struct contribution *one, int cols);

/* Reads assets and outline. bytes_max: memory for counters. */
int ensemble_create(struct ensemble *s, const struct ensemble_source *source, struct shard shard,
                    size_t bytes_max, struct error *e);
void ensemble_free(struct ensemble *s); /* all-zero is fine */

/* These return the number of members of this shard, and whether a member is one of them. */
int64_t ensemble_share(const struct ensemble *s);
bool ensemble_is_mine(const struct ensemble *s, int64_t number);

/* Adds members, by all threads, and leaves one[] empty. ERROR_INPUT: out of memory; a member is then not done, and
 * the first failure ends it. */
int ensemble_add_all(struct ensemble *s, struct contribution *one, int count, struct error *e);

/* Adds another part of the same plan, and moves its results. ERROR_INPUT where a member is done in
 * both; `name` is the path of the part, for the message. */
int ensemble_merge(struct ensemble *s, struct ensemble *from, const char *name, struct error *e);

/* The digest of the plan and of all counters. */
uint64_t ensemble_digest(const struct ensemble *s);

/* The largest standard error of a probability. ensemble_worst_error(): that lava comes to a place of interest or, if there are
 * none, to a cell. ensemble_largest_error(): to a cell. The cautious one: of all layers, for --until-error. */
double ensemble_worst_error(const struct ensemble *s);
double ensemble_largest_error(const struct ensemble *s);
double ensemble_cautious_error(const struct ensemble *s);

/* ensemble_probability(): of an event in a cell, as it is reported; EVENT_LAVA has no edge. NaN: no member has lava there, and
 * none was seen. ensemble_at_place(): at a place of interest; 0: no member has lava there; NaN: the place is bare. */
double ensemble_probability(const struct ensemble *s, size_t cell, enum ensemble_event event,
                            int edge);
double ensemble_at_place(const struct ensemble *s, int place, enum ensemble_event event, int edge);
const struct statistics *ensemble_places(const struct ensemble *s);
/* The probability of an event by counters alone, whatever was seen. */
double statistics_event(const struct statistics *x, const uint64_t *c, enum ensemble_event event,
                        int edge);
/* When lava was seen at a place; NaN: it was not. */
double ensemble_reached_s(const struct ensemble *s, int place);
/* Whether a question chose members by what lava does at the place: then its probability is no forecast. */
bool ensemble_is_assumed(const struct ensemble *s, int place);
/* How many classes of arrival end by the last time that the place was seen dry; 0: it was not. */
int ensemble_dry_classes(const struct ensemble *s, int place);

/* The probability that lava arrives, as a forecast on s->domain; it borrows *s. */
struct forecast ensemble_forecast(const struct ensemble *s);
