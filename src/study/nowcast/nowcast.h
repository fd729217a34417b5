/* nowcast.h — a forecast of a continuing eruption: members of a library, weighted by all observations until now
 * (sights.h), and the changes since yesterday. The study computes no members, but asks a library (ask/ask.h).
 *
 * The weight of a member is its weight in the plan times exp(b log L). b is 1, or smaller if the effective number of
 * members would otherwise be below `effective_share` of all. The reason is that errors of the model are correlated
 * between cells and days, so log L overstates the information. Weights are rounded to whole numbers, so sums are
 * exact and the digest does not depend on the order of observations, members or threads. */
#pragma once

#include "ask/ask.h"
#include "moved.h"
#include "record/probability.h"
#include "sights.h"
#include "watch.h"

struct nowcast_options {
    struct ask_options ask; /* first field, for study_ask */
    double now_s;           /* observations until this time count; NaN: all */
    bool brief;             /* leave out files of an ensemble that the bulletin does not show */
    const char *folder;     /* absolute path of a folder with more observations; NULL: none */
    const struct watch_state *files; /* the files in that folder */
};

/* The weights of members by the observations until a time. */
struct nowcast_set {
    double until_s; /* -INFINITY: no observations, so the weights are the weights in the plan */
    double power;   /* exponent b of the likelihoods (top of this file) */
    double effective, full; /* effective number of members: with this power; with a power of 1 */
    uint64_t *weight, sum;
    /* Members without lava in a cell when the cell was seen without lava: the share of them, by
     * weight, that has lava there later. A mean over all such cells. */
    double later;
};
enum { NOWCAST_BEFORE, NOWCAST_YESTERDAY, NOWCAST_NOW, NOWCAST_SETS };

/* A front that was forecast 24 h before its time. */
struct nowcast_front {
    /* sight: index of the front in sights.of. set: index in nowcast.set; these weights follow from
     * the observations until 24 h before the front. */
    int sight, set;
    /* The last front that shows all lava and is at least 24 h older than this front, as an index in
     * sights.of. The forecast of no change is that lava stays in that older front. -1: none. */
    int persistence;
    /* Sums of weights over members, in each cell of the box of the front's domain:
     *     count[0]  members with lava at the time of the front, by the weights of `set`
     *     count[1]  the same members, by the weights in the plan
     *     count[2]  members with lava at the cell's observation (sights_here()), by the weights of `set` */
    uint64_t *count[3];
    struct sight_here *here; /* observations of the box's cells until 24 h before the front */
    double later;            /* nowcast_set.later for the cells of this box */
};
enum { FORECAST_NOW, FORECAST_BEFORE, FORECAST_PERSISTENCE, FORECASTS };

struct nowcast {
    struct ask ask; /* first field, for study_ask */
    struct sights sights;
    struct sight_of_member *mine; /* index: member * sights.count + observation */
    struct moved moved;
    struct nowcast_set *set; /* NOWCAST_SETS sets, then the sets of the fronts */
    int sets;
    struct nowcast_front *front;
    int fronts, latest; /* number of fronts; the latest class of arrival that a front counts */
    /* For each set and cell, the weight of the members that reach the cell. */
    uint64_t *cells[NOWCAST_NOW];
    /* Sums of weights in each cell, over members that had lava there at the cell's observation (sights_here()). came:
     * yesterday's weights. thicker[k]: present weights, only over members with a greatest thickness above threshold k
     * in the cell. */
    uint64_t *came, *thicker[PLAN_LIST_MAX];
    /* For each set and cell, 2 + the last class of arrival until the cell's observation (sights_here()); 1: there is no
     * such class; 0: not looked up yet. */
    uint16_t *last[NOWCAST_SETS];
    /* Counts at places, with weights that include the observations there. */
    struct statistics seen_places;
    struct ensemble_seen seen;
    struct sight_here *here; /* observations of each place, index: set * places + place */
    int places, horizons;    /* number of places; number of horizons except the last one, the end */
    struct warnings told;    /* warnings about the observations and their effect on the weights */
};

/* The study of a struct nowcast. Its options are a struct nowcast_options. */
extern const struct study study_nowcast;

/* weights.c: sets the weights of x->set[] from x->mine. `before`: weights in the plan. */
int nowcast_weigh(struct nowcast *x, const uint64_t *before, struct error *e);

/* Reads all inputs of a nowcast before the members of its plan are computed: the observations of the plan and of
 * o->folder. rounds: also checks that members can be drawn again. */
int nowcast_check(const char *plan, const struct nowcast_options *o, bool rounds, struct error *e);

/* Weighs the members of an open study, and computes nothing else. */
int nowcast_only_weigh(struct study_job *j, struct error *e);

/* weights.c: probabilities in an observed cell.
 *
 * nowcast_share() finds factors for the weights of members. odds: sight_here.odds. since: weight of
 * the members with lava in the cell at the time of the observation. all: sum of all weights. later:
 * nowcast_set.later.
 *
 * nowcast_given() is the probability of an event. reached: weight of the members with the event. came: the part of
 * `reached` with lava at the time of the observation. If lava was seen, only members with lava at that time count.
 * NaN: there are no such members. */
struct nowcast_share {
    /* Factors for members with lava at the time of the observation, and for other members. */
    double came, other;
};
struct nowcast_share nowcast_share(double odds, double since, double all, double later);
double nowcast_given(struct sight_here seen, double came, double since, double reached, double all,
                     double later);
/* Fills x->seen_places after the members were counted. From then on the ensemble takes its probabilities from
 * x->seen. */
int nowcast_see_places(struct nowcast *x, struct error *e);
int nowcast_look_at_places(struct nowcast *x, struct error *e);
int nowcast_look_at_front(struct nowcast *x, struct nowcast_front *f, struct error *e);

/* nowcast_report.c: the table of a nowcast's files. */
extern const struct product_table nowcast_files;

/* bulletin.c: the additions to the page of a bulletin. */
extern const struct bulletin_more nowcast_bulletin;

/* Calls a function for each quantity that members drew or had as a result. p[0]: percentiles by the weights in the
 * plan. p[1]: percentiles by the present weights. */
typedef void nowcast_quantity(void *to, const char *name, const struct percentiles p[2]);
int nowcast_posterior(const struct nowcast *x, nowcast_quantity *each, void *to, struct error *e);

/* The probability that lava ever reaches a cell of the grid, by the weights of a set and the observations of the
 * cell. 0: no member has lava there. */
double nowcast_at_cell(const struct nowcast *x, int set, size_t cell);
/* The probability of lava at a place by a time (INFINITY: at any time), by the weights of a set. */
double nowcast_at_place(const struct nowcast *x, int set, int place, double time_s);
/* nowcast_said() writes nowcast_at_place() in English, rounded as the effective number of the set allows.
 * nowcast_pack() writes it as packed words (text/words.h). */
char *nowcast_said(char out[PROBABILITY_TEXT], const struct nowcast *x, int set, int place,
                   double time_s);
char *nowcast_pack(char out[PROBABILITY_TEXT], const struct nowcast *x, int set, int place,
                   double time_s);
/* The earliest time at which the probability of lava at a place is at least p. Times before the place was last seen
 * without lava do not count. NaN: there is no such time. */
double nowcast_earliest_s(const struct nowcast *x, int set, int place, double p);
/* The time at which lava was first seen at a place by the observations of a set: inside a front, or as an arrival.
 * NaN: it was not seen. A place with a time counts as reached, even if no member has lava there. */
double nowcast_reached_s(const struct nowcast *x, int set, int place);
/* Whether lava was seen in a cell until now. `of` is a struct nowcast. */
bool nowcast_shows(const void *of, size_t cell);
/* nowcast_likeliest(): the member with the largest weight. nowcast_worst(): the member with the largest area among
 * the likeliest members that together have 95 % of the weight. */
int64_t nowcast_likeliest(const struct nowcast *x);
int64_t nowcast_worst(const struct nowcast *x);
/* The member that overlaps a front best, and its Jaccard index. -1: there is none. */
int64_t nowcast_nearest(const struct nowcast *x, int sight, double *jaccard);
/* Makes the forecast of a front on the front's own domain. False: there is no forecast. *room has to outlive *f. */
struct nowcast_counted {
    const struct domain *domain;
    const struct nowcast_front *front;
    uint64_t all;
    int which;
};
bool nowcast_forecast(struct forecast *f, const struct nowcast *x, int front, int which,
                      struct nowcast_counted *room);
/* Compares two forecasts of the last front: the one that was made a day before the front, and `than`, which is
 * FORECAST_BEFORE or FORECAST_PERSISTENCE. Returns whether the first one has the better score, by more than the standard
 * error of the difference. */
bool nowcast_is_better(const struct nowcast *x, int than);

/* Horizons after now: 24, 48 and 72 h, and the end. */
enum { NOWCAST_HORIZONS = 4 };
#define NOWCAST_EARLIEST 0.05 /* the earliest arrival is when the probability reaches this */
extern const double nowcast_horizon_h[NOWCAST_HORIZONS];
