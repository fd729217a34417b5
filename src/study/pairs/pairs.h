/* pairs.h — computes the members of a plan twice, with its barriers and without them. Both members of a pair have the
 * same random draws. */
#pragma once

#include "case/assets.h"
#include "ensemble/engine.h"
#include "plan/plan_supply.h"
#include "products/products.h"
#include "study/study.h"

/* ---- sums of pairs --------------------------------------------------------------------------- */

/* Counts lava with and without barriers at each of many places, pair by pair, in integers. Sums do not depend on the
 * order of pairs. The members of a pair have the same draws, so their difference has a smaller standard error than the
 * difference of two independent members. */
__extension__ typedef __int128 signed_wide;

/* The counts of a place that lava reached in any member. */
struct pair_count {
    /* weights of the pairs with lava in the member with barriers, in the member without, in both */
    uint64_t with, without, both;
    wide both2; /* sum of squared weights of the pairs in `both` */
    /* Over pairs in `both`: weight times delay; weight times squared delay. The delay is in classes of arrival. */
    signed_wide later, later2;
};

struct pair_sums {
    size_t places;
    uint32_t *slot; /* index in count[] of each place, from 1; 0: no lava came */
    uint32_t slots;
    struct pair_count *count;
    /* index of each place in the list `without` of pair_sums_add(), from 1; else 0 */
    uint32_t *mark;
    int64_t pairs;
    uint64_t weight; /* sum of weights */
    wide weight2;
};

int pair_sums_create(struct pair_sums *s, size_t places, struct error *e);
void pair_sums_free(struct pair_sums *s); /* all-zero is fine */

struct pair_reached {
    const struct reached *item;
    size_t count;
};
/* Adds a pair. ERROR_FAILED: out of memory; no count has changed. */
int pair_sums_add(struct pair_sums *s, uint64_t weight, struct pair_reached with,
                  struct pair_reached without, struct error *e);

/* The counts of a place; NULL: no lava came. pair_sums_open() creates them; NULL: out of memory. */
const struct pair_count *pair_sums_at(const struct pair_sums *s, size_t place);
struct pair_count *pair_sums_open(struct pair_sums *s, size_t place);

uint64_t pair_sums_digest(const struct pair_sums *s);

/* ---- estimates ------------------------------------------------------------------------------ */

struct pair_estimates {
    double with, without;     /* probabilities of lava */
    double difference, error; /* with minus without; its standard error */
    /* Probabilities that lava comes only without barriers, and only with barriers. */
    double only_without, only_with;
    /* Mean delay that barriers cause, over pairs in which lava comes to both members; NaN: no such pair. */
    double later_h;
    double later_error_h; /* standard error of later_h; NaN: fewer than two pairs */
};
/* The estimates of a place. c NULL: no lava came. class_h: duration of a class of arrival, h. */
struct pair_estimates pair_sums_estimate(const struct pair_sums *s, const struct pair_count *c,
                                         double class_h);
double pair_sums_effective(const struct pair_sums *s); /* effective number of pairs */

/* ---- the study ------------------------------------------------------------------------------- */

enum pair_side { PAIR_WITH, PAIR_WITHOUT, PAIR_SIDES };
extern const char *const pair_sides[PAIR_SIDES]; /* "with", "without" */

/* The results of both members of a pair. `drawn` is owned, see struct member_result. */
struct pair_result {
    uint64_t weight;
    char *drawn;
    struct {
        uint64_t digest, cells;
        double runout_m, max_thickness_m; /* NaN: not known */
        bool off_terrain, into_sea;
    } of[PAIR_SIDES];
};

struct pairs {
    struct plan *plan;
    struct plan *bare; /* the plan without barriers; it borrows all but its changes from *plan */
    struct plan_supply supply[PAIR_SIDES];
    uint64_t digest; /* digest of `plan` and `bare` */
    struct assets assets;
    int has_places;
    struct pair_sums cells, places;
    struct pair_result *result; /* result of each pair of the plan */
    int64_t count, done;        /* number of pairs; the first `done` of them are done */
    double class_h;             /* width of a class of arrival, h */
    struct engine_counts counts;
    const struct study_job *job;
};

/* The digest of the plan and of all counts and members. */
uint64_t pairs_digest(const void *pairs);

#define PAIRS_STATE "pairs.state"
extern const struct study study_pairs; /* the study of a struct pairs; it has no options */

extern const struct state_kind pairs_state; /* the state of a struct pairs */

/* ---- pairs_report.c: the files ----------------------------------------------------------------- */

/* The files of this study. Their names also identify files of earlier runs in a folder. */
extern const struct product_table pairs_files;

/* Writes all files except state and summary. At least one pair is done. */
int pairs_report_write(const struct study_job *j, struct error *e);

/* pairs_warn() adds warnings about the results. pairs_summary_text() returns the text of summary.json, which the
 * caller frees; NULL: out of memory. */
void pairs_warn(const struct study_job *j, struct warnings *w);
char *pairs_summary_text(const struct study_job *j);

/* Results over all pairs. */
struct pairs_found {
    /* Mean area of the members, and its standard error. */
    double area_m2[PAIR_SIDES], area_error_m2[PAIR_SIDES];
    /* Mean of the area with barriers minus the area without, and its standard error. */
    double area_difference_m2, area_difference_error_m2;
    double largest_error; /* largest error of all differences of probability */
    /* Area in which barriers change the probability of lava by more than twice its standard error. */
    double less_likely_m2, more_likely_m2;
};
struct pairs_found pairs_find(const struct pairs *x);

/* The classes of maps of a difference of probabilities. pairs_class() returns the class of a difference, from 1. A
 * difference within twice its standard error has the pale class. */
enum { PAIRS_CLASSES = 9 };
extern const struct map_class pairs_classes[PAIRS_CLASSES];
int pairs_class(double difference, double error);
