/* ensemble.h — an ensemble that is being computed: which members are done, the result of each, and statistics of all.
 * All of this is a function of the plan and of the set of members done. */
#pragma once

#include "case/assets.h"
#include "plan/supply.h"
#include "statistics.h"
#include "verify/verify.h"

/* A shard of a plan. Its members are the numbers with the remainder index - 1 when divided by count. */
struct shard {
    int index, count; /* index is 1 to count; 1 of 1: all members */
};

/* The result of a member; a row of members.csv. */
struct member_result {
    bool done;
    uint64_t weight, digest; /* digest: digest of the last state */
    int64_t step;            /* number of its last step */
    bool stopped;            /* the stopping rule ended the run, not the number of steps */
    double end_s;            /* time of the last step */
    double advance_s;        /* time at which lava last entered a new cell; NaN: never */
    uint64_t cells;          /* number of cells with lava at the end */
    double runout_m;         /* NaN: not known */
    double max_thickness_m;
    /* emitted_m3: lava from vents. left_m3: lava that left the terrain, over its border or into the sea. */
    double emitted_m3, left_m3;
    /* into_sea: lava reached the shore. only_sea: lava reached the shore, and no border of the terrain. */
    bool into_sea, only_sea;
    double jaccard; /* overlap with the outline; NaN: there is none */
    /* malloc'ed or NULL. drawn: what was drawn for the member, as columns of members.csv. notice: its warnings. */
    char *drawn, *notice;
};

void member_result_free(struct member_result *r); /* all-zero is fine; *r is all-zero afterwards */

/* Whether lava left the terrain over a border, so that its further flow is unknown. The sea is not a border. */
static inline bool member_off_terrain(const struct member_result *r)
{
    return r->left_m3 > 0 && !r->only_sea;
}

struct contribution;

/* Events in a cell: lava comes; lava becomes thicker than an edge of the thickness classes; lava comes no later than an
 * edge of the arrival classes. */
enum ensemble_event { EVENT_LAVA, EVENT_THICKER, EVENT_SOONER };

/* Observations of an eruption (nowcast/). With them, the probability of a cell or a place follows from the weights of
 * members and from the observations there. All reports use this probability. */
struct ensemble_seen {
    /* Counters of places. Each place weighs the members by its own observations. */
    const struct statistics *places;
    double (*cell)(const void *of, size_t cell, enum ensemble_event event, int edge);
    double (*place)(const void *of, size_t place, enum ensemble_event event, int edge);
    /* Time at which lava was seen; NaN: it was not seen. */
    double (*reached_s)(const void *of, size_t place);
    int (*dry_classes)(const void *of, size_t place); /* see ensemble_dry_classes() */
    /* statistics_arrival_class() of a cell, consistent with the observations in the cell. */
    int (*arrival)(const void *of, size_t cell, int percent);
    const void *of;
};

struct ensemble {
    const struct ensemble_source *source;
    uint64_t plan_digest; /* source->digest, by which states of *s are recognised */
    /* Called with each member before the member is added, never by two threads at once; NULL: not called. The
     * function may move parts out of *one. Then it owns these parts, and they are not added. `uncounted`: results are
     * kept, but cells are not counted. */
    int (*on_result)(void *of, struct contribution *one, struct error *e);
    void *on_result_of;
    bool uncounted;
    struct library *library; /* the library that keeps the members (library.h); NULL: none */
    struct shard shard;
    double until_error; /* target of --until-error, a standard error; 0: compute all members */
    int64_t first;      /* only members below this number are computed; 0: all */
    struct axis thickness_m, arrival_s;
    struct statistics cells, places;
    struct assets assets;
    unsigned char *outline; /* rows * cols, nonzero inside; NULL: none */
    uint64_t outline_cells;
    /* Cells on which the forecast is verified, if there is an outline. */
    struct domain domain;
    struct member_result *result; /* results of all members of the plan */
    int64_t done;
    const struct ensemble_seen *seen; /* NULL: no observations */
    /* For each place: whether the question has a condition about lava there; NULL: no place has such a condition. */
    bool *assumed;
};

/* What a member adds to an ensemble. */
struct contribution {
    int64_t number;
    struct member_result result;
    struct reached *cell, *place;
    size_t cells, places;
};
void contribution_free(struct contribution *one); /* all-zero is fine */
/* *x has the greatest thickness and the first arrival of several cells. Adds the cell *here to them. `first`: *here is
 * the first of these cells, and *x becomes a copy of it. Otherwise x->place and x->share_q do not change. */
void reached_widen(struct reached *x, const struct reached *here, bool first);
/* The smallest window with the cells of a contribution, in a grid of `cols` columns. */
struct window contribution_box(const struct contribution *one, int cols);

/* Creates an ensemble and reads its assets and outline. bytes_max: most memory for counters, in bytes. */
int ensemble_create(struct ensemble *s, const struct ensemble_source *source, struct shard shard,
                    size_t bytes_max, struct error *e);
void ensemble_free(struct ensemble *s); /* all-zero is fine */

/* ensemble_share(): number of members in this shard. ensemble_is_mine(): whether a member is in this shard. */
int64_t ensemble_share(const struct ensemble *s);
bool ensemble_is_mine(const struct ensemble *s, int64_t number);

/* Adds members, in parallel, and leaves one[] empty. ERROR_INPUT: there was too little memory for a member. This
 * member and the members after it are not added. */
int ensemble_add_all(struct ensemble *s, struct contribution *one, int count, struct error *e);

/* Adds the members of *from, which has the same plan, and moves their results to *s. ERROR_INPUT:
 * *s and *from have the same member. `name`: the path of *from, for the message. */
int ensemble_merge(struct ensemble *s, struct ensemble *from, const char *name, struct error *e);

/* The digest of the plan and of all counters. */
uint64_t ensemble_digest(const struct ensemble *s);

/* Each returns the largest standard error of some probabilities:
 *   ensemble_worst_error()     lava comes to a place of interest. If there are no places, lava comes to a cell
 *   ensemble_largest_error()   lava comes to a cell
 *   ensemble_cautious_error()  all layers of probabilities, for --until-error */
double ensemble_worst_error(const struct ensemble *s);
double ensemble_largest_error(const struct ensemble *s);
double ensemble_cautious_error(const struct ensemble *s);

/* ensemble_probability(): the reported probability of an event in a cell; `edge` is ignored for EVENT_LAVA. NaN: no
 * member has lava there, and no lava was seen there. ensemble_at_place(): the probability at a place of interest. 0: no
 * member has lava there; NaN: the place has no terrain. */
double ensemble_probability(const struct ensemble *s, size_t cell, enum ensemble_event event,
                            int edge);
double ensemble_at_place(const struct ensemble *s, int place, enum ensemble_event event, int edge);
const struct statistics *ensemble_places(const struct ensemble *s);
/* The probability of an event from counters alone, without observations. */
double statistics_event(const struct statistics *x, const uint64_t *c, enum ensemble_event event,
                        int edge);
/* Time at which lava was seen at a place; NaN: it was not seen. */
double ensemble_reached_s(const struct ensemble *s, int place);
/* Whether a question selected members by lava at this place. If so, the probability of the place is not a forecast. */
bool ensemble_is_assumed(const struct ensemble *s, int place);
/* The number of classes of arrival that end before the place was last seen without lava; 0: it was not seen without
 * lava. */
int ensemble_dry_classes(const struct ensemble *s, int place);

/* The probability of lava as a forecast on s->domain. The forecast borrows *s. */
struct forecast ensemble_forecast(const struct ensemble *s);
