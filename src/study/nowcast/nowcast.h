/* nowcast.h — a forecast of an eruption that continues: the members of a library, weighted by what was
 * seen until now (sights.h), and what has changed since yesterday. A study that computes no member; it
 * asks a library (ask/ask.h).
 *
 * The weight of a member is its weight in the plan times exp(b log L). b is 1, or smaller if the effective
 * number of members would else be less than `effective_share` of all: errors of the model are correlated
 * between cells and between days, so log L overstates what was learned. Weights are rounded to whole
 * numbers, so that sums are exact; the digest does not depend on the order of observations, members or threads. */
#pragma once

#include "ask/ask.h"
#include "moved.h"
#include "record/probability.h"
#include "sights.h"
#include "watch.h"

struct nowcast_options {
    struct ask_options ask; /* comes first, since study_ask reads it */
    double now_s;           /* what was seen until then counts; NaN: all */
    bool brief;             /* leave out files of an ensemble that the bulletin does not show */
    const char *folder;     /* folder of more observations, as a path from the root; NULL: none */
    const struct watch_state *files; /* the files in that folder */
};

/* The weights of members by what was seen until a time. */
struct nowcast_set {
    double until_s;         /* -INFINITY: by nothing, so the plan's weights */
    double power;           /* the exponent b */
    double effective, full; /* the effective number of members; what it would be with b = 1 */
    uint64_t *weight, sum;
    double later; /* of members without lava at the margin of what was seen: share with it later */
};
enum { NOWCAST_BEFORE, NOWCAST_YESTERDAY, NOWCAST_NOW, NOWCAST_SETS };

/* A front that was forecast a day before. */
struct nowcast_front {
    int sight, set;  /* set: weights by what was seen until a day before */
    int persistence; /* the last front by then, as forecast if nothing changes; -1: none */
    /* Three sums of weights in each cell of the box of its domain. The first two are of all members
     * with lava, by the weights of `set` and by those before anything was seen; the third is of those
     * that had lava when the cell was last seen, by `set`. */
    uint64_t *count[3];
    struct sight_here *here; /* what was seen in these cells until a day before */
    double later;            /* as nowcast_set.later, for these cells */
};
enum { FORECAST_NOW, FORECAST_BEFORE, FORECAST_PERSISTENCE, FORECASTS };

struct nowcast {
    struct ask ask; /* comes first, since study_ask reads it */
    struct sights sights;
    struct sight_of_member *mine; /* at member * sights.count + sight */
    struct moved moved;
    struct nowcast_set *set; /* NOWCAST_SETS sets, then those of fronts */
    int sets;
    struct nowcast_front *front;
    int fronts, latest;           /* number of fronts; the last class of arrival in any of them */
    uint64_t *cells[NOWCAST_NOW]; /* weight of the members that reach a cell of the grid, by set */
    /* Weights of the members that had lava in a cell when it was last seen. came: of all of them, by yesterday's weights.
     * thicker: of those whose lava gets thicker than each threshold at any time, by the weights of now. */
    uint64_t *came, *thicker[PLAN_LIST_MAX];
    uint16_t *last[NOWCAST_SETS];  /* by set: 2 + class by which a cell was last seen; 0: unknown */
    struct statistics seen_places; /* counts at places, weighted also by what was seen there */
    struct ensemble_seen seen;
    struct sight_here *here; /* what was seen at a place, by set: set * places + place */
    int places, horizons;    /* number of places; number of horizons before the end */
    struct warnings told;    /* about the observations and what they do to the weights */
};

/* The study of a struct nowcast; its options are a struct nowcast_options. */
extern const struct study study_nowcast;

/* weights.c: makes the weights of x->set[] from x->mine, for members that weigh `before`. */
int nowcast_weigh(struct nowcast *x, const uint64_t *before, struct error *e);

/* Opens and reads all that a nowcast of the plan will need, before its members are computed: its observations,
 * those of o->folder and, with `rounds`, what drawing members anew needs. Errors are those of the study. */
int nowcast_check(const char *plan, const struct nowcast_options *o, bool rounds, struct error *e);

/* Only weighs the members of an open study, and computes nothing else. */
int nowcast_only_weigh(struct study_job *j, struct error *e);

/* weights.c: nowcast_share() finds weights for a cell that was itself observed. The weight of a member with lava by then is
 * also multiplied by exp(odds). `all`: the sum of all weights; `since`: of the members with lava by then. If the cell was seen
 * dry, these count as at most (1 + later) / 2 of all, and stand also for lava that comes later; `later`: see struct
 * nowcast_set. nowcast_given() is the probability of an event by these weights. `reached`: the weight of the members with the
 * event; `came`: of those of them with lava by then. If lava was seen, only members with lava by then count; NaN: there are
 * none. */
struct nowcast_share {
    double came, other; /* factors with which all weights add up to 1, or to less if dry */
};
struct nowcast_share nowcast_share(double odds, double since, double all, double later);
double nowcast_given(struct sight_here seen, double came, double since, double reached, double all,
                     double later);
/* Makes x->seen_places after members were counted; then the ensemble uses x->seen. */
int nowcast_see_places(struct nowcast *x, struct error *e);
int nowcast_look_at_places(struct nowcast *x, struct error *e);
int nowcast_look_at_front(struct nowcast *x, struct nowcast_front *f, struct error *e);

/* nowcast_report.c: the table of the files. */
extern const struct product_table nowcast_files;

/* bulletin.c: what the page of a nowcast's bulletin has in addition. */
extern const struct bulletin_more nowcast_bulletin;

/* Calls a function for each quantity that members drew or had as a result, with its percentiles by
 * the weights before and now. */
typedef void nowcast_quantity(void *to, const char *name, const struct percentiles p[2]);
int nowcast_posterior(const struct nowcast *x, nowcast_quantity *each, void *to, struct error *e);

/* The probability that lava ever reaches a cell of the grid, by the weights of a set and by what was seen
 * there; 0: no member brings any. */
double nowcast_at_cell(const struct nowcast *x, int set, size_t cell);
/* The probability of lava at a place by a time (INFINITY: ever), by the weights of a set. */
double nowcast_at_place(const struct nowcast *x, int set, int place, double time_s);
/* nowcast_said() writes nowcast_at_place() in English, rounded as the effective number of the set allows; nowcast_pack(): the
 * same packed (text/words.h). */
char *nowcast_said(char out[PROBABILITY_TEXT], const struct nowcast *x, int set, int place,
                   double time_s);
char *nowcast_pack(char out[PROBABILITY_TEXT], const struct nowcast *x, int set, int place,
                   double time_s);
/* The earliest time by which lava has come to a place with probability p or more, and not before the place
 * was last seen dry; NaN: never. */
double nowcast_earliest_s(const struct nowcast *x, int set, int place, double p);
/* When lava was first seen at a place, inside a front or as an arrival there, as far as a set knows; NaN: it was not
 * seen. Once it was, the place has been reached, whatever members do. */
double nowcast_reached_s(const struct nowcast *x, int set, int place);
/* Whether lava was seen in a cell until now; `of` is a struct nowcast. */
bool nowcast_shows(const void *of, size_t cell);
/* The likeliest member; nowcast_worst(): of the likeliest members with 95 % of the weight, the one
 * with the largest area. */
int64_t nowcast_likeliest(const struct nowcast *x);
int64_t nowcast_worst(const struct nowcast *x);
/* The member that overlaps that front best, with its J; -1: there is none. */
int64_t nowcast_nearest(const struct nowcast *x, int sight, double *jaccard);
/* Makes the forecast of a front over the front's own domain; false: there is none. *room has to
 * last as long as *f. */
struct nowcast_counted {
    const struct domain *domain;
    const struct nowcast_front *front;
    uint64_t all;
    int which;
};
bool nowcast_forecast(struct forecast *f, const struct nowcast *x, int front, int which,
                      struct nowcast_counted *room);

/* Horizons after now: 24, 48, 72 h, and the end. */
enum { NOWCAST_HORIZONS = 4 };
#define NOWCAST_EARLIEST 0.05 /* an earliest time is plausible from this probability on */
extern const double nowcast_horizon_h[NOWCAST_HORIZONS];
